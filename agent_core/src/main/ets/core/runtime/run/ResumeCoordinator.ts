import { ApprovalDeciders, ApprovalDecision, BatchDenyMode } from '../../approval/ApprovalModes';
import { CallDigest } from '../../approval/CallDigest';
import { ConsentMemory } from '../../approval/ConsentMemory';
import { PendingApprovalBatch } from '../../approval/PendingApprovalBatch';
import { PendingApprovalItem } from '../../approval/PendingApprovalItem';
import { ArkAgentError } from '../../base/ArkAgentError';
import { ErrorCode } from '../../base/ErrorCodes';
import { AuditDeciders } from '../../execution/audit/CallAudit';
import { CallRejection } from '../../execution/prepare/CallRejection';
import { PreparedCall, PreparedCallInit, PreparedVerdict } from '../../execution/prepare/PreparedCall';
import { CallPipeline } from '../../execution/CallPipeline';
import { AgentMessage, MessageRole } from '../../message/AgentMessage';
import { ToolCall } from '../../message/ToolCall';
import { ToolDefinition } from '../../model/ToolDefinition';
import { AuditStep } from '../../port/AuditSink';
import { AgentStopReason } from '../../state/AgentStopReason';
import { OpenBatch } from '../../state/OpenBatch';
import { CallStatus, CloseReason, OpenCall, OpenCallInit } from '../../state/OpenCall';
import { PersistReason } from '../../state/PersistReason';
import { RunRecord } from '../../state/RunRecord';
import { RegisteredTool } from '../../tool/RegisteredTool';
import { ToolRegistry } from '../../tool/ToolRegistry';
import { CallClosings, shownCall } from '../ledger/CallClosings';
import { BatchMessages } from '../ledger/BatchMessages';
import { BatchWork, BatchWorkInit } from '../ledger/BatchWork';
import { CallLedger } from '../ledger/CallLedger';
import { ConsentBooks } from '../consent/ConsentBooks';
import { EffectRecovery, Recovery } from '../ledger/EffectRecovery';
import { HistoryKeeper } from '../ledger/HistoryKeeper';
import { RunContext } from '../segment/RunContext';
import { RunEnd } from '../segment/RunEnd';
import { RunLoop } from './RunLoop';
import { SessionStore } from '../store/SessionStore';
import { PersistAction, PersistVerdict, StatePersister } from '../store/StatePersister';
import { ToolBatchRunner } from '../batch/ToolBatchRunner';
import { VisibleTools } from '../model/VisibleTools';

/** What a coordinator is made of. */
export interface ResumeCoordinatorParts {
  store: SessionStore;
  persister: StatePersister;
  keeper: HistoryKeeper;
  pipeline: CallPipeline;
  registry: ToolRegistry;
  visible: VisibleTools;
  ledger: CallLedger;
  recovery: EffectRecovery;
  batches: ToolBatchRunner;
  loop: RunLoop;
  consents: ConsentBooks;
}

/** A batch that is being claimed. */
interface Claim {
  context: RunContext;
  work: BatchWork;
  pending: PendingApprovalBatch | undefined;
  /** One for all its calls. */
  memory: ConsentMemory;
}

/**
 * Takes up what a suspension or a dead process left: claims it on the disk first, so that of two owners only one goes on,
 * then carries out the decisions and continues the loop (DEC-51).
 */
export class ResumeCoordinator {
  private readonly parts: ResumeCoordinatorParts;

  constructor(parts: ResumeCoordinatorParts) {
    this.parts = parts;
  }

  /**
   * Rechecks what has not started and commits the claim. Unless it is stored, the draft is as it was.
   * Errors: state_conflict (another owner goes on; its state is loaded), hook_abort, state_save_failed.
   */
  async claim(context: RunContext): Promise<PersistVerdict> {
    const run: RunRecord = this.parts.store.draft.run as RunRecord;
    while (true) {
      const seen: number = this.parts.store.revision;
      const draft: OpenBatch | undefined = this.parts.store.draft.openBatch;
      context.batch = draft === undefined ? undefined : await this.restore(context, draft);
      const written: PersistVerdict | undefined = await this.commitClaim(context, run, draft, seen);
      if (written !== undefined) {
        return written;
      }
    }
  }

