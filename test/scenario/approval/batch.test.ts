import { describe, expect, it } from 'vitest';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import { World } from '../../support/World';

const THREE = new ScriptedTurn().call('c1', 'read', '{"n":1}').call('c2', 'pay', '{"n":2}').call('c3', 'read', '{"n":3}');

describe('a batch with a call that needs consent', () => {
  it('APP-03 runs nothing of [safe, dangerous, safe] before the decision', async () => {
    const world = new World();
    const read = world.safe('read');
    const pay = world.dangerous('pay');
    const one = await world.open({ turns: [THREE] });
    expect(await one.say('go')).toBe('awaiting_approval');
    expect([read.count, pay.count]).toEqual([0, 0]);
    expect(one.questions()).toHaveLength(1);
    expect(one.log.count('bus approval.required')).toBe(1);
    expect((await one.approveAll()).map((result) => result.ok)).toEqual([true]);
    expect(await one.resume()).toBe('complete');
    expect([read.count, pay.count]).toEqual([2, 1]);
  });
});
