import { DecisionReceipt } from '../../approval/DecisionReceipt';
import { PendingApprovalBatch } from '../../approval/PendingApprovalBatch';
import { PendingPlanReview } from '../../approval/PlanReview';
import { JsonText } from '../../json/JsonText';
import { JsonWriter } from '../../json/JsonWriter';
import { OpenBatch } from '../OpenBatch';
import { RunRecord } from '../RunRecord';
import { ApprovalBatchCodec } from './ApprovalBatchCodec';
import { ObjectText } from './ObjectText';
import { OpenBatchCodec } from './OpenBatchCodec';
import { PlanReviewCodec } from './PlanReviewCodec';
import { ReceiptCodec } from './ReceiptCodec';
import { RunCodec } from './RunCodec';

/** JSON text of the members that a whole state and a delta share. */
export class StateMembers {
  static run(run: RunRecord | undefined, writer: JsonWriter): string | undefined {
    return run === undefined ? undefined : RunCodec.encode(run, writer);
  }

  static openBatch(batch: OpenBatch | undefined, writer: JsonWriter): string | undefined {
    return batch === undefined ? undefined : OpenBatchCodec.encode(batch, writer);
  }

  static pendingApproval(batch: PendingApprovalBatch | undefined, writer: JsonWriter): string | undefined {
    return batch === undefined ? undefined : ApprovalBatchCodec.encode(batch, writer);
  }

  static pendingPlanReview(review: PendingPlanReview | undefined, writer: JsonWriter): string | undefined {
    return review === undefined ? undefined : PlanReviewCodec.encode(review, writer);
  }

  static loopWindow(window: ReadonlyArray<string>): string {
    return ObjectText.array<string>(window, (signature: string): string => JsonText.quote(signature));
  }

  static receipts(receipts: ReadonlyArray<DecisionReceipt>, writer: JsonWriter): string {
    return ObjectText.array<DecisionReceipt>(receipts,
      (receipt: DecisionReceipt): string => ReceiptCodec.encode(receipt, writer));
  }
}
