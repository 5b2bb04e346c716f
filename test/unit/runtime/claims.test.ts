import { describe, expect, it } from 'vitest';
import { GrantScope } from '@core/approval/ApprovalGrant';
import { ApprovalDecision, ApprovalKind } from '@core/approval/ApprovalModes';
import { ApprovalPolicyResult } from '@core/approval/ApprovalPolicy';
import { AuthorizationResult } from '@core/approval/AuthorizationPolicy';
import { PendingApprovalItem } from '@core/approval/PendingApprovalItem';
import type { ToolCallHookContext } from '@core/hook/context/ToolCallHookContext';
import { ToolCallHookResult } from '@core/hook/result/ToolCallHookResult';
import { ToolRiskLevel } from '@core/model/ToolDefinition';
import type { AuditRecord } from '@core/port/AuditSink';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import { GrantBook } from '@core/runtime/consent/GrantBook';
import { BatchMessages } from '@core/runtime/ledger/BatchMessages';
import { LateResults } from '@core/runtime/ledger/LateResults';
import { ToldCalls } from '@core/runtime/ledger/ToldCalls';
import { EffectiveClock } from '@core/runtime/store/EffectiveClock';
import { AgentState } from '@core/state/AgentState';
import { CallResult } from '@core/state/CallResult';
import type { OpenBatch } from '@core/state/OpenBatch';
import { CallStatus } from '@core/state/OpenCall';
import { PersistReason } from '@core/state/PersistReason';
import type { SliceAccess } from '@core/state/SliceAccess';
import { StateCommit } from '@core/state/StateCommit';
import type { StateSlice } from '@core/state/StateSlice';
import { CountingIdGenerator } from '@core/testing/CountingIdGenerator';
import { ManualClock } from '@core/testing/ManualClock';
import { TestDigest } from '@core/testing/TestDigest';
import { ToolEffect } from '@core/tool/ToolContract';
import { ToolResult } from '@core/tool/ToolResult';
import { ToolCallStatus } from '@core/tool/ToolResultEnvelope';
import { type SelectableTool, ToolSelection } from '@core/tool/ToolSelector';
import type { Process } from '../../support/Process';
import { World } from '../../support/World';
import { hook } from '../../scenario/run/harness';
import { call } from './support';

class Slices implements SliceAccess {
  readonly map = new Map<string, StateSlice>();

  getSlice(name: string): StateSlice | undefined {
    return this.map.get(name);
  }

  putSlice(name: string, slice: StateSlice | undefined): void {
    if (slice === undefined) this.map.delete(name);
    else this.map.set(name, slice);
  }
}

describe('what another process reads', () => {
  it('DEC-46 a grant still holds', () => {
    const slices = new Slices();
    const book = (): GrantBook => new GrantBook(slices, new EffectiveClock(new ManualClock(1000)), new CountingIdGenerator('g'), {});
    const item = new PendingApprovalItem({
      approvalId: 'a', position: 0, round: 0, kind: ApprovalKind.call, toolCall: call(0), riskLevel: ToolRiskLevel.sensitive, effect: ToolEffect.reversible, reason: '', createdAtMs: 1, decision: ApprovalDecision.approved, warnings: [], origin: [], digest: 'd', definitionHash: 'h',
    });
    const id = book().add(item, { scope: GrantScope.tool, uses: 2 }, 'ada');
    expect(book().match({ toolName: 'pay', riskLevel: ToolRiskLevel.sensitive, definitionHash: 'h', digest: () => 'd' }, new Map())?.grantId).toBe(id);
  });

  it('a job that ended is not a lost one', () => {
    const slices = new Slices();
    new LateResults(slices).add({ batchId: 'b', position: 0, callId: 'c0', toolName: 'pay', failed: false, text: 'done', tell: true, jobId: 'j' });
    expect(new LateResults(slices).takeNotes()[0].text()).toBe('[job ended] The job j (pay, call c0) has ended well. Its answer: done');
  });
});

