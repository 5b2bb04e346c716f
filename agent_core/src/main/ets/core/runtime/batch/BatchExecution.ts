import { ResultBudget } from '../../execution/artifact/ResultBudget';
import { CancellationSignal } from '../../base/Cancellation';
import { BackgroundDesk } from '../../control/BackgroundDesk';
import { CallReporter } from '../../execution/seam/CallReporter';
import { CallRun, LateHearing } from '../../execution/run/CallRun';
import { CallPipeline } from '../../execution/CallPipeline';
import { EnvelopeFactory } from '../../execution/run/EnvelopeFactory';
import { CallStop, ExecutedCall } from '../../execution/run/ExecutedCall';
import { PreparedCall } from '../../execution/prepare/PreparedCall';
import { HookTurn } from '../../execution/seam/HookTurn';
import { CallJobs } from '../../execution/run/JobWay';
import { ToolCall } from '../../message/ToolCall';
import { Scheduler } from '../../port/Scheduler';
import { CallResult } from '../../state/CallResult';
import { CallStatus, CloseReason, OpenCall } from '../../state/OpenCall';
import { ToolCallStatus } from '../../tool/ToolResultEnvelope';
import { BatchEnd } from './BatchEnd';
import { BatchJobs } from './BatchJobs';
import { BatchJournal } from './BatchJournal';
import { BatchMessages } from '../ledger/BatchMessages';
import { BatchWork } from '../ledger/BatchWork';
import { CallLedger } from '../ledger/CallLedger';
import { ConsentBooks } from '../consent/ConsentBooks';
import { HookLane } from './HookLane';
import { LateArrivals } from './LateArrivals';
import { ModelCaller } from '../model/ModelCaller';
import { Neighbours } from './Neighbours';
import { RunContext } from '../segment/RunContext';
import { RunEnd } from '../segment/RunEnd';
import { SessionStore } from '../store/SessionStore';
import { StartChecks } from './StartChecks';
import { StatePersister } from '../store/StatePersister';
import { ToldCalls } from '../ledger/ToldCalls';

/** What an execution needs. */
export interface BatchExecutionParts {
  pipeline: CallPipeline;
  ledger: CallLedger;
  store: SessionStore;
  persister: StatePersister;
  consents: ConsentBooks;
  late: LateArrivals;
  told: ToldCalls;
  scheduler: Scheduler;
  /** Neighbours that run at once; 1 = one after another. */
  maxParallel: number;
  /** Where calls become jobs; undefined = none do. */
  desk: BackgroundDesk | undefined;
  /** A call of the batch waits for a person now. */
  ask: () => Promise<BatchEnd>;
}

/**
 * Phase 2 of one batch in one segment: runs what may run, in order, and keeps the journal entries. Neighbours that are all
 * concurrency-safe run beside each other; whatever ends first, results, hooks and what hooks inject keep the order of the calls.
 */
export class BatchExecution {
  private readonly parts: BatchExecutionParts;
  private readonly context: RunContext;
  private readonly work: BatchWork;
  private readonly lane: HookLane = new HookLane();
  private readonly journal: BatchJournal;
  private readonly budget: ResultBudget;
  /** A call that timed out still runs, and nothing may run beside it. */
  private occupied: boolean = false;
  private readonly isPausing: () => boolean = (): boolean => this.context.suspending;
  private stop: CallStop = CallStop.none;
  private end: RunEnd | undefined = undefined;
  /** The first call that came back unstarted, because a person has to be asked about it. */
  private withheld: number | undefined = undefined;
  private readonly checks: StartChecks;
  private readonly jobs: CallJobs | undefined;
  private readonly late: LateHearing;
  private readonly reporter: CallReporter;

  constructor(parts: BatchExecutionParts, context: RunContext, work: BatchWork) {
    this.parts = parts;
    this.context = context;
    this.work = work;
    this.journal = new BatchJournal(context, work, parts.store, parts.persister, this.lane,
      (position: number): boolean => parts.consents.stillGranted(work.prepared[position]));
    this.jobs = parts.desk === undefined ? undefined : BatchJobs.at(parts.desk, work, parts.consents.effects);
    this.late = parts.late.hearingFor(context, work);
    this.reporter = parts.told.reporterOf(work.batchId, context.reporter);
    this.checks = new StartChecks(parts.pipeline.gates, parts.ledger, parts.scheduler, work);
    this.budget = ResultBudget.of(parts.pipeline.maxBatchResultChars, work.toOpenBatch().calls.map<CallResult | undefined>(
      (call: OpenCall) => call.result));
  }

