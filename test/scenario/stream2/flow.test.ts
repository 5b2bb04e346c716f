import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CancellationController } from '@core/base/Cancellation';
import { FlowController } from '@core/base/FlowControl';
import { TextBuffer } from '@core/base/TextBuffer';
import { ModelChunkHookResult } from '@core/hook/result/ModelChunkHookResult';
import { StreamingEvent, StreamingEventType } from '@core/model/StreamingEvent';
import { HttpExchange } from '@core/port/HttpExchange';
import type { HttpResponseObserver } from '@core/port/HttpTransport';
import { ReplayProvider } from '@core/provider/ReplayProvider';
import { ReplayTransport } from '@core/provider/ReplayTransport';
import { ChunkQueue } from '@core/runtime/model/ChunkQueue';
import { ManualScheduler } from '@core/testing/ManualScheduler';
import { Session, hook, settle } from '../run/harness';

class Watcher implements HttpResponseObserver {
  readonly seen: string[] = [];
  onBytesDo: () => void = () => undefined;
  onHeaders(): void { this.seen.push('headers'); }
  onBytes(bytes: Uint8Array): void { this.seen.push(`${bytes.length}`); this.onBytesDo(); }
  onEnd(status: number): void { this.seen.push(`end ${status}`); }
  onError(error: { code: string }): void { this.seen.push(error.code); }
}

const REQUEST = { method: 'POST', url: 'http://x', headers: new Map<string, string>(), body: '', timeouts: { connectMs: 0, firstByteMs: 0, idleMs: 0, totalMs: 0 } };
const event = (kind: number, text: string): StreamingEvent => kind === 0 ? StreamingEvent.textDelta(text) : StreamingEvent.reasoningDelta(text);

describe('the flow signal', () => {
  it('tells each turn once, whoever listens, and forgets who left', () => {
    const flow = new FlowController();
    const told: string[] = [];
    flow.signal.onChange(() => { throw new Error('bad listener'); });
    const leave = flow.signal.onChange((paused) => told.push(`a ${paused}`));
    flow.signal.onChange((paused) => told.push(`b ${paused}`));
    flow.resume();
    flow.pause();
    flow.pause();
    leave();
    leave();
    flow.resume();
    expect([told, flow.signal.paused]).toEqual([['a true', 'b true', 'b false'], false]);
  });

  it('a listener may leave while it is told', () => {
    const flow = new FlowController();
    const told: string[] = [];
    const leave = flow.signal.onChange(() => { leave(); told.push('a'); });
    flow.signal.onChange(() => told.push('b'));
    flow.pause();
    flow.resume();
    expect(told).toEqual(['a', 'b', 'b']);
  });
});

describe('what waits', () => {
  it('a text buffer is the text, whatever the pieces', () => {
    fc.assert(fc.property(fc.array(fc.string({ maxLength: 3 }), { maxLength: 1200 }), fc.nat(1200), (pieces, cut) => {
      const buffer = new TextBuffer();
      for (const piece of pieces.slice(0, cut)) buffer.append(piece);
      expect([buffer.length, buffer.toString()]).toEqual([pieces.slice(0, cut).join('').length, pieces.slice(0, cut).join('')]);
      for (const piece of pieces.slice(cut)) buffer.append(piece);
      expect([buffer.take(), buffer.length, buffer.toString()]).toEqual([pieces.join(''), 0, '']);
    }), { numRuns: 60 });
  });

  it('a queue keeps order and every letter, and merges only neighbours of one kind', () => {
    const step = fc.oneof(fc.record({ kind: fc.constantFrom(0, 0, 0, 1), text: fc.string({ minLength: 1, maxLength: 3 }) }), fc.constant(undefined));
    fc.assert(fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const queue = new ChunkQueue();
      const given: string[] = [];
      const taken: string[] = [];
      let waiting = 0;
      const take = (): boolean => {
        const one = queue.take();
        if (one !== undefined) {
          waiting -= one.text.length;
          for (const letter of one.text.split('')) taken.push(`${one.type === StreamingEventType.textDelta ? 0 : 1}${letter}`);
        }
        expect(queue.length).toBe(waiting);
        return one !== undefined;
      };
      for (const one of steps) {
        if (one === undefined) {
          take();
          continue;
        }
        queue.add(event(one.kind, one.text));
        waiting += one.text.length;
        for (const letter of one.text.split('')) given.push(`${one.kind}${letter}`);
        expect(queue.length).toBe(waiting);
      }
      while (take());
      expect([taken, queue.pieces]).toEqual([given, 0]);
    }));
  });

  it('many neighbours wait as one piece, alternating ones do not, and clearing leaves nothing', () => {
    const queue = new ChunkQueue();
    for (let i = 0; i < 5000; i++) queue.add(event(0, 'xy'));
    expect([queue.pieces, queue.length]).toEqual([33, 10000]);
    for (let i = 0; i < 100; i++) queue.add(event(i % 2, 'z'));
    expect(queue.pieces).toBeGreaterThan(130);
    queue.clear();
    expect([queue.pieces, queue.length, queue.take()]).toEqual([0, 0, undefined]);
  });
});

