import { BackgroundDesk, BackgroundJob, JobStart } from '../control/BackgroundDesk';

/** How the calls of a batch become jobs. */
export interface CallJobs {
  desk: BackgroundDesk;
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

  /** Set when the call has become a job, or can be looked at as one. */
  get job(): BackgroundJob | undefined {
    return this.opened;
  }

  /** The call was given up before it was a job. */
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
      batchId: this.call.batchId, position: this.call.position, callId: this.call.callId, toolName: this.call.toolName,
      hasEffect: this.call.hasEffect, startedAtMs: this.call.startedAtMs, givenUp: givenUp, cancel: this.cancel
    };
    return this.jobs.desk.open(start);
  }
}
