/** A task that was scheduled. */
export interface ScheduledTask {
  /** The task will not run any more; harmless when it has run or was cancelled before. */
  cancel(): void;
}

/**
 * Timers and monotonic time: for durations and time-outs.
 *
 * Contract: a task runs at most once and never before `schedule` returned. A suspended process runs no timers, so a deadline
 * that must hold is a stored time that is compared again, never only a timer.
 */
export interface Scheduler {
  /** Milliseconds that never go back; the zero point means nothing. */
  monotonicMs(): number;
  /** @param delayMs milliseconds, 0 or more */
  schedule(delayMs: number, task: () => void): ScheduledTask;
}