describe('DEC-43 ends of calls that were told', () => {
  it('a call that begins again has another end; its place in another batch has nothing to do with that', () => {
    const told = new ToldCalls();
    told.note('b', 0);
    told.note('b', 1);
    told.begins('other', 0);
    told.begins('b', 1);
    expect([told.has('b', 0), told.has('b', 1), told.has('other', 0)]).toEqual([true, false, false]);
  });
});

describe('calls that a cancel closed', () => {
  it('are neither told of nor recorded again when new input comes, in whichever process', async () => {
    const records: string[] = [];
    const config = { auditSink: { record: (entry: AuditRecord): void => { if (entry.step === 'closed') records.push(entry.callId); } } };
    const world = new World();
    world.dangerous('pay');
    const one = await world.open({ turns: [ScriptedTurn.call('c1', 'pay', '{}')], config });
    await one.say('go');
    await one.runtime.cancel('enough');
    const two = await world.open({ config });
    expect(await two.say('more')).toBe('complete');
    expect([records, two.log.of('bus').filter((line) => line.startsWith('tool.'))]).toEqual([['c1'], []]);
  });
});

describe('a fault of the runtime during a claim', () => {
  it('is told as an error, and the run can be taken up again', async () => {
    const world = new World();
    world.dangerous('pay');
    const one = await world.open({ turns: [ScriptedTurn.call('c1', 'pay', '{}')] });
    await one.say('go');
    await one.approveAll();
    let broken = true;
    const digest = { sha256Hex: (text: string): string => { if (broken) throw new Error('no digest'); return new TestDigest().sha256Hex(text); } };
    const two = await world.open({ config: { ports: { clock: world.clock, scheduler: world.scheduler, ids: world.ids, digest } } });
    expect([await two.resume(), two.runtime.running, two.observer.errors.map((error) => error.code)]).toEqual(['internal_error', false, ['internal_error']]);
    broken = false;
    expect(await two.resume()).toBe('complete');
  });
});

describe('DEC-51 a claim that was being checked when another owner went on', () => {
  const pay = (id: string): ScriptedTurn => ScriptedTurn.call(id, 'pay', `{"id":"${id}"}`);

  it.each<[string, (other: Process) => Promise<unknown>, number]>([
    ['and asks again', (other) => other.resume(), 1],
    ['and has begun another run', async (other) => { await other.runtime.cancel(); await other.say('another'); }, 0],
    ['and has ended it', (other) => other.runtime.cancel(), 0],
  ])('starts nothing: %s', async (_name, goOn, runs) => {
    const world = new World();
    world.sensitive('note');
    const tool = world.dangerous('pay');
    let meanwhile = async (): Promise<unknown> => undefined;
    const authorizationPolicy = { name: 'slow', authorize: async () => { await meanwhile(); return AuthorizationResult.allow(); } };
    const one = await world.open({ turns: [ScriptedTurn.call('n', 'note', '{}'), ScriptedTurn.text('noted'), pay('c1')], config: { authorizationPolicy } });
    await one.say('go');
    const { grantId } = await one.controller.approveAndRemember(one.questions()[0], { scope: GrantScope.tool }, 'ada');
    expect([await one.resume(), await one.say('again')]).toEqual(['complete', 'awaiting_approval']);
    await one.approveAll();
    const two = await world.open({ turns: [pay('c2'), pay('c3')] });
    meanwhile = async () => {
      meanwhile = async () => undefined;
      await goOn(two);
      expect((await one.runtime.revokeGrant(grantId as string)).value, 'loads what the other one stored').toBe(true);
    };
    expect([await one.resume(), tool.count, one.runtime.running]).toEqual(['state_conflict', runs, false]);
  });
});

