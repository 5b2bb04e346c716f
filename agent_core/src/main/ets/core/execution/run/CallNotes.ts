import { HookMarkKind } from '../../hook/outcome/HookMark';
import { ToolResultHookOutcome } from '../../hook/outcome/ToolResultHookOutcome';
import { ToolCall } from '../../message/ToolCall';
import { AuditStep } from '../../port/AuditSink';
import { CallResult } from '../../state/CallResult';
import { ToolCallStatus } from '../../tool/ToolResultEnvelope';
import { AuditDeciders, CallAudit } from '../audit/CallAudit';
import { InvocationEnd } from './ToolInvoker';

/** What the records say of a call that ran. */
export class CallNotes {
  /** @param changes what filters changed */
  static outcome(call: ToolCall, audit: CallAudit, result: CallResult, end: InvocationEnd,
    changes: ReadonlyArray<string>): void {
    if (!audit.active) {
      return;
    }
    const own: boolean = end === InvocationEnd.settled || end === InvocationEnd.threw;
    audit.note(call, stepOf(result.status), own ? AuditDeciders.TOOL : AuditDeciders.RUNTIME, result.status, result.code);
    CallNotes.filtered(call, audit, changes);
  }

  static filtered(call: ToolCall, audit: CallAudit, changes: ReadonlyArray<string>): void {
    for (const change of changes) {
      audit.note(call, AuditStep.filtered, AuditDeciders.RUNTIME, change);
    }
  }

  static hooks(call: ToolCall, audit: CallAudit, outcome: ToolResultHookOutcome): void {
    for (const note of outcome.diagnostics) {
      audit.note(call, AuditStep.hookAfter, note.hookName, 'fault', note.code);
    }
    for (const mark of outcome.marks) {
      audit.note(call, AuditStep.hookAfter, mark.hookName, mark.kind,
        mark.kind === HookMarkKind.abort ? outcome.abort?.error.code ?? '' : '');
    }
  }
}

function stepOf(status: ToolCallStatus): AuditStep {
  switch (status) {
    case ToolCallStatus.ok:
      return AuditStep.finished;
    case ToolCallStatus.unknown:
      return AuditStep.unknown;
    case ToolCallStatus.cancelled:
      return AuditStep.cancelled;
    default:
      return AuditStep.failed;
  }
}
