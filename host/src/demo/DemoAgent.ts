import {
  AgentController, AgentRuntime, InMemorySecretVault, JsonlAuditSink, Result, RunStatus, ToolCatalog, ToolSource, type AgentConfig, type AgentPorts, type ArkAgentError, type ModelProvider,
} from 'agent_core';
import { BakingModel } from '../../../entry/src/main/ets/baking/BakingModel.ets';
import type { BakingFiles } from '../../../entry/src/main/ets/baking/BakingFiles.ets';
import { BakingPrompt } from '../../../entry/src/main/ets/baking/BakingPrompt.ets';
import { BakingSeed } from '../../../entry/src/main/ets/baking/BakingSeed.ets';
import { BakingTools } from '../../../entry/src/main/ets/baking/BakingTools.ets';
import { ToolCaptions } from '../../../entry/src/main/ets/viewmodel/ToolCaptions.ets';
import { FsBakingFiles } from '../baking/FsBakingFiles';
import { nodePorts } from '../ports/NodePorts';
import { NodeFileSystem } from '../storage/NodeFileSystem';
import { openFileStateStorage } from '../storage/openFileStateStorage';
import type { WorkspaceToolSet } from '../tools/WorkspaceToolSet';
import type { DemoFolder } from './DemoFolder';
import { DyingFiles } from './DyingFiles';

/** An online model in place of the built-in one. */
export interface OnlineModel {
  readonly name: string;
  /** Handed in, so that a command that never goes online does not load a network client. */
  readonly create: (ports: AgentPorts) => ModelProvider;
}

export interface DemoAgentOptions {
  readonly folder: DemoFolder;
  readonly language: string;
  /** Milliseconds between two pieces of the offline model's text. */
  readonly deltaDelayMs: number;
  readonly online?: OnlineModel;
  /** Part of the story: die after the effect, before its record. */
  readonly dieAfterEffect?: boolean;
  /** Tools on a folder that the person named. */
  readonly workspace?: WorkspaceToolSet | undefined;
}

/** Id of the demonstration's one session. */
export const DEMO_SESSION_ID = 'baking';

/** The baking assistant on Node: the runtime with file storage, the three tools and a model. */
export class DemoAgent {
  private constructor(readonly runtime: AgentRuntime, readonly controller: AgentController, readonly captions: ToolCaptions,
    readonly catalog: ToolCatalog) {}

  /** Errors: those of AgentRuntime.open. */
  static async open(options: DemoAgentOptions): Promise<Result<DemoAgent, ArkAgentError>> {
    const { folder, language } = options;
    const real = new FsBakingFiles(folder.root, folder.effectLog);
    const files: BakingFiles = options.dieAfterEffect === true ? new DyingFiles(real) : real;
    const tools = BakingTools.all(files, language);
    const captions = new ToolCaptions();
    for (const tool of tools) captions.add(tool.definition.name, tool.contract);
    const catalog = new ToolCatalog();
    catalog.putRegistry(ToolSource.builtin(), BakingTools.registry(tools).value);
    if (options.workspace !== undefined) {
      catalog.put(ToolSource.project(), options.workspace.tools);
      for (const tool of options.workspace.tools) captions.add(tool.definition.name, tool.contract);
    }
    const controller = new AgentController();
    const ports = nodePorts();
    const storage = openFileStateStorage(folder.session);
    const baking = new BakingModel(ports.scheduler, options.deltaDelayMs);
    const config: AgentConfig = {
      sessionId: DEMO_SESSION_ID, ports, controller, systemPrompt: BakingPrompt.SYSTEM,
      provider: options.online?.create(ports) ?? (options.workspace === undefined ? baking : await offline(baking, language)),
      modelOptions: options.online === undefined ? {} : { model: options.online.name },
      toolCatalog: catalog, stateStorage: storage,
      // In memory: a call with a secret runs in this process, and answers tool_argument_secret in one that takes it up after a kill.
      secretVault: new InMemorySecretVault(),
      auditSink: new JsonlAuditSink({ ...ports, files: new NodeFileSystem() }, folder.audit),
      ...(options.workspace === undefined ? {} : { services: options.workspace.services, authorizationPolicy: options.workspace.authorization }),
    };
    const runtime = await AgentRuntime.open(config);
    if (!runtime.ok) {
      await storage.close();
      return runtime.recast<DemoAgent>();
    }
    if (!runtime.value.restored) await BakingSeed.fill(real);
    return Result.success<DemoAgent, ArkAgentError>(new DemoAgent(runtime.value, controller, captions, catalog));
  }

  /** No model was asked yet. */
  get isFresh(): boolean {
    return this.runtime.snapshot().history.length === 0;
  }

  /** Something has to go on before a new message can be sent. */
  get hasOpenWork(): boolean {
    const state = this.runtime.snapshot();
    return state.pendingApproval !== undefined || (state.run !== undefined && state.run.status !== RunStatus.finished);
  }
}

/** Loaded where there is a workspace, so that a resume without one starts quickly. */
async function offline(baking: BakingModel, language: string): Promise<ModelProvider> {
  const [{ WorkspaceModel }, { ToolWords }] = await Promise.all([import('./WorkspaceModel'), import('../tools/ToolWords')]);
  return new WorkspaceModel(baking, new ToolWords(language === 'zh'));
}