describe('what came late for a batch that its process left open', () => {
  it('DEC-36 is told with the next input, as nobody cancelled the run', async () => {
    const world = new World();
    world.dangerous('pay');
    const one = await world.open({ turns: [ScriptedTurn.call('c1', 'pay', '{}')] });
    await one.say('go');
    one.kill();
    const stored = await world.stored();
    const batch = stored.openBatch as OpenBatch;
    const given = batch.calls[0].withResult(CallStatus.unknown, BatchMessages.closing(batch.calls[0].withStatus(CallStatus.unknown)));
    const late = given.withLateResult(CallResult.of(ToolCallStatus.ok, '', ToolResult.text('paid'), 0));
    const next = new AgentState({ ...stored.toParts(), revision: stored.revision + 1, commitId: 'late', pendingApproval: undefined, run: stored.run?.running(0), openBatch: batch.withCall(late) });
    await world.disk.commit(new StateCommit(stored, next, PersistReason.afterToolBatch));
    const two = await world.open();
    expect([await two.say('more'), two.history().filter((line) => line.includes('[late result] The call c1 (pay)')).length]).toEqual(['complete', 1]);
  });
});

describe('the review of an edit', () => {
  it('DEC-52 shows hooks the tools that the batch could see, and no others', async () => {
    const seen: string[] = [];
    const world = new World();
    world.dangerous('pay');
    world.safe('look');
    world.safe('hidden');
    const looking = hook('looking', { beforeToolCall: async (context: ToolCallHookContext) => { seen.push(context.availableTools.map((tool) => tool.name).sort().join()); return ToolCallHookResult.proceed(context.call); } });
    const toolSelector = { select: (tools: ReadonlyArray<SelectableTool>) => new ToolSelection(tools.map((tool) => tool.definition).filter((tool) => tool.name !== 'hidden'), []) };
    const one = await world.open({ turns: [ScriptedTurn.call('c1', 'pay', '{"n":1}')], config: { hooks: [looking], toolSelector } });
    await one.say('go');
    expect([(await one.controller.approveWithArguments(one.questions()[0], '{"n":2}')).ok, seen]).toEqual([true, ['look,pay', 'look,pay']]);
  });
});

describe('a batch that was cut off and meets other rules when it is taken up', () => {
  const effect = { effect: ToolEffect.irreversible };
  const allowing = { decide: () => ApprovalPolicyResult.allow() };

  it('S2 a repetition that is refused now is still one of which nobody knows whether it happened', async () => {
    const world = new World();
    const tool = world.dangerous('pay', { ...effect, idempotent: true });
    const one = await world.open({ turns: [ScriptedTurn.call('c1', 'pay', '{}')], config: { approvalPolicy: allowing } });
    tool.work = async () => { one.kill(); return ToolResult.text('paid'); };
    expect(await one.say('go')).toBe('stopped');
    const two = await world.open({ config: { approvalPolicy: { decide: () => ApprovalPolicyResult.deny('closed') } } });
    expect([await two.resume(), tool.count]).toEqual(['complete', 1]);
    expect(two.history().filter((line) => line.startsWith('tool c1'))).toEqual([expect.stringContaining('tool_outcome_unknown')]);
  });

  it('DEC-39 a tool that is gone stops what has not begun, and leaves alone what has ended', async () => {
    const world = new World();
    for (const name of ['note', 'pay', 'send']) world.dangerous(name, effect);
    const one = await world.open({ turns: [new ScriptedTurn().call('c1', 'note', '{}').call('c2', 'pay', '{}').call('c3', 'send', '{}')], config: { approvalPolicy: allowing } });
    world.onCommit = (commit) => { if (commit.next.openBatch?.calls[0].status === CallStatus.finished) one.kill(); };
    expect(await one.say('go')).toBe('stopped');
    world.onCommit = undefined;
    const two = await world.open({ config: { approvalPolicy: allowing }, without: ['send'] });
    await two.resume();
    expect(two.history().filter((line) => /^tool c[13]/.test(line))).toEqual(['tool c1: done', expect.stringContaining('tool_changed')]);
  });
});
