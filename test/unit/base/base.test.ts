import { describe, expect, it } from 'vitest';
import { ArkAgentError } from '@core/base/ArkAgentError';
import { CancellationController } from '@core/base/Cancellation';
import { ErrorCode, ErrorLayer, ErrorRetryability } from '@core/base/ErrorCodes';
import { Result } from '@core/base/Result';
import { BaseObserver } from '@core/base/StreamObserver';

describe('results', () => {
  it('DEC-57 a success has a value, a failure an error, and reading the other one is a programming fault', () => {
    const good = Result.success<number, string>(0);
    const bad = Result.failure<number, string>('no');
    expect([good.ok, good.value, bad.ok, bad.error]).toEqual([true, 0, false, 'no']);
    for (const wrong of [(): unknown => good.error, (): unknown => bad.value, (): unknown => good.recast<string>()]) {
      expect(wrong).toThrowError(expect.objectContaining({ code: 'internal_error' }));
    }
    expect(bad.recast<string>().error).toBe('no');
    expect(Result.success<undefined, string>(undefined).value).toBeUndefined();
  });
});

describe('errors', () => {
  it('takes layer and retryability from the catalog, unless the maker says otherwise', () => {
    const error = ArkAgentError.of(ErrorCode.transportTimeout, 'slow');
    expect([error.layer, error.retryability, error instanceof Error, error.name]).toEqual(['transport', 'immediate', true, 'ArkAgentError']);
    expect(ArkAgentError.of(ErrorCode.transportTimeout, 'x', { retryability: ErrorRetryability.never, retryAfterMs: 5 })).toMatchObject({ retryability: 'never', retryAfterMs: 5 });
  });

  it('keeps codes of apps with the layer they chose', () => {
    const made = [ArkAgentError.config('a', ''), ArkAgentError.decode('a', ''), ArkAgentError.tool('a', ''), ArkAgentError.provider('a', ''), ArkAgentError.transport('a', ''), ArkAgentError.storage('a', ''), ArkAgentError.security('a', ''), ArkAgentError.runtime('a', ''), ArkAgentError.cancelled('a', '')];
    expect(made.map((error) => error.layer)).toEqual(Object.values(ErrorLayer));
    expect(made.every((error) => error.code === 'a' && error.retryability === 'never')).toBe(true);
  });

  it('wraps what foreign code threw: an own error as it is, an Error as cause, anything else by its type only', () => {
    const own = ArkAgentError.tool('mine', 'x');
    const foreign = new Error('bad');
    expect(ArkAgentError.wrap(ErrorCode.internalError, own, 'c')).toBe(own);
    expect(ArkAgentError.wrap(ErrorCode.providerFailed, foreign, 'c')).toMatchObject({ code: 'provider_failed', message: 'c: bad', cause: foreign });
    expect(ArkAgentError.wrap(ErrorCode.internalError, 'secret' as never, 'c').message).toBe('c: a value that is no Error was thrown (string)');
    expect(ArkAgentError.wrap(ErrorCode.internalError, undefined, 'c').message).toContain('undefined');
  });

  it('adds details to a copy', () => {
    const first = ArkAgentError.of(ErrorCode.internalError, 'x').withDetail('a', 1);
    const second = first.withDetail('b', ['c']);
    expect([[...first.details ?? []], [...second.details ?? []]]).toEqual([[['a', 1]], [['a', 1], ['b', ['c']]]]);
  });
});

describe('cancellation', () => {
  it('tells every listener once with the first reason, late ones at once, and a throw stops nobody', () => {
    const control = new CancellationController();
    const heard: string[] = [];
    control.signal.onCancelled(() => { throw new Error('x'); });
    control.signal.onCancelled((reason) => heard.push(reason));
    const remove = control.signal.onCancelled(() => heard.push('removed'));
    remove();
    remove();
    expect([control.signal.cancelled, control.signal.reason, control.cancel('first'), control.cancel('second')]).toEqual([false, '', true, false]);
    control.signal.onCancelled((reason) => heard.push(`late ${reason}`));
    control.signal.onCancelled(() => { throw new Error('late'); });
    expect([heard, control.signal.reason]).toEqual([['first', 'late first'], 'first']);
  });

  it('a listener that cancels again or removes another one during the call does no harm', () => {
    const control = new CancellationController();
    const heard: string[] = [];
    control.signal.onCancelled(() => { control.cancel('again'); remove(); heard.push('a'); });
    const remove = control.signal.onCancelled(() => heard.push('b'));
    control.cancel('x');
    expect(heard).toEqual(['a', 'b']);
  });

  it('a derived controller follows its parent until it is disposed or cancelled itself', () => {
    const parent = new CancellationController();
    const child = CancellationController.derive(parent.signal);
    const gone = CancellationController.derive(parent.signal);
    const own = CancellationController.derive(parent.signal);
    gone.dispose();
    own.cancel('mine');
    parent.cancel('all');
    expect([child.signal.reason, gone.signal.cancelled, own.signal.reason]).toEqual(['all', false, 'mine']);
    expect(CancellationController.derive(parent.signal).signal.reason).toBe('all');
    const never = CancellationController.never();
    never.onCancelled(() => { throw new Error('x'); })();
    expect([never.cancelled, never.reason]).toEqual([false, '']);
  });

  it('a parent does not collect its children', () => {
    const parent = new CancellationController();
    for (let i = 0; i < 1000; i++) { const child = CancellationController.derive(parent.signal); if (i % 2 === 0) child.dispose(); else child.cancel('x'); }
    expect((parent.signal as unknown as { listeners: unknown[] }).listeners).toHaveLength(0);
  });
});

describe('observers', () => {
  it('DEC-58 the base observer ignores everything', () => {
    const observer = new BaseObserver<number>();
    expect([observer.onNext(1), observer.onError(ArkAgentError.tool('a', '')), observer.onComplete()]).toEqual([undefined, undefined, undefined]);
  });
});
