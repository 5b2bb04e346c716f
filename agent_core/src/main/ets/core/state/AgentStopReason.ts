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
