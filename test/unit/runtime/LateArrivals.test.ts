import { describe, expect, it } from 'vitest';
import { RunAudit } from '@core/execution/audit/RunAudit';
import { JsonObject } from '@core/json/JsonObject';
import type { AuditRecord } from '@core/port/AuditSink';
import type { BatchWork } from '@core/runtime/ledger/BatchWork';
import { EffectiveClock } from '@core/runtime/store/EffectiveClock';
import { LateArrivals } from '@core/runtime/batch/LateArrivals';
import { LateResults } from '@core/runtime/ledger/LateResults';
import type { RunContext } from '@core/runtime/segment/RunContext';
import type { RunReporter } from '@core/runtime/report/RunReporter';
import { SessionStore } from '@core/runtime/store/SessionStore';
import { StatePersister } from '@core/runtime/store/StatePersister';
import { StoreSlices } from '@core/runtime/store/StoreSlices';
import { UnknownEffects } from '@core/runtime/ledger/UnknownEffects';
import { AgentState } from '@core/state/AgentState';
import { AgentStopReason } from '@core/state/AgentStopReason';
import { CallResult } from '@core/state/CallResult';
import { InMemoryStateStorage } from '@core/state/InMemoryStateStorage';
import { CallStatus } from '@core/state/OpenCall';
import { RunRecord, RunStatus } from '@core/state/RunRecord';
import { CountingIdGenerator } from '@core/testing/CountingIdGenerator';
import { ManualClock } from '@core/testing/ManualClock';
import { ToolResult } from '@core/tool/ToolResult';
import { ToolCallStatus } from '@core/tool/ToolResultEnvelope';
import { pipelineOf } from '../hook/support';
import { open, work } from './support';

const late = CallResult.of(ToolCallStatus.ok, '', ToolResult.text('after all'), 0);
const tick = async (): Promise<void> => { for (let i = 0; i < 20; i++) await Promise.resolve(); };
const started = (): BatchWork => work([open(0, CallStatus.unknown, { digest: 'd' })], [undefined]);

class Desk {
  readonly disk = new InMemoryStateStorage();
  readonly store = new SessionStore(this.disk, new CountingIdGenerator('w'), new EffectiveClock(new ManualClock(1)), AgentState.fresh('s', new JsonObject(), 1));
  readonly results = new LateResults(new StoreSlices(this.store));
  readonly effects = new UnknownEffects(new StoreSlices(this.store));
  readonly records: string[] = [];
  readonly arrivals: LateArrivals;

  constructor() {
    const audit = new RunAudit({ record: (entry: AuditRecord) => { this.records.push(`${entry.batchId} ${entry.callId} ${entry.step} ${entry.decider} ${entry.decision}`); } }, new ManualClock(1), 's', 'r');
    const reporter = { audit, persisted: () => undefined, diagnostics: () => undefined } as unknown as RunReporter;
    this.arrivals = new LateArrivals({ store: this.store, persister: new StatePersister(this.store, pipelineOf()), results: this.results, effects: this.effects, state: this.store.snapshot().snapshot(), reporterFor: () => reporter });
    this.effects.begun({ batchId: 'b', position: 0, toolName: 'pay', digest: 'd' });
  }

  context(over: { batch?: BatchWork; over?: boolean; cancelled?: boolean; runId?: string } = {}): RunContext {
    return { runId: 'r', over: false, cancelled: false, ...over } as unknown as RunContext;
  }

  async arrive(context: RunContext, of = started()): Promise<BatchWork> {
    this.arrivals.hearingFor(context, of).arrived(0, late);
    await tick();
    return of;
  }

  get kept(): string[] {
    return this.results.list().map((one) => `${one.batchId} ${one.callId} ${one.toolName} ${one.text} ${one.tell}`);
  }

  /** [journal on the disk, open effects, revision] */
  async stored(): Promise<unknown[]> {
    const state = (await this.disk.load('s')).value;
    return [state?.openBatch?.calls[0].lateResult?.status, this.effects.list().length, this.store.revision];
  }
}

