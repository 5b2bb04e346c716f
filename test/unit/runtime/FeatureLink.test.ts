import { describe, expect, it } from 'vitest';
import { PendingPlanReview } from '@core/approval/PlanReview';
import { ApprovalScope, BatchDenyMode } from '@core/approval/ApprovalModes';
import type { WorkNote } from '@core/control/AgentFeature';
import { AgentController } from '@core/control/AgentController';
import { EventStamper } from '@core/control/event/EventStamp';
import { AgentCancelledEvent } from '@core/control/event/RunEvents';
import { RunAudit } from '@core/execution/audit/RunAudit';
import { JsonObject } from '@core/json/JsonObject';
import type { AuditRecord } from '@core/port/AuditSink';
import { EffectiveClock } from '@core/runtime/store/EffectiveClock';
import { FeatureLink } from '@core/runtime/session/FeatureLink';
import { LateResults } from '@core/runtime/ledger/LateResults';
import type { ResolvedConfig } from '@core/runtime/config/ResolvedConfig';
import type { RunReporter } from '@core/runtime/report/RunReporter';
import { SessionStore } from '@core/runtime/store/SessionStore';
import { StatePersister } from '@core/runtime/store/StatePersister';
import { StoreSlices } from '@core/runtime/store/StoreSlices';
import { UnknownEffects } from '@core/runtime/ledger/UnknownEffects';
import { AgentState } from '@core/state/AgentState';
import { CallResult } from '@core/state/CallResult';
import { InMemoryStateStorage } from '@core/state/InMemoryStateStorage';
import { OpenBatch } from '@core/state/OpenBatch';
import { CallStatus } from '@core/state/OpenCall';
import { RunRecord, RunStatus } from '@core/state/RunRecord';
import { StateSlice } from '@core/state/StateSlice';
import { CountingIdGenerator } from '@core/testing/CountingIdGenerator';
import { ManualClock } from '@core/testing/ManualClock';
import { ToolResult } from '@core/tool/ToolResult';
import { ToolCallStatus } from '@core/tool/ToolResultEnvelope';
import { pipelineOf } from '../hook/support';
import { open } from './support';

function desk(controlled = true): { link: FeatureLink; store: SessionStore; late: LateResults; effects: UnknownEffects; records: string[]; heard: string[]; disk: InMemoryStateStorage } {
  const disk = new InMemoryStateStorage();
  const clock = new EffectiveClock(new ManualClock(1000));
  const store = new SessionStore(disk, new CountingIdGenerator('w'), clock, AgentState.fresh('s', new JsonObject(), 1));
  const slices = new StoreSlices(store);
  const [late, effects] = [new LateResults(slices), new UnknownEffects(slices)];
  const records: string[] = [];
  const heard: string[] = [];
  const controller = new AgentController();
  controller.subscribeAll((event) => heard.push(`${event.eventType()} ${event.runId}`));
  const audit = new RunAudit({ record: (entry: AuditRecord) => { records.push(`${entry.callId} ${entry.tool} ${entry.step} ${entry.decider} ${entry.decision} ${entry.code}`); } }, new ManualClock(1), 's', 'r');
  const reporter = { audit, persisted: () => undefined, diagnostics: () => undefined } as unknown as RunReporter;
  const link = new FeatureLink({
    store, clock, ids: new CountingIdGenerator('p'), stamper: new EventStamper(clock, new CountingIdGenerator('e'), 's'), controller: controlled ? controller : undefined, config: { sessionId: 'config' } as unknown as ResolvedConfig,
    persister: new StatePersister(store, pipelineOf()), results: late, effects, scopeFor: () => ({ state: store.snapshot().snapshot(), reporter }),
  });
  return { link, store, late, effects, records, heard, disk };
}

const run = (runId: string): RunRecord => new RunRecord({ runId, status: RunStatus.running, segment: 0, turn: 1 });
const note = (result: CallResult | undefined): WorkNote => ({ batchId: 'b', position: 0, callId: 'c', toolName: 'pay', jobId: 'j', result });
const result = (status: ToolCallStatus, code = ''): CallResult => CallResult.of(status, code, ToolResult.text('said'), 0);

