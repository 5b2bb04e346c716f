import { describe, expect, it } from 'vitest';
import { GrantScope } from '@core/approval/ApprovalGrant';
import { ApprovalPolicyResult, type ToolApprovalPolicy } from '@core/approval/ApprovalPolicy';
import { ToolRiskLevel } from '@core/model/ToolDefinition';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import { CommitFault } from '@core/testing/StoppingStateStorage';
import type { RecordingTool } from '@core/testing/RecordingTool';
import { ToolResult } from '@core/tool/ToolResult';
import type { Process } from '../../support/Process';
import { World } from '../../support/World';

class AllowAll implements ToolApprovalPolicy {
  decide(): ApprovalPolicyResult {
    return ApprovalPolicyResult.allow();
  }
}

const ALLOW = { approvalPolicy: new AllowAll() };

interface Slow {
  world: World;
  pay: RecordingTool;
  /** Settles the newest run of the tool. */
  settle: (text: string) => Promise<void>;
  fail: (text: string) => Promise<void>;
  answer: (result: ToolResult) => Promise<void>;
}

/** A tool that answers only when a test says so; its deadline is 100 ms and the grace after it 2 s. */
function slow(risk: ToolRiskLevel = ToolRiskLevel.dangerous): Slow {
  const world = new World();
  const pay = world.tool('pay', risk, { timeoutMs: 100 });
  let resolve: (result: ToolResult) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  pay.work = () => new Promise<ToolResult>((yes, no) => { resolve = yes; reject = no; });
  return {
    world, pay,
    settle: async (text) => { resolve(ToolResult.text(text)); await quiet(); },
    fail: async (text) => { reject(new Error(text)); await quiet(); },
    answer: async (result) => { resolve(result); await quiet(); },
  };
}

async function quiet(): Promise<void> {
  for (let i = 0; i < 50; i++) {
    await Promise.resolve();
  }
}

/** Runs the session until the tool was entered, then lets its time pass. */
async function timeOut(world: World, run: Promise<string>, pay: RecordingTool): Promise<string> {
  const before = pay.count;
  for (let i = 0; i < 500 && pay.count === before; i++) {
    await Promise.resolve();
  }
  world.scheduler.advance(100);
  world.scheduler.advance(2000);
  return run;
}

function notes(process: Process): string[] {
  return process.history().filter((text) => text.startsWith('user: [late result]'));
}

const pay = (id: string, args = '{"n":1}'): ScriptedTurn => ScriptedTurn.call(id, 'pay', args);

