import { describe, expect, it } from 'vitest';
import { ApprovalPolicyResult, type ToolApprovalPolicy } from '@core/approval/ApprovalPolicy';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import { CallStatus } from '@core/state/OpenCall';
import { CommitFault } from '@core/testing/StoppingStateStorage';
import type { RecordingTool } from '@core/testing/RecordingTool';
import { ProbeOutcome, type EffectProbe, type ToolContract } from '@core/tool/ToolContract';
import { ToolResult } from '@core/tool/ToolResult';
import type { Process } from '../../support/Process';
import { World } from '../../support/World';

const BATCH = (): ScriptedTurn => new ScriptedTurn().call('c1', 'pay', '{"n":1}').call('c2', 'read', '{}').call('c3', 'pay', '{"n":3}');

interface Bank {
  world: World;
  pay: RecordingTool;
  read: RecordingTool;
}

function bank(contract?: ToolContract): Bank {
  const world = new World();
  const pay = world.dangerous('pay', contract);
  pay.work = async (args) => ToolResult.text(`paid ${args.getNumber('n')}`);
  return { world, pay, read: world.safe('read') };
}

/** Runs of the effect per call of the batch. */
function perCall(pay: RecordingTool): number[] {
  return ['{"n":1}', '{"n":3}'].map((json) => pay.runs.filter((run) => run.argumentsJson === json).length);
}

/** Takes the session to its end as a person would: answers questions with yes, resumes what waits. */
async function settle(world: World): Promise<Process> {
  const process = await world.open();
  for (let step = 0; step < 10 && process.runtime.snapshot().run?.status !== 'finished'; step++) {
    await process.approveAll();
    await process.resume();
  }
  return process;
}

/** The commits of the whole flow after the freeze, as this test expects them. */
const COMMITS = ['approval_decision', 'approval_decision', 'resume_claim', 'tool_effect', 'tool_effect', 'tool_effect', 'tool_effect',
  'after_tool_batch', 'after_model_text', 'terminal'];

/** After the cut: what the model is told of calls 1 and 3, and how often each effect happened. */
const CUTS: readonly [number, CommitFault, string, string, number[]][] = [
  [4, CommitFault.stopBefore, 'paid 1', 'paid 3', [1, 1]],
  [4, CommitFault.stopAfter, 'unknown', 'paid 3', [0, 1]],
  [5, CommitFault.stopBefore, 'unknown', 'paid 3', [1, 1]],
  [5, CommitFault.stopAfter, 'paid 1', 'paid 3', [1, 1]],
  [6, CommitFault.stopBefore, 'paid 1', 'paid 3', [1, 1]],
  [6, CommitFault.stopAfter, 'paid 1', 'unknown', [1, 0]],
  [7, CommitFault.stopBefore, 'paid 1', 'unknown', [1, 1]],
  [7, CommitFault.stopAfter, 'paid 1', 'paid 3', [1, 1]],
];

function told(process: Process, callId: string): string {
  const line = process.history().find((text) => text.startsWith(`tool ${callId} `) || text.startsWith(`tool ${callId}:`)) ?? '';
  return line.includes('tool_outcome_unknown') ? 'unknown' : line.split(': ').slice(1).join(': ');
}

