import { describe, expect, it } from 'vitest';
import { ArkAgentError } from '@core/base/ArkAgentError';
import { ErrorCode } from '@core/base/ErrorCodes';
import { AgentHook } from '@core/hook/AgentHook';
import type { AfterRunHookContext } from '@core/hook/context/AfterRunHookContext';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import { ToolResult } from '@core/tool/ToolResult';
import type { Process } from '../../support/Process';
import { Family, PAY, delegate, type Script } from './family';

const ASK: Script = { go: [delegate('pay it')], 'pay it': [PAY(), ScriptedTurn.text('done')] };
/** Pays with a yes, then asks again. */
const TWICE: Script = { go: [delegate('pay it')], 'pay it': [PAY(1), PAY(2), ScriptedTurn.text('done')] };

/** Calls back when the run of a child has ended or suspended, before its caller knows. */
class Late extends AgentHook {
  constructor(private readonly then: () => void) {
    super('late');
  }

  override async afterRun(context: AfterRunHookContext): Promise<void> {
    if (context.sessionId !== 's') this.then();
  }
}

async function flush(): Promise<void> {
  for (let wait = 0; wait < 300; wait++) await Promise.resolve();
}

async function result(one: Process): Promise<string> {
  if (one.history()[2] === undefined) await one.say('what happened?');
  return one.history()[2] ?? '';
}

