import { AgentStopReason } from './AgentStopReason';

export enum RunStatus {
  running = 'running',
  suspended = 'suspended',
  finished = 'finished'
}

/** The parts of a run record. */
export interface RunRecordInit {
  runId: string;
  status: RunStatus;
  segment: number;
  turn: number;
  stopReason?: AgentStopReason;
  modelRetries?: number;
  pendingStop?: AgentStopReason;
}

/** What is stored about the newest run of a session. Immutable. */
export class RunRecord {
  readonly runId: string;
  readonly status: RunStatus;
  /** From 0; +1 with each resume. */
  readonly segment: number;
  /** Model calls so far; a resume does not reset it (DEC-09). */
  readonly turn: number;
  /** Set when suspended or finished. */
  readonly stopReason: AgentStopReason | undefined;
  /** Retries asked for by afterModelCall hooks so far. */
  readonly modelRetries: number;
  /**
   * tool_stop or hook_stop: a result wants the run to stop, and turn completion has not been reached. Stored with the batch, so
   * that a run that is cut off or paused right then stops all the same when it goes on (DEC-24).
   */
  readonly pendingStop: AgentStopReason | undefined;

  constructor(init: RunRecordInit) {
    this.runId = init.runId;
    this.status = init.status;
    this.segment = init.segment;
    this.turn = init.turn;
    this.stopReason = init.stopReason;
    this.modelRetries = init.modelRetries ?? 0;
    this.pendingStop = init.pendingStop;
  }

  /** The parts of this record, to make a changed copy from. */
  toInit(): RunRecordInit {
    const init: RunRecordInit = {
      runId: this.runId, status: this.status, segment: this.segment, turn: this.turn, stopReason: this.stopReason,
      modelRetries: this.modelRetries, pendingStop: this.pendingStop
    };
    return init;
  }

  running(segment: number): RunRecord {
    const init: RunRecordInit = this.toInit();
    init.status = RunStatus.running;
    init.segment = segment;
    init.stopReason = undefined;
    return new RunRecord(init);
  }

  ended(status: RunStatus, stopReason: AgentStopReason): RunRecord {
    const init: RunRecordInit = this.toInit();
    init.status = status;
    init.stopReason = stopReason;
    init.pendingStop = status === RunStatus.finished ? undefined : this.pendingStop;
    return new RunRecord(init);
  }

  atTurn(turn: number): RunRecord {
    const init: RunRecordInit = this.toInit();
    init.turn = turn;
    init.pendingStop = undefined;
    return new RunRecord(init);
  }

  stopping(reason: AgentStopReason): RunRecord {
    const init: RunRecordInit = this.toInit();
    init.pendingStop = reason;
    return new RunRecord(init);
  }

  withModelRetries(modelRetries: number): RunRecord {
    const init: RunRecordInit = this.toInit();
    init.modelRetries = modelRetries;
    return new RunRecord(init);
  }
}
