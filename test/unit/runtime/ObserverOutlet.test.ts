import { describe, expect, it } from 'vitest';
import { ArkAgentError } from '@core/base/ArkAgentError';
import { AgentEventType } from '@core/runtime/report/AgentEvent';
import { ObserverOutlet } from '@core/runtime/report/ObserverOutlet';
import { RecordingObserver } from '@core/testing/RecordingObserver';

const event = { type: AgentEventType.textDelta, sessionId: 's', runId: 'r', text: 'x' };

describe('the way to an observer', () => {
  it('tells one terminal call and nothing after it', () => {
    const observer = new RecordingObserver<unknown>();
    const outlet = new ObserverOutlet(observer);
    outlet.next(event);
    outlet.finish(undefined);
    outlet.next(event);
    outlet.finish(ArkAgentError.tool('late', 'x'));
    outlet.finish(undefined);
    expect([observer.values.length, observer.terminalCount, observer.completions]).toEqual([1, 1, 1]);
  });

  it('DEC-27 isolates and counts what the observer throws, in every method', () => {
    const broken = { onNext: (): void => { throw new Error('a'); }, onError: (): void => { throw new Error('b'); }, onComplete: (): void => { throw new Error('c'); } };
    const failing = new ObserverOutlet(broken);
    failing.next(event);
    failing.next(event);
    failing.finish(ArkAgentError.tool('x', 'x'));
    const completing = new ObserverOutlet(broken);
    completing.finish(undefined);
    expect([failing.faultCount, completing.faultCount]).toEqual([3, 1]);
  });
});
