import { describe, expect, it } from 'vitest';
import { CancellationController } from '@core/base/Cancellation';
import { HookAbandoned, HookPatience } from '@core/hook/HookPatience';
import { ManualScheduler } from '@core/testing/ManualScheduler';

const GRACE = 500;

function desk(): { controller: CancellationController; scheduler: ManualScheduler; patience: HookPatience } {
  const controller = new CancellationController();
  const scheduler = new ManualScheduler();
  return { controller, scheduler, patience: new HookPatience(controller.signal, scheduler, GRACE) };
}

/** What a wait came to so far. */
function watched<T>(wait: Promise<T>): { state: string } {
  const seen = { state: 'waits' };
  wait.then((value) => { seen.state = `gives ${String(value)}`; }, (error: Error) => { seen.state = error instanceof HookAbandoned ? 'abandoned' : `rejects ${error.message}`; });
  return seen;
}

const never = (): Promise<string> => new Promise<string>(() => undefined);
const tick = async (): Promise<void> => { for (let i = 0; i < 5; i++) await Promise.resolve(); };

describe('patience with hooks', () => {
  it('waits without any timer while the run runs, and gives what the hook gives', async () => {
    const { scheduler, patience } = desk();
    const seen = [watched(patience.wait(Promise.resolve('a'))), watched(patience.wait(Promise.reject<string>(new Error('b')))), watched(patience.wait(never()))];
    await tick();
    expect([seen.map((one) => one.state), scheduler.pendingCount]).toEqual([['gives a', 'rejects b', 'waits'], 0]);
  });

  it('DEC-19 a cancel gives the hooks that are pending one time together, not a millisecond less', async () => {
    const { controller, scheduler, patience } = desk();
    const seen = [watched(patience.wait(never())), watched(patience.wait(never()))];
    controller.cancel('enough');
    expect(scheduler.pendingCount).toBe(1);
    scheduler.advance(GRACE - 1);
    await tick();
    expect(seen.map((one) => one.state)).toEqual(['waits', 'waits']);
    scheduler.advance(1);
    await tick();
    expect(seen.map((one) => one.state)).toEqual(['abandoned', 'abandoned']);
  });

  it('a hook that answers within that time has answered', async () => {
    const { controller, scheduler, patience } = desk();
    let answer: (text: string) => void = () => undefined;
    let fail: (error: Error) => void = () => undefined;
    const seen = [watched(patience.wait(new Promise<string>((resolve) => { answer = resolve; }))), watched(patience.wait(new Promise<string>((_resolve, reject) => { fail = reject; }))), watched(patience.wait(never()))];
    controller.cancel('');
    answer('late');
    fail(new Error('late'));
    await tick();
    scheduler.advance(GRACE);
    await tick();
    expect(seen.map((one) => one.state)).toEqual(['gives late', 'rejects late', 'abandoned']);
  });

  it('nothing pending: a cancel starts no timer', async () => {
    const { controller, scheduler, patience } = desk();
    await patience.wait(Promise.resolve('a'));
    await expect(patience.wait(Promise.reject<string>(new Error('b')))).rejects.toThrow('b');
    controller.cancel('');
    expect(scheduler.pendingCount).toBe(0);
  });

  it('a hook that is asked after the cancel has a time of its own, and leaves no timer behind', async () => {
    const { controller, scheduler, patience } = desk();
    controller.cancel('');
    const seen = watched(patience.wait(never()));
    expect(scheduler.pendingCount).toBe(1);
    scheduler.advance(GRACE);
    await tick();
    expect(seen.state).toBe('abandoned');
    const quick = [watched(patience.wait(Promise.resolve('a'))), watched(patience.wait(Promise.reject<string>(new Error('b'))))];
    await tick();
    expect([quick.map((one) => one.state), scheduler.pendingCount]).toEqual([['gives a', 'rejects b'], 0]);
  });
});
