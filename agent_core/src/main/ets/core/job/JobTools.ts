import { JsonObject } from '../json/JsonObject';
import { JsonValue } from '../json/JsonValue';
import { ToolDefinition } from '../model/ToolDefinition';
import { Job } from './Job';
import { JobDesk } from './JobDesk';
import { JobNames } from './JobNames';
import { JobOutput } from './JobOutput';
import { JobTool, typed } from './JobTool';

/** Tells how a job stands, or which jobs there are. Asking again and again is no loop while the job goes on. */
export class JobStatusTool extends JobTool {
  constructor(desk: JobDesk) {
    super(desk);
  }

  definition(): ToolDefinition {
    return this.define(JobNames.STATUS, 'Tells the state of a background job and its result once it has ended. Without jobId: lists the jobs. ' +
      'You are told when a job ends; there is no need to wait for it.', new JsonObject().setObject('jobId', typed('string')), []);
  }

  protected answer(args: JsonObject): JsonObject {
    if (args.getString('jobId') === undefined) {
      return new JsonObject().setArray('jobs', this.desk.list().map<JsonValue>((job: Job) => JsonValue.object(this.head(job))));
    }
    const job: Job = this.jobOf(args);
    const shown: JsonObject = this.head(job).setNumber('reportedLines', this.desk.output(job.jobId)?.total ?? 0);
    return job.running ? shown : shown.setString('result', job.answer);
  }

  private head(job: Job): JsonObject {
    const until: number = job.running ? this.desk.nowMs() : job.endedAtMs;
    return new JsonObject().setString('jobId', job.jobId).setString('tool', job.toolName).setString('callId', job.callId)
      .setString('status', job.state).setNumber('elapsedMs', Math.max(0, until - job.startedAtMs));
  }
}

/** The last lines that a job reported. */
export class JobTailTool extends JobTool {
  private static readonly DEFAULT_LINES: number = 20;

  constructor(desk: JobDesk) {
    super(desk);
  }

  definition(): ToolDefinition {
    return this.define(JobNames.TAIL, `Gives the last lines that a background job reported; at most ${JobOutput.MAX_LINES}.`,
      new JsonObject().setObject('jobId', typed('string')).setObject('lines', typed('integer')), ['jobId']);
  }

  protected answer(args: JsonObject): JsonObject {
    const job: Job = this.jobOf(args);
    const output: JobOutput | undefined = this.desk.output(job.jobId);
    const lines: ReadonlyArray<string> = output?.tail(args.getNumber('lines') ?? JobTailTool.DEFAULT_LINES) ?? [];
    return new JsonObject().setString('jobId', job.jobId).setString('status', job.state)
      .setNumber('reportedLines', output?.total ?? 0).set('lines', JsonValue.strings(lines));
  }
}

/**
 * Tells a job to stop. Needs no consent: it reaches only work that this session began and that was let through by every gate,
 * and it asks that work to do less, not more.
 */
export class JobCancelTool extends JobTool {
  constructor(desk: JobDesk) {
    super(desk);
  }

  definition(): ToolDefinition {
    return this.define(JobNames.CANCEL, 'Asks a background job to stop. It may take a while, and what it has done already stays done; ' +
      'job_status tells when it has ended.', new JsonObject().setObject('jobId', typed('string')), ['jobId']);
  }

  protected answer(args: JsonObject): JsonObject {
    const job: Job = this.jobOf(args);
    this.desk.cancel(job.jobId, 'job_cancel');
    return new JsonObject().setString('jobId', job.jobId).setString('status', this.desk.find(job.jobId)?.state ?? job.state);
  }
}
