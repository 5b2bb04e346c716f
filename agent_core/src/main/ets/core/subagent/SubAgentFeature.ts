import { ArkAgentError } from '../base/ArkAgentError';
import { ErrorCode } from '../base/ErrorCodes';
import { Result } from '../base/Result';
import { BaseAgentFeature, ChildQuestions, FeatureSession } from '../control/AgentFeature';
import { FeatureLink } from '../runtime/session/FeatureLink';
import { ToolRegistry } from '../tool/ToolRegistry';
import { ChildTasks } from './ChildTasks';
import { DelegateTaskTool } from './DelegateTaskTool';
import { SubAgentOptions, WorkerRules } from './SubAgentOptions';
import { WorkerConfig } from './WorkerConfig';
import { WorkerFeature } from './WorkerFeature';

/**
 * Lets the model give tasks to workers. A worker is a session of its own, stored beside this one and linked to the call that
 * started it: it survives a kill, its questions are this session's questions under `child/…`, and its rules are this session's
 * rules or stricter ones (DEC-54).
 *
 * One instance per session. Use: `register` into the session's registry, then name the feature in `AgentConfig.features`.
 */
export class SubAgentFeature extends BaseAgentFeature {
  private readonly rules: WorkerRules;
  private readonly tasks: ChildTasks;
  private link: FeatureLink | undefined = undefined;

  constructor(options: SubAgentOptions = {}) {
    super('subagent');
    this.rules = new WorkerRules(options);
    this.tasks = WorkerFeature.tasks(this.rules, 0);
  }

  /** Adds delegate_task. Errors: config_invalid for the options, those of `ToolRegistry.register`. */
  register(registry: ToolRegistry): Result<boolean, ArkAgentError> {
    const problems: string[] = this.rules.problems();
    if (problems.length > 0) {
      return Result.failure<boolean, ArkAgentError>(
        ArkAgentError.of(ErrorCode.configInvalid, `the options of sub-agents are not usable: ${problems.join('; ')}`)
          .withDetail('problems', problems));
    }
    return DelegateTaskTool.register(registry, this.tasks, this.rules);
  }

  /**
   * The tools that a worker starts with: the session's as they are now, without delegate_task and what the options exclude.
   * A worker that may delegate gets its own delegate_task besides.
   *
   * Errors: config_invalid before the feature is installed.
   */
  buildWorkerToolRegistry(): Result<ToolRegistry, ArkAgentError> {
    return this.link === undefined ? Result.failure<ToolRegistry, ArkAgentError>(
      ArkAgentError.of(ErrorCode.configInvalid, 'sub-agents have no session yet')) :
      WorkerConfig.registry(this.link.config, this.rules, DelegateTaskTool.NAME);
  }

  override install(session: FeatureSession): void {
    if (session instanceof FeatureLink) {
      this.link = session;
      this.tasks.install(session, session.config);
    }
  }

  override children(): ChildQuestions | undefined {
    return this.tasks;
  }
}
