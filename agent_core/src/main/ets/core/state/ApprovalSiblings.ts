import { ApprovalDeciders } from '../approval/ApprovalModes';
import { ApprovalSibling, SiblingStatus } from '../approval/PendingApprovalBatch';
import { PendingApprovalItem } from '../approval/PendingApprovalItem';
import { OpenBatch } from './OpenBatch';
import { CallStatus, OpenCall } from './OpenCall';

/**
 * The lines of an approval card about calls that nobody is asked about, as they follow from the journal.
 *
 * Freezing and loading both use this, so that a restored card shows what the first one showed. A call that ran already, or
 * whose outcome is unknown, is no line.
 */
export class ApprovalSiblings {
  static of(openBatch: OpenBatch | undefined, items: ReadonlyArray<PendingApprovalItem>): ApprovalSibling[] {
    const siblings: ApprovalSibling[] = [];
    for (const call of openBatch === undefined ? [] : openBatch.calls) {
      const status: SiblingStatus | undefined = ApprovalSiblings.status(call.status);
      if (status !== undefined && !ApprovalSiblings.asked(call.position, items)) {
        siblings.push(ApprovalSiblings.line(call, status));
      }
    }
    return siblings;
  }

  private static status(status: CallStatus): SiblingStatus | undefined {
    switch (status) {
      case CallStatus.awaiting:
      case CallStatus.allowed:
      case CallStatus.planned:
        return SiblingStatus.willRun;
      case CallStatus.rejected:
      case CallStatus.closed:
        return SiblingStatus.refused;
      default:
        return undefined;
    }
  }

  private static asked(position: number, items: ReadonlyArray<PendingApprovalItem>): boolean {
    for (const item of items) {
      if (item.position === position && !ApprovalDeciders.isAutomatic(item.decidedBy)) {
        return true;
      }
    }
    return false;
  }

  private static line(call: OpenCall, status: SiblingStatus): ApprovalSibling {
    const line: ApprovalSibling = { position: call.position, toolName: call.effective.name, status: status };
    if (status === SiblingStatus.refused) {
      const code: string = call.result === undefined ? '' : call.result.code;
      line.reason = call.reason ?? (code === '' ? undefined : code);
    }
    return line;
  }
}
