import { ArkAgentError } from '../base/ArkAgentError';
import { JsonObject } from '../json/JsonObject';

/** A plan that waits for a person. Plain data, immutable. */
export class PendingPlanReview {
  readonly reviewId: string;
  readonly runId: string;
  /** The plan as its planner wrote it; sealed. */
  readonly plan: JsonObject;
  readonly createdAtMs: number;

  constructor(reviewId: string, runId: string, plan: JsonObject, createdAtMs: number) {
    this.reviewId = reviewId;
    this.runId = runId;
    this.plan = plan;
    this.createdAtMs = createdAtMs;
  }
}

export enum PlanReviewAction {
  approve = 'approve',
  reject = 'reject',
  revise = 'revise'
}

/** A person's answer to a plan. Immutable. */
export class PlanReviewDecision {
  readonly action: PlanReviewAction;
  /** Reason of a rejection or text of a revision; empty for approve. */
  readonly text: string;

  private constructor(action: PlanReviewAction, text: string) {
    this.action = action;
    this.text = text;
  }

  static approve(): PlanReviewDecision {
    return new PlanReviewDecision(PlanReviewAction.approve, '');
  }

  static reject(reason: string): PlanReviewDecision {
    return new PlanReviewDecision(PlanReviewAction.reject, reason);
  }

  static revise(text: string): PlanReviewDecision {
    return new PlanReviewDecision(PlanReviewAction.revise, text);
  }
}

/** What became of a plan decision. Immutable. */
export class PlanReviewDecisionResult {
  readonly ok: boolean;
  readonly reviewId: string;
  readonly error: ArkAgentError | undefined;
  /** What stands, also when it was decided before; undefined when ok is false. */
  readonly action: PlanReviewAction | undefined;

  constructor(ok: boolean, reviewId: string, error?: ArkAgentError, action?: PlanReviewAction) {
    this.ok = ok;
    this.reviewId = reviewId;
    this.error = error;
    this.action = action;
  }
}
