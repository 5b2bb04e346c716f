import { AuditDeciders, CallAudit } from '../../execution/audit/CallAudit';
import { CallReporter } from '../../execution/seam/CallReporter';
import { EnvelopeFactory } from '../../execution/run/EnvelopeFactory';
import { AgentMessage } from '../../message/AgentMessage';
import { ToolCall } from '../../message/ToolCall';
import { AuditStep } from '../../port/AuditSink';
import { CallResult } from '../../state/CallResult';
import { OpenBatch } from '../../state/OpenBatch';
import { OpenCall } from '../../state/OpenCall';
import { ToolCallStatus } from '../../tool/ToolResultEnvelope';
import { BatchMessages } from './BatchMessages';
import { BatchWork } from './BatchWork';
import { ToldCalls } from './ToldCalls';

/** The last word about calls that an ending, a claim or new input closed, instead of a result: for records and for listeners. */
export class CallClosings {
  /** The end of every call that this process has not told of yet; once it is stored. */
  static tell(told: ToldCalls, reporter: CallReporter, batch: OpenBatch | undefined, message: AgentMessage | undefined): void {
    if (batch === undefined || message === undefined) {
      return;
    }
    const once: CallReporter = told.reporterOf(batch.batchId, reporter);
    for (const call of batch.calls) {
      const shown: ToolCall = shownCall(message, call);
      once.callFinished(shown, EnvelopeFactory.of(shown, call.result ?? BatchMessages.closing(call), call.startedAtMs ?? 0), []);
    }
  }

  /** Every call that is not recorded as closed yet. */
  static note(audit: CallAudit, batch: OpenBatch | undefined, message: AgentMessage | undefined): void {
    if (!audit.active || batch === undefined || message === undefined) {
      return;
    }
    for (const call of batch.calls) {
      if (!audit.isClosed(call.position)) {
        const result: CallResult = call.result ?? BatchMessages.closing(call);
        const shown: ToolCall = shownCall(message, call);
        if (result.status === ToolCallStatus.unknown) {
          audit.note(shown, AuditStep.unknown, AuditDeciders.RUNTIME, result.status, result.code);
        }
        audit.closed(shown, result.status, result.code);
      }
    }
  }

  /** What a claim made of the calls that were open before it. */
  static claimed(audit: CallAudit, before: OpenBatch | undefined, work: BatchWork | undefined): void {
    if (!audit.active || before === undefined || work === undefined) {
      return;
    }
    for (const old of before.calls) {
      const now: OpenCall = work.at(old.position);
      if (old.result === undefined) {
        audit.note(shownCall(work.message, now), AuditStep.claim, AuditDeciders.RUNTIME, now.status, now.reason ?? '');
      }
    }
  }
}

/** The call under the name that would run. */
export function shownCall(message: AgentMessage, call: OpenCall): ToolCall {
  return message.toolCalls[call.position].withName(call.effective.name);
}
