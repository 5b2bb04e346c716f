import { ApprovalScope, BatchDenyMode } from '../approval/ApprovalModes';
import { OpenCall } from './OpenCall';

/** The parts of a batch. */
export interface OpenBatchInit {
  batchId: string;
  runId: string;
  assistantMessageId: string;
  mode: BatchDenyMode;
  scope: ApprovalScope;
  visibleTools: ReadonlyArray<string>;
  calls: ReadonlyArray<OpenCall>;
}

/**
 * The journal of the calls of one assistant message, from the freeze (or the first effect) until their results are in the
 * history (DEC-01). Immutable.
 */
export class OpenBatch {
  readonly batchId: string;
  readonly runId: string;
  readonly assistantMessageId: string;
  readonly mode: BatchDenyMode;
  readonly scope: ApprovalScope;
  /** Names of the tools that the model saw when it made these calls (DEC-39). */
  readonly visibleTools: ReadonlyArray<string>;
  /** By position. */
  readonly calls: ReadonlyArray<OpenCall>;

  constructor(init: OpenBatchInit) {
    this.batchId = init.batchId;
    this.runId = init.runId;
    this.assistantMessageId = init.assistantMessageId;
    this.mode = init.mode;
    this.scope = init.scope;
    this.visibleTools = init.visibleTools;
    this.calls = init.calls;
  }

  withCall(call: OpenCall): OpenBatch {
    const calls: OpenCall[] = this.calls.slice();
    calls[call.position] = call;
    return this.withCalls(calls);
  }

  withCalls(calls: ReadonlyArray<OpenCall>): OpenBatch {
    const init: OpenBatchInit = {
      batchId: this.batchId, runId: this.runId, assistantMessageId: this.assistantMessageId, mode: this.mode,
      scope: this.scope, visibleTools: this.visibleTools, calls: calls
    };
    return new OpenBatch(init);
  }
}
