import { FeatureSession, WorkNote } from '../control/AgentFeature';
import { BackgroundDesk, BackgroundJob, JobStart } from '../control/BackgroundDesk';
import { JobChangedEvent, JobProgressEvent } from '../control/event/JobEvents';
import { cutAtCodePoint } from '../execution/filter/ResultFilter';
import { CallResult } from '../state/CallResult';
import { ToolCallStatus } from '../tool/ToolResultEnvelope';
import { Job, JobInit, JobState } from './Job';
import { JobBook } from './JobBook';
import { JobNames } from './JobNames';
import { JobOutput } from './JobOutput';

/** A job of this process. */
class LiveJob implements BackgroundJob {
  readonly jobId: string;
  readonly runId: string;
  readonly output: JobOutput = new JobOutput();
  readonly cancel: (reason: string) => void;
  private readonly onProgress: (message: string, fraction: number) => void;
  private readonly onEnd: (result: CallResult) => void;

  constructor(jobId: string, start: JobStart, onProgress: (message: string, fraction: number) => void,
    onEnd: (result: CallResult) => void) {
    this.jobId = jobId;
    this.runId = start.runId;
    this.cancel = start.cancel;
    this.onProgress = onProgress;
    this.onEnd = onEnd;
  }

  progress(message: string, fraction: number): void {
    this.output.add(message);
    this.onProgress(message, fraction);
  }

  ended(result: CallResult): void {
    this.onEnd(result);
  }
}

/** What became of a wish to stop a job. */
export enum CancelAnswer {
  requested = 'requested',
  notFound = 'not_found',
  /** It has ended already. */
  over = 'over'
}

/** The options of a feature with every default filled in. */
export interface JobRules {
  jobAfterMs: number;
  jobTimeoutMs: number;
  maxRunning: number;
}

/** Begins, watches and ends the jobs of one session. */
export class JobDesk implements BackgroundDesk {
  readonly jobAfterMs: number;
  readonly jobTimeoutMs: number;
  readonly inspectionTool: string = JobNames.STATUS;
  private readonly maxRunning: number;
  private readonly live: Map<string, LiveJob> = new Map<string, LiveJob>();
  private session: FeatureSession | undefined = undefined;
  private book: JobBook | undefined = undefined;
  private closed: boolean = false;

  constructor(rules: JobRules) {
    this.jobAfterMs = rules.jobAfterMs;
    this.jobTimeoutMs = rules.jobTimeoutMs;
    this.maxRunning = rules.maxRunning;
  }

  get sessionId(): string | undefined {
    return this.session?.sessionId;
  }

  list(): ReadonlyArray<Job> {
    return this.book?.list() ?? [];
  }

  find(jobId: string): Job | undefined {
    return this.book?.find(jobId);
  }

  output(jobId: string): JobOutput | undefined {
    return this.live.get(jobId)?.output;
  }

  /** Milliseconds since the epoch. */
  nowMs(): number {
    return this.session?.stamp().timestampMs ?? 0;
  }

  /** Jobs that ran when the process died are unknown now; the model is told of each once. */
  install(session: FeatureSession): void {
    this.session = session;
    this.book = new JobBook(session);
    for (const job of this.book.list()) {
      if (job.running) {
        this.book.replace(job.at(JobState.unknown, this.nowMs()));
        if (!job.givenUp) {
          session.tellLater(noteOf(job, undefined));
        }
      }
    }
  }

  open(start: JobStart): BackgroundJob | undefined {
    const book: JobBook | undefined = this.book;
    if (book === undefined || this.closed || book.foreign || this.runningCount() >= this.maxRunning) {
      return undefined;
    }
    const init: JobInit = {
      jobId: book.nextId(), toolName: start.toolName, callId: start.callId, batchId: start.batchId, position: start.position,
      state: start.givenUp ? JobState.cancelRequested : JobState.running, hasEffect: start.hasEffect, givenUp: start.givenUp,
      startedAtMs: start.startedAtMs, endedAtMs: 0, answer: ''
    };
    const job: Job = new Job(init);
    book.add(job);
    const live: LiveJob = new LiveJob(job.jobId, start,
      (message: string, fraction: number): void => this.tellProgress(job.jobId, message, fraction),
      (result: CallResult): void => this.end(job.jobId, result));
    this.live.set(job.jobId, live);
    // Last: who hears of it may stop it at once.
    this.announce(job);
    return live;
  }

  /** The work is told to stop; whether and when it does is another thing. */
  cancel(jobId: string, reason: string): CancelAnswer {
    const job: Job | undefined = this.find(jobId);
    if (job === undefined || this.book === undefined || this.closed) {
      return CancelAnswer.notFound;
    }
    if (!job.running) {
      return CancelAnswer.over;
    }
    if (job.state === JobState.running) {
      const asked: Job = job.at(JobState.cancelRequested);
      this.book.replace(asked);
      this.announce(asked);
    }
    this.live.get(jobId)?.cancel(reason);
    return CancelAnswer.requested;
  }

  /** The run is over, and its jobs are not to outlive it. */
  endWithRun(runId: string): void {
    for (const job of Array.from(this.live.values())) {
      if (job.runId === runId) {
        this.cancel(job.jobId, 'the run that began the job is over');
      }
    }
  }

  close(): void {
    this.closed = true;
    for (const job of Array.from(this.live.values())) {
      job.cancel('the session was closed');
    }
  }

  private runningCount(): number {
    return this.list().filter((job: Job) => job.running).length;
  }

  private tellProgress(jobId: string, message: string, fraction: number): void {
    if (this.session !== undefined && !this.closed) {
      this.session.publish(new JobProgressEvent(this.session.stamp(), jobId, message, fraction));
    }
  }

  private end(jobId: string, result: CallResult): void {
    const session: FeatureSession | undefined = this.session;
    if (session === undefined || this.closed) {
      return;
    }
    let ended: Job | undefined = undefined;
    session.record((): void => {
      const job: Job | undefined = this.find(jobId);
      if (job === undefined || !job.running) {
        return;
      }
      ended = job.at(endState(job, result), this.nowMs(), cutAtCodePoint(result.toToolResult().text(), Job.MAX_ANSWER_CHARS));
      this.book?.replace(ended);
      if (!job.givenUp) {
        session.tellLater(noteOf(job, result));
      }
    }).then((): void => {
      if (ended !== undefined) {
        this.announce(ended);
      }
      this.forgetOutputs();
    });
  }

  /** Output stays readable as long as the job is remembered. */
  private forgetOutputs(): void {
    for (const jobId of Array.from(this.live.keys())) {
      if (this.find(jobId) === undefined) {
        this.live.delete(jobId);
      }
    }
  }

  private announce(job: Job): void {
    const session: FeatureSession | undefined = this.session;
    session?.publish(new JobChangedEvent(session.stamp(), job.jobId, job.toolName, job.callId, job.state));
  }
}

function endState(job: Job, result: CallResult): JobState {
  if (result.status === ToolCallStatus.ok) {
    return JobState.finished;
  }
  if (result.status === ToolCallStatus.unknown) {
    return JobState.unknown;
  }
  return job.state === JobState.cancelRequested ? JobState.cancelled : JobState.failed;
}

function noteOf(job: Job, result: CallResult | undefined): WorkNote {
  const note: WorkNote = {
    batchId: job.batchId, position: job.position, callId: job.callId, toolName: job.toolName, jobId: job.jobId, result: result
  };
  return note;
}
