import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ArkAgentError } from '@core/base/ArkAgentError';
import { CancellationController } from '@core/base/Cancellation';
import { ErrorCode } from '@core/base/ErrorCodes';
import type { StreamObserver } from '@core/base/StreamObserver';
import { ModelChunkHookResult } from '@core/hook/result/ModelChunkHookResult';
import { ModelResponseHookResult } from '@core/hook/result/ModelResponseHookResult';
import { ToolCallHookResult } from '@core/hook/result/ToolCallHookResult';
import { ModelOutcome, ModelResponse } from '@core/model/ModelResponse';
import { StreamingEvent } from '@core/model/StreamingEvent';
import { AgentEventType } from '@core/runtime/report/AgentEvent';
import { FunctionProvider, Session, Tools, call, calls, hook, says, settle } from '../run/harness';

/** Sends what it is given when the test's random plan says so. */
interface Step {
  text: string;
  kind: 'text' | 'reasoning';
  /** 0: at once; otherwise by a timer of so many ms. */
  wait: number;
  /** How long the hook takes. */
  hookWait: number;
  verdict: 'pass' | 'drop' | 'double';
}

const step = fc.record<Step>({
  text: fc.string({ minLength: 1, maxLength: 4 }), kind: fc.constantFrom('text', 'text', 'reasoning'), wait: fc.constantFrom(0, 0, 0, 1, 5),
  hookWait: fc.constantFrom(0, 0, 1, 7), verdict: fc.constantFrom('pass', 'pass', 'drop', 'double'),
});

