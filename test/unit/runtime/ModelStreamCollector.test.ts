import { describe, expect, it } from 'vitest';
import { ArkAgentError } from '@core/base/ArkAgentError';
import { CancellationController } from '@core/base/Cancellation';
import { ErrorCode } from '@core/base/ErrorCodes';
import { FlowController } from '@core/base/FlowControl';
import type { AgentHook } from '@core/hook/AgentHook';
import { ModelChunkHookResult } from '@core/hook/result/ModelChunkHookResult';
import { ModelResponse } from '@core/model/ModelResponse';
import { StreamingEvent } from '@core/model/StreamingEvent';
import { type CollectedStream, ModelStreamCollector } from '@core/runtime/model/ModelStreamCollector';
import type { RunContext } from '@core/runtime/segment/RunContext';
import type { SessionRedaction } from '@core/runtime/session/SessionRedaction';
import { hook, pipelineOf, state } from '../hook/support';

const text = (value: string): StreamingEvent => StreamingEvent.textDelta(value);
const why = (value: string): StreamingEvent => StreamingEvent.reasoningDelta(value);
const tick = async (rounds = 30): Promise<void> => { for (let i = 0; i < rounds; i++) await Promise.resolve(); };

/** One stream; with hooks they are slow when `hold` is set: each piece waits for `go`. */
class Stream {
  readonly shown: string[] = [];
  readonly notes: number[] = [];
  readonly ends: CollectedStream[] = [];
  readonly source = new CancellationController();
  readonly flow = new FlowController();
  readonly collector: ModelStreamCollector;
  readonly waiting: Array<() => void> = [];

  constructor(options: { hooks?: AgentHook[]; maxChars?: number; redaction?: SessionRedaction } = {}) {
    const context = {
      sessionId: 's', state,
      reporter: { textDelta: (value: string) => this.shown.push(`t:${value}`), reasoningDelta: (value: string) => this.shown.push(`r:${value}`), diagnostics: (notes: readonly object[]) => this.notes.push(notes.length) },
    } as unknown as RunContext;
    this.collector = new ModelStreamCollector(context, pipelineOf(...(options.hooks ?? [])), options.maxChars ?? 1e9, this.source, (stream) => this.ends.push(stream), this.flow, options.redaction);
  }

  /** A hook that lets pieces pass when it is told to. */
  static slow(): { stream: Stream; go: (count: number) => Promise<void> } {
    const waiting: Array<() => void> = [];
    const holding = hook('slow', { onModelChunk: (context) => new Promise((resolve) => waiting.push(() => resolve(ModelChunkHookResult.proceed(context.text, context.reasoning)))) });
    const stream = new Stream({ hooks: [holding] });
    return { stream, go: async (count) => { for (let i = 0; i < count; i++) { waiting.shift()?.(); await tick(); } } };
  }

  send(...events: StreamingEvent[]): this {
    for (const event of events) this.collector.onNext(event);
    return this;
  }

  get end(): string {
    const [one] = this.ends;
    return one === undefined ? `${this.ends.length} ends` : `${one.text}|${one.reasoning}|${one.response === undefined ? '-' : 'response'}|${one.error?.code ?? '-'}|${one.abort === undefined ? '-' : 'abort'}|${one.interrupted}`;
  }
}

const answer = ModelResponse.text('ab');

