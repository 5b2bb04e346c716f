import { JsonObject } from '../json/JsonObject';
import { ToolContext } from './ToolContext';
import { ToolResult } from './ToolResult';

/**
 * What a tool does.
 *
 * Contract:
 * - Arguments are decoded and fit the schema; business rules are still the executor's to check.
 * - Failure: answer `isError`; a throw is caught and becomes tool_execution_failed (an ArkAgentError keeps its code).
 * - Cancellation: stop soon after `context.signal` fires; what cannot be stopped is reported as unknown.
 * - The arguments are the executor's own copy.
 */
export interface ToolExecutor {
  execute(args: JsonObject, context: ToolContext): Promise<ToolResult>;
}

/** Start for an executor class; override `execute`. */
export abstract class BaseToolExecutor implements ToolExecutor {
  abstract execute(args: JsonObject, context: ToolContext): Promise<ToolResult>;
}
