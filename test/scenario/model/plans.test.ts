import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PlanReviewAction, PlanReviewDecision } from '@core/approval/PlanReview';
import type { JsonObject } from '@core/json/JsonObject';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import type { AgentState } from '@core/state/AgentState';
import { CommitFault } from '@core/testing/StoppingStateStorage';
import type { Process } from '../../support/Process';
import { handIn, Office, step } from '../plan/office';
import { fault } from './Reference';

const SEQUENCES = Number(process.env.ARKAGENT_SEQUENCES ?? 100);
const KINDS = ['say', 'say', 'resume', 'decide', 'decide', 'decide', 'again', 'kill', 'cut', 'cut', 'reopen', 'second', 'cancel', 'suspend'] as const;
const ACTIONS = [PlanReviewDecision.approve(), PlanReviewDecision.reject('no'), PlanReviewDecision.revise('shorter'), PlanReviewDecision.revise('longer')];
const KNOWN_ENDINGS = ['complete', 'awaiting_plan_review', 'cancelled', 'suspended', 'state_conflict', 'stopped', 'pending_plan_review_blocks_input', 'resume_required', 'resume_nothing_pending', 'run_already_active'];

interface Step { kind: (typeof KINDS)[number]; a: number; b: number }

const settle = (): Promise<void> => new Promise((resolve) => { setImmediate(resolve); });

/** A session whose model hands in plans until one is approved, with the book of what people said about each. */
class PlanBench {
  readonly office = new Office();
  /** What the disk says became of a plan: an action, or who closed it. */
  readonly standing = new Map<string, string>();
  readonly told = new Map<string, string>();
  readonly endings = new Set<string>();
  decided = 0;
  private decidedAt = -1;
  private main!: Process;
  private other: Process | undefined = undefined;
  private plans = 0;
  private last: AgentState | undefined = undefined;
  private wrong: string | undefined = undefined;

  constructor(private readonly attached: boolean) {
    this.office.world.onCommit = (commit) => {
      try {
        this.read(commit.next);
      } catch (e) {
        this.wrong = this.wrong ?? (e as Error).message;
      }
    };
  }

  async begin(): Promise<PlanBench> {
    this.main = await this.open();
    return this;
  }

  async take(one: Step): Promise<void> {
    if (one.kind === 'second') {
      this.other = await this.open();
    } else {
      await this.perform(one, one.b > 4 && this.other !== undefined ? this.other : this.main);
    }
    await settle();
    if (this.main.storage.stopped) this.main = await this.open();
    if (this.other?.storage.stopped === true) this.other = undefined;
    if (this.wrong !== undefined) fault(this.wrong);
  }

  private async perform(one: Step, on: Process): Promise<void> {
    switch (one.kind) {
      case 'say': {
        const asks = this.isFresh(on) && !on.runtime.running && this.last?.run?.stopReason === 'awaiting_plan_review';
        const ending = await on.say('go');
        if (asks && !['pending_plan_review_blocks_input', 'stopped'].includes(ending)) fault(`input while a plan was open or not carried out: ${ending}`);
        return this.note(ending);
      }
      case 'resume':
        return this.note(await on.resume());
      case 'decide':
        return this.decide(on, on.controller.getPendingPlanReview()?.reviewId, ACTIONS[one.a % ACTIONS.length]);
      case 'again': {
        const known = [...this.standing.keys()];
        return known.length === 0 ? undefined : this.decide(on, known[one.b % known.length], ACTIONS[one.a % ACTIONS.length]);
      }
      case 'cut':
        return on.storage.plan(1 + one.a % 5, one.b % 2 === 0 ? CommitFault.stopBefore : CommitFault.stopAfter);
      case 'cancel':
        return void await Promise.race([on.runtime.cancel('stop'), on.storage.whenStopped]);
      case 'suspend':
        return void await Promise.race([on.runtime.suspend('background'), on.storage.whenStopped]);
      case 'reopen':
        await Promise.race([on.runtime.close(), on.storage.whenStopped]);
        return on.kill();
      default:
        return on.kill();
    }
  }