describe('the session as a feature sees it', () => {
  it('has slices, of which one can go without the others', () => {
    const { link, store } = desk();
    const before = store.draft.slices;
    link.putSlice('a', new StateSlice(1, new JsonObject()));
    link.putSlice('b', new StateSlice(2, new JsonObject()));
    link.putSlice('a', undefined);
    expect([link.getSlice('a'), link.getSlice('b')?.version, [...store.draft.slices.keys()], before.size]).toEqual([undefined, 2, ['b'], 0]);
  });

  it('knows its name, its configuration and the calls that are open', () => {
    const { link, store } = desk();
    expect([link.sessionId, link.config.sessionId, link.openCalls(), link.openBatchId]).toEqual(['s', 'config', [], '']);
    store.draft.openBatch = new OpenBatch({ batchId: 'b', runId: 'r', assistantMessageId: 'm', mode: BatchDenyMode.atomic, scope: ApprovalScope.flagged, visibleTools: [], calls: [open(0, CallStatus.planned)] });
    expect([link.openCalls().length, link.openBatchId]).toEqual([1, 'b']);
  });

  it('publishes in the name of the run, or of none', () => {
    const { link, store, heard } = desk();
    link.publish(new AgentCancelledEvent(link.stamp(), 'x'));
    store.draft.run = run('r1');
    link.publish(new AgentCancelledEvent(link.stamp(), 'x'));
    expect(heard).toEqual(['agent.cancelled ', 'agent.cancelled r1']);
    const alone = desk(false);
    expect(() => alone.link.publish(new AgentCancelledEvent(alone.link.stamp(), 'x'))).not.toThrow();
  });

  it('CTL-01 gives nobody the draft', () => {
    const { link } = desk();
    const sealed = (link as unknown as { sealed: { open(key: unknown): unknown } }).sealed;
    expect(() => sealed.open({ purpose: 'link' })).toThrow('a link opens for itself only');
  });
});

describe('the wish for a review of a plan', () => {
  const plan = (): JsonObject => new JsonObject().setString('goal', 'g');

  it('is one per run, is handed over once, and is a copy of the plan', () => {
    const { link, store } = desk();
    store.draft.run = run('r1');
    const given = plan();
    expect([link.pendingPlanReview(), link.requestPlanReview(given), link.requestPlanReview(plan())]).toEqual([undefined, true, false]);
    given.setString('goal', 'other');
    const wanted = link.pendingPlanReview();
    expect([wanted?.reviewId, wanted?.runId, wanted?.createdAtMs, wanted?.plan.getString('goal'), wanted?.plan.sealed]).toEqual(['p-1', 'r1', 1000, 'g', true]);
    expect([link.takeWantedReview() === wanted, link.takeWantedReview(), link.pendingPlanReview()]).toEqual([true, undefined, undefined]);
  });

  it('dies with its run', () => {
    const { link, store } = desk();
    store.draft.run = run('r1');
    link.requestPlanReview(plan());
    store.draft.run = run('r2');
    expect([link.pendingPlanReview(), link.takeWantedReview(), link.requestPlanReview(plan())]).toEqual([undefined, undefined, true]);
  });

  it('is refused while a plan waits', () => {
    const { link, store } = desk();
    store.draft.pendingPlanReview = new PendingPlanReview('known', 'r', new JsonObject().seal(), 1);
    expect([link.requestPlanReview(plan()), link.pendingPlanReview()?.reviewId]).toEqual([false, 'known']);
  });
});

describe('facts that a feature records', () => {
  it('are stored when they are recorded, and by nobody who is closed or takes no more work', async () => {
    const { link, store, disk } = desk();
    const put = (name: string) => (): void => link.putSlice(name, new StateSlice(1, new JsonObject()));
    await link.record(put('a'));
    expect((await disk.load('s')).value?.slices.has('a')).toBe(true);
    await link.record(() => { throw new Error('x'); });
    store.draft.resumable = false;
    await link.record(put('b'));
    store.draft.resumable = true;
    link.stop();
    await link.record(put('c'));
    expect([...store.draft.slices.keys()]).toEqual(['a']);
  });

  it.each<[string, CallResult | undefined, object, string[], number]>([
    ['an end that went well', result(ToolCallStatus.ok), { failed: false, text: 'said', lost: false, unknown: false }, ['c pay late tool ok '], 0],
    ['an end that went wrong', result(ToolCallStatus.failed, 'x'), { failed: true, text: 'said', lost: false, unknown: false }, ['c pay late tool failed x'], 0],
    ['an end that nobody knows', result(ToolCallStatus.unknown, 'y'), { failed: true, text: 'said', lost: false, unknown: true }, ['c pay late tool unknown y'], 1],
    ['work that was lost', undefined, { failed: false, text: '', lost: true, unknown: false }, [], 1],
  ])('%s is told later and recorded; what is known is settled', async (_name, ended, told, recorded, left) => {
    const { link, late, effects, records } = desk();
    effects.begun({ batchId: 'b', position: 0, toolName: 'pay', digest: 'd' });
    await link.record(() => link.tellLater(note(ended)));
    expect(JSON.parse(JSON.stringify(late.list()))).toMatchObject([{ batchId: 'b', position: 0, callId: 'c', toolName: 'pay', jobId: 'j', tell: true, failed: (told as { failed: boolean }).failed, text: (told as { text: string }).text }]);
    expect([late.list()[0].lost ?? false, late.list()[0].unknown ?? false, records, effects.list().length]).toEqual([(told as { lost: boolean }).lost, (told as { unknown: boolean }).unknown, recorded, left]);
  });

  it('outside of a record it is told later and recorded nowhere', () => {
    const { link, late, records } = desk();
    link.tellLater(note(result(ToolCallStatus.ok)));
    expect([late.list().length, records]).toEqual([1, []]);
  });
});