describe('a streamed answer', () => {
  it('STR-01 chunks, hooks and completion come strictly in order under random delays', async () => {
    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 80 }), async (steps) => {
      const order: string[] = [];
      const sent = { text: '', reasoning: '' };
      const passed = { text: '', reasoning: '' };
      let hookRuns = 0;
      let inHook = false;
      const provider = new FunctionProvider((observer) => {
        const send = (at: number): void => {
          if (at === steps.length) {
            observer.onNext(StreamingEvent.modelComplete(new ModelResponse({ text: 'the provider says otherwise', reasoning: 'also here' })));
            observer.onComplete();
            return;
          }
          const one = steps[at];
          const tell = (): void => {
            sent[one.kind] += one.text;
            observer.onNext(one.kind === 'text' ? StreamingEvent.textDelta(one.text) : StreamingEvent.reasoningDelta(one.text));
            send(at + 1);
          };
          if (one.wait === 0) tell(); else session.scheduler.schedule(one.wait, tell);
        };
        send(0);
      }, says('z'));
      const session = await Session.open({
        provider, hooks: [hook('slow', {
          onModelChunk: async (context) => {
            expect(inHook).toBe(false);
            inHook = true;
            const plan = steps[hookRuns % Math.max(1, steps.length)] ?? { hookWait: 0, verdict: 'pass' };
            hookRuns++;
            order.push(context.final ? 'final' : 'chunk');
            if (plan.hookWait > 0) await new Promise<void>((resolve) => { session.scheduler.schedule(plan.hookWait, resolve); });
            inHook = false;
            if (context.final) return ModelChunkHookResult.proceed('', '');
            if (plan.verdict === 'drop') return ModelChunkHookResult.drop();
            const times = plan.verdict === 'double' ? 2 : 1;
            passed.text += context.text.repeat(times);
            passed.reasoning += context.reasoning.repeat(times);
            return ModelChunkHookResult.proceed(context.text.repeat(times), context.reasoning.repeat(times));
          },
          afterModelCall: async (context) => {
            order.push('after');
            return ModelResponseHookResult.proceed(context.response);
          },
        })],
      });
      session.observer.onEvent = (event) => {
        if (event.type === AgentEventType.textDelta || event.type === AgentEventType.reasoningDelta) order.push('shown');
      };
      const result = await session.finish(session.run(), 3, 3000);
      if (provider.calls > 1) {
        // Nothing visible was left: an empty answer is asked for once more.
        expect([provider.calls, result.ok || result.error.code === 'provider_empty_response']).toEqual([2, true]);
        return;
      }
      expect(order.indexOf('after')).toBe(order.length - 1);
      expect(order.lastIndexOf('final')).toBeGreaterThan(Math.max(order.lastIndexOf('chunk'), order.lastIndexOf('shown')));
      expect(session.observer.text).toBe(passed.text);
      const stored = session.storage.last.history.at(1);
      expect([stored?.text(), stored?.reasoning ?? '']).toEqual([passed.text, passed.reasoning]);
      expect(session.problems()).toEqual([]);
    }), { numRuns: 120 });
  });

  it('STR-02 a dropped or rewritten chunk reaches no observer, event, history or stored byte', async () => {
    const session = await Session.open({
      provider: new FunctionProvider(says('hello ', 'SECRET', ' PIN 1234 ', 'world')),
      hooks: [hook('filter', { onModelChunk: async (context) => context.text === 'SECRET' ? ModelChunkHookResult.drop() : ModelChunkHookResult.proceed(context.text.replace('1234', '****'), context.reasoning) })],
    });
    await session.run();
    const everything = JSON.stringify([session.observer.values, session.bus, session.storage.texts, session.history]);
    expect(everything).not.toMatch(/SECRET|1234/);
    expect(session.observer.text).toBe('hello  PIN **** world');
    expect(session.history[1]).toBe('assistant hello  PIN **** world');
  });

  it('STR-02 a provider that sends its text only with the completion passes the chunk hooks too', async () => {
    const session = await Session.open({
      provider: new FunctionProvider((observer) => { observer.onNext(StreamingEvent.modelComplete(new ModelResponse({ text: 'SECRET', reasoning: 'SECRET' }))); observer.onComplete(); }),
      hooks: [hook('filter', { onModelChunk: async (context) => ModelChunkHookResult.proceed(context.text.toLowerCase(), context.reasoning.toLowerCase()) })],
    });
    await session.run();
    expect(JSON.stringify([session.observer.values, session.bus, session.storage.texts])).not.toContain('SECRET');
    expect(session.history[1]).toBe('assistant secret');
  });

  it('DEC-45 a forbidden word that is split over chunks reaches nobody when a filter holds text back', async () => {
    const word = 'forbidden';
    await fc.assert(fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 12 }), fc.string({ maxLength: 8 }), async (sizes, tail) => {
      const whole = `say ${word} and for${tail}`;
      const pieces: string[] = [];
      for (let at = 0, i = 0; at < whole.length; at += sizes[i % sizes.length], i++) pieces.push(whole.slice(at, at + sizes[i % sizes.length]));
      let held = '';
      const session = await Session.open({
        provider: new FunctionProvider(says(...pieces)),
        hooks: [hook('holds back', {
          onModelChunk: async (context) => {
            held = (held + context.text).replaceAll(word, '***');
            let keep = 0;
            for (let n = 1; n < word.length; n++) if (held.endsWith(word.slice(0, n))) keep = n;
            const out = context.final ? held : held.slice(0, held.length - keep);
            held = held.slice(out.length);
            return ModelChunkHookResult.proceed(out, context.reasoning);
          },
        })],
      });
      await session.run();
      expect(JSON.stringify([session.observer.values, session.bus, session.storage.texts, session.history])).not.toContain(word);
      expect(session.observer.text).toBe(whole.replaceAll(word, '***'));
      expect(session.storage.last.history.at(1)?.text()).toBe(session.observer.text);
    }), { numRuns: 60 });
  });

  it('STR-03 an abort of a chunk wins over a completion that has arrived already, and the request is stopped', async () => {
    const tools = new Tools().add('look');
    let release: () => void = () => undefined;
    let seen = 0;
    const provider = new FunctionProvider((observer) => {
      for (const text of ['a', 'b', 'c']) observer.onNext(StreamingEvent.textDelta(text));
      observer.onNext(StreamingEvent.modelComplete(new ModelResponse({ text: 'abc', toolCalls: [call('c1', 'look')] })));
      observer.onComplete();
    });
    const session = await Session.open({
      provider, toolRegistry: tools.registry, hooks: [hook('guard', {
        onModelChunk: async (context) => {
          await new Promise<void>((resolve) => { release = resolve; });
          seen++;
          return context.text === 'b' ? ModelChunkHookResult.abort('bad word') : ModelChunkHookResult.proceed(context.text, context.reasoning);
        },
      })],
    });
    const pending = session.run();
    await settle();
    release();
    await settle();
    expect(provider.signals[0].cancelled).toBe(false);
    release();
    const result = await pending;
    expect([result.error.code, result.error.layer, seen]).toEqual(['hook_abort', 'security', 2]);
    expect(session.afterRuns).toEqual(['0 aborted hook_abort']);
    expect(provider.signals[0].cancelled).toBe(true);
    expect(session.busTypes()).not.toContain('agent.cancelled');
    expect(session.history).toEqual(['user hi', 'assistant~ a']);
    expect(tools.ran).toEqual([]);
  });

  it('STR-03 the last call of the filter may abort too', async () => {
    const session = await Session.open({
      provider: new FunctionProvider(says('a', 'b')), hooks: [hook('guard', { onModelChunk: async (context) => context.final ? ModelChunkHookResult.abort('no') : ModelChunkHookResult.proceed(context.text, '') })],
    });
    expect((await session.run()).error.code).toBe('hook_abort');
    expect(session.history).toEqual(['user hi', 'assistant~ ab']);
  });

  it('DEC-27 an answer above the limit ends as provider_stream_too_large and stops the request', async () => {
    const provider = new FunctionProvider((observer) => { for (let i = 0; i < 5; i++) observer.onNext(StreamingEvent.textDelta('0123456789')); observer.onComplete(); });
    const session = await Session.open({ provider, limits: { maxResponseChars: 25 } });
    expect((await session.run()).error.code).toBe('provider_stream_too_large');
    expect(provider.signals[0].cancelled).toBe(true);
    expect(session.history).toEqual(['user hi', 'assistant~ 01234567890123456789']);
    const whole = await Session.open({ provider: new FunctionProvider((observer) => { observer.onNext(StreamingEvent.modelComplete(ModelResponse.text('x'.repeat(26)))); observer.onComplete(); }), limits: { maxResponseChars: 25 } });
    expect((await whole.run()).error.code).toBe('provider_stream_too_large');
  });

  it('DEC-27 a hook that is slower than the network sees merged neighbours, never a lost or doubled character', async () => {
    const pieces = Array.from({ length: 500 }, (_, i) => `${i},`);
    let runs = 0;
    let seen = '';
    const session = await Session.open({
      provider: new FunctionProvider(says(...pieces)), hooks: [hook('slow', { onModelChunk: async (context) => { runs++; seen += context.text; await settle(1); return ModelChunkHookResult.proceed(context.text, ''); } })],
    });
    await session.run();
    expect([seen, session.observer.text]).toEqual([pieces.join(''), pieces.join('')]);
    expect(runs).toBeLessThan(60);
  });
});

