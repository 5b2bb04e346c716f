import { AgentMessage } from '../../message/AgentMessage';
import { HookAbort } from '../HookAbort';
import { HookDiagnostic } from '../HookDiagnostic';
import { HookOutcomeBase } from './HookOutcomeBase';

/** What the beforeRun hooks made of the input. */
export class BeforeRunHookOutcome extends HookOutcomeBase {
  /** The same array as was asked about when no hook changed it. */
  readonly input: ReadonlyArray<AgentMessage>;

  constructor(input: ReadonlyArray<AgentMessage>, abort: HookAbort | undefined,
    diagnostics: ReadonlyArray<HookDiagnostic>) {
    super(abort, diagnostics);
    this.input = input;
  }
}
