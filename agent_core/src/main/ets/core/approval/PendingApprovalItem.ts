import { ToolCall } from '../message/ToolCall';
import { ToolRiskLevel } from '../model/ToolDefinition';
import { ToolEffect } from '../tool/ToolContract';
import { ApprovalDecision, ApprovalKind } from './ApprovalModes';

/** The parts of an item. */
export interface PendingApprovalItemInit {
  approvalId: string;
  position: number;
  round: number;
  kind: ApprovalKind;
  toolCall: ToolCall;
  proposedCall?: ToolCall;
  riskLevel: ToolRiskLevel;
  effect: ToolEffect;
  reason: string;
  digest?: string;
  definitionHash?: string;
  createdAtMs: number;
  expiresAtMs?: number;
  decision: ApprovalDecision;
  denyReason?: string;
  decidedAtMs?: number;
  decidedBy?: string;
  warnings: ReadonlyArray<string>;
  origin: ReadonlyArray<string>;
  predecessorUnknown?: boolean;
}

/** One question to a person. Plain data, immutable; a decision makes a new item. */
export class PendingApprovalItem {
  /** `batchId:position:round` (DEC-47). */
  readonly approvalId: string;
  /** Position of the call in the assistant message. */
  readonly position: number;
  /** From 0; +1 for each new question about the same call. */
  readonly round: number;
  readonly kind: ApprovalKind;
  /** What will run: the call after hooks and edits, with the model's call id. */
  readonly toolCall: ToolCall;
  /** What the model proposed, where an edit or a hook changed it. */
  readonly proposedCall: ToolCall | undefined;
  readonly riskLevel: ToolRiskLevel;
  readonly effect: ToolEffect;
  /** Why it is asked. */
  readonly reason: string;
  /** `v1:sha256:…` over name, canonical arguments and tool definition. */
  readonly digest: string | undefined;
  readonly definitionHash: string | undefined;
  /** Milliseconds since the epoch, like all `…AtMs`. */
  readonly createdAtMs: number;
  readonly expiresAtMs: number | undefined;
  readonly decision: ApprovalDecision;
  readonly denyReason: string | undefined;
  readonly decidedAtMs: number | undefined;
  readonly decidedBy: string | undefined;
  /** Notes of hooks, shown on the card. */
  readonly warnings: ReadonlyArray<string>;
  /** Path of the agent that asks (parent/child); empty for the agent itself. */
  readonly origin: ReadonlyArray<string>;
  /** The same effect was proposed before and its outcome is unknown. */
  readonly predecessorUnknown: boolean;

  constructor(init: PendingApprovalItemInit) {
    this.approvalId = init.approvalId;
    this.position = init.position;
    this.round = init.round;
    this.kind = init.kind;
    this.toolCall = init.toolCall;
    this.proposedCall = init.proposedCall;
    this.riskLevel = init.riskLevel;
    this.effect = init.effect;
    this.reason = init.reason;
    this.digest = init.digest;
    this.definitionHash = init.definitionHash;
    this.createdAtMs = init.createdAtMs;
    this.expiresAtMs = init.expiresAtMs;
    this.decision = init.decision;
    this.denyReason = init.denyReason;
    this.decidedAtMs = init.decidedAtMs;
    this.decidedBy = init.decidedBy;
    this.warnings = init.warnings.slice();
    this.origin = init.origin.slice();
    this.predecessorUnknown = init.predecessorUnknown ?? false;
  }

  isPending(): boolean {
    return this.decision === ApprovalDecision.pending;
  }

  /** A copy that shares nothing that could be changed. */
  clone(): PendingApprovalItem {
    return new PendingApprovalItem(this.toInit());
  }

  approved(decidedBy: string, atMs: number): PendingApprovalItem {
    const init: PendingApprovalItemInit = this.toInit();
    init.decision = ApprovalDecision.approved;
    init.decidedBy = decidedBy;
    init.decidedAtMs = atMs;
    return new PendingApprovalItem(init);
  }

  denied(decidedBy: string, atMs: number, reason?: string): PendingApprovalItem {
    const init: PendingApprovalItemInit = this.toInit();
    init.decision = ApprovalDecision.denied;
    init.decidedBy = decidedBy;
    init.decidedAtMs = atMs;
    init.denyReason = reason;
    return new PendingApprovalItem(init);
  }

  /** The parts of this item, to make a changed copy from. */
  toInit(): PendingApprovalItemInit {
    const init: PendingApprovalItemInit = {
      approvalId: this.approvalId, position: this.position, round: this.round, kind: this.kind,
      toolCall: this.toolCall, proposedCall: this.proposedCall, riskLevel: this.riskLevel, effect: this.effect,
      reason: this.reason, digest: this.digest, definitionHash: this.definitionHash, createdAtMs: this.createdAtMs,
      expiresAtMs: this.expiresAtMs, decision: this.decision, denyReason: this.denyReason,
      decidedAtMs: this.decidedAtMs, decidedBy: this.decidedBy, warnings: this.warnings, origin: this.origin,
      predecessorUnknown: this.predecessorUnknown
    };
    return init;
  }
}