describe('a stream without hooks', () => {
  it('is shown piece by piece and at once, and ends once with what it said', () => {
    const one = new Stream().send(text('a'), why('x'), text(''), text('b'), StreamingEvent.modelComplete(answer));
    expect([one.shown, one.ends.length]).toEqual([['t:a', 'r:x', 't:b'], 0]);
    one.collector.onComplete();
    one.collector.onComplete();
    one.collector.onError(ArkAgentError.of(ErrorCode.providerFailed, 'late'));
    one.send(text('late'));
    expect([one.end, one.ends.length, one.shown.length, one.source.signal.cancelled, one.ends[0].response === answer]).toEqual(['ab|x|response|-|-|false', 1, 3, true, true]);
  });

  it('an answer that comes whole is shown as one piece, its reasoning first, unless pieces came before', () => {
    const whole = new Stream().send(StreamingEvent.modelComplete(new ModelResponse({ text: 't', reasoning: 'r' })));
    expect(whole.shown).toEqual(['r:r', 't:t']);
    expect(new Stream().send(text('a'), StreamingEvent.modelComplete(new ModelResponse({ text: 't', reasoning: 'r' }))).shown).toEqual(['t:a']);
    expect(new Stream().send(StreamingEvent.modelComplete(new ModelResponse({}))).shown).toEqual([]);
  });

  it('nothing after the completion of the answer counts', () => {
    const one = new Stream().send(text('a'), StreamingEvent.modelComplete(answer), text('b'), StreamingEvent.modelComplete(ModelResponse.text('other')));
    one.collector.onComplete();
    expect([one.end, one.ends[0].response === answer]).toEqual(['a||response|-|-|false', true]);
  });

  it('a completion without an answer is an error, and an error keeps what came before', () => {
    const none = new Stream().send(text('a'));
    none.collector.onComplete();
    expect(none.end).toBe('a||-|provider_protocol|-|false');
    const broken = new Stream().send(text('a'));
    broken.collector.onError(ArkAgentError.of(ErrorCode.providerFailed, 'x'));
    broken.collector.onComplete();
    expect([broken.end, broken.ends.length]).toEqual(['a||-|provider_failed|-|false', 1]);
  });

  it('an answer that is too long ends at the piece that makes it so, and stops its source', () => {
    const one = new Stream({ maxChars: 3 }).send(text('ab'), why('c'));
    expect([one.ends.length, one.source.signal.cancelled]).toEqual([0, false]);
    one.send(text('d'), text('e'));
    expect([one.end, one.shown, one.source.signal.cancelled]).toEqual(['ab|c|-|provider_stream_too_large|-|false', ['t:ab', 'r:c'], true]);
  });

  it('an interruption ends it with what was shown', () => {
    const one = new Stream().send(text('a'));
    one.collector.interrupt();
    one.collector.interrupt();
    one.send(text('b'));
    expect([one.end, one.ends.length, one.shown, one.source.signal.cancelled]).toEqual(['a||-|-|-|true', 1, ['t:a'], true]);
  });
});