describe('a source that is asked to wait', () => {
  it('a replayed answer stops between two pieces and goes on where it stopped', () => {
    const flow = new FlowController();
    const watcher = new Watcher();
    const bytes = new Uint8Array(10);
    let pieces = 0;
    watcher.onBytesDo = () => { if (++pieces % 2 === 0) flow.pause(); };
    new ReplayTransport({ bytes, chunkSize: 2 }).send(REQUEST, watcher, CancellationController.never(), flow.signal);
    expect(watcher.seen).toEqual(['headers', '2', '2']);
    flow.resume();
    expect(watcher.seen).toEqual(['headers', '2', '2', '2', '2']);
    flow.resume();
    expect(watcher.seen.slice(5)).toEqual(['2', 'end 200']);
  });

  it('a cancel while it waits is final', () => {
    const flow = new FlowController();
    const control = new CancellationController();
    const watcher = new Watcher();
    watcher.onBytesDo = () => flow.pause();
    new ReplayTransport({ bytes: new Uint8Array(6), chunkSize: 2 }).send(REQUEST, watcher, control.signal, flow.signal);
    control.cancel('enough');
    flow.resume();
    expect(watcher.seen).toEqual(['headers', '2']);
  });

  it('the silence of a source that was asked to wait is nobody’s time-out; afterwards it is timed again', () => {
    const scheduler = new ManualScheduler();
    const flow = new FlowController();
    const watcher = new Watcher();
    let released = 0;
    const exchange = new HttpExchange(watcher, { connectMs: 0, firstByteMs: 100, idleMs: 1000, totalMs: 0 }, scheduler, () => { released++; });
    exchange.begin(CancellationController.never(), flow.signal);
    exchange.bytes(new Uint8Array(1));
    flow.pause();
    scheduler.advance(60_000);
    expect([watcher.seen, exchange.over]).toEqual([['1'], false]);
    flow.resume();
    scheduler.advance(999);
    expect(exchange.over).toBe(false);
    scheduler.advance(2000);
    expect([watcher.seen, released, scheduler.pendingCount]).toEqual([['1', 'transport_timeout'], 1, 0]);
    flow.pause();
  });

  it('the whole request is timed also while it waits', () => {
    const scheduler = new ManualScheduler();
    const flow = new FlowController();
    const watcher = new Watcher();
    const exchange = new HttpExchange(watcher, { connectMs: 0, firstByteMs: 0, idleMs: 1000, totalMs: 5000 }, scheduler, () => undefined);
    exchange.begin(CancellationController.never(), flow.signal);
    exchange.bytes(new Uint8Array(1));
    flow.pause();
    scheduler.advance(5000);
    expect(watcher.seen).toEqual(['1', 'transport_timeout']);
  });
});

describe('the collector and its source', () => {
  const sse = (chunks: string[]): Uint8Array => new TextEncoder().encode(chunks.map((content) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`).join('') +
    'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n');

  it('STR-04 a long replayed answer waits for the hook, comes whole and in order, and ends once', async () => {
    const chunks = Array.from({ length: 3000 }, (_, n) => `${n} `.padEnd(100, '.'));
    let open = 0;
    const waits: Array<() => void> = [];
    const session = await Session.open({
      provider: new ReplayProvider({ bytes: sse(chunks), chunkSize: 4096 }),
      hooks: [hook('slow', {
        onModelChunk: async (context) => {
          open++;
          await new Promise<void>((resolve) => { waits.push(resolve); });
          open--;
          return ModelChunkHookResult.proceed(context.text, context.reasoning);
        },
      })],
    });
    const pending = session.run();
    let done = false;
    void pending.then(() => { done = true; });
    let longest = 0;
    for (let i = 0; i < 20_000 && !done; i++) {
      await settle(4);
      expect(open).toBeLessThanOrEqual(1);
      waits.shift()?.();
      longest = Math.max(longest, ...session.observer.values.slice(-1).map((one) => one.text.length));
    }
    expect((await pending).value.stopReason).toBe('complete');
    expect(session.observer.text).toBe(chunks.join(''));
    expect(longest).toBeLessThan(70 * 1024);
    expect(session.problems()).toEqual([]);
  }, 60_000);

  it('without chunk hooks nobody is asked to wait', async () => {
    const chunks = Array.from({ length: 2000 }, () => 'x'.repeat(100));
    const session = await Session.open({ provider: new ReplayProvider({ bytes: sse(chunks) }) });
    expect((await session.run()).value.stopReason).toBe('complete');
    expect(session.observer.text.length).toBe(200_000);
  });
});
