import { PendingPlanReview, PlanReviewAction, PlanReviewDecision } from '../approval/PlanReview';
import { ArkAgentError } from '../base/ArkAgentError';
import { ErrorCode } from '../base/ErrorCodes';
import { Result } from '../base/Result';
import { BaseAgentFeature, FeatureSession } from '../control/AgentFeature';
import { AgentHook } from '../hook/AgentHook';
import { AgentMessage } from '../message/AgentMessage';
import { ToolRegistry } from '../tool/ToolRegistry';
import { ToolSelector } from '../tool/ToolSelector';
import { Plan, PlanPhase } from './Plan';
import { PlanBook } from './PlanBook';
import { PlanReminderHook } from './PlanReminderHook';
import { PlanToolSelector } from './PlanToolSelector';
import { PlanLanguage, PlanWords } from './PlanWords';
import { WriteTodosTool } from './WriteTodosTool';

/** How a session plans. */
export interface PlanOptions {
  /** Tools with effects stay hidden until a person approved a plan of the run. */
  planFirst: boolean;
  /** BCP 47 tag of what is said to the model; default en. */
  language?: string;
}

/**
 * Lets the model keep a plan, and in plan-first mode keeps it from acting before a person has seen one.
 *
 * An approved plan makes tools visible and nothing more: each call still meets every gate and every question. It holds for
 * the run in which it was asked for; the next input begins without one. One instance per session.
 *
 * Use: `register` into the session's registry, then name the feature in `AgentConfig.features`.
 */
export class PlanFeature extends BaseAgentFeature {
  /** UTF-16 code units of a reason or a revision. */
  static readonly MAX_DECISION_CHARS: number = 20000;
  private readonly book: PlanBook = new PlanBook();
  private readonly words: PlanWords;
  private readonly planFirst: boolean;
  private readonly reminder: PlanReminderHook;

  constructor(options: PlanOptions) {
    super('plan');
    this.planFirst = options.planFirst;
    this.words = PlanLanguage.of(options.language ?? 'en');
    this.reminder = new PlanReminderHook(this.book, this.words);
  }

  /** Adds write_todos. Errors: those of `ToolRegistry.register`. */
  register(registry: ToolRegistry): Result<boolean, ArkAgentError> {
    const tool: WriteTodosTool = new WriteTodosTool(this.book, this.planFirst, this.words);
    return registry.register(tool.definition(), tool, tool.contract());
  }

  /** The plan of the session that this feature is installed in; empty before. */
  current(): Plan {
    return this.book.plan;
  }

  override hooks(): ReadonlyArray<AgentHook> {
    return [this.reminder];
  }

  override selector(): ToolSelector | undefined {
    return this.planFirst ? new PlanToolSelector(this.book, this.words) : undefined;
  }

  override install(session: FeatureSession): void {
    this.book.open(session);
    this.book.restoreRequest();
  }

  /** Errors: input_empty for a revision without text, input_too_large. */
  override planDecided(review: PendingPlanReview,
    decision: PlanReviewDecision): Result<ReadonlyArray<AgentMessage>, ArkAgentError> | undefined {
    const plan: Plan | undefined = Plan.fromJson(review.plan);
    if (plan === undefined || !plan.isInReviewOf(review.runId)) {
      return undefined;
    }
    const text: string = decision.text.trim();
    if (text.length > PlanFeature.MAX_DECISION_CHARS) {
      return refused(ErrorCode.inputTooLarge, `at most ${PlanFeature.MAX_DECISION_CHARS} characters are accepted`);
    }
    switch (decision.action) {
      case PlanReviewAction.approve:
        return this.decided(plan.at(PlanPhase.approved, review.runId), this.words.approved);
      case PlanReviewAction.revise:
        return text === '' ? refused(ErrorCode.inputEmpty, 'a revision needs a text') :
          this.decided(plan.at(PlanPhase.draft, ''), text);
      default:
        return this.decided(plan.at(PlanPhase.draft, ''),
          text === '' ? this.words.rejectedWithoutReason : this.words.rejected + text);
    }
  }

  /** What the person saw is the plan, whatever the state holds. */
  private decided(plan: Plan, told: string): Result<ReadonlyArray<AgentMessage>, ArkAgentError> {
    this.book.keep(plan);
    return Result.success<ReadonlyArray<AgentMessage>, ArkAgentError>([AgentMessage.user(told)]);
  }
}

function refused(code: ErrorCode, message: string): Result<ReadonlyArray<AgentMessage>, ArkAgentError> {
  return Result.failure<ReadonlyArray<AgentMessage>, ArkAgentError>(ArkAgentError.of(code, message));
}
