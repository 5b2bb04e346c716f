import { describe, expect, it } from 'vitest';
import { UnknownOutcomePolicy } from '@core/approval/ApprovalModes';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import { CommitFault } from '@core/testing/StoppingStateStorage';
import type { RecordingTool } from '@core/testing/RecordingTool';
import { ProbeOutcome, type ToolContract } from '@core/tool/ToolContract';
import type { Process } from '../../support/Process';
import { World } from '../../support/World';

const ASK = { config: { unknownOutcomePolicy: UnknownOutcomePolicy.ask } };

/** [pay, pay]: both approved; the process died while the first one ran. */
async function cut(contract?: ToolContract): Promise<{ world: World; pay: RecordingTool; two: Process; ending: string; first: string }> {
  const world = new World();
  const pay = world.dangerous('pay', contract);
  const one = await world.open({ turns: [new ScriptedTurn().call('c1', 'pay', '{"n":1}').call('c2', 'pay', '{"n":2}')], ...ASK });
  await one.say('go');
  const [first] = one.questions();
  await one.approveAll();
  one.storage.plan(3, CommitFault.stopBefore);
  expect(await one.resume()).toBe('stopped');
  expect(pay.count).toBe(1);
  const two = await world.open(ASK);
  return { world, pay, two, first, ending: await two.resume() };
}

function attempts(pay: RecordingTool): string[] {
  return pay.runs.map((run) => `${run.argumentsJson} ${run.attempt}`);
}

describe('S2 asking the person about an unknown outcome', () => {
  it('DEC-47 a question of kind retry, in the next round; nothing of the batch goes on before', async () => {
    const { two, pay, ending, first } = await cut();
    expect(ending).toBe('awaiting_approval');
    const [item] = two.controller.listPendingApprovals();
    expect([item.approvalId, item.kind, item.round]).toEqual([first.replace(/:0$/, ':1'), 'retry', 1]);
    expect(item.reason).toContain('may have happened already');
    expect(pay.count).toBe(1);
    expect((await two.controller.approve(first)).decision, 'the first answer stands beside it').toBe('approved');
  });

  it('S2 a yes repeats it once, with the same key and the next attempt; then the rest runs', async () => {
    const { two, pay } = await cut();
    await two.approveAll();
    expect(await two.resume()).toBe('complete');
    expect(attempts(pay)).toEqual(['{"n":1} 0', '{"n":1} 1', '{"n":2} 0']);
    expect(pay.effects).toBe(2);
    expect(two.history().slice(2, 4)).toEqual(['tool c1: done', 'tool c2: done']);
  });

  it('DEC-20 DEC-31 a no leaves it unknown, not refused, and the rest runs', async () => {
    const { two, pay } = await cut();
    await two.controller.deny(two.questions()[0], 'rather not');
    expect(await two.resume()).toBe('complete');
    expect(attempts(pay)).toEqual(['{"n":1} 0', '{"n":2} 0']);
    expect(two.history().slice(2, 4)).toEqual([expect.stringContaining('tool_outcome_unknown'), 'tool c2: done']);
  });

  it('S2 the answer covers one repetition: after another kill it is asked again', async () => {
    const { world, two, pay, first } = await cut();
    await two.approveAll();
    two.storage.plan(3, CommitFault.stopBefore);
    expect(await two.resume()).toBe('stopped');
    const three = await world.open(ASK);
    expect(await three.resume()).toBe('awaiting_approval');
    expect(three.questions()).toEqual([first.replace(/:0$/, ':2')]);
    await three.controller.deny(three.questions()[0]);
    expect(await three.resume()).toBe('complete');
    expect(attempts(pay)).toEqual(['{"n":1} 0', '{"n":1} 1', '{"n":2} 0']);
  });

  it('the question survives a kill, blocks input, and a cancel leaves the call unknown', async () => {
    const { world, two, pay } = await cut();
    two.kill();
    const three = await world.open(ASK);
    expect(three.questions()).toHaveLength(1);
    expect(await three.say('hello?')).toBe('pending_approval_blocks_input');
    await three.runtime.cancel('enough');
    expect(await three.say('hello?')).toBe('complete');
    expect(three.history().slice(2, 4)).toEqual([expect.stringContaining('tool_outcome_unknown'), expect.stringContaining('tool_cancelled')]);
    expect(pay.count).toBe(1);
  });

  it('S2 the world is asked before the person: a probe that knows leaves no question', async () => {
    const { ending, pay } = await cut({ probe: { probe: async () => ProbeOutcome.happened } });
    expect(ending).toBe('complete');
    expect(attempts(pay)).toEqual(['{"n":1} 0', '{"n":2} 0']);
  });

  it('an idempotent tool needs no question', async () => {
    const { ending, pay } = await cut({ idempotent: true });
    expect(ending).toBe('complete');
    expect(attempts(pay)).toEqual(['{"n":1} 0', '{"n":1} 1', '{"n":2} 0']);
  });
});
