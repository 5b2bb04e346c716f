import { ModelRequest } from '../../model/ModelRequest';
import { ModelResponse } from '../../model/ModelResponse';
import { HookAbort } from '../HookAbort';
import { HookDiagnostic } from '../HookDiagnostic';
import { HookOutcomeBase } from './HookOutcomeBase';

/** What the beforeModelCall hooks made of the request. */
export class ModelCallHookOutcome extends HookOutcomeBase {
  /** The same object as was asked about when no hook changed it. */
  readonly request: ModelRequest;
  /** When set, a hook answered in the model's place: the provider is not called. */
  readonly response: ModelResponse | undefined;

  constructor(request: ModelRequest, response: ModelResponse | undefined, abort: HookAbort | undefined,
    diagnostics: ReadonlyArray<HookDiagnostic>) {
    super(abort, diagnostics);
    this.request = request;
    this.response = response;
  }
}
