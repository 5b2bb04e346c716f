import { ApprovalSibling, PendingApprovalBatch, PendingApprovalBatchInit } from '../approval/PendingApprovalBatch';
import { PendingApprovalItem, PendingApprovalItemInit } from '../approval/PendingApprovalItem';
import { PendingPlanReview } from '../approval/PlanReview';
import { Snapshots } from '../hook/Snapshots';

/** Copies of what waits for a person that share nothing with the runtime's own records. */
export class ApprovalCopies {
  static item(item: PendingApprovalItem): PendingApprovalItem {
    const init: PendingApprovalItemInit = item.toInit();
    init.toolCall = Snapshots.call(item.toolCall);
    init.proposedCall = item.proposedCall === undefined ? undefined : Snapshots.call(item.proposedCall);
    return new PendingApprovalItem(init);
  }

  static batch(batch: PendingApprovalBatch): PendingApprovalBatch {
    const init: PendingApprovalBatchInit = {
      batchId: batch.batchId, runId: batch.runId, createdAtMs: batch.createdAtMs,
      items: batch.items.map<PendingApprovalItem>((item: PendingApprovalItem): PendingApprovalItem =>
        ApprovalCopies.item(item)),
      modelMessage: Snapshots.message(batch.modelMessage),
      siblings: batch.siblings.map<ApprovalSibling>((sibling: ApprovalSibling): ApprovalSibling =>
        ApprovalCopies.sibling(sibling))
    };
    return new PendingApprovalBatch(init);
  }

  static planReview(review: PendingPlanReview): PendingPlanReview {
    return new PendingPlanReview(review.reviewId, review.runId, review.plan.clone().seal(), review.createdAtMs);
  }

  private static sibling(sibling: ApprovalSibling): ApprovalSibling {
    return {
      position: sibling.position, toolName: sibling.toolName, status: sibling.status, reason: sibling.reason
    };
  }
}
