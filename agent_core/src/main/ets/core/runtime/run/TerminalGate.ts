import { ApprovalKind } from '../../approval/ApprovalModes';
import { PendingApprovalBatch } from '../../approval/PendingApprovalBatch';
import { PendingPlanReview } from '../../approval/PlanReview';
import { ArkAgentError } from '../../base/ArkAgentError';
import { Result } from '../../base/Result';
import { AuditDeciders, CallAudit } from '../../execution/audit/CallAudit';
import { AgentHookPipeline } from '../../hook/AgentHookPipeline';
import { AfterRunHookContext, SegmentEnd } from '../../hook/context/AfterRunHookContext';
import { HookDiagnostic } from '../../hook/HookDiagnostic';
import { HookSlot } from '../../hook/HookSlot';
import { AuditStep } from '../../port/AuditSink';
import { AgentStopReason } from '../../state/AgentStopReason';
import { OpenBatch } from '../../state/OpenBatch';
import { RunStatus } from '../../state/RunRecord';
import { CallClosings } from '../ledger/CallClosings';
import { ChildSessions } from '../session/ChildSessions';
import { EndingWriter } from './EndingWriter';
import { HistoryKeeper } from '../ledger/HistoryKeeper';
import { RunContext } from '../segment/RunContext';
import { RunEnd } from '../segment/RunEnd';
import { RunCancelled, RunCompleted, RunOutcome, RunSuspended } from '../segment/RunOutcome';
import { SessionStore } from '../store/SessionStore';
import { ToldCalls } from '../ledger/ToldCalls';

/** What a gate is made of. */
export interface TerminalGateParts {
  store: SessionStore;
  writer: EndingWriter;
  keeper: HistoryKeeper;
  hooks: AgentHookPipeline;
  children: ChildSessions;
  told: ToldCalls;
  durable: boolean;
}

/**
 * The single exit of every segment: persist → publish → afterRun once → observer's terminal call → outcome (law 7, DEC-22).
 *
 * Nothing is announced before the disk has it; there is no other road to ApprovalRequired (S5).
 */
export class TerminalGate {
  private readonly store: SessionStore;
  private readonly writer: EndingWriter;
  private readonly keeper: HistoryKeeper;
  private readonly hooks: AgentHookPipeline;
  private readonly children: ChildSessions;
  private readonly told: ToldCalls;
  private readonly durable: boolean;

  constructor(parts: TerminalGateParts) {
    this.store = parts.store;
    this.writer = parts.writer;
    this.keeper = parts.keeper;
    this.hooks = parts.hooks;
    this.children = parts.children;
    this.told = parts.told;
    this.durable = parts.durable;
  }

  /**
   * @param release called when everything is told, before the observer's terminal call: from there on a new segment may start
   */
  async finish(context: RunContext, wanted: RunEnd, release: () => void): Promise<Result<RunOutcome, ArkAgentError>> {
    const end: RunEnd = await this.store.exclusive(async (): Promise<RunEnd> => {
      const stored: RunEnd = await this.writer.persist(context, wanted);
      context.settle();
      return stored;
    });
    return this.tell(context, end, release);
  }

  /**
   * Ends a run that waits for a person or for the app; undefined when another owner had ended it: then there is nothing to
   * tell (DEC-02, DEC-17). Errors: state_conflict, another run has begun since and its state is loaded.
   */
  async cancelWaiting(context: RunContext, reason: string,
    release: () => void): Promise<Result<RunOutcome, ArkAgentError> | undefined> {
    const end: RunEnd =
      await this.store.exclusive((): Promise<RunEnd> => this.writer.persistEnding(context, RunEnd.cancelled(reason)));
    context.settle();
    if (!end.superseded) {
      return this.tell(context, end, release);
    }
    release();
    return this.store.draft.run?.status === RunStatus.finished ? undefined :
      Result.failure<RunOutcome, ArkAgentError>(end.error as ArkAgentError);
  }

  private async tell(context: RunContext, end: RunEnd, release: () => void): Promise<Result<RunOutcome, ArkAgentError>> {
    this.noteForAudit(context, end);
    if (!end.isSuspension && !end.superseded) {
      const batch: OpenBatch | undefined = this.store.draft.openBatch;
      CallClosings.tell(this.told, context.reporter, batch, batch === undefined ? undefined : this.keeper.messageOf(batch));
    }
    this.announce(context, end);
    if (this.hooks.hasHooks(HookSlot.afterRun)) {
      const facts: SegmentEnd = {
        runId: context.runId, segment: context.segment, stopReason: end.stopReason, error: end.error
      };
      await this.tellHooks(context, facts);
    }
    release();
    context.reporter.finish(end.error);
    return this.outcome(context, end);
  }

