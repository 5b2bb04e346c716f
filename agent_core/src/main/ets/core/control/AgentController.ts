import { ApprovalGrant, RememberRequest } from '../approval/ApprovalGrant';
import { ApprovalDecisionRequest, ApprovalDecisionResult } from '../approval/ApprovalDecisionResult';
import { PendingApprovalBatch } from '../approval/PendingApprovalBatch';
import { PendingApprovalItem } from '../approval/PendingApprovalItem';
import { PendingPlanReview, PlanReviewDecision, PlanReviewDecisionResult } from '../approval/PlanReview';
import { ArkAgentError } from '../base/ArkAgentError';
import { Result } from '../base/Result';
import { ApprovalDesk, openApprovalDesk } from './ApprovalDesk';
import { ApprovalHost } from './ApprovalHost';
import { AgentControllerEvent } from './event/AgentControllerEvent';
import { ControllerEventListener, EventBus } from './EventBus';
import { ControllerRequestHandler } from './RequestHandlers';

/**
 * What an app holds of a running agent: it observes, publishes and routes decisions, and has no state of its own. It
 * never sees the runtime's state, registry or provider.
 *
 * Decisions never throw and never reject: without a runtime the result carries approval_host_missing.
 */
export class AgentController {
  private readonly bus: EventBus;
  private readonly desk: ApprovalDesk;

  /** @param eventBus share one to observe several agents; each agent still needs a controller of its own */
  constructor(eventBus?: EventBus) {
    this.bus = eventBus ?? new EventBus();
    this.desk = openApprovalDesk();
  }

  /**
   * For the runtime. @returns unbinds, any number of times; approval_host_already_bound while another host is bound.
   */
  bindApprovalHost(host: ApprovalHost): Result<() => void, ArkAgentError> {
    return this.desk.bind(host);
  }

  /** As `EventBus.publish`. */
  publish(event: AgentControllerEvent): void {
    this.bus.publish(event);
  }

  /** As `EventBus.subscribe`. A page unsubscribes in aboutToDisappear. */
  subscribe(type: string, listener: ControllerEventListener): () => void {
    return this.bus.subscribe(type, listener);
  }

  /** As `EventBus.subscribeAll`. */
  subscribeAll(listener: ControllerEventListener): () => void {
    return this.bus.subscribeAll(listener);
  }

  /** As `EventBus.hasSubscribers`. */
  hasSubscribers(type: string): boolean {
    return this.bus.hasSubscribers(type);
  }

  /** As `EventBus.request`. */
  request<P extends Object, A extends Object>(key: string, payload: P, fallback?: A): Promise<A | undefined> {
    return this.bus.request<P, A>(key, payload, fallback);
  }

  /** As `EventBus.registerRequestHandler`. */
  registerRequestHandler<P extends Object, A extends Object>(key: string,
    handler: ControllerRequestHandler<P, A>): () => void {
    return this.bus.registerRequestHandler<P, A>(key, handler);
  }

  /** The questions that wait for an answer, of this agent and its children, as copies. */
  listPendingApprovals(): ReadonlyArray<PendingApprovalItem> {
    const open: PendingApprovalItem[] = [];
    for (const batch of this.desk.batches()) {
      for (const item of batch.items) {
        if (item.isPending()) {
          open.push(item);
        }
      }
    }
    return open;
  }

  /** The open batches with everything a card shows: decided items, the other calls, the model's message. Copies. */
  listPendingBatches(): ReadonlyArray<PendingApprovalBatch> {
    return this.desk.batches();
  }

  /** @param decidedBy who decides; default `person` */
  approve(approvalId: string, decidedBy?: string): Promise<ApprovalDecisionResult> {
    const request: ApprovalDecisionRequest = { approvalId: approvalId, approve: true, decidedBy: decidedBy };
    return this.desk.decide(request);
  }

  /**
   * Approves, and allows later calls too. The result names the grant, or says why nothing was remembered; the yes stands
   * either way.
   */
  approveAndRemember(approvalId: string, remember: RememberRequest, decidedBy?: string): Promise<ApprovalDecisionResult> {
    const request: ApprovalDecisionRequest = {
      approvalId: approvalId, approve: true, remember: remember, decidedBy: decidedBy
    };
    return this.desk.decide(request);
  }

  /** What was remembered with a yes and still counts, oldest first. */
  listGrants(): ReadonlyArray<ApprovalGrant> {
    return this.desk.grants();
  }

  /** Later calls ask again. False when there is no such grant. Errors: approval_host_missing, and those of the runtime. */
  revokeGrant(grantId: string): Promise<Result<boolean, ArkAgentError>> {
    return this.desk.revoke(grantId);
  }

  deny(approvalId: string, reason?: string, decidedBy?: string): Promise<ApprovalDecisionResult> {
    const request: ApprovalDecisionRequest = {
      approvalId: approvalId, approve: false, denyReason: reason, decidedBy: decidedBy
    };
    return this.desk.decide(request);
  }

  /** Approves the call with other arguments, which are validated like any call; refused: approval_edit_rejected. */
  approveWithArguments(approvalId: string, argumentsJson: string, decidedBy?: string): Promise<ApprovalDecisionResult> {
    const request: ApprovalDecisionRequest = {
      approvalId: approvalId, approve: true, editedArgumentsJson: argumentsJson, decidedBy: decidedBy
    };
    return this.desk.decide(request);
  }

  /** Denies every open question of a batch; the result carries the batch id as approvalId. */
  denyAll(batchId: string, reason?: string): Promise<ApprovalDecisionResult> {
    return this.desk.denyAll(batchId, reason);
  }

  /** The plan that waits for a person, as a copy. */
  getPendingPlanReview(): PendingPlanReview | undefined {
    return this.desk.planReview();
  }

  /**
   * Answers a plan. The same answer again is ok and changes nothing; another one is plan_review_closed, with what stands in
   * `details`. Errors: approval_host_missing, plan_review_not_found, plan_review_closed, and those of the runtime.
   *
   * @param reviewId the plan that the person saw, so that an answer never meets another plan
   */
  decidePlanReview(decision: PlanReviewDecision, reviewId?: string): Promise<PlanReviewDecisionResult> {
    return this.desk.decidePlan(decision, reviewId);
  }
}