  /** On success (`end` undefined) every call has its answer. */
  async run(): Promise<BatchEnd> {
    let position: number = 0;
    while (position < this.work.length) {
      if (this.context.signal.cancelled) {
        return new BatchEnd(ModelCaller.interruption(this.context), this.stop);
      }
      if (this.mayStartBesideOthers(position) && this.isSafeNeighbour(position + 1)) {
        position = await this.runTogether(position);
      } else {
        if (this.mustAskAfterAll(position)) {
          return await this.parts.ask();
        }
        await this.runAlone(position);
        position++;
      }
      if (this.end !== undefined) {
        return new BatchEnd(this.end, this.stop);
      }
      position = this.withheld ?? position;
      this.withheld = undefined;
    }
    return new BatchEnd(undefined, this.stop);
  }

  private async runAlone(position: number): Promise<void> {
    const done: ExecutedCall | undefined = await this.runOne(position);
    if (done !== undefined) {
      this.end = this.account(position, done);
      this.occupied = this.occupied || (done.stillRunning && !concurrencySafe(this.work.prepared[position]));
      this.stop = stronger(this.stop, done.stop);
    }
  }

  /**
   * Runs the call and what may run beside it. An end of the run in one of them stops the start of further ones, and those that
   * run get the grace of a cancel (DEC-33). @returns the position of the first call that was not started
   */
  private async runTogether(first: number): Promise<number> {
    const group: Neighbours = new Neighbours(this.context.signal, this.parts.maxParallel, this.lane);
    let next: number = first;
    while (next === first || (!group.stopped && this.mayStartBesideOthers(next) && !this.hasTwin(first, next))) {
      const position: number = next;
      group.start((turn: HookTurn): Promise<void> => this.runInGroup(position, group, turn));
      next++;
      await group.place();
    }
    await group.ended();
    return next;
  }

  private async runInGroup(position: number, group: Neighbours, turn: HookTurn): Promise<void> {
    const done: ExecutedCall = await this.start(position, group.signal, turn);
    const end: RunEnd | undefined = this.account(position, done);
    this.stop = stronger(this.stop, done.stop);
    if (end !== undefined) {
      this.end = this.end ?? end;
      group.stop(end.error === undefined ? '' : `another call of the batch ended the run (${end.error.code})`);
    }
  }

  /** A call like this one needs nothing but to be started. */
  private mayStartBesideOthers(position: number): boolean {
    const prepared: PreparedCall | undefined = this.work.prepared[position];
    return prepared !== undefined && this.isSafeNeighbour(position) && this.checks.holds(this.work.at(position), prepared) &&
      this.parts.consents.question(this.work, prepared) === undefined;
  }

  private isSafeNeighbour(position: number): boolean {
    if (this.parts.maxParallel < 2 || position >= this.work.length) {
      return false;
    }
    const prepared: PreparedCall | undefined = this.work.prepared[position];
    return StartChecks.isReady(this.work.at(position)) && concurrencySafe(prepared) && prepared?.delegates === false;
  }

  /** The same effect is on its way in the group: should its outcome get lost, the second one needs a person. */
  private hasTwin(first: number, position: number): boolean {
    const own: string | undefined = this.effectAt(position);
    for (let other: number = first; own !== undefined && other < position; other++) {
      if (this.effectAt(other) === own) {
        return true;
      }
    }
    return false;
  }

  private effectAt(position: number): string | undefined {
    const prepared: PreparedCall | undefined = this.work.prepared[position];
    return prepared?.hasEffect === true ? this.parts.ledger.digestOfCall(prepared) : undefined;
  }

  /** What let the call through does not hold any more: it and what has not started wait for a person. */
  private mustAskAfterAll(position: number): boolean {
    const entry: OpenCall = this.work.at(position);
    const prepared: PreparedCall | undefined = this.work.prepared[position];
    if (prepared === undefined || !StartChecks.isReady(entry)) {
      return false;
    }
    const question: PreparedCall | undefined = this.parts.consents.question(this.work, prepared);
    if (question === undefined || (this.occupied && !concurrencySafe(prepared))) {
      return false;
    }
    this.work.prepared[position] = question;
    this.work.set(entry.withStatus(CallStatus.awaiting));
    return true;
  }

  /** @returns undefined when there was nothing to run: the call has its answer */
  private async runOne(position: number): Promise<ExecutedCall | undefined> {
    const entry: OpenCall = this.work.at(position);
    const prepared: PreparedCall | undefined = this.work.prepared[position];
    if (entry.status === CallStatus.finished && entry.result !== undefined && prepared !== undefined) {
      return this.parts.pipeline.runner.replay(prepared, this.callRun(entry), entry.result,
        entry.startedAtMs ?? 0);
    }
    if (entry.status === CallStatus.waiting && prepared !== undefined) {
      return this.parts.pipeline.runner.follow(prepared, this.callRun(entry));
    }
    if (prepared === undefined || !StartChecks.isReady(entry)) {
      this.reportAnswered(entry);
      return undefined;
    }
    if (this.occupied && !concurrencySafe(prepared)) {
      this.checks.close(entry, CloseReason.notExecuted);
      this.reportAnswered(this.work.at(position));
      return undefined;
    }
    if (this.checks.refuse(entry, prepared)) {
      this.reportAnswered(this.work.at(position));
      return undefined;
    }
    return await this.start(position, this.context.signal);
  }

