import { CancellationSignal } from '../base/Cancellation';
import { MessageList } from '../message/MessageList';
import { ToolCall } from '../message/ToolCall';

export enum LoopKind {
  /** The same call again and again. */
  toolSignature = 'tool_signature',
  /** A model judged that the run makes no progress. */
  llm = 'llm'
}

/** Verdict about a run. Immutable. */
export class LoopDetectorResult {
  readonly isLoop: boolean;
  readonly reason: string;
  readonly kind: LoopKind;

  private constructor(isLoop: boolean, reason: string, kind: LoopKind) {
    this.isLoop = isLoop;
    this.reason = reason;
    this.kind = kind;
  }

  static notLoop(): LoopDetectorResult {
    return new LoopDetectorResult(false, '', LoopKind.toolSignature);
  }

  static loop(reason: string, kind: LoopKind): LoopDetectorResult {
    return new LoopDetectorResult(true, reason, kind);
  }
}

/** What a verdict may look at. */
export interface LoopCheck {
  /** Signatures of the newest calls, oldest first, at most `windowSize`; persisted with the session. */
  window: ReadonlyArray<string>;
  /** Model calls of the run so far. */
  turn: number;
  messages: MessageList;
  signal: CancellationSignal;
}

/**
 * Decides whether a run goes in circles. Asked after the results of a batch are in the history.
 *
 * Contract: must not throw (a throw counts as "no loop"); `signatureOf` is pure and equal for calls that mean the same.
 */
export interface LoopDetector {
  readonly windowSize: number;
  /** @param call with the model's original arguments (DEC-29) */
  signatureOf(call: ToolCall): string;
  check(state: LoopCheck): Promise<LoopDetectorResult>;
}

/** What a diagnosing model answered. */
export interface LoopVerdict {
  isLoop: boolean;
  /** 0 to 1. */
  confidence: number;
  reason: string;
}

/** Second opinion by a model about turns without progress. Any failure counts as "no loop". */
export interface LoopDiagnosis {
  diagnose(messages: MessageList, signal: CancellationSignal): Promise<LoopVerdict>;
}
