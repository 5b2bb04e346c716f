import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  AgentHookPipeline, AgentMode, ApprovalPolicyResult, ModePolicy, SessionModes, StrictestAuthorizationPolicy, ToolPipeline, ToolRegistry, type CallReporter, type NetworkOptions,
  type ToolCall, type ToolResultEnvelope,
} from 'agent_core';
import { NodeScheduler } from '../../../../host/src/ports/NodeScheduler';
import { SystemClock } from '../../../../host/src/ports/SystemClock';
import { WorkspaceToolSet, type WorkspaceToolOptions } from '../../../../host/src/tools/WorkspaceToolSet';

/** The sample tools on a folder of their own, called through the pipeline. */
export class ToolBench {
  readonly root = mkdtempSync(join(tmpdir(), 'arkagent-tools-'));
  readonly folder = join(this.root, 'workspace');
  readonly progress: string[] = [];
  readonly modes = new SessionModes(AgentMode.full);
  private pipeline: ToolPipeline | undefined;

  constructor() {
    mkdirSync(this.folder);
  }

  async open(options: Partial<WorkspaceToolOptions> & { network?: NetworkOptions } = {}): Promise<this> {
    const scheduler = new NodeScheduler();
    const opened = await WorkspaceToolSet.open({ folder: this.folder, scheduler, ...options });
    if (!opened.ok) throw opened.error;
    const registry = new ToolRegistry();
    for (const tool of opened.value.tools) {
      const added = registry.register(tool.definition, tool.executor, tool.contract);
      if (!added.ok) throw added.error;
    }
    const reporter: CallReporter = {
      callStarted: () => undefined, callProgress: (_call: ToolCall, message: string) => { this.progress.push(message); }, callFinished: () => undefined, diagnostics: () => undefined,
    } as unknown as CallReporter;
    this.pipeline = new ToolPipeline({
      registry, hooks: new AgentHookPipeline([], scheduler), approvalPolicy: { decide: () => ApprovalPolicyResult.allow() }, clock: new SystemClock(), scheduler, reporter,
      authorizationPolicy: new StrictestAuthorizationPolicy([new ModePolicy(this.modes), opened.value.authorization]), services: opened.value.services,
      maxArgumentChars: 50_000, grace: { cancelGraceMs: 1000, timeoutGraceMs: 1000 },
    });
    return this;
  }

  call(name: string, args: object): Promise<ToolResultEnvelope> {
    return this.pipeline!.call(name, JSON.stringify(args), 's');
  }

  /** What the model is told, with `!` before a failure. */
  async told(name: string, args: object): Promise<string> {
    const envelope = await this.call(name, args);
    return `${envelope.result.isError ? '!' : ''}${envelope.result.text()}`;
  }

  dispose(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
