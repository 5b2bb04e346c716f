import { ApprovalScope, BatchDenyMode } from '../../approval/ApprovalModes';
import { PreparedCall } from '../../execution/prepare/PreparedCall';
import { AgentMessage } from '../../message/AgentMessage';
import { OpenBatch, OpenBatchInit } from '../../state/OpenBatch';
import { CallStatus, OpenCall } from '../../state/OpenCall';

/** The parts of a work. */
export interface BatchWorkInit {
  batchId: string;
  runId: string;
  message: AgentMessage;
  mode: BatchDenyMode;
  scope: ApprovalScope;
  visibleTools: ReadonlyArray<string>;
  calls: OpenCall[];
  prepared: Array<PreparedCall | undefined>;
}

/**
 * The calls of one assistant message while a segment works on them: their journal entries, and what phase 1 knows of each.
 * Becomes an `OpenBatch` when it has to survive the process.
 */
export class BatchWork {
  readonly batchId: string;
  readonly runId: string;
  readonly message: AgentMessage;
  readonly mode: BatchDenyMode;
  readonly scope: ApprovalScope;
  readonly visibleTools: ReadonlyArray<string>;
  /** By position; undefined where the stored result is enough. */
  readonly prepared: Array<PreparedCall | undefined>;
  /** Positions of calls that were begun and that only a person can let run again. */
  readonly repeats: Set<number> = new Set<number>();
  private readonly entries: OpenCall[];

  constructor(init: BatchWorkInit) {
    this.batchId = init.batchId;
    this.runId = init.runId;
    this.message = init.message;
    this.mode = init.mode;
    this.scope = init.scope;
    this.visibleTools = init.visibleTools;
    this.entries = init.calls;
    this.prepared = init.prepared;
  }

  get length(): number {
    return this.entries.length;
  }

  at(position: number): OpenCall {
    return this.entries[position];
  }

  set(call: OpenCall): void {
    this.entries[call.position] = call;
  }

  /** At least one call may run, runs or has run: atomic denial does not apply any more (DEC-31). */
  get begun(): boolean {
    return this.entries.some((call: OpenCall) => call.mayHaveHappened || call.status === CallStatus.finished);
  }

  toOpenBatch(): OpenBatch {
    const init: OpenBatchInit = {
      batchId: this.batchId, runId: this.runId, assistantMessageId: this.message.id, mode: this.mode,
      scope: this.scope, visibleTools: this.visibleTools, calls: this.entries.slice()
    };
    return new OpenBatch(init);
  }
}
