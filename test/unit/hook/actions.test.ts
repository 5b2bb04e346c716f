import { describe, expect, it } from 'vitest';
import { ArkAgentError } from '@core/base/ArkAgentError';
import type { AgentHook } from '@core/hook/AgentHook';
import type { AgentHookPipeline } from '@core/hook/AgentHookPipeline';
import type { HookOutcomeBase } from '@core/hook/outcome/HookOutcomeBase';
import { BeforeRunHookAction, BeforeRunHookResult } from '@core/hook/result/BeforeRunHookResult';
import type { HookResultBase } from '@core/hook/result/HookResultBase';
import { ModelCallHookAction, ModelCallHookResult } from '@core/hook/result/ModelCallHookResult';
import { ModelChunkHookAction, ModelChunkHookResult } from '@core/hook/result/ModelChunkHookResult';
import { ModelResponseHookAction, ModelResponseHookResult } from '@core/hook/result/ModelResponseHookResult';
import { StatePersistenceHookAction, StatePersistenceHookResult } from '@core/hook/result/StatePersistenceHookResult';
import { ToolCallHookAction, ToolCallHookResult } from '@core/hook/result/ToolCallHookResult';
import { ToolResultHookAction, ToolResultHookResult } from '@core/hook/result/ToolResultHookResult';
import { TurnCompletionHookAction, TurnCompletionHookResult } from '@core/hook/result/TurnCompletionHookResult';
import { AgentMessage } from '@core/message/AgentMessage';
import { ModelResponse } from '@core/model/ModelResponse';
import { PersistReason } from '@core/state/PersistReason';
import { ToolResult } from '@core/tool/ToolResult';
import {
  call, callContext, chunkContext, completionContext, hook, modelContext, persistContext, pipelineOf, request, resultContext, responseContext, runContext,
} from './support';

interface Row {
  slot: keyof AgentHook;
  answer: HookResultBase & { action: string };
  /** Whether a later hook is still asked. */
  goesOn: boolean;
  outcome: object;
}

const own = ArkAgentError.tool('own', 'mine');
const aborted = { abort: { error: own, hookName: 'first' } };

const ROWS: Row[] = [
  { slot: 'beforeRun', answer: BeforeRunHookResult.proceed([AgentMessage.user('new')]), goesOn: true, outcome: { abort: undefined, input: [AgentMessage.user('new')] } },
  { slot: 'beforeRun', answer: BeforeRunHookResult.abort('r', own), goesOn: false, outcome: aborted },
  { slot: 'beforeModelCall', answer: ModelCallHookResult.proceed(request('new')), goesOn: true, outcome: { abort: undefined, response: undefined, request: { systemPrompt: 'new' } } },
  { slot: 'beforeModelCall', answer: ModelCallHookResult.respond(ModelResponse.text('own')), goesOn: false, outcome: { abort: undefined, response: { text: 'own' } } },
  { slot: 'beforeModelCall', answer: ModelCallHookResult.abort('r', own), goesOn: false, outcome: aborted },
  { slot: 'onModelChunk', answer: ModelChunkHookResult.proceed('new', 'why'), goesOn: true, outcome: { abort: undefined, text: 'new', reasoning: 'why', dropped: false } },
  { slot: 'onModelChunk', answer: ModelChunkHookResult.drop(), goesOn: false, outcome: { abort: undefined, text: '', reasoning: '', dropped: true } },
  { slot: 'onModelChunk', answer: ModelChunkHookResult.abort('r', own), goesOn: false, outcome: { ...aborted, text: '', dropped: false } },
  { slot: 'afterModelCall', answer: ModelResponseHookResult.proceed(ModelResponse.text('new')), goesOn: true, outcome: { abort: undefined, retry: undefined, response: { text: 'new' } } },
  { slot: 'afterModelCall', answer: ModelResponseHookResult.retry('again'), goesOn: false, outcome: { abort: undefined, retry: { hookName: 'first', reason: 'again' } } },
  { slot: 'afterModelCall', answer: ModelResponseHookResult.abort('r', own), goesOn: false, outcome: aborted },
  { slot: 'beforeToolCall', answer: ToolCallHookResult.proceed(call('{}'), 'note'), goesOn: true, outcome: { abort: undefined, denial: undefined, deferred: false, rewritten: true, warnings: ['note'] } },
  { slot: 'beforeToolCall', answer: ToolCallHookResult.deny(ToolResult.text('s'), 'r'), goesOn: false, outcome: { abort: undefined, denial: { reason: 'r', hookName: 'first' } } },
  { slot: 'beforeToolCall', answer: ToolCallHookResult.defer('r'), goesOn: true, outcome: { abort: undefined, denial: undefined, deferred: true, deferReasons: ['r'] } },
  { slot: 'beforeToolCall', answer: ToolCallHookResult.abort('r', own), goesOn: false, outcome: aborted },
  { slot: 'afterToolCall', answer: ToolResultHookResult.proceed(ToolResult.text('new'), [AgentMessage.user('i')]), goesOn: true, outcome: { abort: undefined, stop: undefined, injected: [AgentMessage.user('i')] } },
  { slot: 'afterToolCall', answer: ToolResultHookResult.stop(ToolResult.text('new'), [AgentMessage.user('i')], 'r'), goesOn: false, outcome: { abort: undefined, stop: { hookName: 'first', reason: 'r' }, injected: [AgentMessage.user('i')] } },
  { slot: 'afterToolCall', answer: ToolResultHookResult.abort('r', own), goesOn: false, outcome: aborted },
  { slot: 'onTurnCompletion', answer: TurnCompletionHookResult.accept(), goesOn: true, outcome: { abort: undefined, continuation: undefined } },
  { slot: 'onTurnCompletion', answer: TurnCompletionHookResult.continueRun([AgentMessage.user('go')]), goesOn: false, outcome: { abort: undefined, continuation: { hookName: 'first', messages: [AgentMessage.user('go')] } } },
  { slot: 'onTurnCompletion', answer: TurnCompletionHookResult.abort('r', own), goesOn: false, outcome: aborted },
  { slot: 'beforePersistState', answer: StatePersistenceHookResult.proceed(), goesOn: true, outcome: { abort: undefined, skip: false } },
  { slot: 'beforePersistState', answer: StatePersistenceHookResult.skip('r'), goesOn: false, outcome: { abort: undefined, skip: true } },
  { slot: 'beforePersistState', answer: StatePersistenceHookResult.abort('r', own), goesOn: false, outcome: { ...aborted, skip: false } },
];

