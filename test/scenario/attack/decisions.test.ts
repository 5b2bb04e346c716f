import { describe, expect, it } from 'vitest';
import { GrantScope } from '@core/approval/ApprovalGrant';
import { BatchDenyMode } from '@core/approval/ApprovalModes';
import { PlanReviewDecision } from '@core/approval/PlanReview';
import { BaseAgentFeature, type FeatureSession } from '@core/control/AgentFeature';
import { AgentHook } from '@core/hook/AgentHook';
import { JsonObject } from '@core/json/JsonObject';
import type { StatePersistenceHookContext } from '@core/hook/context/StatePersistenceHookContext';
import { StatePersistenceHookResult } from '@core/hook/result/StatePersistenceHookResult';
import { ToolRiskLevel } from '@core/model/ToolDefinition';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import { StateSlice } from '@core/state/StateSlice';
import { PersistReason } from '@core/state/PersistReason';
import type { StateCommit } from '@core/state/StateCommit';
import { World } from '../../support/World';
import { batch, idle } from '../parallel/Bench';
import { Office, handIn } from '../plan/office';

/** Takes its time over decisions and then refuses them. */
class Refuser extends AgentHook {
  answer: () => void = () => undefined;

  override async beforePersistState(context: StatePersistenceHookContext): Promise<StatePersistenceHookResult> {
    if (context.reason !== PersistReason.approvalDecision) {
      return StatePersistenceHookResult.proceed();
    }
    await new Promise<void>((resolve) => { this.answer = resolve; });
    return StatePersistenceHookResult.abort('not now');
  }
}

/** Does something, once, at the moment at which it is asked about a write. */
class AtOnce extends AgentHook {
  constructor(private readonly reason: PersistReason, private readonly act: () => void) {
    super('at once');
  }

  armed = false;

  override beforePersistState(context: StatePersistenceHookContext): Promise<StatePersistenceHookResult> {
    if (this.armed && context.reason === this.reason) {
      this.armed = false;
      this.act();
    }
    return Promise.resolve(StatePersistenceHookResult.proceed());
  }
}

describe('a resume while the last decision is being stored', () => {
  it('APP-08 DEC-34 a hook refuses the yes: nothing runs, the question is open', async () => {
    const world = new World();
    const pay = world.dangerous('pay');
    const hook = new Refuser('refuser');
    const one = await world.open({ turns: [batch('pay')], config: { hooks: [hook] } });
    await one.say('go');
    const decision = one.controller.approve(one.questions()[0]);
    await idle();
    const resumed = one.resume();
    await idle();
    hook.answer();
    expect((await decision).error?.code).toBe('hook_abort');
    expect([await resumed, pay.count, one.questions().length]).toEqual(['awaiting_approval', 0, 1]);
  });

  it('APP-08 the disk refuses the yes: nothing runs, the question is open', async () => {
    const world = new World();
    const pay = world.dangerous('pay');
    const one = await world.open({ turns: [batch('pay')] });
    await one.say('go');
    const real = one.storage.commit.bind(one.storage);
    let answer: () => void = () => undefined;
    one.storage.commit = async (commit: StateCommit) => {
      if (commit.reason === PersistReason.approvalDecision) {
        await new Promise<void>((resolve) => { answer = resolve; });
        throw new Error('the disk is full');
      }
      return real(commit);
    };
    const decision = one.controller.approve(one.questions()[0]);
    await idle();
    const resumed = one.resume();
    await idle();
    answer();
    expect((await decision).error?.code).toBe('state_save_failed');
    expect([await resumed, pay.count, one.questions().length]).toEqual(['awaiting_approval', 0, 1]);
  });

  it('APP-08 a yes that is stored is carried out, by one of two resumes', async () => {
    const world = new World();
    const pay = world.dangerous('pay');
    const one = await world.open({ turns: [batch('pay')] });
    await one.say('go');
    const decision = one.controller.approve(one.questions()[0]);
    const ends = await Promise.all([one.resume(), one.resume()]);
    expect([(await decision).ok, ends.sort(), pay.count]).toEqual([true, ['complete', 'run_already_active'], 1]);
  });

  it('PLAN-02 a plan: the model is not asked before the yes is stored', async () => {
    const office = new Office();
    const hook = new Refuser('refuser');
    const { process } = await office.open({ turns: [handIn(), ScriptedTurn.call('b1', 'book', '{}')] }, { planFirst: true }, [hook]);
    expect(await process.say('go')).toBe('awaiting_plan_review');
    const decision = process.controller.decidePlanReview(PlanReviewDecision.approve());
    await idle();
    const resumed = process.resume();
    await idle();
    hook.answer();
    expect((await decision).ok).toBe(false);
    expect([await resumed, process.provider.calls, office.book.count]).toEqual(['awaiting_plan_review', 1, 0]);
  });
});

