import { HookAbort } from '../HookAbort';
import { HookDiagnostic } from '../HookDiagnostic';
import { HookOutcomeBase } from './HookOutcomeBase';

/** What the onModelChunk hooks made of a piece of text. */
export class ModelChunkHookOutcome extends HookOutcomeBase {
  /** Empty when dropped or aborted. */
  readonly text: string;
  /** Empty when dropped or aborted. */
  readonly reasoning: string;
  readonly dropped: boolean;

  constructor(text: string, reasoning: string, dropped: boolean, abort: HookAbort | undefined,
    diagnostics: ReadonlyArray<HookDiagnostic>) {
    super(abort, diagnostics);
    this.text = text;
    this.reasoning = reasoning;
    this.dropped = dropped;
  }
}
