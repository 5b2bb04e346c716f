import { PlanReviewAction, PlanReviewDecision } from '../../approval/PlanReview';
import { JsonObject } from '../../json/JsonObject';
import { Digest } from '../../port/Digest';
import { SliceAccess } from '../../state/SliceAccess';
import { SliceList } from '../store/SliceList';

/** What became of a plan that does not wait any more. */
export interface PlanReceipt {
  reviewId: string;
  runId: string;
  /** undefined: it was closed without a decision. */
  action: PlanReviewAction | undefined;
  /** Of a revision's text, so that another text is told from the same one; else empty. */
  textDigest: string;
  /** Why it closed without a decision: cancel, abort …; else empty. */
  closedBy: string;
}

/** The decisions about the last 32 plans, in the slice `planReceipts`, so that a repeated one gets the same answer (DEC-49). */
export class PlanReceipts {
  static readonly SLICE: string = 'planReceipts';
  static readonly KEPT: number = 32;
  private readonly receipts: SliceList<PlanReceipt>;
  private readonly digest: Digest;

  constructor(slices: SliceAccess, digest: Digest) {
    this.receipts = new SliceList<PlanReceipt>(slices, PlanReceipts.SLICE, 'receipts', decode, encode);
    this.digest = digest;
  }

  /** @param reviewId undefined: the newest plan, if it is one of the run */
  find(reviewId: string | undefined, runId: string): PlanReceipt | undefined {
    const known: ReadonlyArray<PlanReceipt> = this.receipts.get();
    if (reviewId === undefined) {
      const newest: PlanReceipt | undefined = known[known.length - 1];
      return newest !== undefined && newest.runId === runId ? newest : undefined;
    }
    return known.find((receipt: PlanReceipt) => receipt.reviewId === reviewId);
  }

  decided(reviewId: string, runId: string, decision: PlanReviewDecision): void {
    const receipt: PlanReceipt = {
      reviewId: reviewId, runId: runId, action: decision.action, textDigest: this.textDigest(decision), closedBy: ''
    };
    this.add(receipt);
  }

  closed(reviewId: string, runId: string, closedBy: string): void {
    const receipt: PlanReceipt = { reviewId: reviewId, runId: runId, action: undefined, textDigest: '', closedBy: closedBy };
    this.add(receipt);
  }

  /** The decision says what the receipt says; a reason may differ, a revision's text may not. */
  isSame(receipt: PlanReceipt, decision: PlanReviewDecision): boolean {
    return receipt.action === decision.action && receipt.textDigest === this.textDigest(decision);
  }

  private textDigest(decision: PlanReviewDecision): string {
    return decision.action === PlanReviewAction.revise ? this.digest.sha256Hex(decision.text.trim()) : '';
  }

  private add(receipt: PlanReceipt): void {
    this.receipts.set(this.receipts.get().concat([receipt]).slice(-PlanReceipts.KEPT));
  }
}

function decode(json: JsonObject): PlanReceipt | undefined {
  const reviewId: string | undefined = json.getString('reviewId');
  if (reviewId === undefined) {
    return undefined;
  }
  const receipt: PlanReceipt = {
    reviewId: reviewId, runId: json.getString('runId') ?? '', action: actionOf(json.getString('action')),
    textDigest: json.getString('textDigest') ?? '', closedBy: json.getString('closedBy') ?? ''
  };
  return receipt;
}

function encode(receipt: PlanReceipt): JsonObject {
  const json: JsonObject = new JsonObject().setString('reviewId', receipt.reviewId).setString('runId', receipt.runId);
  if (receipt.action !== undefined) {
    json.setString('action', receipt.action);
  }
  if (receipt.textDigest !== '') {
    json.setString('textDigest', receipt.textDigest);
  }
  if (receipt.closedBy !== '') {
    json.setString('closedBy', receipt.closedBy);
  }
  return json;
}

function actionOf(word: string | undefined): PlanReviewAction | undefined {
  switch (word) {
    case 'approve':
      return PlanReviewAction.approve;
    case 'reject':
      return PlanReviewAction.reject;
    case 'revise':
      return PlanReviewAction.revise;
    default:
      return undefined;
  }
}
