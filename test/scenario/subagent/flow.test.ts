import { describe, expect, it } from 'vitest';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import { CallStatus } from '@core/state/OpenCall';
import { AgentEventType } from '@core/runtime/report/AgentEvent';
import type { StateCommit } from '@core/state/StateCommit';
import type { StateStorage } from '@core/state/StateStorage';
import { StoppingStateStorage } from '@core/testing/StoppingStateStorage';
import { ToolResult } from '@core/tool/ToolResult';
import { Family, PAY, delegate } from './family';

/** A disk that keeps one commit waiting until it is released. */
class HeldStorage extends StoppingStateStorage {
  release: () => void = () => undefined;
  readonly whenHeld: Promise<void>;
  private tellHeld: () => void = () => undefined;
  private readonly gate: Promise<void>;

  constructor(inner: StateStorage, private readonly holds: (commit: StateCommit) => boolean) {
    super(inner);
    this.gate = new Promise((resolve) => { this.release = resolve; });
    this.whenHeld = new Promise((resolve) => { this.tellHeld = resolve; });
  }

  override async commit(commit: StateCommit): ReturnType<StoppingStateStorage['commit']> {
    const written = await super.commit(commit);
    if (this.holds(commit)) {
      this.tellHeld();
      await this.gate;
    }
    return written;
  }
}

const ASK = { go: [delegate('pay it')], 'pay it': [PAY(), ScriptedTurn.text('It is ', 'paid.').usage(5, 2)] };

