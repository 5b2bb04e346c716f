import { describe, expect, it } from 'vitest';
import { DeltaBatcher } from '../../../entry/src/main/ets/viewmodel/DeltaBatcher.ets';
import { HandScheduler } from './fixtures';

function setUp() {
  const scheduler = new HandScheduler();
  const batches: string[] = [];
  return { scheduler, batches, batcher: new DeltaBatcher(scheduler, (text: string) => { batches.push(text); }) };
}

describe('DeltaBatcher', () => {
  it('hands text on in order, in one batch, within 60 ms', () => {
    const { scheduler, batches, batcher } = setUp();
    for (const piece of ['a', 'b', '', 'c']) batcher.push(piece);
    expect(batches).toEqual([]);
    expect(scheduler.waiting).toBe(1);
    scheduler.advance(60);
    expect(batches).toEqual(['abc']);
    expect(scheduler.waiting).toBe(0);
    batcher.push('d');
    scheduler.advance(60);
    expect(batches).toEqual(['abc', 'd']);
  });

  it('the first piece is never older than one interval, however fast others follow', () => {
    const { scheduler, batches, batcher } = setUp();
    for (let i = 0; i < 6; i++) {
      batcher.push('x');
      scheduler.advance(10);
    }
    expect(batches).toEqual(['xxxxx']);
  });

  it('flush hands on at once and leaves no timer, discard drops', () => {
    const { scheduler, batches, batcher } = setUp();
    batcher.push('end');
    batcher.flush();
    batcher.flush();
    expect(batches).toEqual(['end']);
    expect(scheduler.waiting).toBe(0);
    batcher.push('gone');
    batcher.discard();
    scheduler.advance(100);
    expect(batches).toEqual(['end']);
  });
});
