import { ArkAgentError } from '../../base/ArkAgentError';
import { Result } from '../../base/Result';
import { JsonCodec } from '../../json/JsonCodec';
import { JsonObject } from '../../json/JsonObject';
import { JsonValue } from '../../json/JsonValue';
import { AgentMessage, MessageRole } from '../../message/AgentMessage';
import { ToolCall } from '../../message/ToolCall';
import { ContentWriter } from './ContentWriter';
import { OpenAiDialect, ReasoningReplay } from './OpenAiDialect';
import { parseObject } from './WireTypes';
import { WireIds } from './WireIds';

/** Members of an assistant message that never come out of its extras. */
const OWN_MEMBERS: ReadonlyArray<string> = ['role', 'content', 'tool_calls', 'tool_call_id', 'refusal'];

/**
 * One message as JSON text.
 *
 * Messages are immutable, so the text is made once per message and kept as long as the message itself: a turn pays for its new messages,
 * not for the history.
 */
export class MessageWriter {
  private readonly dialect: OpenAiDialect;
  private readonly codec: JsonCodec;
  private readonly contents: ContentWriter;
  private readonly written: WeakMap<AgentMessage, string> = new WeakMap<AgentMessage, string>();

  constructor(dialect: OpenAiDialect, codec: JsonCodec) {
    this.dialect = dialect;
    this.codec = codec;
    this.contents = new ContentWriter(dialect, codec);
  }

  /** @throws ArkAgentError json_* for a json part or extras that cannot be written */
  write(message: AgentMessage): string {
    const known: string | undefined = this.written.get(message);
    if (known !== undefined) {
      return known;
    }
    const text: string = this.build(message);
    this.written.set(message, text);
    return text;
  }

  private build(message: AgentMessage): string {
    if (message.role === MessageRole.assistant) {
      return this.assistant(message);
    }
    if (message.role === MessageRole.tool) {
      return this.toolResult(message);
    }
    const role: string = message.role === MessageRole.system ? this.dialect.systemRole : message.role;
    return `{"role":${JSON.stringify(role)},"content":${this.contents.parts(message.contents)}}`;
  }

  private toolResult(message: AgentMessage): string {
    const id: string = WireIds.map(message.toolCallId ?? '', this.dialect.idRule);
    const text: string = this.contents.plain(message.contents);
    return `{"role":"tool","tool_call_id":${JSON.stringify(id)},` +
      `"content":${JSON.stringify(text === '' && message.isError ? 'error' : text)}}`;
  }

  private assistant(message: AgentMessage): string {
    const text: string = this.contents.plain(message.contents);
    const calls: ReadonlyArray<ToolCall> = message.toolCalls;
    const content: string = text === '' && calls.length > 0 && this.dialect.nullContent ? 'null' : JSON.stringify(text);
    let json: string = `{"role":"assistant","content":${content}`;
    json += this.reasoning(message);
    if (calls.length > 0) {
      json += `,"tool_calls":[${this.calls(calls, message.extras)}]`;
    }
    return json + this.extras(message) + '}';
  }

  private reasoning(message: AgentMessage): string {
    const text: string = message.reasoning ?? '';
    const replay: ReasoningReplay = this.dialect.reasoningReplay;
    const wanted: boolean = replay === ReasoningReplay.always ||
      (replay === ReasoningReplay.withToolCalls && message.toolCalls.length > 0);
    if (text === '' || !wanted || this.ownExtra(message, this.dialect.reasoningName) || this.ownExtra(message, 'reasoning_details')) {
      return '';
    }
    return `,${JSON.stringify(this.dialect.reasoningName)}:${JSON.stringify(text)}`;
  }

  private calls(calls: ReadonlyArray<ToolCall>, extras: JsonObject | undefined): string {
    const perCall: ReadonlyArray<JsonValue> = (this.dialect.sendsExtras ? extras?.getArray('tool_calls') : undefined) ?? [];
    const texts: string[] = [];
    for (let at: number = 0; at < calls.length; at++) {
      const call: ToolCall = calls[at];
      const own: JsonObject | undefined = at < perCall.length ? perCall[at].asObject() : undefined;
      texts.push(`{"id":${JSON.stringify(WireIds.map(call.id, this.dialect.idRule))},"type":"function",` +
        `"function":{"name":${JSON.stringify(call.name)},"arguments":${JSON.stringify(this.argumentsOf(call))}}` +
        `${this.members(own, ['id', 'type', 'function', 'index'])}}`);
    }
    return texts.join(',');
  }

  private argumentsOf(call: ToolCall): string {
    const text: string = call.argumentsJson;
    if (text === '') {
      return '{}';
    }
    if (!this.dialect.needsObjectArguments || parseObject(text) !== undefined) {
      return text;
    }
    return `{"invalid_arguments":${JSON.stringify(text)}}`;
  }

  private ownExtra(message: AgentMessage, name: string): boolean {
    return this.dialect.sendsExtras && message.extras !== undefined && message.extras.has(name);
  }

  private extras(message: AgentMessage): string {
    return this.dialect.sendsExtras ? this.members(message.extras, OWN_MEMBERS) : '';
  }

  private members(source: JsonObject | undefined, without: ReadonlyArray<string>): string {
    let json: string = '';
    if (source !== undefined) {
      for (const key of source.keys()) {
        if (!without.includes(key)) {
          const value: Result<string, ArkAgentError> = this.codec.stringify(source.get(key) as JsonValue);
          if (!value.ok) {
            throw value.error;
          }
          json += `,${JSON.stringify(key)}:${value.value}`;
        }
      }
    }
    return json;
  }
}