describe('S9 time-outs that stop nothing', () => {
  it('S9 the model is told that it may or may not have happened and is not to be repeated', async () => {
    const { world, pay: tool } = slow();
    const one = await world.open({ turns: [pay('p1')], config: ALLOW });
    expect(await timeOut(world, one.say('go'), tool)).toBe('complete');
    expect(one.history()[2]).toMatch(/^tool p1 error: tool_timeout: .*may or may not have happened, do not repeat/);
    expect((await world.stored()).slices.get('openEffects')?.json.getArray('effects')).toHaveLength(1);
  });

  it('S9 DEC-36 a late result is stored and told once, before the next model call, as a note that names the call', async () => {
    const { world, pay: tool, settle } = slow();
    world.safe('read');
    const one = await world.open({ turns: [pay('p1'), ScriptedTurn.text('timed out'), ScriptedTurn.call('r', 'read', '{}'), ScriptedTurn.text('ok')], config: ALLOW });
    await timeOut(world, one.say('go'), tool);
    const revision = (await world.stored()).revision;
    await settle('paid 1');
    expect((await world.stored()).revision).toBe(revision + 1);
    expect(notes(one)).toEqual([]);
    expect(await one.say('and now?')).toBe('complete');
    expect(notes(one)).toEqual([expect.stringMatching(/call p1 \(pay\).*has ended well after all.*Its answer: paid 1$/)]);
    expect(one.history().slice(4, 6)).toEqual(['user: and now?', notes(one)[0]]);
    expect(one.history().filter((text) => text.startsWith('tool p1'))).toHaveLength(1);
    expect((await world.stored()).slices.size).toBe(0);
    expect(await one.say('more')).toBe('complete');
    expect(notes(one)).toHaveLength(1);
  });

  it('S9 it is told within the run when it comes before the next model call', async () => {
    const { world, pay: tool, settle } = slow();
    const other = world.safe('read', { concurrencySafe: true });
    other.work = async () => { await settle('paid 1'); return ToolResult.text('read'); };
    const one = await world.open({ turns: [new ScriptedTurn().call('p1', 'pay', '{"n":1}').call('r', 'read', '{}'), ScriptedTurn.text('ok')], config: ALLOW });
    expect(await timeOut(world, one.say('go'), tool)).toBe('complete');
    expect(one.history().slice(2)).toEqual([expect.stringContaining('tool p1 error: tool_timeout'), 'tool r: read', notes(one)[0], 'assistant: ok']);
    expect(notes(one)).toHaveLength(1);
    expect((await world.stored()).slices.size, 'nothing is unknown any more').toBe(0);
  });

  it('a failure that comes late is told as one', async () => {
    const { world, pay: tool, fail } = slow();
    const one = await world.open({ turns: [pay('p1')], config: ALLOW });
    await timeOut(world, one.say('go'), tool);
    await fail('card refused');
    await one.say('and now?');
    expect(notes(one)).toEqual([expect.stringMatching(/has failed after all.*card refused$/)]);
  });

  it('S9 a kill between the record and the telling loses nothing and tells it once', async () => {
    for (const fault of [CommitFault.stopBefore, CommitFault.stopAfter]) {
      const { world, pay: tool, settle } = slow();
      const one = await world.open({ turns: [pay('p1')], config: ALLOW });
      await timeOut(world, one.say('go'), tool);
      await settle('paid 1');
      one.storage.plan(2, fault);
      expect(await one.say('and now?')).toBe('stopped');
      const two = await world.open({ config: ALLOW });
      expect(await two.resume()).toBe('complete');
      expect(notes(two)).toHaveLength(1);
    }
  });

  it('S9 DEC-36 after a cancel it is only recorded', async () => {
    const { world, pay: tool, settle } = slow();
    const one = await world.open({ turns: [pay('p1')], config: ALLOW });
    const run = one.say('go');
    for (let i = 0; i < 500 && tool.count === 0; i++) {
      await Promise.resolve();
    }
    const cancel = one.runtime.cancel('stop');
    world.scheduler.advance(2000);
    await cancel;
    expect(await run).toBe('cancelled');
    await settle('paid 1');
    expect((await world.stored()).openBatch?.calls[0].lateResult?.toToolResult().text()).toBe('paid 1');
    expect(await one.say('next')).toBe('complete');
    expect(notes(one)).toEqual([]);
    const [kept] = (await world.stored()).slices.get('lateResults')?.json.getArray('results') ?? [];
    expect([kept.asObject()?.getString('text'), kept.asObject()?.getBoolean('tell')]).toEqual(['paid 1', false]);
    expect((await world.stored()).slices.has('openEffects'), 'it is known, so proposing it again is no riddle').toBe(false);
  });

  it('a late result for a closed session or a dead process changes nothing', async () => {
    const { world, pay: tool, settle } = slow();
    const one = await world.open({ turns: [pay('p1')], config: ALLOW });
    await timeOut(world, one.say('go'), tool);
    await one.runtime.close();
    const revision = (await world.stored()).revision;
    await settle('paid 1');
    expect((await world.stored()).revision).toBe(revision);
  });

  it('a record that cannot be written is carried by the next commit', async () => {
    const { world, pay: tool, settle } = slow();
    const one = await world.open({ turns: [pay('p1')], config: ALLOW });
    await timeOut(world, one.say('go'), tool);
    one.storage.plan(1, CommitFault.failBefore);
    await settle('paid 1');
    expect(await one.say('and now?')).toBe('complete');
    expect(notes(one)).toHaveLength(1);
  });

  it('a late answer that cannot be read ends nothing and is told as nothing', async () => {
    const { world, pay: tool, answer } = slow();
    const one = await world.open({ turns: [pay('p1')], config: ALLOW });
    await timeOut(world, one.say('go'), tool);
    await answer(new ToolResult(undefined as never));
    expect(await one.say('and now?')).toBe('complete');
    expect(one.observer.terminals).toBe(1);
  });

  it('a tool without effect that is late is told too', async () => {
    const { world, pay: tool, settle } = slow(ToolRiskLevel.safe);
    const one = await world.open({ turns: [pay('p1')] });
    await timeOut(world, one.say('go'), tool);
    await settle('42');
    await one.say('and now?');
    expect(notes(one)).toHaveLength(1);
  });
});