describe('S2 a kill at every boundary of the approval flow', () => {
  it('S2 the flow has the commits that the cuts below are made at', async () => {
    const { world } = bank();
    const one = await world.open({ turns: [BATCH()] });
    await one.say('go');
    await one.approveAll();
    await one.resume();
    expect(one.storage.reasons.slice(3)).toEqual(COMMITS);
  });

  it.each(CUTS)('S2 APP-11 cut at commit %i (%s): call 1 is %s, call 3 is %s', async (at, fault, first, third, runs) => {
    const { world, pay } = bank();
    const one = await world.open({ turns: [BATCH()] });
    await one.say('go');
    one.storage.plan(at, fault);
    await one.approveAll();
    expect(await one.resume()).toBe('stopped');
    const two = await settle(world);
    expect(perCall(pay)).toEqual(runs);
    expect([told(two, 'c1'), told(two, 'c2'), told(two, 'c3')]).toEqual([first, 'done', third]);
    expect(two.history()).toHaveLength(6);
  });

  const everywhere = COMMITS.flatMap((_reason, at) => [CommitFault.stopBefore, CommitFault.stopAfter].map((fault) => [at + 1, fault] as const));

  it.each(everywhere)('S2 cut at commit %i of the decided flow (%s): nothing happens twice, no decision is lost', async (at, fault) => {
    const { world, pay } = bank();
    const one = await world.open({ turns: [BATCH()] });
    await one.say('go');
    one.storage.plan(at, fault);
    const decided: string[] = [];
    void (async () => {
      for (const id of one.questions()) {
        const answer = await one.controller.approve(id);
        if (answer.ok) decided.push(id);
      }
      await one.resume();
    })();
    await one.storage.whenStopped;
    const stored = await world.stored();
    for (const id of decided) {
      const gone = stored.pendingApproval === undefined ? stored.receipts.some((receipt) => receipt.find(id)?.decision === 'approved') : false;
      expect(gone || stored.pendingApproval?.find(id)?.decision === 'approved', 'a reported decision is on the disk').toBe(true);
    }
    const two = await settle(world);
    expect(Math.max(...perCall(pay))).toBeLessThanOrEqual(1);
    for (const [at3, id] of [[0, 'c1'], [1, 'c3']] as const) {
      expect(told(two, id) === 'unknown' || perCall(pay)[at3] === 1).toBe(true);
    }
    expect(two.history().filter((line) => line.startsWith('tool '))).toHaveLength(3);
  });

  it.each([0, 1, 2].flatMap((at) => [CommitFault.stopBefore, CommitFault.stopAfter].map((fault) => [at + 1, fault] as const)))(
    'S2 cut at commit %i before the question (%s): the effect waits for a person all the same', async (at, fault) => {
      const { world, pay } = bank();
      const one = await world.open({ turns: [BATCH()] });
      one.storage.plan(at, fault);
      expect(await one.say('go')).toBe('stopped');
      expect(perCall(pay)).toEqual([0, 0]);
      const two = await world.open({ turns: at < 2 || (at === 2 && fault === CommitFault.stopBefore) ? [BATCH()] : [] });
      if (two.runtime.snapshot().run === undefined) {
        await two.say('go');
      } else if (two.questions().length === 0) {
        expect(await two.resume()).toBe('awaiting_approval');
      }
      expect(perCall(pay)).toEqual([0, 0]);
      expect(two.questions()).toHaveLength(2);
      await two.approveAll();
      expect(await two.resume()).toBe('complete');
      expect(perCall(pay)).toEqual([1, 1]);
    });

  it('S2 a second kill while recovering changes nothing: still unknown, still not repeated', async () => {
    const { world, pay } = bank();
    const one = await world.open({ turns: [BATCH()] });
    await one.say('go');
    await one.approveAll();
    one.storage.plan(3, CommitFault.stopBefore);
    await one.resume();
    for (const fault of [CommitFault.stopBefore, CommitFault.stopAfter]) {
      const again = await world.open();
      again.storage.plan(1, fault);
      expect(await again.resume()).toBe('stopped');
    }
    const last = await settle(world);
    expect(told(last, 'c1')).toBe('unknown');
    expect(perCall(pay)).toEqual([1, 1]);
  });
});

class RefusingPolicy implements ToolApprovalPolicy {
  decide(): ApprovalPolicyResult {
    return ApprovalPolicyResult.deny('not any more');
  }
}

class Probe implements EffectProbe {
  asked: string[] = [];

  constructor(private readonly answer: ProbeOutcome | 'throw') {}

  async probe(idempotencyKey: string): Promise<ProbeOutcome> {
    this.asked.push(idempotencyKey);
    if (this.answer === 'throw') {
      throw new Error('the world is silent');
    }
    return this.answer;
  }
}