type Wild = (observer: StreamObserver<StreamingEvent>) => void;
const broken = (): ArkAgentError => ArkAgentError.of(ErrorCode.transportFailed, 'cut');
const complete = (response: ModelResponse): StreamingEvent => StreamingEvent.modelComplete(response);

describe('a provider that breaks its contract', () => {
  const cases: Array<[string, Wild, string, string[]]> = [
    ['completes twice', (o) => { o.onNext(complete(ModelResponse.text('a'))); o.onComplete(); o.onComplete(); }, 'complete', ['assistant a']],
    ['fails after completing', (o) => { o.onNext(complete(ModelResponse.text('a'))); o.onComplete(); o.onError(broken()); }, 'complete', ['assistant a']],
    ['completes after failing', (o) => { o.onNext(StreamingEvent.textDelta('a')); o.onError(broken()); o.onNext(complete(ModelResponse.text('b'))); o.onComplete(); }, 'transport_failed', ['assistant~ a']],
    ['fails twice', (o) => { o.onError(broken()); o.onError(ArkAgentError.of(ErrorCode.providerAuth, 'x')); }, 'transport_failed', []],
    ['throws after completing', (o) => { o.onNext(complete(ModelResponse.text('a'))); o.onComplete(); throw new Error('late'); }, 'complete', ['assistant a']],
    ['throws in mid-stream', (o) => { o.onNext(StreamingEvent.textDelta('a')); throw new Error('early'); }, 'provider_failed', ['assistant~ a']],
    ['throws an error of its own', () => { throw ArkAgentError.of(ErrorCode.providerAuth, 'no key'); }, 'provider_auth', []],
    ['says more after its answer', (o) => { o.onNext(StreamingEvent.textDelta('a')); o.onNext(complete(ModelResponse.text('a'))); o.onNext(StreamingEvent.textDelta('b')); o.onComplete(); }, 'complete', ['assistant a']],
    ['answers twice', (o) => { o.onNext(complete(ModelResponse.text('a'))); o.onNext(complete(ModelResponse.calls([call('c1', 'look')]))); o.onComplete(); }, 'complete', ['assistant a']],
    ['completes a broken stream', (o) => { o.onNext(StreamingEvent.textDelta('a')); o.onNext(complete(new ModelResponse({ text: 'a', outcome: ModelOutcome.incomplete, toolCalls: [call('c1', 'look')] }))); o.onComplete(); }, 'provider_stream_incomplete', ['assistant~ a']],
    ['completes a failed stream', (o) => { o.onNext(complete(new ModelResponse({ text: 'a', outcome: ModelOutcome.error }))); o.onComplete(); }, 'provider_stream_error', ['assistant~ a']],
    ['completes without an answer', (o) => { o.onNext(StreamingEvent.textDelta('a')); o.onComplete(); }, 'provider_protocol', ['assistant~ a']],
  ];
  it.each(cases.flatMap(([name, tell, end, rest]) => [
    [name, 'plainly', tell, end, rest], [name, 'behind chunk hooks', tell, end, rest], [name, 'later', (o: StreamObserver<StreamingEvent>) => { void Promise.resolve().then(() => tell(o)).catch(() => undefined); }, end, rest],
  ] as Array<[string, string, Wild, string, string[]]>))('STR-01 %s, %s: one end', async (name, how, tell, end, rest) => {
    if (how === 'later' && name.startsWith('throws') && name !== 'throws after completing') return;
    const tools = new Tools().add('look');
    const session = await Session.open({
      provider: new FunctionProvider(tell), toolRegistry: tools.registry,
      hooks: how === 'behind chunk hooks' ? [hook('slow', { onModelChunk: async (context) => { await settle(2); return ModelChunkHookResult.proceed(context.text, context.reasoning); } })] : [],
    });
    const result = await session.run();
    await settle();
    expect(result.ok ? result.value.stopReason : result.error.code).toBe(end);
    expect(session.history.slice(1)).toEqual(rest);
    expect(session.observer.text).toBe(rest.map((line) => line.replace(/^assistant~? /, '')).join(''));
    expect([tools.ran.length, session.afterRuns.length]).toEqual([0, 1]);
    expect(session.problems()).toEqual([]);
  });

  it('STR-03 a provider that never answers is stopped by a cancel and by a suspension', async () => {
    for (const [act, end] of [['cancel', 'cancelled'], ['suspend', 'suspended']] as const) {
      const provider = new FunctionProvider((observer) => observer.onNext(StreamingEvent.textDelta('par')));
      const session = await Session.open({ provider });
      const pending = session.run();
      await settle();
      await (act === 'cancel' ? session.runtime.cancel('enough') : session.runtime.suspend('away'));
      expect((await pending).value.stopReason).toBe(end);
      expect(provider.signals[0].cancelled).toBe(true);
      expect(session.history).toEqual(act === 'cancel' ? ['user hi', 'assistant~ par'] : ['user hi']);
      expect(session.problems()).toEqual([]);
    }
  });

  it('a signal that fires after the run has ended changes nothing, and nothing keeps listening to it', async () => {
    const control = new CancellationController();
    const session = await Session.open({ provider: new FunctionProvider(says('a')) });
    await session.run('hi', control.signal);
    const before = session.log.length;
    control.cancel('late');
    await settle();
    expect(session.log.length).toBe(before);
    expect((control.signal as unknown as { listeners: unknown[] }).listeners).toHaveLength(0);
  });

  it('DEC-27 an observer that throws at every event stays subscribed, changes no outcome and is counted once per run', async () => {
    const tools = new Tools().add('look');
    const session = await Session.open({ provider: new FunctionProvider(calls(call('c1', 'look')), says('a', 'b')), toolRegistry: tools.registry, hooks: [hook('x', { beforeToolCall: async (c) => ToolCallHookResult.proceed(c.call) })] });
    let events = 0;
    session.observer.onEvent = () => { events++; throw new Error('secret words'); };
    expect((await session.run()).value.stopReason).toBe('complete');
    expect(events).toBeGreaterThan(9);
    expect(session.logger.lines).toEqual([expect.stringMatching(new RegExp(`^warn the observer of run .* threw ${events} times$`))]);
    expect(session.problems()).toEqual([]);
  });
});
