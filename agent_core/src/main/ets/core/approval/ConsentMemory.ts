import { JsonObject } from '../json/JsonObject';
import { ToolCall } from '../message/ToolCall';
import { RegisteredTool } from '../tool/RegisteredTool';

/**
 * What the session remembers about consent when a call is judged: refusals of this run, effects of unknown outcome, grants.
 *
 * Contract: synchronous, no side effects but the reservation of a grant's use. One memory serves one batch, so that two
 * calls never count on the same last use.
 */
export interface ConsentMemory {
  /** A person refused the same call in this run: it is refused again without a question (S10). */
  refused(call: ToolCall, tool: RegisteredTool, args: JsonObject): boolean;
  /** The same effect was begun before and nobody knows whether it happened (S9). */
  outcomeUnknown(call: ToolCall, tool: RegisteredTool, args: JsonObject): boolean;
  /** The grant that answers in a person's place, its use reserved; undefined when there is none. */
  grantFor(call: ToolCall, tool: RegisteredTool, args: JsonObject): string | undefined;
}
