import { ArkAgentError, ArkAgentErrorOptions, ErrorDetail } from '../../base/ArkAgentError';
import { ErrorCode } from '../../base/ErrorCodes';

/** How a policy's refusal looks to an executor: tool_denied with the policy (`by`) and the broken rule in the details. */
export class PolicyDenial {
  /** @param sentence readable, without the path, address or argument that it is about */
  static of(by: string, rule: string, sentence: string): ArkAgentError {
    const details: Map<string, ErrorDetail> = new Map<string, ErrorDetail>();
    details.set('by', by);
    details.set('rule', rule);
    const options: ArkAgentErrorOptions = { details: details };
    return ArkAgentError.of(ErrorCode.toolDenied, sentence, options);
  }

  static config(sentence: string): ArkAgentError {
    return ArkAgentError.of(ErrorCode.configInvalid, sentence);
  }
}
