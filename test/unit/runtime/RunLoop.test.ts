import { describe, expect, it } from 'vitest';
import { ArkAgentError } from '@core/base/ArkAgentError';
import { ErrorCode } from '@core/base/ErrorCodes';
import type { LlmAfterEvent, LlmBeforeEvent } from '@core/control/event/ModelEvents';
import { FinishReason, ModelResponse } from '@core/model/ModelResponse';
import { StreamingEvent } from '@core/model/StreamingEvent';
import { TurnCompletionHookResult } from '@core/hook/result/TurnCompletionHookResult';
import { ToolResultHookResult } from '@core/hook/result/ToolResultHookResult';
import { AgentMessage } from '@core/message/AgentMessage';
import { ToolResult } from '@core/tool/ToolResult';
import { type Answer, FunctionProvider, Session, Tools, answers, call, calls, hook, says, settle } from '../../scenario/run/harness';

const tools = (): Tools => new Tools().add('look');
const breaks = (...pieces: StreamingEvent[]): Answer => (observer) => {
  for (const piece of pieces) observer.onNext(piece);
  observer.onError(ArkAgentError.of(ErrorCode.providerFailed, 'x'));
};
const last = (session: Session): AgentMessage => session.runtime.snapshot().history.last() as AgentMessage;

describe('the turns of a run', () => {
  it('are counted from 1, for the events of the model too', async () => {
    const session = await Session.open({ provider: new FunctionProvider(calls(call('c1', 'look')), calls(call('c2', 'look', { n: 2 })), says('bye')), toolRegistry: tools().registry });
    await session.run();
    const turns = (type: string): number[] => session.bus.filter((event) => event.eventType() === type).map((event) => (event as LlmBeforeEvent | LlmAfterEvent).turn);
    expect([turns('llm.before'), turns('llm.after'), session.runtime.snapshot().run?.turn]).toEqual([[1, 2, 3], [1, 2, 3], 3]);
  });

  it.each([[2, 'complete', 2], [1, 'max_turns_reached', 1]])('with %i of them allowed a run of two is %s', async (maxTurns, ending, asked) => {
    const provider = new FunctionProvider(calls(call('c1', 'look')), says('bye'));
    const session = await Session.open({ provider, toolRegistry: tools().registry, limits: { maxTurns } });
    const result = await session.run();
    expect([result.ok ? result.value.stopReason : result.error.code, provider.calls]).toEqual([ending, asked]);
  });

  it.each([[3, 'complete'], [2, 'history_too_large']])('a conversation of %i messages at most: %s', async (maxHistoryMessages, ending) => {
    const session = await Session.open({ provider: new FunctionProvider(calls(call('c1', 'look')), says('bye')), toolRegistry: tools().registry, limits: { maxHistoryMessages } });
    const result = await session.run();
    expect(result.ok ? result.value.stopReason : result.error.code).toBe(ending);
  });

  it('a run that a listener cancels before its first turn asks no model', async () => {
    const provider = new FunctionProvider(says('bye'));
    const session = await Session.open({ provider });
    session.controller.subscribe('state.persisted', () => { void session.runtime.cancel('enough'); });
    expect([(await session.run()).value.stopReason, provider.calls]).toEqual(['cancelled', 0]);
  });
});

