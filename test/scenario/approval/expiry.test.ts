import { describe, expect, it } from 'vitest';
import type { ApprovalExpiringEvent } from '@core/control/event/ApprovalEvents';
import { ControllerEventTypes } from '@core/control/ControllerEventTypes';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import { CommitFault } from '@core/testing/StoppingStateStorage';
import type { RecordingTool } from '@core/testing/RecordingTool';
import type { Process } from '../../support/Process';
import { World } from '../../support/World';

const TTL = { config: { approvalTtlMs: 1000 } };

async function asked(): Promise<{ world: World; one: Process; pay: RecordingTool; id: string }> {
  const world = new World();
  const pay = world.dangerous('pay');
  const one = await world.open({ turns: [ScriptedTurn.call('c1', 'pay', '{}')], ...TTL });
  await one.say('go');
  return { world, one, pay, id: one.questions()[0] };
}

describe('DEC-50 expiry', () => {
  it('DEC-50 there is none unless it is configured', async () => {
    const world = new World();
    world.dangerous('pay');
    const one = await world.open({ turns: [ScriptedTurn.call('c1', 'pay', '{}')] });
    await one.say('go');
    expect(one.batch().items[0].expiresAtMs).toBeUndefined();
    world.clock.advance(1e12);
    expect((await one.approveAll())[0].ok).toBe(true);
  });

  it('APP-09 DEC-50 a late decision is approval_expired; the call counts as denied, by expiry', async () => {
    const { world, one, pay, id } = await asked();
    world.clock.advance(1000);
    for (const answer of [await one.controller.approve(id), await one.controller.deny(id)]) {
      expect(answer.error?.code).toBe('approval_expired');
    }
    const stored = (await world.stored()).pendingApproval?.items[0];
    expect([stored?.decision, stored?.decidedBy]).toEqual(['denied', 'expiry']);
    expect(one.log.of('bus').filter((line) => line.startsWith('approval.resolved'))).toEqual(['approval.resolved denied all']);
    expect(await one.resume()).toBe('complete');
    expect(pay.count).toBe(0);
    expect(one.history()[2]).toBe('tool c1 error: tool_denied: nobody answered in time; the call counts as refused (expired)');
    expect((await one.controller.approve(id)).error?.code, 'also when the batch is closed').toBe('approval_expired');
  });

  it('APP-09 S3 a late decision of an owner that knows an old state opens no batch again that another one closed', async () => {
    const { world, one, pay, id } = await asked();
    const two = await world.open(TTL);
    await one.controller.approve(id);
    expect(await one.resume()).toBe('complete');
    const closed = await world.storedText();
    world.clock.advance(1000);
    expect((await two.controller.deny(id)).error?.code).toBe('approval_batch_closed');
    expect([await world.storedText(), two.questions(), pay.count]).toEqual([closed, [], 1]);
    expect(await two.resume()).toBe('resume_nothing_pending');
  });

  it('DEC-50 one millisecond before, it counts', async () => {
    const { world, one, id } = await asked();
    world.clock.advance(999);
    expect((await one.controller.approve(id)).ok).toBe(true);
    world.clock.advance(10);
    expect((await one.controller.approve(id)).decision, 'a decision made in time stands').toBe('approved');
  });

  it('DEC-50 loading the session sweeps what has expired', async () => {
    const { world, one, pay } = await asked();
    one.kill();
    world.clock.advance(5000);
    const two = await world.open(TTL);
    expect(two.questions()).toEqual([]);
    expect((await world.stored()).pendingApproval?.items[0].decidedBy).toBe('expiry');
    expect(await two.resume()).toBe('complete');
    expect(pay.count).toBe(0);
  });

  it('DEC-50 DEC-13 a clock that is set back reopens nothing', async () => {
    const { world, one, pay, id } = await asked();
    world.clock.advance(2000);
    expect((await one.controller.approve(id)).error?.code).toBe('approval_expired');
    world.clock.advance(-1999);
    expect((await one.controller.approve(id)).error?.code).toBe('approval_expired');
    one.kill();
    const two = await world.open(TTL);
    expect((await two.controller.approve(id)).error?.code).toBe('approval_expired');
    await two.resume();
    expect(pay.count).toBe(0);
  });

  it('DEC-13 an expiry that was seen but could not be saved is not undone by a clock that is set back', async () => {
    const { world, one, pay, id } = await asked();
    world.clock.advance(1000);
    one.storage.plan(1, CommitFault.failBefore);
    expect((await one.controller.approve(id)).error?.code).toBe('state_save_failed');
    world.clock.advance(-1000);
    expect((await one.controller.approve(id)).error?.code).toBe('approval_expired');
    await one.resume();
    expect(pay.count).toBe(0);
  });

  it('DEC-13 times do not go back over processes', async () => {
    const world = new World();
    world.dangerous('pay');
    const one = await world.open({ turns: [new ScriptedTurn().call('c1', 'pay', '{"n":1}').call('c2', 'pay', '{"n":2}')] });
    await one.say('go');
    world.clock.advance(900);
    await one.controller.approve(one.questions()[0]);
    one.kill();
    world.clock.advance(-100000);
    const two = await world.open();
    await two.controller.approve(two.questions()[0]);
    const [first, second] = two.batch().items;
    expect(second.decidedAtMs).toBeGreaterThanOrEqual(first.decidedAtMs ?? Infinity);
  });

  it('DEC-52 an edit that is too late is approval_expired, and nothing of it is kept', async () => {
    const { world, one, id } = await asked();
    world.clock.advance(1000);
    expect((await one.controller.approveWithArguments(id, '{"n":1}')).error?.code).toBe('approval_expired');
    expect((await world.stored()).openBatch?.calls[0].effective.argumentsJson).toBe('{}');
  });

  it('DEC-18 an expiry that is the last decision continues the run where an observer is attached', async () => {
    const { world, one, pay, id } = await asked();
    const observer = one.log.observer();
    const ended = new Promise<void>((resolve) => {
      one.controller.subscribe(ControllerEventTypes.agentSuccess, () => resolve());
    });
    one.runtime.attach(observer);
    world.clock.advance(1000);
    await one.controller.approve(id);
    await ended;
    expect(pay.count).toBe(0);
  });
});

