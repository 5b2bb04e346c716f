import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ArkAgentError } from '@core/base/ArkAgentError';
import { CancellationController } from '@core/base/Cancellation';
import { ErrorCode } from '@core/base/ErrorCodes';
import { HookFailureMode } from '@core/hook/HookFailureMode';
import { ModelChunkHookResult } from '@core/hook/result/ModelChunkHookResult';
import { ModelResponse } from '@core/model/ModelResponse';
import { StreamingEvent } from '@core/model/StreamingEvent';
import { type AgentEvent, AgentEventType } from '@core/runtime/report/AgentEvent';
import { type Answer, FunctionProvider, Session, Tools, call, hook, settle } from '../run/harness';

interface Piece {
  reasoning: boolean;
  text: string;
  /** Milliseconds before it is told. */
  wait: number;
}

type Ending = 'complete' | 'error' | 'throw' | 'silent complete' | 'twice';

const piece = fc.record<Piece>({ reasoning: fc.boolean(), text: fc.string({ unit: fc.constantFrom('a', 'b', '密', '😀'), minLength: 1, maxLength: 3 }), wait: fc.constantFrom(0, 0, 0, 1, 4) });
const pieces = fc.array(piece, { minLength: 1, maxLength: 70 });

/** Tells the pieces, some at once and some later, then ends as it is told; goes on talking after its end. */
function tells(session: () => Session, list: readonly Piece[], ending: Ending = 'complete'): Answer {
  return (observer) => {
    const end = (): void => {
      const whole = ModelResponse.text('what the provider thinks it said');
      if (ending === 'error') observer.onError(ArkAgentError.of(ErrorCode.transportFailed, 'the line broke'));
      if (ending === 'silent complete') observer.onComplete();
      if (ending === 'complete' || ending === 'twice') {
        observer.onNext(StreamingEvent.modelComplete(whole));
        observer.onComplete();
      }
      if (ending === 'twice') {
        observer.onComplete();
        observer.onError(ArkAgentError.of(ErrorCode.transportFailed, 'and also'));
      }
      observer.onNext(StreamingEvent.textDelta('LATE'));
      observer.onNext(StreamingEvent.modelComplete(ModelResponse.text('LATE')));
    };
    const tell = (at: number): void => {
      if (at === list.length) {
        if (ending === 'throw') throw new Error('the provider threw');
        end();
        return;
      }
      const next = (): void => {
        observer.onNext(list[at].reasoning ? StreamingEvent.reasoningDelta(list[at].text) : StreamingEvent.textDelta(list[at].text));
        tell(at + 1);
      };
      if (list[at].wait === 0 || ending === 'throw') next();
      else session().scheduler.schedule(list[at].wait, next);
    };
    tell(0);
  };
}

const textOf = (list: readonly Piece[], reasoning: boolean): string => list.filter((one) => one.reasoning === reasoning).map((one) => one.text).join('');
const shown = (session: Session, type: AgentEventType): string => session.observer.values.filter((one) => one.type === type).map((one) => one.text).join('');
/** Lets a provider that nobody listens to any more say the rest. */
async function runOut(session: Session): Promise<void> {
  for (let i = 0; i < 20 && session.scheduler.pendingCount > 0; i++) {
    session.scheduler.advance(10);
    await settle(4);
  }
}
const isDelta = (one: AgentEvent): boolean => one.type === AgentEventType.textDelta || one.type === AgentEventType.reasoningDelta;

