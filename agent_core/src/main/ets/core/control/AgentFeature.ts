import { ApprovalDecisionRequest, ApprovalDecisionResult } from '../approval/ApprovalDecisionResult';
import { PendingApprovalBatch } from '../approval/PendingApprovalBatch';
import { PendingPlanReview, PlanReviewDecision } from '../approval/PlanReview';
import { ArkAgentError } from '../base/ArkAgentError';
import { Result } from '../base/Result';
import { AgentHook } from '../hook/AgentHook';
import { JsonObject } from '../json/JsonObject';
import { AgentMessage } from '../message/AgentMessage';
import { OpenCall } from '../state/OpenCall';
import { SliceAccess } from '../state/SliceAccess';
import { ChildResult } from '../tool/ChildResult';
import { ToolSelector } from '../tool/ToolSelector';
import { CallResult } from '../state/CallResult';
import { BackgroundDesk } from './BackgroundDesk';
import { AgentControllerEvent } from './event/AgentControllerEvent';
import { EventStamp } from './event/EventStamp';

/**
 * The sessions that calls of this one wait for: sub-agents. Ids of their questions and batches are `child/…` here (DEC-54).
 *
 * Contract: nothing here throws or rejects.
 */
export interface ChildQuestions {
  /** Opens the children of the calls that wait, so that their questions can be listed; once, after install. */
  restore(): Promise<void>;
  /** Open batches of the child sessions, their items' origin naming the path. */
  openBatches(): ReadonlyArray<PendingApprovalBatch>;
  /** @returns undefined when the id belongs to no child */
  decide(request: ApprovalDecisionRequest): Promise<ApprovalDecisionResult> | undefined;
  /** @returns undefined when the batch belongs to no child */
  denyAll(batchId: string, reason: string | undefined): Promise<ApprovalDecisionResult> | undefined;
  /** Some child waits for a person. */
  anyWaiting(): boolean;
  /**
   * The run of this session ends while the call waits: the child's run is closed and stored as ended, its own children first.
   * @returns what the call comes to; undefined when the call is not this feature's
   */
  end(call: OpenCall, reason: string): Promise<ChildResult | undefined>;
  /** The session is closed: so are its children; what runs in them has been suspended. */
  close(): Promise<void>;
}

/** What the model is told of work that went on after its call had been answered. */
export interface WorkNote {
  batchId: string;
  position: number;
  callId: string;
  toolName: string;
  jobId: string;
  /** Redacted and limited; undefined when the work was lost, so that nobody knows what it did. */
  result: CallResult | undefined;
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
  /**
   * Makes a change of the slices when nothing else writes, and stores it: a fact that has happened, no hook is asked. A write
   * that fails is carried by the next one. Once the session is closed nothing happens. Never rejects.
   */
  record(change: () => void): Promise<void>;
  /** Told to the model before its next call, once; in the next commit, like a slice. */
  tellLater(note: WorkNote): void;
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
  /** undefined = the feature runs nothing in the background. Of several features the first one that does counts. */
  background(): BackgroundDesk | undefined;
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

  background(): BackgroundDesk | undefined {
    return undefined;
  }
}
