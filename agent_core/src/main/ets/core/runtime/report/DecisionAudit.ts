import { ApprovalDecisionRequest, ApprovalDecisionResult } from '../../approval/ApprovalDecisionResult';
import { ApprovalDecision } from '../../approval/ApprovalModes';
import { PendingApprovalBatch } from '../../approval/PendingApprovalBatch';
import { PendingApprovalItem } from '../../approval/PendingApprovalItem';
import { ErrorDetail } from '../../base/ArkAgentError';
import { CallAudit } from '../../execution/audit/CallAudit';
import { ToolCall } from '../../message/ToolCall';
import { AuditStep } from '../../port/AuditSink';
import { RunReporter } from './RunReporter';

/** The audit records of decisions: those that were stored, and those that were not taken. */
export class DecisionAudit {
  private readonly reporterFor: (runId: string) => RunReporter;

  constructor(reporterFor: (runId: string) => RunReporter) {
    this.reporterFor = reporterFor;
  }

  stored(batch: PendingApprovalBatch, items: ReadonlyArray<PendingApprovalItem>): void {
    const audit: CallAudit = this.of(batch);
    for (const item of items) {
      audit.note(item.toolCall, AuditStep.decision, item.decidedBy ?? '', item.decision);
    }
    audit.commit();
  }

  /** A yes that later calls will be held against. */
  remembered(batch: PendingApprovalBatch, item: PendingApprovalItem): void {
    this.of(batch).note(item.toolCall, AuditStep.grant, item.decidedBy ?? '', 'remembered');
  }

  /** A decision that came too late, was contradicted, or could not be stored: nothing else is kept of it (DEC-52). */
  refused(batch: PendingApprovalBatch | undefined, request: ApprovalDecisionRequest, by: string,
    result: ApprovalDecisionResult): void {
    const item: PendingApprovalItem | undefined = batch?.find(request.approvalId);
    if (result.ok || batch === undefined || item === undefined) {
      return;
    }
    const cause: ErrorDetail | undefined = result.error?.details?.get('code');
    const call: ToolCall = item.toolCall;
    const audit: CallAudit = this.of(batch);
    audit.note(call, AuditStep.decision, by, request.approve ? `not_${ApprovalDecision.approved}` : `not_${ApprovalDecision.denied}`,
      typeof cause === 'string' ? cause : result.error?.code);
    audit.commit();
  }

  private of(batch: PendingApprovalBatch): CallAudit {
    return this.reporterFor(batch.runId).audit.inBatch(batch.batchId);
  }
}
