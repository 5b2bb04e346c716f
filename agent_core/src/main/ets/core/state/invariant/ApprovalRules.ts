import { PendingApprovalBatch } from '../../approval/PendingApprovalBatch';
import { PendingApprovalItem } from '../../approval/PendingApprovalItem';
import { AgentMessage } from '../../message/AgentMessage';
import { ToolCall } from '../../message/ToolCall';
import { StateFault } from '../codec/StateFault';
import { AgentState } from '../AgentState';
import { OpenBatch } from '../OpenBatch';
import { BatchRules } from './BatchRules';
import { MaskedForm } from './MaskedForm';

/** Rules about pending questions. Each method throws `state_invariant_broken`. */
export class ApprovalRules {
  static check(state: AgentState): void {
    const pending: PendingApprovalBatch | undefined = state.pendingApproval;
    if (pending === undefined) {
      return;
    }
    const batch: OpenBatch | undefined = state.openBatch;
    if (batch === undefined || batch.batchId !== pending.batchId || batch.runId !== pending.runId ||
      batch.assistantMessageId !== pending.modelMessage.id) {
      throw StateFault.broken('/pendingApproval', 'belongs to the open batch');
    }
    if (BatchRules.messageOf(state, pending.modelMessage.id) === undefined) {
      throw StateFault.broken('/pendingApproval/modelMessageId', 'is no message of the history');
    }
    ApprovalRules.checkIds(pending);
    pending.items.forEach((item: PendingApprovalItem, index: number): void =>
      ApprovalRules.checkItem(item, pending, batch, `/pendingApproval/items/${index}`));
  }

  private static checkIds(pending: PendingApprovalBatch): void {
    const seen: Set<string> = new Set<string>();
    for (const item of pending.items) {
      if (seen.has(item.approvalId)) {
        throw StateFault.broken('/pendingApproval/items', 'approval ids are unique');
      }
      seen.add(item.approvalId);
    }
  }

  private static checkItem(item: PendingApprovalItem, pending: PendingApprovalBatch, batch: OpenBatch, path: string): void {
    const model: AgentMessage = pending.modelMessage;
    if (item.position >= model.toolCalls.length || model.toolCalls[item.position].id !== item.toolCall.id) {
      throw StateFault.broken(`${path}/position`, 'position and call id name one call of the model\'s message');
    }
    if (pending.latestAt(item.position) === item && !ApprovalRules.showsWhatRuns(item.toolCall, item.position, batch)) {
      throw StateFault.broken(`${path}/toolCall`, 'the item shows the call that will run');
    }
  }

  /** Earlier questions about the same call may show what it was before an edit; the newest one shows what runs. */
  private static showsWhatRuns(shown: ToolCall, position: number, batch: OpenBatch): boolean {
    return position < batch.calls.length && batch.calls[position].effective.name === shown.name &&
      MaskedForm.matches(shown.argumentsJson, batch.calls[position].effective.argumentsJson);
  }
}
