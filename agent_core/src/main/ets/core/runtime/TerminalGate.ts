import { ApprovalKind } from '../approval/ApprovalModes';
import { PendingApprovalBatch } from '../approval/PendingApprovalBatch';
import { PendingPlanReview } from '../approval/PlanReview';
import { ArkAgentError, ArkAgentErrorOptions, ErrorDetail } from '../base/ArkAgentError';
import { ErrorCode } from '../base/ErrorCodes';
import { Result } from '../base/Result';
import { AuditDeciders, CallAudit } from '../execution/audit/CallAudit';
import { AgentHookPipeline } from '../hook/AgentHookPipeline';
import { AfterRunHookContext, SegmentEnd } from '../hook/context/AfterRunHookContext';
import { StatePersistenceDetails } from '../hook/context/StatePersistenceHookContext';
import { HookDiagnostic } from '../hook/HookDiagnostic';
import { HookSlot } from '../hook/HookSlot';
import { AuditStep } from '../port/AuditSink';
import { AgentStopReason } from '../state/AgentStopReason';
import { OpenBatch } from '../state/OpenBatch';
import { CallStatus } from '../state/OpenCall';
import { PersistReason } from '../state/PersistReason';
import { RunRecord, RunStatus } from '../state/RunRecord';
import { CallClosings } from './CallClosings';
import { ChildSessions, EndedChild } from './ChildSessions';
import { HistoryKeeper } from './HistoryKeeper';
import { PlanReviews } from './PlanReviews';
import { RunContext } from './RunContext';
import { RunEnd } from './RunEnd';
import { RunCancelled, RunCompleted, RunOutcome, RunSuspended } from './RunOutcome';
import { SessionStore } from './SessionStore';
import { ToldCalls } from './ToldCalls';
import { PersistAction, PersistVerdict, StatePersister } from './StatePersister';

/** What a gate is made of. */
export interface TerminalGateParts {
  store: SessionStore;
  persister: StatePersister;
  keeper: HistoryKeeper;
  hooks: AgentHookPipeline;
  children: ChildSessions;
  plans: PlanReviews;
  told: ToldCalls;
  durable: boolean;
}

/** Owners of one session that may race for an ending before a cancel gives up. */
const MAX_CANCEL_TRIES: number = 10;

/**
 * The single exit of every segment: persist → publish → afterRun once → observer's terminal call → outcome (law 7, DEC-22).
 *
 * Nothing is announced before the disk has it; there is no other road to ApprovalRequired (S5).
 */
export class TerminalGate {
  private readonly store: SessionStore;
  private readonly persister: StatePersister;
  private readonly keeper: HistoryKeeper;
  private readonly hooks: AgentHookPipeline;
  private readonly children: ChildSessions;
  private readonly plans: PlanReviews;
  private readonly told: ToldCalls;
  private readonly durable: boolean;

  constructor(parts: TerminalGateParts) {
    this.store = parts.store;
    this.persister = parts.persister;
    this.keeper = parts.keeper;
    this.hooks = parts.hooks;
    this.children = parts.children;
    this.plans = parts.plans;
    this.told = parts.told;
    this.durable = parts.durable;
  }

