import { ModelResponse } from '../../model/ModelResponse';
import { HookAbort } from '../HookAbort';
import { HookDiagnostic } from '../HookDiagnostic';
import { HookOutcomeBase } from './HookOutcomeBase';

/** A hook wants the model to be asked again. */
export interface HookRetry {
  readonly hookName: string;
  readonly reason: string;
}

/** What the afterModelCall hooks made of the answer. */
export class ModelResponseHookOutcome extends HookOutcomeBase {
  /** The same object as was asked about when no hook changed it. */
  readonly response: ModelResponse;
  /** When set, the answer does not count; the caller bounds the number of retries. */
  readonly retry: HookRetry | undefined;

  constructor(response: ModelResponse, retry: HookRetry | undefined, abort: HookAbort | undefined,
    diagnostics: ReadonlyArray<HookDiagnostic>) {
    super(abort, diagnostics);
    this.response = response;
    this.retry = retry;
  }
}
