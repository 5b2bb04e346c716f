import { ResultBudget } from '../execution/artifact/ResultBudget';
import { CallRun } from '../execution/CallRunner';
import { CallPipeline } from '../execution/CallPipeline';
import { EnvelopeFactory } from '../execution/EnvelopeFactory';
import { CallStop, ExecutedCall } from '../execution/ExecutedCall';
import { PreparedCall } from '../execution/PreparedCall';
import { ToolCall } from '../message/ToolCall';
import { CallResult } from '../state/CallResult';
import { CallStatus, CloseReason, OpenCall } from '../state/OpenCall';
import { RegisteredTool } from '../tool/RegisteredTool';
import { ToolCallStatus } from '../tool/ToolResultEnvelope';
import { BatchEnd } from './BatchEnd';
import { BatchJournal } from './BatchJournal';
import { BatchMessages } from './BatchMessages';
import { BatchWork } from './BatchWork';
import { CallLedger } from './CallLedger';
import { ConsentBooks } from './ConsentBooks';
import { LateArrivals } from './LateArrivals';
import { ModelCaller } from './ModelCaller';
import { RunContext } from './RunContext';
import { RunEnd } from './RunEnd';
import { SessionStore } from './SessionStore';
import { StatePersister } from './StatePersister';

/** What an execution needs. */
export interface BatchExecutionParts {
  pipeline: CallPipeline;
  ledger: CallLedger;
  store: SessionStore;
  persister: StatePersister;
  consents: ConsentBooks;
  late: LateArrivals;
  /** A call of the batch waits for a person now. */
  ask: () => Promise<BatchEnd>;
}

/** Phase 2 of one batch in one segment: runs what may run, in order, and keeps the journal entries. */
export class BatchExecution {
  private readonly parts: BatchExecutionParts;
  private readonly context: RunContext;
  private readonly work: BatchWork;
  private readonly journal: BatchJournal;
  private readonly budget: ResultBudget;
  /** A call that timed out still runs, and nothing may run beside it. */
  private occupied: boolean = false;
  private stop: CallStop = CallStop.none;

  constructor(parts: BatchExecutionParts, context: RunContext, work: BatchWork) {
    this.parts = parts;
    this.context = context;
    this.work = work;
    this.journal = new BatchJournal(context, work, parts.store, parts.persister);
    this.budget = ResultBudget.of(parts.pipeline.maxBatchResultChars, work.toOpenBatch().calls.map<CallResult | undefined>(
      (call: OpenCall) => call.result));
  }

  /** On success (`end` undefined) every call has its answer. */
  async run(): Promise<BatchEnd> {
    for (let position: number = 0; position < this.work.length; position++) {
      if (this.context.signal.cancelled) {
        return new BatchEnd(ModelCaller.interruption(this.context), this.stop);
      }
      const asked: BatchEnd | undefined = await this.askAfterAll(position);
      if (asked !== undefined) {
        return asked;
      }
      const done: ExecutedCall | undefined = await this.runOne(position);
      if (done === undefined) {
        continue;
      }
      const end: RunEnd | undefined = this.account(position, done);
      if (end !== undefined) {
        return new BatchEnd(end, this.stop);
      }
      this.occupied = this.occupied || (done.stillRunning && !concurrencySafe(this.work.prepared[position]));
      this.stop = stronger(this.stop, done.stop);
    }
    return new BatchEnd(undefined, this.stop);
  }

