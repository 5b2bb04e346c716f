import { ApprovalDeciders } from '../../approval/ApprovalModes';
import { ArkAgentError } from '../../base/ArkAgentError';
import { ErrorCode } from '../../base/ErrorCodes';
import { AgentMessage, AgentMessageInit, MessageRole } from '../../message/AgentMessage';
import { ContentPart } from '../../message/ContentPart';
import { CallResult } from '../../state/CallResult';
import { CallRejection } from '../../execution/prepare/CallRejection';
import { CallStatus, CloseReason, OpenCall } from '../../state/OpenCall';
import { ToolCallStatus } from '../../tool/ToolResultEnvelope';

/** The tool messages of a batch: one per call, in the model's order, each with the call's own id. */
export class BatchMessages {
  /** What a call that will not run answers; a started effect without a result is unknown, whatever the reason (DEC-20). */
  static closing(call: OpenCall, denyReason: string = ''): CallResult {
    if (call.status === CallStatus.started || call.status === CallStatus.unknown) {
      return CallRejection.withStatus(ToolCallStatus.unknown, ArkAgentError.of(ErrorCode.toolOutcomeUnknown,
        'the outcome of this call is unknown; it may or may not have happened, do not repeat it'), 0);
    }
    return CallRejection.of(closingError(call.reason ?? CloseReason.notExecuted, denyReason));
  }

  /** The call as it stands when it will not run any more, with its answer: closed for the reason, or unknown. */
  static close(call: OpenCall, reason: CloseReason, denyReason: string = ''): OpenCall {
    if (call.mayHaveHappened) {
      const unknown: OpenCall = call.withStatus(CallStatus.unknown);
      return unknown.withResult(CallStatus.unknown, BatchMessages.closing(unknown));
    }
    const closed: OpenCall = call.closed(reason);
    return closed.withResult(CallStatus.closed, BatchMessages.closing(closed, denyReason));
  }

  static toolMessage(callId: string, result: CallResult, id: string, atMs: number): AgentMessage {
    const init: AgentMessageInit = {
      role: MessageRole.tool, id: id, toolCallId: callId, contents: BatchMessages.nonEmpty(result),
      isError: result.isError, createdAtMs: atMs
    };
    return new AgentMessage(init);
  }

  /** Providers refuse a tool message without content. */
  private static nonEmpty(result: CallResult): ReadonlyArray<ContentPart> {
    return result.contents.length > 0 ? result.contents : [ContentPart.text('')];
  }
}

function closingError(reason: string, denyReason: string): ArkAgentError {
  switch (reason) {
    case CloseReason.denied:
      return ArkAgentError.of(ErrorCode.toolDenied,
        denyReason === '' ? 'the person refused this call' : `the person refused this call: ${denyReason}`)
        .withDetail('by', ApprovalDeciders.PERSON);
    case CloseReason.expired:
      return ArkAgentError.of(ErrorCode.toolDenied, 'nobody answered in time; the call counts as refused (expired)')
        .withDetail('by', ApprovalDeciders.EXPIRY);
    case CloseReason.cancelledByUser:
      return ArkAgentError.of(ErrorCode.toolCancelled, 'the person cancelled the run (cancelled_by_user)');
    case CloseReason.processDied:
      return ArkAgentError.of(ErrorCode.processDied, 'the app was closed before this call ran');
    case CloseReason.streamFailed:
      return ArkAgentError.of(ErrorCode.streamFailed, 'the model\'s answer broke off before this call ran');
    case CloseReason.hookAbort:
      return ArkAgentError.of(ErrorCode.hookAbort, 'a safety rule ended the run before this call ran');
    case CloseReason.toolChanged:
      return ArkAgentError.of(ErrorCode.toolChanged, 'the tool was changed or removed since it was asked about');
    default:
      return ArkAgentError.of(ErrorCode.toolBatchNotExecuted, 'another call of the batch stopped it (not_executed)');
  }
}
