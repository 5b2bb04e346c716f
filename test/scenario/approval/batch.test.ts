import { describe, expect, it } from 'vitest';
import { BatchDenyMode } from '@core/approval/ApprovalModes';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import { World } from '../../support/World';

function three(): ScriptedTurn {
  return new ScriptedTurn().call('c1', 'read', '{"n":1}').call('c2', 'pay', '{"n":2}').call('c3', 'read', '{"n":3}');
}

function twoPays(): ScriptedTurn {
  return new ScriptedTurn().call('c1', 'pay', '{"n":1}').call('c2', 'read', '{}').call('c3', 'pay', '{"n":3}');
}

function bank(): { world: World; order: string[]; counts: () => number[] } {
  const world = new World();
  const read = world.safe('read');
  const pay = world.dangerous('pay');
  const order: string[] = [];
  for (const [name, tool] of [['read', read], ['pay', pay]] as const) {
    const recorded = tool.execute.bind(tool);
    tool.execute = async (args, context) => {
      const result = await recorded(args, context);
      order.push(`${name} ${tool.runs.at(-1)?.argumentsJson}`);
      return result;
    };
  }
  return { world, order, counts: () => [read.count, pay.count] };
}

describe('a batch with a call that needs consent', () => {
  it('APP-03 runs nothing of [safe, dangerous, safe] before the decision; S1 one batch, one event', async () => {
    const { world, counts } = bank();
    const one = await world.open({ turns: [three()] });
    expect(await one.say('go')).toBe('awaiting_approval');
    expect(counts()).toEqual([0, 0]);
    expect(one.questions()).toHaveLength(1);
    expect(one.log.count('bus approval.required')).toBe(1);
    expect(one.log.count('run approval_required')).toBe(1);
    const stored = await world.stored();
    expect(stored.pendingApproval?.items.map((item) => item.decision)).toEqual(['approved', 'pending', 'approved']);
    expect(stored.openBatch?.calls.map((call) => call.status)).toEqual(['allowed', 'awaiting', 'allowed']);
    await one.approveAll();
    expect(counts()).toEqual([0, 0]);
  });

  it('APP-05 approval runs all calls in order, each once', async () => {
    const { world, order } = bank();
    const one = await world.open({ turns: [three()] });
    await one.say('go');
    await one.approveAll();
    expect(await one.resume()).toBe('complete');
    expect(order).toEqual(['read {"n":1}', 'pay {"n":2}', 'read {"n":3}']);
    expect(one.history().slice(2)).toEqual(['tool c1: done', 'tool c2: done', 'tool c3: done', 'assistant: ok']);
    expect((await world.stored()).pendingApproval).toBeUndefined();
    expect((await world.stored()).openBatch).toBeUndefined();
  });

  it('APP-06 one denial: none runs, each call has its error result, the model goes on knowing it', async () => {
    const { world, counts } = bank();
    const one = await world.open({ turns: [three(), ScriptedTurn.text('I understand')] });
    await one.say('go');
    const denied = await one.controller.deny(one.questions()[0], 'too expensive');
    expect([denied.ok, denied.decision, denied.allDecided]).toEqual([true, 'denied', true]);
    expect(await one.resume()).toBe('complete');
    expect(counts()).toEqual([0, 0]);
    expect(one.history().slice(2)).toEqual([
      'tool c1 error: tool_batch_not_executed: another call of the batch stopped it (not_executed)',
      'tool c2 error: tool_denied: the person refused this call: too expensive',
      'tool c3 error: tool_batch_not_executed: another call of the batch stopped it (not_executed)',
      'assistant: I understand',
    ]);
    expect(one.lastRequest()).toHaveLength(5);
  });

  it('APP-06 S1 atomic: a denial beside an approval runs none', async () => {
    const { world, counts } = bank();
    const one = await world.open({ turns: [twoPays()] });
    await one.say('go');
    const [first, second] = one.questions();
    await one.controller.approve(first);
    await one.controller.deny(second);
    expect(await one.resume()).toBe('complete');
    expect(counts()).toEqual([0, 0]);
    expect(one.history().slice(2, 5).map((text) => text.split(':')[1].trim()))
      .toEqual(['tool_batch_not_executed', 'tool_batch_not_executed', 'tool_denied']);
  });

  it('S1 independent: the denied call answers tool_denied, the others run once, in order', async () => {
    const { world, order } = bank();
    const one = await world.open({ turns: [twoPays()], config: { batchDenyMode: BatchDenyMode.independent } });
    await one.say('go');
    const [first, second] = one.questions();
    await one.controller.deny(first);
    await one.controller.approve(second);
    expect(await one.resume()).toBe('complete');
    expect(order).toEqual(['read {}', 'pay {"n":3}']);
    expect(one.history().slice(2, 5)).toEqual([
      'tool c1 error: tool_denied: the person refused this call', 'tool c2: done', 'tool c3: done']);
  });

  it('DEC-01 the mode is the one of the batch, whatever the next process is configured with', async () => {
    const { world, counts } = bank();
    const one = await world.open({ turns: [twoPays()] });
    await one.say('go');
    one.kill();
    const two = await world.open({ config: { batchDenyMode: BatchDenyMode.independent } });
    const [first, second] = two.questions();
    await two.controller.deny(first);
    await two.controller.approve(second);
    await two.resume();
    expect(counts()).toEqual([0, 0]);
  });

  it('DEC-49 allDecided is literal: after a denial the batch still waits for the others', async () => {
    const { world } = bank();
    const one = await world.open({ turns: [twoPays()] });
    await one.say('go');
    const [first, second] = one.questions();
    expect((await one.controller.deny(first)).allDecided).toBe(false);
    expect(await one.resume()).toBe('awaiting_approval');
    expect(one.questions()).toEqual([second]);
    expect((await one.controller.approve(second)).allDecided).toBe(true);
  });

  it('DEC-49 denyAll denies what is open and keeps what was decided', async () => {
    const { world, counts } = bank();
    const one = await world.open({ turns: [twoPays()] });
    await one.say('go');
    const batchId = one.batch().batchId;
    await one.controller.approve(one.questions()[0]);
    const all = await one.controller.denyAll(batchId, 'no money');
    expect([all.ok, all.approvalId, all.allDecided]).toEqual([true, batchId, true]);
    expect(one.batch().items.map((item) => item.decision)).toEqual(['approved', 'approved', 'denied']);
    await one.resume();
    expect(counts()).toEqual([0, 0]);
    expect((await one.controller.denyAll('b-unknown')).error?.code).toBe('approval_not_found');
  });
});
