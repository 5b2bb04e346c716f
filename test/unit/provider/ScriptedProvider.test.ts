import { describe, expect, it } from 'vitest';
import { ArkAgentError } from '@core/base/ArkAgentError';
import { CancellationController } from '@core/base/Cancellation';
import { ErrorCode } from '@core/base/ErrorCodes';
import { FinishReason, ModelOutcome } from '@core/model/ModelResponse';
import { ScriptedDelivery, ScriptedProvider } from '@core/provider/ScriptedProvider';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import { emptyRequest, RecordingObserver } from '../../contract/provider/replay';
import { ManualScheduler } from './fakes';

function run(provider: ScriptedProvider, controller = new CancellationController()): RecordingObserver {
  const observer = new RecordingObserver();
  provider.stream(emptyRequest(), observer, controller.signal);
  return observer;
}

describe('ScriptedProvider', () => {
  it('plays its turns in order and remembers the requests', () => {
    const provider = new ScriptedProvider([
      new ScriptedTurn().reasoning('hm').text('I ', 'look.').call('c1', 'f', '{}').call('c2', 'g', '').usage(3, 4),
      ScriptedTurn.text('Done.'),
    ]);
    const first = run(provider);
    expect(first.events.map((event) => [event.type, event.text])).toEqual([['reasoning_delta', 'hm'], ['text_delta', 'I '], ['text_delta', 'look.'], ['model_complete', '']]);
    expect([first.response?.text, first.response?.reasoning, first.response?.finishReason, first.response?.usage?.totalTokens]).toEqual(['I look.', 'hm', FinishReason.toolCalls, 7]);
    expect(first.response?.toolCalls.map((call) => [call.id, call.index])).toEqual([['c1', 0], ['c2', 1]]);
    expect([run(provider).text, provider.calls, provider.requests().length]).toEqual(['Done.', 2, 2]);
  });

  it('says clearly that the script is over', () => {
    const seen = run(new ScriptedProvider([]));
    expect([seen.error?.code, seen.error?.message, seen.endings]).toEqual(['provider_failed', 'the scripted model has 0 turns and was called for turn 1', 1]);
  });

  it('fails before or after a part of the answer', () => {
    const error = ArkAgentError.of(ErrorCode.providerServerError, 'down');
    const provider = new ScriptedProvider([ScriptedTurn.fail(error), ScriptedTurn.text('Hel').fail(error, ModelOutcome.error)]);
    const before = run(provider);
    expect([before.error, before.response]).toEqual([error, undefined]);
    const after = run(provider);
    expect([after.text, after.response?.outcome, after.response?.callsMayRun, after.error]).toEqual(['Hel', 'error', false, error]);
  });

  it('hangs until it is cancelled', () => {
    const controller = new CancellationController();
    const seen = run(new ScriptedProvider([ScriptedTurn.text('a').hang()]), controller);
    expect([seen.text, seen.endings]).toEqual(['a', 0]);
    controller.cancel('enough');
    expect([seen.endings, seen.error?.code]).toEqual([1, 'cancelled']);
    const cancelled = new CancellationController();
    cancelled.cancel('early');
    const early = run(new ScriptedProvider([ScriptedTurn.text('a')]), cancelled);
    expect([early.text, early.error?.code, early.endings]).toEqual(['', 'cancelled', 1]);
  });

  it('chooses turns by the request', () => {
    const provider = ScriptedProvider.answering((request, call) => ScriptedTurn.text(`${call}:${request.messages.length}`));
    expect([run(provider).text, run(provider).text]).toEqual(['0:0', '1:0']);
  });

  it('tells later when asked to', async () => {
    const soon = run(new ScriptedProvider([ScriptedTurn.text('a', 'b')], { delivery: ScriptedDelivery.microtask }));
    expect(soon.events.length).toBe(0);
    await Promise.resolve();
    expect([soon.text, soon.endings]).toEqual(['ab', 1]);
    const scheduler = new ManualScheduler();
    const slow = run(new ScriptedProvider([ScriptedTurn.text('a', 'b')], { delivery: ScriptedDelivery.scheduled, scheduler, delayMs: 10 }));
    scheduler.advance(10);
    expect(slow.text).toBe('a');
    scheduler.advance(10);
    scheduler.advance(10);
    expect([slow.text, slow.endings, scheduler.waiting]).toEqual(['ab', 1, 0]);
  });

  it('stops in the middle when the observer cancels', () => {
    const controller = new CancellationController();
    const observer = new RecordingObserver();
    const onNext = observer.onNext.bind(observer);
    observer.onNext = (event) => {
      onNext(event);
      controller.cancel('enough');
    };
    new ScriptedProvider([ScriptedTurn.text('a', 'b')]).stream(emptyRequest(), observer, controller.signal);
    expect([observer.text, observer.endings, observer.error?.code]).toEqual(['a', 1, 'cancelled']);
  });
});
