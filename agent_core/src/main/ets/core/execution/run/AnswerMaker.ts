import { ArkAgentError } from '../../base/ArkAgentError';
import { ErrorCode } from '../../base/ErrorCodes';
import { CallResult } from '../../state/CallResult';
import { ChildResult } from '../../tool/ChildResult';
import { RegisteredTool } from '../../tool/RegisteredTool';
import { ToolEffect } from '../../tool/ToolContract';
import { ToolCallStatus } from '../../tool/ToolResultEnvelope';
import { ResultBudget } from '../artifact/ResultBudget';
import { ResultSizer } from '../artifact/ResultSizer';
import { CallRejection } from '../prepare/CallRejection';
import { ResultFilters } from '../filter/ResultFilters';
import { Invocation, InvocationEnd } from './ToolInvoker';

/** Makes the result of a call of what its executor came to: masked, then within its size (step 7). */
export class AnswerMaker {
  /** Every filter and the size limit: for what is bounded but never kept elsewhere. */
  readonly filters: ResultFilters;
  /** The filters without the size limit; `sizer` follows. */
  private readonly masks: ResultFilters;
  private readonly sizer: ResultSizer;

  constructor(filters: ResultFilters, masks: ResultFilters, sizer: ResultSizer) {
    this.filters = filters;
    this.masks = masks;
    this.sizer = sizer;
  }

  /** Masked; the size is not looked at yet. @param changes gets a word for each filter that changed something */
  masked(tool: RegisteredTool, invocation: Invocation, elapsedMs: number, changes: string[]): CallResult {
    if (invocation.result !== undefined) {
      return this.masks.applyToAnswer(invocation.result, tool, elapsedMs, changes);
    }
    const error: ArkAgentError = invocation.error as ArkAgentError;
    if (invocation.end === InvocationEnd.threw && !tool.delegates) {
      return this.masks.applyToError(error, tool, ToolCallStatus.failed, elapsedMs, changes);
    }
    return givenUp(tool, invocation.end, error, elapsedMs);
  }

  /** What a child came to, as the result of its call. */
  maskedChild(tool: RegisteredTool, result: ChildResult, elapsedMs: number, changes: string[]): CallResult {
    const safe: CallResult = this.masks.applyToAnswer(result, tool, elapsedMs, changes);
    return result.status === ToolCallStatus.ok ? safe : safe.withStatus(result.status, result.code);
  }

  /** As `maskedChild`, cut where it is too long. */
  cutChild(tool: RegisteredTool, result: ChildResult, elapsedMs: number, changes?: string[]): CallResult {
    const safe: CallResult = this.filters.applyToAnswer(result, tool, elapsedMs, changes);
    return result.status === ToolCallStatus.ok ? safe : safe.withStatus(result.status, result.code);
  }

  /** Whether `fitted` would leave the result as it is. */
  fits(tool: RegisteredTool, result: CallResult, budget: ResultBudget): boolean {
    try {
      return this.sizer.fits(result, tool, budget);
    } catch (e) {
      return false;
    }
  }

  /** What is too large goes to the artifacts or is cut. What cannot be measured is no result; the filters withhold it. */
  async fitted(sessionId: string, tool: RegisteredTool, result: CallResult, budget: ResultBudget,
    changes: string[]): Promise<CallResult> {
    try {
      return await this.sizer.fit(sessionId, result, tool, budget, changes);
    } catch (e) {
      return this.filters.applyToAnswer(result.toToolResult(), tool, result.elapsedMs, changes);
    }
  }
}

/** No answer came in time, or the run was cancelled: unknown for an effect, which may have happened. */
function givenUp(tool: RegisteredTool, end: InvocationEnd, error: ArkAgentError, elapsedMs: number): CallResult {
  if (tool.contract.effect !== ToolEffect.none) {
    const told: ArkAgentError = ArkAgentError.of(
      end === InvocationEnd.timedOut ? ErrorCode.toolTimeout : ErrorCode.toolOutcomeUnknown,
      `${error.message}; it may or may not have happened, do not repeat it`);
    return CallRejection.withStatus(ToolCallStatus.unknown, told, elapsedMs);
  }
  return CallRejection.withStatus(end === InvocationEnd.timedOut ? ToolCallStatus.failed : ToolCallStatus.cancelled, error,
    elapsedMs);
}
