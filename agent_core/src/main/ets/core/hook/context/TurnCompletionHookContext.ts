import { AgentMessage } from '../../message/AgentMessage';
import { ReadonlyAgentState } from '../../tool/ToolContext';
import { HookContextBase } from './HookContextBase';

/** The model answered without calls: the run would end here. */
export class TurnCompletionHookContext extends HookContextBase {
  readonly message: AgentMessage;

  constructor(sessionId: string, state: ReadonlyAgentState, message: AgentMessage) {
    super(sessionId, state);
    this.message = message;
  }
}
