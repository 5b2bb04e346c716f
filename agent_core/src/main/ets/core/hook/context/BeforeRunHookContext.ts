import { AgentMessage } from '../../message/AgentMessage';
import { ReadonlyAgentState } from '../../tool/ToolContext';
import { HookContextBase } from './HookContextBase';

/** Before new input is taken over. */
export class BeforeRunHookContext extends HookContextBase {
  readonly input: ReadonlyArray<AgentMessage>;

  constructor(sessionId: string, state: ReadonlyAgentState, input: ReadonlyArray<AgentMessage>) {
    super(sessionId, state);
    this.input = input;
  }

  copyWith(input: ReadonlyArray<AgentMessage>): BeforeRunHookContext {
    return new BeforeRunHookContext(this.sessionId, this.state, input);
  }
}