  /**
   * @param release called when everything is told, before the observer's terminal call: from there on a new segment may start
   */
  async finish(context: RunContext, wanted: RunEnd, release: () => void): Promise<Result<RunOutcome, ArkAgentError>> {
    const end: RunEnd = await this.store.exclusive(async (): Promise<RunEnd> => {
      const stored: RunEnd = await this.persist(context, wanted);
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
      await this.store.exclusive((): Promise<RunEnd> => this.persistEnding(context, RunEnd.cancelled(reason)));
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
    if (!isSuspension(end) && !end.superseded) {
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
    if (!isSuspension(end)) {
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

  private async persist(context: RunContext, end: RunEnd): Promise<RunEnd> {
    if (end.superseded) {
      // Another owner went on with the session: what is in memory here is no longer true, and nothing may be written.
      await this.store.reload();
      return end;
    }
    if (!isSuspension(end)) {
      return this.persistEnding(context, end);
    }
    const stored: RunEnd = end.stopReason === AgentStopReason.suspended ? await this.persistPause(context, end) :
      await this.persistQuestion(context, end);
    // A cancel that came while the suspension was written still ends the run; nobody has been told of a question yet.
    return isSuspension(stored) && context.cancelled ?
      this.persistEnding(context, RunEnd.cancelled(context.cancelReason)) : stored;
  }

  private async persistPause(context: RunContext, end: RunEnd): Promise<RunEnd> {
    this.store.draft.openBatch = context.batch?.toOpenBatch() ?? this.store.draft.openBatch;
    this.endRun(RunStatus.suspended, end.stopReason);
    const asked: PersistVerdict = await this.write(context, PersistReason.suspend);
    const verdict: PersistVerdict = asked.abandoned ? await this.persister.write(PersistReason.suspend, context) : asked;
    if (verdict.action === PersistAction.failed && !verdict.conflict) {
      // What the disk has is older but consistent: the run can be resumed from there, so nothing is marked.
      return RunEnd.failed(verdict.error as ArkAgentError);
    }
    return this.judge(context, end, verdict);
  }

  private async persistQuestion(context: RunContext, end: RunEnd): Promise<RunEnd> {
    this.endRun(RunStatus.suspended, end.stopReason);
    const verdict: PersistVerdict = await this.write(context, PersistReason.awaitingApproval);
    if (verdict.stored || verdict.conflict) {
      return this.judge(context, end, verdict);
    }
    this.store.draft.pendingApproval = this.store.storedQuestions();
    const error: ArkAgentError = verdict.error as ArkAgentError;
    if (verdict.action === PersistAction.aborted) {
      return this.persistFinal(context, verdict.abandoned && context.cancelled ?
        RunEnd.cancelled(context.cancelReason) : RunEnd.aborted(error));
    }
    return this.persistEnding(context, RunEnd.failed(error));
  }

  private async persistEnding(context: RunContext, end: RunEnd): Promise<RunEnd> {
    let verdict: PersistVerdict = await this.tryEnding(context, end);
    if (end.stopReason === AgentStopReason.cancelled) {
      for (let tries: number = 1; verdict.conflict && tries < MAX_CANCEL_TRIES && await this.stillOpen(context); tries++) {
        verdict = await this.tryEnding(context, end);
      }
    }
    if (verdict.action === PersistAction.aborted) {
      return this.persistFinal(context, verdict.abandoned ? end : RunEnd.aborted(verdict.error as ArkAgentError));
    }
    return this.judge(context, end, verdict);
  }

  private async tryEnding(context: RunContext, end: RunEnd): Promise<PersistVerdict> {
    await this.endChildren(context, end);
    this.settle(context, end);
    const details: StatePersistenceDetails = { runError: end.error };
    return this.persister.persist(PersistReason.terminal, context, details);
  }

  /** A cancel that lost looks at what the winner stored, and goes on while that is the same run: another one is told of by itself. */
  private async stillOpen(context: RunContext): Promise<boolean> {
    await this.store.reload();
    context.batch = undefined;
    context.closedApproval = undefined;
    const run: RunRecord | undefined = this.store.draft.run;
    return run !== undefined && run.runId === context.runId && run.status !== RunStatus.finished;
  }

  /** Writes an ending once, without asking the hooks again (DEC-34). */
  private async persistFinal(context: RunContext, end: RunEnd): Promise<RunEnd> {
    await this.endChildren(context, end);
    this.settle(context, end);
    return this.judge(context, end,
      await this.persister.write(PersistReason.terminal, context));
  }

  private async judge(context: RunContext, end: RunEnd, verdict: PersistVerdict): Promise<RunEnd> {
    if (verdict.stored) {
      return end;
    }
    const error: ArkAgentError = verdict.error as ArkAgentError;
    if (verdict.conflict) {
      await this.store.reload();
      return RunEnd.saveFailed(error);
    }
    if (verdict.action === PersistAction.aborted) {
      return this.persistFinal(context, RunEnd.aborted(error));
    }
    return RunEnd.failed(await this.markLost(context, end, error));
  }

  /** The ending could not be stored: the session takes no more work, and that is said before anything is published (DEC-23). */
  private async markLost(context: RunContext, end: RunEnd, failure: ArkAgentError): Promise<ArkAgentError> {
    const marked: Result<boolean, ArkAgentError> = await this.store.markNotResumable(context.runId);
    const details: Map<string, ErrorDetail> = new Map<string, ErrorDetail>();
    details.set('original', end.stopReason);
    details.set('marked', marked.ok);
    const options: ArkAgentErrorOptions = { details: details, cause: failure as Error };
    const suffix: string = marked.ok ? 'the session takes no more work' :
      'and the session could not be marked either; it may offer to resume what it no longer knows';
    return ArkAgentError.of(ErrorCode.stateSaveFailed, `the ending could not be saved; ${suffix}`, options);
  }

  /** Leaf first: a child that still waits is closed and stored before the run that waits for it (DEC-54). */
  private async endChildren(context: RunContext, end: RunEnd): Promise<void> {
    const batch: OpenBatch | undefined = context.batch?.toOpenBatch() ?? this.store.draft.openBatch;
    for (const call of batch?.calls ?? []) {
      if (call.status === CallStatus.waiting) {
        const ended: EndedChild = await this.children.end(call, end.cancelReason);
        this.store.draft.usage = this.store.draft.usage.plus(ended.usage);
        context.batch?.set(ended.call);
        this.store.draft.openBatch = context.batch?.toOpenBatch() ?? this.store.draft.openBatch?.withCall(ended.call);
      }
    }
  }

  private settle(context: RunContext, end: RunEnd): void {
    this.keeper.closeOpenCalls(context.batch, end.closeReason);
    const closedBy: string = end.stopReason === AgentStopReason.cancelled ? 'cancel' :
      end.stopReason === AgentStopReason.aborted ? 'abort' : end.stopReason;
    const closed: PendingApprovalBatch | undefined = this.keeper.closeApproval(closedBy);
    this.plans.close(closedBy);
    context.closedApproval = closed ?? context.closedApproval;
    this.endRun(RunStatus.finished, end.stopReason);
  }

  private endRun(status: RunStatus, stopReason: AgentStopReason): void {
    const run: RunRecord | undefined = this.store.draft.run;
    if (run !== undefined) {
      this.store.draft.run = run.ended(status, stopReason);
    }
  }

  private write(context: RunContext, reason: PersistReason): Promise<PersistVerdict> {
    return this.persister.persist(reason, context);
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

function isSuspension(end: RunEnd): boolean {
  return end.stopReason === AgentStopReason.awaitingApproval || end.stopReason === AgentStopReason.awaitingPlanReview ||
    end.stopReason === AgentStopReason.suspended;
}
