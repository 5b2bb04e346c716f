import { LateHearing } from '../../execution/run/CallRun';
import { AuditDeciders } from '../../execution/audit/CallAudit';
import { AuditStep } from '../../port/AuditSink';
import { CallResult } from '../../state/CallResult';
import { OpenBatch } from '../../state/OpenBatch';
import { AgentStopReason } from '../../state/AgentStopReason';
import { PersistReason } from '../../state/PersistReason';
import { ReadonlyAgentState } from '../../tool/ToolContext';
import { BatchWork } from '../ledger/BatchWork';
import { shownCall } from '../ledger/CallClosings';
import { HookLane } from './HookLane';
import { lateResult, LateResults } from '../ledger/LateResults';
import { RunContext } from '../segment/RunContext';
import { RunReporter } from '../report/RunReporter';
import { SessionStore } from '../store/SessionStore';
import { PersistScope, StatePersister } from '../store/StatePersister';
import { UnknownEffects } from '../ledger/UnknownEffects';

/** What arrivals are made of. */
export interface LateArrivalsParts {
  store: SessionStore;
  persister: StatePersister;
  results: LateResults;
  effects: UnknownEffects;
  state: ReadonlyAgentState;
  reporterFor: (runId: string) => RunReporter;
}

/**
 * Records what a call answers after it was given up: in the journal while its batch is open, else in the slice of late
 * results. It is a fact, so no hook is asked about the write; one that fails is carried by the next one (S9, DEC-36).
 */
export class LateArrivals {
  private readonly parts: LateArrivalsParts;
  private stopped: boolean = false;
  /** The newest segment: a call that one segment gave up may answer while the next one works on its batch. */
  private active: RunContext | undefined = undefined;
  /** Hooks are asked about one late answer of the session after another. */
  private readonly lane: HookLane = new HookLane();
  private readonly isClosed: () => boolean = (): boolean => this.stopped;
  private readonly inTurn: (work: () => Promise<CallResult>) => Promise<CallResult> =
    (work: () => Promise<CallResult>): Promise<CallResult> => this.lane.run<CallResult>(work);

  constructor(parts: LateArrivalsParts) {
    this.parts = parts;
  }

  /** The session is closed: what comes now is for nobody. */
  stop(): void {
    this.stopped = true;
  }

  /** A segment begins. */
  follow(context: RunContext): void {
    this.active = context;
  }

  /** For the calls of one batch. */
  hearingFor(context: RunContext, work: BatchWork): LateHearing {
    const hearing: LateHearing = {
      isClosed: this.isClosed, inTurn: this.inTurn,
      arrived: (position: number, result: CallResult): void => this.arrived(context, work, position, result)
    };
    return hearing;
  }

  private arrived(context: RunContext, work: BatchWork, position: number, result: CallResult): void {
    this.parts.store.exclusive((): Promise<void> => this.record(context, work, position, result)).catch((e: Error): void => {
      // Nobody waits for it, and nobody may be ended by it: the call keeps the answer that it has.
    });
  }

  private async record(context: RunContext, work: BatchWork, position: number, result: CallResult): Promise<void> {
    if (this.stopped || !this.parts.store.draft.resumable) {
      return;
    }
    const open: OpenBatch | undefined = this.parts.store.draft.openBatch;
    const now: BatchWork | undefined = this.active?.batch;
    const worksOn: boolean = now !== undefined && now.batchId === work.batchId && this.active?.over === false;
    if (worksOn) {
      now?.set(now.at(position).withLateResult(result));
    }
    if (open !== undefined && open.batchId === work.batchId) {
      this.parts.store.draft.openBatch = open.withCall(open.calls[position].withLateResult(result));
    } else if (worksOn) {
      return;
    } else {
      this.parts.results.add(lateResult(work.batchId, position, work.message.toolCalls[position].id,
        work.at(position).effective.name, result, !this.endedByCancel(context)));
    }
    this.parts.effects.settle(work.batchId, position);
    const reporter: RunReporter = this.parts.reporterFor(work.runId);
    reporter.audit.inBatch(work.batchId).note(shownCall(work.message, work.at(position)),
      AuditStep.late, AuditDeciders.TOOL, result.status, result.code);
    const scope: PersistScope = { state: this.parts.state, reporter: reporter };
    await this.parts.persister.write(PersistReason.toolEffect, scope);
  }

  private endedByCancel(context: RunContext): boolean {
    return context.cancelled || (this.parts.store.draft.run?.runId === context.runId &&
      this.parts.store.draft.run.stopReason === AgentStopReason.cancelled);
  }
}
