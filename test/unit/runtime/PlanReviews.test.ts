import { describe, expect, it } from 'vitest';
import { PendingPlanReview, PlanReviewDecision, type PlanReviewDecisionResult } from '@core/approval/PlanReview';
import { ArkAgentError } from '@core/base/ArkAgentError';
import { ErrorCode } from '@core/base/ErrorCodes';
import { Result } from '@core/base/Result';
import type { AgentFeature } from '@core/control/AgentFeature';
import { JsonObject } from '@core/json/JsonObject';
import { AgentMessage } from '@core/message/AgentMessage';
import { EffectiveClock } from '@core/runtime/store/EffectiveClock';
import type { HistoryKeeper } from '@core/runtime/ledger/HistoryKeeper';
import { PlanReceipts } from '@core/runtime/consent/PlanReceipts';
import { PlanReviews } from '@core/runtime/consent/PlanReviews';
import type { RunReporter } from '@core/runtime/report/RunReporter';
import { SessionStore } from '@core/runtime/store/SessionStore';
import { StatePersister } from '@core/runtime/store/StatePersister';
import { StoreSlices } from '@core/runtime/store/StoreSlices';
import { AgentState } from '@core/state/AgentState';
import { AgentStopReason } from '@core/state/AgentStopReason';
import { InMemoryStateStorage } from '@core/state/InMemoryStateStorage';
import { PersistReason } from '@core/state/PersistReason';
import { RunRecord, RunStatus } from '@core/state/RunRecord';
import type { StateCommit } from '@core/state/StateCommit';
import { CountingIdGenerator } from '@core/testing/CountingIdGenerator';
import { ManualClock } from '@core/testing/ManualClock';
import { TestDigest } from '@core/testing/TestDigest';
import { pipelineOf } from '../hook/support';

const plan = (id = 'p1'): PendingPlanReview => new PendingPlanReview(id, 'r', new JsonObject().seal(), 1);
const running = new RunRecord({ runId: 'r', status: RunStatus.running, segment: 0, turn: 1 });
const waiting = running.ended(RunStatus.suspended, AgentStopReason.awaitingPlanReview);
type Answer = Result<ReadonlyArray<AgentMessage>, ArkAgentError> | undefined;

class Disk extends InMemoryStateStorage {
  readonly before: Array<'fail' | (() => Promise<void>)> = [];
  commits = 0;

  override async commit(commit: StateCommit): Promise<Result<number, ArkAgentError>> {
    this.commits++;
    const first = this.before.shift();
    if (first === 'fail') return Result.failure<number, ArkAgentError>(ArkAgentError.of(ErrorCode.stateSaveFailed, 'full'));
    await first?.();
    return super.commit(commit);
  }
}

class Desk {
  readonly store: SessionStore;
  readonly reviews: PlanReviews;
  /** What the features answer, in order. */
  answers: Answer[] = [Result.success<ReadonlyArray<AgentMessage>, ArkAgentError>([AgentMessage.user('go on')])];
  asked = 0;
  active = false;

  constructor(readonly disk = new Disk()) {
    const clock = new EffectiveClock(new ManualClock(1000));
    this.store = new SessionStore(disk, new CountingIdGenerator('i'), clock, AgentState.fresh('s', new JsonObject(), 1));
    const feature = (at: number): AgentFeature => ({ planDecided: () => { this.asked++; return this.answers[at]; } }) as unknown as AgentFeature;
    const reporter = { persisted: () => undefined, diagnostics: () => undefined } as unknown as RunReporter;
    this.reviews = new PlanReviews({
      store: this.store, persister: new StatePersister(this.store, pipelineOf()), keeper: { append: (message: AgentMessage) => this.store.append(message) } as unknown as HistoryKeeper,
      features: [feature(0), feature(1)], receipts: new PlanReceipts(new StoreSlices(this.store), new TestDigest()), state: this.store.snapshot().snapshot(), reporterFor: () => reporter,
    });
  }

  async wait(run: RunRecord | undefined = waiting): Promise<this> {
    this.store.draft.run = run;
    this.store.draft.pendingPlanReview = plan();
    await this.store.commit(PersistReason.awaitingApproval);
    this.disk.commits = 0;
    return this;
  }

  async decide(decision: PlanReviewDecision, id?: string): Promise<string> {
    const result: PlanReviewDecisionResult = await this.reviews.decide(decision, id, () => this.active);
    return `${result.ok} ${result.reviewId} ${result.error?.code ?? result.action}`;
  }

  get now(): string {
    return `${this.store.draft.pendingPlanReview?.reviewId ?? '-'} ${this.store.draft.run?.status ?? '-'} ${this.store.draft.run?.stopReason ?? '-'} ${this.store.draft.history.length}`;
  }
}

const { approve, reject } = { approve: PlanReviewDecision.approve(), reject: PlanReviewDecision.reject('no') };

