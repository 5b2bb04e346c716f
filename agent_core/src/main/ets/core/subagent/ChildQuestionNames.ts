import { ApprovalDecisionRequest } from '../approval/ApprovalDecisionResult';
import { PendingApprovalBatch, PendingApprovalBatchInit } from '../approval/PendingApprovalBatch';
import { PendingApprovalItem, PendingApprovalItemInit } from '../approval/PendingApprovalItem';
import { ApprovalExpiringEvent, ApprovalResolution, ApprovalResolvedEvent } from '../control/event/ApprovalEvents';
import { EventStamp } from '../control/event/EventStamp';

/** A child's questions under the names that they have at its parent: `child/…`, with the path to who asks as origin (DEC-54). */
export class ChildQuestionNames {
  private static readonly SEPARATOR: string = '/';
  private readonly parentSessionId: string;
  private readonly childSessionId: string;

  constructor(parentSessionId: string, childSessionId: string) {
    this.parentSessionId = parentSessionId;
    this.childSessionId = childSessionId;
  }

  static isOf(id: string, childSessionId: string): boolean {
    return id.startsWith(childSessionId + ChildQuestionNames.SEPARATOR);
  }

  /** The child that an id names, by its form alone; undefined when it names none of this session's children. */
  static childIn(id: string, parentSessionId: string, shortPrefix: string): string | undefined {
    const named: boolean = id.startsWith(`${parentSessionId}.`) || id.startsWith(shortPrefix);
    const end: number = id.indexOf(ChildQuestionNames.SEPARATOR,
      id.startsWith(`${parentSessionId}.`) ? parentSessionId.length : 0);
    return named && end > 0 ? id.substring(0, end) : undefined;
  }

  outer(id: string): string {
    return this.childSessionId + ChildQuestionNames.SEPARATOR + id;
  }

  inner(id: string): string {
    return id.substring(this.childSessionId.length + ChildQuestionNames.SEPARATOR.length);
  }

  request(request: ApprovalDecisionRequest): ApprovalDecisionRequest {
    const asked: ApprovalDecisionRequest = {
      approvalId: this.inner(request.approvalId), approve: request.approve, denyReason: request.denyReason,
      editedArgumentsJson: request.editedArgumentsJson, decidedBy: request.decidedBy, remember: request.remember
    };
    return asked;
  }

  batch(batch: PendingApprovalBatch): PendingApprovalBatch {
    const init: PendingApprovalBatchInit = {
      batchId: this.outer(batch.batchId), runId: batch.runId, modelMessage: batch.modelMessage, createdAtMs: batch.createdAtMs,
      siblings: batch.siblings,
      items: batch.items.map<PendingApprovalItem>((item: PendingApprovalItem) => this.item(item))
    };
    return new PendingApprovalBatch(init);
  }

  resolved(event: ApprovalResolvedEvent, stamp: EventStamp): ApprovalResolvedEvent {
    const decisions: ApprovalResolution[] = event.decisions.map<ApprovalResolution>((line: ApprovalResolution) => {
      const renamed: ApprovalResolution = {
        approvalId: this.outer(line.approvalId), decision: line.decision, decidedBy: line.decidedBy, denyReason: line.denyReason
      };
      return renamed;
    });
    return new ApprovalResolvedEvent(stamp, this.outer(event.batchId), decisions, event.allDecided, event.closedBy);
  }

  expiring(event: ApprovalExpiringEvent, stamp: EventStamp): ApprovalExpiringEvent {
    return new ApprovalExpiringEvent(stamp, this.outer(event.batchId), this.outer(event.approvalId), event.expiresAtMs);
  }

  private item(item: PendingApprovalItem): PendingApprovalItem {
    const init: PendingApprovalItemInit = item.toInit();
    init.approvalId = this.outer(item.approvalId);
    init.origin = item.origin.length === 0 ? [this.parentSessionId, this.childSessionId] :
      [this.parentSessionId].concat(item.origin);
    return new PendingApprovalItem(init);
  }
}
