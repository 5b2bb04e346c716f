import { ApprovalDecision } from '../../approval/ApprovalModes';
import { PendingApprovalBatch } from '../../approval/PendingApprovalBatch';
import { ApprovalCopies } from '../ApprovalCopies';
import { ControllerEventTypes } from '../ControllerEventTypes';
import { AgentControllerEvent } from './AgentControllerEvent';
import { EventStamp } from './EventStamp';

/** Questions are stored and wait for a person. */
export class ApprovalRequiredEvent extends AgentControllerEvent {
  /** A copy. */
  readonly batch: PendingApprovalBatch;
  /** False when the storage does not survive the process: the question may be lost (DEC-11). */
  readonly durable: boolean;

  constructor(stamp: EventStamp, batch: PendingApprovalBatch, durable: boolean) {
    super(stamp);
    this.batch = ApprovalCopies.batch(batch);
    this.durable = durable;
  }

  eventType(): string {
    return ControllerEventTypes.approvalRequired;
  }
}

/** A question will count as denied soon. */
export class ApprovalExpiringEvent extends AgentControllerEvent {
  readonly batchId: string;
  readonly approvalId: string;
  /** Milliseconds since the epoch. */
  readonly expiresAtMs: number;

  constructor(stamp: EventStamp, batchId: string, approvalId: string, expiresAtMs: number) {
    super(stamp);
    this.batchId = batchId;
    this.approvalId = approvalId;
    this.expiresAtMs = expiresAtMs;
  }

  eventType(): string {
    return ControllerEventTypes.approvalExpiring;
  }
}

/** How one question was answered. */
export interface ApprovalResolution {
  readonly approvalId: string;
  /** pending when the batch closed before anybody answered. */
  readonly decision: ApprovalDecision;
  readonly decidedBy: string;
  readonly denyReason?: string;
}

/** Decisions are stored, or the batch was closed without any. */
export class ApprovalResolvedEvent extends AgentControllerEvent {
  readonly batchId: string;
  /** Those that this write made. */
  readonly decisions: ReadonlyArray<ApprovalResolution>;
  /** No question of the batch is open any more. */
  readonly allDecided: boolean;
  /** cancel, abort or new_input when that closed the batch; else empty. */
  readonly closedBy: string;

  constructor(stamp: EventStamp, batchId: string, decisions: ReadonlyArray<ApprovalResolution>, allDecided: boolean,
    closedBy: string = '') {
    super(stamp);
    this.batchId = batchId;
    this.decisions = decisions.slice();
    this.allDecided = allDecided;
    this.closedBy = closedBy;
  }

  eventType(): string {
    return ControllerEventTypes.approvalResolved;
  }
}
