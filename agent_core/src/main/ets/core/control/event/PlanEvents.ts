import { PendingPlanReview } from '../../approval/PlanReview';
import { JsonObject } from '../../json/JsonObject';
import { ApprovalCopies } from '../ApprovalCopies';
import { ControllerEventTypes } from '../ControllerEventTypes';
import { AgentControllerEvent } from './AgentControllerEvent';
import { EventStamp } from './EventStamp';

/** The agent's plan is another one now. */
export class PlanChangedEvent extends AgentControllerEvent {
  /** A sealed copy. */
  readonly plan: JsonObject;

  constructor(stamp: EventStamp, plan: JsonObject) {
    super(stamp);
    this.plan = plan.clone().seal();
  }

  eventType(): string {
    return ControllerEventTypes.planChanged;
  }
}

/** A plan is stored and waits for a person. */
export class PlanReviewRequiredEvent extends AgentControllerEvent {
  /** A copy. */
  readonly review: PendingPlanReview;
  /** False when the storage does not survive the process. */
  readonly durable: boolean;

  constructor(stamp: EventStamp, review: PendingPlanReview, durable: boolean) {
    super(stamp);
    this.review = ApprovalCopies.planReview(review);
    this.durable = durable;
  }

  eventType(): string {
    return ControllerEventTypes.planReviewRequired;
  }
}
