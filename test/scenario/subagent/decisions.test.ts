import { describe, expect, it } from 'vitest';
import { UnknownOutcomePolicy } from '@core/approval/ApprovalModes';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import { CommitFault } from '@core/testing/StoppingStateStorage';
import { ApprovalResolvedEvent } from '@core/control/event/ApprovalEvents';
import type { Process } from '../../support/Process';
import { Family, PAY, delegate } from './family';

const ASK = { go: [delegate('pay it')], 'pay it': [PAY(), ScriptedTurn.text('done')] };

async function asked(family: Family, config = {}): Promise<[Process, string]> {
  const one = await family.open({ config });
  expect(await one.say('go')).toBe('awaiting_approval');
  return [one, one.questions()[0] ?? ''];
}

async function childHistory(family: Family): Promise<string[]> {
  const [id] = await family.children();
  return (await family.child(id ?? '')).history.toArray().map((message) => message.text());
}

describe('APP-16 decisions about a child\'s questions', () => {
  it('APP-16 a denial is told to the child\'s model, which goes on', async () => {
    const family = new Family(ASK);
    const [one, id] = await asked(family);
    expect(await one.controller.deny(id, 'too much')).toMatchObject({ ok: true, decision: 'denied', allDecided: true, approvalId: id });
    expect(await one.resume()).toBe('complete');
    expect(family.pay.count).toBe(0);
    expect((await childHistory(family))[2]).toBe('tool_denied: the person refused this call: too much');
    expect(one.history()[2]).toBe('tool d1: done');
  });

  it('APP-16 denyAll takes the batch id that the parent shows', async () => {
    const family = new Family(ASK);
    const [one] = await asked(family);
    const batchId = one.batch().batchId;
    expect(await one.controller.denyAll(batchId, 'no')).toMatchObject({ ok: true, approvalId: batchId, allDecided: true });
    expect(await one.controller.denyAll(batchId, 'no')).toMatchObject({ ok: true, approvalId: batchId });
    expect(one.questions()).toEqual([]);
    expect(await one.resume()).toBe('complete');
    expect(family.pay.count).toBe(0);
  });

  it('APP-16 an edit runs as edited, and is checked like any call', async () => {
    const family = new Family(ASK);
    const [one, id] = await asked(family);
    expect((await one.controller.approveWithArguments(id, 'nonsense')).error?.code).toBe('approval_edit_rejected');
    expect(one.questions()).toEqual([id]);
    expect((await one.controller.approveWithArguments(id, '{"n":5}')).ok).toBe(true);
    expect(await one.resume()).toBe('complete');
    expect(family.pay.runs.map((run) => run.argumentsJson)).toEqual(['{"n":5}']);
  });

  it('APP-16 a question that expires in a child counts as denied: while open, and when the session is opened later', async () => {
    for (const killed of [false, true]) {
      const family = new Family(ASK);
      const config = { approvalTtlMs: 1000, approvalWarnBeforeMs: 400 };
      const [one, id] = await asked(family, config);
      if (killed) one.kill();
      family.world.clock.advance(1001);
      if (!killed) family.world.scheduler.advance(1001);
      const two = killed ? await family.open({ config }) : one;
      for (let wait = 0; wait < 50; wait++) await Promise.resolve();
      expect(two.questions()).toEqual([]);
      expect((await two.controller.approve(id)).error?.code).toBe('approval_expired');
      const told = two.log.busEvents.filter((event) => event instanceof ApprovalResolvedEvent) as ApprovalResolvedEvent[];
      expect(told.map((event) => event.decisions[0])).toMatchObject([{ approvalId: id, decision: 'denied', decidedBy: 'expiry' }]);
      expect(await two.resume()).toBe('complete');
      expect((await childHistory(family))[2]).toContain('expired');
      expect(family.pay.count).toBe(0);
    }
  });

  it('APP-16 a question of a child that expires continues the run where an observer is attached', async () => {
    const family = new Family(ASK);
    const [one] = await asked(family, { approvalTtlMs: 1000 });
    const observer = one.log.observer();
    one.runtime.attach(observer);
    const ended = new Promise<void>((resolve) => { observer.onEvent = (event) => { if (event.type === 'run_completed') resolve(); }; });
    family.world.clock.advance(1001);
    family.world.scheduler.advance(1001);
    await ended;
    expect(family.pay.count).toBe(0);
    expect(one.history()[2]).toBe('tool d1: done');
  });

  it('APP-16 an effect with unknown outcome in a child is told to the child, not repeated, and the parent goes on', async () => {
    const family = new Family(ASK);
    const [one, id] = await asked(family);
    await one.controller.approve(id);
    // parent claim, child claim, child started: the process dies right after the effect began
    one.storage.plan(3, CommitFault.stopAfter);
    expect(await one.resume()).toBe('stopped');
    const two = await family.open();
    expect(two.questions()).toEqual([]);
    expect(await two.resume()).toBe('complete');
    expect((await childHistory(family))[2]).toContain('tool_outcome_unknown');
    expect(two.history()[2]).toBe('tool d1: done');
    expect(family.pay.count).toBe(0);
  });

  it('APP-16 where the app wants it, the person is asked at the parent whether to repeat a child\'s unknown effect', async () => {
    const family = new Family(ASK);
    const config = { unknownOutcomePolicy: UnknownOutcomePolicy.ask };
    const [one, id] = await asked(family, config);
    await one.controller.approve(id);
    one.storage.plan(3, CommitFault.stopAfter);
    expect(await one.resume()).toBe('stopped');
    const two = await family.open({ config });
    expect(await two.resume()).toBe('awaiting_approval');
    expect(two.batch().items.filter((item) => item.isPending()).map((item) => item.kind)).toEqual(['retry']);
    await two.approveAll();
    expect(await two.resume()).toBe('complete');
    expect(family.pay.count).toBe(1);
  });

  it('the parent\'s own question and the child\'s are both listed; the call starts only with a yes', async () => {
    const family = new Family({ go: [new ScriptedTurn().call('p0', 'pay', '{"n":9}').call('d1', 'delegate_task', '{"task":"pay it"}')], 'pay it': [PAY(), ScriptedTurn.text('done')] });
    const [one] = await asked(family);
    expect(await family.children()).toEqual([]);
    await one.approveAll();
    expect(await one.resume()).toBe('awaiting_approval');
    expect(one.runtime.getPendingApprovalBatches().map((batch) => batch.items.map((item) => item.decision))).toEqual([['approved', 'approved'], ['pending']]);
    expect(one.log.runEvents.filter((event) => event.type === 'approval_required')).toHaveLength(2);
    expect(one.questions()).toHaveLength(1);
    await one.approveAll();
    expect(await one.resume()).toBe('complete');
    expect(family.pay.runs.map((run) => run.argumentsJson)).toEqual(['{"n":9}', '{"n":1}']);
  });

  it('DEC-51 a tool that changed while the child\'s question was open does not run', async () => {
    const family = new Family(ASK);
    const [one, id] = await asked(family);
    one.kill();
    family.world.sensitive('pay');
    const two = await family.open();
    await two.controller.approve(id);
    expect(await two.resume()).toBe('complete');
    expect((await childHistory(family))[2]).toContain('tool_changed');
    expect(family.pay.count).toBe(0);
  });
});
