import type { AgentHook } from '@core/hook/AgentHook';
import { PlanFeature, type PlanOptions } from '@core/plan/PlanFeature';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import type { RecordingTool } from '@core/testing/RecordingTool';
import { ToolEffect } from '@core/tool/ToolContract';
import type { OpenOptions } from '../../support/World';
import { World } from '../../support/World';
import type { Process } from '../../support/Process';

export const step = (content: string, status = 'pending', id?: string): object => ({ content, status, ...(id === undefined ? {} : { id }) });
export const todos = (list: object[], ready = false): string => JSON.stringify(ready ? { todos: list, ready_for_review: true } : { todos: list });
export const PLAN = [step('look'), step('book the room')];
/** The model hands in a plan. */
export const handIn = (id = 'p1', list: object[] = PLAN): ScriptedTurn => ScriptedTurn.call(id, 'write_todos', todos(list, true));
export const write = (id: string, list: object[]): ScriptedTurn => ScriptedTurn.call(id, 'write_todos', todos(list));

export interface Planned {
  process: Process;
  feature: PlanFeature;
}

/** A world with a tool that looks, one that books, one that pays (asks), and one that is harmless but asks. */
export class Office {
  readonly world = new World();
  readonly look: RecordingTool = this.world.safe('look');
  readonly book: RecordingTool = this.world.sensitive('book');
  readonly pay: RecordingTool = this.world.dangerous('pay');
  readonly peek: RecordingTool = this.world.sensitive('peek', { effect: ToolEffect.none });

  async open(options: OpenOptions = {}, plan: PlanOptions = { planFirst: true }, hooks: AgentHook[] = []): Promise<Planned> {
    const feature = new PlanFeature(plan);
    const toolRegistry = this.world.registry();
    feature.register(toolRegistry);
    const process = await this.world.open({ ...options, config: { toolRegistry, features: [feature], hooks, ...options.config } });
    return { process, feature };
  }
}

/** Names of the tools that the model saw in its newest request. */
export const seen = (process: Process): string[] => process.provider.requests().at(-1)?.tools.map((tool) => tool.name) ?? [];
export const HARMLESS = ['look', 'peek', 'write_todos'];
export const ALL = ['look', 'book', 'pay', 'peek', 'write_todos'];
