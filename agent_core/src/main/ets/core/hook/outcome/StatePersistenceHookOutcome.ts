import { HookAbort } from '../HookAbort';
import { HookDiagnostic } from '../HookDiagnostic';
import { HookOutcomeBase } from './HookOutcomeBase';

/** What the beforePersistState hooks said about a write. */
export class StatePersistenceHookOutcome extends HookOutcomeBase {
  /** Never true for a mandatory write. */
  readonly skip: boolean;

  constructor(skip: boolean, abort: HookAbort | undefined, diagnostics: ReadonlyArray<HookDiagnostic>) {
    super(abort, diagnostics);
    this.skip = skip;
  }
}
