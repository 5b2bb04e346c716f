import { ToolService, ToolServiceRegistry } from './ToolService';

/** Progress of a running call, for the interface. */
export type ToolProgressListener = (message: string, fraction: number) => void;

/** The members of a scope. */
export interface ToolCallScopeInit {
  callId: string;
  attempt: number;
  idempotencyKey: string;
  deadlineMs: number;
  onProgress: ToolProgressListener;
  /** @returns whether the call goes on as a job; undefined = there are no jobs */
  onDetach?: () => boolean;
}

/** What a call may know about itself; found in the context under `tool.call`. */
export class ToolCallScope implements ToolService {
  readonly serviceId: string = ToolServiceRegistry.CALL_SCOPE_ID;
  readonly callId: string;
  /** From 0; counts re-runs of an idempotent call. */
  readonly attempt: number;
  /** The same for every attempt of this call; hand it to a service that deduplicates. */
  readonly idempotencyKey: string;
  /** Milliseconds since the epoch; 0 when the call has no time-out. */
  readonly deadlineMs: number;
  private readonly onProgress: ToolProgressListener;
  private readonly onDetach: (() => boolean) | undefined;
  private closed: boolean = false;

  constructor(init: ToolCallScopeInit) {
    this.callId = init.callId;
    this.attempt = init.attempt;
    this.idempotencyKey = init.idempotencyKey;
    this.deadlineMs = init.deadlineMs;
    this.onProgress = init.onProgress;
    this.onDetach = init.onDetach;
  }

  /** @param fraction 0 to 1, or -1 when it is not known */
  reportProgress(message: string, fraction: number = -1): void {
    if (!this.closed) {
      this.onProgress(message, fraction);
    }
  }

  /**
   * Asks for the call to go on as a job: it is answered with a job's id at once, and what the executor answers in the end is
   * the job's result. For tools whose contract says `background`.
   * @returns false when it stays an ordinary call: no jobs here, no room for one, or it is being stopped
   */
  detach(): boolean {
    return !this.closed && this.onDetach !== undefined && this.onDetach();
  }

  /** The call has its answer: what it still reports is dropped. @internal */
  close(): void {
    this.closed = true;
  }
}