describe('a stream against which everything conspires', () => {
  it('STR-01 slow hooks, a slow network and every way of ending: one terminal call, in order, nothing lost, nothing late', async () => {
    const endings = fc.constantFrom<Ending>('complete', 'error', 'throw', 'silent complete', 'twice');
    await fc.assert(fc.asyncProperty(pieces, endings, fc.array(fc.constantFrom(0, 0, 1, 3, 9), { minLength: 1, maxLength: 6 }), fc.integer({ min: 0, max: 2 }), async (some, ending, waits, hooks) => {
      const list = [...some, { reasoning: false, text: '!', wait: 0 }];
      let made: Session | undefined = undefined as Session | undefined;
      const order: string[] = [];
      const slow = (n: number) => hook(`slow ${n}`, {
        onModelChunk: async (context) => {
          order.push(`${n}${context.final ? ' final' : ''}`);
          const wait = waits[order.length % waits.length];
          if (wait > 0) await new Promise<void>((resolve) => { made?.scheduler.schedule(wait, resolve); });
          return ModelChunkHookResult.proceed(context.text, context.reasoning);
        },
      });
      made = await Session.open({ provider: new FunctionProvider(tells(() => made as Session, list, ending)), hooks: Array.from({ length: hooks }, (_, n) => slow(n)) });
      const result = await made.finish(made.run(), 3, 5000);
      const interleaved = order.filter((entry) => !entry.includes('final'));
      for (let i = 0; i < interleaved.length; i++) expect(interleaved[i]).toBe(`${i % Math.max(1, hooks)}`);
      expect(order.filter((entry) => entry.includes('final'))).toEqual(Array.from({ length: hooks }, (_, n) => `${n} final`));
      expect([shown(made, AgentEventType.textDelta), shown(made, AgentEventType.reasoningDelta)]).toEqual([textOf(list, false), textOf(list, true)]);
      const expected = ending === 'error' ? 'transport_failed' : ending === 'throw' ? 'provider_failed' : ending === 'silent complete' ? 'provider_protocol' : 'complete';
      expect(result.ok ? result.value.stopReason : result.error.code).toBe(expected);
      expect(made.storage.last.history.last()?.interrupted).toBe(!result.ok);
      expect(made.storage.last.history.last()?.text()).toBe(textOf(list, false));
      expect(JSON.stringify([made.observer.values, made.storage.texts])).not.toMatch(/LATE|thinks/);
      expect(made.problems()).toEqual([]);
    }), { numRuns: 150 });
  }, 60_000);

  it('STR-03 an abort at every piece: what came before is kept, the piece and all after it reach nobody, no call runs', async () => {
    const list: Piece[] = Array.from({ length: 9 }, (_, n) => ({ reasoning: n % 3 === 2, text: `<${n}>`, wait: n % 2 }));
    for (let at = 0; at <= list.length; at++) {
      for (const fast of [true, false]) {
        let made: Session | undefined = undefined as Session | undefined;
        const tools = new Tools().add('look');
        const given = fast ? list.map((one) => ({ ...one, wait: 0 })) : list;
        let seen = 0;
        const provider = new FunctionProvider((observer, signal, request) => tells(() => made as Session, given)({
          onNext: (event) => observer.onNext(event.response === undefined ? event : StreamingEvent.modelComplete(new ModelResponse({ text: 'x', toolCalls: [call('c', 'look')] }))),
          onError: (error) => observer.onError(error), onComplete: () => observer.onComplete(),
        }, signal, request));
        made = await Session.open({
          provider, toolRegistry: tools.registry,
          hooks: [hook('guard', {
            onModelChunk: async (context) => {
              await new Promise<void>((resolve) => { made?.scheduler.schedule(2, resolve); });
              return seen++ === at ? ModelChunkHookResult.abort('no') : ModelChunkHookResult.proceed(context.text, context.reasoning);
            },
          }), hook('after', { onModelChunk: async (context) => ModelChunkHookResult.proceed(context.text, context.reasoning) })],
        });
        const result = await made.finish(made.run(), 1, 2000);
        expect([at, result.ok ? '' : result.error.code]).toEqual([at, 'hook_abort']);
        const before = list.slice(0, at);
        expect(made.observer.values.filter(isDelta).map((one) => one.text)).toEqual(before.map((one) => one.text));
        expect(made.afterRuns).toEqual(['0 aborted hook_abort']);
        expect([provider.signals[0].cancelled, tools.ran, made.busTypes().includes('agent.cancelled')]).toEqual([true, [], false]);
        const stored = made.storage.last.history.at(1);
        expect([stored?.text() ?? '', stored?.reasoning ?? '']).toEqual([textOf(before, false), textOf(before, true)]);
        await runOut(made);
        expect(made.problems()).toEqual([]);
      }
    }
  }, 60_000);

  it('a cancel or a pause at every event of the observer ends at once, with what was shown and nothing more', async () => {
    const list: Piece[] = Array.from({ length: 6 }, (_, n) => ({ reasoning: n === 1, text: `<${n}>`, wait: 1 }));
    for (const pause of [false, true]) {
      for (let at = 0; at < 12; at++) {
        let made: Session | undefined = undefined as Session | undefined;
        const signal = new CancellationController();
        made = await Session.open({
          provider: new FunctionProvider(tells(() => made as Session, list)),
          hooks: [hook('slow', { onModelChunk: async (context) => { await settle(2); return ModelChunkHookResult.proceed(context.text, context.reasoning); } })],
        });
        let deltas: string[] | undefined = undefined as string[] | undefined;
        made.observer.onEvent = (_event, index) => {
          if (index === at) {
            if (pause) void made?.runtime.suspend('away');
            else signal.cancel('enough');
            deltas = made?.observer.values.filter(isDelta).map((one) => one.text);
          }
        };
        const result = await made.finish(made.run('hi', signal.signal), 1, 500);
        const end = result.ok ? result.value.stopReason : result.error.code;
        expect(['complete', pause ? 'suspended' : 'cancelled']).toContain(end);
        if (end !== 'complete') {
          expect(made.observer.values.filter(isDelta).map((one) => one.text)).toEqual(deltas);
          const kept = made.storage.last.history.at(1)?.text() ?? '';
          expect(kept).toBe(pause ? '' : (deltas ?? []).filter((text) => text !== '<1>').join(''));
        }
        await runOut(made);
        expect(made.problems()).toEqual([]);
      }
    }
  }, 60_000);

  it('observers and listeners that throw or are slow change neither order nor text', async () => {
    await fc.assert(fc.asyncProperty(pieces, fc.nat(20), async (list, every) => {
      let made: Session | undefined = undefined as Session | undefined;
      made = await Session.open({
        provider: new FunctionProvider(tells(() => made as Session, [...list, { reasoning: false, text: '!', wait: 0 }])),
        hooks: [hook('pass', { onModelChunk: async (context) => ModelChunkHookResult.proceed(context.text, context.reasoning) })],
      });
      let count = 0;
      const bus: string[] = [];
      made.controller.subscribe('llm.chunk', (event) => {
        bus.push((event as unknown as { text: string }).text);
        if (count++ % (every + 1) === 0) throw new Error('a listener');
      });
      made.observer.onEvent = () => { if (count++ % (every + 1) === 0) throw new Error('an observer'); };
      const result = await made.finish(made.run(), 3, 3000);
      expect(result.value.stopReason).toBe('complete');
      expect([shown(made, AgentEventType.textDelta), bus.join('')]).toEqual([`${textOf(list, false)}!`, `${textOf(list, false)}!`]);
      expect(made.observer.terminalCount).toBe(1);
    }), { numRuns: 60 });
  }, 60_000);

  it('a hook that fails open on some pieces loses none, one that fails closed ends the stream there', async () => {
    for (const failureMode of [HookFailureMode.failOpen, HookFailureMode.failClosed]) {
      let made: Session | undefined = undefined as Session | undefined;
      let seen = 0;
      const provider = new FunctionProvider(tells(() => made as Session, Array.from({ length: 8 }, (_, n) => ({ reasoning: false, text: `${n}`, wait: 0 }))));
      made = await Session.open({
        provider,
        hooks: [hook('moody', { onModelChunk: async (context) => { if (seen++ === 3) throw new Error('bad mood'); return ModelChunkHookResult.proceed(context.text, context.reasoning); } }, { failureMode })],
      });
      const result = await made.run();
      expect([result.ok ? 'complete' : result.error.code, made.observer.text]).toEqual(failureMode === HookFailureMode.failOpen ? ['complete', '01234567'] : ['hook_failed', '012']);
      expect(provider.signals[0].cancelled).toBe(true);
      expect(made.problems()).toEqual([]);
    }
  });

  it('a flood of pieces that do not merge from a provider that does not stop is refused, not kept', async () => {
    let release: () => void = () => undefined;
    const provider = new FunctionProvider((observer) => {
      for (let n = 0; n < 70_000; n++) observer.onNext(n % 2 === 0 ? StreamingEvent.textDelta('x') : StreamingEvent.reasoningDelta('y'));
      observer.onNext(StreamingEvent.modelComplete(ModelResponse.text('x')));
      observer.onComplete();
    });
    let first = true;
    const session = await Session.open({
      provider, hooks: [hook('stuck', { onModelChunk: async (context) => { if (first) { first = false; await new Promise<void>((resolve) => { release = resolve; }); } return ModelChunkHookResult.proceed(context.text, context.reasoning); } })],
    });
    const pending = session.run();
    await settle();
    expect(provider.signals[0].cancelled).toBe(true);
    release();
    expect((await pending).error.code).toBe('provider_stream_too_large');
    expect(session.problems()).toEqual([]);
  }, 60_000);
});
