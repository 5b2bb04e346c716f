import { ArkAgentError } from '../base/ArkAgentError';
import { RememberRequest } from './ApprovalGrant';
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
  /** With a yes: allow later calls too. What cannot be remembered is said in the result; the decision stands all the same. */
  remember?: RememberRequest;
}

/** What a decision left behind for later calls. */
export interface Remembered {
  grantId: string | undefined;
  /** Why there is no grant although one was asked for; else empty. */
  refusal: string;
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
  /** What was remembered with the decision; `AgentRuntime.listGrants` names it. */
  readonly grantId: string | undefined;
  /** Why nothing was remembered although that was asked for; else empty. */
  readonly notRemembered: string;

  private constructor(ok: boolean, approvalId: string, decision: string, allDecided: boolean,
    error: ArkAgentError | undefined, kept?: Remembered) {
    this.ok = ok;
    this.approvalId = approvalId;
    this.decision = decision;
    this.allDecided = allDecided;
    this.error = error;
    this.grantId = kept?.grantId;
    this.notRemembered = kept?.refusal ?? '';
  }

  static standing(approvalId: string, decision: ApprovalDecision, allDecided: boolean): ApprovalDecisionResult {
    return new ApprovalDecisionResult(true, approvalId, decision, allDecided, undefined);
  }

  static remembered(approvalId: string, decision: ApprovalDecision, allDecided: boolean,
    kept: Remembered): ApprovalDecisionResult {
    return new ApprovalDecisionResult(true, approvalId, decision, allDecided, undefined, kept);
  }

  /** The same answer about the question under another name: a child's at its parent. */
  named(approvalId: string): ApprovalDecisionResult {
    const kept: Remembered = { grantId: this.grantId, refusal: this.notRemembered };
    return new ApprovalDecisionResult(this.ok, approvalId, this.decision, this.allDecided, this.error, kept);
  }

  static failed(approvalId: string, error: ArkAgentError): ApprovalDecisionResult {
    return new ApprovalDecisionResult(false, approvalId, ApprovalDecisionResult.ERROR, false, error);
  }
}
