import { describe, expect, it } from 'vitest';
import { ArkAgentError } from '@core/base/ArkAgentError';
import { ErrorCode } from '@core/base/ErrorCodes';
import { AgentMessage } from '@core/message/AgentMessage';
import { Usage } from '@core/message/Usage';
import { FinishReason, ModelOutcome, ModelResponse } from '@core/model/ModelResponse';
import { StreamingEvent } from '@core/model/StreamingEvent';
import { TurnCompletionHookResult } from '@core/hook/result/TurnCompletionHookResult';
import { type Answer, FunctionProvider, Session, Tools, WatchedStorage, answers, call, calls, dangerous, hook, says, user } from './harness';

const cut = 'the answer was cut, so its calls do not run; ask for less at once';
const kinds = [FinishReason.stop, FinishReason.toolCalls, FinishReason.length, FinishReason.contentFilter, FinishReason.error, FinishReason.none, FinishReason.other];
const runs = (reason: FinishReason): boolean => ![FinishReason.length, FinishReason.contentFilter, FinishReason.error].includes(reason);
const textEnds: Record<string, string> = { length: 'provider_output_truncated', content_filter: 'provider_refused', error: 'provider_stream_error' };

describe('how an answer ends', () => {
  it.each(kinds)('DEC-25 finish reason %s with calls', async (reason) => {
    const tools = new Tools().add('look').add('pay', { risk: dangerous });
    const session = await Session.open({
      provider: new FunctionProvider(answers(new ModelResponse({ text: 'so', toolCalls: [call('c1', 'look', { n: 1 }), call('c2', runs(reason) ? 'look' : 'pay', '', 1)], finishReason: reason }), 'so'), says('end')), toolRegistry: tools.registry,
    });
    const result = await session.run();
    expect(result.value.stopReason).toBe('complete');
    expect(tools.ran.length).toBe(runs(reason) ? 2 : 0);
    expect(session.history).toEqual(['user hi', `assistant so [c1=look({"n":1}),c2=${runs(reason) ? 'look' : 'pay'}()]`,
      ...(runs(reason) ? ['tool c1 look done', 'tool c2 look done'] : [`tool c1 !tool_call_truncated: ${cut}`, `tool c2 !tool_call_truncated: ${cut}`]), 'assistant end']);
    expect(session.observer.envelope('c1')?.status).toBe(runs(reason) ? 'ok' : 'rejected');
    expect(session.problems()).toEqual([]);
  });

  it.each(kinds)('DEC-25 finish reason %s without calls', async (reason) => {
    const session = await Session.open({ provider: new FunctionProvider(answers(new ModelResponse({ text: 'words', finishReason: reason }), 'words')) });
    const result = await session.run();
    expect(result.ok ? result.value.stopReason : result.error.code).toBe(textEnds[reason] ?? 'complete');
    expect(session.history).toEqual(['user hi', textEnds[reason] === undefined ? 'assistant words' : 'assistant~ words']);
    expect(session.afterRuns).toEqual([textEnds[reason] === undefined ? '0 complete -' : `0 error ${textEnds[reason]}`]);
  });

  it('DEC-25 a refusal or a cut without any text is an error too, never an empty answer', async () => {
    for (const [reason, code] of Object.entries(textEnds)) {
      const provider = new FunctionProvider(answers(new ModelResponse({ finishReason: reason as FinishReason })));
      const session = await Session.open({ provider });
      expect([(await session.run()).error.code, provider.calls]).toEqual([code, 1]);
    }
  });

  it('DEC-25 neither text nor calls is asked for once more, then provider_empty_response; thoughts that were shown are taken back', async () => {
    const empty = (): Answer => (observer) => {
      observer.onNext(StreamingEvent.reasoningDelta('hm'));
      observer.onNext(StreamingEvent.modelComplete(new ModelResponse({ reasoning: 'hm', finishReason: FinishReason.toolCalls })));
      observer.onComplete();
    };
    const second = await Session.open({ provider: new FunctionProvider(empty(), says('a')) });
    expect((await second.run()).value.stopReason).toBe('complete');
    expect(second.observer.types.filter((type) => /delta|restart/.test(type))).toEqual(['reasoning_delta', 'model_restarted', 'text_delta']);
    const provider = new FunctionProvider(empty());
    const never = await Session.open({ provider });
    expect([(await never.run()).error.code, provider.calls]).toEqual(['provider_empty_response', 2]);
  });

  it('DEC-25 a stream error keeps the partial text, marked, without calls; the next input goes on', async () => {
    const session = await Session.open({ provider: new FunctionProvider((observer) => {
      observer.onNext(StreamingEvent.textDelta('half'));
      observer.onNext(StreamingEvent.modelComplete(new ModelResponse({ text: 'half', toolCalls: [call('c1', 'look')], outcome: ModelOutcome.incomplete })));
      observer.onError(ArkAgentError.of(ErrorCode.providerStreamIncomplete, 'gone'));
    }, says('whole')) });
    expect((await session.run()).error.code).toBe('provider_stream_incomplete');
    expect(session.storage.last.history.at(1)?.interrupted).toBe(true);
    await session.run('again');
    expect(session.history).toEqual(['user hi', 'assistant~ half', 'user again', 'assistant whole']);
  });

  it('DEC-24 text and calls are one message, and onTurnCompletion is not asked for it', async () => {
    const asked: string[] = [];
    const tools = new Tools().add('look');
    const session = await Session.open({
      provider: new FunctionProvider(answers(new ModelResponse({ text: 'I look', toolCalls: [call('c1', 'look')] }), 'I ', 'look'), says('end')), toolRegistry: tools.registry,
      hooks: [hook('asks', { onTurnCompletion: async (context) => { asked.push(context.message.text()); return TurnCompletionHookResult.accept(); } })],
    });
    await session.run();
    expect([asked, session.history[1]]).toEqual([['end'], 'assistant I look [c1=look({})]']);
  });

  it('S8 "" as arguments means {}, and malformed arguments reach the model as an error, never as {}', async () => {
    const tools = new Tools().add('look');
    const session = await Session.open({ provider: new FunctionProvider(calls(call('c1', 'look', ''), call('c2', 'look', '{"n":')), says('x')), toolRegistry: tools.registry });
    await session.run();
    expect(tools.ran).toEqual(['look:{}']);
    expect(session.history[3]).toMatch(/^tool c2 !json_syntax: /);
  });

  it('S8 truncated calls never run, whenever the process is killed around them', async () => {
    const tools = new Tools().add('look').add('pay', { risk: dangerous });
    const answer = (): FunctionProvider => new FunctionProvider(answers(new ModelResponse({ toolCalls: [call('c1', 'look', '{"n":1'), call('c2', 'pay', '', 1)], finishReason: FinishReason.length })), says('end'));
    const whole = await Session.open({ provider: answer(), toolRegistry: tools.registry });
    await whole.run();
    for (let count = 1; count < whole.storage.texts.length; count++) {
      const resumed = await Session.open({ provider: count === 1 ? answer() : new FunctionProvider(says('end')), toolRegistry: tools.registry }, WatchedStorage.after(whole.storage.texts, count));
      expect((await resumed.resume()).value.stopReason).toBe('complete');
      expect(resumed.history).toEqual(whole.history);
      const input = await Session.open({ provider: new FunctionProvider(says('end')), toolRegistry: tools.registry }, WatchedStorage.after(whole.storage.texts, count));
      await input.run('next');
      expect(input.problems()).toEqual([]);
      expect(input.history.at(-2)).toBe('user next');
    }
    expect(tools.ran).toEqual([]);
  });

  it('DEC-47 missing and repeated call ids are made unique before hooks, events and history see them', async () => {
    const tools = new Tools().add('look');
    const session = await Session.open({ provider: new FunctionProvider(answers(ModelResponse.calls([call('x', 'look', '', 0), call('x', 'look', '', 0), call('', 'look', '', 0), call('x#2', 'look', '', 0)])), says('end')), toolRegistry: tools.registry });
    await session.run();
    expect(session.history.slice(1, 6)).toEqual(['assistant  [x=look(),x#2=look(),call-1-2=look(),x#2#2=look()]', 'tool x look done', 'tool x#2 look done', 'tool call-1-2 look done', 'tool x#2#2 look done']);
    expect(session.problems()).toEqual([]);
  });

  it('ids that start again in every turn still pair, because pairing goes by message and position', async () => {
    const plain = new Tools().add('look');
    const provider = new FunctionProvider(calls(call('0', 'look', { n: 1 })), calls(call('0', 'look', { n: 2 })), says('end'));
    const session = await Session.open({ provider, toolRegistry: plain.registry });
    await session.run();
    expect(session.history.filter((line) => line.startsWith('tool'))).toEqual(['tool 0 look done', 'tool 0 look done']);
    expect(provider.requests[2].messages.length).toBe(5);
  });

  it('the tokens that the provider reports add up over turns and runs', async () => {
    const tools = new Tools().add('look');
    const session = await Session.open({ provider: new FunctionProvider(answers(new ModelResponse({ toolCalls: [call('c', 'look')], usage: new Usage(10, 1, 11) })), answers(new ModelResponse({ text: 'x', usage: new Usage(20, 2, 22) }), 'x')), toolRegistry: tools.registry });
    await session.run();
    expect(session.storage.last.usage).toEqual(new Usage(30, 3, 33));
    await session.runtime.runStream([user('b')], session.observer);
    expect(session.storage.last.usage).toEqual(new Usage(50, 5, 55));
  });
});

