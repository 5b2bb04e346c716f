import { PendingPlanReview } from '../../approval/PlanReview';
import { AgentController } from '../../control/AgentController';
import { FeatureSession, WorkNote } from '../../control/AgentFeature';
import { AgentControllerEvent } from '../../control/event/AgentControllerEvent';
import { EventStamp, EventStamper } from '../../control/event/EventStamp';
import { AuditDeciders } from '../../execution/audit/CallAudit';
import { JsonObject } from '../../json/JsonObject';
import { ToolCall } from '../../message/ToolCall';
import { AuditStep } from '../../port/AuditSink';
import { IdGenerator } from '../../port/IdGenerator';
import { OpenCall } from '../../state/OpenCall';
import { PersistReason } from '../../state/PersistReason';
import { StateSlice } from '../../state/StateSlice';
import { ToolCallStatus } from '../../tool/ToolResultEnvelope';
import { EffectiveClock } from '../store/EffectiveClock';
import { LateResult, LateResults } from '../ledger/LateResults';
import { ResolvedConfig } from '../config/ResolvedConfig';
import { SessionStore } from '../store/SessionStore';
import { PersistScope, StatePersister } from '../store/StatePersister';
import { StoreSlices } from '../store/StoreSlices';
import { UnknownEffects } from '../ledger/UnknownEffects';

/** What a link is made of. */
export interface FeatureLinkParts {
  store: SessionStore;
  clock: EffectiveClock;
  ids: IdGenerator;
  stamper: EventStamper;
  controller: AgentController | undefined;
  config: ResolvedConfig;
  persister: StatePersister;
  results: LateResults;
  effects: UnknownEffects;
  /** On whose behalf a fact is written. */
  scopeFor: (runId: string) => PersistScope;
}

/** What the link's own code shows to reach its parts. Never exported. */
class LinkKey {
  private readonly purpose: string = 'link';

  toString(): string {
    return `LinkKey(${this.purpose})`;
  }
}

/** The parts, out of reach for who holds a feature or its link: no field leads to the draft of the session (CTL-01). */
class SealedParts {
  private readonly opener: (key: LinkKey) => FeatureLinkParts;

  constructor(parts: FeatureLinkParts) {
    this.opener = (key: LinkKey): FeatureLinkParts => {
      if (key instanceof LinkKey) {
        return parts;
      }
      throw new Error('a link opens for itself only');
    };
  }

  open(key: LinkKey): FeatureLinkParts {
    return this.opener(key);
  }
}

function inside(sealed: SealedParts): FeatureLinkParts {
  return sealed.open(new LinkKey());
}

/** The session as its features see it: slices, events, and the wish for a plan review. */
export class FeatureLink implements FeatureSession {
  readonly sessionId: string;
  private readonly sealed: SealedParts;
  /** Called when the questions of a child are decided. */
  onChildDecided: () => void = (): void => {
  };
  private wanted: PendingPlanReview | undefined = undefined;
  private stopped: boolean = false;
  private recording: PersistScope | undefined = undefined;

  constructor(parts: FeatureLinkParts) {
    this.sealed = new SealedParts(parts);
    this.sessionId = parts.store.draft.sessionId;
  }

  /** How the session is set up, for a feature that opens sessions like it. @internal */
  get config(): ResolvedConfig {
    return inside(this.sealed).config;
  }

  /** The calls of the open batch. @internal */
  openCalls(): ReadonlyArray<OpenCall> {
    return inside(this.sealed).store.draft.openBatch?.calls ?? [];
  }

  /** @internal */
  get openBatchId(): string {
    return inside(this.sealed).store.draft.openBatch?.batchId ?? '';
  }

  getSlice(name: string): StateSlice | undefined {
    return inside(this.sealed).store.draft.slices.get(name);
  }

  putSlice(name: string, slice: StateSlice | undefined): void {
    new StoreSlices(inside(this.sealed).store).putSlice(name, slice);
  }

  stamp(): EventStamp {
    return inside(this.sealed).stamper.stamp(this.runId);
  }

  publish(event: AgentControllerEvent): void {
    inside(this.sealed).controller?.publish(event);
  }

  requestPlanReview(plan: JsonObject): boolean {
    if (this.pendingPlanReview() !== undefined) {
      return false;
    }
    this.wanted = new PendingPlanReview(inside(this.sealed).ids.nextId(), this.runId, plan.clone().seal(),
      inside(this.sealed).clock.nowMs());
    return true;
  }

  pendingPlanReview(): PendingPlanReview | undefined {
    return inside(this.sealed).store.draft.pendingPlanReview ?? (this.wanted?.runId === this.runId ? this.wanted : undefined);
  }

  /** The session is closed: what is recorded now is for nobody. */
  stop(): void {
    this.stopped = true;
  }

  async record(change: () => void): Promise<void> {
    try {
      await inside(this.sealed).store.exclusive(async (): Promise<void> => {
        if (!this.stopped && inside(this.sealed).store.draft.resumable) {
          const scope: PersistScope = inside(this.sealed).scopeFor(this.runId);
          this.recording = scope;
          change();
          this.recording = undefined;
          await inside(this.sealed).persister.write(PersistReason.toolEffect, scope);
        }
      });
    } catch (e) {
      // Nobody waits for it: the next commit carries what was changed.
    }
  }

  tellLater(note: WorkNote): void {
    const late: LateResult = {
      batchId: note.batchId, position: note.position, callId: note.callId, toolName: note.toolName, jobId: note.jobId,
      failed: note.result !== undefined && note.result.status !== ToolCallStatus.ok,
      text: note.result?.toToolResult().text() ?? '', lost: note.result === undefined, unknown: note.result?.status === ToolCallStatus.unknown, tell: true
    };
    inside(this.sealed).results.add(late);
    if (note.result !== undefined) {
      this.recording?.reporter.audit.inBatch(note.batchId).note(new ToolCall(note.callId, note.toolName, '', note.position),
        AuditStep.late, AuditDeciders.TOOL, note.result.status, note.result.code);
      if (note.result.status !== ToolCallStatus.unknown) {
        inside(this.sealed).effects.settle(note.batchId, note.position);
      }
    }
  }

  /** Hands the wish over to the loop, once; the loop makes it the session's open question. A wish dies with its run. */
  takeWantedReview(): PendingPlanReview | undefined {
    const wanted: PendingPlanReview | undefined = this.wanted;
    this.wanted = undefined;
    return wanted?.runId === this.runId ? wanted : undefined;
  }

  private get runId(): string {
    return inside(this.sealed).store.draft.run?.runId ?? '';
  }
}
