import { HookDiagnostic, HookDiagnosticCode } from '../HookDiagnostic';
import { HookSlot } from '../HookSlot';

const NOTHING: ReadonlyArray<HookDiagnostic> = [];

/** The diagnostics of one pass through one slot. Makes an array only when there is something to keep. */
export class SlotLog {
  readonly slot: HookSlot;
  private kept: HookDiagnostic[] | undefined = undefined;

  constructor(slot: HookSlot) {
    this.slot = slot;
  }

  add(hookName: string, message: string, code: HookDiagnosticCode): void {
    if (this.kept === undefined) {
      this.kept = [];
    }
    this.kept.push(new HookDiagnostic(hookName, this.slot, message, code));
  }

  diagnostics(): ReadonlyArray<HookDiagnostic> {
    return this.kept ?? NOTHING;
  }
}
