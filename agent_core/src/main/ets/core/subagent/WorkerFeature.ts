import { ArkAgentError } from '../base/ArkAgentError';
import { Result } from '../base/Result';
import { BaseAgentFeature, ChildQuestions, FeatureSession } from '../control/AgentFeature';
import { AgentHook } from '../hook/AgentHook';
import { FeatureLink } from '../runtime/session/FeatureLink';
import { ResolvedConfig } from '../runtime/config/ResolvedConfig';
import { ToolRegistry } from '../tool/ToolRegistry';
import { ChildDoor, Worker } from './ChildDoor';
import { ChildTasks } from './ChildTasks';
import { DelegateTaskTool } from './DelegateTaskTool';
import { EffectHook } from './EffectHook';
import { ParentLink } from './ParentLink';
import { SharedConsents } from './SharedConsents';
import { WorkerRules } from './SubAgentOptions';

/** In a child session: the link to its parent, the book of its effects, and its own children where it may have some. */
export class WorkerFeature extends BaseAgentFeature {
  private readonly parent: ParentLink;
  private readonly root: ResolvedConfig;
  /** The session that this one works for. */
  private readonly above: FeatureLink;
  private readonly rules: WorkerRules;
  /** 1 for a child of the app's session. */
  private readonly depth: number;
  private readonly effects: EffectHook = new EffectHook();
  private readonly tasks: ChildTasks;

  private constructor(parent: ParentLink, root: ResolvedConfig, above: FeatureLink, rules: WorkerRules, depth: number) {
    super('subagent.worker');
    this.parent = parent;
    this.root = root;
    this.above = above;
    this.rules = rules;
    this.depth = depth;
    this.tasks = WorkerFeature.tasks(rules, depth);
  }

  /** The children of a session at a depth; 0 is the app's own. */
  static tasks(rules: WorkerRules, depth: number): ChildTasks {
    const door: ChildDoor = new ChildDoor(DelegateTaskTool.NAME, rules,
      (parent: ParentLink, root: ResolvedConfig, above: FeatureLink): Worker =>
        WorkerFeature.worker(parent, root, above, rules, depth + 1));
    return new ChildTasks({
      door: door, toolName: DelegateTaskTool.NAME, maxChildrenPerRun: rules.maxChildrenPerRun, nested: depth > 0
    });
  }

  private static worker(parent: ParentLink, root: ResolvedConfig, above: FeatureLink, rules: WorkerRules, depth: number): Worker {
    const feature: WorkerFeature = new WorkerFeature(parent, root, above, rules, depth);
    return {
      feature: feature,
      addTools: (registry: ToolRegistry): Result<boolean, ArkAgentError> => feature.addTools(registry)
    };
  }

  override hooks(): ReadonlyArray<AgentHook> {
    return [this.effects];
  }

  override install(session: FeatureSession): void {
    if (session instanceof FeatureLink) {
      if (session.getSlice(ParentLink.SLICE) === undefined) {
        this.parent.write(session);
        SharedConsents.handDown(this.above, session);
      }
      this.effects.open(session);
      this.tasks.install(session, this.root);
    }
  }

  override children(): ChildQuestions | undefined {
    return this.tasks;
  }

  private addTools(registry: ToolRegistry): Result<boolean, ArkAgentError> {
    return this.depth < this.rules.maxDepth ? DelegateTaskTool.register(registry, this.tasks, this.rules) :
      Result.success<boolean, ArkAgentError>(false);
  }
}
