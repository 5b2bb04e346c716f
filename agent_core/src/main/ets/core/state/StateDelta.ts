import { AgentMessage } from '../message/AgentMessage';
import { AgentState } from './AgentState';

/**
 * What changed since the last successful commit (DEC-06): the messages appended and which other members differ.
 *
 * Members are compared by reference, which is exact because states are immutable. An adapter writes only what is named here,
 * so the bytes of a commit do not grow with the history.
 */
export class StateDelta {
  /** Length of the history that is stored already. */
  readonly historyFrom: number;
  /** The stored history is no prefix of the new one: only a whole write says what it is now. */
  readonly historyReplaced: boolean;
  /** Messages from `historyFrom` on; meaningless when `historyReplaced`. */
  readonly appended: ReadonlyArray<AgentMessage>;
  readonly runChanged: boolean;
  readonly usageChanged: boolean;
  readonly metadataChanged: boolean;
  readonly openBatchChanged: boolean;
  readonly pendingApprovalChanged: boolean;
  readonly pendingPlanReviewChanged: boolean;
  readonly loopWindowChanged: boolean;
  readonly receiptsChanged: boolean;
  readonly slicesChanged: boolean;

  constructor(stored: AgentState, next: AgentState) {
    this.historyFrom = stored.history.length;
    this.historyReplaced = !stored.history.isPrefixOf(next.history);
    this.appended = next.history.slice(stored.history.length);
    this.runChanged = stored.run !== next.run;
    this.usageChanged = stored.usage !== next.usage;
    this.metadataChanged = stored.metadata !== next.metadata;
    this.openBatchChanged = stored.openBatch !== next.openBatch;
    this.pendingApprovalChanged = stored.pendingApproval !== next.pendingApproval;
    this.pendingPlanReviewChanged = stored.pendingPlanReview !== next.pendingPlanReview;
    this.loopWindowChanged = stored.loopWindow !== next.loopWindow;
    this.receiptsChanged = stored.receipts !== next.receipts;
    this.slicesChanged = stored.slices !== next.slices;
  }
}
