import { PendingPlanReview, PlanReviewDecision, PlanReviewDecisionResult } from '../../approval/PlanReview';
import { ArkAgentError } from '../../base/ArkAgentError';
import { ErrorCode } from '../../base/ErrorCodes';
import { Result } from '../../base/Result';
import { AgentFeature } from '../../control/AgentFeature';
import { AgentMessage } from '../../message/AgentMessage';
import { AgentState } from '../../state/AgentState';
import { AgentStopReason } from '../../state/AgentStopReason';
import { PersistReason } from '../../state/PersistReason';
import { RunRecord, RunStatus } from '../../state/RunRecord';
import { ReadonlyAgentState } from '../../tool/ToolContext';
import { HistoryKeeper } from '../ledger/HistoryKeeper';
import { PlanReceipt, PlanReceipts } from './PlanReceipts';
import { RunReporter } from '../report/RunReporter';
import { SessionStore } from '../store/SessionStore';
import { PersistScope, PersistVerdict, StatePersister } from '../store/StatePersister';

/** What plan reviews are made of. */
export interface PlanReviewsParts {
  store: SessionStore;
  persister: StatePersister;
  keeper: HistoryKeeper;
  features: ReadonlyArray<AgentFeature>;
  receipts: PlanReceipts;
  state: ReadonlyAgentState;
  reporterFor: (runId: string) => RunReporter;
}

/** Owners of one session that may write between a decision and its save before it gives up. */
const MAX_TRIES: number = 10;

/**
 * Records what a person says about a plan: stored before it is reported, carried out by `resume`. As with calls, repeating a
 * decision changes nothing, and of two deciders the loser learns what stands (DEC-02, DEC-49).
 */
export class PlanReviews {
  private readonly parts: PlanReviewsParts;

  constructor(parts: PlanReviewsParts) {
    this.parts = parts;
  }

  /**
   * Errors: plan_review_not_found, plan_review_closed (decided otherwise, or closed by the end of its run; `details` say which),
   * hook_abort, state_save_failed, state_conflict, and what the feature refuses.
   *
   * @param isActive a segment of this process works on the run
   */
  async decide(decision: PlanReviewDecision, reviewId: string | undefined,
    isActive: () => boolean): Promise<PlanReviewDecisionResult> {
    const asked: string | undefined = reviewId ?? this.parts.store.draft.pendingPlanReview?.reviewId;
    const attempt: () => Promise<PlanReviewDecisionResult> = (): Promise<PlanReviewDecisionResult> =>
      this.parts.store.exclusive((): Promise<PlanReviewDecisionResult> => this.record(decision, asked, isActive));
    let result: PlanReviewDecisionResult = await attempt();
    // A segment that works on an older state has to find out by itself: nothing is loaded below it.
    for (let tries: number = 1; tries < MAX_TRIES && result.error?.code === ErrorCode.stateConflict && !isActive(); tries++) {
      result = await attempt();
    }
    return result;
  }

  /** A plan that waits when its run ends is not decided any more; in the commit that ends the run. */
  close(closedBy: string): void {
    const review: PendingPlanReview | undefined = this.parts.store.draft.pendingPlanReview;
    if (review !== undefined) {
      this.parts.receipts.closed(review.reviewId, review.runId, closedBy);
      this.parts.store.draft.pendingPlanReview = undefined;
    }
  }

  private async record(decision: PlanReviewDecision, reviewId: string | undefined,
    isActive: () => boolean): Promise<PlanReviewDecisionResult> {
    const review: PendingPlanReview | undefined = this.parts.store.draft.pendingPlanReview;
    if (review === undefined || (reviewId !== undefined && reviewId !== review.reviewId)) {
      return this.standing(decision, reviewId);
    }
    const before: AgentState = this.parts.store.snapshot();
    const answer: Result<ReadonlyArray<AgentMessage>, ArkAgentError> | undefined = this.ask(review, decision);
    if (answer === undefined || !answer.ok) {
      this.parts.store.rollBack(before);
      return failed(review.reviewId, answer?.error ??
        ArkAgentError.of(ErrorCode.planReviewNotFound, 'no feature of this session knows the plan'));
    }
    for (const message of answer.value) {
      this.parts.keeper.append(message);
    }
    this.parts.store.draft.pendingPlanReview = undefined;
    this.parts.receipts.decided(review.reviewId, review.runId, decision);
    this.suspendCutOff(isActive());
    const scope: PersistScope = { state: this.parts.state, reporter: this.parts.reporterFor(review.runId) };
    const verdict: PersistVerdict = await this.parts.persister.persist(PersistReason.approvalDecision, scope);
    if (verdict.stored) {
      return new PlanReviewDecisionResult(true, review.reviewId, undefined, decision.action);
    }
    if (verdict.conflict && !isActive()) {
      await this.parts.store.reload();
    } else {
      this.parts.store.rollBack(before);
    }
    return failed(review.reviewId, verdict.error as ArkAgentError);
  }

  /** The process died between the plan and the commit that suspends for it: from the decision on the run is one that waits. */
  private suspendCutOff(active: boolean): void {
    const run: RunRecord | undefined = this.parts.store.draft.run;
    if (!active && run !== undefined && run.status === RunStatus.running) {
      this.parts.store.draft.run = run.ended(RunStatus.suspended, AgentStopReason.awaitingPlanReview);
    }
  }

  /** The answer about a plan that does not wait, from its receipt. */
  private standing(decision: PlanReviewDecision, reviewId: string | undefined): PlanReviewDecisionResult {
    const receipt: PlanReceipt | undefined = this.parts.receipts.find(reviewId, this.parts.store.draft.run?.runId ?? '');
    if (receipt === undefined) {
      return failed(reviewId ?? '', ArkAgentError.of(ErrorCode.planReviewNotFound, 'this plan does not wait for review'));
    }
    if (receipt.action === undefined) {
      return failed(receipt.reviewId, closed(`the plan was closed by ${receipt.closedBy}`).withDetail('closedBy', receipt.closedBy));
    }
    return this.parts.receipts.isSame(receipt, decision) ?
      new PlanReviewDecisionResult(true, receipt.reviewId, undefined, receipt.action) :
      failed(receipt.reviewId, closed('the plan is decided already').withDetail('standing', receipt.action));
  }

  private ask(review: PendingPlanReview,
    decision: PlanReviewDecision): Result<ReadonlyArray<AgentMessage>, ArkAgentError> | undefined {
    for (const feature of this.parts.features) {
      const answer: Result<ReadonlyArray<AgentMessage>, ArkAgentError> | undefined = feature.planDecided(review, decision);
      if (answer !== undefined) {
        return answer;
      }
    }
    return undefined;
  }
}

function failed(reviewId: string, error: ArkAgentError): PlanReviewDecisionResult {
  return new PlanReviewDecisionResult(false, reviewId, error);
}

function closed(message: string): ArkAgentError {
  return ArkAgentError.of(ErrorCode.planReviewClosed, message);
}
