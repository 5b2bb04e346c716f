import { describe, expect, it } from 'vitest';
import { ApprovalPolicyResult, type ToolApprovalPolicy } from '@core/approval/ApprovalPolicy';
import { ControllerEventTypes } from '@core/control/ControllerEventTypes';
import type { ToolCall } from '@core/message/ToolCall';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import { CommitFault } from '@core/testing/StoppingStateStorage';
import { World } from '../../support/World';

class NamedPolicy implements ToolApprovalPolicy {
  constructor(private readonly names: string[]) {}

  decide(call: ToolCall): ApprovalPolicyResult {
    return this.names.includes(call.name) ? ApprovalPolicyResult.requireConfirmation('listed') : ApprovalPolicyResult.allow();
  }
}

/** [pay, note]: pay was approved and has run, the process died, and by now note needs consent too. */
async function begun(): Promise<{ world: World; two: Awaited<ReturnType<World['open']>>; counts: () => number[] }> {
  const world = new World();
  const pay = world.dangerous('pay');
  const note = world.sensitive('note');
  const one = await world.open({ turns: [new ScriptedTurn().call('c1', 'pay', '{}').call('c2', 'note', '{}')],
    config: { approvalPolicy: new NamedPolicy(['pay']) } });
  await one.say('go');
  await one.approveAll();
  one.storage.plan(3, CommitFault.stopAfter);
  expect(await one.resume()).toBe('stopped');
  const two = await world.open({ config: { approvalPolicy: new NamedPolicy(['pay', 'note']) } });
  expect(await two.resume()).toBe('awaiting_approval');
  return { world, two, counts: () => [pay.count, note.count] };
}

describe('DEC-31 a batch that has begun', () => {
  it('DEC-39 freezes only what has not started', async () => {
    const { two, counts } = await begun();
    expect(two.controller.listPendingApprovals().map((item) => item.toolCall.name)).toEqual(['note']);
    expect(counts()).toEqual([1, 0]);
    await two.approveAll();
    expect(await two.resume()).toBe('complete');
    expect(counts()).toEqual([1, 1]);
    expect(two.history().slice(2, 4)).toEqual(['tool c1: done', 'tool c2: done']);
  });

  it('DEC-31 atomic denial does not apply any more: the result of what ran stays', async () => {
    const { two, counts } = await begun();
    await two.controller.deny(two.questions()[0], 'no notes');
    expect(await two.resume()).toBe('complete');
    expect(counts()).toEqual([1, 0]);
    expect(two.history().slice(2, 4)).toEqual(['tool c1: done', 'tool c2 error: tool_denied: the person refused this call: no notes']);
  });

  it('the second question survives a kill and a cancel keeps the result of what ran', async () => {
    const { world, two, counts } = await begun();
    two.kill();
    const three = await world.open();
    expect(three.questions()).toHaveLength(1);
    await three.runtime.cancel('stop');
    expect(await three.say('next')).toBe('complete');
    expect(three.history().slice(2, 4)).toEqual(['tool c1: done', expect.stringContaining('tool_cancelled')]);
    expect(counts()).toEqual([1, 0]);
  });
});

describe('who decides', () => {
  it.each(['policy', 'expiry'])('a person cannot decide in the name of the %s', async (name) => {
    const world = new World();
    const pay = world.dangerous('pay');
    const one = await world.open({ turns: [ScriptedTurn.call('c1', 'pay', '{}')] });
    await one.say('go');
    const [id] = one.questions();
    expect((await one.runtime.applyApprovalDecision({ approvalId: id, approve: true, decidedBy: name })).ok).toBe(true);
    expect(one.batch().items[0].decidedBy).toBe('person');
    expect(await one.resume()).toBe('complete');
    expect(pay.count).toBe(1);
    expect((await one.controller.approve(id)).ok).toBe(true);
  });

  it('the name of who decided is stored with the decision', async () => {
    const world = new World();
    world.dangerous('pay');
    const one = await world.open({ turns: [ScriptedTurn.call('c1', 'pay', '{}')] });
    await one.say('go');
    await one.runtime.applyApprovalDecision({ approvalId: one.questions()[0], approve: true, decidedBy: 'ada' });
    expect((await world.stored()).pendingApproval?.items[0].decidedBy).toBe('ada');
  });

  it('CTL-03 a listener and an observer that throw change nothing about the question', async () => {
    const world = new World();
    const pay = world.dangerous('pay');
    const one = await world.open({ turns: [ScriptedTurn.call('c1', 'pay', '{}')] });
    one.controller.subscribe(ControllerEventTypes.approvalRequired, () => { throw new Error('listener'); });
    const observer = one.log.observer();
    observer.onEvent = () => { throw new Error('observer'); };
    expect(await one.ended(one.runtime.runStream([], observer))).toBe('input_empty');
    const run = one.say('go');
    one.observer.onEvent = observer.onEvent;
    expect(await run).toBe('awaiting_approval');
    expect(one.observer.terminals).toBe(1);
    await one.approveAll();
    expect(await one.resume()).toBe('complete');
    expect(pay.count).toBe(1);
  });

  it('DEC-50 a sweep on load that cannot be saved does not keep the session from opening', async () => {
    const world = new World();
    world.dangerous('pay');
    const one = await world.open({ turns: [ScriptedTurn.call('c1', 'pay', '{}')], config: { approvalTtlMs: 10 } });
    await one.say('go');
    const [id] = one.questions();
    one.kill();
    world.clock.advance(10);
    const commit = world.disk.commit.bind(world.disk);
    world.disk.commit = async () => { throw new Error('disk full'); };
    const two = await world.open();
    expect(two.questions()).toEqual([id]);
    world.disk.commit = commit;
    expect((await two.controller.approve(id)).error?.code).toBe('approval_expired');
  });
});
