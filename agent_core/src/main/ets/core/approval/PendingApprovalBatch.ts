import { AgentMessage } from '../message/AgentMessage';
import { ApprovalDecision } from './ApprovalModes';
import { PendingApprovalItem } from './PendingApprovalItem';

export enum SiblingStatus {
  /** Runs after the decision. */
  willRun = 'will_run',
  /** Was refused before anybody was asked. */
  refused = 'refused'
}

/** One line of the card about a call of the batch that is not a question. */
export interface ApprovalSibling {
  position: number;
  toolName: string;
  status: SiblingStatus;
  reason?: string;
}

/** The parts of a batch. */
export interface PendingApprovalBatchInit {
  batchId: string;
  runId: string;
  items: ReadonlyArray<PendingApprovalItem>;
  modelMessage: AgentMessage;
  createdAtMs: number;
  siblings: ReadonlyArray<ApprovalSibling>;
}

/** A frozen batch: the questions about the calls of one assistant message. Plain data, immutable. */
export class PendingApprovalBatch {
  readonly batchId: string;
  readonly runId: string;
  readonly items: ReadonlyArray<PendingApprovalItem>;
  /** The message whose calls are frozen; a reference into the history on disk. */
  readonly modelMessage: AgentMessage;
  readonly createdAtMs: number;
  readonly siblings: ReadonlyArray<ApprovalSibling>;

  constructor(init: PendingApprovalBatchInit) {
    this.batchId = init.batchId;
    this.runId = init.runId;
    this.items = init.items.slice();
    this.modelMessage = init.modelMessage;
    this.createdAtMs = init.createdAtMs;
    this.siblings = init.siblings.slice();
  }

  /** No item is pending any more. */
  allDecided(): boolean {
    for (const item of this.items) {
      if (item.isPending()) {
        return false;
      }
    }
    return true;
  }

  /** At least one item was denied, by a person or by expiry. */
  anyDenied(): boolean {
    for (const item of this.items) {
      if (item.decision === ApprovalDecision.denied) {
        return true;
      }
    }
    return false;
  }

  find(approvalId: string): PendingApprovalItem | undefined {
    for (const item of this.items) {
      if (item.approvalId === approvalId) {
        return item;
      }
    }
    return undefined;
  }

  /** The newest item about the call at a position. */
  latestAt(position: number): PendingApprovalItem | undefined {
    let found: PendingApprovalItem | undefined = undefined;
    for (const item of this.items) {
      if (item.position === position && (found === undefined || item.round > found.round)) {
        found = item;
      }
    }
    return found;
  }

  /** The batch with one item replaced by another of the same id. */
  withItem(item: PendingApprovalItem): PendingApprovalBatch {
    const items: PendingApprovalItem[] = [];
    for (const known of this.items) {
      items.push(known.approvalId === item.approvalId ? item : known);
    }
    return this.withItems(items);
  }

  withItems(items: ReadonlyArray<PendingApprovalItem>): PendingApprovalBatch {
    const init: PendingApprovalBatchInit = {
      batchId: this.batchId, runId: this.runId, items: items, modelMessage: this.modelMessage,
      createdAtMs: this.createdAtMs, siblings: this.siblings
    };
    return new PendingApprovalBatch(init);
  }

  /** A copy that shares nothing that could be changed. */
  clone(): PendingApprovalBatch {
    const items: PendingApprovalItem[] = [];
    for (const item of this.items) {
      items.push(item.clone());
    }
    return this.withItems(items);
  }
}
