import { describe, expect, it } from 'vitest';
import { PlanReviewDecision } from '@core/approval/PlanReview';
import type { AuditRecord, AuditSink } from '@core/port/AuditSink';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import { AgentEventType } from '@core/runtime/report/AgentEvent';
import type { Process } from '../../support/Process';
import { World } from '../../support/World';
import { settle } from '../../scenario/run/harness';

const asking = (): ScriptedTurn => ScriptedTurn.call('c1', 'pay', '{}');

async function waiting(config: object = {}): Promise<{ world: World; one: Process }> {
  const world = new World();
  world.dangerous('pay');
  const one = await world.open({ turns: [asking()], config });
  await one.say('go');
  return { world, one };
}

describe('a session that is closed', () => {
  it('refuses every decision, cancel and revocation as runtime_closed, in the name of what was asked', async () => {
    const { world, one } = await waiting();
    const [id] = one.questions();
    const before = await world.storedText();
    await one.runtime.close();
    const approved = await one.runtime.applyApprovalDecision({ approvalId: id, approve: true });
    const denied = await one.runtime.denyAll('batch');
    const planned = await one.runtime.applyPlanReviewDecision(PlanReviewDecision.approve(), 'review');
    const nameless = await one.runtime.applyPlanReviewDecision(PlanReviewDecision.approve());
    const revoked = await one.runtime.revokeGrant('g');
    const cancelled = await one.runtime.cancel();
    expect([approved.error?.code, denied.error?.code, planned.error?.code, nameless.error?.code, revoked.error.code, cancelled.error.code]).toEqual(Array(6).fill('runtime_closed'));
    expect([approved.ok, approved.approvalId, denied.approvalId, planned.ok, planned.reviewId, nameless.reviewId]).toEqual([false, id, 'batch', false, 'review', '']);
    expect(await world.storedText()).toBe(before);
  });

  it('refuses input, also none, and a resume, and tells the observer', async () => {
    const { one } = await waiting();
    await one.runtime.close();
    expect([await one.say('more'), await one.resume(), one.observer.errors.map((error) => error.code)]).toEqual(['runtime_closed', 'runtime_closed', ['runtime_closed']]);
    const nothing = await one.runtime.runStream([], one.log.observer());
    expect(nothing.error.code).toBe('runtime_closed');
  });

  it('closes once, however often it is asked', async () => {
    const { one } = await waiting();
    expect(one.runtime.close()).toBe(one.runtime.close());
  });

  it('has its records written as the last ones of the session, and waits for that no longer than the grace of a cancel', async () => {
    const flushes: boolean[] = [];
    const sink: AuditSink = { record: (_entry: AuditRecord): void => undefined, flush: async (ending) => { flushes.push(ending); } };
    const quick = await waiting({ auditSink: sink });
    await settle();
    const before = flushes.length;
    await quick.one.runtime.close();
    expect([flushes.length > before, flushes.at(-1), quick.world.scheduler.pendingCount]).toEqual([true, true, 0]);

    const silent = await waiting({ auditSink: { record: (): void => undefined, flush: () => new Promise<void>(() => undefined) }, limits: { cancelGraceMs: 700 } });
    let closed = false;
    void silent.one.runtime.close().then(() => { closed = true; });
    await settle();
    silent.world.scheduler.advance(699);
    await settle();
    expect(closed).toBe(false);
    silent.world.scheduler.advance(1);
    await settle();
    expect(closed).toBe(true);
  });
});

describe('a session', () => {
  it('knows whether it was on the disk before', async () => {
    const { world, one } = await waiting();
    const two = await world.open();
    expect([one.runtime.restored, two.runtime.restored, two.runtime.sessionId]).toEqual([false, true, 's']);
  });

  it('an empty list of messages resumes what is open, and is input_empty where nothing is', async () => {
    const world = new World();
    world.dangerous('pay');
    const one = await world.open({ turns: [asking()] });
    expect(await one.ended(one.runtime.runStream([], one.log.observer()))).toBe('input_empty');
    await one.say('go');
    expect(await one.ended(one.runtime.runStream([], one.log.observer()))).toBe('awaiting_approval');
    await one.approveAll();
    expect(await one.ended(one.runtime.runStream([], one.log.observer()))).toBe('complete');
  });

  it('cancels for no reason unless one is given', async () => {
    const reasons = async (...given: string[]): Promise<string[]> => {
      const world = new World();
      const one = await world.open({ turns: [ScriptedTurn.text('a long answer')] });
      one.runtime.attach(one.observer);
      let asked: Promise<unknown> | undefined;
      one.controller.subscribe('llm.before', () => { asked ??= one.runtime.cancel(...given); });
      await one.say('go');
      await asked;
      return one.log.runEvents.filter((event) => event.type === AgentEventType.cancelRequested).map((event) => event.text);
    };
    expect([await reasons(), await reasons('enough')]).toEqual([[''], ['enough']]);
  });

  it('a run that waits is cancelled once', async () => {
    const { one } = await waiting();
    expect([(await one.runtime.cancel()).value, (await one.runtime.cancel()).value, one.questions()]).toEqual([true, false, []]);
  });
});

describe('an observer that is attached', () => {
  it('DEC-18 gets the run that the last decision continues; one that was detached gets nothing', async () => {
    const { one } = await waiting();
    const observer = one.log.observer();
    const detach = one.runtime.attach(observer);
    detach();
    await one.approveAll();
    await settle();
    expect([observer.events.length, one.runtime.running, one.questions()]).toEqual([0, false, []]);
    expect(await one.resume()).toBe('complete');
  });

  it('is not let go by the one before it', async () => {
    const { one } = await waiting();
    const detachFirst = one.runtime.attach(one.log.observer());
    const second = one.log.observer();
    one.runtime.attach(second);
    detachFirst();
    await one.approveAll();
    await settle();
    expect(second.completions).toBe(1);
  });

  it('DEC-50 gets the run that the clock decides', async () => {
    const { world, one } = await waiting({ approvalTtlMs: 1000 });
    const observer = one.log.observer();
    one.runtime.attach(observer);
    world.clock.advance(1000);
    world.scheduler.advance(1000);
    await settle();
    expect([observer.completions, one.questions()]).toEqual([1, []]);
  });
});
