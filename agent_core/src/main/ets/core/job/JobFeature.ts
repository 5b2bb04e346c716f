import { ArkAgentError } from '../base/ArkAgentError';
import { ErrorCode } from '../base/ErrorCodes';
import { Result } from '../base/Result';
import { BaseAgentFeature, FeatureSession } from '../control/AgentFeature';
import { BackgroundDesk } from '../control/BackgroundDesk';
import { ToolRegistry } from '../tool/ToolRegistry';
import { Job } from './Job';
import { CancelAnswer, JobDesk } from './JobDesk';
import { JobTool } from './JobTool';
import { JobCancelTool, JobStatusTool, JobTailTool } from './JobTools';

/** How calls become jobs; a member left out takes the default named at its line. */
export interface JobOptions {
  /** Milliseconds until a call of a tool that may run in the background becomes a job: 10,000. 0 = only when its executor asks. */
  jobAfterMs?: number;
  /** Jobs that run at once: 8. A call that finds no room stays an ordinary call with its time-out. */
  maxRunning?: number;
}

/** What a 32-bit timer can hold. */
const MAX_TIMER_MS: number = 2147483647;

/**
 * Lets slow calls go on in the background. A call becomes a job when its tool's contract says `background` and it has not
 * answered within `jobAfterMs`, or when its executor asks for it through `ToolCallScope.detach()`; it passed the same hooks,
 * gates and questions as any call. The model gets a jobId at once and is told of the end once, before its next call.
 *
 * A job outlives its run and a cancel of that run; it does not outlive the process: one that was running is `unknown` after
 * that, and its effect is not made again without a person. One instance per session.
 *
 * Use: `register` into the session's registry, then name the feature in `AgentConfig.features`.
 */
export class JobFeature extends BaseAgentFeature {
  private readonly desk: JobDesk;
  private readonly jobAfterMs: number;
  private readonly maxRunning: number;

  constructor(options: JobOptions = {}) {
    super('jobs');
    this.jobAfterMs = options.jobAfterMs ?? 10000;
    this.maxRunning = options.maxRunning ?? 8;
    this.desk = new JobDesk(this.jobAfterMs, this.maxRunning);
  }

  /** Adds job_status, job_tail and job_cancel. Errors: config_invalid for the options, those of `ToolRegistry.register`. */
  register(registry: ToolRegistry): Result<boolean, ArkAgentError> {
    if (!isWhole(this.jobAfterMs, 0, MAX_TIMER_MS) || !isWhole(this.maxRunning, 1, 1000)) {
      return Result.failure<boolean, ArkAgentError>(ArkAgentError.of(ErrorCode.configInvalid,
        `jobAfterMs must be a whole number from 0 to ${MAX_TIMER_MS}, maxRunning one from 1 to 1000`));
    }
    const tools: ReadonlyArray<JobTool> = [new JobStatusTool(this.desk), new JobTailTool(this.desk), new JobCancelTool(this.desk)];
    for (const tool of tools) {
      const added: Result<boolean, ArkAgentError> = registry.register(tool.definition(), tool, tool.contract());
      if (!added.ok) {
        return added;
      }
    }
    return Result.success<boolean, ArkAgentError>(true);
  }

  /** The jobs of the session that this feature is installed in, oldest first; ended ones are kept up to a bound. */
  list(): ReadonlyArray<Job> {
    return this.desk.list();
  }

  /** The last lines that a job of this process reported. */
  tail(jobId: string, lines: number): ReadonlyArray<string> {
    return this.desk.output(jobId)?.tail(lines) ?? [];
  }

  /** A person stops a job. @returns false when there is none that runs under the id */
  cancel(jobId: string, reason: string = ''): boolean {
    return this.desk.cancel(jobId, reason) === CancelAnswer.requested;
  }

  override install(session: FeatureSession): void {
    this.desk.install(session);
  }

  override background(): BackgroundDesk | undefined {
    return this.desk;
  }
}

function isWhole(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most;
}
