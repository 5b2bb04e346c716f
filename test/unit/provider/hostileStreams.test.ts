import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replay } from '../../contract/provider/replay';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const deep = (open: string, close: string, levels: number, core: string): string => open.repeat(levels) + core + close.repeat(levels);

describe('hostile streams', () => {
  it('S8 end exactly once, without a throw, and the same for every piece size', () => {
    const member = fc.constantFrom('index', 'id', 'function', 'name', 'arguments', 'delta', 'message', 'content', 'tool_calls', 'finish_reason', 'error', 'usage', 'choices',
      'reasoning', 'reasoning_details', 'refusal', 'prompt_tokens', 'type', 'text', 'code', '__proto__', 'constructor');
    const value = fc.letrec((tie) => ({
      any: fc.oneof({ maxDepth: 5 }, fc.constantFrom<unknown>(null, true, 0, -1, 1.5, '', 'x', '\ud800', '0', 'stop', 'length', '{}', [], {}), fc.array(tie('any'), { maxLength: 3 }),
        fc.array(fc.tuple(member, tie('any')), { maxLength: 5 }).map((pairs) => Object.fromEntries(pairs))),
    })).any;
    const chunk = fc.oneof(value, value.map((delta) => ({ choices: [{ index: 0, delta }] })),
      fc.array(value, { maxLength: 3 }).map((calls) => ({ choices: [{ index: 0, delta: { tool_calls: calls } }] })));
    const line = fc.oneof({ weight: 4, arbitrary: chunk.map((json) => `data: ${JSON.stringify(json)}\n\n`) }, fc.string({ maxLength: 20 }).map((text) => `data: ${text}\n\n`),
      fc.string({ maxLength: 20 }), fc.constantFrom('data: [DONE]\n\n', '\n', ': x\n', '{"a":', '<html>'));
    fc.assert(fc.property(fc.array(line, { maxLength: 12 }), fc.integer({ min: 1, max: 40 }), fc.constantFrom(200, 0, 400, 429, 500), (lines, chunkSize, status) => {
      const bytes = bytesOf(lines.join(''));
      const whole = replay({ bytes, status });
      const cut = replay({ bytes, status, chunkSize });
      for (const seen of [whole, cut]) {
        expect([seen.endings, seen.late]).toEqual([1, 0]);
        expect(seen.response?.text ?? seen.text).toBe(seen.text);
      }
      expect(JSON.stringify([cut.response, cut.error])).toBe(JSON.stringify([whole.response, whole.error]));
    }), { numRuns: 1_500 });
  });

  it('S8 survive nesting that overflows a stack', () => {
    const levels = 100_000;
    const bodies = [
      `data: ${deep('[', ']', levels, '')}\n\n`,
      `data: {"choices":[{"delta":{"content":${deep('[', ']', levels, '')}}}]}\n\n`,
      `data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"f","arguments":${deep('{"a":', '}', levels, '1')}}}]}}]}\n\n`,
      `data: {"error":${deep('[', ']', levels, '')}}\n\n`,
      `data: ${deep('{"detail":', '}', levels, '"m"')}\n\n`,
      deep('{"message":', '}', levels, '"m"'),
      deep('[', '', levels, ''),
    ];
    for (const body of bodies) {
      for (const status of [200, 400]) expect(replay({ bytes: bytesOf(body), status }).endings).toBe(1);
    }
  });
});