  /** @returns undefined when something was stored or loaded since `seen`: what the checks saw is not what would be claimed */
  private commitClaim(context: RunContext, run: RunRecord, draft: OpenBatch | undefined,
    seen: number): Promise<PersistVerdict | undefined> {
    return this.parts.store.exclusive(async (): Promise<PersistVerdict | undefined> => {
      const now: RunRecord | undefined = this.parts.store.draft.run;
      if (now === undefined || now.runId !== run.runId || now.segment !== run.segment || now.status !== run.status) {
        return new PersistVerdict(PersistAction.failed,
          ArkAgentError.of(ErrorCode.stateConflict, 'another owner went on with the run'));
      }
      if (this.parts.store.revision !== seen) {
        return undefined;
      }
      this.parts.store.draft.run = run.running(run.segment + 1);
      this.parts.store.draft.openBatch = context.batch?.toOpenBatch();
      const written: PersistVerdict =
        await this.parts.persister.persist(PersistReason.resumeClaim, context);
      if (written.stored) {
        CallClosings.claimed(context.reporter.audit.inBatch(context.batch?.batchId ?? ''), draft, context.batch);
      } else if (written.conflict) {
        await this.parts.store.reload();
      } else {
        this.parts.store.draft.run = run;
        this.parts.store.draft.openBatch = draft;
      }
      return written;
    });
  }

  /** Continues after a claim: the open batch, calls that phase 1 never saw, or the next model call. */
  async proceed(context: RunContext): Promise<RunEnd> {
    let end: RunEnd | undefined = undefined;
    const unanswered: AgentMessage | undefined = this.parts.keeper.unansweredMessage();
    if (context.batch !== undefined) {
      const asked: ReadonlyArray<PendingApprovalItem> = this.parts.store.draft.pendingApproval?.items ?? [];
      end = await this.parts.loop.afterBatch(context,
        await this.parts.batches.freezeOrRun(context, context.batch, asked));
    } else if (unanswered !== undefined) {
      context.showTools(this.parts.visible.select().visible);
      end = await this.parts.loop.afterBatch(context, await this.parts.batches.begin(context, unanswered, true));
    } else {
      end = await this.complete(context);
    }
    return end ?? this.parts.loop.run(context);
  }

  /** The turn was complete and only its end is missing: a stop that was stored with the batch, or a final answer. */
  private async complete(context: RunContext): Promise<RunEnd | undefined> {
    const stop: AgentStopReason | undefined = this.parts.store.draft.run?.pendingStop;
    const stopped: AgentMessage | undefined = stop === undefined ? undefined : this.parts.keeper.lastAnswer();
    if (stop !== undefined && stopped !== undefined) {
      return this.parts.loop.afterStop(context, stopped, stop);
    }
    const answer: AgentMessage | undefined = this.finalAnswer();
    return answer === undefined ? undefined : this.parts.loop.afterAnswer(context, answer);
  }

  /** The last message, when it is an answer of this run that asks for nothing and was not cut. */
  private finalAnswer(): AgentMessage | undefined {
    const last: AgentMessage | undefined = this.parts.store.draft.history.last();
    const isAnswer: boolean = last !== undefined && last.role === MessageRole.assistant && last.toolCalls.length === 0 &&
      !last.interrupted && (this.parts.store.draft.run?.turn ?? 0) > 0;
    return isAnswer ? last : undefined;
  }

  private async restore(context: RunContext, batch: OpenBatch): Promise<BatchWork | undefined> {
    const message: AgentMessage | undefined = this.parts.keeper.messageOf(batch);
    if (message === undefined) {
      return undefined;
    }
    context.showTools(this.visibleOf(batch));
    const init: BatchWorkInit = {
      batchId: batch.batchId, runId: batch.runId, message: message, mode: batch.mode, scope: batch.scope,
      visibleTools: batch.visibleTools, calls: batch.calls.slice(),
      prepared: batch.calls.map<PreparedCall | undefined>((call: OpenCall) => undefined)
    };
    const work: BatchWork = new BatchWork(init);
    const pending: PendingApprovalBatch | undefined = this.parts.store.draft.pendingApproval;
    if (pending !== undefined) {
      carryOutDenials(work, pending);
    }
    const claim: Claim = { context: context, work: work, pending: pending, memory: this.parts.consents.memory() };
    for (let position: number = 0; position < work.length; position++) {
      await this.restoreCall(claim, position);
    }
    return work;
  }

