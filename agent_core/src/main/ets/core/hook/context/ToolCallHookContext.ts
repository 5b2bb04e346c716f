import { AgentMessage } from '../../message/AgentMessage';
import { ToolCall } from '../../message/ToolCall';
import { ToolDefinition } from '../../model/ToolDefinition';
import { ReadonlyAgentState } from '../../tool/ToolContext';
import { HookContextBase } from './HookContextBase';

/** Before a tool call passes the gates. */
export class ToolCallHookContext extends HookContextBase {
  /** As the model or an earlier hook wrote it; its arguments are text. */
  readonly call: ToolCall;
  /** The message that the call belongs to, as the model wrote it. */
  readonly modelMessage: AgentMessage;
  /** What the model saw when it made the call. */
  readonly availableTools: ReadonlyArray<ToolDefinition>;

  constructor(sessionId: string, state: ReadonlyAgentState, call: ToolCall, modelMessage: AgentMessage,
    availableTools: ReadonlyArray<ToolDefinition>) {
    super(sessionId, state);
    this.call = call;
    this.modelMessage = modelMessage;
    this.availableTools = availableTools;
  }
}
