import { describe, expect, it } from 'vitest';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import { CommitFault } from '@core/testing/StoppingStateStorage';
import type { Process } from '../../support/Process';
import { World } from '../../support/World';

const TWO = (): ScriptedTurn => new ScriptedTurn().call('c1', 'pay', '{"n":1}').call('c2', 'pay', '{"n":2}');
const ONE = (id: string): ScriptedTurn => ScriptedTurn.call(id, 'pay', '{}');

async function asked(turn: ScriptedTurn = TWO()): Promise<{ world: World; one: Process; runs: () => number }> {
  const world = new World();
  const pay = world.dangerous('pay');
  const one = await world.open({ turns: [turn] });
  await one.say('go');
  return { world, one, runs: () => pay.count };
}

describe('deciding', () => {
  it('APP-09 deciding twice gives the standing decision and writes nothing', async () => {
    const { one } = await asked();
    const [first] = one.questions();
    await one.controller.approve(first);
    const commits = one.storage.commits.length;
    const again = await one.controller.approve(first);
    const other = await one.controller.deny(first, 'changed my mind');
    expect([again.ok, again.decision]).toEqual([true, 'approved']);
    expect([other.ok, other.decision]).toEqual([true, 'approved']);
    expect(one.storage.commits).toHaveLength(commits);
    expect(one.log.of('bus').filter((line) => line.startsWith('approval.resolved'))).toEqual(['approval.resolved approved']);
  });

  it('APP-09 an unknown id is approval_not_found', async () => {
    const { one } = await asked();
    const answer = await one.controller.approve('b:0:0');
    expect([answer.ok, answer.decision, answer.allDecided]).toEqual([false, 'error', false]);
    expect(answer.error?.code).toBe('approval_not_found');
    expect(answer.error?.layer).toBe('security');
  });

  it('APP-09 DEC-49 after closing: the same decision stands, a different one is approval_batch_closed with the standing one', async () => {
    const { world, one, runs } = await asked(ONE('c1'));
    const [id] = one.questions();
    await one.approveAll();
    await one.resume();
    for (const process of [one, await world.open()]) {
      const same = await process.controller.approve(id);
      expect([same.ok, same.decision, same.allDecided]).toEqual([true, 'approved', true]);
      const different = await process.controller.deny(id);
      expect(different.error?.code).toBe('approval_batch_closed');
      expect(different.error?.details?.get('standing')).toBe('approved');
    }
    expect(runs()).toBe(1);
  });

  it('DEC-49 receipts of the last 32 batches are kept', async () => {
    const world = new World();
    world.dangerous('pay');
    const ids: string[] = [];
    const one = await world.open({ responder: (_request, call) => call % 2 === 0 ? ONE(`c${call}`) : ScriptedTurn.text('ok') });
    for (let batch = 0; batch < 33; batch++) {
      await one.say('go');
      ids.push(one.questions()[0]);
      await one.approveAll();
      expect(await one.resume()).toBe('complete');
    }
    expect((await one.controller.approve(ids[0])).error?.code).toBe('approval_not_found');
    expect((await one.controller.approve(ids[1])).ok).toBe(true);
    expect((await one.controller.approve(ids[32])).ok).toBe(true);
  });

  it('DEC-49 a batch closed by cancel answers every later decision with approval_batch_closed and closedBy', async () => {
    const { one, runs } = await asked(ONE('c1'));
    const [id] = one.questions();
    expect((await one.runtime.cancel('never mind')).value).toBe(true);
    for (const answer of [await one.controller.approve(id), await one.controller.deny(id)]) {
      expect(answer.error?.code).toBe('approval_batch_closed');
      expect(answer.error?.details?.get('closedBy')).toBe('cancel');
    }
    expect(runs()).toBe(0);
  });

  it('a decision whose save fails is not reported and not made; it can be made again', async () => {
    const { one } = await asked();
    const [first] = one.questions();
    one.storage.plan(1, CommitFault.failBefore);
    const failed = await one.controller.approve(first);
    expect(failed.error?.code).toBe('state_save_failed');
    expect(one.questions()).toContain(first);
    expect(one.log.of('bus').filter((line) => line.startsWith('approval.resolved'))).toEqual([]);
    expect((await one.controller.approve(first)).ok).toBe(true);
  });

  it('DEC-06 a decision whose answer was lost is found on the disk and stands', async () => {
    const { world, one } = await asked();
    const [first] = one.questions();
    one.storage.plan(1, CommitFault.failAfter);
    expect((await one.controller.approve(first)).decision).toBe('approved');
    expect((await world.stored()).pendingApproval?.find(first)?.decision).toBe('approved');
  });

  it('S5 a decision is not listed as made while its save is under way', async () => {
    const { one } = await asked();
    const [first, second] = one.questions();
    const commit = one.storage.commit.bind(one.storage);
    let during: string[] = [];
    one.storage.commit = async (request) => {
      during = one.questions();
      return commit(request);
    };
    await one.controller.approve(first);
    expect(during).toEqual([first, second]);
    expect(one.questions()).toEqual([second]);
  });

  it('APP-08 a decision survives a kill before the next one is made', async () => {
    const { world, one, runs } = await asked();
    const [first, second] = one.questions();
    await one.controller.approve(first);
    one.kill();
    const two = await world.open();
    expect(two.questions()).toEqual([second]);
    expect((await two.controller.approve(first)).decision).toBe('approved');
    await two.controller.approve(second);
    expect(await two.resume()).toBe('complete');
    expect(runs()).toBe(2);
  });

  it('APP-07 kill and reload: the same items, then the decision continues the run', async () => {
    const { world, one, runs } = await asked();
    const before = one.batch();
    one.kill();
    const two = await world.open();
    expect(two.runtime.restored).toBe(true);
    expect(two.batch().items).toEqual(before.items);
    expect(two.batch().siblings).toEqual(before.siblings);
    expect(two.batch().modelMessage.id).toBe(before.modelMessage.id);
    await two.approveAll();
    expect(await two.resume()).toBe('complete');
    expect(runs()).toBe(2);
    expect((two.result?.value.runId)).toBe(before.runId);
  });

  it('DEC-15 open announces nothing again and writes nothing', async () => {
    const { world, one } = await asked();
    one.kill();
    const before = await world.storedText();
    const two = await world.open();
    expect(two.log.lines).toEqual([]);
    expect(two.storage.commits).toEqual([]);
    expect(await world.storedText()).toBe(before);
  });

  it('a closed runtime takes no decision', async () => {
    const { one } = await asked();
    const [first] = one.questions();
    await one.runtime.close();
    expect((await one.runtime.applyApprovalDecision({ approvalId: first, approve: true })).error?.code).toBe('runtime_closed');
    expect((await one.controller.approve(first)).error?.code).toBe('approval_host_missing');
  });
});