describe('a stream under hooks', () => {
  it('STR-01 each piece passes before the next, and the last call flushes what a filter held back', async () => {
    const seen: string[] = [];
    const filter = hook('f', { onModelChunk: async (context) => { seen.push(`${context.text}/${context.reasoning}/${context.final}`); return context.final ? ModelChunkHookResult.proceed('!', '?') : ModelChunkHookResult.proceed(context.text.toUpperCase(), context.reasoning); } });
    const one = new Stream({ hooks: [filter] }).send(text('a'), why('x'), text('b'), StreamingEvent.modelComplete(answer));
    one.collector.onComplete();
    await tick();
    expect([seen, one.shown, one.end]).toEqual([['a//false', '/x/false', 'b//false', '//true'], ['t:A', 'r:x', 't:B', 't:!', 'r:?'], 'AB!|x?|response|-|-|false']);
  });

  it('a piece that is dropped is shown to nobody; an abort ends the stream at once', async () => {
    const picky = hook('p', { onModelChunk: async (context) => (context.text === 'no' ? ModelChunkHookResult.drop() : context.text === 'stop' ? ModelChunkHookResult.abort('why') : ModelChunkHookResult.proceed(context.text, context.reasoning)) });
    const one = new Stream({ hooks: [picky] }).send(text('a'), text('no'), text('stop'), text('b'), StreamingEvent.modelComplete(answer));
    one.collector.onComplete();
    await tick();
    expect([one.shown, one.end, one.ends.length, one.source.signal.cancelled, one.notes]).toEqual([['t:a'], 'a||response|-|abort|false', 1, true, []]);
  });

  it('notes about hooks are told, and only where there are some', async () => {
    const failing = hook('x', { onModelChunk: async () => { throw new Error('x'); } }, { failureMode: 'fail_open' as never });
    const one = new Stream({ hooks: [failing] }).send(text('a'));
    await tick();
    expect([one.notes, one.shown]).toEqual([[1], ['t:a']]);
  });

  it('what waits for a slow hook passes in order, and ends after the last of it', async () => {
    const { stream, go } = Stream.slow();
    stream.send(text('a'), text('b'), StreamingEvent.modelComplete(answer));
    stream.collector.onComplete();
    await tick();
    expect([stream.shown, stream.ends.length]).toEqual([[], 0]);
    await go(2);
    expect([stream.shown, stream.ends.length]).toEqual([['t:a', 't:b'], 0]);
    await go(1);
    expect(stream.end).toBe('ab||response|-|-|false');
  });

  it('an interruption does not wait for a slow hook, and what the hook says then is not shown', async () => {
    const { stream, go } = Stream.slow();
    stream.send(text('a'), text('b'));
    await tick();
    stream.collector.interrupt();
    expect(stream.end).toBe('||-|-|-|true');
    await go(3);
    expect([stream.shown, stream.ends.length]).toEqual([[], 1]);
  });

  it('an error waits for the pieces before it', async () => {
    const { stream, go } = Stream.slow();
    stream.send(text('a'));
    stream.collector.onError(ArkAgentError.of(ErrorCode.providerFailed, 'x'));
    await tick();
    expect(stream.ends.length).toBe(0);
    await go(2);
    expect(stream.end).toBe('a||-|provider_failed|-|false');
  });

  it('STR-04 a source is asked to stop above 64 thousand characters that wait, and to go on when a quarter is left', async () => {
    const { stream, go } = Stream.slow();
    stream.send(text('x'));
    stream.send(...Array.from({ length: 8 }, () => text('y'.repeat(8192))));
    expect(stream.flow.signal.paused, 'just at the bound').toBe(false);
    stream.send(text('z'));
    expect(stream.flow.signal.paused).toBe(true);
    await go(7);
    expect(stream.flow.signal.paused).toBe(true);
    await go(1);
    expect(stream.flow.signal.paused).toBe(false);
  });

  it('STR-04 the same with pieces that do not merge: above 1024, and down to 256', async () => {
    const { stream, go } = Stream.slow();
    for (let i = 0; i <= 1024; i++) stream.send(i % 2 === 0 ? text('x') : why('y'));
    expect(stream.flow.signal.paused, 'one of them is with the hook').toBe(false);
    stream.send(why('y'));
    expect(stream.flow.signal.paused).toBe(true);
    await go(769);
    expect(stream.flow.signal.paused).toBe(true);
    await go(1);
    expect(stream.flow.signal.paused).toBe(false);
  });
});

describe('a stream that is masked', () => {
  it('shows what the masks let through, each side by itself, and the rest at its end, unless it was interrupted', () => {
    const masks: Array<{ held: string }> = [];
    const redaction = { chunkFilter: () => { const mask = { held: '', push(value: string): string { const out = this.held; this.held = value; return out; }, flush(): string { const out = this.held; this.held = ''; return out; } }; masks.push(mask); return mask; } } as unknown as SessionRedaction;
    const one = new Stream({ redaction }).send(text('a'), why('x'), text('b'), StreamingEvent.modelComplete(answer));
    expect([one.shown, masks.length]).toEqual([['t:a'], 2]);
    one.collector.onComplete();
    expect([one.shown, one.end]).toEqual([['t:a', 't:b', 'r:x'], 'ab|x|response|-|-|false']);
    const cut = new Stream({ redaction }).send(text('a'), text('b'));
    cut.collector.interrupt();
    expect(cut.end).toBe('a||-|-|-|true');
  });
});
