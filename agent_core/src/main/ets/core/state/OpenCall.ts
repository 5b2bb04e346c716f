import { AgentMessage } from '../message/AgentMessage';
import { CallResult } from './CallResult';

/** Where a call stands in its journal (DEC-01). */
export enum CallStatus {
  /** Answered without running: a gate, a policy or a hook refused it. `result` says why. */
  rejected = 'rejected',
  /** Free to run when the batch runs. */
  allowed = 'allowed',
  /** Waits for a person; also when decided, until the claim. */
  awaiting = 'awaiting',
  /** Claimed: about to run in this segment. */
  planned = 'planned',
  /** The executor of a call with an effect may have been entered. */
  started = 'started',
  /** `result` holds the redacted, limited result. */
  finished = 'finished',
  /** Started, and nobody knows what became of it. */
  unknown = 'unknown',
  /** A child session works on it. */
  waiting = 'waiting',
  /** Will not run; `reason` says why. */
  closed = 'closed'
}

/** Why a call was closed without an own result (DEC-20). */
export enum CloseReason {
  cancelledByUser = 'cancelled_by_user',
  streamFailed = 'stream_failed',
  processDied = 'process_died',
  denied = 'denied',
  expired = 'expired',
  notExecuted = 'not_executed',
  hookAbort = 'hook_abort',
  toolChanged = 'tool_changed'
}

/** Name and argument text of a call at some point of its life. Immutable. */
export class CallTarget {
  readonly name: string;
  readonly argumentsJson: string;

  constructor(name: string, argumentsJson: string) {
    this.name = name;
    this.argumentsJson = argumentsJson;
  }

  equals(other: CallTarget): boolean {
    return this.name === other.name && this.argumentsJson === other.argumentsJson;
  }
}

/** How to find out what became of an unknown call. */
export interface CallInspection {
  tool: string;
  jobId: string;
}

/** The parts of a call. */
export interface OpenCallInit {
  position: number;
  status: CallStatus;
  effective: CallTarget;
  attempt: number;
  proposed?: CallTarget;
  digest?: string;
  definitionHash?: string;
  idempotencyKey?: string;
  reason?: string;
  result?: CallResult;
  injected?: ReadonlyArray<AgentMessage>;
  startedAtMs?: number;
  childSessionId?: string;
  inspection?: CallInspection;
  lateResult?: CallResult;
}

/** One call of an open batch with what is known about it. Immutable. */
export class OpenCall {
  readonly position: number;
  readonly status: CallStatus;
  /** What runs: after hooks and edits. */
  readonly effective: CallTarget;
  /** From 0. */
  readonly attempt: number;
  /** What the model wrote, where `effective` differs. */
  readonly proposed: CallTarget | undefined;
  readonly digest: string | undefined;
  readonly definitionHash: string | undefined;
  /** `batchId:position`; calls with an effect. */
  readonly idempotencyKey: string | undefined;
  /** A `CloseReason` when closed. */
  readonly reason: string | undefined;
  readonly result: CallResult | undefined;
  /** Messages that afterToolCall hooks add after the last result of the batch. */
  readonly injected: ReadonlyArray<AgentMessage>;
  readonly startedAtMs: number | undefined;
  readonly childSessionId: string | undefined;
  readonly inspection: CallInspection | undefined;
  /** What a call answered after its deadline; told to the model once, never as a second tool message. */
  readonly lateResult: CallResult | undefined;

  constructor(init: OpenCallInit) {
    this.position = init.position;
    this.status = init.status;
    this.effective = init.effective;
    this.attempt = init.attempt;
    this.proposed = init.proposed;
    this.digest = init.digest;
    this.definitionHash = init.definitionHash;
    this.idempotencyKey = init.idempotencyKey;
    this.reason = init.reason;
    this.result = init.result;
    this.injected = init.injected ?? [];
    this.startedAtMs = init.startedAtMs;
    this.childSessionId = init.childSessionId;
    this.inspection = init.inspection;
    this.lateResult = init.lateResult;
  }

  /** The effect may have happened although no result is stored: it was started, or was about to be repeated after that. */
  get mayHaveHappened(): boolean {
    return this.status === CallStatus.started || this.status === CallStatus.unknown || this.childBegun ||
      (this.attempt > 0 && this.result === undefined);
  }

  /** The child session that the call waits for has stored something. */
  get childBegun(): boolean {
    return this.status === CallStatus.waiting && this.startedAtMs !== undefined;
  }

  /** Nothing of it has begun, and it may still run or be closed. */
  get notStarted(): boolean {
    return this.status === CallStatus.allowed || this.status === CallStatus.awaiting || this.status === CallStatus.planned;
  }

  /** The parts of this call, to make a changed copy from. */
  toInit(): OpenCallInit {
    const init: OpenCallInit = {
      position: this.position, status: this.status, effective: this.effective, attempt: this.attempt,
      proposed: this.proposed, digest: this.digest, definitionHash: this.definitionHash,
      idempotencyKey: this.idempotencyKey, reason: this.reason, result: this.result, injected: this.injected,
      startedAtMs: this.startedAtMs, childSessionId: this.childSessionId, inspection: this.inspection,
      lateResult: this.lateResult
    };
    return init;
  }

  withStatus(status: CallStatus): OpenCall {
    const init: OpenCallInit = this.toInit();
    init.status = status;
    return new OpenCall(init);
  }

  closed(reason: CloseReason): OpenCall {
    const init: OpenCallInit = this.toInit();
    init.status = CallStatus.closed;
    init.reason = reason;
    return new OpenCall(init);
  }

  started(atMs: number): OpenCall {
    const init: OpenCallInit = this.toInit();
    init.status = CallStatus.started;
    init.startedAtMs = atMs;
    return new OpenCall(init);
  }

  /** @param atMs when the child began; undefined while it has stored nothing */
  waitingFor(childSessionId: string, atMs: number | undefined): OpenCall {
    const init: OpenCallInit = this.toInit();
    init.status = CallStatus.waiting;
    init.childSessionId = childSessionId;
    init.startedAtMs = atMs;
    return new OpenCall(init);
  }

  withResult(status: CallStatus, result: CallResult): OpenCall {
    const init: OpenCallInit = this.toInit();
    init.status = status;
    init.result = result;
    return new OpenCall(init);
  }

  withLateResult(late: CallResult): OpenCall {
    const init: OpenCallInit = this.toInit();
    init.lateResult = late;
    return new OpenCall(init);
  }

  withInspection(inspection: CallInspection): OpenCall {
    const init: OpenCallInit = this.toInit();
    init.inspection = inspection;
    return new OpenCall(init);
  }

  withInjected(injected: ReadonlyArray<AgentMessage>): OpenCall {
    const init: OpenCallInit = this.toInit();
    init.injected = injected;
    return new OpenCall(init);
  }
}
