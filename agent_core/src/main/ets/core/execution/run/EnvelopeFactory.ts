import { ToolCall } from '../../message/ToolCall';
import { CallResult } from '../../state/CallResult';
import {
  EnvelopeRetry, EnvelopeTiming, ToolCallStatus, ToolResultEnvelope, ToolResultEnvelopeInit
} from '../../tool/ToolResultEnvelope';

/** The envelope of a call: what interface and audit get beside the tool message. */
export class EnvelopeFactory {
  /** @param startedAtMs milliseconds since the epoch; 0 when nothing was started */
  static of(call: ToolCall, result: CallResult, startedAtMs: number): ToolResultEnvelope {
    const timing: EnvelopeTiming = { startedAtMs: startedAtMs, elapsedMs: result.elapsedMs };
    const init: ToolResultEnvelopeInit = {
      callId: call.id, tool: call.name, status: result.status, code: result.code,
      summary: summaryOf(call.name, result), result: result.toToolResult(), artifact: result.artifact,
      retry: retryOf(result.status), timing: timing
    };
    return new ToolResultEnvelope(init);
  }
}

function summaryOf(tool: string, result: CallResult): string {
  switch (result.status) {
    case ToolCallStatus.ok:
      return `${tool}: done`;
    case ToolCallStatus.rejected:
      return `${tool}: not started (${result.code})`;
    case ToolCallStatus.failed:
      return `${tool}: failed (${result.code === '' ? 'reported by the tool' : result.code})`;
    case ToolCallStatus.cancelled:
      return `${tool}: cancelled`;
    default:
      return `${tool}: outcome unknown (${result.code})`;
  }
}

function retryOf(status: ToolCallStatus): EnvelopeRetry | undefined {
  if (status === ToolCallStatus.ok) {
    return undefined;
  }
  const retry: EnvelopeRetry = {
    allowed: status === ToolCallStatus.rejected || status === ToolCallStatus.failed,
    requiresInspection: status === ToolCallStatus.unknown
  };
  return retry;
}
