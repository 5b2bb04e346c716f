import { ArkAgentError } from '../../base/ArkAgentError';
import { ErrorCode } from '../../base/ErrorCodes';
import { AgentStopReason, AgentStopReasons } from '../../state/AgentStopReason';
import { CloseReason } from '../../state/OpenCall';

/** How a segment is about to end; only the terminal gate carries it out. Immutable. */
export class RunEnd {
  readonly stopReason: AgentStopReason;
  /** Set for aborted, loop_detected, max_turns and error. */
  readonly error: ArkAgentError | undefined;
  /** Why calls that are still open will not run. */
  readonly closeReason: CloseReason;
  /** The person's words with a cancel. */
  readonly cancelReason: string;
  /** Another owner wrote the session: nothing of this run may be written any more (DEC-02). */
  readonly superseded: boolean;

  private constructor(stopReason: AgentStopReason, error: ArkAgentError | undefined, closeReason: CloseReason,
    cancelReason: string, superseded: boolean = false) {
    this.stopReason = stopReason;
    this.error = error;
    this.closeReason = closeReason;
    this.cancelReason = cancelReason;
    this.superseded = superseded;
  }

  /** The run goes on later: it waits for a person or for the app. */
  get isSuspension(): boolean {
    return AgentStopReasons.isSuspension(this.stopReason);
  }

  /** The same ending with the error in other words. */
  withError(error: ArkAgentError): RunEnd {
    return error === this.error ? this :
      new RunEnd(this.stopReason, error, this.closeReason, this.cancelReason, this.superseded);
  }

  /** complete, tool_stop, hook_stop. */
  static completed(stopReason: AgentStopReason): RunEnd {
    return new RunEnd(stopReason, undefined, CloseReason.notExecuted, '');
  }

  /** awaiting_approval, awaiting_plan_review, suspended. */
  static suspended(stopReason: AgentStopReason): RunEnd {
    return new RunEnd(stopReason, undefined, CloseReason.notExecuted, '');
  }

  static awaitingApproval(): RunEnd {
    return RunEnd.suspended(AgentStopReason.awaitingApproval);
  }

  static awaitingPlanReview(): RunEnd {
    return RunEnd.suspended(AgentStopReason.awaitingPlanReview);
  }

  /** The app's life cycle pauses the run. */
  static paused(): RunEnd {
    return RunEnd.suspended(AgentStopReason.suspended);
  }

  /** The model's stream broke off; what had arrived stays. */
  static streamFailed(error: ArkAgentError): RunEnd {
    return RunEnd.failed(error, CloseReason.streamFailed);
  }

  static cancelled(reason: string): RunEnd {
    return new RunEnd(AgentStopReason.cancelled, undefined, CloseReason.cancelledByUser, reason);
  }

  /** A hook aborted, or one that must not fail did (DEC-33). */
  static aborted(error: ArkAgentError): RunEnd {
    return new RunEnd(AgentStopReason.aborted, error, CloseReason.hookAbort, '');
  }

  static failed(error: ArkAgentError, closeReason: CloseReason = CloseReason.notExecuted): RunEnd {
    return new RunEnd(AgentStopReason.error, error, closeReason, '');
  }

  /** A write that must not fail did. An error of the same code that a hook or a tool brought is no such thing. */
  static saveFailed(error: ArkAgentError): RunEnd {
    return new RunEnd(AgentStopReason.error, error, CloseReason.notExecuted, '', error.code === ErrorCode.stateConflict);
  }

  /** loop_detected, max_turns. */
  static stopped(stopReason: AgentStopReason, error: ArkAgentError): RunEnd {
    return new RunEnd(stopReason, error, CloseReason.notExecuted, '');
  }
}
