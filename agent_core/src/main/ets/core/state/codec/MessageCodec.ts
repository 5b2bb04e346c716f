import { JsonWriter } from '../../json/JsonWriter';
import { AgentMessage, AgentMessageInit, MessageRole } from '../../message/AgentMessage';
import { ToolCall } from '../../message/ToolCall';
import { ContentPartCodec } from './ContentPartCodec';
import { DocumentReader } from './DocumentReader';
import { ObjectText } from './ObjectText';
import { ToolCallCodec } from './ToolCallCodec';
import { UsageCodec } from './UsageCodec';

const ROLES: ReadonlyArray<MessageRole> = [
  MessageRole.system, MessageRole.user, MessageRole.assistant, MessageRole.tool
];

/** One message. Members with their default are left out, except `contents` and a tool message's `isError`. */
export class MessageCodec {
  static encode(message: AgentMessage, writer: JsonWriter): string {
    const text: ObjectText = new ObjectText(writer)
      .string('id', message.id)
      .string('role', message.role)
      .optionalString('toolCallId', message.toolCallId)
      .raw('contents', ContentPartCodec.encodeAll(message.contents, writer));
    if (message.toolCalls.length > 0) {
      text.list<ToolCall>('toolCalls', message.toolCalls, (call: ToolCall): string => ToolCallCodec.encode(call, writer));
    }
    if (message.role === MessageRole.tool || message.isError) {
      text.boolean('isError', message.isError);
    }
    text.optionalString('reasoning', message.reasoning);
    if (message.usage !== undefined) {
      text.raw('usage', UsageCodec.encode(message.usage, writer));
    }
    return text
      .optionalObject('extras', message.extras)
      .flag('interrupted', message.interrupted)
      .number('createdAtMs', message.createdAtMs)
      .end();
  }

  static decode(reader: DocumentReader): AgentMessage {
    const usage: DocumentReader | undefined = reader.optionalReader('usage');
    const init: AgentMessageInit = {
      role: reader.choice<MessageRole>('role', ROLES),
      id: reader.string('id'),
      contents: ContentPartCodec.decodeAll(reader, 'contents'),
      toolCalls: reader.optionalList<ToolCall>('toolCalls', (item: DocumentReader): ToolCall => ToolCallCodec.decode(item)),
      toolCallId: reader.optionalString('toolCallId'),
      isError: reader.flag('isError'),
      reasoning: reader.optionalString('reasoning'),
      createdAtMs: reader.number('createdAtMs'),
      usage: usage === undefined ? undefined : UsageCodec.decode(usage),
      extras: reader.optionalSealed('extras'),
      interrupted: reader.flag('interrupted')
    };
    return new AgentMessage(init);
  }
}
