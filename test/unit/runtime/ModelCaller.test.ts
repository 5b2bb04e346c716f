import { describe, expect, it } from 'vitest';
import { ModelCallHookResult } from '@core/hook/result/ModelCallHookResult';
import { ModelChunkHookResult } from '@core/hook/result/ModelChunkHookResult';
import { ModelResponseHookResult } from '@core/hook/result/ModelResponseHookResult';
import { JsonObject } from '@core/json/JsonObject';
import type { AgentMessage } from '@core/message/AgentMessage';
import { Usage } from '@core/message/Usage';
import { FinishReason, ModelOutcome, ModelResponse, type ModelResponseInit } from '@core/model/ModelResponse';
import { StreamingEvent } from '@core/model/StreamingEvent';
import type { AgentHook } from '@core/hook/AgentHook';
import { type Answer, FunctionProvider, Session, Tools, answers, call, calls, hook, says } from '../../scenario/run/harness';

const whole = (init: ModelResponseInit): Answer => answers(new ModelResponse(init));
const last = (session: Session): AgentMessage => session.runtime.snapshot().history.last() as AgentMessage;
const shown = (session: Session): string[] => session.observer.values.filter((event) => ['text_delta', 'reasoning_delta', 'model_restarted', 'model_started'].includes(event.type)).map((event) => `${event.type} ${event.text}`.trim());
const ending = async (session: Session): Promise<string> => { const result = await session.run(); return result.ok ? result.value.stopReason : result.error.code; };
const open = (provider: FunctionProvider, ...hooks: AgentHook[]): Promise<Session> => Session.open({ provider, hooks, toolRegistry: new Tools().add('look').registry });

describe('an answer of the model', () => {
  const rich = { text: 't', reasoning: 'r', extras: new JsonObject().setString('raw', 'x') };

  it('keeps the opaque values of its provider while nobody changed what was said', async () => {
    const session = await open(new FunctionProvider(whole(rich)));
    await session.run();
    expect([last(session).extras?.getString('raw'), shown(session)]).toEqual(['x', ['model_started', 'reasoning_delta r', 'text_delta t']]);
    for (const changed of [{ text: 'other', reasoning: 'r' }, { text: 't', reasoning: 'other' }]) {
      const filter = hook('f', { onModelChunk: async (context) => ModelChunkHookResult.proceed(context.text === '' ? '' : changed.text, context.reasoning === '' ? '' : changed.reasoning) });
      const filtered = await open(new FunctionProvider(whole(rich)), filter);
      await filtered.run();
      expect([last(filtered).text(), last(filtered).reasoning, last(filtered).extras]).toEqual([changed.text, changed.reasoning, undefined]);
    }
  });

  it('DEC-47 has calls with ids of their own', async () => {
    const session = await open(new FunctionProvider(calls(call('', 'look', { n: 1 }), call('c', 'look', { n: 2 }), call('c', 'look', { n: 3 })), says('bye')));
    await session.run();
    expect(session.history[1]).toBe('assistant  [call-1-0=look({"n":1}),c=look({"n":2}),c#2=look({"n":3})]');
  });

  it.each([[ModelOutcome.incomplete, 'provider_stream_incomplete'], [ModelOutcome.error, 'provider_stream_error']])('that is %s is none, and what was shown of it stays, marked', async (outcome, code) => {
    const session = await open(new FunctionProvider(whole({ text: 't', outcome })));
    expect([await ending(session), last(session).text(), last(session).interrupted]).toEqual([code, 't', true]);
  });

  it('without text and calls is asked for once more, and no more', async () => {
    const provider = new FunctionProvider(whole({}), says('found'));
    const session = await open(provider);
    expect([await ending(session), provider.calls, shown(session)]).toEqual(['complete', 2, ['model_started', 'model_started', 'text_delta found']]);
    const thinking = await open(new FunctionProvider(whole({ reasoning: 'r' }), says('found')));
    await thinking.run();
    expect(shown(thinking)).toEqual(['model_started', 'reasoning_delta r', 'model_restarted', 'model_started', 'text_delta found']);
    const empty = new FunctionProvider(whole({}), whole({}), says('late'));
    expect([await ending(await open(empty)), empty.calls]).toEqual(['provider_empty_response', 2]);
  });

  it('is paid for, whatever becomes of it', async () => {
    const usage = new Usage(1, 2, 3);
    const session = await open(new FunctionProvider(whole({ usage }), whole({ text: 't', usage })));
    await session.run();
    expect(session.runtime.snapshot().usage).toEqual(new Usage(2, 4, 6));
  });

  it('DEC-25 that was cut for its length is no empty one', async () => {
    const provider = new FunctionProvider(whole({ finishReason: FinishReason.length }), says('late'));
    await ending(await open(provider));
    expect(provider.calls).toBe(1);
  });

  it('of a provider that throws is an error of the provider', async () => {
    const session = await open(new FunctionProvider((observer) => { observer.onNext(StreamingEvent.textDelta('a')); throw new Error('x'); }));
    expect([await ending(session), last(session).text(), last(session).interrupted]).toEqual(['provider_failed', 'a', true]);
  });
});

