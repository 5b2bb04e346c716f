import { describe, expect, it } from 'vitest';
import { FinishReason } from '@core/model/ModelResponse';
import { type RecordingObserver, replay } from '../../../contract/provider/replay';

function read(body: string, status = 200, lateStatus = false): RecordingObserver {
  const whole = replay({ bytes: new TextEncoder().encode(body), status, lateStatus });
  const bytewise = replay({ bytes: new TextEncoder().encode(body), status, lateStatus, chunkSize: 1 });
  expect(JSON.stringify([bytewise.response, bytewise.error])).toBe(JSON.stringify([whole.response, whole.error]));
  return whole;
}

const event = (delta: object, more: object = {}): string => `data: ${JSON.stringify({ choices: [{ index: 0, delta, ...more }] })}\n\n`;

describe('AnswerStream', () => {
  it('reads a chat completion that was not streamed, also printed over several lines, with its calls', () => {
    const message = { role: 'assistant', content: 'Hi', reasoning_content: 'hm', tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }] };
    const body = { choices: [{ index: 0, message, finish_reason: 'tool_calls' }], usage: { prompt_tokens: 1, completion_tokens: 2 } };
    for (const text of [JSON.stringify(body), JSON.stringify(body, undefined, 2), `${JSON.stringify(body)}\n\ndata: [DONE]\n\n`, `data: ${JSON.stringify(body)}\n\n`]) {
      const seen = read(text);
      expect([seen.response?.text, seen.response?.reasoning, seen.text, seen.response?.usage?.totalTokens, seen.error]).toEqual(['Hi', 'hm', 'Hi', 3, undefined]);
      expect(seen.response?.toolCalls.map((call) => [call.id, call.name])).toEqual([['a', 'f']]);
    }
  });

  it('does not add a whole message that repeats the deltas at the end', () => {
    const last = { choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }] };
    expect(read(`${event({ content: 'Hel' })}${event({ content: 'lo' })}data: ${JSON.stringify(last)}\n\n`).response?.text).toBe('Hello');
  });

  it('takes a JSON error, a web page, other JSON and plain text with status 200 for what they are', () => {
    expect(read('{"error":{"message":"m","code":"insufficient_quota"}}').error?.code).toBe('provider_quota_exceeded');
    expect(read('<!doctype html>\n<h1>Sign in</h1>').error?.message).toContain('web page');
    expect(read('{"ok":true}').error?.code).toBe('provider_protocol');
    expect(read('[1,2]').error?.code).toBe('provider_protocol');
    expect(read('upstream unavailable').error?.message).toContain('upstream unavailable');
    expect(read('data: upstream unavailable\n\n').error?.code).toBe('provider_protocol');
  });

  it('never takes silence for an answer', () => {
    for (const body of ['', '\n\n', ': ping\n\n', 'id: 1\n\n', event({ content: '' }), event({ role: 'assistant' })]) {
      const seen = read(body);
      expect([seen.error?.code, seen.response?.outcome]).toEqual(['provider_stream_incomplete', 'incomplete']);
    }
  });

  it('takes [DONE] alone for a complete turn', () => {
    const seen = read('data: [DONE]\n\n');
    expect([seen.error, seen.response?.outcome, seen.response?.finishReason, seen.response?.rawFinishReason]).toEqual([undefined, 'complete', FinishReason.none, undefined]);
  });

  it('counts a last event without blank line when it is whole, and not when it is cut', () => {
    expect(read('data: [DONE]').response?.outcome).toBe('complete');
    expect(read(event({ content: 'Hi' }, { finish_reason: 'stop' }).trimEnd()).response?.text).toBe('Hi');
    const cut = read(`${event({ content: 'Hi' })}data: {"choices":[{"index":0,"delta":{"content":"the`);
    expect([cut.response?.text, cut.error?.code]).toEqual(['Hi', 'provider_stream_incomplete']);
    expect(read('data: {"error":{"message":"m"}}').error?.message).toBe('m');
  });

  it('S8 lets no call of a cut, filtered, refused or failed answer run', () => {
    const call = event({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }] });
    for (const reason of ['length', 'max_tokens', 'content_filter', 'error']) {
      expect(read(`${call}${event({}, { finish_reason: reason })}data: [DONE]\n\n`).response?.callsMayRun).toBe(false);
    }
    const refused = read(`${call}${event({ refusal: 'I cannot' }, { finish_reason: 'stop' })}data: [DONE]\n\n`);
    expect([refused.response?.callsMayRun, refused.response?.finishReason, refused.response?.extras?.getString('refusal')]).toEqual([false, FinishReason.contentFilter, 'I cannot']);
    expect(read(call).response?.callsMayRun).toBe(false);
    expect(read(`${call}${event({}, { finish_reason: 'stop' })}`).response?.callsMayRun).toBe(true);
  });

  it('tells an error finish without a reason as an error', () => {
    expect(read(`${event({ content: 'Hi' }, { finish_reason: 'error' })}data: [DONE]\n\n`).error?.code).toBe('provider_stream_error');
  });

  it('believes the status that a platform tells at the end', () => {
    const seen = read('{"message":"m"}', 401, true);
    expect([seen.error?.code, seen.error?.message, seen.response]).toEqual(['provider_auth', 'm', undefined]);
    const inEvents = read('data: {"error":{"message":"m"}}\n\n', 429, true);
    expect([inEvents.error?.code, inEvents.error?.details?.get('status')]).toEqual(['provider_rate_limited', 429]);
  });

  it('puts reasoning details together for the way back', () => {
    const piece = (detail: object): string => event({ reasoning_details: [detail] });
    const seen = read(piece({ type: 'reasoning.text', index: 0, text: 'a', format: 'x' }) + piece({ type: 'reasoning.text', index: 0, text: 'b', signature: 's' })
      + piece({ type: 'reasoning.encrypted', index: 1, id: 'q', data: 'd' }) + 'data: [DONE]\n\n');
    const details = seen.response?.extras?.getArray('reasoning_details') ?? [];
    expect(details.map((entry) => [entry.asObject()?.getString('text'), entry.asObject()?.getString('signature'), entry.asObject()?.getString('data')]))
      .toEqual([['ab', 's', undefined], [undefined, undefined, 'd']]);
    expect(seen.response?.extras?.sealed).toBe(true);
  });

  it('reads an event that comes byte by byte in linear time', () => {
    const timeOf = (size: number): number => {
      const bytes = new TextEncoder().encode(`data: {"choices":[{"index":0,"delta":{"content":"${'x'.repeat(size)}"},"finish_reason":"stop"}]}\n\n`);
      let best = Infinity;
      for (let round = 0; round < 4; round++) {
        const from = performance.now();
        expect(replay({ bytes, chunkSize: 1 }).response?.text.length).toBe(size);
        best = Math.min(best, performance.now() - from);
      }
      return best;
    };
    timeOf(20_000);
    const short = timeOf(50_000);
    expect(timeOf(800_000) / short).toBeLessThan(16 * 4);
  });
});
