import { PendingPlanReview } from '../approval/PlanReview';
import { AgentController } from '../control/AgentController';
import { FeatureSession } from '../control/AgentFeature';
import { AgentControllerEvent } from '../control/event/AgentControllerEvent';
import { EventStamp, EventStamper } from '../control/event/EventStamp';
import { JsonObject } from '../json/JsonObject';
import { IdGenerator } from '../port/IdGenerator';
import { OpenCall } from '../state/OpenCall';
import { StateSlice } from '../state/StateSlice';
import { EffectiveClock } from './EffectiveClock';
import { ResolvedConfig } from './ResolvedConfig';
import { SessionStore } from './SessionStore';

/** What a link is made of. */
export interface FeatureLinkParts {
  store: SessionStore;
  clock: EffectiveClock;
  ids: IdGenerator;
  stamper: EventStamper;
  controller: AgentController | undefined;
  config: ResolvedConfig;
}

/** The session as its features see it: slices, events, and the wish for a plan review. */
export class FeatureLink implements FeatureSession {
  readonly sessionId: string;
  private readonly parts: FeatureLinkParts;
  /** Called when the questions of a child are decided. */
  onChildDecided: () => void = (): void => {
  };
  private wanted: PendingPlanReview | undefined = undefined;

  constructor(parts: FeatureLinkParts) {
    this.parts = parts;
    this.sessionId = parts.store.draft.sessionId;
  }

  /** How the session is set up, for a feature that opens sessions like it. @internal */
  get config(): ResolvedConfig {
    return this.parts.config;
  }

  /** The calls of the open batch. @internal */
  openCalls(): ReadonlyArray<OpenCall> {
    return this.parts.store.draft.openBatch?.calls ?? [];
  }

  /** @internal */
  get openBatchId(): string {
    return this.parts.store.draft.openBatch?.batchId ?? '';
  }

  getSlice(name: string): StateSlice | undefined {
    return this.parts.store.draft.slices.get(name);
  }

  putSlice(name: string, slice: StateSlice | undefined): void {
    const next: Map<string, StateSlice> = new Map<string, StateSlice>();
    for (const known of this.parts.store.draft.slices.keys()) {
      next.set(known, this.parts.store.draft.slices.get(known) as StateSlice);
    }
    if (slice === undefined) {
      next.delete(name);
    } else {
      next.set(name, slice);
    }
    this.parts.store.draft.slices = next;
  }

  stamp(): EventStamp {
    return this.parts.stamper.stamp(this.runId);
  }

  publish(event: AgentControllerEvent): void {
    this.parts.controller?.publish(event);
  }

  requestPlanReview(plan: JsonObject): boolean {
    if (this.pendingPlanReview() !== undefined) {
      return false;
    }
    this.wanted = new PendingPlanReview(this.parts.ids.nextId(), this.runId, plan.clone().seal(),
      this.parts.clock.nowMs());
    return true;
  }

  pendingPlanReview(): PendingPlanReview | undefined {
    return this.parts.store.draft.pendingPlanReview ?? (this.wanted?.runId === this.runId ? this.wanted : undefined);
  }

  /** Hands the wish over to the loop, once; the loop makes it the session's open question. A wish dies with its run. */
  takeWantedReview(): PendingPlanReview | undefined {
    const wanted: PendingPlanReview | undefined = this.wanted;
    this.wanted = undefined;
    return wanted?.runId === this.runId ? wanted : undefined;
  }

  private get runId(): string {
    return this.parts.store.draft.run?.runId ?? '';
  }
}
