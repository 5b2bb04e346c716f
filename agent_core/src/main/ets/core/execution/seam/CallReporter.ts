import { HookDiagnostic } from '../../hook/HookDiagnostic';
import { ToolCall } from '../../message/ToolCall';
import { ToolResultEnvelope } from '../../tool/ToolResultEnvelope';

/** Who is told about the calls: events, observers, logs. Contract: must not throw and must not block. */
export interface CallReporter {
  /**
   * Just before the executor (DEC-43).
   * @param warnings notes of beforeToolCall hooks
   * @param decidedBy who lets it run: policy, `grant:<id>`, or who approved it
   */
  callStarted(call: ToolCall, warnings: ReadonlyArray<string>, decidedBy: string): void;
  callProgress(call: ToolCall, message: string, fraction: number): void;
  /** For every call, rejected ones too. */
  callFinished(call: ToolCall, envelope: ToolResultEnvelope, warnings: ReadonlyArray<string>): void;
  /** Faults of hooks that changed nothing; may be empty. */
  diagnostics(notes: ReadonlyArray<HookDiagnostic>): void;
}

/** Tells nobody. */
export class SilentCallReporter implements CallReporter {
  callStarted(call: ToolCall, warnings: ReadonlyArray<string>, decidedBy: string): void {
  }

  callProgress(call: ToolCall, message: string, fraction: number): void {
  }

  callFinished(call: ToolCall, envelope: ToolResultEnvelope, warnings: ReadonlyArray<string>): void {
  }

  diagnostics(notes: ReadonlyArray<HookDiagnostic>): void {
  }
}
