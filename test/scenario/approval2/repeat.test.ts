import { describe, expect, it } from 'vitest';
import { UnknownOutcomePolicy } from '@core/approval/ApprovalModes';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import { CommitFault } from '@core/testing/StoppingStateStorage';
import { ProbeOutcome, type ToolContract } from '@core/tool/ToolContract';
import type { Process } from '../../support/Process';
import { World } from '../../support/World';

const ASK = { config: { unknownOutcomePolicy: UnknownOutcomePolicy.ask } };

/** Runs the approved call until the process dies after its effect and before its result is stored. */
async function dieIn(process: Process): Promise<void> {
  process.storage.plan(3, CommitFault.stopBefore);
  expect(await process.resume()).toBe('stopped');
  expect(process.storage.reasons.at(-1)).toBe('tool_effect');
}

async function cut(world: World): Promise<void> {
  const one = await world.open({ turns: [ScriptedTurn.call('c1', 'pay', '{"n":1}')], ...ASK });
  await one.say('go');
  await one.approveAll();
  await dieIn(one);
}

function withPay(contract: ToolContract): { world: World; runs: () => string[] } {
  const world = new World();
  const pay = world.dangerous('pay', contract);
  return { world, runs: () => pay.runs.map((run) => `${run.attempt} ${run.idempotencyKey}`) };
}

describe('S2 asking whether to repeat', () => {
  it.each([1, 2, 3, 4].flatMap((at) => [CommitFault.stopBefore, CommitFault.stopAfter].map((fault) => [at, fault] as const)))(
    'S2 a kill at boundary %i of the question and its answer (%s) repeats nothing that was not asked about', async (at, fault) => {
      const { world, runs } = withPay({});
      await cut(world);
      const two = await world.open(ASK);
      two.storage.plan(at, fault);
      const person = async (process: Process): Promise<void> => {
        for (let step = 0; step < 8 && process.runtime.snapshot().run?.status !== 'finished'; step++) {
          await process.approveAll();
          await process.resume();
        }
      };
      await Promise.race([person(two), two.storage.whenStopped]);
      expect(two.storage.stopped).toBe(true);
      const asked = (await world.stored()).pendingApproval?.items.filter((item) => item.kind === 'retry' && item.decision === 'approved').length ?? 0;
      expect(runs().length - 1, 'at most one repetition per yes').toBeLessThanOrEqual(asked);
      const three = await world.open(ASK);
      await person(three);
      expect(three.history()[2]).toBe('tool c1: done');
      const retries = runs().slice(1);
      expect(new Set(runs().map((run) => run.split(' ')[1])).size, 'one key').toBe(1);
      expect(retries.map((run) => run.split(' ')[0])).toEqual(retries.map((_, n) => `${n + 1}`));
    });

  it('S2 a yes to one repetition does not cover another, whatever the probe said in between', async () => {
    let says = ProbeOutcome.cannotTell;
    const { world, runs } = withPay({ probe: { probe: async () => says } });
    await cut(world);
    const two = await world.open(ASK);
    expect(await two.resume()).toBe('awaiting_approval');
    expect(two.batch().items.at(-1)?.reason).toContain('the tool could not find out');
    await two.approveAll();
    await dieIn(two);
    says = ProbeOutcome.notHappened;
    const three = await world.open(ASK);
    await dieIn(three);
    expect(runs()).toHaveLength(3);
    says = ProbeOutcome.cannotTell;
    const four = await world.open(ASK);
    expect(await four.resume(), 'asked again').toBe('awaiting_approval');
    expect(runs()).toHaveLength(3);
    expect(four.controller.listPendingApprovals().map((item) => [item.kind, item.round])).toEqual([['retry', 2]]);
  });

  it('S2 a tool that was idempotent and is not any more is asked about once', async () => {
    const contract: ToolContract = { idempotent: true };
    const { world, runs } = withPay(contract);
    await cut(world);
    await dieIn(await world.open(ASK));
    await dieIn(await world.open(ASK));
    expect(runs()).toHaveLength(3);
    contract.idempotent = false;
    const last = await world.open(ASK);
    expect(await last.resume()).toBe('awaiting_approval');
    await last.approveAll();
    expect(await last.resume()).toBe('complete');
    expect(runs().map((run) => run.split(' ')[0])).toEqual(['0', '1', '2', '3']);
  });

  it('S2 a planned repetition of such a tool is not made without a question', async () => {
    const contract: ToolContract = { idempotent: true };
    const { world, runs } = withPay(contract);
    await cut(world);
    const two = await world.open(ASK);
    two.storage.plan(1, CommitFault.stopAfter);
    expect(await two.resume()).toBe('stopped');
    contract.idempotent = false;
    const three = await world.open(ASK);
    expect(await three.resume()).toBe('awaiting_approval');
    const four = await world.open();
    await four.controller.deny(four.questions()[0]);
    expect(await four.resume()).toBe('complete');
    expect(four.history()[2]).toContain('tool_outcome_unknown');
    expect(runs()).toHaveLength(1);
  });

  it('says when it was started, and takes no other arguments', async () => {
    const { world } = withPay({});
    await cut(world);
    const two = await world.open(ASK);
    await two.resume();
    const [item] = two.controller.listPendingApprovals();
    expect(item.reason).toContain(new Date(world.clock.nowMs()).toISOString());
    const edit = await two.controller.approveWithArguments(item.approvalId, '{"n":2}');
    expect([edit.error?.code, two.questions().length]).toEqual(['approval_edit_rejected', 1]);
    const remembered = await two.controller.approveAndRemember(item.approvalId, { scope: (await import('@core/approval/ApprovalGrant')).GrantScope.tool });
    expect([remembered.decision, remembered.notRemembered]).toEqual(['approved', 'a yes to a repetition holds once']);
  });

  it('S10 a no to the repetition is a refusal of the call for the rest of the run', async () => {
    const { world, runs } = withPay({});
    await cut(world);
    const two = await world.open({ turns: [ScriptedTurn.call('c2', 'pay', '{"n":1}'), ScriptedTurn.text('fine')], ...ASK });
    await two.resume();
    await two.controller.deny(two.questions()[0]);
    expect(await two.resume()).toBe('complete');
    expect(two.history()[4]).toContain('tool_denied');
    expect(runs()).toHaveLength(1);
  });
});

describe('DEC-50 a warning that is overdue when the session is opened', () => {
  it('comes at once, once', async () => {
    const world = new World();
    world.dangerous('pay');
    const config = { approvalTtlMs: 1000, approvalWarnBeforeMs: 200 };
    const one = await world.open({ turns: [ScriptedTurn.call('c1', 'pay', '{}')], config });
    await one.say('go');
    one.kill();
    world.clock.advance(900);
    const two = await world.open({ config });
    world.scheduler.advance(0);
    expect(two.log.count('bus approval.expiring')).toBe(1);
    world.scheduler.advance(50);
    expect(two.log.count('bus approval.expiring')).toBe(1);
  });
});