describe('hooks around a model call', () => {
  it('DEC-26 one may answer in the model\'s place: shown once, after the hooks behind it have seen it', async () => {
    const provider = new FunctionProvider(says('never'));
    const answering = hook('answering', { beforeModelCall: async () => ModelCallHookResult.respond(new ModelResponse({ text: 'mine', reasoning: 'why' })) });
    const plain = await open(provider, answering);
    expect([await ending(plain), provider.calls, shown(plain), last(plain).text()]).toEqual(['complete', 0, ['text_delta mine', 'reasoning_delta why'], 'mine']);
    const changing = hook('changing', { afterModelCall: async () => ModelResponseHookResult.proceed(ModelResponse.text('theirs')) });
    const changed = await open(provider, answering, changing);
    await changed.run();
    expect([shown(changed), last(changed).text()]).toEqual([['text_delta theirs'], 'theirs']);
    const refusing = hook('refusing', { afterModelCall: async () => ModelResponseHookResult.abort('no') });
    const refused = await open(provider, answering, refusing);
    expect([await ending(refused), shown(refused), last(refused).role]).toEqual(['hook_abort', [], 'user']);
  });

  it('what one changes of an answer that was shown is taken back and shown anew', async () => {
    const change = async (from: ModelResponseInit, to: ModelResponseInit): Promise<string[]> => {
      const session = await open(new FunctionProvider(whole(from)), hook('changing', { afterModelCall: async () => ModelResponseHookResult.proceed(new ModelResponse(to)) }));
      await session.run();
      return shown(session).slice(1);
    };
    expect(await change({ text: 'a' }, { text: 'b' })).toEqual(['text_delta a', 'model_restarted', 'text_delta b']);
    expect(await change({ text: 'a', reasoning: 'r' }, { text: 'a', reasoning: 's' })).toEqual(['reasoning_delta r', 'text_delta a', 'model_restarted', 'text_delta a', 'reasoning_delta s']);
    expect(await change({ text: 'a' }, { text: 'a' })).toEqual(['text_delta a']);
    expect(await change({ reasoning: 'r', toolCalls: [] }, { text: 'b' })).toEqual(['reasoning_delta r', 'model_restarted', 'text_delta b']);
    expect(await change({}, { text: 'b' })).toEqual(['text_delta b']);
  });

  it('a retry takes back what was shown, and is counted', async () => {
    let retries = 2;
    const asking = hook('asking', { afterModelCall: async (context) => (retries-- > 0 ? ModelResponseHookResult.retry('again') : ModelResponseHookResult.proceed(context.response)) });
    const session = await open(new FunctionProvider(says('a'), whole({ toolCalls: [call('c', 'look')], finishReason: FinishReason.toolCalls }), says('c')), asking);
    expect([await ending(session), shown(session), session.runtime.snapshot().run?.modelRetries]).toEqual(['complete', ['model_started', 'text_delta a', 'model_restarted', 'model_started', 'model_started', 'text_delta c'], 2]);
    retries = 3;
    expect(await ending(await open(new FunctionProvider(says('a')), asking))).toBe('model_retry_exhausted');
  });

  it('DEC-25 calls of an answer that was cut stay cut, whatever a hook makes of the reason', async () => {
    const tools = new Tools().add('look');
    const mending = hook('mending', { afterModelCall: async (context) => ModelResponseHookResult.proceed(new ModelResponse({ ...context.response.toInit(), finishReason: FinishReason.toolCalls })) });
    const session = await Session.open({ provider: new FunctionProvider(whole({ toolCalls: [call('c', 'look')], finishReason: FinishReason.length }), says('bye')), toolRegistry: tools.registry, hooks: [mending] });
    await session.run();
    expect(tools.ran).toEqual([]);
  });
});
