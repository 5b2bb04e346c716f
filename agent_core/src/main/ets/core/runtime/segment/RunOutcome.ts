import { AgentMessage } from '../../message/AgentMessage';
import { AgentStopReason } from '../../state/AgentStopReason';

/** The run ended as it should: complete, tool_stop or hook_stop. */
export class RunCompleted {
  readonly kind: 'completed' = 'completed';
  readonly runId: string;
  readonly stopReason: AgentStopReason;
  /** The last message of the history. */
  readonly message: AgentMessage | undefined;

  constructor(runId: string, stopReason: AgentStopReason, message: AgentMessage | undefined) {
    this.runId = runId;
    this.stopReason = stopReason;
    this.message = message;
  }
}

/** The run waits: for a person, or because the app's life cycle suspended it. `resume()` continues it. */
export class RunSuspended {
  readonly kind: 'suspended' = 'suspended';
  readonly runId: string;
  readonly stopReason: AgentStopReason;

  constructor(runId: string, stopReason: AgentStopReason) {
    this.runId = runId;
    this.stopReason = stopReason;
  }
}

/** The person cancelled the run. */
export class RunCancelled {
  readonly kind: 'cancelled' = 'cancelled';
  readonly runId: string;
  readonly stopReason: AgentStopReason;
  readonly reason: string;

  constructor(runId: string, reason: string) {
    this.runId = runId;
    this.stopReason = AgentStopReason.cancelled;
    this.reason = reason;
  }
}

/** How a segment of a run ended, other than by an error; `kind` tells which (DEC-16). */
export type RunOutcome = RunCompleted | RunSuspended | RunCancelled;