  private visibleOf(batch: OpenBatch): ReadonlyArray<ToolDefinition> {
    const names: Set<string> = new Set<string>(batch.visibleTools);
    return this.parts.registry.list().filter((tool: ToolDefinition) => names.has(tool.name));
  }

  private async restoreCall(claim: Claim, position: number): Promise<void> {
    const work: BatchWork = claim.work;
    const call: OpenCall = work.at(position);
    switch (call.status) {
      case CallStatus.allowed:
      case CallStatus.awaiting:
      case CallStatus.planned:
        if (EffectRecovery.isUnsettled(call, this.parts.pipeline.gates.find(call.effective.name),
          claim.pending?.latestAt(position))) {
          await this.recover(claim, call);
        } else {
          await this.recheck(claim, call);
        }
        break;
      case CallStatus.started:
        await this.recover(claim, call);
        break;
      case CallStatus.waiting:
        if (call.childBegun) {
          this.follow(work, call);
        } else {
          await this.recheck(claim, call);
        }
        break;
      case CallStatus.finished:
        work.prepared[position] = await this.prepared(claim, call);
        break;
      default:
        break;
    }
  }

  private async recover(claim: Claim, call: OpenCall): Promise<void> {
    const recovery: Recovery = await this.parts.recovery.recover(claim.work, call,
      this.parts.pipeline.gates.find(call.effective.name));
    claim.context.reporter.audit.inBatch(claim.work.batchId).note(shownCall(claim.work.message, call), AuditStep.recovery,
      AuditDeciders.RUNTIME, recovery);
    if (recovery === Recovery.again) {
      await this.recheck(claim, claim.work.at(call.position));
    } else if (recovery === Recovery.ask) {
      await this.recheck(claim, call);
      if (claim.work.prepared[call.position] !== undefined) {
        claim.work.set(call);
        claim.work.repeats.add(call.position);
      }
    }
  }

  /** Its child goes on with what was granted to it; without the tool nobody can reach the child, and nobody knows what it did. */
  private follow(work: BatchWork, call: OpenCall): void {
    const tool: RegisteredTool | undefined = this.parts.pipeline.gates.find(call.effective.name);
    if (tool === undefined || !tool.delegates) {
      work.set(BatchMessages.close(call, CloseReason.toolChanged));
      return;
    }
    const original: ToolCall = work.message.toolCalls[call.position];
    const init: PreparedCallInit = {
      original: original, call: original.withName(call.effective.name).withArguments(call.effective.argumentsJson),
      verdict: PreparedVerdict.allowed, tool: tool, warnings: []
    };
    work.prepared[call.position] = new PreparedCall(init);
  }

  /** Gates, policies, definition and digest again for a call that has not started; hooks ran before the freeze. */
  private async recheck(claim: Claim, call: OpenCall): Promise<void> {
    const work: BatchWork = claim.work;
    const pending: PendingApprovalBatch | undefined = claim.pending;
    const tool: RegisteredTool | undefined = this.parts.pipeline.gates.find(call.effective.name);
    const known: boolean = tool !== undefined &&
      (call.definitionHash === undefined || this.parts.ledger.definitionHash(tool) === call.definitionHash);
    if (tool === undefined || !known) {
      stopAll(work, call, ErrorCode.toolChanged);
      return;
    }
    const prepared: PreparedCall = await this.prepared(claim, call);
    if (prepared.result !== undefined && call.mayHaveHappened) {
      work.set(BatchMessages.close(call, CloseReason.notExecuted));
      return;
    }
    if (prepared.result !== undefined) {
      const init: OpenCallInit = call.toInit();
      init.status = CallStatus.rejected;
      init.reason = prepared.result.code;
      init.result = prepared.result;
      work.set(new OpenCall(init));
      return;
    }
    const unbound: ErrorCode | undefined = this.bindingFault(call, prepared, pending?.latestAt(call.position));
    if (unbound !== undefined) {
      stopAll(work, call, unbound);
      return;
    }
    const person: string | undefined = approverOf(pending, call.position);
    work.prepared[call.position] = person === undefined ? prepared : prepared.decidedBy(person);
    const satisfied: boolean = prepared.verdict === PreparedVerdict.allowed || person !== undefined;
    work.set(call.withStatus(satisfied ? CallStatus.planned : CallStatus.awaiting));
  }

