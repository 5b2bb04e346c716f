import { FeatureSession } from '../control/AgentFeature';
import { PlanChangedEvent } from '../control/event/PlanEvents';
import { StateSlice } from '../state/StateSlice';
import { Plan, PlanPhase } from './Plan';

/** The plan of a session as its state holds it: nothing is kept beside the slice, so a rolled back or reloaded state counts at once. */
export class PlanBook {
  static readonly SLICE: string = 'plan';
  static readonly VERSION: number = 1;
  private session: FeatureSession | undefined = undefined;
  private readFrom: StateSlice | undefined = undefined;
  private read: Plan = Plan.EMPTY;

  open(session: FeatureSession): void {
    this.session = session;
    this.readFrom = undefined;
    this.read = Plan.EMPTY;
  }

  get sessionId(): string | undefined {
    return this.session?.sessionId;
  }

  /** Empty when no run was started yet. */
  get runId(): string {
    return this.session?.stamp().runId ?? '';
  }

  /** The same object until the plan changes. What cannot be read is no plan, and no approval. */
  get plan(): Plan {
    const slice: StateSlice | undefined = this.session?.getSlice(PlanBook.SLICE);
    if (slice !== this.readFrom) {
      this.readFrom = slice;
      this.read = slice === undefined || slice.version !== PlanBook.VERSION ? Plan.EMPTY :
        Plan.fromJson(slice.json) ?? Plan.EMPTY;
    }
    return this.read;
  }

  /** Written by a newer version of the app: it must stay as it is. */
  get foreign(): boolean {
    const slice: StateSlice | undefined = this.session?.getSlice(PlanBook.SLICE);
    return slice !== undefined && slice.version > PlanBook.VERSION;
  }

  /** In the next commit of the session. */
  keep(plan: Plan): void {
    const slice: StateSlice = new StateSlice(PlanBook.VERSION, plan.toJson());
    this.session?.putSlice(PlanBook.SLICE, slice);
    this.readFrom = slice;
    this.read = plan;
  }

  announce(): void {
    this.session?.publish(new PlanChangedEvent(this.session.stamp(), this.plan.toJson()));
  }

  /** The run suspends for the plan that is kept; also after a kill between the request and its own commit. */
  requestReview(): void {
    this.session?.requestPlanReview(this.plan.toJson());
  }

  /** Asks again for a review that was on its way when the process died. */
  restoreRequest(): void {
    if (this.plan.phase === PlanPhase.review && this.plan.isInReviewOf(this.runId) &&
      this.session?.pendingPlanReview() === undefined) {
      this.requestReview();
    }
  }
}
