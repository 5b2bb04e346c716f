import { ModelResponse } from '../../model/ModelResponse';
import { ReadonlyAgentState } from '../../tool/ToolContext';
import { HookContextBase } from './HookContextBase';

/** After the model answered, before the answer is stored. */
export class ModelResponseHookContext extends HookContextBase {
  readonly response: ModelResponse;

  constructor(sessionId: string, state: ReadonlyAgentState, response: ModelResponse) {
    super(sessionId, state);
    this.response = response;
  }

  copyWith(response: ModelResponse): ModelResponseHookContext {
    return new ModelResponseHookContext(this.sessionId, this.state, response);
  }
}
