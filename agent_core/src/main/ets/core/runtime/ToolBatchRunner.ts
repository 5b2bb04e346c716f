import { ArkAgentError } from '../base/ArkAgentError';
import { ErrorCode } from '../base/ErrorCodes';
import { ConsentMemory } from '../approval/ConsentMemory';
import { PendingApprovalItem } from '../approval/PendingApprovalItem';
import { Preparation, PreparationScope } from '../execution/CallPreparer';
import { AuditDeciders } from '../execution/audit/CallAudit';
import { CallRejection } from '../execution/CallRejection';
import { CallRun } from '../execution/CallRunner';
import { EnvelopeFactory } from '../execution/EnvelopeFactory';
import { CallStop, ExecutedCall } from '../execution/ExecutedCall';
import { PreparedCall } from '../execution/PreparedCall';
import { CallPipeline } from '../execution/CallPipeline';
import { AgentMessage } from '../message/AgentMessage';
import { ToolCall } from '../message/ToolCall';
import { AuditStep } from '../port/AuditSink';
import { CallResult } from '../state/CallResult';
import { CallStatus, CloseReason, OpenCall } from '../state/OpenCall';
import { RegisteredTool } from '../tool/RegisteredTool';
import { ToolCallStatus } from '../tool/ToolResultEnvelope';
import { ApprovalFreezer } from './ApprovalFreezer';
import { BatchJournal } from './BatchJournal';
import { BatchMessages } from './BatchMessages';
import { BatchWork, BatchWorkInit } from './BatchWork';
import { CallLedger } from './CallLedger';
import { ConsentBooks } from './ConsentBooks';
import { LateArrivals } from './LateArrivals';
import { BatchSettings } from './BatchSettings';
import { ModelCaller } from './ModelCaller';
import { RunContext } from './RunContext';
import { RunEnd } from './RunEnd';
import { SessionStore } from './SessionStore';
import { StatePersister } from './StatePersister';

/** What a batch came to. Immutable. */
export class BatchEnd {
  /** Set when the run ends or suspends here; the batch is not complete then. */
  readonly end: RunEnd | undefined;
  /** Whether the loop stops although every call has its result. */
  readonly stop: CallStop;

  constructor(end: RunEnd | undefined, stop: CallStop) {
    this.end = end;
    this.stop = stop;
  }
}

/** What a batch runner is made of. */
export interface ToolBatchRunnerParts {
  pipeline: CallPipeline;
  ledger: CallLedger;
  freezer: ApprovalFreezer;
  store: SessionStore;
  persister: StatePersister;
  rules: BatchSettings;
  consents: ConsentBooks;
  late: LateArrivals;
}

/** Takes the calls of one assistant message through both phases, in order, and keeps their journal entries. */
export class ToolBatchRunner {
  private readonly pipeline: CallPipeline;
  private readonly ledger: CallLedger;
  private readonly freezer: ApprovalFreezer;
  private readonly store: SessionStore;
  private readonly persister: StatePersister;
  private readonly rules: BatchSettings;
  private readonly consents: ConsentBooks;
  private readonly late: LateArrivals;

  constructor(parts: ToolBatchRunnerParts) {
    this.pipeline = parts.pipeline;
    this.ledger = parts.ledger;
    this.freezer = parts.freezer;
    this.store = parts.store;
    this.persister = parts.persister;
    this.rules = parts.rules;
    this.consents = parts.consents;
    this.late = parts.late;
  }

  /**
   * A batch that is seen for the first time. On success (`end` undefined) every entry of `context.batch` has a result.
   *
   * @param mayRun false when the answer was cut or filtered: all calls are answered with tool_call_truncated
   */
  async begin(context: RunContext, message: AgentMessage, mayRun: boolean): Promise<BatchEnd> {
    const refusal: ArkAgentError | undefined = this.rules.refusal(message.toolCalls.length, mayRun);
    const prepared: PreparedCall[] = [];
    const scope: PreparationScope = this.scope(context, message, this.consents.memory());
    for (const call of message.toolCalls) {
      if (refusal !== undefined) {
        scope.audit.proposed(call);
        scope.audit.note(call, AuditStep.rejected, AuditDeciders.RUNTIME, 'rejected', refusal.code);
        prepared.push(PreparedCall.rejected(call, call, CallRejection.of(refusal)));
        continue;
      }
      const step: Preparation = await this.pipeline.preparer.prepare(call, scope);
      if (step.call === undefined) {
        return new BatchEnd(RunEnd.aborted(step.abort?.error ??
          ArkAgentError.of(ErrorCode.internalError, 'a call was not prepared')), CallStop.none);
      }
      if (context.cancelled) {
        return new BatchEnd(ModelCaller.interruption(context), CallStop.none);
      }
      prepared.push(step.call);
    }
    const work: BatchWork = this.newWork(context, message, prepared);
    context.batch = work;
    return this.freezeOrRun(context, work, []);
  }