describe('S9 the same effect again', () => {
  it('S9 is asked about, with its unknown predecessor, although the policy allows it', async () => {
    const { world, pay: tool } = slow();
    const one = await world.open({ turns: [pay('p1'), ScriptedTurn.text('hm'), pay('p2', '{"n":1.0}'), ScriptedTurn.text('ok'), pay('p3')], config: ALLOW });
    await timeOut(world, one.say('go'), tool);
    one.kill();
    const two = await world.open({ turns: [pay('p2', '{"n":1.0}'), ScriptedTurn.text('ok'), pay('p3')], config: ALLOW });
    expect(await two.say('again')).toBe('awaiting_approval');
    const [item] = two.controller.listPendingApprovals();
    expect([item.predecessorUnknown, item.kind]).toEqual([true, 'call']);
    expect(item.reason).toContain('may have happened already');
    tool.work = undefined;
    await two.approveAll();
    expect(await two.resume()).toBe('complete');
    expect(tool.count).toBe(2);
    expect(await two.say('a third time'), 'the person knew of it: the riddle is closed').toBe('complete');
    expect(tool.count).toBe(3);
  });

  it('S9 a grant does not answer for the person', async () => {
    const { world, pay: tool } = slow(ToolRiskLevel.sensitive);
    const work = tool.work;
    tool.work = undefined;
    const one = await world.open({ turns: [pay('p0'), ScriptedTurn.text('ok'), pay('p1'), ScriptedTurn.text('hm'), pay('p2')] });
    await one.say('go');
    await one.controller.approveAndRemember(one.questions()[0], { scope: GrantScope.tool });
    expect(await one.resume()).toBe('complete');
    tool.work = work;
    expect(await timeOut(world, one.say('again'), tool)).toBe('complete');
    expect(await one.say('and again')).toBe('awaiting_approval');
    expect(one.batch().items[0].predecessorUnknown).toBe(true);
  });

  it('S9 other arguments and other tools are not asked about; a late result settles it', async () => {
    const { world, pay: tool, settle } = slow();
    const one = await world.open({ turns: [pay('p1'), ScriptedTurn.text('hm'), pay('p2', '{"n":2}'), ScriptedTurn.text('ok'), pay('p3')], config: ALLOW });
    await timeOut(world, one.say('go'), tool);
    await settle('paid');
    tool.work = undefined;
    expect(await one.say('another')).toBe('complete');
    expect(await one.say('the same')).toBe('complete');
    expect(tool.count).toBe(3);
  });

  it('S9 a refusal leaves the predecessor unknown', async () => {
    const { world, pay: tool } = slow();
    const one = await world.open({ turns: [pay('p1'), ScriptedTurn.text('hm'), pay('p2'), ScriptedTurn.text('hm'), pay('p3')], config: ALLOW });
    await timeOut(world, one.say('go'), tool);
    expect(await one.say('again')).toBe('awaiting_approval');
    await one.controller.deny(one.questions()[0]);
    expect(await one.resume()).toBe('complete');
    expect(await one.say('and again')).toBe('awaiting_approval');
    expect(tool.count).toBe(1);
  });

  it('DEC-40 S9 the same effect twice in one batch: the second one does not run beside the first', async () => {
    const { world, pay: tool } = slow();
    world.safe('read');
    const one = await world.open({ turns: [new ScriptedTurn().call('p1', 'pay', '{"n":1}').call('p2', 'pay', '{"n":1}').call('r', 'read', '{}')], config: ALLOW });
    expect(await timeOut(world, one.say('go'), tool)).toBe('complete');
    expect(one.history()[3], 'it still runs').toContain('tool_batch_not_executed');
    expect(tool.count).toBe(1);
  });

  it('S9 the second one asks where it could run beside the first, which has become unknown', async () => {
    const world = new World();
    const tool = world.dangerous('pay', { timeoutMs: 100, concurrencySafe: true });
    const read = world.safe('read', { concurrencySafe: true });
    tool.work = () => new Promise<ToolResult>(() => undefined);
    const one = await world.open({ turns: [new ScriptedTurn().call('p1', 'pay', '{"n":1}').call('p2', 'pay', '{"n":1}').call('r', 'read', '{}')], config: ALLOW });
    expect(await timeOut(world, one.say('go'), tool)).toBe('awaiting_approval');
    expect(one.controller.listPendingApprovals().map((item) => [item.toolCall.id, item.predecessorUnknown])).toEqual([['p2', true]]);
    expect([tool.count, read.count]).toEqual([1, 0]);
    tool.work = undefined;
    await one.approveAll();
    expect(await one.resume()).toBe('complete');
    expect([tool.count, read.count]).toEqual([2, 1]);
    expect(one.history().filter((text) => text.startsWith('tool '))).toHaveLength(3);
  });

  it('S9 an effect that was cut by a kill is unknown to later proposals too', async () => {
    const { world, pay: tool } = slow();
    tool.work = undefined;
    const one = await world.open({ turns: [pay('p1')], config: ALLOW });
    one.storage.plan(4, CommitFault.stopBefore);
    expect(await one.say('go')).toBe('stopped');
    const two = await world.open({ turns: [pay('p2')], config: ALLOW });
    expect(await two.resume()).toBe('awaiting_approval');
    expect(two.batch().items[0].predecessorUnknown).toBe(true);
    two.kill();
    const three = await world.open({ config: ALLOW });
    await three.approveAll();
    expect(await three.resume()).toBe('complete');
    expect(tool.count).toBe(2);
    expect((await world.stored()).slices.has('openEffects')).toBe(false);
  });

  it.each([CommitFault.stopBefore, CommitFault.stopAfter])('S9 a kill at the start of the approved repetition (%s) keeps exactly one of them unknown', async (fault) => {
    const { world, pay: tool } = slow();
    const one = await world.open({ turns: [pay('p1'), ScriptedTurn.text('hm'), pay('p2')], config: ALLOW });
    await timeOut(world, one.say('go'), tool);
    await one.say('again');
    await one.approveAll();
    one.storage.plan(2, fault);
    expect(await one.resume()).toBe('stopped');
    const two = await world.open({ turns: [ScriptedTurn.text('ok'), pay('p3')], config: ALLOW });
    tool.work = undefined;
    await two.resume();
    expect(await two.say('once more')).toBe(fault === CommitFault.stopAfter ? 'awaiting_approval' : 'complete');
  });
});