describe('what an answer leaves in the conversation', () => {
  it('its text and its reasoning, and no reasoning where it had none', async () => {
    const session = await Session.open({ provider: new FunctionProvider(answers(new ModelResponse({ text: 't', reasoning: 'r' })), says('plain')) });
    await session.run();
    expect([last(session).text(), last(session).reasoning, last(session).interrupted]).toEqual(['t', 'r', false]);
    await session.run();
    expect([last(session).text(), last(session).reasoning]).toEqual(['plain', undefined]);
  });

  it('DEC-25 what had come of one that broke off stays, marked; of nothing nothing stays', async () => {
    const broken = async (...pieces: StreamingEvent[]): Promise<string> => {
      const session = await Session.open({ provider: new FunctionProvider(breaks(...pieces)) });
      await session.run();
      return `${last(session).role} ${last(session).text()} ${last(session).reasoning} ${last(session).interrupted}`;
    };
    expect([await broken(StreamingEvent.textDelta('a')), await broken(StreamingEvent.reasoningDelta('r')), await broken(StreamingEvent.textDelta('a'), StreamingEvent.reasoningDelta('r')), await broken()]).toEqual(
      ['assistant a undefined true', 'assistant  r true', 'assistant a r true', 'user hi undefined false']);
  });

  it('DEC-21 what was shown of a turn that a pause broke off is taken back, and only then', async () => {
    const paused = async (...pieces: StreamingEvent[]): Promise<string> => {
      const session = await Session.open({ provider: new FunctionProvider((observer) => { for (const piece of pieces) observer.onNext(piece); }) });
      const run = session.run();
      await settle();
      await session.runtime.suspend('app');
      return `${(await run).value.stopReason} ${session.observer.types.includes('model_restarted')} ${session.runtime.snapshot().history.length}`;
    };
    expect([await paused(StreamingEvent.textDelta('a')), await paused(StreamingEvent.reasoningDelta('r')), await paused()]).toEqual(['suspended true 1', 'suspended true 1', 'suspended false 1']);
    const cancelled = await Session.open({ provider: new FunctionProvider((observer) => { observer.onNext(StreamingEvent.textDelta('a')); }) });
    const run = cancelled.run();
    await settle();
    await cancelled.runtime.cancel();
    await run;
    expect([cancelled.observer.types.includes('model_restarted'), last(cancelled).interrupted]).toEqual([false, true]);
  });

  it('DEC-25 calls of an answer that was cut do not run; an answer without calls that was cut is marked', async () => {
    const looking = tools();
    const cut = (toolCalls: boolean): Answer => answers(new ModelResponse({ text: 't', finishReason: FinishReason.length, toolCalls: toolCalls ? [call('c1', 'look')] : [] }));
    const session = await Session.open({ provider: new FunctionProvider(cut(true), says('bye')), toolRegistry: looking.registry });
    await session.run();
    expect([looking.ran, session.history[1], session.history[2].startsWith('tool c1 !')]).toEqual([[], 'assistant t [c1=look({})]', true]);
    const text = await Session.open({ provider: new FunctionProvider(cut(false)) });
    await text.run();
    expect(last(text).interrupted).toBe(true);
    const whole = await Session.open({ provider: new FunctionProvider(calls(call('c1', 'look')), says('bye')), toolRegistry: looking.registry });
    await whole.run();
    expect([looking.ran, whole.storage.states[1].openBatch, whole.problems()]).toEqual([['look:{}'], undefined, []]);
  });
});

describe('what follows the last answer', () => {
  it('a hook may let the run go on, but not after another one stopped it', async () => {
    const provider = new FunctionProvider(says('one'), says('two'));
    let more = 1;
    const going = hook('going', { onTurnCompletion: async () => (more-- > 0 ? TurnCompletionHookResult.continueRun([AgentMessage.user('more')]) : TurnCompletionHookResult.accept()) });
    const session = await Session.open({ provider, hooks: [going] });
    expect([(await session.run()).value.stopReason, session.history]).toEqual(['complete', ['user hi', 'assistant one', 'user more', 'assistant two']]);
    more = 1;
    const stopping = hook('stopping', { afterToolCall: async (context) => ToolResultHookResult.stop(context.result) });
    const stopped = await Session.open({ provider: new FunctionProvider(calls(call('c1', 'look')), says('never')), toolRegistry: tools().registry, hooks: [stopping, going] });
    expect((await stopped.run()).value.stopReason).toBe('hook_stop');
    expect([stopped.history.length, stopped.busTypes().includes('hook.diagnostic')]).toEqual([3, true]);
  });

  it('a tool may stop the run, and a hook may let it go on all the same', async () => {
    const stop = (): Tools => new Tools().add('end', { run: () => new ToolResult(ToolResult.text('done').contents, false, true) });
    const session = await Session.open({ provider: new FunctionProvider(calls(call('c1', 'end')), says('never')), toolRegistry: stop().registry });
    expect([(await session.run()).value.stopReason, session.runtime.snapshot().run?.pendingStop]).toEqual(['tool_stop', undefined]);
    let more = 1;
    const going = hook('going', { onTurnCompletion: async () => (more-- > 0 ? TurnCompletionHookResult.continueRun([]) : TurnCompletionHookResult.accept()) });
    const on = await Session.open({ provider: new FunctionProvider(calls(call('c1', 'end')), says('bye')), toolRegistry: stop().registry, hooks: [going] });
    expect([(await on.run()).value.stopReason, on.history.at(-1)]).toEqual(['complete', 'assistant bye']);
  });
});
