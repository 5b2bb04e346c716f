import { ApprovalGrant } from '../approval/ApprovalGrant';
import { ArkAgentError } from '../base/ArkAgentError';
import { Result } from '../base/Result';
import { ApprovalDecisionRequest, ApprovalDecisionResult } from '../approval/ApprovalDecisionResult';
import { PendingApprovalBatch } from '../approval/PendingApprovalBatch';
import { PendingPlanReview, PlanReviewDecision, PlanReviewDecisionResult } from '../approval/PlanReview';

/**
 * Where decisions go. The runtime implements it; a controller is bound to one host at a time.
 *
 * Contract:
 * - The getters are synchronous and cheap and answer from memory; the controller copies what they give.
 * - A decision's promise resolves after the decision is stored (DEC-18).
 * - Failure: results with ok = false. The controller isolates throws and rejections all the same.
 */
export interface ApprovalHost {
  /** Open batches: the session's own, then those of child sessions. */
  getPendingApprovalBatches(): ReadonlyArray<PendingApprovalBatch>;
  /** The first of them. */
  getPendingApprovalBatch(): PendingApprovalBatch | undefined;
  applyApprovalDecision(request: ApprovalDecisionRequest): Promise<ApprovalDecisionResult>;
  /** Denies every question of the batch that is still open; the result carries the batch id as approvalId. */
  denyAll(batchId: string, reason?: string): Promise<ApprovalDecisionResult>;
  /** What was remembered with a yes and still counts. */
  listGrants(): ReadonlyArray<ApprovalGrant>;
  /** Resolves when it is stored; false when there is no such grant. */
  revokeGrant(grantId: string): Promise<Result<boolean, ArkAgentError>>;
  getPendingPlanReview(): PendingPlanReview | undefined;
  /**
   * Repeating a decision changes nothing and gets the same answer; another one is plan_review_closed.
   * @param reviewId the plan that the person saw; unknown is plan_review_not_found
   */
  applyPlanReviewDecision(decision: PlanReviewDecision, reviewId?: string): Promise<PlanReviewDecisionResult>;
}
