import { ArkAgentError } from '../../base/ArkAgentError';
import { ErrorCode } from '../../base/ErrorCodes';
import { ConsentMemory } from '../../approval/ConsentMemory';
import { PendingApprovalItem } from '../../approval/PendingApprovalItem';
import { BackgroundDesk } from '../../control/BackgroundDesk';
import { Preparation, PreparationScope } from '../../execution/prepare/CallPreparer';
import { AuditDeciders } from '../../execution/audit/CallAudit';
import { CallRejection } from '../../execution/prepare/CallRejection';
import { CallStop } from '../../execution/run/ExecutedCall';
import { PreparedCall } from '../../execution/prepare/PreparedCall';
import { CallPipeline } from '../../execution/CallPipeline';
import { AgentMessage } from '../../message/AgentMessage';
import { ToolCall } from '../../message/ToolCall';
import { AuditStep } from '../../port/AuditSink';
import { Scheduler } from '../../port/Scheduler';
import { CallStatus, OpenCall } from '../../state/OpenCall';
import { ApprovalFreezer } from '../consent/ApprovalFreezer';
import { BatchEnd } from './BatchEnd';
import { BatchExecution, BatchExecutionParts } from './BatchExecution';
import { BatchWork, BatchWorkInit } from '../ledger/BatchWork';
import { CallLedger } from '../ledger/CallLedger';
import { ConsentBooks } from '../consent/ConsentBooks';
import { LateArrivals } from './LateArrivals';
import { BatchSettings } from './BatchSettings';
import { ModelCaller } from '../model/ModelCaller';
import { RunContext } from '../segment/RunContext';
import { RunEnd } from '../segment/RunEnd';
import { SessionStore } from '../store/SessionStore';
import { StatePersister } from '../store/StatePersister';
import { ToldCalls } from '../ledger/ToldCalls';

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
  told: ToldCalls;
  scheduler: Scheduler;
  /** Calls that run at once. */
  maxParallel: number;
  desk: BackgroundDesk | undefined;
}

/** Takes the calls of one assistant message through phase 1, and to a person or into phase 2. */
export class ToolBatchRunner {
  private readonly pipeline: CallPipeline;
  private readonly ledger: CallLedger;
  private readonly freezer: ApprovalFreezer;
  private readonly store: SessionStore;
  private readonly persister: StatePersister;
  private readonly rules: BatchSettings;
  private readonly consents: ConsentBooks;
  private readonly late: LateArrivals;
  private readonly told: ToldCalls;
  private readonly scheduler: Scheduler;
  private readonly maxParallel: number;
  private readonly desk: BackgroundDesk | undefined;

  constructor(parts: ToolBatchRunnerParts) {
    this.pipeline = parts.pipeline;
    this.ledger = parts.ledger;
    this.freezer = parts.freezer;
    this.store = parts.store;
    this.persister = parts.persister;
    this.rules = parts.rules;
    this.consents = parts.consents;
    this.late = parts.late;
    this.told = parts.told;
    this.scheduler = parts.scheduler;
    this.maxParallel = parts.maxParallel;
    this.desk = parts.desk;
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
    return this.execution(context, work).run();
  }

  /**
   * What phase 1 and the claim may look at for the calls of a message.
   * @param memory undefined for a call that a person has decided
   */
  scope(context: RunContext, message: AgentMessage, memory?: ConsentMemory): PreparationScope {
    const scope: PreparationScope = {
      sessionId: context.sessionId, batchId: this.batchId(context), state: context.state, modelMessage: message, availableTools: context.tools,
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

  private execution(context: RunContext, work: BatchWork): BatchExecution {
    const parts: BatchExecutionParts = {
      pipeline: this.pipeline, ledger: this.ledger, store: this.store, persister: this.persister, consents: this.consents,
      late: this.late, told: this.told, scheduler: this.scheduler, maxParallel: this.maxParallel, desk: this.desk,
      ask: (): Promise<BatchEnd> => this.freezeOrRun(context, work, this.store.draft.pendingApproval?.items ?? [])
    };
    return new BatchExecution(parts, context, work);
  }
}