describe('a decision about a plan', () => {
  it('is stored with what it says to the model, and known after that', async () => {
    for (const id of [undefined, 'p1']) {
      const desk = await new Desk().wait();
      expect([await desk.decide(approve, id), desk.now, (await desk.disk.load('s')).value?.pendingPlanReview]).toEqual(['true p1 approve', '- suspended awaiting_plan_review 1', undefined]);
      expect([await desk.decide(approve, id), await desk.decide(reject, 'p1'), await desk.decide(approve, 'p9'), desk.asked, desk.disk.commits]).toEqual(['true p1 approve', 'false p1 plan_review_closed', 'false p9 plan_review_not_found', 1, 1]);
    }
  });

  it('about another plan than the one that waits is none', async () => {
    const desk = await new Desk().wait();
    expect([await desk.decide(approve, 'p9'), desk.now, await new Desk().decide(approve), await new Desk().decide(approve, 'p1')]).toEqual(['false p9 plan_review_not_found', 'p1 suspended awaiting_plan_review 0', 'false  plan_review_not_found', 'false p1 plan_review_not_found']);
    const other = await desk.reviews.decide(reject, undefined, () => false);
    expect(other.ok).toBe(true);
    const standing = await desk.reviews.decide(approve, 'p1', () => false);
    expect(standing.error?.details?.get('standing')).toBe('reject');
  });

  it('goes to the first feature that knows the plan; what refuses it leaves it waiting', async () => {
    const desk = await new Desk().wait();
    desk.answers = [undefined, Result.success<ReadonlyArray<AgentMessage>, ArkAgentError>([])];
    expect([await desk.decide(approve), desk.asked, desk.now]).toEqual(['true p1 approve', 2, '- suspended awaiting_plan_review 0']);
    for (const [answers, code] of [[[undefined, undefined], 'plan_review_not_found'], [[Result.failure<ReadonlyArray<AgentMessage>, ArkAgentError>(ArkAgentError.of(ErrorCode.inputInvalid, 'x'))], 'input_invalid']] as Array<[Answer[], string]>) {
      const refusing = await new Desk().wait();
      refusing.answers = answers;
      expect([await refusing.decide(approve), refusing.now, refusing.disk.commits]).toEqual([`false p1 ${code}`, 'p1 suspended awaiting_plan_review 0', 0]);
    }
  });

  it('makes a run that was cut off one that waits, unless a segment works on it', async () => {
    const cut = await new Desk().wait(running);
    expect([await cut.decide(approve), cut.now]).toEqual(['true p1 approve', '- suspended awaiting_plan_review 1']);
    const busy = await new Desk().wait(running);
    busy.active = true;
    expect([await busy.decide(approve), busy.now]).toEqual(['true p1 approve', '- running - 1']);
    const paused = await new Desk().wait(running.ended(RunStatus.suspended, AgentStopReason.suspended));
    expect([await paused.decide(approve), paused.now]).toEqual(['true p1 approve', '- suspended suspended 1']);
    const none = await new Desk().wait(undefined);
    none.store.draft.run = undefined;
    expect([await none.decide(approve), none.now]).toEqual(['true p1 approve', '- - - 1']);
  });

  it('that cannot be stored is none', async () => {
    const desk = await new Desk().wait();
    desk.disk.before.push('fail');
    expect([await desk.decide(approve), desk.now]).toEqual(['false p1 state_save_failed', 'p1 suspended awaiting_plan_review 0']);
    expect(await desk.decide(reject), 'nothing of it is known').toBe('true p1 reject');
  });

  it('DEC-02 looks again at what another owner stored first, ten times at most, and never below a segment that works', async () => {
    const meets = async (act: (other: Desk) => Promise<void>, times = 1): Promise<Desk> => {
      const one = await new Desk().wait();
      const other = new Desk(one.disk);
      await other.store.reload();
      for (let i = 0; i < times; i++) one.disk.before.push(() => act(other), async () => undefined);
      return one;
    };
    const decided = await meets(async (other) => { await other.decide(reject); });
    expect([await decided.decide(approve), decided.now]).toEqual(['false p1 plan_review_closed', '- suspended awaiting_plan_review 1']);
    const wrote = await meets(async (other) => { await other.store.commit(PersistReason.afterUserInput); });
    expect([await wrote.decide(approve), wrote.now]).toEqual(['true p1 approve', '- suspended awaiting_plan_review 1']);
    const endless = await meets(async (other) => { await other.store.commit(PersistReason.afterUserInput); }, 30);
    expect([await endless.decide(approve), endless.disk.commits]).toEqual(['false p1 state_conflict', 20]);
    const busy = await meets(async (other) => { await other.store.commit(PersistReason.afterUserInput); });
    busy.active = true;
    expect([await busy.decide(approve), busy.now, busy.store.revision]).toEqual(['false p1 state_conflict', 'p1 suspended awaiting_plan_review 0', 1]);
  });
});

describe('a plan whose run ends', () => {
  it('is closed with it, and a decision that comes then learns why', async () => {
    const desk = await new Desk().wait();
    desk.reviews.close('cancel');
    desk.reviews.close('abort');
    expect(desk.now).toBe('- suspended awaiting_plan_review 0');
    const late = await desk.reviews.decide(approve, undefined, () => false);
    expect([late.ok, late.reviewId, late.error?.code, late.error?.message, late.error?.details?.get('closedBy')]).toEqual([false, 'p1', 'plan_review_closed', 'the plan was closed by cancel', 'cancel']);
  });
});
