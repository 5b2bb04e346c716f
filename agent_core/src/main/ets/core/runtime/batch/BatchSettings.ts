import { ApprovalScope, BatchDenyMode } from '../../approval/ApprovalModes';
import { ArkAgentError } from '../../base/ArkAgentError';
import { ErrorCode } from '../../base/ErrorCodes';

/** How batches are treated in a session. Immutable. */
export class BatchSettings {
  readonly mode: BatchDenyMode;
  readonly scope: ApprovalScope;
  private readonly maxCalls: number;

  constructor(mode: BatchDenyMode, scope: ApprovalScope, maxCalls: number) {
    this.mode = mode;
    this.scope = scope;
    this.maxCalls = maxCalls;
  }

  /** Why no call of a message may run, whatever it is: tool_call_truncated, tool_batch_too_large. */
  refusal(calls: number, mayRun: boolean): ArkAgentError | undefined {
    if (!mayRun) {
      return this.truncated();
    }
    if (calls > this.maxCalls) {
      return ArkAgentError.of(ErrorCode.toolBatchTooLarge, `${calls} calls at once, at most ${this.maxCalls} are accepted`);
    }
    return undefined;
  }

  truncated(): ArkAgentError {
    return ArkAgentError.of(ErrorCode.toolCallTruncated, 'the answer was cut, so its calls do not run; ask for less at once');
  }
}