  private async start(position: number, signal: CancellationSignal, turn?: HookTurn): Promise<ExecutedCall> {
    const entry: OpenCall = this.work.at(position);
    const prepared: PreparedCall = this.work.prepared[position] as PreparedCall;
    if (prepared.hasEffect && entry.idempotencyKey === undefined) {
      this.work.set(this.parts.ledger.bound(entry, prepared, this.work.batchId));
    }
    if (prepared.delegates) {
      this.work.set(this.parts.ledger.linked(this.work.at(position), this.context.sessionId, this.work.batchId));
    }
    const takeBack: () => void = this.parts.consents.starting(prepared, this.work.at(position));
    const done: ExecutedCall = await this.parts.pipeline.runner.run(prepared, this.callRun(this.work.at(position), signal, turn));
    if (done.startedAtMs === 0) {
      takeBack();
    }
    return done;
  }

  private callRun(entry: OpenCall, signal: CancellationSignal = this.context.signal, turn?: HookTurn): CallRun {
    const run: CallRun = {
      sessionId: this.context.sessionId, state: this.context.state, batchId: this.work.batchId, attempt: entry.attempt,
      idempotencyKey: entry.idempotencyKey ?? `${this.work.batchId}:${entry.position}`, signal: signal,
      journal: this.journal, turn: turn, jobs: this.jobs, reporter: this.reporter, patience: this.context.patience,
      audit: this.context.reporter.audit.inBatch(this.work.batchId), budget: this.budget, late: this.late,
      isPausing: this.isPausing
    };
    if (entry.childSessionId !== undefined) {
      run.child = {
        childSessionId: entry.childSessionId, begun: entry.childBegun, isPausing: this.isPausing
      };
    }
    return run;
  }

  /** Takes what a call came to into the journal; the end of the run where it means one. */
  private account(position: number, done: ExecutedCall): RunEnd | undefined {
    const entry: OpenCall = this.work.at(position);
    if (done.withheld) {
      this.withheld = Math.min(this.withheld ?? position, position);
      return undefined;
    }
    if (done.journalError !== undefined) {
      return RunEnd.saveFailed(done.journalError);
    }
    if (done.waiting) {
      this.parts.store.draft.openBatch = this.work.toOpenBatch();
      return this.context.signal.cancelled ? ModelCaller.interruption(this.context) : RunEnd.awaitingApproval();
    }
    if (done.abort !== undefined && entry.status !== CallStatus.finished && entry.status !== CallStatus.unknown &&
      done.result.status === ToolCallStatus.rejected) {
      return RunEnd.aborted(done.abort);
    }
    if (done.cancelled && isUnstarted(this.context, entry, done)) {
      return this.interruption();
    }
    const status: CallStatus = done.result.status === ToolCallStatus.unknown ? CallStatus.unknown : CallStatus.finished;
    this.work.set(entry.withResult(status, done.result).withInjected(done.injected));
    if (done.abort !== undefined) {
      return RunEnd.aborted(done.abort);
    }
    return done.cancelled ? this.interruption() : undefined;
  }

  /** undefined when it was not the run's own signal that stopped the call, but the end that a neighbour brought. */
  private interruption(): RunEnd | undefined {
    return this.context.signal.cancelled ? ModelCaller.interruption(this.context) : undefined;
  }

  /** ToolAfter for a call that did not run in this segment but has its answer. */
  private reportAnswered(entry: OpenCall): void {
    const result: CallResult = entry.result ?? BatchMessages.closing(entry);
    const call: ToolCall = this.work.message.toolCalls[entry.position];
    this.context.reporter.audit.inBatch(this.work.batchId).closed(call, result.status, result.code);
    this.reporter.callFinished(call, EnvelopeFactory.of(call, result, 0), this.work.prepared[entry.position]?.warnings ?? []);
  }
}

function concurrencySafe(prepared: PreparedCall | undefined): boolean {
  return prepared?.tool?.contract.concurrencySafe ?? false;
}

/**
 * The call did not begin, or a pause stopped one that changes nothing: its entry stays open. A cancel closes it, and after a
 * pause it runs when the run resumes.
 */
function isUnstarted(context: RunContext, entry: OpenCall, done: ExecutedCall): boolean {
  return done.result.status === ToolCallStatus.cancelled && (context.suspending || entry.status === CallStatus.planned ||
    (done.startedAtMs === 0 && !context.signal.cancelled));
}

function stronger(a: CallStop, b: CallStop): CallStop {
  if (a === CallStop.hook || b === CallStop.hook) {
    return CallStop.hook;
  }
  return a === CallStop.tool ? a : b;
}
