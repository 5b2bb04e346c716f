import { describe, expect, it } from 'vitest';
import { UnknownOutcomePolicy } from '@core/approval/ApprovalModes';
import { CommitFault } from '@core/testing/StoppingStateStorage';
import type { RecordingTool } from '@core/testing/RecordingTool';
import { ToolResult } from '@core/tool/ToolResult';
import type { Process } from '../../support/Process';
import { World } from '../../support/World';
import { AllowAll, Gate, batch, idle } from './Bench';

/** after_user_input, after_model_text, three starts, three ends, after_tool_batch, after_model_text, terminal. */
const COMMITS = 11;

function perCall(pay: RecordingTool): number[] {
  return [1, 2, 3].map((n) => pay.runs.filter((run) => run.argumentsJson === `{"n":${n}}`).length);
}

async function drive(process: Process, gate: Gate, run: Promise<string>, order: number[]): Promise<string> {
  let ending: string | undefined;
  void run.then((how) => { ending = how; });
  for (let step = 0; step < 30 && ending === undefined; step++) {
    await idle();
    const next = order.find((n) => gate.running.includes(n));
    if (next !== undefined) {
      await gate.end(next);
    }
  }
  return ending ?? 'never';
}

const CUTS = Array.from({ length: COMMITS }, (_unused, at) => at + 1).flatMap((at) =>
  [CommitFault.stopBefore, CommitFault.stopAfter].flatMap((fault) => [[1, 2, 3], [3, 2, 1]].map((order) => [at, fault, order] as const)));

describe('three effects beside each other and a kill', () => {
  it('the flow has the commits that the cuts below are made at, one after another', async () => {
    const world = new World();
    const gate = new Gate(world.sensitive('pay', { concurrencySafe: true }));
    const process = await world.open({ turns: [batch('pay', 'pay', 'pay')], config: { approvalPolicy: new AllowAll() } });
    expect(await drive(process, gate, process.say('go'), [2, 3, 1])).toBe('complete');
    expect(process.storage.reasons).toEqual(['after_user_input', 'after_model_text', 'tool_effect', 'tool_effect', 'tool_effect',
      'tool_effect', 'tool_effect', 'tool_effect', 'after_tool_batch', 'after_model_text', 'terminal']);
  });

  it.each(CUTS)('S2 STA-10 cut at commit %i (%s), ended in the order %j: each effect at most once, each call one answer', async (at, fault, order) => {
    const world = new World();
    const pay = world.sensitive('pay', { concurrencySafe: true });
    const gate = new Gate(pay);
    const config = { approvalPolicy: new AllowAll(), unknownOutcomePolicy: UnknownOutcomePolicy.report };
    const one = await world.open({ turns: [batch('pay', 'pay', 'pay')], config });
    one.storage.plan(at, fault);
    const killed = await drive(one, gate, one.say('go'), [...order]);
    expect(killed).toBe('stopped');
    const before = perCall(pay);
    pay.work = async (args) => ToolResult.text(`again ${args.getNumber('n')}`);
    const stored = (await world.disk.load('s')).value;
    const fresh = at === 1 || (at === 2 && fault === CommitFault.stopBefore);
    const two = await world.open({ turns: fresh ? [batch('pay', 'pay', 'pay')] : [], config });
    if (stored?.run?.status === 'running') {
      expect(await two.resume()).toBe('complete');
    } else if (stored === undefined) {
      expect(await two.say('go')).toBe('complete');
    }
    const after = perCall(pay);
    const answers = two.history().filter((line) => line.startsWith('tool '));
    expect(answers.map((line) => line.split(/[ :]/)[1])).toEqual(['c1', 'c2', 'c3']);
    expect(Math.max(...after)).toBeLessThanOrEqual(1);
    answers.forEach((line, position) => {
      const unknown = line.includes('tool_outcome_unknown');
      expect(unknown || after[position] === 1, `${line}, ran ${before[position]} and then ${after[position]} times`).toBe(true);
      expect(before[position] === 0 || !line.includes('again')).toBe(true);
    });
  });
});