  /** Before the event: whoever hears of an ending or a question finds it in the records. */
  private noteForAudit(context: RunContext, end: RunEnd): void {
    const batch: OpenBatch | undefined = this.store.draft.openBatch;
    if (!context.reporter.audit.active || batch === undefined || end.superseded) {
      return;
    }
    const audit: CallAudit = context.reporter.audit.inBatch(batch.batchId);
    if (!end.isSuspension) {
      CallClosings.note(audit, batch, this.keeper.messageOf(batch));
    } else if (end.stopReason === AgentStopReason.awaitingApproval) {
      for (const item of this.store.draft.pendingApproval?.items ?? []) {
        if (item.isPending()) {
          audit.note(item.toolCall, AuditStep.frozen, AuditDeciders.RUNTIME, item.kind === ApprovalKind.retry ? 'ask_retry' : 'ask');
        }
      }
    }
  }

  private async tellHooks(context: RunContext, facts: SegmentEnd): Promise<void> {
    const told: Promise<ReadonlyArray<HookDiagnostic>> =
      this.hooks.afterRun(new AfterRunHookContext(context.sessionId, context.state, facts));
    try {
      context.reporter.diagnostics(await context.patience.wait(told));
    } catch (e) {
      // Abandoned after a cancel: an observer changes nothing, also not by never ending.
    }
  }

  private announce(context: RunContext, end: RunEnd): void {
    const closed: PendingApprovalBatch | undefined = context.closedApproval;
    if (closed !== undefined && end.stopReason === AgentStopReason.cancelled) {
      context.reporter.approvalResolved(closed, closed.items, 'cancel');
    }
    switch (end.stopReason) {
      case AgentStopReason.awaitingApproval:
      case AgentStopReason.awaitingPlanReview:
      case AgentStopReason.suspended:
        this.announceSuspension(context, end);
        break;
      case AgentStopReason.cancelled:
        context.reporter.cancelled(end.cancelReason);
        break;
      case AgentStopReason.complete:
      case AgentStopReason.toolStop:
      case AgentStopReason.hookStop:
        context.reporter.completed(end.stopReason, this.store.draft.history.last());
        break;
      default:
        context.reporter.failed(end.stopReason, end.error as ArkAgentError);
    }
  }

  private announceSuspension(context: RunContext, end: RunEnd): void {
    const batch: PendingApprovalBatch | undefined = this.store.draft.pendingApproval;
    if (end.stopReason === AgentStopReason.awaitingApproval && batch !== undefined && !batch.allDecided()) {
      context.reporter.approvalRequired(batch, this.durable);
    }
    if (end.stopReason === AgentStopReason.awaitingApproval) {
      for (const question of this.children.openBatches()) {
        if (!question.allDecided()) {
          context.reporter.approvalRequired(question, this.durable);
        }
      }
    }
    const review: PendingPlanReview | undefined = this.store.draft.pendingPlanReview;
    if (end.stopReason === AgentStopReason.awaitingPlanReview && review !== undefined) {
      context.reporter.planReviewRequired(review, this.durable);
    }
    context.reporter.suspended(end.stopReason);
  }

  private outcome(context: RunContext, end: RunEnd): Result<RunOutcome, ArkAgentError> {
    if (end.error !== undefined) {
      return Result.failure<RunOutcome, ArkAgentError>(end.error);
    }
    switch (end.stopReason) {
      case AgentStopReason.awaitingApproval:
      case AgentStopReason.awaitingPlanReview:
      case AgentStopReason.suspended:
        return Result.success<RunOutcome, ArkAgentError>(new RunSuspended(context.runId, end.stopReason));
      case AgentStopReason.cancelled:
        return Result.success<RunOutcome, ArkAgentError>(new RunCancelled(context.runId, end.cancelReason));
      default:
        return Result.success<RunOutcome, ArkAgentError>(
          new RunCompleted(context.runId, end.stopReason, this.store.draft.history.last()));
    }
  }
}
