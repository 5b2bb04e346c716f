import { ArkAgentError } from '../../base/ArkAgentError';
import { ModelResponse } from '../../model/ModelResponse';
import { HookResultBase } from './HookResultBase';

export enum ModelResponseHookAction {
  proceed = 'proceed',
  retry = 'retry',
  abort = 'abort'
}

/** Answer of afterModelCall. */
export class ModelResponseHookResult extends HookResultBase {
  readonly action: ModelResponseHookAction;
  /** Set with proceed. */
  readonly response: ModelResponse | undefined;

  private constructor(action: ModelResponseHookAction, response: ModelResponse | undefined, reason: string,
    error: ArkAgentError | undefined) {
    super(action === ModelResponseHookAction.abort, reason, error);
    this.action = action;
    this.response = response;
  }

  static proceed(response: ModelResponse): ModelResponseHookResult {
    return new ModelResponseHookResult(ModelResponseHookAction.proceed, response, '', undefined);
  }

  /** Asks the model again; the runtime bounds how often (model_retry_exhausted). */
  static retry(reason: string = ''): ModelResponseHookResult {
    return new ModelResponseHookResult(ModelResponseHookAction.retry, undefined, reason, undefined);
  }

  static abort(reason: string, error?: ArkAgentError): ModelResponseHookResult {
    return new ModelResponseHookResult(ModelResponseHookAction.abort, undefined, reason, error);
  }
}