describe('S9 what a call answers after it was given up', () => {
  it('goes into the journal of the batch that a segment works on, on the disk and in its hands', async () => {
    const desk = new Desk();
    const job = started();
    desk.store.draft.openBatch = job.toOpenBatch();
    desk.arrivals.follow(desk.context({ batch: job }));
    await desk.arrive(desk.context(), job);
    expect([job.at(0).lateResult?.status, await desk.stored(), desk.kept, desk.records]).toEqual(['ok', ['ok', 0, 1], [], ['b c0 late tool ok']]);
  });

  it('goes into the journal of a batch that nobody works on', async () => {
    for (const active of [undefined, { over: true }, { batch: { batchId: 'another' } as BatchWork }]) {
      const desk = new Desk();
      const job = started();
      desk.store.draft.openBatch = job.toOpenBatch();
      if (active !== undefined) desk.arrivals.follow(desk.context(active));
      await desk.arrive(desk.context(), job);
      expect([job.at(0).lateResult, await desk.stored(), desk.kept]).toEqual([undefined, ['ok', 0, 1], []]);
    }
  });

  it('is in the hands of a segment whose batch was not stored yet, and goes with its next commit', async () => {
    const desk = new Desk();
    const job = started();
    desk.arrivals.follow(desk.context({ batch: job }));
    await desk.arrive(desk.context(), job);
    expect([job.at(0).lateResult?.status, await desk.stored(), desk.kept, desk.records]).toEqual(['ok', [undefined, 1, 0], [], []]);
  });

  it('is kept for the model when its batch is closed, also when another one is open or the segment is over', async () => {
    const desk = new Desk();
    await desk.arrive(desk.context());
    expect([desk.kept, (await desk.stored()).slice(1)]).toEqual([['b c0 pay after all true'], [0, 1]]);
    const over = new Desk();
    const job = started();
    over.arrivals.follow(over.context({ batch: job, over: true }));
    await over.arrive(over.context(), job);
    expect([over.kept.length, job.at(0).lateResult]).toEqual([1, undefined]);
  });

  it('DEC-36 after a cancel it is only recorded', async () => {
    const told = async (context: Parameters<Desk['context']>[0], run: RunRecord | undefined): Promise<boolean> => {
      const desk = new Desk();
      desk.store.draft.run = run;
      await desk.arrive(desk.context(context));
      return desk.results.list()[0].tell;
    };
    const ended = (stopReason: AgentStopReason, runId = 'r'): RunRecord => new RunRecord({ runId, status: RunStatus.finished, segment: 0, turn: 1, stopReason });
    expect([await told({ cancelled: true }, undefined), await told({}, ended(AgentStopReason.cancelled))]).toEqual([false, false]);
    expect([await told({}, undefined), await told({}, ended(AgentStopReason.complete)), await told({}, ended(AgentStopReason.cancelled, 'another'))]).toEqual([true, true, true]);
  });

  it('is for nobody when the session is closed or takes no more work', async () => {
    const closed = new Desk();
    const hearing = closed.arrivals.hearingFor(closed.context(), started());
    expect(hearing.isClosed()).toBe(false);
    closed.arrivals.stop();
    hearing.arrived(0, late);
    await tick();
    expect([hearing.isClosed(), closed.kept, closed.store.revision]).toEqual([true, [], 0]);
    const lost = new Desk();
    lost.store.draft.resumable = false;
    await lost.arrive(lost.context());
    expect([lost.kept, lost.store.revision]).toEqual([[], 0]);
  });

  it('hooks are asked about one of them after another', async () => {
    const desk = new Desk();
    const hearing = desk.arrivals.hearingFor(desk.context(), started());
    const log: string[] = [];
    let go: () => void = () => undefined;
    const first = hearing.inTurn(() => { log.push('a'); return new Promise<CallResult>((resolve) => { go = () => resolve(late); }); });
    const second = hearing.inTurn(async () => { log.push('b'); return late; });
    await tick();
    expect(log).toEqual(['a']);
    go();
    expect([await first, await second, log]).toEqual([late, late, ['a', 'b']]);
  });
});