async function cutAfterStart(contract: ToolContract, effectHappened: boolean): Promise<Bank> {
  const made = bank(contract);
  const one = await made.world.open({ turns: [BATCH()] });
  await one.say('go');
  await one.approveAll();
  one.storage.plan(effectHappened ? 3 : 2, effectHappened ? CommitFault.stopBefore : CommitFault.stopAfter);
  expect(await one.resume()).toBe('stopped');
  expect((await made.world.stored()).openBatch?.calls[0].status).toBe(CallStatus.started);
  return made;
}

describe('S2 what may settle an unknown outcome', () => {
  it.each([
    [ProbeOutcome.happened, true, [1, 1], 'The effect happened before the app was closed; its answer was lost.'],
    [ProbeOutcome.notHappened, false, [1, 1], 'paid 1'],
    [ProbeOutcome.cannotTell, true, [1, 1], 'unknown'],
    ['throw' as const, true, [1, 1], 'unknown'],
  ])('S2 the probe says %s', async (answer, happened, runs, first) => {
    const probe = new Probe(answer);
    const { world, pay } = await cutAfterStart({ probe }, happened);
    const two = await settle(world);
    expect(probe.asked).toEqual([(await world.stored()).run?.runId + '.1:0']);
    expect(perCall(pay)).toEqual(runs);
    expect(told(two, 'c1')).toBe(first);
  });

  it('APP-11 an idempotent tool runs again with the same key', async () => {
    const { world, pay } = await cutAfterStart({ idempotent: true }, true);
    const two = await settle(world);
    const first = pay.runs.filter((run) => run.argumentsJson === '{"n":1}');
    expect(first.map((run) => run.attempt)).toEqual([0, 1]);
    expect(new Set(first.map((run) => run.idempotencyKey)).size).toBe(1);
    expect(pay.effects).toBe(2);
    expect(told(two, 'c1')).toBe('paid 1');
  });

  it('DEC-20 an idempotent call that may not be repeated any more is unknown, not refused', async () => {
    const { world, pay } = await cutAfterStart({ idempotent: true }, true);
    const changed = world.dangerous('pay', { idempotent: true });
    changed.work = pay.work;
    const two = await world.open({ without: ['pay'] });
    expect(await two.resume()).toBe('complete');
    expect(told(two, 'c1')).toBe('unknown');
    expect(changed.count).toBe(0);
  });

  it('DEC-20 an idempotent call that the policy refuses by now is unknown, not refused', async () => {
    const { world, pay } = await cutAfterStart({ idempotent: true }, true);
    const two = await world.open({ config: { approvalPolicy: new RefusingPolicy() } });
    expect(await two.resume()).toBe('complete');
    expect(told(two, 'c1')).toBe('unknown');
    expect(told(two, 'c3')).toContain('tool_denied');
    expect(pay.count).toBe(1);
  });

  it('DEC-20 a cancel between the claim and the repetition leaves it unknown', async () => {
    const { world, pay } = await cutAfterStart({ idempotent: true }, true);
    const two = await world.open();
    two.storage.plan(1, CommitFault.stopAfter);
    expect(await two.resume()).toBe('stopped');
    const three = await world.open();
    await three.runtime.cancel('enough');
    expect(await three.say('and?')).toBe('complete');
    expect(told(three, 'c1')).toBe('unknown');
    expect(told(three, 'c3')).toContain('tool_cancelled');
    expect(perCall(pay)).toEqual([1, 0]);
  });

  it('the envelope of an unknown call says unknown and asks for inspection', async () => {
    const { world } = await cutAfterStart({}, true);
    const two = await settle(world);
    const finished = two.log.runEvents.filter((event) => event.type === 'tool_call_finished').map((event) => event.envelope);
    expect(finished[0]?.status).toBe('unknown');
    expect(finished[0]?.retry).toEqual({ allowed: false, requiresInspection: true });
  });
});

