import { CallReporter } from '../../execution/seam/CallReporter';
import { HookDiagnostic } from '../../hook/HookDiagnostic';
import { ToolCall } from '../../message/ToolCall';
import { ToolResultEnvelope } from '../../tool/ToolResultEnvelope';

/**
 * Which calls of the open batch this process has told the end of: each end is told once (DEC-43), also when a run was paused in
 * between, or ends with calls that never began. A new process starts with an empty page, as do those who listen to it.
 */
export class ToldCalls {
  private batchId: string = '';
  private readonly ended: Set<number> = new Set<number>();

  has(batchId: string, position: number): boolean {
    return this.batchId === batchId && this.ended.has(position);
  }

  note(batchId: string, position: number): void {
    if (this.batchId !== batchId) {
      this.batchId = batchId;
      this.ended.clear();
    }
    this.ended.add(position);
  }

  /** The call begins again: its next end is another one. */
  begins(batchId: string, position: number): void {
    if (this.batchId === batchId) {
      this.ended.delete(position);
    }
  }

  /** The reporter for the calls of a batch. */
  reporterOf(batchId: string, inner: CallReporter): CallReporter {
    return new ToldOnce(this, batchId, inner);
  }
}

class ToldOnce implements CallReporter {
  private readonly told: ToldCalls;
  private readonly batchId: string;
  private readonly inner: CallReporter;

  constructor(told: ToldCalls, batchId: string, inner: CallReporter) {
    this.told = told;
    this.batchId = batchId;
    this.inner = inner;
  }

  callStarted(call: ToolCall, warnings: ReadonlyArray<string>, decidedBy: string): void {
    this.told.begins(this.batchId, call.index);
    this.inner.callStarted(call, warnings, decidedBy);
  }

  callProgress(call: ToolCall, message: string, fraction: number): void {
    this.inner.callProgress(call, message, fraction);
  }

  callFinished(call: ToolCall, envelope: ToolResultEnvelope, warnings: ReadonlyArray<string>): void {
    if (!this.told.has(this.batchId, call.index)) {
      this.told.note(this.batchId, call.index);
      this.inner.callFinished(call, envelope, warnings);
    }
  }

  diagnostics(notes: ReadonlyArray<HookDiagnostic>): void {
    this.inner.diagnostics(notes);
  }
}
