import { JsonObject } from '../json/JsonObject';
import { MessageList } from '../message/MessageList';
import { ToolDefinition } from './ToolDefinition';

/** What a provider may be told beside the conversation; a member left out is not sent. */
export interface ModelOptions {
  model?: string;
  temperature?: number;
  topP?: number;
  maxOutputTokens?: number;
  stop?: ReadonlyArray<string>;
  /** Members sent to the provider as they are. */
  extra?: JsonObject;
}

/** One request to a model. Immutable; a hook changes it by handing on a copy. */
export class ModelRequest {
  readonly systemPrompt: string;
  /** Pairs of calls and results are complete in it (toWire). */
  readonly messages: MessageList;
  readonly tools: ReadonlyArray<ToolDefinition>;
  readonly options: ModelOptions;

  constructor(systemPrompt: string, messages: MessageList, tools: ReadonlyArray<ToolDefinition>, options: ModelOptions) {
    this.systemPrompt = systemPrompt;
    this.messages = messages;
    this.tools = tools;
    this.options = options;
  }

  withSystemPrompt(systemPrompt: string): ModelRequest {
    return new ModelRequest(systemPrompt, this.messages, this.tools, this.options);
  }

  withMessages(messages: MessageList): ModelRequest {
    return new ModelRequest(this.systemPrompt, messages, this.tools, this.options);
  }

  /** Only tools of the original request count: a name that was not visible stays invisible (DEC-39). */
  withTools(tools: ReadonlyArray<ToolDefinition>): ModelRequest {
    return new ModelRequest(this.systemPrompt, this.messages, tools, this.options);
  }

  withOptions(options: ModelOptions): ModelRequest {
    return new ModelRequest(this.systemPrompt, this.messages, this.tools, options);
  }
}
