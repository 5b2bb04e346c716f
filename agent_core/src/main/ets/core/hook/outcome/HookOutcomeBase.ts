import { HookAbort } from '../HookAbort';
import { HookDiagnostic } from '../HookDiagnostic';

/** What the outcomes of all slots share. Immutable. */
export abstract class HookOutcomeBase {
  /** When set, the run ends and nothing else in the outcome counts. */
  readonly abort: HookAbort | undefined;
  /** In the order in which they arose; the runtime publishes them. */
  readonly diagnostics: ReadonlyArray<HookDiagnostic>;

  protected constructor(abort: HookAbort | undefined, diagnostics: ReadonlyArray<HookDiagnostic>) {
    this.abort = abort;
    this.diagnostics = diagnostics;
  }
}