const ACTIONS: Partial<Record<keyof AgentHook, object>> = {
  beforeRun: BeforeRunHookAction, beforeModelCall: ModelCallHookAction, onModelChunk: ModelChunkHookAction, afterModelCall: ModelResponseHookAction,
  beforeToolCall: ToolCallHookAction, afterToolCall: ToolResultHookAction, onTurnCompletion: TurnCompletionHookAction, beforePersistState: StatePersistenceHookAction,
};

function ask(pipeline: AgentHookPipeline, slot: keyof AgentHook): Promise<HookOutcomeBase> {
  switch (slot) {
    case 'beforeRun': return pipeline.beforeRun(runContext('x'));
    case 'beforeModelCall': return pipeline.beforeModelCall(modelContext());
    case 'onModelChunk': return pipeline.onModelChunk(chunkContext('x'));
    case 'afterModelCall': return pipeline.afterModelCall(responseContext());
    case 'beforeToolCall': return pipeline.beforeToolCall(callContext());
    case 'afterToolCall': return pipeline.afterToolCall(resultContext());
    case 'onTurnCompletion': return pipeline.onTurnCompletion(completionContext());
    default: return pipeline.beforePersistState(persistContext(PersistReason.afterModelText));
  }
}

describe('slot x action', () => {
  for (const row of ROWS) {
    it(`${row.slot} · ${row.answer.action}`, async () => {
      let asked = 0;
      const watcher = hook('second', { [row.slot]: async (context: { call?: unknown }) => { asked++; return pass(row.slot, context); } } as Partial<AgentHook>);
      const outcome = await ask(pipelineOf(hook('first', { [row.slot]: async () => row.answer } as Partial<AgentHook>), watcher), row.slot);
      expect(outcome).toMatchObject(row.outcome);
      expect(asked).toBe(row.goesOn ? 1 : 0);
    });
  }

  it('the table names every action of every deciding slot, with its stored string', () => {
    for (const [slot, actions] of Object.entries(ACTIONS)) {
      expect(ROWS.filter((row) => row.slot === slot).map((row) => row.answer.action).sort()).toEqual(Object.values(actions as object).sort());
    }
    expect(TurnCompletionHookAction.continueRun).toBe('continue_run');
  });
});

/** What the base class would answer. */
function pass(slot: keyof AgentHook, context: object): unknown {
  const plain = hook('plain', {});
  return (plain[slot] as (from: object) => unknown)(context);
}
