import { MessageRole, type AgentMessage } from '@core/message/AgentMessage';
import type { ModelRequest } from '@core/model/ModelRequest';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import type { ScriptedResponder } from '@core/provider/ScriptedProvider';
import type { AgentConfig } from '@core/runtime/config/AgentConfig';
import type { AgentState } from '@core/state/AgentState';
import { SubAgentFeature } from '@core/subagent/SubAgentFeature';
import type { SubAgentOptions } from '@core/subagent/SubAgentOptions';
import type { RecordingTool } from '@core/testing/RecordingTool';
import { ToolResult } from '@core/tool/ToolResult';
import type { Process } from '../../support/Process';
import { World, type OpenOptions } from '../../support/World';

/** What a model answers to an input, turn by turn; beyond that "ok". The same in every process. */
export type Script = Readonly<Record<string, readonly ScriptedTurn[]>>;

/** A turn that gives tasks to workers, one call each. */
export function delegate(...tasks: string[]): ScriptedTurn {
  const turn = new ScriptedTurn();
  tasks.forEach((task, at) => turn.call(`d${at + 1}`, 'delegate_task', JSON.stringify({ task })));
  return turn;
}

export const PAY = (n = 1): ScriptedTurn => ScriptedTurn.call('p1', 'pay', `{"n":${n}}`);

/** A model that follows a script by what was said last by a user and how often it has answered since. */
export function following(script: Script): ScriptedResponder {
  return (request: ModelRequest) => {
    const messages: AgentMessage[] = request.messages.toArray().slice();
    const from = messages.map((message) => message.role).lastIndexOf(MessageRole.user);
    const answered = messages.slice(from).filter((message) => message.role === MessageRole.assistant).length;
    return script[messages[from]?.text() ?? '']?.[answered] ?? ScriptedTurn.text('ok').usage(1, 1);
  };
}

export interface FamilyOptions extends OpenOptions {
  script?: Script;
  sub?: SubAgentOptions;
}

/** A world with a tool that asks (`pay`), one that does not (`read`), and sub-agents. */
export class Family {
  readonly world: World;
  readonly pay: RecordingTool;
  readonly read: RecordingTool;
  feature: SubAgentFeature = new SubAgentFeature();

  constructor(private readonly script: Script, private readonly sub: SubAgentOptions = {}, world: World = new World()) {
    this.world = world;
    this.pay = this.world.dangerous('pay');
    this.pay.work = async (args) => ToolResult.text(`paid ${args.getNumber('n')}`);
    this.read = this.world.safe('read');
  }

  async open(options: FamilyOptions = {}): Promise<Process> {
    const registry = this.world.registry(options.without);
    this.feature = new SubAgentFeature(options.sub ?? this.sub);
    const added = this.feature.register(registry);
    if (!added.ok) throw added.error;
    const config: Partial<AgentConfig> = { toolRegistry: registry, features: [this.feature], ...options.config };
    return this.world.open({ responder: following(options.script ?? this.script), ...options, config });
  }

  /** The ids of the child sessions on the disk. */
  async children(): Promise<string[]> {
    return (await this.world.disk.list()).value.map((line) => line.sessionId).filter((id) => id !== this.world.sessionId).sort();
  }

  async child(id: string): Promise<AgentState> {
    const state = (await this.world.disk.load(id)).value;
    if (state === undefined) throw new Error(`no session ${id}`);
    return state;
  }

  /** Takes the session to its end as a person would. */
  async settle(approve = true): Promise<Process> {
    const process = await this.open();
    for (let step = 0; step < 20 && process.runtime.snapshot().run?.status !== 'finished'; step++) {
      for (const id of process.questions()) {
        await (approve ? process.controller.approve(id) : process.controller.deny(id, 'no'));
      }
      await process.resume();
    }
    return process;
  }
}