  /** The calls of an answer that was cut, each with its refusal. */
  truncated(context: RunContext, message: AgentMessage): BatchWork {
    const refusal: ArkAgentError = this.rules.truncated();
    return this.newWork(context, message, message.toolCalls.map<PreparedCall>((call: ToolCall) =>
      PreparedCall.rejected(call, call, CallRejection.of(refusal))));
  }

  /** Asks a person when a call still needs it, otherwise runs what may run. Also for a batch that was loaded. */
  async freezeOrRun(context: RunContext, work: BatchWork, earlier: ReadonlyArray<PendingApprovalItem>): Promise<BatchEnd> {
    for (let position: number = 0; position < work.length; position++) {
      if (work.at(position).status === CallStatus.awaiting || work.repeats.has(position)) {
        this.store.draft.pendingApproval = this.freezer.freeze(work, earlier);
        this.store.draft.openBatch = work.toOpenBatch();
        return new BatchEnd(RunEnd.awaitingApproval(), CallStop.none);
      }
    }
    return this.runAll(context, work);
  }

  /**
   * What phase 1 and the claim may look at for the calls of a message.
   * @param memory undefined for a call that a person has decided
   */
  scope(context: RunContext, message: AgentMessage, memory?: ConsentMemory): PreparationScope {
    const scope: PreparationScope = {
      sessionId: context.sessionId, state: context.state, modelMessage: message, availableTools: context.tools,
      visible: context.visible, reporter: context.reporter, patience: context.patience,
      memory: memory, audit: context.reporter.audit.inBatch(this.batchId(context))
    };
    return scope;
  }

  private batchId(context: RunContext): string {
    return `${context.runId}.${this.store.draft.run?.turn ?? 0}`;
  }

  private newWork(context: RunContext, message: AgentMessage, prepared: PreparedCall[]): BatchWork {
    const entries: OpenCall[] = [];
    for (let position: number = 0; position < prepared.length; position++) {
      entries.push(this.ledger.entry(prepared[position], position));
    }
    const init: BatchWorkInit = {
      batchId: this.batchId(context), runId: context.runId, message: message,
      mode: this.rules.mode, scope: this.rules.scope, visibleTools: context.visibleNames, calls: entries,
      prepared: prepared
    };
    return new BatchWork(init);
  }

  private async runAll(context: RunContext, work: BatchWork): Promise<BatchEnd> {
    const journal: BatchJournal = new BatchJournal(context, work, this.store, this.persister);
    let stop: CallStop = CallStop.none;
    let occupied: boolean = false;
    for (let position: number = 0; position < work.length; position++) {
      if (context.signal.cancelled) {
        return new BatchEnd(ModelCaller.interruption(context), stop);
      }
      const asked: BatchEnd | undefined = await this.askAfterAll(context, work, position, occupied);
      if (asked !== undefined) {
        return asked;
      }
      const done: ExecutedCall | undefined = await this.runOne(context, work, position, journal, occupied);
      if (done === undefined) {
        continue;
      }
      const end: RunEnd | undefined = this.account(context, work, position, done);
      if (end !== undefined) {
        return new BatchEnd(end, stop);
      }
      occupied = occupied || (done.stillRunning && !concurrencySafe(work.prepared[position]));
      stop = stronger(stop, done.stop);
    }
    return new BatchEnd(undefined, stop);
  }

  /** What let the call through does not hold any more: it and what has not started wait for a person. */
  private async askAfterAll(context: RunContext, work: BatchWork, position: number,
    occupied: boolean): Promise<BatchEnd | undefined> {
    const entry: OpenCall = work.at(position);
    const prepared: PreparedCall | undefined = work.prepared[position];
    if (prepared === undefined || (entry.status !== CallStatus.allowed && entry.status !== CallStatus.planned)) {
      return undefined;
    }
    const question: PreparedCall | undefined = this.consents.question(work, prepared);
    if (question === undefined || (occupied && !concurrencySafe(prepared))) {
      return undefined;
    }
    work.prepared[position] = question;
    work.set(entry.withStatus(CallStatus.awaiting));
    return this.freezeOrRun(context, work, this.store.draft.pendingApproval?.items ?? []);
  }

