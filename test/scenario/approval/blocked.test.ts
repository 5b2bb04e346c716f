import { describe, expect, it } from 'vitest';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import { encoded, World } from '../../support/World';

const PAY = (): ScriptedTurn => ScriptedTurn.call('c1', 'pay', '{"sum":5}');

describe('input while a question is open', () => {
  it('APP-10 is refused, and the state stays byte-identical in memory and on the disk', async () => {
    const world = new World();
    world.dangerous('pay');
    const one = await world.open({ turns: [PAY()] });
    await one.say('go');
    const memory = encoded(one.runtime.snapshot());
    const disk = await world.storedText();
    one.log.clear();
    expect(await one.say('hello?')).toBe('pending_approval_blocks_input');
    expect(one.result?.error.layer).toBe('security');
    expect(one.result?.error.retryability).toBe('never');
    expect(one.result?.error.details?.get('resumeRequired')).toBeUndefined();
    expect(encoded(one.runtime.snapshot())).toBe(memory);
    expect(await world.storedText()).toBe(disk);
    expect(one.log.lines).toEqual(['run onError pending_approval_blocks_input']);
    expect(one.provider.calls).toBe(1);
  });

  it('APP-10 the same after a restart', async () => {
    const world = new World();
    world.dangerous('pay');
    const one = await world.open({ turns: [PAY()] });
    await one.say('go');
    one.kill();
    const two = await world.open();
    const disk = await world.storedText();
    expect(await two.say('hello?')).toBe('pending_approval_blocks_input');
    expect(await world.storedText()).toBe(disk);
    expect(two.storage.commits).toEqual([]);
  });

  it('DEC-04 decided but not run: refused with details.resumeRequired until resume', async () => {
    const world = new World();
    world.dangerous('pay');
    const one = await world.open({ turns: [PAY()] });
    await one.say('go');
    await one.approveAll();
    expect(await one.say('hello?')).toBe('pending_approval_blocks_input');
    expect(one.result?.error.details?.get('resumeRequired')).toBe(true);
    expect(await one.resume()).toBe('complete');
    expect(await one.say('hello?')).toBe('complete');
  });

  it('DEC-16 resume with an undecided question is awaiting_approval, with nothing to resume resume_nothing_pending', async () => {
    const world = new World();
    world.dangerous('pay');
    const one = await world.open({ turns: [PAY()] });
    expect(await one.resume()).toBe('resume_nothing_pending');
    await one.say('go');
    one.log.clear();
    expect(await one.resume()).toBe('awaiting_approval');
    expect(one.log.lines).toEqual(['run onError awaiting_approval']);
  });
});
