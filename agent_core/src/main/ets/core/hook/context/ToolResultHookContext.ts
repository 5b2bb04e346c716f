import { ToolCall } from '../../message/ToolCall';
import { ReadonlyAgentState } from '../../tool/ToolContext';
import { ToolResult } from '../../tool/ToolResult';
import { HookContextBase } from './HookContextBase';

/** After a tool ran. The result is redacted and limited already. */
export class ToolResultHookContext extends HookContextBase {
  readonly call: ToolCall;
  readonly result: ToolResult;

  constructor(sessionId: string, state: ReadonlyAgentState, call: ToolCall, result: ToolResult) {
    super(sessionId, state);
    this.call = call;
    this.result = result;
  }
}
