import { describe, expect, it } from 'vitest';
import { GrantScope } from '@core/approval/ApprovalGrant';
import { ApprovalDecision, ApprovalKind } from '@core/approval/ApprovalModes';
import { PendingApprovalItem } from '@core/approval/PendingApprovalItem';
import { PlanReviewDecision, type PlanReviewDecisionResult } from '@core/approval/PlanReview';
import { CancellationController } from '@core/base/Cancellation';
import { FlowController } from '@core/base/FlowControl';
import type { CallGates } from '@core/execution/prepare/CallGates';
import type { AgentHook } from '@core/hook/AgentHook';
import { ForbiddenTextFilter } from '@core/hook/filter/ForbiddenTextFilter';
import { ModelChunkHookResult } from '@core/hook/result/ModelChunkHookResult';
import { StatePersistenceHookResult } from '@core/hook/result/StatePersistenceHookResult';
import { JsonObject } from '@core/json/JsonObject';
import { JsonValue } from '@core/json/JsonValue';
import { ModelResponse } from '@core/model/ModelResponse';
import { StreamingEvent } from '@core/model/StreamingEvent';
import { ToolDefinition, ToolRiskLevel } from '@core/model/ToolDefinition';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import { BatchJournal } from '@core/runtime/batch/BatchJournal';
import { HookLane } from '@core/runtime/batch/HookLane';
import { ConsentBooks } from '@core/runtime/consent/ConsentBooks';
import { PlanReceipts } from '@core/runtime/consent/PlanReceipts';
import { CallLedger } from '@core/runtime/ledger/CallLedger';
import { type CollectedStream, ModelStreamCollector } from '@core/runtime/model/ModelStreamCollector';
import { VisibleTools } from '@core/runtime/model/VisibleTools';
import type { RunContext } from '@core/runtime/segment/RunContext';
import type { SessionRedaction } from '@core/runtime/session/SessionRedaction';
import { EffectiveClock } from '@core/runtime/store/EffectiveClock';
import { SessionStore } from '@core/runtime/store/SessionStore';
import { PersistAction, PersistVerdict, type StatePersister } from '@core/runtime/store/StatePersister';
import { StoreSlices } from '@core/runtime/store/StoreSlices';
import { AgentState } from '@core/state/AgentState';
import { CallResult } from '@core/state/CallResult';
import { InMemoryStateStorage } from '@core/state/InMemoryStateStorage';
import { CallStatus } from '@core/state/OpenCall';
import { PersistReason } from '@core/state/PersistReason';
import { StateSlice } from '@core/state/StateSlice';
import { CountingIdGenerator } from '@core/testing/CountingIdGenerator';
import { ManualClock } from '@core/testing/ManualClock';
import { RecordingTool } from '@core/testing/RecordingTool';
import { TestDigest } from '@core/testing/TestDigest';
import { ToolEffect } from '@core/tool/ToolContract';
import { ToolCallStatus } from '@core/tool/ToolResultEnvelope';
import { ToolRegistry } from '@core/tool/ToolRegistry';
import { ToolResult } from '@core/tool/ToolResult';
import { ToolSelection } from '@core/tool/ToolSelector';
import { Office, handIn } from '../../scenario/plan/office';
import { settle } from '../../scenario/run/harness';
import type { Process } from '../../support/Process';
import { World } from '../../support/World';
import { chunkContext, hook, pipelineOf, state } from '../hook/support';
import { call, json, open, prepared, work } from './support';

const text = (value: string): StreamingEvent => StreamingEvent.textDelta(value);
const why = (value: string): StreamingEvent => StreamingEvent.reasoningDelta(value);
const tick = async (): Promise<void> => { for (let i = 0; i < 30; i++) await Promise.resolve(); };
const newStore = (): SessionStore => new SessionStore(new InMemoryStateStorage(), new CountingIdGenerator('i'), new EffectiveClock(new ManualClock(1000)), AgentState.fresh('s', new JsonObject(), 1));

function streamUnder(one: AgentHook, redaction?: SessionRedaction): { collector: ModelStreamCollector; shown: string[]; ends: CollectedStream[]; flow: FlowController; source: CancellationController } {
  const [shown, ends, flow, source] = [[] as string[], [] as CollectedStream[], new FlowController(), new CancellationController()];
  const reporter = { textDelta: (value: string) => shown.push(value), reasoningDelta: (value: string) => shown.push(value), diagnostics: () => undefined };
  const collector = new ModelStreamCollector({ sessionId: 's', state, reporter } as unknown as RunContext, pipelineOf(one), 1e9, source, (stream) => ends.push(stream), flow, redaction);
  return { collector, shown, ends, flow, source };
}

