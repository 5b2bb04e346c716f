import { PendingApprovalBatch } from '../../approval/PendingApprovalBatch';
import { ArkAgentError, ArkAgentErrorOptions, ErrorDetail } from '../../base/ArkAgentError';
import { ErrorCode } from '../../base/ErrorCodes';
import { Result } from '../../base/Result';
import { StatePersistenceDetails } from '../../hook/context/StatePersistenceHookContext';
import { AgentStopReason } from '../../state/AgentStopReason';
import { OpenBatch } from '../../state/OpenBatch';
import { CallStatus } from '../../state/OpenCall';
import { PersistReason } from '../../state/PersistReason';
import { RunRecord, RunStatus } from '../../state/RunRecord';
import { ChildSessions, EndedChild } from '../session/ChildSessions';
import { HistoryKeeper } from '../ledger/HistoryKeeper';
import { PlanReviews } from '../consent/PlanReviews';
import { RunContext } from '../segment/RunContext';
import { RunEnd } from '../segment/RunEnd';
import { SessionStore } from '../store/SessionStore';
import { PersistAction, PersistVerdict, StatePersister } from '../store/StatePersister';

/** What a writer is made of. */
export interface EndingWriterParts {
  store: SessionStore;
  persister: StatePersister;
  keeper: HistoryKeeper;
  children: ChildSessions;
  plans: PlanReviews;
}

/** Owners of one session that may race for an ending before a cancel gives up. */
const MAX_CANCEL_TRIES: number = 10;

/** How the end of a segment reaches the disk (DEC-02, DEC-23, DEC-34). For the terminal gate, inside `store.exclusive`. */
export class EndingWriter {
  private readonly store: SessionStore;
  private readonly persister: StatePersister;
  private readonly keeper: HistoryKeeper;
  private readonly children: ChildSessions;
  private readonly plans: PlanReviews;

  constructor(parts: EndingWriterParts) {
    this.store = parts.store;
    this.persister = parts.persister;
    this.keeper = parts.keeper;
    this.children = parts.children;
    this.plans = parts.plans;
  }

  /** Stores an ending or a suspension. @returns how the segment ends after that: storing may fail, be refused or meet a cancel */
  async persist(context: RunContext, end: RunEnd): Promise<RunEnd> {
    if (end.superseded) {
      // Another owner went on with the session: what is in memory here is no longer true, and nothing may be written.
      await this.store.reload();
      return end;
    }
    if (!end.isSuspension) {
      return this.persistEnding(context, end);
    }
    const stored: RunEnd = end.stopReason === AgentStopReason.suspended ? await this.persistPause(context, end) :
      await this.persistQuestion(context, end);
    // A cancel that came while the suspension was written still ends the run; nobody has been told of a question yet.
    return stored.isSuspension && context.cancelled ?
      this.persistEnding(context, RunEnd.cancelled(context.cancelReason)) : stored;
  }

  private async persistPause(context: RunContext, end: RunEnd): Promise<RunEnd> {
    this.store.draft.openBatch = context.batch?.toOpenBatch() ?? this.store.draft.openBatch;
    this.endRun(RunStatus.suspended, end.stopReason);
    const asked: PersistVerdict = await this.persister.persist(PersistReason.suspend, context);
    const verdict: PersistVerdict = asked.abandoned ? await this.persister.write(PersistReason.suspend, context) : asked;
    if (verdict.action === PersistAction.failed && !verdict.conflict) {
      // What the disk has is older but consistent: the run can be resumed from there, so nothing is marked.
      return RunEnd.failed(verdict.error as ArkAgentError);
    }
    return this.judge(context, end, verdict);
  }

  private async persistQuestion(context: RunContext, end: RunEnd): Promise<RunEnd> {
    this.endRun(RunStatus.suspended, end.stopReason);
    const verdict: PersistVerdict = await this.persister.persist(PersistReason.awaitingApproval, context);
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

  /** Stores the end of a run; a cancel tries again while the run is open, whoever else writes it. */
  async persistEnding(context: RunContext, end: RunEnd): Promise<RunEnd> {
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
}
