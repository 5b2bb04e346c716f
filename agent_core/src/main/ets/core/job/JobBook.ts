import { FeatureSession } from '../control/AgentFeature';
import { JsonObject } from '../json/JsonObject';
import { JsonValue } from '../json/JsonValue';
import { StateSlice } from '../state/StateSlice';
import { Job } from './Job';

/** The jobs of a session as its state holds them, in the order in which they began. What is put is in the next commit. */
export class JobBook {
  static readonly SLICE: string = 'jobs';
  static readonly VERSION: number = 1;
  /** Ended jobs that are remembered; the oldest go first. */
  static readonly KEPT: number = 32;
  private readonly session: FeatureSession;
  private readFrom: StateSlice | undefined = undefined;
  private read: ReadonlyArray<Job> = [];

  constructor(session: FeatureSession) {
    this.session = session;
  }

  /** Written by a newer version of the app: it must stay as it is, and no job can begin. */
  get foreign(): boolean {
    const slice: StateSlice | undefined = this.session.getSlice(JobBook.SLICE);
    return slice !== undefined && slice.version > JobBook.VERSION;
  }

  list(): ReadonlyArray<Job> {
    const slice: StateSlice | undefined = this.session.getSlice(JobBook.SLICE);
    if (slice !== this.readFrom) {
      this.readFrom = slice;
      this.read = slice === undefined || slice.version !== JobBook.VERSION ? [] : jobsOf(slice.json);
    }
    return this.read;
  }

  find(jobId: string): Job | undefined {
    return this.list().find((job: Job) => job.jobId === jobId);
  }

  /** An id that no job of this session had before. */
  nextId(): string {
    return `job-${this.count + 1}`;
  }

  add(job: Job): void {
    this.keep(this.list().concat([job]), this.count + 1);
  }

  replace(job: Job): void {
    this.keep(this.list().map<Job>((known: Job) => known.jobId === job.jobId ? job : known), this.count);
  }

  /** Jobs that ever began. */
  private get count(): number {
    return this.session.getSlice(JobBook.SLICE)?.json.getNumber('count') ?? 0;
  }

  private keep(jobs: ReadonlyArray<Job>, count: number): void {
    let surplus: number = jobs.filter((job: Job) => !job.running).length - JobBook.KEPT;
    const kept: Job[] = [];
    for (const job of jobs) {
      if (!job.running && surplus > 0) {
        surplus--;
      } else {
        kept.push(job);
      }
    }
    this.session.putSlice(JobBook.SLICE, new StateSlice(JobBook.VERSION, new JsonObject().setNumber('count', count)
      .setArray('jobs', kept.map<JsonValue>((job: Job) => JsonValue.object(job.toJson())))));
  }
}

function jobsOf(json: JsonObject): ReadonlyArray<Job> {
  const found: Job[] = [];
  for (const item of json.getArray('jobs') ?? []) {
    const job: Job | undefined = Job.fromJson(item.asObject());
    if (job !== undefined) {
      found.push(job);
    }
  }
  return found;
}
