import { describe, expect, it } from 'vitest';
import { PlanReviewDecision } from '@core/approval/PlanReview';
import { ControllerEventTypes } from '@core/control/ControllerEventTypes';
import { AgentHook } from '@core/hook/AgentHook';
import type { StatePersistenceHookContext } from '@core/hook/context/StatePersistenceHookContext';
import { StatePersistenceHookResult } from '@core/hook/result/StatePersistenceHookResult';
import { PlanPhase } from '@core/plan/Plan';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import { CommitFault } from '@core/testing/StoppingStateStorage';
import { ToolResult } from '@core/tool/ToolResult';
import { ALL, HARMLESS, Office, PLAN, handIn, seen, step, todos } from './office';
import type { Planned } from './office';

const FAULTS = [CommitFault.stopBefore, CommitFault.stopAfter];

/** Everything that is stored while a plan is made, handed in, approved and carried out. */
const COMMITS = ['after_user_input', 'after_model_text', 'after_tool_batch', 'awaiting_approval', 'approval_decision', 'resume_claim', 'after_model_text', 'awaiting_approval'];

class SkipsAll extends AgentHook {
  override async beforePersistState(_context: StatePersistenceHookContext): Promise<StatePersistenceHookResult> {
    return StatePersistenceHookResult.skip();
  }
}

/** What the model says, by what it has been told so far: a process that begins anew goes on where the conversation stands. */
function answer(told: string): ScriptedTurn {
  if (!told.includes('waits for the person')) return handIn();
  return told.includes('The plan is approved') && !told.includes('tool_denied') ? ScriptedTurn.call('c1', 'pay', '{}') : ScriptedTurn.text('over');
}

function open(office: Office, hooks: AgentHook[] = []): Promise<Planned> {
  return office.open({ responder: (request) => answer(request.messages.toArray().map((message) => message.text()).join('\n')) }, { planFirst: true }, hooks);
}

/** As a person would: approves the plan that is shown, resumes what waits, until a call asks. */
async function untilAsked(office: Office, approved: { plans: number }): Promise<Planned> {
  const planned = await open(office);
  for (let turn = 0; turn < 8 && planned.process.questions().length === 0; turn++) {
    if (planned.process.controller.getPendingPlanReview() !== undefined) {
      approved.plans += (await planned.process.controller.decidePlanReview(PlanReviewDecision.approve())).ok ? 1 : 0;
    } else if ((await planned.process.resume()) === 'resume_nothing_pending') {
      await planned.process.say('go');
    }
  }
  return planned;
}

