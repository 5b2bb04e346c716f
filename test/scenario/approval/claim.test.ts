import { describe, expect, it } from 'vitest';
import { ApprovalPolicyResult, type ToolApprovalPolicy } from '@core/approval/ApprovalPolicy';
import { AgentHook } from '@core/hook/AgentHook';
import type { StatePersistenceHookContext } from '@core/hook/context/StatePersistenceHookContext';
import type { ToolCallHookContext } from '@core/hook/context/ToolCallHookContext';
import { StatePersistenceHookResult } from '@core/hook/result/StatePersistenceHookResult';
import { ToolCallHookResult } from '@core/hook/result/ToolCallHookResult';
import type { ToolCall } from '@core/message/ToolCall';
import { ToolRiskLevel } from '@core/model/ToolDefinition';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import { PersistReason } from '@core/state/PersistReason';
import { ToolEffect } from '@core/tool/ToolContract';
import { ToolResult } from '@core/tool/ToolResult';
import type { RecordingTool } from '@core/testing/RecordingTool';
import { CommitFault } from '@core/testing/StoppingStateStorage';
import type { Process } from '../../support/Process';
import { encoded, World } from '../../support/World';

const BATCH = (): ScriptedTurn => new ScriptedTurn().call('c1', 'read', '{}').call('c2', 'pay', '{"n":2}').call('c3', 'note', '{"n":3}');

/** Asks about what is named, refuses what is named with a minus, allows the rest. */
class NamedPolicy implements ToolApprovalPolicy {
  constructor(public names: string[]) {}

  decide(call: ToolCall): ApprovalPolicyResult {
    return this.names.includes(`-${call.name}`) ? ApprovalPolicyResult.deny('policy changed') :
      this.names.includes(call.name) ? ApprovalPolicyResult.requireConfirmation('listed') : ApprovalPolicyResult.allow();
  }
}

class CountingHook extends AgentHook {
  calls = 0;

  override async beforeToolCall(context: ToolCallHookContext): Promise<ToolCallHookResult> {
    this.calls++;
    return ToolCallHookResult.proceed(context.call);
  }
}

class ClaimAborter extends AgentHook {
  on = true;

  override async beforePersistState(context: StatePersistenceHookContext): Promise<StatePersistenceHookResult> {
    return this.on && context.reason === PersistReason.resumeClaim ? StatePersistenceHookResult.abort('not now') :
      StatePersistenceHookResult.skip();
  }
}

function bank(): { world: World; read: RecordingTool; pay: RecordingTool; note: RecordingTool; counts: () => number[] } {
  const world = new World();
  const read = world.safe('read');
  const pay = world.dangerous('pay');
  const note = world.sensitive('note');
  return { world, read, pay, note, counts: () => [read.count, pay.count, note.count] };
}

function codes(process: Process, from = 2, to = 5): string[] {
  return process.history().slice(from, to).map((line) => line.replace(/^tool \S+( error)?: /, '').split(':')[0]);
}

