import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AgentHook } from '@core/hook/AgentHook';
import type { ToolResultHookContext } from '@core/hook/context/ToolResultHookContext';
import { ToolResultHookResult } from '@core/hook/result/ToolResultHookResult';
import { AgentMessage } from '@core/message/AgentMessage';
import { ToolResult } from '@core/tool/ToolResult';
import { World } from '../../support/World';
import { AllowAll, Gate, batch, idle } from './Bench';

const TOOLS = ['look', 'pay', 'edit', 'ghost'] as const;
const OUTCOMES = ['ok', 'error', 'throw', 'stop'] as const;

interface Plan {
  calls: Array<{ tool: (typeof TOOLS)[number]; outcome: (typeof OUTCOMES)[number]; twin: boolean }>;
  /** Which of the running calls ends next. */
  picks: number[];
  hooks: boolean;
  /** Position whose hook aborts; none when there is no such call. */
  abortAt: number;
}

/** Numbers the results it sees, so that another order would show. */
class Counting extends AgentHook {
  private count = 0;

  constructor(private readonly abortAt: number) {
    super('counting');
  }

  override async afterToolCall(context: ToolResultHookContext): Promise<ToolResultHookResult> {
    this.count++;
    if (this.count === this.abortAt) {
      return ToolResultHookResult.abort('enough');
    }
    return ToolResultHookResult.proceed(new ToolResult(ToolResult.text(`${this.count}: ${context.result.text()}`).contents, context.result.isError, context.result.stopFlag),
      [AgentMessage.user(`note ${this.count}`)]);
  }
}

interface Seen {
  ending: string;
  history: string[];
  runs: string[];
}

async function play(plan: Plan, maxParallelCalls: number): Promise<Seen> {
  const world = new World();
  const look = world.safe('look', { concurrencySafe: true });
  const pay = world.sensitive('pay', { concurrencySafe: true });
  const edit = world.sensitive('edit');
  const gate = new Gate(look, pay, edit);
  const turn = plan.calls.reduce((made, call, at) => made.call(`c${at}`, call.tool, `{"n":${at + 1}${call.twin ? '' : `,"own":${at}`}}`), batch());
  const process = await world.open({
    turns: [turn], config: { approvalPolicy: new AllowAll(), limits: { maxParallelCalls }, hooks: plan.hooks ? [new Counting(plan.abortAt)] : [] },
  });
  let ending: string | undefined;
  void process.say('go').then((how) => { ending = how; });
  for (let step = 0; step < 60 && ending === undefined; step++) {
    await idle();
    if (gate.running.length > 0) {
      const n = gate.running[(plan.picks[step % plan.picks.length] ?? 0) % gate.running.length];
      await finish(gate, n, plan.calls[n - 1].outcome);
    }
  }
  await idle();
  if (ending !== undefined && world.scheduler.pendingCount > 0) {
    throw new Error('a timer is left');
  }
  return {
    ending: ending ?? 'never', history: process.history(),
    runs: [look, pay, edit].flatMap((tool) => tool.runs.map((run) => `${run.callId} ${run.idempotencyKey} ${run.argumentsJson}`)).sort(),
  };
}

async function finish(gate: Gate, n: number, outcome: (typeof OUTCOMES)[number]): Promise<void> {
  const text = ToolResult.text(`answer ${n}`);
  if (outcome === 'throw') {
    await gate.fail(n, new Error(`broken ${n}`));
  } else {
    await gate.end(n, new ToolResult(text.contents, outcome === 'error', outcome === 'stop'));
  }
}

const plans = fc.record({
  calls: fc.array(fc.record({ tool: fc.constantFrom(...TOOLS, 'look', 'pay', 'look', 'pay'), outcome: fc.constantFrom(...OUTCOMES), twin: fc.boolean() }), { minLength: 1, maxLength: 7 }),
  picks: fc.array(fc.nat(6), { minLength: 1, maxLength: 12 }), hooks: fc.boolean(), abortAt: fc.constant(0),
}) as fc.Arbitrary<Plan>;

describe('beside each other or one after another', () => {
  it('whatever ends first: the same ending, the same conversation, the same effects', async () => {
    await fc.assert(fc.asyncProperty(plans, fc.integer({ min: 2, max: 5 }), async (plan, limit) => {
      expect(await play(plan, limit)).toEqual(await play(plan, 1));
    }), { numRuns: 60, seed: 20260 });
  });

  it('a hook that aborts: the same ending, and the calls before it have the same results', async () => {
    await fc.assert(fc.asyncProperty(plans, fc.integer({ min: 1, max: 5 }), fc.integer({ min: 2, max: 4 }), async (plan, abortAt, limit) => {
      const aborting = { ...plan, hooks: true, abortAt };
      const one = await play(aborting, 1);
      const many = await play(aborting, limit);
      expect(many.ending).toBe(one.ending);
      expect(many.history).toEqual(one.history);
      expect(many.runs).toEqual(expect.arrayContaining(one.runs));
    }), { numRuns: 40, seed: 20261 });
  });
});
