import { ArkAgentError } from '../base/ArkAgentError';
import { ContentPart } from '../message/ContentPart';
import { CallResult, CallResultInit } from '../state/CallResult';
import { ToolCallStatus } from '../tool/ToolResultEnvelope';

/** Error results as the model gets them: `code: message`, the same wherever a call is answered without a tool's own words. */
export class CallRejection {
  /** Nothing was started. */
  static of(error: ArkAgentError): CallResult {
    return CallRejection.withStatus(ToolCallStatus.rejected, error, 0);
  }

  /** @param elapsedMs milliseconds that the attempt took */
  static withStatus(status: ToolCallStatus, error: ArkAgentError, elapsedMs: number): CallResult {
    const init: CallResultInit = {
      status: status, code: error.code, contents: [ContentPart.text(`${error.code}: ${error.message}`)],
      isError: true, stopFlag: false, elapsedMs: elapsedMs
    };
    return new CallResult(init);
  }
}
