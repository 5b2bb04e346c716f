import { BackgroundDesk, BackgroundJob, JobStart } from '../../control/BackgroundDesk';
import { PreparedCall } from '../prepare/PreparedCall';

/** How the calls of a batch become jobs. */
export interface CallJobs {
  desk: BackgroundDesk;
  /** The run whose calls they are. */
  runId: string;
  /** The call goes on as a job; before that is journalled. */
  onJob: (position: number) => void;
  /** The call was given up, and this job is how to look after it; before that is journalled. */
  onInspection: (position: number, tool: string, jobId: string) => void;
}

/** What is known of a call before it becomes a job. */
export interface JobCall {
  batchId: string;
  position: number;
  callId: string;
  toolName: string;
  hasEffect: boolean;
  startedAtMs: number;
}

/** The way of one call into the background. */
export class JobWay {
  private readonly jobs: CallJobs;
  private readonly call: JobCall;
  private ask: () => boolean = (): boolean => false;
  private cancel: (reason: string) => void = (reason: string): void => {
  };
  private opened: BackgroundJob | undefined = undefined;
  private abandoned: boolean = false;

  constructor(jobs: CallJobs, call: JobCall) {
    this.jobs = jobs;
    this.call = call;
  }

  /** Milliseconds; 0 = only when the executor asks. */
  get afterMs(): number {
    return this.jobs.desk.jobAfterMs;
  }

  /** Milliseconds that the job may take from when it has become one; 0 = as long as it wants. */
  get timeoutMs(): number {
    return this.jobs.desk.jobTimeoutMs;
  }

  /** Set when the call has become a job, or can be looked at as one. */
  get job(): BackgroundJob | undefined {
    return this.opened;
  }

  /** Nobody waits for it any more: what it comes to is told as a late result, not as the job's end. */
  get givenUp(): boolean {
    return this.abandoned;
  }

  /**
   * The attempt begins.
   * @param ask makes the attempt a job, if it still can
   * @param cancel fires the signal of the attempt
   */
  begin(ask: () => boolean, cancel: (reason: string) => void): void {
    this.ask = ask;
    this.cancel = cancel;
  }

  /** The executor asks. @returns whether the call goes on as a job */
  detach(): boolean {
    return this.ask();
  }

  /** @returns false when there is no room: the call goes on as it is */
  take(): boolean {
    if (this.opened !== undefined) {
      return false;
    }
    this.opened = this.open(false);
    if (this.opened !== undefined) {
      this.jobs.onJob(this.call.position);
    }
    return this.opened !== undefined;
  }

  /** The job did not end in time. */
  abandon(): void {
    this.abandoned = true;
  }

  /** Nobody waits for the call any more, and nobody knows what it does (DEC-41). @returns how to look after it */
  giveUp(): string | undefined {
    this.abandoned = true;
    this.opened = this.open(true);
    if (this.opened === undefined) {
      return undefined;
    }
    this.jobs.onInspection(this.call.position, this.jobs.desk.inspectionTool, this.opened.jobId);
    return `${this.jobs.desk.inspectionTool} tells of it under the jobId ${this.opened.jobId}`;
  }

  private open(givenUp: boolean): BackgroundJob | undefined {
    const start: JobStart = {
      runId: this.jobs.runId, batchId: this.call.batchId, position: this.call.position, callId: this.call.callId, toolName: this.call.toolName,
      hasEffect: this.call.hasEffect, startedAtMs: this.call.startedAtMs, givenUp: givenUp, cancel: this.cancel
    };
    return this.jobs.desk.open(start);
  }
}

/** The way into the background of a call that may take one. */
export function wayOf(prepared: PreparedCall, jobs: CallJobs | undefined, batchId: string, startedAtMs: number): JobWay | undefined {
  if (jobs === undefined || prepared.tool?.contract.background !== true || prepared.delegates) {
    return undefined;
  }
  const call: JobCall = {
    batchId: batchId, position: prepared.call.index, callId: prepared.call.id, toolName: prepared.call.name,
    hasEffect: prepared.hasEffect, startedAtMs: startedAtMs
  };
  return new JobWay(jobs, call);
}
