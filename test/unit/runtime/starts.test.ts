import { describe, expect, it } from 'vitest';
import type { CallGates } from '@core/execution/prepare/CallGates';
import { PreparedVerdict } from '@core/execution/prepare/PreparedCall';
import { JsonObject } from '@core/json/JsonObject';
import { AgentMessage, MessageRole } from '@core/message/AgentMessage';
import { LateArrivals } from '@core/runtime/batch/LateArrivals';
import { StartChecks } from '@core/runtime/batch/StartChecks';
import { type Machine, MachineKey, SealedMachine } from '@core/runtime/SealedMachine';
import { CallLedger } from '@core/runtime/ledger/CallLedger';
import { HistoryKeeper } from '@core/runtime/ledger/HistoryKeeper';
import { LateResults } from '@core/runtime/ledger/LateResults';
import { UnknownEffects } from '@core/runtime/ledger/UnknownEffects';
import type { RunReporter } from '@core/runtime/report/RunReporter';
import type { RunContext } from '@core/runtime/segment/RunContext';
import { EffectiveClock } from '@core/runtime/store/EffectiveClock';
import { SessionStore } from '@core/runtime/store/SessionStore';
import { StatePersister } from '@core/runtime/store/StatePersister';
import { StoreSlices } from '@core/runtime/store/StoreSlices';
import { AgentState } from '@core/state/AgentState';
import { CallResult } from '@core/state/CallResult';
import { InMemoryStateStorage } from '@core/state/InMemoryStateStorage';
import { CallStatus, CloseReason, type OpenCall } from '@core/state/OpenCall';
import { OpenBatch } from '@core/state/OpenBatch';
import { CountingIdGenerator } from '@core/testing/CountingIdGenerator';
import { ManualClock } from '@core/testing/ManualClock';
import { ManualScheduler } from '@core/testing/ManualScheduler';
import { TestDigest } from '@core/testing/TestDigest';
import type { RegisteredTool } from '@core/tool/RegisteredTool';
import { ToolResult } from '@core/tool/ToolResult';
import { ToolCallStatus } from '@core/tool/ToolResultEnvelope';
import { pipelineOf } from '../hook/support';
import { call, effectful, open, prepared, tool, work } from './support';

const answer = CallResult.of(ToolCallStatus.ok, '', ToolResult.text('after all'), 0);

describe('what is looked at once more just before a call starts', () => {
  const shown = tool('pay', { ...effectful, queueTimeoutMs: 500 });
  const own = prepared(1, { tool: shown, verdict: PreparedVerdict.allowed });
  function checks(now: RegisteredTool | undefined, calls: OpenCall[]): { checks: StartChecks; wait: (ms: number) => void; at: (position: number) => string } {
    const scheduler = new ManualScheduler();
    scheduler.advance(10_000);
    const job = work(calls, calls.map(() => own));
    const one = new StartChecks({ find: () => now } as unknown as CallGates, new CallLedger(new TestDigest()), scheduler, job);
    const at = (position: number): string => `${job.at(position).status} ${job.at(position).reason ?? '-'}`;
    return { checks: one, wait: (ms) => { scheduler.advance(ms); }, at };
  }
  const ready = (): OpenCall[] => [open(0, CallStatus.planned), open(1, CallStatus.planned)];

  it('queueTimeoutMs counts from the beginning of the batch, and is not over before it is passed', () => {
    const calls = ready();
    const { checks: one, wait, at } = checks(shown, calls);
    wait(500);
    expect([one.holds(calls[1], own), one.refuse(calls[1], own), at(1)]).toEqual([true, false, 'planned -']);
    wait(1);
    expect([one.holds(calls[1], own), one.refuse(calls[1], own), at(1), at(0)]).toEqual([false, true, 'rejected tool_timeout', 'planned -']);
  });

  it('DEC-39 behind a tool that changed nothing starts; what came before or has its answer stays', () => {
    const calls = [open(0, CallStatus.planned), open(1, CallStatus.planned), open(2, CallStatus.rejected, { reason: 'tool_denied', result: answer }), open(3, CallStatus.allowed)];
    const changed = checks(undefined, calls);
    expect([changed.checks.holds(calls[1], own), changed.checks.refuse(calls[1], own)]).toEqual([false, true]);
    expect([0, 1, 2, 3].map((position) => changed.at(position))).toEqual(['planned -', `closed ${CloseReason.toolChanged}`, 'rejected tool_denied', `closed ${CloseReason.notExecuted}`]);
    const again = checks(tool('pay', { ...effectful, queueTimeoutMs: 500 }), ready());
    expect(again.checks.holds(calls[1], own), 'registered anew as it was').toBe(true);
  });
});

class Desk {
  readonly clock = new EffectiveClock(new ManualClock(1));
  readonly store = new SessionStore(new InMemoryStateStorage(), new CountingIdGenerator('w'), this.clock, AgentState.fresh('s', new JsonObject(), 1));
  readonly results = new LateResults(new StoreSlices(this.store));
  readonly effects = new UnknownEffects(new StoreSlices(this.store));
  readonly kept = (): string[] => this.results.list().map((one) => `${one.batchId} ${one.callId} ${one.tell}`);
}

describe('S9 what a call answers after it was given up', () => {
  it('never gets into the journal of another batch', async () => {
    const desk = new Desk();
    const job = work([open(0, CallStatus.unknown, { digest: 'd' })], [undefined]);
    const other = new OpenBatch({ ...job.toOpenBatch(), batchId: 'another', calls: [open(0, CallStatus.planned)] });
    desk.store.draft.openBatch = other;
    const reporter = { audit: { inBatch: () => ({ note: () => undefined }) }, persisted: () => undefined, diagnostics: () => undefined } as unknown as RunReporter;
    const arrivals = new LateArrivals({ store: desk.store, persister: new StatePersister(desk.store, pipelineOf()), results: desk.results, effects: desk.effects, state: desk.store.snapshot().snapshot(), reporterFor: () => reporter });
    arrivals.hearingFor({ runId: 'r', over: false, cancelled: false } as unknown as RunContext, job).arrived(0, answer);
    for (let i = 0; i < 20; i++) await Promise.resolve();
    expect([desk.store.draft.openBatch?.calls[0].lateResult, desk.kept()]).toEqual([undefined, ['b c0 true']]);
  });

  it('while its batch went on, is told to the model when the batch is complete', () => {
    const desk = new Desk();
    const keeper = new HistoryKeeper(desk.store, desk.clock, desk.effects, desk.results);
    keeper.append(new AgentMessage({ role: MessageRole.assistant, id: 'm', toolCalls: [call(0)] }));
    keeper.completeBatch(work([open(0, CallStatus.unknown, { digest: 'd', result: answer, lateResult: answer })], [undefined]), { windowSize: 3, of: () => 'c' } as never);
    expect(desk.kept()).toEqual(['b c0 true']);
  });
});

describe('the machine of a session', () => {
  it('opens for the key of the runtime only', () => {
    const machine = {} as Machine;
    const sealed = new SealedMachine(machine);
    expect(sealed.open(new MachineKey())).toBe(machine);
    expect(() => sealed.open({} as MachineKey)).toThrow('a machine opens for its runtime only');
  });
});
