import { ArkAgentError } from '../base/ArkAgentError';
import { ApprovalDecision } from './ApprovalModes';

/** What a decider asks for. */
export interface ApprovalDecisionRequest {
  approvalId: string;
  approve: boolean;
  denyReason?: string;
  /** Other arguments than the displayed ones; validated like any call. */
  editedArgumentsJson?: string;
  /** Who decides; default `person`. */
  decidedBy?: string;
}

/** What became of a decision. Immutable. */
export class ApprovalDecisionResult {
  static readonly ERROR: string = 'error';
  readonly ok: boolean;
  readonly approvalId: string;
  /** The standing decision: approved or denied; `error` when ok is false. */
  readonly decision: string;
  /** No question of the batch is open any more: a UI may close the sheet. */
  readonly allDecided: boolean;
  readonly error: ArkAgentError | undefined;

  private constructor(ok: boolean, approvalId: string, decision: string, allDecided: boolean,
    error: ArkAgentError | undefined) {
    this.ok = ok;
    this.approvalId = approvalId;
    this.decision = decision;
    this.allDecided = allDecided;
    this.error = error;
  }

  static standing(approvalId: string, decision: ApprovalDecision, allDecided: boolean): ApprovalDecisionResult {
    return new ApprovalDecisionResult(true, approvalId, decision, allDecided, undefined);
  }

  static failed(approvalId: string, error: ArkAgentError): ApprovalDecisionResult {
    return new ApprovalDecisionResult(false, approvalId, ApprovalDecisionResult.ERROR, false, error);
  }
}
