import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ArkAgentError } from '@core/base/ArkAgentError';
import { CancellationController } from '@core/base/Cancellation';
import { ErrorCode } from '@core/base/ErrorCodes';
import type { AgentHook } from '@core/hook/AgentHook';
import { BeforeRunHookResult } from '@core/hook/result/BeforeRunHookResult';
import { ModelCallHookResult } from '@core/hook/result/ModelCallHookResult';
import { ModelChunkHookResult } from '@core/hook/result/ModelChunkHookResult';
import { ModelResponseHookResult } from '@core/hook/result/ModelResponseHookResult';
import { StatePersistenceHookResult } from '@core/hook/result/StatePersistenceHookResult';
import { ToolCallHookResult } from '@core/hook/result/ToolCallHookResult';
import { ToolResultHookResult } from '@core/hook/result/ToolResultHookResult';
import { TurnCompletionHookResult } from '@core/hook/result/TurnCompletionHookResult';
import { FinishReason, ModelResponse } from '@core/model/ModelResponse';
import { AgentEventType } from '@core/runtime/report/AgentEvent';
import { ToolResult } from '@core/tool/ToolResult';
import { type Answer, FunctionProvider, OnlyDangerousAsks, type HookSlots, Session, Tools, WatchedStorage, answers, call, calls, dangerous, hook, says, sensitive } from '../run/harness';

/** A way in which a segment can end. */
interface Way {
  name: string;
  /** What afterRun is told: `stopReason code`. */
  end: string;
  slots?: HookSlots;
  hookOptions?: { timeoutMs?: number };
  provider?: () => Answer[];
  storage?: () => WatchedStorage;
  limits?: { maxTurns?: number; maxHistoryMessages?: number };
  act?: (session: Session, control: CancellationController) => void;
  /** No terminal write succeeded. */
  unsaved?: boolean;
  asks?: boolean;
}

const working = (): Answer[] => [calls(call('c1', 'look'), call('c2', 'write', { n: 1 })), says('do', 'ne')];
const looping = (): Answer[] => [calls(call('c', 'look', { n: 1 }))];
const on = (type: AgentEventType, act: (session: Session, control: CancellationController) => void) =>
  (session: Session, control: CancellationController): void => {
    let done = false;
    session.observer.onEvent = (event) => {
      if (event.type === type && !done) {
        done = true;
        act(session, control);
      }
    };
  };
const conflicting = (): ArkAgentError => ArkAgentError.of(ErrorCode.stateConflict, 'not about this session');

const aborts: Array<[string, (error?: ArkAgentError) => HookSlots]> = [
  ['beforeRun', (error) => ({ beforeRun: async () => BeforeRunHookResult.abort('no', error) })],
  ['beforeModelCall', (error) => ({ beforeModelCall: async () => ModelCallHookResult.abort('no', error) })],
  ['onModelChunk', (error) => ({ onModelChunk: async () => ModelChunkHookResult.abort('no', error) })],
  ['afterModelCall', (error) => ({ afterModelCall: async () => ModelResponseHookResult.abort('no', error) })],
  ['beforeToolCall', (error) => ({ beforeToolCall: async () => ToolCallHookResult.abort('no', error) })],
  ['afterToolCall', (error) => ({ afterToolCall: async () => ToolResultHookResult.abort('no', error) })],
  ['onTurnCompletion', (error) => ({ onTurnCompletion: async () => TurnCompletionHookResult.abort('no', error) })],
  ...['after_user_input', 'after_model_text', 'after_tool_batch', 'tool_effect', 'terminal'].map((reason): [string, (error?: ArkAgentError) => HookSlots] =>
    [`beforePersistState ${reason}`, (error) => ({
      beforePersistState: async (context) => context.reason === reason ? StatePersistenceHookResult.abort('no', error) : StatePersistenceHookResult.proceed(),
    })]),
];
const throwing: HookSlots[] = [
  { beforeRun: async () => { throw new Error('x'); } }, { beforeModelCall: () => { throw new Error('x'); } }, { onModelChunk: async () => { throw new Error('x'); } },
  { afterModelCall: async () => 1 as never }, { beforeToolCall: async () => { throw new Error('x'); } }, { afterToolCall: async () => undefined as never },
  { onTurnCompletion: async () => { throw new Error('x'); } }, { beforePersistState: async () => { throw new Error('x'); } },
];