describe('a plan review and the death of the process', () => {
  it('has the commits that the cuts are made at', async () => {
    const office = new Office();
    const { process } = await open(office);
    await process.say('go');
    await process.controller.decidePlanReview(PlanReviewDecision.approve());
    expect(await process.resume()).toBe('awaiting_approval');
    expect(process.storage.reasons).toEqual(COMMITS);
  });

  const cuts = COMMITS.flatMap((reason, at) => FAULTS.map((fault) => [at + 1, reason, fault] as const));

  it.each(cuts)('PLAN-03 a cut at commit %i (%s, %s) loses no plan, approves none, and asks about every dangerous call', async (at, _reason, fault) => {
    const office = new Office();
    const one = await open(office);
    one.process.storage.plan(at, fault);
    const approved = { plans: 0 };
    if ((await one.process.say('go')) !== 'stopped') {
      const decided = await Promise.race([one.process.controller.decidePlanReview(PlanReviewDecision.approve()), one.process.storage.whenStopped]);
      approved.plans += decided !== undefined && decided.ok ? 1 : 0;
      if (decided !== undefined) expect(await one.process.resume()).toBe('stopped');
    }
    const two = await open(office);
    const wasApproved = two.feature.current().phase === PlanPhase.approved;
    expect(wasApproved).toBe(at > 5 || (at === 5 && fault === CommitFault.stopAfter));
    two.process.kill();
    const three = await untilAsked(office, approved);
    expect([three.process.questions().length, office.pay.count]).toEqual([1, 0]);
    expect(approved.plans).toBe(at === 5 && fault === CommitFault.stopAfter ? 0 : 1);
    expect(three.feature.current().todos.map((todo) => todo.content)).toEqual(['look', 'book the room']);
    await three.process.approveAll();
    await three.process.resume();
    expect(office.pay.count).toBe(1);
  });

  it('PLAN-03 a kill and reload while the plan waits: the same plan, input blocked, each decision works', async () => {
    for (const decision of [PlanReviewDecision.approve(), PlanReviewDecision.reject('no'), PlanReviewDecision.revise('only look')]) {
      const office = new Office();
      const one = await office.open({ turns: [handIn()] });
      await one.process.say('go');
      one.process.kill();
      const two = await office.open();
      expect(two.process.controller.getPendingPlanReview()?.reviewId).toBe((await office.world.stored()).pendingPlanReview?.reviewId);
      expect(await two.process.say('hello')).toBe('pending_plan_review_blocks_input');
      expect((await two.process.controller.decidePlanReview(decision)).ok).toBe(true);
      two.process.kill();
      const three = await office.open();
      expect(await three.process.say('hello')).toBe('pending_plan_review_blocks_input');
      expect(await three.process.resume()).toBe('complete');
      expect(seen(three.process)).toEqual(decision.action === 'approve' ? ALL : HARMLESS);
    }
  });

  it('a hook that skips what it may cannot lose a review', async () => {
    const office = new Office();
    const one = await open(office, [new SkipsAll('skips')]);
    expect(await one.process.say('go')).toBe('awaiting_plan_review');
    one.process.kill();
    const approved = { plans: 0 };
    const two = await untilAsked(office, approved);
    expect([two.process.questions().length, approved.plans]).toEqual([1, 1]);
  });

  it('a pause between the result of write_todos and the end of its turn keeps the wish, also over a kill', async () => {
    for (const killed of [false, true]) {
      const office = new Office();
      const one = await office.open({ turns: [new ScriptedTurn().call('p1', 'write_todos', todos(PLAN, true)).call('c1', 'look', '{}')] });
      office.look.work = async () => {
        office.look.work = undefined;
        void one.process.runtime.suspend('the app leaves');
        return ToolResult.text('seen');
      };
      expect(await one.process.say('go')).toBe('suspended');
      expect(one.process.history().filter((line) => line.startsWith('tool'))).toEqual([]);
      if (killed) one.process.kill();
      const two = killed ? await office.open() : one;
      expect(await two.process.resume()).toBe('awaiting_plan_review');
      expect(two.process.controller.getPendingPlanReview()?.plan.getArray('todos')).toHaveLength(2);
      expect((await two.process.controller.decidePlanReview(PlanReviewDecision.approve())).ok).toBe(true);
    }
  });

  it('a sibling that asks goes first: the plan is handed in when it ran, and asked about then', async () => {
    const office = new Office();
    const one = await office.open({ turns: [new ScriptedTurn().call('p1', 'write_todos', todos(PLAN, true)).call('c1', 'peek', '{}')] });
    expect(await one.process.say('go')).toBe('awaiting_approval');
    one.process.kill();
    const two = await office.open();
    await two.process.approveAll();
    expect(await two.process.resume()).toBe('awaiting_plan_review');
    expect([office.peek.count, two.feature.current().phase]).toEqual([1, PlanPhase.review]);
  });

  it('a wish dies with its run: after a cancel the next run is not asked about the old plan', async () => {
    const office = new Office();
    const one = await office.open({ turns: [new ScriptedTurn().call('p1', 'write_todos', todos(PLAN, true)).call('c1', 'look', '{}'), ScriptedTurn.call('c2', 'look', '{}'), handIn('p2', [step('another')])] });
    office.look.work = async () => {
      office.look.work = undefined;
      void one.process.runtime.cancel('stop');
      return ToolResult.text('seen');
    };
    expect(await one.process.say('go')).toBe('cancelled');
    expect(await one.process.say('something else')).toBe('awaiting_plan_review');
    expect(one.process.provider.calls).toBe(3);
    expect(one.process.controller.getPendingPlanReview()?.plan.getArray('todos')).toHaveLength(1);
  });

  it('a cancel while the plan waits ends the run; the plan is not approved and a late decision hears why', async () => {
    const office = new Office();
    const { process } = await office.open({ turns: [handIn(), ScriptedTurn.call('c1', 'book', '{}')] });
    await process.say('go');
    const id = process.controller.getPendingPlanReview()?.reviewId;
    expect((await process.runtime.cancel('no')).value).toBe(true);
    const late = await process.controller.decidePlanReview(PlanReviewDecision.approve(), id);
    expect([late.error?.code, late.error?.details?.get('closedBy')]).toEqual(['plan_review_closed', 'cancel']);
    expect(await process.say('book')).toBe('complete');
    expect([seen(process), office.book.count]).toEqual([HARMLESS, 0]);
  });

  it('S3 of two deciders exactly one wins, and what the model may do follows the winner', async () => {
    for (const approves of [true, false]) {
      const office = new Office();
      const first = await office.open({ turns: [handIn()] });
      await first.process.say('go');
      const a = await office.open();
      const b = await office.open({ turns: [ScriptedTurn.call('c1', 'book', '{}')] });
      const yes = PlanReviewDecision.approve();
      const no = PlanReviewDecision.reject('no');
      expect((await a.process.controller.decidePlanReview(approves ? yes : no)).ok).toBe(true);
      const lost = await b.process.controller.decidePlanReview(approves ? no : yes);
      expect([lost.ok, lost.error?.code, lost.error?.details?.get('standing')]).toEqual([false, 'plan_review_closed', approves ? 'approve' : 'reject']);
      expect(b.feature.current().phase).toBe(approves ? PlanPhase.approved : PlanPhase.draft);
      const written = await office.world.storedText();
      for (const owner of [a, b]) {
        const same = await owner.process.controller.decidePlanReview(approves ? yes : no, lost.reviewId);
        expect([same.ok, same.action, same.reviewId]).toEqual([true, approves ? 'approve' : 'reject', lost.reviewId]);
        expect((await owner.process.controller.decidePlanReview(approves ? no : yes)).error?.code, 'without a name: the one that was shown last').toBe('plan_review_closed');
      }
      expect(await office.world.storedText(), 'a repetition writes nothing').toBe(written);
      await b.process.resume();
      expect(b.process.provider.requests()[0].tools.map((tool) => tool.name)).toEqual(approves ? ALL : HARMLESS);
      expect(b.process.history().filter((line) => line.startsWith('user: The plan is'))).toHaveLength(1);
    }
  });

  it('S3 a decision about a plan that was replaced meanwhile hears that it is decided, and changes nothing', async () => {
    const office = new Office();
    const { process, feature } = await office.open({ turns: [handIn(), handIn('p2', [step('sell everything')])] });
    await process.say('go');
    const old = process.controller.getPendingPlanReview()?.reviewId;
    await process.controller.decidePlanReview(PlanReviewDecision.revise('think again'));
    await process.resume();
    const answers = [PlanReviewDecision.approve(), PlanReviewDecision.revise('other words'), PlanReviewDecision.revise(' think again ')];
    const codes: string[] = [];
    for (const answer of answers) codes.push((await process.controller.decidePlanReview(answer, old)).error?.code ?? 'ok');
    expect(codes).toEqual(['plan_review_closed', 'plan_review_closed', 'ok']);
    expect((await process.controller.decidePlanReview(PlanReviewDecision.approve(), 'never')).error?.code).toBe('plan_review_not_found');
    expect(feature.current().phase).toBe(PlanPhase.review);
  });

  it('S3 two processes say the same at the same time: both hear it, and it is done once', async () => {
    const office = new Office();
    const first = await office.open({ turns: [handIn()] });
    await first.process.say('go');
    const second = await office.open();
    const both = await Promise.all([first, second].map((owner) => owner.process.controller.decidePlanReview(PlanReviewDecision.approve())));
    expect(both.map((answer) => [answer.ok, answer.action])).toEqual([[true, 'approve'], [true, 'approve']]);
    expect((await office.world.stored()).history.toArray().filter((message) => message.text().startsWith('The plan is approved'))).toHaveLength(1);
  });

  it('S3 the answer about a plan is known to later processes, for the last 32 plans', async () => {
    const office = new Office();
    const ids: string[] = [];
    let { process } = await office.open({ turns: Array.from({ length: 34 }, (_, at) => handIn(`p${at}`, [step(`plan ${at}`)])) });
    await process.say('go');
    for (let at = 0; at < 33; at++) {
      ids.push(process.controller.getPendingPlanReview()?.reviewId ?? '');
      await process.controller.decidePlanReview(PlanReviewDecision.reject('no'));
      await process.resume();
    }
    process.kill();
    process = (await office.open()).process;
    const codes: string[] = [];
    for (const id of [ids[0], ids[1], ids[32]]) codes.push((await process.controller.decidePlanReview(PlanReviewDecision.approve(), id)).error?.code ?? 'ok');
    expect(codes).toEqual(['plan_review_not_found', 'plan_review_closed', 'plan_review_closed']);
    expect((await process.controller.decidePlanReview(PlanReviewDecision.reject('another reason'), ids[32])).ok).toBe(true);
  });

  it.each([['stop_before'], ['stop_after']] as const)('PLAN-03 a process that died before it waited (%s): the decision continues the run where an observer is attached', async (fault) => {
    const office = new Office();
    const one = await office.open({ turns: [handIn()] });
    one.process.storage.plan(fault === 'stop_before' ? 4 : 3, fault === 'stop_before' ? CommitFault.stopBefore : CommitFault.stopAfter);
    expect(await one.process.say('go')).toBe('stopped');
    const two = await office.open();
    expect((await office.world.stored()).run?.status).toBe('running');
    const observer = two.process.log.observer();
    const ended = new Promise<void>((resolve) => {
      two.process.controller.subscribe(ControllerEventTypes.agentSuccess, () => resolve());
    });
    two.process.runtime.attach(observer);
    expect((await two.process.controller.decidePlanReview(PlanReviewDecision.approve())).ok).toBe(true);
    await ended;
    await two.process.runtime.close();
    expect([observer.completions, two.process.provider.calls]).toEqual([1, 1]);
    expect(seen(two.process)).toEqual(ALL);
  });

  it('PLAN-03 a process that died before it waited, and one that dies after the decision: input waits for the resume', async () => {
    const office = new Office();
    const one = await office.open({ turns: [handIn()] });
    one.process.storage.plan(3, CommitFault.stopAfter);
    await one.process.say('go');
    const two = await office.open();
    await two.process.controller.decidePlanReview(PlanReviewDecision.approve());
    two.process.kill();
    const three = await office.open();
    expect(await three.process.say('hello')).toBe('pending_plan_review_blocks_input');
    expect(await three.process.resume()).toBe('complete');
    expect(seen(three.process)).toEqual(ALL);
  });

  it('a decision that cannot be stored changes nothing', async () => {
    const office = new Office();
    const { process, feature } = await office.open({ turns: [handIn()] });
    await process.say('go');
    process.storage.plan(1, CommitFault.failBefore);
    expect((await process.controller.decidePlanReview(PlanReviewDecision.approve())).error?.code).toBe('state_save_failed');
    expect([feature.current().phase, process.history().length]).toEqual([PlanPhase.review, 3]);
    expect((await process.controller.decidePlanReview(PlanReviewDecision.approve())).ok).toBe(true);
    expect(feature.current().phase).toBe(PlanPhase.approved);
  });
});