describe('a kill behind a final answer', () => {
  it('DEC-05 the answer stands and the model is not asked again; a cut one is asked for again', async () => {
    const whole = await Session.open({ provider: new FunctionProvider(says('fine')) });
    await whole.run();
    const model = new FunctionProvider(says('twice'));
    const resumed = await Session.open({ provider: model }, WatchedStorage.after(whole.storage.texts, 2));
    expect((await resumed.resume()).value.stopReason).toBe('complete');
    expect([model.calls, resumed.history]).toEqual([0, ['user hi', 'assistant fine']]);
    const cutOff = await Session.open({ provider: new FunctionProvider(answers(new ModelResponse({ text: 'ha', finishReason: FinishReason.length }), 'ha')) });
    await cutOff.run();
    const again = await Session.open({ provider: new FunctionProvider(says('half and half')) }, WatchedStorage.after(cutOff.storage.texts, 2));
    expect((await again.resume()).value.stopReason).toBe('complete');
    expect(again.history).toEqual(['user hi', 'assistant~ ha', 'assistant half and half']);
  });

  it('DEC-05 input that ends with an assistant message and was never answered is answered', async () => {
    const whole = await Session.open({ provider: new FunctionProvider(says('fine')) });
    await whole.runtime.runStream([user('a'), AgentMessage.assistant('b')], whole.observer);
    const resumed = await Session.open({ provider: new FunctionProvider(says('fine')) }, WatchedStorage.after(whole.storage.texts, 1));
    await resumed.resume();
    expect(resumed.history).toEqual(['user a', 'assistant b', 'assistant fine']);
  });

  it('DEC-05 onTurnCompletion is asked again, so that a run that would have gone on goes on', async () => {
    const goesOn = (): ReturnType<typeof hook> => {
      let first = true;
      return hook('goes on', { onTurnCompletion: async () => { const go = first; first = false; return go ? TurnCompletionHookResult.continueRun([user('more')]) : TurnCompletionHookResult.accept(); } });
    };
    const whole = await Session.open({ provider: new FunctionProvider(says('one'), says('two')), hooks: [goesOn()] });
    await whole.run();
    const resumed = await Session.open({ provider: new FunctionProvider(says('two')), hooks: [goesOn()] }, WatchedStorage.after(whole.storage.texts, 2));
    await resumed.resume();
    expect(resumed.history).toEqual(whole.history);
  });
});