describe('a filter for words', () => {
  it('finds a word in any case unless it is told not to', async () => {
    const said = async (ignoreCase?: boolean): Promise<string> => (await ForbiddenTextFilter.of({ words: ['abc'], ignoreCase }).value.onModelChunk(chunkContext('x ABC', '', true))).text;
    expect([await said(), await said(true), await said(false)]).toEqual(['x ***', 'x ***', 'x ABC']);
  });
});

describe('a stream under a hook', () => {
  it('asks it about no piece that is empty, also not for an answer that comes whole with one side only', async () => {
    const seen: string[] = [];
    const noting = hook('n', { onModelChunk: async (context) => { seen.push(`${context.text}/${context.reasoning}/${context.final}`); return ModelChunkHookResult.proceed(context.text, context.reasoning); } });
    streamUnder(noting).collector.onNext(text(''));
    streamUnder(noting).collector.onNext(StreamingEvent.modelComplete(new ModelResponse({ text: 't' })));
    streamUnder(noting).collector.onNext(StreamingEvent.modelComplete(new ModelResponse({ reasoning: 'r' })));
    await tick();
    expect(seen).toEqual(['t//false', '/r/false']);
  });

  it('an abort shows nothing of what the masks held back', async () => {
    const redaction = { chunkFilter: () => ({ push: (): string => '', flush: (): string => 'held' }) } as unknown as SessionRedaction;
    const one = streamUnder(hook('p', { onModelChunk: async (context) => (context.text === 'stop' ? ModelChunkHookResult.abort('why') : ModelChunkHookResult.proceed(context.text, context.reasoning)) }), redaction);
    one.collector.onNext(text('a'));
    one.collector.onNext(text('stop'));
    await tick();
    expect([one.ends.length, one.ends[0]?.text, one.shown]).toEqual([1, '', []]);
  });

  it('STR-04 a source goes on when just a quarter is left', async () => {
    const waiting: Array<() => void> = [];
    const one = streamUnder(hook('slow', { onModelChunk: (context) => new Promise((resolve) => waiting.push(() => resolve(ModelChunkHookResult.proceed(context.text, context.reasoning)))) }));
    for (const size of [1, 48 * 1024 + 1, 16 * 1024]) one.collector.onNext(text('x'.repeat(size)));
    waiting.shift()?.();
    await tick();
    expect(one.flow.signal.paused).toBe(true);
    waiting.shift()?.();
    await tick();
    expect(one.flow.signal.paused).toBe(false);
  });

  it('STR-04 no more than 64 thousand pieces of a source that cannot stop wait for a hook', () => {
    const one = streamUnder(hook('stuck', { onModelChunk: () => new Promise(() => undefined) }));
    for (let i = 0; i <= 64 * 1024; i++) one.collector.onNext(i % 2 === 0 ? text('x') : why('y'));
    expect(one.source.signal.cancelled, 'one of them is with the hook').toBe(false);
    one.collector.onNext(why('y'));
    expect(one.source.signal.cancelled).toBe(true);
  });
});

describe('DEC-39 what the model sees under several selectors', () => {
  const registry = new ToolRegistry();
  for (const name of ['a', 'b']) registry.register(new ToolDefinition(name, 'd', json('{"type":"object"}'), ToolRiskLevel.safe), new RecordingTool());
  const gates = { find: () => undefined } as unknown as CallGates;

  it('is looked at again when one answer of two is another one', () => {
    const all = new ToolSelection(registry.list(), []);
    let second = all;
    const visible = new VisibleTools(registry, gates, [{ select: () => all }, { select: () => second }]);
    expect(visible.select().visible.length).toBe(2);
    second = new ToolSelection([], []);
    expect(visible.select().visible.length).toBe(0);
  });

  it('each tool is hidden for its own reason', () => {
    const hidden = [{ name: 'a', reason: 'not now' }, { name: 'b', reason: 'not here' }];
    expect(new VisibleTools(registry, gates, [{ select: () => new ToolSelection([], hidden) }]).select().hidden).toEqual(hidden);
  });
});

