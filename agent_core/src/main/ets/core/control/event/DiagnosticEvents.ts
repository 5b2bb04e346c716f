import { ArkAgentError } from '../../base/ArkAgentError';
import { HookDiagnostic, HookDiagnosticCode } from '../../hook/HookDiagnostic';
import { HookSlot } from '../../hook/HookSlot';
import { Snapshots } from '../../hook/Snapshots';
import { PersistReason } from '../../state/PersistReason';
import { ControllerEventTypes } from '../ControllerEventTypes';
import { AgentControllerEvent } from './AgentControllerEvent';
import { EventStamp } from './EventStamp';

/** What a loop was seen by. */
export interface LoopEvidence {
  /** The repeated call as `name:arguments`, masked; empty for kind llm. */
  signature: string;
  /** The newest calls, oldest first, in the same form; a pollable tool's with `#` and a digest of the result. */
  window?: ReadonlyArray<string>;
  /** Model calls of the run so far. */
  turn?: number;
  /** The model was told and goes on; the next loop ends the run. */
  nudged?: boolean;
}

/** The run goes in circles: it was stopped, or the model was told so (`nudged`). */
export class LoopDetectedEvent extends AgentControllerEvent {
  /** The evidence, for people. */
  readonly reason: string;
  /** tool_signature or llm. */
  readonly kind: string;
  /** The repeated call as `name:arguments`, masked; empty for kind llm. */
  readonly signature: string;
  readonly window: ReadonlyArray<string>;
  readonly turn: number;
  readonly nudged: boolean;

  constructor(stamp: EventStamp, reason: string, kind: string, signature: string = '', evidence?: LoopEvidence) {
    super(stamp);
    this.reason = reason;
    this.kind = kind;
    this.signature = signature;
    this.window = (evidence?.window ?? []).slice();
    this.turn = evidence?.turn ?? 0;
    this.nudged = evidence?.nudged ?? false;
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
