import { JsonObject } from '../json/JsonObject';
import { ContentPart } from './ContentPart';
import { ToolCall } from './ToolCall';
import { Usage } from './Usage';

export enum MessageRole {
  system = 'system',
  user = 'user',
  assistant = 'assistant',
  tool = 'tool'
}

/** The parts of a message; what is left out takes the default named at the field of `AgentMessage`. */
export interface AgentMessageInit {
  role: MessageRole;
  id?: string;
  contents?: ReadonlyArray<ContentPart>;
  toolCalls?: ReadonlyArray<ToolCall>;
  toolCallId?: string;
  isError?: boolean;
  reasoning?: string;
  createdAtMs?: number;
  usage?: Usage;
  extras?: JsonObject;
  interrupted?: boolean;
}

/** One message of the conversation. Immutable. */
export class AgentMessage {
  /** Empty until the runtime has taken the message over. */
  readonly id: string;
  readonly role: MessageRole;
  readonly contents: ReadonlyArray<ContentPart>;
  /** Assistant only. */
  readonly toolCalls: ReadonlyArray<ToolCall>;
  /** Tool only: the id of the call that this answers. */
  readonly toolCallId: string | undefined;
  /** Tool only: the answer reports a failure. */
  readonly isError: boolean;
  readonly reasoning: string | undefined;
  /** Milliseconds since the epoch; 0 until the runtime has taken the message over. */
  readonly createdAtMs: number;
  readonly usage: Usage | undefined;
  /** Opaque to the runtime, sent back to the provider as it came. Sealed. */
  readonly extras: JsonObject | undefined;
  /** Assistant only: the stream ended before the model did. */
  readonly interrupted: boolean;

  constructor(init: AgentMessageInit) {
    this.id = init.id ?? '';
    this.role = init.role;
    this.contents = init.contents ?? [];
    this.toolCalls = init.toolCalls ?? [];
    this.toolCallId = init.toolCallId;
    this.isError = init.isError ?? false;
    this.reasoning = init.reasoning;
    this.createdAtMs = init.createdAtMs ?? 0;
    this.usage = init.usage;
    this.extras = init.extras;
    this.interrupted = init.interrupted ?? false;
  }

  static user(text: string): AgentMessage {
    return AgentMessage.ofText(MessageRole.user, text);
  }

  static system(text: string): AgentMessage {
    return AgentMessage.ofText(MessageRole.system, text);
  }

  static assistant(text: string): AgentMessage {
    return AgentMessage.ofText(MessageRole.assistant, text);
  }

  static toolResult(toolCallId: string, contents: ReadonlyArray<ContentPart>, isError: boolean): AgentMessage {
    const init: AgentMessageInit = {
      role: MessageRole.tool, toolCallId: toolCallId, contents: contents, isError: isError
    };
    return new AgentMessage(init);
  }

  /** The text parts, joined; other parts are left out. */
  text(): string {
    if (this.contents.length === 1) {
      return this.contents[0].asText() ?? '';
    }
    let joined: string = '';
    for (const part of this.contents) {
      joined += part.asText() ?? '';
    }
    return joined;
  }

  /** The same message as the runtime stores it: with an id and a time, where it had none. */
  stamped(id: string, createdAtMs: number): AgentMessage {
    const init: AgentMessageInit = this.toInit();
    init.id = this.id === '' ? id : this.id;
    init.createdAtMs = this.createdAtMs === 0 ? createdAtMs : this.createdAtMs;
    return new AgentMessage(init);
  }

  /** The parts of this message, to make a changed copy from. */
  toInit(): AgentMessageInit {
    const init: AgentMessageInit = {
      role: this.role, id: this.id, contents: this.contents, toolCalls: this.toolCalls, toolCallId: this.toolCallId,
      isError: this.isError, reasoning: this.reasoning, createdAtMs: this.createdAtMs, usage: this.usage,
      extras: this.extras, interrupted: this.interrupted
    };
    return init;
  }

  private static ofText(role: MessageRole, text: string): AgentMessage {
    const init: AgentMessageInit = { role: role, contents: [ContentPart.text(text)] };
    return new AgentMessage(init);
  }
}