  /** @returns undefined when there was nothing to run: the call has its answer */
  private async runOne(context: RunContext, work: BatchWork, position: number, journal: BatchJournal,
    occupied: boolean): Promise<ExecutedCall | undefined> {
    const entry: OpenCall = work.at(position);
    const prepared: PreparedCall | undefined = work.prepared[position];
    if (entry.status === CallStatus.finished && entry.result !== undefined && prepared !== undefined) {
      return this.pipeline.runner.replay(prepared, this.run(context, work, entry, journal), entry.result,
        entry.startedAtMs ?? 0);
    }
    if (entry.status === CallStatus.waiting && prepared !== undefined) {
      return this.pipeline.runner.follow(prepared, this.run(context, work, entry, journal));
    }
    if (prepared === undefined || (entry.status !== CallStatus.allowed && entry.status !== CallStatus.planned)) {
      this.reportAnswered(context, work, entry);
      return undefined;
    }
    if (occupied && !concurrencySafe(prepared)) {
      this.close(work, entry, CloseReason.notExecuted);
      this.reportAnswered(context, work, work.at(position));
      return undefined;
    }
    if (this.changedSince(prepared)) {
      this.stopForChange(work, position);
      this.reportAnswered(context, work, work.at(position));
      return undefined;
    }
    if (prepared.hasEffect && entry.idempotencyKey === undefined) {
      work.set(this.ledger.bound(entry, prepared, work.batchId));
    }
    if (prepared.delegates) {
      work.set(this.ledger.linked(work.at(position), context.sessionId, work.batchId));
    }
    const takeBack: () => void = this.consents.starting(prepared, work.at(position));
    const done: ExecutedCall = await this.pipeline.runner.run(prepared, this.run(context, work, work.at(position), journal));
    if (done.startedAtMs === 0) {
      takeBack();
    }
    return done;
  }

  private run(context: RunContext, work: BatchWork, entry: OpenCall, journal: BatchJournal): CallRun {
    const run: CallRun = {
      sessionId: context.sessionId, state: context.state, batchId: work.batchId, attempt: entry.attempt,
      idempotencyKey: entry.idempotencyKey ?? `${work.batchId}:${entry.position}`, signal: context.signal,
      journal: journal, reporter: context.reporter, patience: context.patience,
      audit: context.reporter.audit.inBatch(work.batchId),
      onLate: (result: CallResult): void => this.late.arrived(context, work, entry.position, result)
    };
    if (entry.childSessionId !== undefined) {
      run.child = {
        childSessionId: entry.childSessionId, begun: entry.childBegun, isPausing: (): boolean => context.suspending
      };
    }
    return run;
  }

  /** Takes what a call came to into the journal; the end of the run where it means one. */
  private account(context: RunContext, work: BatchWork, position: number, done: ExecutedCall): RunEnd | undefined {
    const entry: OpenCall = work.at(position);
    if (done.journalError !== undefined) {
      return RunEnd.saveFailed(done.journalError);
    }
    if (done.waiting) {
      this.store.draft.openBatch = work.toOpenBatch();
      return context.signal.cancelled ? ModelCaller.interruption(context) : RunEnd.awaitingApproval();
    }
    if (done.abort !== undefined && entry.status !== CallStatus.finished && entry.status !== CallStatus.unknown &&
      done.result.status === ToolCallStatus.rejected) {
      return RunEnd.aborted(done.abort);
    }
    if (done.cancelled && isUnstarted(context, entry, done)) {
      return ModelCaller.interruption(context);
    }
    const status: CallStatus = done.result.status === ToolCallStatus.unknown ? CallStatus.unknown : CallStatus.finished;
    work.set(entry.withResult(status, done.result).withInjected(done.injected));
    if (done.abort !== undefined) {
      return RunEnd.aborted(done.abort);
    }
    return done.cancelled ? ModelCaller.interruption(context) : undefined;
  }

  /** The tool behind the name is another one than when the call was prepared (DEC-39). */
  private changedSince(prepared: PreparedCall): boolean {
    const now: RegisteredTool | undefined = this.pipeline.gates.find(prepared.call.name);
    if (now === prepared.tool) {
      return false;
    }
    return now === undefined || prepared.tool === undefined ||
      this.ledger.definitionHash(now) !== this.ledger.definitionHash(prepared.tool);
  }

  private stopForChange(work: BatchWork, position: number): void {
    this.close(work, work.at(position), CloseReason.toolChanged);
    for (let later: number = position + 1; later < work.length; later++) {
      const entry: OpenCall = work.at(later);
      if (entry.status === CallStatus.allowed || entry.status === CallStatus.planned) {
        this.close(work, entry, CloseReason.notExecuted);
      }
    }
  }

  private close(work: BatchWork, entry: OpenCall, reason: CloseReason): void {
    work.set(BatchMessages.close(entry, reason));
  }

  /** ToolAfter for a call that did not run in this segment but has its answer. */
  private reportAnswered(context: RunContext, work: BatchWork, entry: OpenCall): void {
    const result: CallResult = entry.result ?? BatchMessages.closing(entry);
    const call: ToolCall = work.message.toolCalls[entry.position];
    context.reporter.audit.inBatch(work.batchId).closed(call, result.status, result.code);
    context.reporter.callFinished(call, EnvelopeFactory.of(call, result, 0), work.prepared[entry.position]?.warnings ?? []);
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
