import { ArkAgentError, ArkAgentErrorOptions, ErrorDetail } from '../base/ArkAgentError';
import { ErrorCode } from '../base/ErrorCodes';
import { ToolResult } from '../tool/ToolResult';

/** A hook refused a tool call. Not a person's denial: the other calls of the batch go on (DEC-32). Immutable. */
export class HookDenial {
  readonly hookName: string;
  /** May be empty. */
  readonly reason: string;
  /** What the hook wants the model to be told; undefined when it named nothing. */
  readonly syntheticResult: ToolResult | undefined;

  constructor(hookName: string, reason: string, syntheticResult: ToolResult | undefined) {
    this.hookName = hookName;
    this.reason = reason;
    this.syntheticResult = syntheticResult;
  }

  /** tool_denied with details.by = hook and details.hook = the name. */
  toError(): ArkAgentError {
    const details: Map<string, ErrorDetail> = new Map<string, ErrorDetail>();
    details.set('by', 'hook');
    details.set('hook', this.hookName);
    const options: ArkAgentErrorOptions = { details: details };
    const why: string = this.reason === '' ? 'the call was refused by a safety rule' : this.reason;
    return ArkAgentError.of(ErrorCode.toolDenied, why, options);
  }

  /** What answers the call: the synthetic result, or a standard one, so that no call stays without an answer. */
  toResult(): ToolResult {
    return this.syntheticResult ?? ToolResult.error(`${ErrorCode.toolDenied}: ${this.toError().message}`);
  }
}
