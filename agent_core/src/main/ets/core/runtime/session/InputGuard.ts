import { ApprovalDeciders, ApprovalDecision } from '../../approval/ApprovalModes';
import { PendingApprovalBatch } from '../../approval/PendingApprovalBatch';
import { PendingApprovalItem } from '../../approval/PendingApprovalItem';
import { ArkAgentError } from '../../base/ArkAgentError';
import { ErrorCode } from '../../base/ErrorCodes';
import { AgentMessage, MessageRole } from '../../message/AgentMessage';
import { AgentStopReason } from '../../state/AgentStopReason';
import { CallStatus, OpenCall } from '../../state/OpenCall';
import { RunRecord, RunStatus } from '../../state/RunRecord';
import { AgentStateParts } from '../../state/AgentState';
import { ChildSessions } from './ChildSessions';

/** Whether a session may take input, resume or be cancelled now (DEC-04, 05, 14). Looks, changes nothing. */
export class InputGuard {
  private readonly draft: AgentStateParts;
  private readonly children: ChildSessions;
  private readonly maxInputChars: number;

  constructor(draft: AgentStateParts, children: ChildSessions, maxInputChars: number) {
    this.draft = draft;
    this.children = children;
    this.maxInputChars = maxInputChars;
  }

  /**
   * Why new input is refused: session_not_resumable, pending_*_blocks_input, resume_required, input_invalid,
   * input_too_large.
   */
  refuseInput(messages: ReadonlyArray<AgentMessage>): ArkAgentError | undefined {
    if (!this.draft.resumable) {
      return notResumable();
    }
    const open: ArkAgentError | undefined = this.openQuestion();
    if (open !== undefined) {
      return open;
    }
    if (this.draft.run?.status === RunStatus.suspended) {
      return ArkAgentError.of(ErrorCode.resumeRequired, 'the run was suspended; resume it first');
    }
    const invalid: ArkAgentError | undefined = this.misfit(messages);
    if (invalid !== undefined) {
      return invalid;
    }
    let chars: number = 0;
    for (const message of messages) {
      chars += message.text().length;
    }
    return chars > this.maxInputChars ? ArkAgentError.of(ErrorCode.inputTooLarge,
      `the input has ${chars} characters, at most ${this.maxInputChars} are accepted`) : undefined;
  }

  /** Calls and their results come from runs only: anything else in the history would be a pair that nobody can complete. */
  misfit(messages: ReadonlyArray<AgentMessage>): ArkAgentError | undefined {
    for (const message of messages) {
      if (message.role === MessageRole.tool || message.toolCalls.length > 0) {
        return ArkAgentError.of(ErrorCode.inputInvalid, 'input may hold neither tool results nor tool calls');
      }
    }
    return undefined;
  }

  /** Why nothing can be resumed: session_not_resumable, awaiting_approval, awaiting_plan_review, resume_nothing_pending. */
  refuseResume(): ArkAgentError | undefined {
    if (!this.draft.resumable) {
      return notResumable();
    }
    const pending: PendingApprovalBatch | undefined = this.draft.pendingApproval;
    if (pending !== undefined && !pending.allDecided()) {
      return ArkAgentError.of(ErrorCode.awaitingApproval, 'a question is open; decide it first');
    }
    if (this.waitsForChild() && this.children.waiting) {
      return ArkAgentError.of(ErrorCode.awaitingApproval, 'a question of a sub-agent is open; decide it first');
    }
    if (this.draft.pendingPlanReview !== undefined) {
      return ArkAgentError.of(ErrorCode.awaitingPlanReview, 'a plan waits for review; decide it first');
    }
    return this.isOpen() ? undefined : ArkAgentError.of(ErrorCode.resumeNothingPending, 'nothing waits to be resumed');
  }

  /** A run is suspended, or was running when its process died. */
  isOpen(): boolean {
    const run: RunRecord | undefined = this.draft.run;
    return run !== undefined && run.status !== RunStatus.finished;
  }

  /**
   * All that the run waited for is decided, and nobody resumed it since. A run that the app paused, or whose process died,
   * waits for `resume` whatever is decided (DEC-05, DEC-21).
   * @param stored the open questions as the disk has them
   */
  decided(stored: PendingApprovalBatch | undefined): boolean {
    return this.planDecided() || (this.suspendedFor(AgentStopReason.awaitingApproval) &&
      (stored?.allDecided() ?? (this.waitsForChild() && !this.children.waiting)));
  }

  private planDecided(): boolean {
    return this.draft.pendingPlanReview === undefined && this.suspendedFor(AgentStopReason.awaitingPlanReview);
  }

  private suspendedFor(reason: AgentStopReason): boolean {
    return this.draft.run?.status === RunStatus.suspended && this.draft.run.stopReason === reason;
  }

  /** A call of the open batch is a child's to answer; the run that it belongs to has not ended. */
  private waitsForChild(): boolean {
    return this.isOpen() && this.draft.openBatch !== undefined &&
      this.draft.openBatch.calls.some((call: OpenCall) => call.status === CallStatus.waiting);
  }

  private openQuestion(): ArkAgentError | undefined {
    if (this.draft.pendingPlanReview !== undefined) {
      return ArkAgentError.of(ErrorCode.pendingPlanReviewBlocksInput, 'a plan waits for review; decide it first');
    }
    if (this.planDecided()) {
      return ArkAgentError.of(ErrorCode.pendingPlanReviewBlocksInput, 'the plan is decided but not carried out; resume first')
        .withDetail('resumeRequired', true);
    }
    if (this.waitsForChild()) {
      return this.children.waiting ?
        ArkAgentError.of(ErrorCode.pendingApprovalBlocksInput, 'a question of a sub-agent is open; decide it first') :
        ArkAgentError.of(ErrorCode.pendingApprovalBlocksInput, 'a sub-agent has not ended; resume or cancel first')
          .withDetail('resumeRequired', true);
    }
    const pending: PendingApprovalBatch | undefined = this.draft.pendingApproval;
    if (pending === undefined) {
      return undefined;
    }
    if (!pending.allDecided()) {
      return ArkAgentError.of(ErrorCode.pendingApprovalBlocksInput, 'a question is open; decide it first');
    }
    if (this.draft.run?.status === RunStatus.running && !this.approvedCallWaits(pending)) {
      return undefined;
    }
    return ArkAgentError.of(ErrorCode.pendingApprovalBlocksInput, 'the question is decided but not carried out; resume first')
      .withDetail('resumeRequired', true);
  }

  /** A person said yes to a call that has not begun. */
  private approvedCallWaits(pending: PendingApprovalBatch): boolean {
    for (const call of this.draft.openBatch?.calls ?? []) {
      const item: PendingApprovalItem | undefined = pending.latestAt(call.position);
      const approved: boolean = item !== undefined && item.decision === ApprovalDecision.approved &&
        !ApprovalDeciders.isAutomatic(item.decidedBy);
      if (approved && call.notStarted) {
        return true;
      }
    }
    return false;
  }
}

function notResumable(): ArkAgentError {
  return ArkAgentError.of(ErrorCode.sessionNotResumable,
    'the ending of the last run could not be saved; this session takes no more work');
}
