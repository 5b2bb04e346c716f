import { describe, expect, it } from 'vitest';
import { JsonObject } from '@core/json/JsonObject';
import { JsonValue } from '@core/json/JsonValue';
import { StreamingEvent, StreamingEventType } from '@core/model/StreamingEvent';
import { ChunkQueue } from '@core/runtime/model/ChunkQueue';
import { type LateResult, LateResults } from '@core/runtime/ledger/LateResults';
import { CallResult } from '@core/state/CallResult';
import { CallStatus } from '@core/state/OpenCall';
import type { SliceAccess } from '@core/state/SliceAccess';
import { StateSlice } from '@core/state/StateSlice';
import { ToolResult } from '@core/tool/ToolResult';
import { ToolCallStatus } from '@core/tool/ToolResultEnvelope';
import { open } from './support';

class Slices implements SliceAccess {
  readonly map = new Map<string, StateSlice>();

  getSlice(name: string): StateSlice | undefined {
    return this.map.get(name);
  }

  putSlice(name: string, slice: StateSlice | undefined): void {
    if (slice === undefined) this.map.delete(name);
    else this.map.set(name, slice);
  }
}

const late = (over: Partial<LateResult> = {}): LateResult => ({ batchId: 'b', position: 0, callId: 'c0', toolName: 'pay', failed: false, text: 'done', tell: true, ...over });

describe('S9 results that came late', () => {
  const note = (over: Partial<LateResult>): string => {
    const results = new LateResults(new Slices());
    results.add(late(over));
    return results.takeNotes().map((message) => `${message.role} ${message.text()}`).join('\n');
  };

  it('DEC-36 are told once, in order, and are gone then; those that are only recorded stay', () => {
    const results = new LateResults(new Slices());
    for (const [callId, tell] of [['c0', true], ['c1', false], ['c2', true]] as const) results.add(late({ callId, tell }));
    expect(results.takeNotes().map((message) => /call (c\d)/.exec(message.text())?.[1])).toEqual(['c0', 'c2']);
    expect([results.takeNotes(), results.list().map((one) => one.callId)]).toEqual([[], ['c1']]);
  });

  it('say what became of the call or the job', () => {
    const call = '[late result] The call c0 (pay), which had been given up,';
    const job = 'The job j (pay, call c0)';
    expect(note({})).toBe(`user ${call} has ended well after all. It is not to be repeated for that. Its answer: done`);
    expect(note({ failed: true, text: 'no' })).toBe(`user ${call} has failed after all. It is not to be repeated for that. Its answer: no`);
    expect(note({ jobId: 'j' })).toBe(`user [job ended] ${job} has ended well. Its answer: done`);
    expect(note({ jobId: 'j', failed: true })).toBe(`user [job ended] ${job} has failed. Its answer: done`);
    expect(note({ jobId: 'j', failed: true, unknown: true })).toBe(`user [job ended] ${job} did not end in time, and nobody knows what it did. Its answer: done`);
    expect(note({ jobId: 'j', lost: true })).toBe(`user [job lost] ${job} ran when the app was closed. Nobody knows what it did: it is not to be repeated before that is clear.`);
  });

  it('of those that are only recorded the last 32 and the newest stay, and none that is to be told goes', () => {
    const results = new LateResults(new Slices());
    for (let i = 0; i < 3; i++) results.add(late({ callId: `t${i}` }));
    for (let i = 0; i < 40; i++) results.add(late({ callId: `s${i}`, tell: false }));
    const ids = results.list().map((one) => one.callId);
    expect([ids.length, ids.filter((id) => id.startsWith('t')), ids.includes('s6'), ids.includes('s7'), ids.includes('s39')]).toEqual([3 + 33, ['t0', 't1', 't2'], false, true, true]);
  });

  it('are taken over from a batch that is closed', () => {
    const results = new LateResults(new Slices());
    const ok = CallResult.of(ToolCallStatus.ok, '', ToolResult.text('well'), 0);
    const failed = CallResult.of(ToolCallStatus.failed, 'x', ToolResult.text('badly'), 0);
    results.collect('b', ['c0', 'c1', 'c2'], [open(0, CallStatus.unknown), open(1, CallStatus.unknown, { lateResult: ok }), open(2, CallStatus.unknown, { lateResult: failed })], false);
    expect(results.list()).toMatchObject([
      { batchId: 'b', position: 1, callId: 'c1', toolName: 'pay', failed: false, text: 'well', tell: false }, { batchId: 'b', position: 2, callId: 'c2', failed: true, text: 'badly', tell: false },
    ]);
  });

  it.each<Partial<LateResult>>([{}, { failed: true, tell: false, position: 3 }, { jobId: 'j', lost: true }, { jobId: 'j', lost: false, unknown: true }])('survive their stored form: %j', (over) => {
    const slices = new Slices();
    new LateResults(slices).add(late(over));
    const back = new LateResults(slices).list()[0];
    expect(JSON.parse(JSON.stringify(back))).toEqual(late(over));
    expect(slices.map.get(LateResults.SLICE)?.json.getArray('results')?.[0].asObject()?.has('unknown')).toBe(over.unknown === true);
    expect(slices.map.get(LateResults.SLICE)?.json.getArray('results')?.[0].asObject()?.has('lost')).toBe(over.jobId !== undefined);
  });

  it('a stored one without call or tool is none; the rest has a default that tells nobody', () => {
    const slices = new Slices();
    const stored = [new JsonObject().setString('callId', 'c'), new JsonObject().setString('toolName', 't'), new JsonObject().setString('callId', 'c').setString('toolName', 't')];
    slices.map.set(LateResults.SLICE, new StateSlice(1, new JsonObject().setArray('results', stored.map((one) => JsonValue.object(one)))));
    expect(JSON.parse(JSON.stringify(new LateResults(slices).list()))).toEqual([{ batchId: '', position: 0, callId: 'c', toolName: 't', failed: false, text: '', tell: false }]);
  });
});