describe('S11 ends of a child', () => {
  it('S11 a failure of the child is an error result, and the parent goes on', async () => {
    const family = new Family({ go: [delegate('a')], a: [ScriptedTurn.fail(ArkAgentError.of(ErrorCode.providerServerError, 'down'))] });
    const one = await family.open();
    expect(await one.say('go')).toBe('complete');
    expect(one.history()[2]).toBe('tool d1 error: provider_server_error: the sub-agent failed: down');
  });

  it('a child that ran out of turns says what it did before', async () => {
    const family = new Family(ASK, { limits: { maxTurns: 1 } });
    const one = await family.open();
    await one.say('go');
    await one.approveAll();
    expect(await one.resume()).toBe('complete');
    expect(one.history()[2]).toContain('max_turns_reached');
    expect(one.history()[2]).toContain('; finished: pay; do not repeat them');
  });

  it('a session\'s lower bound stays', async () => {
    const family = new Family({ go: [delegate('a')], a: [ScriptedTurn.call('r1', 'read', '{}'), ScriptedTurn.call('r2', 'read', '{"n":2}')] }, { limits: { maxTurns: 40 } });
    const one = await family.open({ config: { limits: { maxTurns: 2 } } });
    await one.say('go');
    expect(one.history()[2]).toContain('max_turns_reached');
  });

  it('DEC-54 cancel while a child waits: leaf first, cancelled because no effect began', async () => {
    const family = new Family(ASK);
    const one = await family.open();
    await one.say('go');
    const id = one.questions()[0] ?? '';
    const order: string[] = [];
    family.world.onCommit = (commit) => order.push(`${commit.sessionId === 's' ? 'parent' : 'child'} ${commit.next.run?.stopReason}`);
    expect((await one.runtime.cancel('enough')).value).toBe(true);
    expect(order).toEqual(['child cancelled', 'parent cancelled']);
    expect(one.questions()).toEqual([]);
    expect((await one.controller.approve(id)).error?.code).toBe('approval_batch_closed');
    expect(await result(one)).toBe('tool d1 error: tool_cancelled: the sub-agent was cancelled; nothing was changed');
    expect(family.pay.count).toBe(0);
  });

  it('DEC-54 cancel after an effect: unknown, naming what has finished', async () => {
    const family = new Family(TWICE);
    const one = await family.open();
    await one.say('go');
    await one.approveAll();
    expect(await one.resume()).toBe('awaiting_approval');
    one.kill();
    const two = await family.open();
    await two.runtime.cancel('enough');
    expect((await family.world.stored()).openBatch?.calls[0]?.status).toBe('unknown');
    expect(await result(two)).toBe('tool d1 error: tool_outcome_unknown: the sub-agent was cancelled; finished: pay; do not repeat them');
    expect(family.pay.count).toBe(1);
  });

  it('DEC-54 cancel with a grandchild: leaf, middle, top; its effects are named at the top', async () => {
    const family = new Family({ go: [delegate('mid')], mid: [delegate('leaf')], leaf: [PAY(1), PAY(2)] }, { maxDepth: 2 });
    const one = await family.open();
    await one.say('go');
    await one.approveAll();
    expect(await one.resume()).toBe('awaiting_approval');
    const order: string[] = [];
    family.world.onCommit = (commit) => order.push(String(commit.sessionId.split('.').length));
    await one.runtime.cancel('enough');
    expect(order).toEqual(['7', '4', '1']);
    expect(await result(one)).toContain('finished: pay; do not repeat them');
    for (const id of await family.children()) expect((await family.child(id)).run?.stopReason).toBe('cancelled');
  });

  it('DEC-54 cancel while the child works: the child ends first, its call with it', async () => {
    const family = new Family({ go: [delegate('a')], a: [ScriptedTurn.hang()] });
    const one = await family.open();
    const ending = one.say('go');
    await flush();
    const order: string[] = [];
    family.world.onCommit = (commit) => order.push(`${commit.sessionId === 's' ? 'parent' : 'child'} ${commit.reason}`);
    await one.runtime.cancel('enough');
    expect(await ending).toBe('cancelled');
    expect(order).toEqual(['child terminal', 'parent tool_effect', 'parent terminal']);
    expect(await result(one)).toContain('tool_cancelled: the sub-agent was cancelled');
  });

  it('a cancel that meets a stuck tool of the child waits for the child\'s end, however long its grace', async () => {
    const family = new Family({ go: [delegate('a')], a: [ScriptedTurn.call('r1', 'read', '{}')] });
    family.read.work = () => new Promise<ToolResult>(() => undefined);
    const one = await family.open();
    const ending = one.say('go');
    await flush();
    const order: string[] = [];
    family.world.onCommit = (commit) => order.push(`${commit.sessionId === 's' ? 'parent' : 'child'} ${commit.reason}`);
    const cancelled = one.runtime.cancel('enough');
    await flush();
    family.world.scheduler.advance(2000);
    await cancelled;
    expect(await ending).toBe('cancelled');
    expect(order).toEqual(['child terminal', 'parent tool_effect', 'parent terminal']);
    expect(await result(one)).toContain('tool_cancelled');
    const [id] = await family.children();
    expect((await family.child(id ?? '')).run?.stopReason).toBe('cancelled');
  });

  it.each(['awaiting_approval', 'afterRun'] as const)('DEC-54 a cancel that meets the child as it suspends (%s) leaves no question', async (moment) => {
    const family = new Family(ASK);
    let one: Process | undefined;
    const late = new Late(() => void one?.runtime.cancel('enough'));
    one = await family.open({ config: { hooks: moment === 'afterRun' ? [late] : [] } });
    if (moment === 'awaiting_approval') {
      family.world.onCommit = (commit) => {
        if (commit.sessionId !== 's' && commit.reason === moment) void one?.runtime.cancel('enough');
      };
    }
    expect(await one.say('go')).toBe('cancelled');
    expect(one.questions()).toEqual([]);
    const [id] = await family.children();
    expect([(await family.child(id ?? '')).run?.stopReason, (await family.world.stored()).run?.stopReason]).toEqual(['cancelled', 'cancelled']);
    expect(one.log.of('run')).not.toContain('approval_required');
  });

  it('the deadline of the call cancels the child, and the parent goes on', async () => {
    const family = new Family({ go: [delegate('a')], a: [ScriptedTurn.hang()] }, { timeoutMs: 5000 });
    const one = await family.open();
    const ending = one.say('go');
    await flush();
    family.world.scheduler.advance(5000);
    expect(await ending).toBe('complete');
    expect(one.history()[2]).toBe('tool d1 error: tool_timeout: the sub-agent was stopped because its time was over; nothing was changed');
    const [id] = await family.children();
    expect((await family.child(id ?? '')).run?.stopReason).toBe('cancelled');
  });

  it('the deadline after an effect: unknown', async () => {
    const family = new Family({ go: [delegate('a')], a: [PAY(), ScriptedTurn.hang()] }, { timeoutMs: 5000 });
    const one = await family.open();
    await one.say('go');
    await one.approveAll();
    const ending = one.resume();
    await flush();
    family.world.scheduler.advance(5000);
    expect(await ending).toBe('complete');
    expect(one.history()[2]).toContain('finished: pay; do not repeat them');
  });

  it('a pause of the app pauses the child; a resume takes it up', async () => {
    const family = new Family({ go: [delegate('a')], a: [ScriptedTurn.call('r1', 'read', '{}'), ScriptedTurn.text('A')] });
    const one = await family.open();
    let pausing: Promise<void> | undefined;
    family.read.work = async () => {
      pausing ??= one.runtime.suspend('background');
      return ToolResult.text('done');
    };
    expect(await one.say('go')).toBe('suspended');
    await pausing;
    const [id] = await family.children();
    expect([(await family.child(id ?? '')).run?.status, (await family.world.stored()).openBatch?.calls[0]?.status]).toEqual(['suspended', 'waiting']);
    expect(await one.say('x')).toBe('pending_approval_blocks_input');
    one.kill();
    const two = await family.open();
    expect(await two.resume()).toBe('complete');
    expect(two.history()[2]).toBe('tool d1: A');
    expect(await family.children()).toHaveLength(1);
  });

  it('close pauses the child and gives up its questions; the next process lists them', async () => {
    const family = new Family(ASK);
    const one = await family.open();
    await one.say('go');
    await one.runtime.close();
    expect(one.questions()).toEqual([]);
    const two = await family.open();
    expect(two.questions()).toHaveLength(1);
  });

  it('after close nothing of a child writes any more, not even its deadlines', async () => {
    const family = new Family(ASK);
    const one = await family.open({ config: { approvalTtlMs: 1000 } });
    await one.say('go');
    await one.runtime.close();
    const commits = one.storage.commits.length;
    family.world.clock.advance(1001);
    family.world.scheduler.advance(1001);
    await flush();
    expect(one.storage.commits).toHaveLength(commits);
  });

  it('a parent whose own ending closes the run closes a child that waits', async () => {
    const family = new Family(ASK);
    const one = await family.open();
    one.storage.failMarks = true;
    const states: string[] = [];
    family.world.onCommit = (commit) => {
      states.push(commit.reason);
    };
    // The eighth commit is the parent's awaiting_approval: it cannot be saved, so nothing is asked and the child is closed.
    one.storage.plan(8, 'fail_before' as never);
    expect(await one.say('go')).toBe('state_save_failed');
    expect(one.log.of('run')).not.toContain('approval_required');
    expect(one.questions()).toEqual([]);
    const [id] = await family.children();
    expect((await family.child(id ?? '')).run?.status).toBe('finished');
    expect((await family.world.stored()).run?.status).toBe('finished');
    expect(await one.say('again')).toBe('complete');
  });
});
