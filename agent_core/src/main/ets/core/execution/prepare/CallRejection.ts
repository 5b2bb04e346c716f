import { ArkAgentError, ErrorDetail } from '../../base/ArkAgentError';
import { JsonObject } from '../../json/JsonObject';
import { ContentPart } from '../../message/ContentPart';
import { CallResult, CallResultInit } from '../../state/CallResult';
import { ToolCallStatus } from '../../tool/ToolResultEnvelope';

/**
 * Error results as the model gets them: `code: message`, the same wherever a call is answered without a tool's own words.
 * Several issues follow each other line by line, so that a model can repair all of them at once. Who refused the call
 * (`details.by`) is in the metadata: for the app and the interface, not for the model.
 */
export class CallRejection {
  /** Nothing was started. */
  static of(error: ArkAgentError): CallResult {
    return CallRejection.withStatus(ToolCallStatus.rejected, error, 0);
  }

  /** @param elapsedMs milliseconds that the attempt took */
  static withStatus(status: ToolCallStatus, error: ArkAgentError, elapsedMs: number): CallResult {
    const init: CallResultInit = {
      status: status, code: error.code, contents: [ContentPart.text(textOf(error))],
      isError: true, stopFlag: false, metadata: metadataOf(error), elapsedMs: elapsedMs
    };
    return new CallResult(init);
  }
}

function textOf(error: ArkAgentError): string {
  const issues: ErrorDetail | undefined = error.details?.get('issues');
  const lines: string[] = [`${error.code}: ${error.message}`];
  if (Array.isArray(issues)) {
    for (const issue of issues as ReadonlyArray<string>) {
      if (issue !== error.message) {
        lines.push(`- ${issue}`);
      }
    }
  }
  return lines.join('\n');
}

function metadataOf(error: ArkAgentError): JsonObject | undefined {
  const by: ErrorDetail | undefined = error.details?.get('by');
  return typeof by === 'string' ? new JsonObject().setString('by', by).seal() : undefined;
}
