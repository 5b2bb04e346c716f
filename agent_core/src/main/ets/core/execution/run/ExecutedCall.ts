import { ArkAgentError } from '../../base/ArkAgentError';
import { AgentMessage } from '../../message/AgentMessage';
import { CallResult } from '../../state/CallResult';

export enum CallStop {
  none = 'none',
  /** The result's stop flag: the loop ends after the batch. */
  tool = 'tool',
  /** An afterToolCall hook stopped the loop. */
  hook = 'hook'
}

/** The parts of an executed call. */
export interface ExecutedCallInit {
  result: CallResult;
  injected?: ReadonlyArray<AgentMessage>;
  stop?: CallStop;
  abort?: ArkAgentError;
  journalError?: ArkAgentError;
  cancelled?: boolean;
  stillRunning?: boolean;
  waiting?: boolean;
  withheld?: boolean;
  startedAtMs?: number;
}

/** A call after phase 2. Immutable. */
export class ExecutedCall {
  /** Redacted, limited, after the hooks. */
  readonly result: CallResult;
  /** What afterToolCall hooks want said after the batch. */
  readonly injected: ReadonlyArray<AgentMessage>;
  readonly stop: CallStop;
  /** A hook aborted the run. */
  readonly abort: ArkAgentError | undefined;
  /** A mandatory journal entry could not be written. */
  readonly journalError: ArkAgentError | undefined;
  /** The run was cancelled before or while it ran. */
  readonly cancelled: boolean;
  /** It passed its deadline and has not settled: nothing that may collide with it should start. */
  readonly stillRunning: boolean;
  /** A child session is suspended; there is no result yet. */
  readonly waiting: boolean;
  /** It was not started: a person has to be asked first; there is no result yet. */
  readonly withheld: boolean;
  /** Milliseconds since the epoch; 0 when the executor was not entered. */
  readonly startedAtMs: number;

  constructor(init: ExecutedCallInit) {
    this.result = init.result;
    this.injected = init.injected ?? [];
    this.stop = init.stop ?? CallStop.none;
    this.abort = init.abort;
    this.journalError = init.journalError;
    this.cancelled = init.cancelled ?? false;
    this.stillRunning = init.stillRunning ?? false;
    this.waiting = init.waiting ?? false;
    this.withheld = init.withheld ?? false;
    this.startedAtMs = init.startedAtMs ?? 0;
  }
}