describe('pieces that wait for a hook', () => {
  const text = (value: string): StreamingEvent => StreamingEvent.textDelta(value);
  const why = (value: string): StreamingEvent => StreamingEvent.reasoningDelta(value);
  const all = (queue: ChunkQueue): string[] => {
    const taken: string[] = [];
    for (let event = queue.take(); event !== undefined; event = queue.take()) taken.push(`${event.type === StreamingEventType.textDelta ? 't' : 'r'}${event.text}`);
    return taken;
  };

  it('come out in order, one by one, while few wait', () => {
    const queue = new ChunkQueue();
    for (const piece of [text('a'), why('bb'), text('c')]) queue.add(piece);
    expect([queue.length, queue.pieces, all(queue), queue.length, queue.pieces, queue.take()]).toEqual([4, 3, ['ta', 'rbb', 'tc'], 0, 0, undefined]);
  });

  it('DEC-27 from the 33rd on neighbours of one kind are one piece, and kinds never mix', () => {
    const queue = new ChunkQueue();
    for (let i = 0; i < 32; i++) queue.add(text('x'));
    expect(queue.pieces).toBe(32);
    for (const piece of [text('a'), text('b'), why('c'), why('d'), text('e')]) queue.add(piece);
    expect([queue.length, queue.pieces]).toEqual([37, 35]);
    expect(all(queue).slice(32)).toEqual(['tab', 'rcd', 'te']);
    expect([queue.length, queue.pieces]).toEqual([0, 0]);
  });

  it('what has been taken makes room again, and the order stays', () => {
    const queue = new ChunkQueue();
    const taken: string[] = [];
    let added = 0;
    for (let round = 0; round < 200; round++) {
      for (let i = 0; i < 3; i++) queue.add(text(`${added++},`));
      const event = queue.take();
      if (event !== undefined) taken.push(event.text);
    }
    taken.push(...all(queue).map((one) => one.slice(1)));
    expect(taken.join('').split(',').filter((one) => one !== '').map(Number)).toEqual([...Array(added).keys()]);
    expect([queue.length, queue.pieces]).toEqual([0, 0]);
    queue.add(text('a'));
    queue.add(text('b'));
    expect([queue.pieces, all(queue)]).toEqual([2, ['ta', 'tb']]);
  });

  it('knows how many wait, whatever was taken before', () => {
    const queue = new ChunkQueue();
    for (let i = 0; i < 5; i++) queue.add(text('x'));
    queue.take();
    queue.take();
    expect([queue.pieces, queue.length]).toEqual([3, 3]);
    for (let i = 0; i < 29; i++) queue.add(text('x'));
    expect(queue.pieces).toBe(32);
    queue.add(text('a'));
    queue.add(text('b'));
    expect(queue.pieces, 'from here on they merge').toBe(33);
    queue.take();
    queue.add(text('c'));
    expect([queue.pieces, queue.length]).toEqual([32, 34]);
  });

  it('a cleared queue is like a new one', () => {
    const queue = new ChunkQueue();
    for (let i = 0; i < 40; i++) queue.add(text('x'));
    queue.take();
    queue.clear();
    expect([queue.length, queue.pieces, queue.take()]).toEqual([0, 0, undefined]);
    queue.add(why('a'));
    expect([queue.length, queue.pieces, all(queue)]).toEqual([1, 1, ['ra']]);
  });
});
