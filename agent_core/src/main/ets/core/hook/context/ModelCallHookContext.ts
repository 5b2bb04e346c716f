import { ModelRequest } from '../../model/ModelRequest';
import { ReadonlyAgentState } from '../../tool/ToolContext';
import { HookContextBase } from './HookContextBase';

/** Before a request goes to the model. */
export class ModelCallHookContext extends HookContextBase {
  readonly request: ModelRequest;

  constructor(sessionId: string, state: ReadonlyAgentState, request: ModelRequest) {
    super(sessionId, state);
    this.request = request;
  }

  copyWith(request: ModelRequest): ModelCallHookContext {
    return new ModelCallHookContext(this.sessionId, this.state, request);
  }
}