const failing = (reason: string, marks = true) => (): WatchedStorage => new WatchedStorage(
  (wanted) => wanted === reason ? ArkAgentError.of(ErrorCode.stateSaveFailed, 'disk full') : undefined, undefined,
  marks ? undefined : () => ArkAgentError.of(ErrorCode.stateSaveFailed, 'still full'));

export const WAYS: Way[] = [
  { name: 'complete', end: 'complete -' },
  { name: 'tool_stop', end: 'tool_stop -', provider: () => [calls(call('c1', 'stop'))] },
  { name: 'hook_stop', end: 'hook_stop -', slots: { afterToolCall: async (context) => ToolResultHookResult.stop(context.result) } },
  { name: 'loop', end: 'loop_detected loop_detected', provider: looping },
  { name: 'max_turns', end: 'max_turns max_turns_reached', limits: { maxTurns: 1 } },
  { name: 'history too large', end: 'error history_too_large', limits: { maxHistoryMessages: 2 } },
  { name: 'awaiting approval', end: 'awaiting_approval -', provider: () => [calls(call('c1', 'pay'))], asks: true },
  ...aborts.map(([name, slots]): Way => ({ name: `abort in ${name}`, end: 'aborted hook_abort', slots: slots() })),
  ...aborts.map(([name, slots]): Way => ({ name: `abort in ${name} with a code of its own`, end: 'aborted state_conflict', slots: slots(conflicting()) })),
  ...throwing.map((slots): Way => ({ name: `a fault in ${Object.keys(slots)[0]}`, end: 'aborted hook_failed', slots })),
  { name: 'awaiting approval, abort of the save', end: 'aborted hook_abort', provider: () => [calls(call('c1', 'pay'))],
    slots: { beforePersistState: async (context) => context.reason === 'awaiting_approval' ? StatePersistenceHookResult.abort('no') : StatePersistenceHookResult.proceed() } },
  { name: 'provider error', end: 'error provider_rate_limited', provider: () => [(observer) => observer.onError(ArkAgentError.of(ErrorCode.providerRateLimited, 'slow'))] },
  { name: 'provider error that looks like a conflict', end: 'error state_conflict', provider: () => [(observer) => observer.onError(conflicting())] },
  { name: 'provider throws', end: 'error provider_failed', provider: () => [() => { throw new Error('bad'); }] },
  { name: 'provider throws a non-error', end: 'error provider_failed', provider: () => [() => { throw 'bad'; }] },
  { name: 'provider completes with nothing', end: 'error provider_protocol', provider: () => [(observer) => observer.onComplete()] },
  { name: 'cut answer', end: 'error provider_output_truncated', provider: () => [answers(new ModelResponse({ text: 'a', finishReason: FinishReason.length }), 'a')] },
  { name: 'empty twice', end: 'error provider_empty_response', provider: () => [answers(ModelResponse.text(''))] },
  ...[AgentEventType.runStarted, AgentEventType.modelStarted, AgentEventType.toolCallStarted, AgentEventType.toolCallFinished, AgentEventType.textDelta].flatMap((type): Way[] => [
    { name: `signal at ${type}`, end: 'cancelled -', act: on(type, (_session, control) => control.cancel('stop it')) },
    { name: `cancel at ${type}`, end: 'cancelled -', act: on(type, (session) => { void session.runtime.cancel('stop it'); }) },
  ]),
  ...[AgentEventType.runStarted, AgentEventType.modelStarted, AgentEventType.toolCallStarted, AgentEventType.toolCallFinished].map((type): Way => (
    { name: `suspend at ${type}`, end: 'suspended -', act: on(type, (session) => { void session.runtime.suspend('background'); }) })),
  { name: 'cancelled before it starts', end: 'cancelled -', act: (_session, control) => { control.cancel('early'); } },
  { name: 'terminal save fails', end: 'error state_save_failed', storage: failing('terminal'), unsaved: true },
  { name: 'terminal save and mark fail', end: 'error state_save_failed', storage: failing('terminal', false), unsaved: true },
  { name: 'question cannot be saved', end: 'error state_save_failed', storage: failing('awaiting_approval'), provider: () => [calls(call('c1', 'pay'))] },
  { name: 'start of an effect cannot be saved', end: 'error state_save_failed', storage: failing('tool_effect') },
  { name: 'another owner', end: 'error state_conflict', unsaved: true,
    storage: () => new WatchedStorage((reason) => reason === 'after_model_text' ? ArkAgentError.of(ErrorCode.stateConflict, 'other') : undefined) },
];

