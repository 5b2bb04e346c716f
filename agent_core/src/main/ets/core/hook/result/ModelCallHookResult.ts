import { ArkAgentError } from '../../base/ArkAgentError';
import { ModelRequest } from '../../model/ModelRequest';
import { ModelResponse } from '../../model/ModelResponse';
import { HookResultBase } from './HookResultBase';

export enum ModelCallHookAction {
  proceed = 'proceed',
  respond = 'respond',
  abort = 'abort'
}

/** Answer of beforeModelCall. */
export class ModelCallHookResult extends HookResultBase {
  readonly action: ModelCallHookAction;
  /** Set with proceed. */
  readonly request: ModelRequest | undefined;
  /** Set with respond. */
  readonly response: ModelResponse | undefined;

  private constructor(action: ModelCallHookAction, request: ModelRequest | undefined,
    response: ModelResponse | undefined, reason: string, error: ArkAgentError | undefined) {
    super(action === ModelCallHookAction.abort, reason, error);
    this.action = action;
    this.request = request;
    this.response = response;
  }

  static proceed(request: ModelRequest): ModelCallHookResult {
    return new ModelCallHookResult(ModelCallHookAction.proceed, request, undefined, '', undefined);
  }

  /** Answers in the model's place: no provider, no chunk hooks; afterModelCall and the tool pipeline still apply. */
  static respond(response: ModelResponse): ModelCallHookResult {
    return new ModelCallHookResult(ModelCallHookAction.respond, undefined, response, '', undefined);
  }

  static abort(reason: string, error?: ArkAgentError): ModelCallHookResult {
    return new ModelCallHookResult(ModelCallHookAction.abort, undefined, undefined, reason, error);
  }
}
