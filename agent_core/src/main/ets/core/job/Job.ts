import { JsonObject } from '../json/JsonObject';

/** Where a job stands. The value is what is stored and what the model reads. */
export enum JobState {
  running = 'running',
  /** Told to stop; it still runs. */
  cancelRequested = 'cancel_requested',
  finished = 'finished',
  failed = 'failed',
  /** It ended after it had been told to stop, and not with a success. */
  cancelled = 'cancelled',
  /** It was running when the app was closed, or had an effect and did not end in time: nobody knows what it did. */
  unknown = 'unknown'
}

/** The parts of a job. */
export interface JobInit {
  jobId: string;
  toolName: string;
  callId: string;
  batchId: string;
  position: number;
  state: JobState;
  hasEffect: boolean;
  /** The call was answered "unknown" before: its end is told as a late result, not as a job's. */
  givenUp: boolean;
  /** Milliseconds since the epoch. */
  startedAtMs: number;
  /** Milliseconds since the epoch; 0 while it runs. */
  endedAtMs: number;
  /** The beginning of what it answered, redacted. */
  answer: string;
}

/** A call whose work goes on without it, as the session remembers it. Immutable. */
export class Job {
  /** UTF-16 code units of an answer that are remembered; the model was told all of it. */
  static readonly MAX_ANSWER_CHARS: number = 2000;
  readonly jobId: string;
  readonly toolName: string;
  readonly callId: string;
  readonly batchId: string;
  readonly position: number;
  readonly state: JobState;
  readonly hasEffect: boolean;
  readonly givenUp: boolean;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly answer: string;

  constructor(init: JobInit) {
    this.jobId = init.jobId;
    this.toolName = init.toolName;
    this.callId = init.callId;
    this.batchId = init.batchId;
    this.position = init.position;
    this.state = init.state;
    this.hasEffect = init.hasEffect;
    this.givenUp = init.givenUp;
    this.startedAtMs = init.startedAtMs;
    this.endedAtMs = init.endedAtMs;
    this.answer = init.answer;
  }

  get running(): boolean {
    return this.state === JobState.running || this.state === JobState.cancelRequested;
  }

  at(state: JobState, endedAtMs: number = 0, answer: string = ''): Job {
    const init: JobInit = {
      jobId: this.jobId, toolName: this.toolName, callId: this.callId, batchId: this.batchId, position: this.position,
      state: state, hasEffect: this.hasEffect, givenUp: this.givenUp, startedAtMs: this.startedAtMs, endedAtMs: endedAtMs,
      answer: answer
    };
    return new Job(init);
  }

  toJson(): JsonObject {
    return new JsonObject().setString('jobId', this.jobId).setString('toolName', this.toolName)
      .setString('callId', this.callId).setString('batchId', this.batchId).setNumber('position', this.position)
      .setString('state', this.state).setBoolean('hasEffect', this.hasEffect).setBoolean('givenUp', this.givenUp)
      .setNumber('startedAtMs', this.startedAtMs).setNumber('endedAtMs', this.endedAtMs).setString('answer', this.answer);
  }

  /** undefined when it is no job. A state that cannot be read is unknown. */
  static fromJson(json: JsonObject | undefined): Job | undefined {
    const jobId: string | undefined = json?.getString('jobId');
    if (json === undefined || jobId === undefined) {
      return undefined;
    }
    const init: JobInit = {
      jobId: jobId, toolName: json.getString('toolName') ?? '', callId: json.getString('callId') ?? '',
      batchId: json.getString('batchId') ?? '', position: json.getNumber('position') ?? 0,
      state: stateNamed(json.getString('state')), hasEffect: json.getBoolean('hasEffect') ?? true,
      givenUp: json.getBoolean('givenUp') ?? false, startedAtMs: json.getNumber('startedAtMs') ?? 0,
      endedAtMs: json.getNumber('endedAtMs') ?? 0, answer: json.getString('answer') ?? ''
    };
    return new Job(init);
  }
}

const STATES: ReadonlyArray<JobState> = [JobState.running, JobState.cancelRequested, JobState.finished, JobState.failed,
  JobState.cancelled];

function stateNamed(name: string | undefined): JobState {
  return STATES.find((state: JobState) => state === name) ?? JobState.unknown;
}
