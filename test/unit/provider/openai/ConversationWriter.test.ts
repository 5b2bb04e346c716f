import { describe, expect, it } from 'vitest';
import { JsonCodec } from '@core/json/JsonCodec';
import { AgentMessage } from '@core/message/AgentMessage';
import { MessageList } from '@core/message/MessageList';
import { ConversationWriter } from '@core/provider/openai/ConversationWriter';
import { MessageWriter } from '@core/provider/openai/MessageWriter';
import { OpenAiDialects } from '@core/provider/openai/OpenAiDialect';

class CountingWriter extends MessageWriter {
  writes = 0;

  override write(message: AgentMessage): string {
    this.writes++;
    return super.write(message);
  }
}

const newWriter = (): CountingWriter => new CountingWriter(OpenAiDialects.generic(), new JsonCodec());
const texts = (written: string): string[] => (JSON.parse(`[${written}]`) as { content: string }[]).map((message) => message.content);

describe('ConversationWriter', () => {
  it('asks for new messages only when a conversation goes on', () => {
    const messages = newWriter();
    const writer = new ConversationWriter(messages);
    const log = [AgentMessage.user('a'), AgentMessage.user('b')];
    writer.write(new MessageList(log, 2));
    log.push(AgentMessage.user('c'), AgentMessage.user('d'));
    expect([texts(writer.write(new MessageList(log, 4))), messages.writes]).toEqual([['a', 'b', 'c', 'd'], 4]);
    expect([texts(writer.write(new MessageList(log, 4))), messages.writes]).toEqual([['a', 'b', 'c', 'd'], 4]);
  });

  it('writes what stands there when an earlier message was changed, dropped or the conversation is another one', () => {
    const writer = new ConversationWriter(newWriter());
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((text) => AgentMessage.user(text));
    for (const list of [[a, b, c], [d, b, c], [b, c], [c], [a, b, c, d], [a, b], [], [a, c, d], [a, b, c, d, a, d], [a, b, c, d, a, d, b]]) {
      expect(texts(writer.write(MessageList.of(list)))).toEqual(list.map((message) => message.text()));
    }
  });
});
