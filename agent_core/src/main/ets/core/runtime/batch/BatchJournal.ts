import { CallJournal, JournalAction, JournalVerdict } from '../../execution/seam/CallJournal';
import { StatePersistenceDetails, ToolEffectPhase } from '../../hook/context/StatePersistenceHookContext';
import { Usage } from '../../message/Usage';
import { CallResult } from '../../state/CallResult';
import { CallStatus, OpenCall } from '../../state/OpenCall';
import { PersistReason } from '../../state/PersistReason';
import { ToolCallStatus } from '../../tool/ToolResultEnvelope';
import { BatchWork } from '../ledger/BatchWork';
import { HookLane } from './HookLane';
import { RunContext } from '../segment/RunContext';
import { SessionStore } from '../store/SessionStore';
import { PersistAction, PersistVerdict, StatePersister } from '../store/StatePersister';

/** The journal of a run's batch: every entry is a commit of its own, before and after the effect. */
export class BatchJournal implements CallJournal {
  private readonly context: RunContext;
  private readonly work: BatchWork;
  private readonly store: SessionStore;
  private readonly persister: StatePersister;
  private readonly lane: HookLane;
  private readonly mayStart: (position: number) => boolean;

  /**
   * @param lane of the hooks of the batch: those of a commit are not asked beside those of a call
   * @param mayStart whether what let a call through still holds; asked when nothing else writes any more
   */
  constructor(context: RunContext, work: BatchWork, store: SessionStore, persister: StatePersister, lane: HookLane,
    mayStart: (position: number) => boolean) {
    this.context = context;
    this.work = work;
    this.store = store;
    this.persister = persister;
    this.lane = lane;
    this.mayStart = mayStart;
  }

  async started(position: number, atMs: number): Promise<JournalVerdict> {
    const before: OpenCall = this.work.at(position);
    const verdict: PersistVerdict = await this.commit(before.started(atMs), ToolEffectPhase.started);
    if (verdict.stored) {
      return JournalVerdict.proceed();
    }
    this.work.set(before);
    this.store.draft.openBatch = this.work.toOpenBatch();
    return refusal(verdict);
  }

  async delegated(position: number, childSessionId: string): Promise<JournalVerdict> {
    const before: OpenCall = this.work.at(position);
    const verdict: PersistVerdict =
      await this.commit(before.waitingFor(childSessionId, undefined), ToolEffectPhase.started);
    if (verdict.stored) {
      return JournalVerdict.proceed();
    }
    this.work.set(before);
    this.store.draft.openBatch = this.work.toOpenBatch();
    return refusal(verdict);
  }

  /** A fact that has happened: no hook is asked. */
  async childBegun(position: number, atMs: number): Promise<boolean> {
    const written: PersistVerdict = await this.store.exclusive((): Promise<PersistVerdict> => {
      const call: OpenCall = this.work.at(position);
      this.work.set(call.waitingFor(call.childSessionId ?? '', atMs));
      this.store.draft.openBatch = this.work.toOpenBatch();
      return this.persister.write(PersistReason.toolEffect, this.context, this.details(position, ToolEffectPhase.started));
    });
    return written.stored;
  }

  /** The commit that ends or pauses the run carries it to the disk. */
  withdrawn(position: number): void {
    this.work.set(this.work.at(position).withStatus(CallStatus.planned));
    this.store.draft.openBatch = this.work.toOpenBatch();
  }

  async finished(position: number, result: CallResult, usage?: Usage): Promise<JournalVerdict> {
    const status: CallStatus = result.status === ToolCallStatus.unknown ? CallStatus.unknown : CallStatus.finished;
    const verdict: PersistVerdict = await this.commit(this.work.at(position).withResult(status, result),
      ToolEffectPhase.finished, usage);
    if (verdict.stored) {
      return JournalVerdict.proceed();
    }
    if (verdict.action === PersistAction.aborted) {
      // What happened is a fact: it is written first, then the abort takes effect (DEC-34).
      const fact: PersistVerdict = await this.store.exclusive((): Promise<PersistVerdict> =>
        this.persister.write(PersistReason.toolEffect, this.context));
      return !fact.stored ? refusal(fact) : verdict.abandoned ? JournalVerdict.proceed() : refusal(verdict);
    }
    return refusal(verdict);
  }

  private commit(call: OpenCall, phase: ToolEffectPhase, usage?: Usage): Promise<PersistVerdict> {
    return this.lane.run((): Promise<PersistVerdict> => this.store.exclusive((): Promise<PersistVerdict> => {
      if (phase === ToolEffectPhase.started && !this.mayStart(call.position)) {
        return Promise.resolve(new PersistVerdict(PersistAction.skipped));
      }
      this.work.set(call);
      this.store.draft.openBatch = this.work.toOpenBatch();
      if (usage !== undefined) {
        this.store.draft.usage = this.store.draft.usage.plus(usage);
      }
      return this.persister.persist(PersistReason.toolEffect, this.context, this.details(call.position, phase));
    }));
  }

  private details(position: number, phase: ToolEffectPhase): StatePersistenceDetails {
    const details: StatePersistenceDetails = {
      effectPhase: phase, callId: this.work.message.toolCalls[position].id
    };
    return details;
  }
}

function refusal(verdict: PersistVerdict): JournalVerdict {
  if (verdict.abandoned) {
    return new JournalVerdict(JournalAction.unanswered, verdict.error);
  }
  if (verdict.action === PersistAction.skipped) {
    return new JournalVerdict(JournalAction.withheld);
  }
  return new JournalVerdict(verdict.action === PersistAction.aborted ? JournalAction.abort : JournalAction.failed,
    verdict.error);
}