describe('DEC-51 the claim', () => {
  it('DEC-51 is committed before anything runs: running, segment + 1, planned calls', async () => {
    const { world, read } = bank();
    const one = await world.open({ turns: [BATCH()] });
    await one.say('go');
    await one.approveAll();
    read.work = async () => {
      const stored = await world.stored();
      expect([stored.run?.status, stored.run?.segment]).toEqual(['running', 1]);
      expect(stored.openBatch?.calls.map((call) => call.status)).toEqual(['planned', 'planned', 'planned']);
      return ToolResult.text('done');
    };
    expect(await one.resume()).toBe('complete');
    expect(read.count).toBe(1);
    expect(one.storage.reasons).toContain('resume_claim');
  });

  it('DEC-51 a policy that refuses now beats the old yes, and answers only its call', async () => {
    const { world, counts } = bank();
    const policy = new NamedPolicy(['pay']);
    const one = await world.open({ turns: [BATCH()], config: { approvalPolicy: policy } });
    await one.say('go');
    await one.approveAll();
    policy.names = ['-pay'];
    expect(await one.resume()).toBe('complete');
    expect(counts()).toEqual([1, 0, 1]);
    expect(codes(one)).toEqual(['done', 'tool_denied', 'done']);
  });

  it('DEC-51 a question of the policy is satisfied by the approval', async () => {
    const { world, counts } = bank();
    const one = await world.open({ turns: [BATCH()], config: { approvalPolicy: new NamedPolicy(['pay']) } });
    await one.say('go');
    await one.approveAll();
    expect(await one.resume()).toBe('complete');
    expect(counts()).toEqual([1, 1, 1]);
  });

  it('DEC-51 a sibling once allowed that now needs consent freezes again, without asking twice about the approved call', async () => {
    const { world, counts } = bank();
    const policy = new NamedPolicy(['pay']);
    const one = await world.open({ turns: [BATCH()], config: { approvalPolicy: policy } });
    await one.say('go');
    const [pay] = one.questions();
    await one.approveAll();
    policy.names = ['pay', 'note'];
    expect(await one.resume()).toBe('awaiting_approval');
    expect(counts()).toEqual([0, 0, 0]);
    expect(one.questions()).toEqual([pay.replace(':1:0', ':2:1')]);
    one.kill();
    const two = await world.open({ config: { approvalPolicy: policy } });
    expect((await two.controller.approve(pay)).decision).toBe('approved');
    await two.approveAll();
    expect(await two.resume()).toBe('complete');
    expect(counts()).toEqual([1, 1, 1]);
  });

  it('DEC-51 a denial of the second question stops the whole batch that has not begun', async () => {
    const { world, counts } = bank();
    const policy = new NamedPolicy(['pay']);
    const one = await world.open({ turns: [BATCH()], config: { approvalPolicy: policy } });
    await one.say('go');
    await one.approveAll();
    policy.names = ['pay', 'note'];
    await one.resume();
    await one.controller.deny(one.questions()[0]);
    expect(await one.resume()).toBe('complete');
    expect(counts()).toEqual([0, 0, 0]);
    expect(codes(one)).toEqual(['tool_batch_not_executed', 'tool_batch_not_executed', 'tool_denied']);
  });

  it('DEC-51 hooks before calls run once, before the freeze, also over a kill', async () => {
    const { world } = bank();
    const hook = new CountingHook('count');
    const one = await world.open({ turns: [BATCH()], config: { hooks: [hook] } });
    await one.say('go');
    await one.approveAll();
    one.kill();
    const two = await world.open({ config: { hooks: [hook] } });
    await two.resume();
    expect(hook.calls).toBe(3);
  });

  it('DEC-51 a hook that aborts the claim: hook_abort, the session as it was, no terminal write; later resume works', async () => {
    const { world, counts } = bank();
    const hook = new ClaimAborter('claim');
    const one = await world.open({ turns: [BATCH()], config: { hooks: [hook] } });
    await one.say('go');
    await one.approveAll();
    const before = encoded(one.runtime.snapshot());
    one.log.clear();
    expect(await one.resume()).toBe('hook_abort');
    expect(encoded(one.runtime.snapshot())).toBe(before);
    expect(await world.storedText()).toBe(before);
    expect(one.log.lines).toEqual(['run onError hook_abort']);
    hook.on = false;
    expect(await one.resume()).toBe('complete');
    expect(counts()).toEqual([1, 1, 1]);
  });

  it('DEC-63 a claim that cannot be saved ends the run; the session takes new input and nothing has run', async () => {
    const { world, counts } = bank();
    const one = await world.open({ turns: [BATCH(), ScriptedTurn.text('fine')] });
    await one.say('go');
    const [id] = one.questions();
    await one.approveAll();
    one.storage.plan(1, CommitFault.failBefore);
    expect(await one.resume()).toBe('state_save_failed');
    expect(one.storage.reasons.slice(-2)).toEqual(['resume_claim', 'terminal']);
    expect(one.log.count('bus agent.resumed')).toBe(0);
    expect(counts()).toEqual([0, 0, 0]);
    expect((await one.controller.deny(id)).error?.code).toBe('approval_batch_closed');
    expect(await one.say('what now?')).toBe('complete');
    expect(codes(one)).toEqual(['tool_batch_not_executed', 'tool_batch_not_executed', 'tool_batch_not_executed']);
  });
});

