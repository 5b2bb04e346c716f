import { PendingPlanReview, PlanReviewDecision, PlanReviewDecisionResult } from '../approval/PlanReview';
import { ArkAgentError } from '../base/ArkAgentError';
import { ErrorCode } from '../base/ErrorCodes';
import { Result } from '../base/Result';
import { AgentFeature } from '../control/AgentFeature';
import { AgentMessage } from '../message/AgentMessage';
import { AgentState } from '../state/AgentState';
import { PersistReason } from '../state/PersistReason';
import { ReadonlyAgentState } from '../tool/ToolContext';
import { HistoryKeeper } from './HistoryKeeper';
import { RunReporter } from './RunReporter';
import { SessionStore } from './SessionStore';
import { PersistScope, PersistVerdict, StatePersister } from './StatePersister';

/** What plan reviews are made of. */
export interface PlanReviewsParts {
  store: SessionStore;
  persister: StatePersister;
  keeper: HistoryKeeper;
  features: ReadonlyArray<AgentFeature>;
  state: ReadonlyAgentState;
  reporterFor: (runId: string) => RunReporter;
}

/** Records what a person says about a plan: stored before it is reported, carried out by `resume`. */
export class PlanReviews {
  private readonly parts: PlanReviewsParts;

  constructor(parts: PlanReviewsParts) {
    this.parts = parts;
  }

  /** Errors: plan_review_not_found, hook_abort, state_save_failed, state_conflict, and what the feature refuses. */
  decide(decision: PlanReviewDecision, reviewId: string | undefined): Promise<PlanReviewDecisionResult> {
    return this.parts.store.exclusive((): Promise<PlanReviewDecisionResult> => this.record(decision, reviewId));
  }

  private async record(decision: PlanReviewDecision, reviewId: string | undefined): Promise<PlanReviewDecisionResult> {
    const review: PendingPlanReview | undefined = this.parts.store.draft.pendingPlanReview;
    if (review === undefined || (reviewId !== undefined && reviewId !== review.reviewId)) {
      return failed(reviewId ?? '', ArkAgentError.of(ErrorCode.planReviewNotFound, 'this plan does not wait for review'));
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
    const scope: PersistScope = { state: this.parts.state, reporter: this.parts.reporterFor(review.runId) };
    const verdict: PersistVerdict = await this.parts.persister.persist(PersistReason.approvalDecision, scope);
    if (verdict.stored) {
      return new PlanReviewDecisionResult(true, review.reviewId);
    }
    if (verdict.conflict) {
      await this.parts.store.reload();
    } else {
      this.parts.store.rollBack(before);
    }
    return failed(review.reviewId, verdict.error as ArkAgentError);
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
