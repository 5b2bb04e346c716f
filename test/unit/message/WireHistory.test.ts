import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AgentMessage, MessageRole } from '@core/message/AgentMessage';
import { ContentPart } from '@core/message/ContentPart';
import { MessageList } from '@core/message/MessageList';
import { MessageLog } from '@core/message/MessageLog';
import { ToolCall } from '@core/message/ToolCall';
import { WireHistory } from '@core/message/WireHistory';

let ids = 0;
const user = (text = 'u'): AgentMessage => AgentMessage.user(text).stamped(`m${++ids}`, 1);
const asks = (...callIds: string[]): AgentMessage => new AgentMessage({ role: MessageRole.assistant, id: `m${++ids}`, toolCalls: callIds.map((id, at) => new ToolCall(id, 'look', '{}', at)) });
const answer = (id: string, text = 'r'): AgentMessage => AgentMessage.toolResult(id, [ContentPart.text(text)], false);
const reason = (id: string, position: number): string => `reason_${id}_${position}`;
const wire = (messages: AgentMessage[], history = new WireHistory()): MessageList => history.toWire(MessageList.of(messages), reason);
const shape = (list: MessageList): string[] => list.toArray().map((one) => one.role === MessageRole.tool ? `${one.toolCallId}:${one.text()}` : one.role);

/** Every call is followed at once by exactly one result, in order, and no result stands alone. */
function complete(list: MessageList): boolean {
  const messages = list.toArray();
  for (let at = 0; at < messages.length; at++) {
    if (messages[at].role === MessageRole.tool) return false;
    for (const call of messages[at].toolCalls) {
      at++;
      if (messages[at]?.role !== MessageRole.tool || messages[at].toolCallId !== call.id) return false;
    }
  }
  return true;
}

describe('S6 the way of the history to a provider', () => {
  it('S6 hands a complete history on as it is, without a copy', () => {
    const log = new MessageLog(MessageList.of([user(), asks('a', 'b'), answer('a'), answer('b'), user()]));
    const view = log.view();
    expect(new WireHistory().toWire(view, reason)).toBe(view);
  });

  it('S6 gives a call without a result a synthetic one that names its reason, as an error', () => {
    const open = asks('a', 'b');
    const out = wire([user(), open, answer('a')]);
    expect(shape(out)).toEqual(['user', 'assistant', 'a:r', `b:reason_${open.id}_1: this call has no result`]);
    expect(out.last()?.isError).toBe(true);
  });

  it('S6 puts results into the order of their calls and leaves out what answers nothing or answers twice', () => {
    expect(shape(wire([answer('x'), user(), asks('a', 'b'), answer('b', '2'), answer('z'), answer('a', '1'), answer('a', '3'), user(), answer('a'), asks('a'), answer('a', 'second')])))
      .toEqual(['user', 'assistant', 'a:1', 'b:2', 'user', 'assistant', 'a:second']);
  });

  it('S6 pairs by message, so that ids which start again in every turn stay apart', () => {
    const again = asks('0');
    expect(shape(wire([asks('0'), answer('0', 'first'), again, user()]))).toEqual(['assistant', '0:first', 'assistant', `0:reason_${again.id}_0: this call has no result`, 'user']);
  });

  it('S6 two calls with one id in one message both get an answer', () => {
    expect(complete(wire([asks('a', 'a'), answer('a')]))).toBe(true);
  });

  it('DEC-12 remembers the complete prefix: messages that were seen are not looked at again', () => {
    let looks = 0;
    class Counting extends MessageList {
      override at(index: number): AgentMessage | undefined { looks++; return super.at(index); }
    }
    const messages = Array.from({ length: 400 }, (_, i) => i % 4 === 0 ? user() : i % 4 === 1 ? asks('a', 'b') : answer(i % 4 === 2 ? 'a' : 'b'));
    const history = new WireHistory();
    history.toWire(new Counting(messages, 400), reason);
    looks = 0;
    messages.push(user());
    history.toWire(new Counting(messages, 401), reason);
    expect(looks).toBeLessThan(10);
  });

  it('DEC-12 notices that it is asked about another history', () => {
    const history = new WireHistory();
    wire([user(), user(), user()], history);
    expect(shape(wire([asks('a'), user()], history))).toEqual(['assistant', expect.stringMatching(/^a:reason/), 'user']);
    expect(wire([], history).length).toBe(0);
  });

  it('S6 any history comes out with complete pairs, once and for all, with nothing of the conversation lost or reordered', () => {
    const id = fc.constantFrom('a', 'b', 'c');
    const message = fc.oneof(fc.constant(0).map(() => user()), id.map((one) => answer(one)), fc.array(id, { maxLength: 3 }).map((list) => asks(...list)), fc.constant(0).map(() => AgentMessage.system('s')));
    fc.assert(fc.property(fc.array(message, { maxLength: 14 }), fc.array(fc.nat(14), { maxLength: 4 }), (messages, cuts) => {
      const grown = new WireHistory();
      for (const cut of cuts.sort((x, y) => x - y)) grown.toWire(new MessageList(messages, Math.min(cut, messages.length)), reason);
      const once = grown.toWire(new MessageList(messages, messages.length), reason);
      expect(shape(once)).toEqual(shape(wire(messages)));
      expect(complete(once)).toBe(true);
      expect(shape(wire(once.toArray()))).toEqual(shape(once));
      expect(once.toArray().filter((one) => one.role !== MessageRole.tool)).toEqual(messages.filter((one) => one.role !== MessageRole.tool));
      const known = new Set(messages);
      for (const one of once.toArray()) if (one.role === MessageRole.tool && !known.has(one)) expect(one.isError).toBe(true);
    }), { numRuns: 400 });
  });
});

describe('lists of messages', () => {
  it('DEC-10 a view is bounded: what is appended later is not seen by it', () => {
    const log = new MessageLog(MessageList.of([user()]));
    const before = log.view();
    log.append(user());
    expect([before.length, before.at(1), before.last()?.role, log.view().length, before.isPrefixOf(log.view()), log.view().isPrefixOf(before)]).toEqual([1, undefined, 'user', 2, true, false]);
    expect([before.at(-1), before.slice(5), MessageList.of([user()]).isPrefixOf(before)]).toEqual([undefined, [], false]);
  });

  it('a message keeps an id and a time that it has, and joins its text parts only', () => {
    const stamped = user().stamped('other', 9);
    expect([stamped.id.startsWith('m'), stamped.createdAtMs]).toEqual([true, 1]);
    expect(new AgentMessage({ role: MessageRole.user, contents: [ContentPart.text('a'), ContentPart.image('u', 'image/png'), ContentPart.text('b')] }).text()).toBe('ab');
    expect(new AgentMessage({ role: MessageRole.user, contents: [ContentPart.file('u', 'x/y')] }).text()).toBe('');
  });
});