  /** What let the call through does not hold any more: it and what has not started wait for a person. */
  private async askAfterAll(position: number): Promise<BatchEnd | undefined> {
    const entry: OpenCall = this.work.at(position);
    const prepared: PreparedCall | undefined = this.work.prepared[position];
    if (prepared === undefined || (entry.status !== CallStatus.allowed && entry.status !== CallStatus.planned)) {
      return undefined;
    }
    const question: PreparedCall | undefined = this.parts.consents.question(this.work, prepared);
    if (question === undefined || (this.occupied && !concurrencySafe(prepared))) {
      return undefined;
    }
    this.work.prepared[position] = question;
    this.work.set(entry.withStatus(CallStatus.awaiting));
    return this.parts.ask();
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
    if (prepared === undefined || (entry.status !== CallStatus.allowed && entry.status !== CallStatus.planned)) {
      this.reportAnswered(entry);
      return undefined;
    }
    if (this.occupied && !concurrencySafe(prepared)) {
      this.close(entry, CloseReason.notExecuted);
      this.reportAnswered(this.work.at(position));
      return undefined;
    }
    if (this.changedSince(prepared)) {
      this.stopForChange(position);
      this.reportAnswered(this.work.at(position));
      return undefined;
    }
    if (prepared.hasEffect && entry.idempotencyKey === undefined) {
      this.work.set(this.parts.ledger.bound(entry, prepared, this.work.batchId));
    }
    if (prepared.delegates) {
      this.work.set(this.parts.ledger.linked(this.work.at(position), this.context.sessionId, this.work.batchId));
    }
    const takeBack: () => void = this.parts.consents.starting(prepared, this.work.at(position));
    const done: ExecutedCall = await this.parts.pipeline.runner.run(prepared, this.callRun(this.work.at(position)));
    if (done.startedAtMs === 0) {
      takeBack();
    }
    return done;
  }

  private callRun(entry: OpenCall): CallRun {
    const run: CallRun = {
      sessionId: this.context.sessionId, state: this.context.state, batchId: this.work.batchId, attempt: entry.attempt,
      idempotencyKey: entry.idempotencyKey ?? `${this.work.batchId}:${entry.position}`, signal: this.context.signal,
      journal: this.journal, reporter: this.context.reporter, patience: this.context.patience,
      audit: this.context.reporter.audit.inBatch(this.work.batchId), budget: this.budget,
      onLate: (result: CallResult): void => this.parts.late.arrived(this.context, this.work, entry.position, result)
    };
    if (entry.childSessionId !== undefined) {
      run.child = {
        childSessionId: entry.childSessionId, begun: entry.childBegun, isPausing: (): boolean => this.context.suspending
      };
    }
    return run;
  }

  /** Takes what a call came to into the journal; the end of the run where it means one. */
  private account(position: number, done: ExecutedCall): RunEnd | undefined {
    const entry: OpenCall = this.work.at(position);
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
      return ModelCaller.interruption(this.context);
    }
    const status: CallStatus = done.result.status === ToolCallStatus.unknown ? CallStatus.unknown : CallStatus.finished;
    this.work.set(entry.withResult(status, done.result).withInjected(done.injected));
    if (done.abort !== undefined) {
      return RunEnd.aborted(done.abort);
    }
    return done.cancelled ? ModelCaller.interruption(this.context) : undefined;
  }

  /** The tool behind the name is another one than when the call was prepared (DEC-39). */
  private changedSince(prepared: PreparedCall): boolean {
    const now: RegisteredTool | undefined = this.parts.pipeline.gates.find(prepared.call.name);
    if (now === prepared.tool) {
      return false;
    }
    return now === undefined || prepared.tool === undefined ||
      this.parts.ledger.definitionHash(now) !== this.parts.ledger.definitionHash(prepared.tool);
  }

  private stopForChange(position: number): void {
    this.close(this.work.at(position), CloseReason.toolChanged);
    for (let later: number = position + 1; later < this.work.length; later++) {
      const entry: OpenCall = this.work.at(later);
      if (entry.status === CallStatus.allowed || entry.status === CallStatus.planned) {
        this.close(entry, CloseReason.notExecuted);
      }
    }
  }

  private close(entry: OpenCall, reason: CloseReason): void {
    this.work.set(BatchMessages.close(entry, reason));
  }

  /** ToolAfter for a call that did not run in this segment but has its answer. */
  private reportAnswered(entry: OpenCall): void {
    const result: CallResult = entry.result ?? BatchMessages.closing(entry);
    const call: ToolCall = this.work.message.toolCalls[entry.position];
    this.context.reporter.audit.inBatch(this.work.batchId).closed(call, result.status, result.code);
    this.context.reporter.callFinished(call, EnvelopeFactory.of(call, result, 0), this.work.prepared[entry.position]?.warnings ?? []);
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
  return done.result.status === ToolCallStatus.cancelled && (context.suspending || entry.status === CallStatus.planned);
}

function stronger(a: CallStop, b: CallStop): CallStop {
  if (a === CallStop.hook || b === CallStop.hook) {
    return CallStop.hook;
  }
  return a === CallStop.tool ? a : b;
}