describe('DEC-61 calls without an effect', () => {
  it('DEC-61 write no journal, and run again after a kill', async () => {
    const world = new World();
    const read = world.safe('read');
    const one = await world.open({ turns: [ScriptedTurn.call('c1', 'read', '{}')] });
    one.storage.plan(3, CommitFault.stopBefore);
    expect(await one.say('go')).toBe('stopped');
    expect(one.storage.reasons).toEqual(['after_user_input', 'after_model_text', 'after_tool_batch']);
    expect(read.count).toBe(1);
    const two = await world.open();
    expect(await two.resume()).toBe('complete');
    expect(read.count).toBe(2);
    expect(two.history()[2]).toBe('tool c1: done');
  });

  it('DEC-61 their result rides in the next commit', async () => {
    const { world, read } = bank();
    const one = await world.open({ turns: [new ScriptedTurn().call('c1', 'read', '{}').call('c2', 'pay', '{"n":1}')] });
    await one.say('go');
    await one.approveAll();
    one.storage.plan(2, CommitFault.stopAfter);
    expect(await one.resume()).toBe('stopped');
    await settle(world);
    expect(read.count).toBe(1);
  });
});

describe('DEC-62 DEC-05 a kill after the model has spoken and before its calls were looked at', () => {
  async function cut(): Promise<Bank> {
    const made = bank();
    const one = await made.world.open({ turns: [BATCH()] });
    one.storage.plan(2, CommitFault.stopAfter);
    expect(await one.say('go')).toBe('stopped');
    const stored = await made.world.stored();
    expect([stored.run?.status, stored.openBatch]).toEqual(['running', undefined]);
    return made;
  }

  it('DEC-62 resume runs phase 1 and asks', async () => {
    const { world, pay } = await cut();
    const two = await world.open();
    expect(await two.resume()).toBe('awaiting_approval');
    await two.approveAll();
    expect(await two.resume()).toBe('complete');
    expect(perCall(pay)).toEqual([1, 1]);
  });

  it('DEC-62 new input closes the calls as process_died', async () => {
    const { world, pay } = await cut();
    const two = await world.open();
    expect(await two.say('what happened?')).toBe('complete');
    expect(two.history().slice(2, 6).map((line) => line.split(':')[0] + line.split(':')[1])).toEqual([
      'tool c1 error process_died', 'tool c2 error process_died', 'tool c3 error process_died', 'user what happened?']);
    expect(perCall(pay)).toEqual([0, 0]);
  });

  it('DEC-05 a killed run never continues alone', async () => {
    const { world } = await cut();
    const two = await world.open();
    expect(two.provider.calls).toBe(0);
    expect(two.log.lines).toEqual([]);
    expect(two.runtime.running).toBe(false);
  });

  it('DEC-05 after the claim: input is refused while a call that a person approved has not run', async () => {
    const { world, pay } = bank();
    const one = await world.open({ turns: [BATCH()] });
    await one.say('go');
    await one.approveAll();
    one.storage.plan(1, CommitFault.stopAfter);
    expect(await one.resume()).toBe('stopped');
    const two = await world.open();
    expect(await two.say('hello?')).toBe('pending_approval_blocks_input');
    expect(two.result?.error.details?.get('resumeRequired')).toBe(true);
    expect(await two.resume()).toBe('complete');
    expect(perCall(pay)).toEqual([1, 1]);
  });

  it('DEC-05 when every approved call has begun, new input closes what policy had allowed', async () => {
    const { world, pay, read } = bank();
    const one = await world.open({ turns: [new ScriptedTurn().call('c1', 'pay', '{"n":1}').call('c2', 'read', '{}')] });
    await one.say('go');
    await one.approveAll();
    one.storage.plan(2, CommitFault.stopAfter);
    expect(await one.resume()).toBe('stopped');
    const two = await world.open();
    expect(await two.say('hello?')).toBe('complete');
    expect([told(two, 'c1'), told(two, 'c2')]).toEqual(['unknown', 'process_died: the app was closed before this call ran']);
    expect([pay.count, read.count]).toEqual([0, 0]);
  });
});