  /** What a person approved is not held against refusals and grants again. */
  private prepared(claim: Claim, call: OpenCall): Promise<PreparedCall> {
    const original: ToolCall = claim.work.message.toolCalls[call.position];
    const effective: ToolCall = original.withName(call.effective.name).withArguments(call.effective.argumentsJson);
    return this.parts.pipeline.preparer.recheck(original, effective, this.parts.batches.scope(claim.context,
      claim.work.message, approverOf(claim.pending, call.position) === undefined ? claim.memory : undefined));
  }

  /** Why the stored call is not the one that was shown: its digest, or that of the question, names another (S4, DEC-53). */
  private bindingFault(call: OpenCall, prepared: PreparedCall, question: PendingApprovalItem | undefined): ErrorCode | undefined {
    const asked: boolean = call.status === CallStatus.awaiting ||
      (question !== undefined && !ApprovalDeciders.isAutomatic(question.decidedBy));
    if (call.digest === undefined) {
      return asked ? ErrorCode.approvalDigestMismatch : undefined;
    }
    if (!call.digest.startsWith(CallDigest.VERSION_PREFIX)) {
      return ErrorCode.toolChanged;
    }
    const holds: boolean = call.digest === this.parts.ledger.digestOfCall(prepared);
    return holds && (!asked || question?.digest === call.digest) ? undefined : ErrorCode.approvalDigestMismatch;
  }
}

/** A person's no: with atomic denial none of the batch runs, unless one of its calls has begun already (DEC-31). */
function carryOutDenials(work: BatchWork, pending: PendingApprovalBatch): void {
  const noneRuns: boolean = work.mode === BatchDenyMode.atomic && pending.anyDenied() && !work.begun;
  for (let position: number = 0; position < work.length; position++) {
    const call: OpenCall = work.at(position);
    const item: PendingApprovalItem | undefined = pending.latestAt(position);
    const open: boolean = call.notStarted;
    if (!open) {
      continue;
    }
    if (item !== undefined && item.decision === ApprovalDecision.denied) {
      const reason: CloseReason = item.decidedBy === ApprovalDeciders.EXPIRY ? CloseReason.expired : CloseReason.denied;
      work.set(BatchMessages.close(call, reason, item.denyReason ?? ''));
    } else if (noneRuns) {
      work.set(BatchMessages.close(call, CloseReason.notExecuted));
    }
  }
}

/** This call cannot run as it was shown, so nothing that has not started does (DEC-39). */
function stopAll(work: BatchWork, cause: OpenCall, code: string): void {
  for (let position: number = 0; position < work.length; position++) {
    const call: OpenCall = work.at(position);
    const open: boolean = call.notStarted;
    if (position === cause.position) {
      if (code === ErrorCode.approvalDigestMismatch && !call.mayHaveHappened) {
        const init: OpenCallInit = call.toInit();
        init.status = CallStatus.rejected;
        init.reason = code;
        init.result = CallRejection.of(ArkAgentError.of(ErrorCode.approvalDigestMismatch,
          'the stored call is not the one that was shown; it did not run'));
        work.set(new OpenCall(init));
      } else {
        work.set(BatchMessages.close(call, CloseReason.toolChanged));
      }
    } else if (open) {
      work.set(BatchMessages.close(call, CloseReason.notExecuted));
    }
  }
}

/** Who approved the call, where that was a person. */
function approverOf(pending: PendingApprovalBatch | undefined, position: number): string | undefined {
  const item: PendingApprovalItem | undefined = pending?.latestAt(position);
  return item !== undefined && item.decision === ApprovalDecision.approved && !ApprovalDeciders.isAutomatic(item.decidedBy) ?
    item.decidedBy : undefined;
}
