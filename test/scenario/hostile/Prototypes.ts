import { ArkAgentError } from '@core/base/ArkAgentError';
import { JsonObject } from '@core/json/JsonObject';
import { JsonValue } from '@core/json/JsonValue';
import { AgentMessage } from '@core/message/AgentMessage';
import { ContentPart } from '@core/message/ContentPart';
import { ToolCall } from '@core/message/ToolCall';
import { ToolContext } from '@core/tool/ToolContext';
import { ToolResult } from '@core/tool/ToolResult';

const KINDS: ReadonlyArray<{ readonly name: string; readonly prototype: object }> = [
  Object, Function, Array, String, Number, Boolean, Symbol, Map, Set, WeakMap, Promise, Error, RegExp, Date, Uint8Array,
  ArkAgentError, JsonObject, JsonValue, AgentMessage, ContentPart, ToolCall, ToolContext, ToolResult,
];

/** What every object of a kind has without having it: a snapshot that can be compared later. */
export class Prototypes {
  private readonly before = KINDS.map(describe);

  /** The kinds whose prototype, or constructor, is not what it was. */
  changed(): string[] {
    return KINDS.filter((kind, at) => {
      const now = describe(kind);
      return now.length !== this.before[at].length || now.some((part, index) => part !== this.before[at][index]);
    }).map((kind) => kind.name);
  }
}

function describe(kind: { readonly prototype: object }): unknown[] {
  const own = Reflect.ownKeys(kind.prototype).flatMap((key) => {
    const property = Object.getOwnPropertyDescriptor(kind.prototype, key);
    return [key, property?.value, property?.get, property?.set];
  });
  // Of a constructor the names alone: engines keep what a pattern matched last in one.
  return [Object.getPrototypeOf(kind.prototype), ...own, Object.getPrototypeOf(kind), ...Reflect.ownKeys(kind)];
}