describe('what is remembered', () => {
  it('DEC-49 an entry about a plan that cannot be read is not the newest one', () => {
    const slices = new StoreSlices(newStore());
    const known = new JsonObject().setString('reviewId', 'p').setString('runId', 'r').setString('action', 'approve');
    slices.putSlice(PlanReceipts.SLICE, new StateSlice(1, new JsonObject().setArray('receipts', [known, new JsonObject().setString('runId', 'r')].map((one) => JsonValue.object(one)))));
    expect(new PlanReceipts(slices, new TestDigest()).find(undefined, 'r')?.reviewId).toBe('p');
  });

  it('DEC-46 a call that its grant did not let through gives no use of it back', () => {
    const books = new ConsentBooks(newStore(), new EffectiveClock(new ManualClock(1000)), new CountingIdGenerator('g'), new CallLedger(new TestDigest()), { allowDangerous: true });
    const asked = new PendingApprovalItem({
      approvalId: 'b:0:0', position: 0, round: 0, kind: ApprovalKind.call, toolCall: call(0), riskLevel: ToolRiskLevel.sensitive, effect: ToolEffect.reversible, reason: '', createdAtMs: 1, decision: ApprovalDecision.approved, warnings: [], origin: [], digest: 'd', definitionHash: 'h',
    });
    const grantId = books.grants.add(asked, { scope: GrantScope.tool, uses: 1 }, 'ada');
    const start = (): (() => void) => books.starting(prepared(0, { grantId }), open(0, CallStatus.planned));
    start();
    start()();
    expect(books.grants.find(grantId), 'it is used up').toBeUndefined();
  });
});

describe('a session that is opened and closed', () => {
  it('lets its storage go', async () => {
    const one = await new World().open();
    let closed = 0;
    one.storage.close = async () => { closed++; };
    await one.runtime.close();
    expect(closed).toBe(1);
  });
});

describe('an observer that is attached while the end of a run is only being told', () => {
  async function decided(leave: (one: Process, detach: () => void) => void): Promise<number> {
    const world = new World();
    world.dangerous('pay');
    let release: () => void = () => undefined;
    const told = new Promise<void>((resolve) => { release = resolve; });
    const one = await world.open({ turns: [ScriptedTurn.call('c1', 'pay', '{}')], config: { hooks: [hook('slow', { afterRun: () => told })] } });
    const said = one.say('go');
    await settle();
    const observer = one.log.observer();
    const detach = one.runtime.attach(observer);
    await one.approveAll();
    leave(one, detach);
    release();
    await said;
    await settle();
    return observer.completions;
  }

  it('DEC-18 gets the run that a decision continues, unless the app has left or the observer is gone by then', async () => {
    expect([await decided(() => undefined), await decided((one) => { void one.runtime.suspend('left'); }), await decided((_one, detach) => detach())]).toEqual([1, 0, 0]);
  });
});

describe('an observer that is attached while a decision about a plan is being stored', () => {
  it('DEC-18 hears nothing when a hook refuses that decision and the one before it', async () => {
    const refusing = hook('no', {
      beforePersistState: async (context) => {
        await tick();
        return context.reason === PersistReason.approvalDecision ? StatePersistenceHookResult.abort('not now') : StatePersistenceHookResult.proceed();
      },
    });
    const { process: one } = await new Office().open({ turns: [handIn()] }, undefined, [refusing]);
    await one.say('go');
    const observer = one.log.observer();
    one.runtime.attach(observer);
    const decide = (): Promise<PlanReviewDecisionResult> => one.runtime.applyPlanReviewDecision(PlanReviewDecision.approve());
    const both = await Promise.all([decide(), decide()]);
    await settle();
    expect([both.map((result) => result.error?.code), observer.errors.map((error) => error.code), observer.completions]).toEqual([['hook_abort', 'hook_abort'], [], 0]);
  });
});

describe('the journal of a batch', () => {
  it('an answer that could not be stored is not written a second time; one that a hook refused is, as it has happened', async () => {
    const ended = async (action: PersistAction): Promise<string> => {
      let written = 0;
      const persister = { persist: async () => new PersistVerdict(action), write: async () => { written++; return new PersistVerdict(PersistAction.stored); } } as unknown as StatePersister;
      const journal = new BatchJournal({} as unknown as RunContext, work([open(0, CallStatus.started, { startedAtMs: 1 })], [prepared(0)]), newStore(), persister, new HookLane(), () => true);
      return `${(await journal.finished(0, CallResult.of(ToolCallStatus.ok, '', ToolResult.text('x'), 0))).action} ${written}`;
    };
    expect([await ended(PersistAction.failed), await ended(PersistAction.aborted)]).toEqual(['failed 0', 'abort 1']);
  });
});