describe('a question with two owners', () => {
  it('APP-09 DEC-50 a late yes is too late, also when another owner wrote in between', async () => {
    const world = new World();
    const pay = world.dangerous('pay');
    const config = { batchDenyMode: BatchDenyMode.independent, approvalTtlMs: 1000 };
    const one = await world.open({ turns: [batch('pay', 'pay')], config });
    await one.say('go');
    const ids = one.questions();
    const two = await world.open({ config });
    expect((await two.controller.approve(ids[1])).ok).toBe(true);
    world.clock.advance(1000);
    expect((await one.controller.approve(ids[0])).error?.code).toBe('approval_expired');
    await one.resume();
    expect(pay.runs.map((run) => run.argumentsJson)).toEqual(['{"n":2}']);
  });

  it('APP-09 a no to all does not call refused what was approved', async () => {
    const world = new World();
    const pay = world.dangerous('pay');
    const one = await world.open({ turns: [batch('pay')] });
    await one.say('go');
    const { batchId } = one.batch();
    await one.controller.approve(one.questions()[0]);
    const late = await one.controller.denyAll(batchId, 'no');
    expect([late.ok, late.decision, late.allDecided]).toEqual([true, 'approved', true]);
    await one.resume();
    const closed = await one.controller.denyAll(batchId, 'no');
    expect([closed.error?.code, pay.count]).toEqual(['approval_batch_closed', 1]);
  });

  it('APP-09 a no to all of a batch that was refused is the same decision, whatever stands first in it', async () => {
    const world = new World();
    world.safe('look');
    world.dangerous('pay');
    const one = await world.open({ turns: [batch('look', 'pay')] });
    await one.say('go');
    const { batchId } = one.batch();
    await one.controller.denyAll(batchId, 'no');
    await one.resume();
    const again = await one.controller.denyAll(batchId, 'no');
    expect([again.ok, again.decision]).toEqual([true, 'denied']);
  });
});

describe('an edit of a call whose tool is another one now', () => {
  it('APP-14 DEC-39 is refused: the card still shows the old risk', async () => {
    const world = new World();
    const pay = world.sensitive('pay');
    const one = await world.open({ turns: [batch('pay')] });
    await one.say('go');
    world.tool('pay', ToolRiskLevel.dangerous);
    const two = await world.open();
    const edit = await two.controller.approveWithArguments(two.questions()[0], '{"n":5}');
    expect([edit.error?.code, edit.error?.details?.get('code')]).toEqual(['approval_edit_rejected', 'tool_changed']);
    expect([two.questions().length, pay.count]).toEqual([1, 0]);
  });
});

describe('a hook that decides at the very beginning of a write', () => {
  it('HOOK-12 its decision is stored after that write, and both stand', async () => {
    const world = new World();
    world.dangerous('pay');
    const commits: string[] = [];
    let decided: Promise<boolean> | undefined;
    const hook: AtOnce = new AtOnce(PersistReason.awaitingApproval, () => {
      const id = one.runtime.snapshot().pendingApproval?.items[0]?.approvalId ?? '';
      decided = one.controller.approve(id).then((answer) => answer.ok);
    });
    hook.armed = true;
    const one = await world.open({ turns: [batch('pay')], config: { hooks: [hook] } });
    world.onCommit = (commit) => commits.push(commit.reason);
    expect([await one.say('go'), await decided]).toEqual(['awaiting_approval', true]);
    expect(commits.slice(2)).toEqual([PersistReason.awaitingApproval, PersistReason.approvalDecision]);
  });

  it('HOOK-12 a revocation out of the start of an effect leaves the run alone', async () => {
    const world = new World();
    const pay = world.sensitive('pay');
    let revoked: Promise<boolean> | undefined;
    let grant = '';
    const hook: AtOnce = new AtOnce(PersistReason.toolEffect, () => {
      revoked = one.controller.revokeGrant(grant).then((answer) => answer.ok && answer.value);
    });
    const one = await world.open({ turns: [batch('pay'), ScriptedTurn.text('x'), batch('pay')], config: { hooks: [hook] } });
    await one.say('go');
    grant = (await one.controller.approveAndRemember(one.questions()[0], { scope: GrantScope.tool })).grantId ?? '';
    await one.resume();
    hook.armed = true;
    expect([await one.say('again'), await revoked, pay.count]).toEqual(['complete', true, 2]);
    expect(one.runtime.listGrants()).toEqual([]);
  });
});

/** Puts a slice of its own while a decision is being stored, which it then refuses. */
class Busy extends AgentHook {
  session: FeatureSession | undefined;
  private refuses = true;

  override async beforePersistState(context: StatePersistenceHookContext): Promise<StatePersistenceHookResult> {
    if (!this.refuses || context.reason !== PersistReason.approvalDecision) {
      return StatePersistenceHookResult.proceed();
    }
    this.refuses = false;
    this.session?.putSlice('notes', new StateSlice(1, new JsonObject().setNumber('n', 1)));
    return StatePersistenceHookResult.abort('not now');
  }
}

class Notes extends BaseAgentFeature {
  constructor(private readonly hook: Busy) {
    super('notes');
  }

  override install(session: FeatureSession): void {
    this.hook.session = session;
  }
}

describe('a decision that is not stored while a feature puts a slice', () => {
  it('APP-08 DEC-46 remembers no yes; what the feature put stays', async () => {
    const world = new World();
    const pay = world.sensitive('pay');
    const hook = new Busy('busy');
    const one = await world.open({ turns: [batch('pay'), ScriptedTurn.text('x'), batch('pay')], config: { hooks: [hook], features: [new Notes(hook)] } });
    await one.say('go');
    expect((await one.controller.approveAndRemember(one.questions()[0], { scope: GrantScope.tool })).ok).toBe(false);
    expect(one.runtime.listGrants()).toEqual([]);
    await one.controller.deny(one.questions()[0]);
    await one.resume();
    expect([await one.say('again'), pay.count]).toEqual(['awaiting_approval', 0]);
    expect((await world.stored()).slices.has('notes')).toBe(true);
  });

  it('APP-08 S10 remembers no refusal', async () => {
    const world = new World();
    const pay = world.sensitive('pay');
    const hook = new Busy('busy');
    const one = await world.open({ turns: [batch('pay'), batch('pay')], config: { hooks: [hook], features: [new Notes(hook)] } });
    await one.say('go');
    expect((await one.controller.deny(one.questions()[0])).ok).toBe(false);
    await one.controller.approve(one.questions()[0]);
    expect([await one.resume(), pay.count, one.questions().length]).toEqual(['awaiting_approval', 1, 1]);
  });
});
