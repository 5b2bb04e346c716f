import { describe, expect, it } from 'vitest';
import type { ToolBeforeEvent } from '@core/control/event/ToolEvents';
import type { AuditRecord } from '@core/port/AuditSink';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import { AgentState } from '@core/state/AgentState';
import { CommitFault } from '@core/testing/StoppingStateStorage';
import { PendingApprovalBatch } from '@core/approval/PendingApprovalBatch';
import { PendingApprovalItem } from '@core/approval/PendingApprovalItem';
import { StateCommit } from '@core/state/StateCommit';
import { PersistReason } from '@core/state/PersistReason';
import type { Process } from '../../support/Process';
import { World } from '../../support/World';

const mixed = (): ScriptedTurn => new ScriptedTurn().call('c1', 'look', '{}').call('c2', 'pay', '{"n":1}').call('c3', 'pay', '{"n":2}');

async function asked(records: string[] = []): Promise<{ world: World; one: Process }> {
  const world = new World();
  world.safe('look');
  world.dangerous('pay');
  const auditSink = { record: (entry: AuditRecord): void => { records.push(`${entry.callId} ${entry.step} ${entry.decider} ${entry.decision}`); } };
  const one = await world.open({ turns: [mixed()], config: { auditSink } });
  await one.say('go');
  return { world, one };
}

/** Changes the stored questions behind everybody's back. */
async function tamper(world: World, change: (item: PendingApprovalItem) => PendingApprovalItem): Promise<void> {
  const stored = await world.stored();
  const batch = stored.pendingApproval as PendingApprovalBatch;
  const next = new AgentState({ ...stored.toParts(), revision: stored.revision + 1, commitId: 'tampered', pendingApproval: batch.withItems(batch.items.map(change)) });
  await world.disk.commit(new StateCommit(stored, next, PersistReason.approvalDecision));
}

describe('a batch that is taken up again', () => {
  it('names who let each call through: the person who said yes, and the policy where nobody was asked', async () => {
    const { one } = await asked();
    const [second, third] = one.questions();
    await one.runtime.applyApprovalDecision({ approvalId: second, approve: true, decidedBy: 'ada' });
    await one.controller.approve(third);
    await one.resume();
    const started = one.log.busEvents.filter((event) => event.eventType() === 'tool.before') as ToolBeforeEvent[];
    expect(started.map((event) => `${event.call.id} ${event.decidedBy}`)).toEqual(['c1 policy', 'c2 ada', 'c3 person']);
  });

  it('records the claim of every call that had no answer, as the claim leaves it', async () => {
    const records: string[] = [];
    const { one } = await asked(records);
    await one.approveAll();
    records.length = 0;
    await one.resume();
    expect(records.filter((line) => line.includes(' claim '))).toEqual(['c1 claim runtime planned', 'c2 claim runtime planned', 'c3 claim runtime planned']);
    const { one: denied } = await asked(records);
    await denied.runtime.denyAll(denied.batch().batchId);
    records.length = 0;
    await denied.resume();
    expect(records.filter((line) => line.includes(' claim '))).toEqual(['c1 claim runtime closed', 'c2 claim runtime closed', 'c3 claim runtime closed']);
  });

  it('S4 a yes whose question shows another call than the one that would run starts nothing', async () => {
    const { world, one } = await asked();
    await one.approveAll();
    one.kill();
    await tamper(world, (item) => (item.position === 1 ? new PendingApprovalItem({ ...item.toInit(), digest: 'v1:sha256:other' }) : item));
    const two = await world.open();
    await two.resume();
    expect(two.history().filter((line) => line.startsWith('tool c2'))).toEqual([expect.stringContaining('approval_digest_mismatch')]);
  });

  it('is taken up by one owner: the other learns that, and has what was stored', async () => {
    const { world, one } = await asked();
    await one.approveAll();
    const two = await world.open({ turns: [ScriptedTurn.text('bye')] });
    expect([await two.resume(), await one.resume()]).toEqual(['complete', 'state_conflict']);
    expect([one.runtime.snapshot().revision, one.history().length]).toEqual([(await world.stored()).revision, two.history().length]);
    expect(await one.resume()).toBe('resume_nothing_pending');
  });

  it('of a batch that was cut off in its middle only what has not run runs', async () => {
    const { world, one } = await asked();
    await one.approveAll();
    one.storage.plan(4, CommitFault.stopBefore);
    expect(await one.resume()).toBe('stopped');
    const two = await world.open();
    expect(await two.resume()).toBe('complete');
    expect(two.history().filter((line) => line.startsWith('tool ')).map((line) => line.split(':')[0])).toEqual(['tool c1', 'tool c2', 'tool c3']);
    expect(two.history().filter((line) => line.startsWith('assistant:')).length).toBe(2);
  });
});

describe('an answer that was stored when the process died', () => {
  it('stands: the model is not asked a second time', async () => {
    const world = new World();
    const one = await world.open({ turns: [ScriptedTurn.text('the answer')] });
    one.storage.plan(3, CommitFault.stopBefore);
    expect(await one.say('go')).toBe('stopped');
    const two = await world.open({ turns: [ScriptedTurn.text('another')] });
    expect([await two.resume(), two.provider.requests().length, two.history().at(-1)]).toEqual(['complete', 0, 'assistant: the answer']);
  });

  it('is asked for where there was none yet', async () => {
    const world = new World();
    const one = await world.open({ turns: [ScriptedTurn.text('lost')] });
    one.storage.plan(2, CommitFault.stopBefore);
    expect(await one.say('go')).toBe('stopped');
    const two = await world.open({ turns: [ScriptedTurn.text('found')] });
    expect([await two.resume(), two.provider.requests().length, two.history().at(-1)]).toEqual(['complete', 1, 'assistant: found']);
  });
});
