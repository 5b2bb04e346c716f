import { ApprovalDecisionRequest, ApprovalDecisionResult } from '../approval/ApprovalDecisionResult';
import { PendingApprovalBatch } from '../approval/PendingApprovalBatch';
import { PendingPlanReview, PlanReviewDecision } from '../approval/PlanReview';
import { ArkAgentError } from '../base/ArkAgentError';
import { Result } from '../base/Result';
import { AgentHook } from '../hook/AgentHook';
import { JsonObject } from '../json/JsonObject';
import { AgentMessage } from '../message/AgentMessage';
import { SliceAccess } from '../state/SliceAccess';
import { ToolSelector } from '../tool/ToolSelector';
import { AgentControllerEvent } from './event/AgentControllerEvent';
import { EventStamp } from './event/EventStamp';

/** The questions of a session that this one depends on: a sub-agent's. Its ids are `child/…` for the parent (DEC-54). */
export interface ChildQuestions {
  /** Open batches of the child sessions, their items' origin naming the path. */
  openBatches(): ReadonlyArray<PendingApprovalBatch>;
  /** @returns undefined when the id belongs to no child */
  decide(request: ApprovalDecisionRequest): Promise<ApprovalDecisionResult> | undefined;
  /** Some child waits for a person. */
  anyWaiting(): boolean;
}

/** What a feature may do with the session that it is installed in. */
export interface FeatureSession extends SliceAccess {
  readonly sessionId: string;
  /** For events: a stamp of the run that is active, or of none. */
  stamp(): EventStamp;
  publish(event: AgentControllerEvent): void;
  /** The run suspends for this plan when the calls of the turn have their results; false when one waits already. */
  requestPlanReview(plan: JsonObject): boolean;
  pendingPlanReview(): PendingPlanReview | undefined;
}

/**
 * A part that an app adds to a session: tools, hooks, a choice of tools, a plan, sub-agents. The runtime knows this interface
 * and no feature; a feature registers its tools in the app's registry before the session is opened.
 *
 * Contract: `install` is called once, when the session is open and before anything runs. Nothing here may throw.
 */
export interface AgentFeature {
  readonly name: string;
  /** Run after the app's own hooks. */
  hooks(): ReadonlyArray<AgentHook>;
  /** Narrows what the app's own selector shows; undefined = shows everything. */
  selector(): ToolSelector | undefined;
  install(session: FeatureSession): void;
  /**
   * A person decided the plan that this feature had asked about. Called inside the write that stores the decision.
   * @returns messages for the model, put into the history before the run goes on; undefined when the plan is not this feature's
   */
  planDecided(review: PendingPlanReview, decision: PlanReviewDecision): Result<ReadonlyArray<AgentMessage>, ArkAgentError> | undefined;
  /** undefined = the feature has no child sessions. */
  children(): ChildQuestions | undefined;
}

/** A feature that adds nothing; extend it and override what is needed. */
export class BaseAgentFeature implements AgentFeature {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  hooks(): ReadonlyArray<AgentHook> {
    return [];
  }

  selector(): ToolSelector | undefined {
    return undefined;
  }

  install(session: FeatureSession): void {
  }

  planDecided(review: PendingPlanReview,
    decision: PlanReviewDecision): Result<ReadonlyArray<AgentMessage>, ArkAgentError> | undefined {
    return undefined;
  }

  children(): ChildQuestions | undefined {
    return undefined;
  }
}
