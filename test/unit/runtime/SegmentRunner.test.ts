import { describe, expect, it } from 'vitest';
import { ToolRiskLevel } from '@core/model/ToolDefinition';
import type { AuditRecord } from '@core/port/AuditSink';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import { CommitFault } from '@core/testing/StoppingStateStorage';
import { AgentMessage } from '@core/message/AgentMessage';
import { BeforeRunHookResult } from '@core/hook/result/BeforeRunHookResult';
import type { Process } from '../../support/Process';
import { World } from '../../support/World';
import { hook } from '../../scenario/run/harness';

/** A run that was cut off after its call was approved by policy and before it ran. */
async function cutOff(records: string[] = []): Promise<{ world: World; two: Process }> {
  const world = new World();
  world.tool('look', ToolRiskLevel.safe);
  const one = await world.open({ turns: [ScriptedTurn.call('c1', 'look', '{}')] });
  one.storage.plan(3, CommitFault.stopBefore);
  expect(await one.say('go')).toBe('stopped');
  const auditSink = { record: (entry: AuditRecord): void => { records.push(`${entry.callId} ${entry.step} ${entry.decision} ${entry.code}`.trim()); } };
  return { world, two: await world.open({ turns: [ScriptedTurn.text('bye')], config: { auditSink } }) };
}

describe('new input after a run that was cut off', () => {
  it('DEC-05 answers its calls, tells of their ends and records them, before anything else is said', async () => {
    const records: string[] = [];
    const { world, two } = await cutOff(records);
    expect(await two.say('more')).toBe('complete');
    expect(two.history().slice(2)).toEqual([expect.stringContaining('tool c1 error: process_died'), 'user: more', 'assistant: bye']);
    expect(two.log.of('bus').filter((line) => line.startsWith('tool.'))).toEqual(['tool.after']);
    expect(records).toEqual(['c1 closed rejected process_died']);
    expect([(await world.stored()).openBatch, (await world.stored()).run?.stopReason]).toEqual([undefined, 'complete']);
  });

  it('starts with an empty window of calls', async () => {
    const world = new World();
    world.tool('look', ToolRiskLevel.safe);
    const one = await world.open({ turns: [ScriptedTurn.call('c1', 'look', '{}'), ScriptedTurn.text('bye'), ScriptedTurn.text('again')] });
    await one.say('go');
    expect((await world.stored()).loopWindow).toHaveLength(1);
    await one.say('more');
    expect((await world.stored()).loopWindow).toEqual([]);
  });

  it('that a hook does not let in says nothing of the calls before it', async () => {
    const { world } = await cutOff();
    const refusing = hook('refusing', { beforeRun: async () => BeforeRunHookResult.abort('not now') });
    const three = await world.open({ config: { hooks: [refusing] } });
    expect([await three.say('more'), three.history().some((line) => line === 'user: more')]).toEqual(['hook_abort', false]);
  });

  it('what a hook makes of it may hold neither calls nor results', async () => {
    const world = new World();
    const breaking = hook('breaking', { beforeRun: async () => BeforeRunHookResult.proceed([new AgentMessage({ role: 'tool' as never, toolCallId: 'c' })]) });
    const one = await world.open({ config: { hooks: [breaking] } });
    expect(await one.say('go')).toBe('input_invalid');
  });
});

describe('a cancel', () => {
  async function asked(): Promise<{ world: World; one: Process }> {
    const world = new World();
    world.dangerous('pay');
    const one = await world.open({ turns: [ScriptedTurn.call('c1', 'pay', '{}')] });
    await one.say('go');
    return { world, one };
  }

  it('says whether there was something to cancel', async () => {
    const idle = await new World().open();
    expect((await idle.runtime.cancel()).value).toBe(false);
    const { one } = await asked();
    expect((await one.runtime.cancel()).value).toBe(true);
    const busy = await new World().open({ turns: [ScriptedTurn.text('a long answer')] });
    let cancelled: Promise<{ value: boolean }> | undefined;
    busy.controller.subscribe('llm.before', () => { cancelled = busy.runtime.cancel('enough'); });
    expect([await busy.say('go'), (await cancelled)?.value]).toEqual(['cancelled', true]);
  });

  it('DEC-02 of a run that another owner ended first is done, and one that meets another run cancels that one', async () => {
    const { world, one } = await asked();
    const two = await world.open({ turns: [ScriptedTurn.call('c2', 'pay', '{}')] });
    await two.runtime.cancel('first');
    expect([(await one.runtime.cancel('second')).value, (await world.stored()).receipts.map((receipt) => receipt.closedBy)]).toEqual([true, ['cancel']]);
    const { world: other, one: late } = await asked();
    const fresh = await other.open({ turns: [ScriptedTurn.call('c2', 'pay', '{}')] });
    await fresh.runtime.cancel('first');
    expect(await fresh.say('again')).toBe('awaiting_approval');
    expect([(await late.runtime.cancel('second')).value, (await other.stored()).run?.stopReason, (await other.stored()).receipts.length]).toEqual([true, 'cancelled', 2]);
  });

  it('that cannot be stored says so', async () => {
    const { one } = await asked();
    one.storage.plan(1, CommitFault.failBefore);
    expect((await one.runtime.cancel()).error.code).toBe('state_save_failed');
  });
});

describe('a claim that is not stored', () => {
  async function decided(): Promise<{ world: World; one: Process }> {
    const world = new World();
    world.dangerous('pay');
    const one = await world.open({ turns: [ScriptedTurn.call('c1', 'pay', '{}')] });
    await one.say('go');
    await one.approveAll();
    one.log.clear();
    return { world, one };
  }

  it('DEC-63 because the disk failed ends the run while it can', async () => {
    const { world, one } = await decided();
    one.storage.plan(1, CommitFault.failBefore);
    expect([await one.resume(), (await world.stored()).run?.status, one.observer.errors.map((error) => error.code)]).toEqual(['state_save_failed', 'finished', ['state_save_failed']]);
  });

  it('because another owner went on starts nothing, and lets the next one in', async () => {
    const { world, one } = await decided();
    const two = await world.open({ turns: [ScriptedTurn.text('bye')] });
    expect(await two.resume()).toBe('complete');
    expect([await one.resume(), one.runtime.running, one.log.of('bus').filter((line) => line.startsWith('agent.'))]).toEqual(['state_conflict', false, []]);
    expect(await one.say('more')).toBe('complete');
  });
});