describe('DEC-39 tools that changed while the question was open', () => {
  it('DEC-39 a tool that is gone: tool_changed for it, not_executed for the rest', async () => {
    const { world, counts } = bank();
    const one = await world.open({ turns: [BATCH()] });
    await one.say('go');
    await one.approveAll();
    one.registry.unregister('pay');
    expect(await one.resume()).toBe('complete');
    expect(counts()).toEqual([0, 0, 0]);
    expect(codes(one)).toEqual(['tool_batch_not_executed', 'tool_changed', 'tool_batch_not_executed']);
  });

  it('DEC-39 the same after a restart without the tool; the history stays readable', async () => {
    const { world, counts } = bank();
    const one = await world.open({ turns: [BATCH()] });
    await one.say('go');
    one.kill();
    const two = await world.open({ without: ['read'] });
    await two.approveAll();
    expect(await two.resume()).toBe('complete');
    expect(counts()).toEqual([0, 0, 0]);
    expect(codes(two)).toEqual(['tool_changed', 'tool_batch_not_executed', 'tool_batch_not_executed']);
  });

  it('DEC-39 denying still works for a tool that is gone', async () => {
    const { world, counts } = bank();
    const one = await world.open({ turns: [BATCH()] });
    await one.say('go');
    one.registry.unregister('pay');
    await one.controller.denyAll(one.batch().batchId);
    expect(await one.resume()).toBe('complete');
    expect(counts()).toEqual([0, 0, 0]);
    expect(codes(one)).toEqual(['tool_batch_not_executed', 'tool_denied', 'tool_denied']);
  });

  it.each([
    ['other parameters', ToolRiskLevel.dangerous, '{"type":"object","properties":{"n":{"type":"integer"}}}', true],
    ['another risk', ToolRiskLevel.sensitive, '{"type":"object"}', true],
    ['another description of a parameter only', ToolRiskLevel.dangerous, '{"type":"object","description":"neu"}', false],
  ])('DEC-53 a tool with %s', async (_what, risk, schema, changed) => {
    const { world, counts } = bank();
    const one = await world.open({ turns: [BATCH()] });
    await one.say('go');
    await one.approveAll();
    one.kill();
    const pay = world.tool('pay', risk, { effect: risk === ToolRiskLevel.sensitive ? ToolEffect.reversible : ToolEffect.irreversible }, schema);
    const two = await world.open();
    expect(await two.resume()).toBe('complete');
    expect(pay.count).toBe(changed ? 0 : 1);
    expect(counts()[1]).toBe(0);
    expect(codes(two)[1]).toBe(changed ? 'tool_changed' : 'done');
  });

  it('DEC-39 checked again just before execution: a call that replaces the next tool stops it and the rest', async () => {
    const { world, read, counts } = bank();
    const one = await world.open({ turns: [BATCH()] });
    read.work = async () => {
      one.registry.unregister('pay');
      return ToolResult.text('done');
    };
    await one.say('go');
    await one.approveAll();
    expect(await one.resume()).toBe('complete');
    expect(counts()).toEqual([1, 0, 0]);
    expect(codes(one)).toEqual(['done', 'tool_changed', 'tool_batch_not_executed']);
  });

  it('DEC-39 a tool that was not visible in the request is tool_not_visible and never asks', async () => {
    const { world, counts } = bank();
    const hider = new (class extends AgentHook {
      override async beforeModelCall(context: Parameters<AgentHook['beforeModelCall']>[0]): ReturnType<AgentHook['beforeModelCall']> {
        const { ModelCallHookResult } = await import('@core/hook/result/ModelCallHookResult');
        return ModelCallHookResult.proceed(context.request.withTools(context.request.tools.filter((tool) => tool.name !== 'pay')));
      }
    })('hide');
    const one = await world.open({ turns: [new ScriptedTurn().call('c1', 'pay', '{}')], config: { hooks: [hider] } });
    expect(await one.say('go')).toBe('complete');
    expect(counts()).toEqual([0, 0, 0]);
    expect(codes(one, 2, 3)).toEqual(['tool_not_visible']);
    expect(one.log.count('bus approval.required')).toBe(0);
  });
});
