import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CancellationController } from '@core/base/Cancellation';
import { DefaultLoopDetector, type LoopDetectorConfig } from '@core/loop/DefaultLoopDetector';
import type { LoopCheck } from '@core/loop/LoopDetector';
import { MessageList } from '@core/message/MessageList';
import { ToolCall } from '@core/message/ToolCall';

const signature = (args: string, name = 'look'): string => DefaultLoopDetector.signatureOf(new ToolCall('c', name, args, 0));
const check = (window: string[], turn = 1): LoopCheck => ({ window, turn, messages: MessageList.of([]), signal: CancellationController.never() });
const finds = async (window: string[], config?: LoopDetectorConfig): Promise<boolean> => (await new DefaultLoopDetector(config).check(check(window))).isLoop;

describe('signatures', () => {
  it('LOOP-02 key order and number spelling are ignored at every depth; array order, types and names count', () => {
    expect(signature('{"a":{"x":1,"y":[1,2]},"b":2}')).toBe(signature('{"b":2.0,"a":{"y":[1,2],"x":1e0}}'));
    expect(new Set(['{"a":[1,2]}', '{"a":[2,1]}', '{"a":"1"}', '{"a":1}', '{}'].map((args) => signature(args))).size).toBe(5);
    expect([signature(''), signature('{}'), signature('{}', 'other')]).toEqual(['look:{}', 'look:{}', 'other:{}']);
  });

  it('LOOP-02 arguments that do not parse are compared as raw text', () => {
    expect([signature('{"a":'), signature('[1]'), signature('{"a": '), signature('"x"')]).toEqual(['look:{"a":', 'look:[1]', 'look:{"a": ', 'look:"x"']);
  });

  it('LOOP-02 any shuffling of the keys keeps the signature', () => {
    fc.assert(fc.property(fc.dictionary(fc.string({ maxLength: 4 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 6 }), fc.infiniteStream(fc.nat()), (value, random) => {
      const shuffled = Object.fromEntries(Object.entries(value).map((entry) => [random.next().value, entry] as const).sort((a, b) => a[0] - b[0]).map(([, entry]) => entry));
      expect(signature(JSON.stringify(shuffled))).toBe(signature(JSON.stringify(value)));
    }));
  });
});

describe('the window', () => {
  it('LOOP-01 is a loop when the newest five are equal, and only then', async () => {
    const a = 'look:{}';
    expect(await Promise.all([[a, a, a, a, a], [a, a, a, a], ['b', a, a, a, a], [a, a, 'b', a, a], ['b', a, a, a, a, a], [], ['b', 'b', 'b', 'b', a]].map((window) => finds(window)))).toEqual([true, false, false, false, true, false, false]);
  });

  it('the threshold can be set, but one call is never a loop', async () => {
    expect(await finds(['a', 'a'], { toolLoopThreshold: 2 })).toBe(true);
    expect(new DefaultLoopDetector({ toolLoopThreshold: 0 }).windowSize).toBe(2);
    expect(await finds(['a'], { toolLoopThreshold: 1 })).toBe(false);
    const named = await new DefaultLoopDetector({ toolLoopThreshold: 3 }).check(check(['odd:name:{}', 'odd:name:{}', 'odd:name:{}']));
    expect([named.kind, named.reason]).toEqual(['tool_signature', '3 equal calls of odd in a row']);
  });

  it('LOOP-05 the diagnosis is not asked without a model, nor when the signatures tell already', async () => {
    let asked = 0;
    const detector = new DefaultLoopDetector({ llmFirstCheckTurn: 1, llmCheckInterval: 0 }, { diagnose: async () => { asked++; return { isLoop: false, confidence: 1, reason: '' }; } });
    expect((await detector.check(check(Array.from({ length: 5 }, () => 'a')))).isLoop).toBe(true);
    expect(asked).toBe(0);
    await detector.check(check(['a'], 1));
    await detector.check(check(['a'], 2));
    expect(asked).toBe(2);
  });
});
