import { AgentMessage } from '../../message/AgentMessage';
import { HookAbort } from '../HookAbort';
import { HookDiagnostic } from '../HookDiagnostic';
import { HookOutcomeBase } from './HookOutcomeBase';

/** A hook wants another turn. */
export interface HookContinuation {
  readonly hookName: string;
  /** Roles user and system only; empty when the hook gave none. */
  readonly messages: ReadonlyArray<AgentMessage>;
}

/** What the onTurnCompletion hooks said about the end of a run. */
export class TurnCompletionHookOutcome extends HookOutcomeBase {
  /** Undefined: every hook accepted. */
  readonly continuation: HookContinuation | undefined;

  constructor(continuation: HookContinuation | undefined, abort: HookAbort | undefined,
    diagnostics: ReadonlyArray<HookDiagnostic>) {
    super(abort, diagnostics);
    this.continuation = continuation;
  }
}
