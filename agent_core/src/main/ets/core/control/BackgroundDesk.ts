import { CallResult } from '../state/CallResult';

/** A call whose work goes on without it. */
export interface JobStart {
  /** The run that made the call. */
  runId: string;
  batchId: string;
  position: number;
  callId: string;
  toolName: string;
  hasEffect: boolean;
  /** Milliseconds since the epoch. */
  startedAtMs: number;
  /** The call was given up and answered "unknown"; the job is there to be looked at, and somebody else tells of its end. */
  givenUp: boolean;
  /** Fires the signal of the work, unless its tool cannot be stopped. */
  cancel: (reason: string) => void;
}

/** A job as the pipeline sees it. Contract: nothing here throws. */
export interface BackgroundJob {
  readonly jobId: string;
  /** @param fraction 0 to 1, or -1 when it is not known */
  progress(message: string, fraction: number): void;
  /** Once. @param result redacted, limited, after the hooks; unknown when the job did not end in time */
  ended(result: CallResult): void;
}

/**
 * Where calls of tools that may run in the background become jobs.
 *
 * A call becomes one by rule only: its tool says so in its contract, and either it has not answered in time or its executor
 * asks for it. Nothing that the model writes plays a part.
 */
export interface BackgroundDesk {
  /** Milliseconds until a call that has not answered becomes a job; 0 = only when its executor asks. */
  readonly jobAfterMs: number;
  /** Milliseconds that a job may take; then it is told to stop, and after a grace nobody waits for it. 0 = no bound. */
  readonly jobTimeoutMs: number;
  /** Name of the tool that tells of a job. */
  readonly inspectionTool: string;
  /** What is put into the session's slices is in the commit that answers the call. @returns undefined when there is no room */
  open(start: JobStart): BackgroundJob | undefined;
  /** The session is closed: what runs is told to stop, and nothing is recorded any more. */
  close(): void;
}