async function runWay(way: Way, extra: AgentHook[] = []): Promise<Session> {
  const tools = new Tools().add('look').add('stop', { run: () => new ToolResult([], false, true) }).add('pay', { risk: dangerous }).add('write', { risk: sensitive });
  const provider = new FunctionProvider(...(way.provider ?? working)());
  const session = await Session.open({
    provider, toolRegistry: tools.registry, limits: way.limits, hooks: [...extra, hook('way', way.slots ?? {}, way.hookOptions)],
    approvalPolicy: new OnlyDangerousAsks(),
  }, way.storage?.());
  const control = new CancellationController();
  way.act?.(session, control);
  const keep = session.observer.onEvent;
  const pending = session.run('hi', control.signal);
  session.observer.onEvent = keep;
  await session.finish(pending);
  return session;
}

describe('endings', () => {
  it.each(WAYS.map((way) => [way.name, way] as const))('HOOK-07 afterRun fires exactly once: %s', async (_name, way) => {
    const session = await runWay(way);
    expect(session.afterRuns, session.log.join('\n')).toEqual([`0 ${way.end}`]);
    expect(session.problems()).toEqual([]);
    const ends = session.busTypes().filter((type) => /^agent\.(success|failed|cancelled|suspended)$/.test(type));
    expect(ends).toHaveLength(1);
    const stored = session.storage.last;
    if (way.unsaved !== true) {
      expect(stored?.run?.stopReason).toBe(way.end.split(' ')[0]);
      expect(session.storage.reasons.filter((reason) => reason === 'terminal').length).toBe(/^(awaiting|suspended)/.test(way.end) ? 0 : 1);
    }
    expect(session.log.at(-1)).toMatch(/^obs on(Error|Complete)/);
    expect(session.log.at(-2)).toBe('afterRun');
  });

  it('HOOK-07 afterRun fires once per segment, whatever the hooks skip or throw in the observing slots', async () => {
    await fc.assert(fc.asyncProperty(fc.constantFrom(...WAYS), fc.boolean(), fc.boolean(), async (way, skips, throwsAfter) => {
      const extra: AgentHook[] = [hook('noise', {
        ...(skips ? { beforePersistState: async () => StatePersistenceHookResult.skip() } : {}),
        ...(throwsAfter ? { afterPersistState: async () => { throw new Error('observing'); }, afterRun: async () => { throw new Error('observing'); } } : {}),
      })];
      // A skip ends the chain of an ordinary save, so that neither a later hook nor the storage sees it.
      if (skips && /beforePersistState after|fault in beforePersist|another owner/.test(way.name)) return;
      const session = await runWay(way, extra);
      expect(session.afterRuns).toEqual([`0 ${way.end}`]);
      expect(session.problems()).toEqual([]);
    }), { numRuns: 150 });
  });
});