describe('S11 a child run is a session of its own', () => {
  it('S11 its answer is the result of the call', async () => {
    const family = new Family({ go: [delegate('look'), ScriptedTurn.text('seen')], look: [ScriptedTurn.call('r1', 'read', '{}'), ScriptedTurn.text('all fine')] });
    const one = await family.open();
    expect(await one.say('go')).toBe('complete');
    expect(one.history()).toEqual(['user: go', 'assistant:  [d1 delegate_task {"task":"look"}]', 'tool d1: all fine', 'assistant: seen']);
    expect(family.read.count).toBe(1);
    const [id] = await family.children();
    const run = one.runtime.snapshot().run?.runId ?? '';
    expect(id).toBe(`s.${run}.1.0`);
    const child = await family.child(id ?? '');
    expect([child.run?.status, child.run?.stopReason]).toEqual(['finished', 'complete']);
    expect(child.history.toArray().map((message) => message.text())).toEqual(['look', '', 'done', 'all fine']);
    expect(child.slices.get('subagent.parent')?.json.getString('sessionId')).toBe('s');
  });

  it('S11 the parent commits waiting before the child commits anything, and begun before the child goes on', async () => {
    const family = new Family(ASK);
    const commits: string[] = [];
    family.world.onCommit = (commit) => {
      const call = commit.next.openBatch?.calls[0];
      const waits = call?.status === CallStatus.waiting ? `waiting ${call.childSessionId === undefined ? '' : call.childBegun ? 'begun' : 'named'}` : '';
      commits.push([commit.sessionId === 's' ? 'parent' : 'child', commit.reason, waits].filter((part) => part !== '').join(' '));
    };
    const one = await family.open();
    expect(await one.say('go')).toBe('awaiting_approval');
    expect(commits).toEqual([
      'parent after_user_input', 'parent after_model_text', 'parent tool_effect waiting named', 'child after_user_input',
      'parent tool_effect waiting begun', 'child after_model_text', 'child awaiting_approval', 'parent awaiting_approval waiting begun',
    ]);
    commits.length = 0;
    await one.approveAll();
    expect(await one.resume()).toBe('complete');
    expect(commits).toEqual([
      'child approval_decision', 'parent resume_claim waiting begun', 'child resume_claim', 'child tool_effect', 'child tool_effect',
      'child after_tool_batch', 'child after_model_text', 'child terminal', 'parent tool_effect', 'parent after_tool_batch',
      'parent after_model_text', 'parent terminal',
    ]);
  });

  it('S11 a child does not go on before the parent\'s disk knows that it has begun', async () => {
    const family = new Family({ go: [delegate('look')], look: [ScriptedTurn.call('r1', 'read', '{}')] });
    const disk = new HeldStorage(family.world.disk, (commit) => commit.sessionId === 's' && commit.next.openBatch?.calls[0]?.childBegun === true);
    const one = await family.open({ config: { stateStorage: disk } });
    const ending = one.say('go');
    await disk.whenHeld;
    for (let wait = 0; wait < 300; wait++) await Promise.resolve();
    expect(disk.reasons).toEqual(['after_user_input', 'after_model_text', 'tool_effect', 'after_user_input', 'tool_effect']);
    expect([family.read.count, one.provider.calls]).toEqual([0, 1]);
    disk.release();
    expect(await ending).toBe('complete');
  });

  it('APP-16 its question is the parent\'s: one announcement, prefixed ids, the path as origin, no own question', async () => {
    const family = new Family(ASK);
    const one = await family.open();
    expect(await one.say('go')).toBe('awaiting_approval');
    const [child] = await family.children();
    const own = await family.child(child ?? '');
    const batch = one.batch();
    expect(one.questions()).toEqual([`${child}/${own.pendingApproval?.items[0]?.approvalId}`]);
    expect([batch.batchId, batch.items[0]?.origin, batch.items[0]?.toolCall.name]).toEqual([`${child}/${own.pendingApproval?.batchId}`, ['s', child], 'pay']);
    expect((await family.world.stored()).pendingApproval).toBeUndefined();
    expect(one.log.of('bus').filter((line) => line === 'approval.required')).toHaveLength(1);
    expect(one.log.runEvents.filter((event) => event.type === AgentEventType.approvalRequired).map((event) => event.batch?.batchId)).toEqual([batch.batchId]);
    expect(one.observer.completions).toBe(1);
    expect((await family.world.stored()).run?.status).toBe('suspended');
  });

  it('APP-16 the question survives a kill, and the parent goes on with the child\'s end', async () => {
    const family = new Family(ASK);
    const one = await family.open();
    await one.say('go');
    one.kill();
    const two = await family.open();
    expect(two.questions()).toHaveLength(1);
    expect(await two.say('hello?')).toBe('pending_approval_blocks_input');
    const before = two.storage.commits.length;
    expect(await two.resume()).toBe('awaiting_approval');
    expect([two.result?.ok, two.storage.commits.length]).toEqual([false, before]);
    expect((await two.approveAll()).map((answer) => [answer.ok, answer.allDecided, answer.decision])).toEqual([[true, true, 'approved']]);
    expect(await two.say('hello?')).toBe('pending_approval_blocks_input');
    expect(two.result?.error.details?.get('resumeRequired')).toBe(true);
    expect(await two.resume()).toBe('complete');
    expect(family.pay.count).toBe(1);
    expect(two.history().slice(2)).toEqual(['tool d1: It is paid.', 'assistant: ok']);
    expect(await family.children()).toHaveLength(1);
  });

  it('APP-16 with an observer attached the last decision continues the run', async () => {
    const family = new Family(ASK);
    const one = await family.open();
    await one.say('go');
    const observer = one.log.observer();
    one.runtime.attach(observer);
    await one.approveAll();
    await new Promise<void>((resolve) => { observer.onEvent = (event) => { if (event.type === AgentEventType.runCompleted) resolve(); }; });
    expect(family.pay.count).toBe(1);
  });

  it('APP-16 a decision is told once at the parent, under the parent\'s names', async () => {
    const family = new Family(ASK);
    const one = await family.open();
    await one.say('go');
    const [id] = one.questions();
    one.log.clear();
    await one.controller.approve(id ?? '');
    expect(one.log.of('bus')).toEqual(['approval.resolved approved all']);
    expect(one.log.busEvents[0]).toMatchObject({ sessionId: 's', decisions: [{ approvalId: id, decision: 'approved', decidedBy: 'person' }] });
  });

  it('DEC-49 the same decision later is the standing one, a different one is refused, in every process', async () => {
    const family = new Family(ASK);
    const one = await family.open();
    await one.say('go');
    const id = one.questions()[0] ?? '';
    await one.approveAll();
    expect((await one.controller.approve(id)).ok).toBe(true);
    await one.resume();
    for (const process of [one, await family.open()]) {
      expect(await process.controller.approve(id)).toMatchObject({ ok: true, decision: 'approved', approvalId: id });
      expect((await process.controller.deny(id)).error?.code).toBe('approval_batch_closed');
      expect((await process.controller.deny(`${id}x`)).error?.code).toBe('approval_not_found');
      expect((await process.controller.deny('s.nobody.1.0/x')).error?.code).toBe('approval_not_found');
    }
    expect(family.pay.count).toBe(1);
  });

  it('what a child says and does is progress of the call, and nothing else of it is heard', async () => {
    const family = new Family(ASK);
    const one = await family.open();
    await one.say('go');
    await one.approveAll();
    await one.resume();
    const progress = one.log.runEvents.filter((event) => event.type === AgentEventType.toolProgress);
    expect(progress.map((event) => [event.call?.name, event.text])).toEqual([['delegate_task', 'pay'], ['delegate_task', 'It is '], ['delegate_task', 'paid.']]);
    expect(new Set(one.log.runEvents.map((event) => event.sessionId))).toEqual(new Set(['s']));
    expect(new Set(one.log.busEvents.map((event) => event.sessionId))).toEqual(new Set(['s']));
    expect(one.log.runEvents.filter((event) => event.type === AgentEventType.toolCallStarted).map((event) => event.call?.name)).toEqual(['delegate_task']);
  });

  it('its tokens are added to the parent\'s, once', async () => {
    const family = new Family(ASK);
    const one = await family.open();
    await one.say('go');
    await one.approveAll();
    await one.resume();
    expect((await family.world.stored()).usage.totalTokens).toBe(7 + 2);
  });

  it('two children in one batch work one after the other, each with its own question', async () => {
    const family = new Family({ go: [delegate('a', 'b')], a: [PAY(1), ScriptedTurn.text('A')], b: [PAY(2), ScriptedTurn.text('B')] });
    const one = await family.open();
    expect(await one.say('go')).toBe('awaiting_approval');
    expect(one.questions()).toHaveLength(1);
    await one.approveAll();
    expect(await one.resume()).toBe('awaiting_approval');
    expect(one.questions().map((id) => id.split('.').at(-2)?.split('/')[0])).toEqual(['1']);
    await one.approveAll();
    expect(await one.resume()).toBe('complete');
    expect(one.history().slice(2, 4)).toEqual(['tool d1: A', 'tool d2: B']);
    expect(family.pay.runs.map((run) => run.argumentsJson)).toEqual(['{"n":1}', '{"n":2}']);
  });

  it('S11 depth 2: the question of a grandchild surfaces at the top with the whole path', async () => {
    const family = new Family({ go: [delegate('mid')], mid: [delegate('leaf'), ScriptedTurn.text('mid done')], leaf: [PAY(), ScriptedTurn.text('leaf done')] }, { maxDepth: 2 });
    const one = await family.open();
    expect(await one.say('go')).toBe('awaiting_approval');
    one.kill();
    const two = await family.open();
    const [mid, leaf] = await family.children();
    expect(two.batch().items[0]?.origin).toEqual(['s', mid, leaf]);
    expect(two.questions()[0]?.startsWith(`${mid}/${leaf}/`)).toBe(true);
    await two.approveAll();
    expect(await two.resume()).toBe('complete');
    expect(two.history()[2]).toBe('tool d1: mid done');
    expect(family.pay.count).toBe(1);
  });

  it('a worker below the last level has no way to delegate', async () => {
    const family = new Family({ go: [delegate('mid')], mid: [delegate('leaf'), ScriptedTurn.text('alone')] });
    const one = await family.open();
    expect(await one.say('go')).toBe('complete');
    const [mid] = await family.children();
    expect((await family.child(mid ?? '')).history.at(2)?.text()).toContain('tool_not_found');
  });

  it('a run may delegate only so many tasks', async () => {
    const family = new Family({ go: [delegate('a', 'b', 'c')] }, { maxChildrenPerRun: 2 });
    const one = await family.open();
    expect(await one.say('go')).toBe('complete');
    expect(one.history().slice(2, 5)).toEqual(['tool d1: ok', 'tool d2: ok', 'tool d3 error: sub_agent_limit: this run has delegated 2 tasks, more are not allowed']);
    expect(await family.children()).toHaveLength(2);
  });

  it('the bounds of a result hold for a worker\'s answer', async () => {
    const family = new Family({ go: [delegate('a')], a: [ScriptedTurn.text('x'.repeat(50))] }, { maxResultChars: 10 });
    const one = await family.open();
    await one.say('go');
    expect(one.history()[2]).toBe(`tool d1: ${'x'.repeat(10)}[cut: 10 of 50 characters shown]`);
  });

  it('earlier calls of the batch have run when a child asks; they do not run again', async () => {
    const family = new Family({ go: [new ScriptedTurn().call('r1', 'read', '{}').call('d1', 'delegate_task', '{"task":"pay it"}').call('r2', 'read', '{"n":2}')], 'pay it': [PAY(), ScriptedTurn.text('paid')] });
    const one = await family.open();
    await one.say('go');
    expect(family.read.count).toBe(1);
    await one.approveAll();
    expect(await one.resume()).toBe('complete');
    expect(family.read.runs.map((run) => run.callId)).toEqual(['r1', 'r2']);
  });

  it('a child\'s tool result passes on as the child\'s words only', async () => {
    const family = new Family(ASK);
    family.pay.work = async () => ToolResult.text('RAW');
    const one = await family.open();
    await one.say('go');
    await one.approveAll();
    await one.resume();
    expect(JSON.stringify(one.history())).not.toContain('RAW');
  });
});
