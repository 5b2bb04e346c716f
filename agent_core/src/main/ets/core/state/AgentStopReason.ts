/** Why a run, or a segment of it, stopped. A closed list: anything new is an ADR. */
export enum AgentStopReason {
  complete = 'complete',
  /** A tool result had its stop flag set. */
  toolStop = 'tool_stop',
  /** An afterToolCall hook stopped the loop. */
  hookStop = 'hook_stop',
  awaitingApproval = 'awaiting_approval',
  awaitingPlanReview = 'awaiting_plan_review',
  /** The app's life cycle suspended the run. */
  suspended = 'suspended',
  /** The person cancelled. */
  cancelled = 'cancelled',
  /** A hook aborted, or a hook that must not fail did. */
  aborted = 'aborted',
  loopDetected = 'loop_detected',
  maxTurns = 'max_turns',
  error = 'error'
}

/** What stop reasons have in common. */
export class AgentStopReasons {
  /** The run goes on later: it waits for a person or for the app. */
  static isSuspension(reason: AgentStopReason): boolean {
    return reason === AgentStopReason.awaitingApproval || reason === AgentStopReason.awaitingPlanReview ||
      reason === AgentStopReason.suspended;
  }
}