  private async decide(on: Process, id: string | undefined, decision: PlanReviewDecision): Promise<void> {
    const isFresh = this.isFresh(on);
    const before = id === undefined ? undefined : this.standing.get(id);
    const waits = this.last?.pendingPlanReview?.reviewId === id && !on.runtime.running;
    const answer = await Promise.race([on.controller.decidePlanReview(decision, id), on.storage.whenStopped]);
    if (answer === undefined || id === undefined) return;
    const code = answer.ok ? answer.action : answer.error?.code;
    const stands = this.standing.get(id);
    if (answer.ok ? stands !== decision.action : code === 'plan_review_closed' ? stands === undefined : code !== 'plan_review_not_found' || isFresh) {
      fault(`${decision.action} of ${id} was answered with ${code}; it stands at ${stands}`);
    }
    if (isFresh && before === undefined && code !== decision.action) fault(`${id} waits, and ${decision.action} was answered with ${code}`);
    this.told.set(id, stands ?? '');
    await settle();
    if (this.attached && waits && isFresh && before === undefined && code === decision.action && !on.storage.stopped && this.last?.revision === this.decidedAt) {
      fault(`${id} is decided, an observer is attached, and nothing goes on`);
    }
  }

  private isFresh(on: Process): boolean {
    return on.runtime.snapshot().revision === (this.last?.revision ?? 0);
  }

  /** Receipts are written once, in the commit that takes the question away; a decision is one message of the person. */
  private read(next: AgentState): void {
    const asked = this.last?.pendingPlanReview;
    const receipts = next.slices.get('planReceipts')?.json.getArray('receipts') ?? [];
    for (const receipt of receipts.map((value) => value.asObject() as JsonObject)) {
      const id = receipt.getString('reviewId') ?? '';
      const now = receipt.getString('action') ?? `closed by ${receipt.getString('closedBy')}`;
      const known = this.standing.get(id);
      if (known !== undefined && known !== now) fault(`${id} was ${known} and became ${now}`);
      if (known === undefined && asked?.reviewId !== id) fault(`${id} is decided and was not asked about`);
      if (known === undefined && receipt.getString('action') !== undefined) {
        this.decided++;
        this.decidedAt = next.revision;
        if (next.history.length !== (this.last?.history.length ?? 0) + 1) fault(`${id} was decided with ${next.history.length - (this.last?.history.length ?? 0)} messages`);
      }
      this.standing.set(id, now);
    }
    if (asked !== undefined && next.pendingPlanReview?.reviewId !== asked.reviewId && !this.standing.has(asked.reviewId)) fault(`${asked.reviewId} went away without an answer`);
    if (next.run?.status === 'finished' && next.pendingPlanReview !== undefined) fault('a finished run asks about a plan');
    this.last = next;
  }

  private async open(): Promise<Process> {
    const { process } = await this.office.open({
      responder: (request) => {
        const sees = request.tools.some((tool) => tool.name === 'book');
        const newest = [...this.standing.entries()].at(-1);
        if (sees && (newest?.[1] !== PlanReviewAction.approve || this.last?.pendingPlanReview !== undefined)) this.wrong = `the model may act, the newest plan is ${newest?.[1]}`;
        return sees ? ScriptedTurn.text('done') : handIn(`p${++this.plans}`, [step(`plan ${this.plans}`)]);
      },
    });
    if (this.attached) process.runtime.attach(process.log.observer());
    return process;
  }

  private note(ending: string): void {
    this.endings.add(ending);
    if (!KNOWN_ENDINGS.includes(ending)) fault(`an ending that nobody expects: ${ending}`);
  }
}

const sequence = fc.array(fc.record<Step>({ kind: fc.constantFrom(...KINDS), a: fc.nat(7), b: fc.nat(7) }), { minLength: 8, maxLength: 40 });

describe('PLAN-03 any sequence of operations about plans', () => {
  it(`PLAN-02 PLAN-03 S3 over ${SEQUENCES} sequences each plan gets one answer, everybody hears the same, and only an approved one lets the model act`, async () => {
    const endings = new Set<string>();
    let decided = 0;
    await fc.assert(fc.asyncProperty(fc.boolean(), sequence, async (attached, steps) => {
      const bench = await new PlanBench(attached).begin();
      for (const one of [{ kind: 'say', a: 0, b: 0 } as Step, ...steps]) await bench.take(one);
      bench.endings.forEach((ending) => endings.add(ending));
      decided += bench.decided;
    }), { numRuns: SEQUENCES });
    expect(decided).toBeGreaterThan(SEQUENCES);
    expect([...endings]).toEqual(expect.arrayContaining(['complete', 'awaiting_plan_review', 'state_conflict', 'stopped', 'pending_plan_review_blocks_input', 'resume_nothing_pending']));
  }, 120_000 + SEQUENCES * 100);
});
