import { ArkAgentError } from '../../base/ArkAgentError';
import { HookDiagnostic, HookDiagnosticCode } from '../../hook/HookDiagnostic';
import { HookSlot } from '../../hook/HookSlot';
import { Snapshots } from '../../hook/Snapshots';
import { PersistReason } from '../../state/PersistReason';
import { ControllerEventTypes } from '../ControllerEventTypes';
import { AgentControllerEvent } from './AgentControllerEvent';
import { EventStamp } from './EventStamp';

/** The run goes in circles and was stopped. */
export class LoopDetectedEvent extends AgentControllerEvent {
  /** The evidence, for people. */
  readonly reason: string;
  /** tool_signature or llm. */
  readonly kind: string;
  /** The repeated call as `name:arguments`, masked; empty for kind llm. */
  readonly signature: string;

  constructor(stamp: EventStamp, reason: string, kind: string, signature: string = '') {
    super(stamp);
    this.reason = reason;
    this.kind = kind;
    this.signature = signature;
  }

  eventType(): string {
    return ControllerEventTypes.loopDetected;
  }
}

/** What became of a write. */
export interface PersistEnd {
  /** A hook left it out. */
  skipped: boolean;
  /** Set when it failed. */
  error?: ArkAgentError;
}

/** A write of the state was made, skipped or failed. */
export class PersistEvent extends AgentControllerEvent {
  readonly reason: PersistReason;
  readonly skipped: boolean;
  readonly failed: boolean;
  readonly error: ArkAgentError | undefined;

  constructor(stamp: EventStamp, reason: PersistReason, end: PersistEnd) {
    super(stamp);
    this.reason = reason;
    this.skipped = end.skipped;
    this.failed = end.error !== undefined;
    this.error = end.error === undefined ? undefined : Snapshots.error(end.error);
  }

  eventType(): string {
    return ControllerEventTypes.statePersisted;
  }
}

/** A hook misbehaved without changing the run. */
export class HookDiagnosticEvent extends AgentControllerEvent {
  readonly hookName: string;
  readonly slot: HookSlot;
  readonly message: string;
  readonly code: HookDiagnosticCode;

  constructor(stamp: EventStamp, diagnostic: HookDiagnostic) {
    super(stamp);
    this.hookName = diagnostic.hookName;
    this.slot = diagnostic.slot;
    this.message = diagnostic.message;
    this.code = diagnostic.code;
  }

  eventType(): string {
    return ControllerEventTypes.hookDiagnostic;
  }
}