describe('DEC-50 deadlines while the process lives', () => {
  const WARN = { config: { approvalTtlMs: 1000, approvalWarnBeforeMs: 300 } };

  /** Lets clock and timers go on together. */
  async function pass(world: World, ms: number): Promise<void> {
    world.clock.advance(ms);
    world.scheduler.advance(ms);
    for (let turn = 0; turn < 50; turn++) await Promise.resolve();
  }

  async function warned(): Promise<{ world: World; one: Process; pay: RecordingTool; id: string }> {
    const world = new World();
    const pay = world.dangerous('pay');
    const one = await world.open({ turns: [ScriptedTurn.call('c1', 'pay', '{}')], ...WARN });
    await one.say('go');
    one.log.clear();
    return { world, one, pay, id: one.questions()[0] };
  }

  it('DEC-50 approval.expiring warns once, approvalWarnBeforeMs before', async () => {
    const { world, one, id } = await warned();
    await pass(world, 699);
    expect(one.log.of('bus')).toEqual([]);
    await pass(world, 1);
    await pass(world, 100);
    expect(one.log.of('bus')).toEqual(['approval.expiring']);
    const event = one.log.busEvents[0] as ApprovalExpiringEvent;
    expect([event.approvalId, event.expiresAtMs, event.runId]).toEqual([id, world.clock.nowMs() + 200, one.batch().runId]);
  });

  it('DEC-50 at the deadline the denial is stored and told without anybody asking', async () => {
    const { world, one } = await warned();
    await pass(world, 700);
    await pass(world, 300);
    expect(one.log.of('bus').slice(1)).toEqual(['state.persisted approval_decision', 'approval.resolved denied all']);
    expect(one.questions()).toEqual([]);
    expect((await world.stored()).pendingApproval?.items[0].decidedBy).toBe('expiry');
    expect(world.scheduler.pendingCount).toBe(0);
  });

  it('DEC-18 DEC-50 with an observer attached the run goes on by itself', async () => {
    const { world, one, pay } = await warned();
    const observer = one.log.observer();
    one.runtime.attach(observer);
    await pass(world, 1000);
    await one.runtime.close();
    expect(observer.completions).toBe(1);
    expect(pay.count).toBe(0);
    expect((await world.stored()).run?.stopReason).toBe('complete');
  });

  it('a decision in time, a cancel and closing end the wait', async () => {
    for (const end of [async (one: Process): Promise<unknown> => one.approveAll(), async (one: Process): Promise<unknown> => one.runtime.cancel('no'),
      async (one: Process): Promise<unknown> => one.runtime.close()]) {
      const { world, one } = await warned();
      expect(world.scheduler.pendingCount).toBe(1);
      await end(one);
      expect(world.scheduler.pendingCount).toBe(0);
    }
  });

  it('a question that is loaded has its deadline too; a timer that comes too early changes nothing', async () => {
    const { world, one, id } = await warned();
    one.kill();
    const two = await world.open(WARN);
    world.scheduler.advance(5000);
    expect(two.questions()).toEqual([id]);
    await pass(world, 1000);
    expect(two.questions()).toEqual([]);
  });

  it('an expiry that cannot be stored is tried again later', async () => {
    const { world, one } = await warned();
    one.storage.plan(1, CommitFault.failBefore);
    await pass(world, 1000);
    expect(one.questions()).toHaveLength(1);
    await pass(world, 30000);
    expect(one.questions()).toEqual([]);
    expect(one.storage.reasons.slice(-2)).toEqual(['approval_decision', 'approval_decision']);
  });

  it.each([[undefined, 10], [100, 100], [100, 0], [100, 1.5]])('a ttl of %s with a warning of %s is config_invalid', async (approvalTtlMs, approvalWarnBeforeMs) => {
    await expect(new World().open({ config: { approvalTtlMs, approvalWarnBeforeMs } })).rejects.toMatchObject({ code: 'config_invalid' });
  });
});
