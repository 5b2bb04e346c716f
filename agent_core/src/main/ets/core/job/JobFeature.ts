import { ArkAgentError } from '../base/ArkAgentError';
import { ErrorCode } from '../base/ErrorCodes';
import { Result } from '../base/Result';
import { BaseAgentFeature, FeatureSession } from '../control/AgentFeature';
import { BackgroundDesk } from '../control/BackgroundDesk';
import { AgentHook } from '../hook/AgentHook';
import { AfterRunHookContext } from '../hook/context/AfterRunHookContext';
import { AgentStopReasons } from '../state/AgentStopReason';
import { ToolRegistry } from '../tool/ToolRegistry';
import { Job } from './Job';
import { CancelAnswer, JobDesk, JobRules } from './JobDesk';
import { JobTool } from './JobTool';
import { JobCancelTool, JobStatusTool, JobTailTool } from './JobTools';

/** How calls become jobs; a member left out takes the default named at its line. */
export interface JobOptions {
  /** Milliseconds until a call of a tool that may run in the background becomes a job: 10,000. 0 = only when its executor asks. */
  jobAfterMs?: number;
  /**
   * Milliseconds that a job may take from when it became one: 3,600,000, an hour. Then it is told to stop, and after the session's
   * timeoutGraceMs nobody waits for it any more: it is `unknown` when it has an effect, otherwise failed. 0 = no bound.
   */
  jobTimeoutMs?: number;
  /** A job goes on when the run that began it has ended, however it did: true. With false it is told to stop then. */
  outlivesRun?: boolean;
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
 * A job outlives its run and a cancel of that run, unless `outlivesRun` says otherwise; it does not outlive the process: one that
 * was running is `unknown` after that, and its effect is not made again without a person. What it ends with is masked, limited
 * and put before the afterToolCall hooks like any result. One instance per session.
 *
 * Use: `register` into the session's registry, then name the feature in `AgentConfig.features`.
 */
export class JobFeature extends BaseAgentFeature {
  private readonly desk: JobDesk;
  private readonly rules: JobRules;
  private readonly ending: ReadonlyArray<AgentHook>;

  constructor(options: JobOptions = {}) {
    super('jobs');
    this.rules = {
      jobAfterMs: options.jobAfterMs ?? 10000, jobTimeoutMs: options.jobTimeoutMs ?? 3600000, maxRunning: options.maxRunning ?? 8
    };
    this.desk = new JobDesk(this.rules);
    this.ending = options.outlivesRun === false ? [new RunEndHook(this.desk)] : [];
  }

  /** Adds job_status, job_tail and job_cancel. Errors: config_invalid for the options, those of `ToolRegistry.register`. */
  register(registry: ToolRegistry): Result<boolean, ArkAgentError> {
    const rules: JobRules = this.rules;
    if (!isWhole(rules.jobAfterMs, 0, MAX_TIMER_MS) || !isWhole(rules.jobTimeoutMs, 0, MAX_TIMER_MS) || !isWhole(rules.maxRunning, 1, 1000)) {
      return Result.failure<boolean, ArkAgentError>(ArkAgentError.of(ErrorCode.configInvalid,
        `jobAfterMs and jobTimeoutMs must be whole numbers from 0 to ${MAX_TIMER_MS}, maxRunning one from 1 to 1000`));
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

  override hooks(): ReadonlyArray<AgentHook> {
    return this.ending;
  }

  override background(): BackgroundDesk | undefined {
    return this.desk;
  }
}

/** Tells the jobs of a run that it has ended; a suspension is no end. */
class RunEndHook extends AgentHook {
  private readonly desk: JobDesk;

  constructor(desk: JobDesk) {
    super('jobs');
    this.desk = desk;
  }

  override async afterRun(context: AfterRunHookContext): Promise<void> {
    if (!AgentStopReasons.isSuspension(context.stopReason)) {
      this.desk.endWithRun(context.runId);
    }
  }
}

function isWhole(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most;
}
