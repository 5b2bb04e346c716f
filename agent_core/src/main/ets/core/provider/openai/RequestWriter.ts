import { ArkAgentError } from '../../base/ArkAgentError';
import { Result } from '../../base/Result';
import { JsonCodec } from '../../json/JsonCodec';
import { JsonObject } from '../../json/JsonObject';
import { JsonValue } from '../../json/JsonValue';
import { ModelOptions, ModelRequest } from '../../model/ModelRequest';
import { ToolDefinition } from '../../model/ToolDefinition';
import { ConversationWriter } from './ConversationWriter';
import { MessageWriter } from './MessageWriter';
import { OpenAiDialect } from './OpenAiDialect';

/** Members that `options.extra` cannot replace: the conversation, and that the answer is streamed. */
const FIXED_MEMBERS: ReadonlyArray<string> = ['messages', 'tools', 'stream'];

/** A request's body. Equal requests give equal bytes, which keeps a provider's prompt cache warm. */
export class RequestWriter {
  private readonly dialect: OpenAiDialect;
  private readonly defaultModel: string;
  private readonly codec: JsonCodec = new JsonCodec();
  private readonly conversation: ConversationWriter;
  private readonly tools: WeakMap<ToolDefinition, string> = new WeakMap<ToolDefinition, string>();

  /** @param defaultModel used where a request names none; '' leaves the member out */
  constructor(dialect: OpenAiDialect, defaultModel: string) {
    this.dialect = dialect;
    this.defaultModel = defaultModel;
    this.conversation = new ConversationWriter(new MessageWriter(dialect, this.codec));
  }

  /** @throws ArkAgentError json_* when a schema, a json part or extras cannot be written */
  write(request: ModelRequest): string {
    const members: Map<string, string> = new Map<string, string>();
    this.addOptions(members, request.options);
    members.set('stream', 'true');
    if (this.dialect.asksForUsage) {
      members.set('stream_options', '{"include_usage":true}');
    }
    this.addExtra(members, request.options.extra);
    if (request.tools.length > 0) {
      members.set('tools', this.toolList(request.tools));
    }
    members.set('messages', this.messageList(request));
    // Added up, not joined: a join would copy the whole conversation once more.
    let body: string = '';
    members.forEach((value: string, name: string): void => {
      body += `${body === '' ? '{' : ','}${JSON.stringify(name)}:${value}`;
    });
    return body + '}';
  }

  private addOptions(members: Map<string, string>, options: ModelOptions): void {
    const model: string = options.model ?? this.defaultModel;
    if (model !== '') {
      members.set('model', JSON.stringify(model));
    }
    if (options.temperature !== undefined) {
      members.set('temperature', JSON.stringify(options.temperature));
    }
    if (options.topP !== undefined) {
      members.set('top_p', JSON.stringify(options.topP));
    }
    if (options.maxOutputTokens !== undefined) {
      members.set(this.dialect.maxTokensName, JSON.stringify(options.maxOutputTokens));
    }
    if (options.stop !== undefined && options.stop.length > 0) {
      members.set('stop', JSON.stringify(options.stop));
    }
  }

  private addExtra(members: Map<string, string>, extra: JsonObject | undefined): void {
    if (extra === undefined) {
      return;
    }
    for (const name of extra.keys()) {
      if (!FIXED_MEMBERS.includes(name)) {
        members.set(name, this.text(extra.get(name) as JsonValue));
      }
    }
  }

  private messageList(request: ModelRequest): string {
    const conversation: string = this.conversation.write(request.messages);
    if (request.systemPrompt === '') {
      return `[${conversation}]`;
    }
    const system: string = `{"role":${JSON.stringify(this.dialect.systemRole)},"content":${JSON.stringify(request.systemPrompt)}}`;
    return conversation === '' ? `[${system}]` : `[${system},${conversation}]`;
  }

  private toolList(tools: ReadonlyArray<ToolDefinition>): string {
    return `[${tools.map<string>((tool: ToolDefinition): string => this.tool(tool)).join(',')}]`;
  }

  private tool(tool: ToolDefinition): string {
    const known: string | undefined = this.tools.get(tool);
    if (known !== undefined) {
      return known;
    }
    const text: string = `{"type":"function","function":{"name":${JSON.stringify(tool.name)},` +
      `"description":${JSON.stringify(tool.description)},"parameters":${this.parameters(tool.parameters)}}}`;
    this.tools.set(tool, text);
    return text;
  }

  /** Some APIs refuse an object schema without `properties`, which is how a tool without arguments may be written. */
  private parameters(schema: JsonObject): string {
    if (schema.has('properties')) {
      return this.text(JsonValue.object(schema));
    }
    const whole: JsonObject = schema.clone();
    if (!whole.has('type')) {
      whole.setString('type', 'object');
    }
    return this.text(JsonValue.object(whole.setObject('properties', new JsonObject())));
  }

  private text(value: JsonValue): string {
    const written: Result<string, ArkAgentError> = this.codec.stringify(value);
    if (!written.ok) {
      throw written.error;
    }
    return written.value;
  }
}
