import { ApprovalDecision } from './ApprovalModes';

/** The standing answer to one question. */
export interface ReceiptEntry {
  approvalId: string;
  decision: ApprovalDecision;
  decidedBy: string;
  decidedAtMs: number;
}

/**
 * What was decided about a batch that is closed, kept for the last 32 batches so that a repeated decision gets the same
 * answer (DEC-49). Immutable.
 */
export class DecisionReceipt {
  static readonly KEPT: number = 32;
  readonly batchId: string;
  /** Why the batch closed without running: cancel, abort, new_input; empty when its decisions were carried out. */
  readonly closedBy: string;
  readonly entries: ReadonlyArray<ReceiptEntry>;

  constructor(batchId: string, closedBy: string, entries: ReadonlyArray<ReceiptEntry>) {
    this.batchId = batchId;
    this.closedBy = closedBy;
    this.entries = entries.slice();
  }

  find(approvalId: string): ReceiptEntry | undefined {
    for (const entry of this.entries) {
      if (entry.approvalId === approvalId) {
        return entry;
      }
    }
    return undefined;
  }
}
