import { describe, expect, it } from 'vitest';
import { SessionQueue } from '@core/state/file/SessionQueue';

describe('SessionQueue', () => {
  it('keeps the order within a key, lets other keys pass and goes on after a failure', async () => {
    const queue = new SessionQueue();
    const seen: string[] = [];
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => { open = resolve; });
    const first = queue.run('a', async () => {
      await gate;
      seen.push('first');
      throw new Error('planned');
    });
    const second = queue.run('a', async () => { seen.push('second'); });
    await queue.run('b', async () => { seen.push('other'); });
    expect(seen).toEqual(['other']);
    open();
    await expect(first).rejects.toThrow('planned');
    await second;
    await queue.idle();
    expect(seen).toEqual(['other', 'first', 'second']);
  });
});
