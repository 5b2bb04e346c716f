import { describe, expect, it } from 'vitest';
import { ApprovalPolicyResult, type ToolApprovalPolicy } from '@core/approval/ApprovalPolicy';
import { AuthorizationResult, type AuthorizationPolicy } from '@core/approval/AuthorizationPolicy';
import { ArkAgentError } from '@core/base/ArkAgentError';
import { ErrorCode } from '@core/base/ErrorCodes';
import { Result } from '@core/base/Result';
import { AgentHook } from '@core/hook/AgentHook';
import type { ToolCallHookContext } from '@core/hook/context/ToolCallHookContext';
import { ToolCallHookResult } from '@core/hook/result/ToolCallHookResult';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import type { AgentState, AgentStateParts } from '@core/state/AgentState';
import { AgentState as State } from '@core/state/AgentState';
import { StateCommit } from '@core/state/StateCommit';
import { StoppingStateStorage } from '@core/testing/StoppingStateStorage';
import { ToolSelection, type ToolSelector } from '@core/tool/ToolSelector';
import { Family, PAY, delegate, following } from './family';

const ASK = { go: [delegate('pay it')], 'pay it': [PAY(), ScriptedTurn.text('done')] };

class Blocking extends AgentHook {
  readonly asked: string[] = [];

  override async beforeToolCall(context: ToolCallHookContext): Promise<ToolCallHookResult> {
    this.asked.push(`${context.sessionId === 's' ? 'parent' : 'child'} ${context.call.name}`);
    return context.call.name === 'pay' ? ToolCallHookResult.deny(undefined, 'blocked') : ToolCallHookResult.proceed(context.call);
  }
}

class Decides implements ToolApprovalPolicy {
  constructor(private readonly answer: ApprovalPolicyResult) {}

  decide(): ApprovalPolicyResult {
    return this.answer;
  }
}

function authorization(refuses: string): AuthorizationPolicy {
  return { name: 'test', authorize: async (request) => request.call.name === refuses ? AuthorizationResult.reject('not here') : AuthorizationResult.allow() };
}

function hiding(name: string): ToolSelector {
  return { select: (tools) => new ToolSelection(tools.filter((tool) => tool.definition.name !== name).map((tool) => tool.definition), [{ name, reason: 'hidden' }]) };
}

async function childWords(family: Family): Promise<string> {
  const [id] = await family.children();
  return (await family.child(id ?? '')).history.toArray().map((message) => message.text()).join('\n');
}

describe('S11 a worker has its session\'s rules, or stricter ones', () => {
  it('EXE-15 a blocking hook of the parent blocks the tool in the child', async () => {
    const family = new Family(ASK);
    const hook = new Blocking('block');
    const one = await family.open({ config: { hooks: [hook] } });
    expect(await one.say('go')).toBe('complete');
    expect(hook.asked).toEqual(['parent delegate_task', 'child pay']);
    expect(await childWords(family)).toContain('blocked');
    expect(family.pay.count).toBe(0);
  });

  it('EXE-15 and in a grandchild', async () => {
    const family = new Family({ go: [delegate('mid')], mid: [delegate('leaf')], leaf: [PAY()] }, { maxDepth: 2 });
    const one = await family.open({ config: { hooks: [new Blocking('block')] } });
    expect(await one.say('go')).toBe('complete');
    expect(family.pay.count).toBe(0);
  });

  it('S11 the authorization and the approval policy of the parent hold in the child', async () => {
    for (const config of [{ authorizationPolicy: authorization('pay') }, { approvalPolicy: { decide: (call: { name: string }) => call.name === 'pay' ? ApprovalPolicyResult.deny('never') : ApprovalPolicyResult.allow() } }]) {
      const family = new Family(ASK);
      const one = await family.open({ config });
      expect(await one.say('go')).toBe('complete');
      expect(await childWords(family)).toContain('tool_denied');
      expect(family.pay.count).toBe(0);
    }
  });

  it('S11 a worker\'s own policies only tighten', async () => {
    const lax = new Family(ASK, { approvalPolicy: new Decides(ApprovalPolicyResult.allow()), authorizationPolicy: authorization('') });
    expect(await (await lax.open()).say('go')).toBe('awaiting_approval');
    for (const sub of [{ approvalPolicy: new Decides(ApprovalPolicyResult.deny('no')) }, { authorizationPolicy: authorization('pay') }]) {
      const strict = new Family(ASK, sub);
      expect(await (await strict.open({ config: { authorizationPolicy: authorization('') } })).say('go')).toBe('complete');
      expect(await childWords(strict)).toContain('tool_denied');
    }
  });

  it('S11 what a selector hides from the parent or from the worker is hidden from the worker', async () => {
    for (const [sub, config] of [[{}, { toolSelector: hiding('pay') }], [{ toolSelector: hiding('pay') }, {}], [{ toolSelector: hiding('pay') }, { toolSelector: hiding('read') }], [{ toolSelector: hiding('read') }, { toolSelector: hiding('pay') }]] as const) {
      const family = new Family(ASK, sub);
      const one = await family.open({ config });
      expect(await one.say('go')).toBe('complete');
      expect(await childWords(family)).toContain('tool_not_visible');
    }
  });

  it('a tool that workers do not get is unknown to them', async () => {
    const family = new Family(ASK, { excludedTools: ['pay'] });
    const one = await family.open();
    expect(family.feature.buildWorkerToolRegistry().value.list().map((tool) => tool.name)).toEqual(['read']);
    expect(await one.say('go')).toBe('complete');
    expect(await childWords(family)).toContain('tool_not_found');
  });

  it('workers may have a model and a prompt of their own', async () => {
    const prompts: string[] = [];
    const family = new Family(ASK, { systemPrompt: 'You are a worker.' });
    const one = await family.open({ responder: (request, call) => {
      prompts.push(request.systemPrompt);
      return following(ASK)(request, call);
    }, config: { systemPrompt: 'You are the boss.' } });
    await one.say('go');
    expect(prompts).toEqual(['You are the boss.', 'You are a worker.']);
  });

  it('a direct call cannot delegate, and the tool serves its own session only', async () => {
    const family = new Family(ASK);
    await family.open();
    const other = new Family(ASK);
    const registry = other.world.registry();
    expect(family.feature.register(registry).ok).toBe(true);
    const two = await other.world.open({ responder: following(ASK), config: { sessionId: 'other', toolRegistry: registry } });
    await two.say('go');
    expect(two.history()[2]).toContain('this tool belongs to another session');
  });

  it('options that nobody can mean are refused', () => {
    const family = new Family(ASK, { maxDepth: 0, maxChildrenPerRun: 0.5 });
    return expect(family.open()).rejects.toMatchObject({ code: 'config_invalid' });
  });
});

/** A disk on which the sessions of children cannot be read. */
class FailingLoads extends StoppingStateStorage {
  failing = true;

  override async load(sessionId: string): ReturnType<StoppingStateStorage['load']> {
    return this.failing && sessionId !== 's' ? Result.failure(ArkAgentError.of(ErrorCode.stateLoadFailed, 'not now')) : super.load(sessionId);
  }
}

/** Writes a changed state as another owner would. */
async function rewrite(family: Family, id: string, change: (parts: AgentStateParts) => void): Promise<void> {
  const before: AgentState = await family.child(id);
  const parts = before.toParts();
  change(parts);
  parts.revision = before.revision + 1;
  const done = await family.world.disk.commit(new StateCommit(before, new State(parts), 'terminal' as never));
  if (!done.ok) throw done.error;
}

describe('S11 a link that is not what it should be', () => {
  async function asked(): Promise<[Family, string]> {
    const family = new Family(ASK);
    const one = await family.open();
    await one.say('go');
    one.kill();
    return [family, (await family.children())[0] ?? ''];
  }

  it('S11 a link that names another session is not followed: nothing of that session is listed, decided or closed', async () => {
    const [family, id] = await asked();
    const foreign = await family.world.open({ config: { sessionId: 'foreign' }, responder: following({ x: [PAY(7)] }) });
    await foreign.say('x');
    foreign.kill();
    await rewrite(family, 's', (parts) => {
      const call = parts.openBatch?.calls[0];
      if (call !== undefined) parts.openBatch = parts.openBatch?.withCall(call.waitingFor('foreign', 1));
    });
    const two = await family.open();
    expect(two.questions()).toEqual([]);
    expect((await two.controller.approve('foreign/x')).error?.code).toBe('approval_not_found');
    expect(await two.resume()).toBe('complete');
    expect(two.history()[2]).toContain('tool_outcome_unknown: the link to the sub-agent does not fit the call');
    expect((await family.child('foreign')).run?.status).toBe('suspended');
    expect((await family.child(id)).run?.status).toBe('suspended');
    expect(family.pay.count).toBe(0);
  });

  it('S11 nor does a cancel touch it', async () => {
    const [family] = await asked();
    await rewrite(family, 's', (parts) => {
      const call = parts.openBatch?.calls[0];
      if (call !== undefined) parts.openBatch = parts.openBatch?.withCall(call.waitingFor('foreign', 1));
    });
    const two = await family.open();
    await two.runtime.cancel('enough');
    await two.say('and?');
    expect(two.history()[2]).toContain('tool_outcome_unknown');
    expect((await family.world.disk.load('foreign')).value).toBeUndefined();
  });

  it('S11 a session that does not name this call as its parent is not taken for the child', async () => {
    const [family, id] = await asked();
    await rewrite(family, id, (parts) => {
      parts.slices = new Map();
    });
    const two = await family.open();
    expect(two.questions()).toEqual([]);
    expect(await two.resume()).toBe('complete');
    expect(two.history()[2]).toContain('tool_outcome_unknown: the sub-agent cannot be reached (state_invariant_broken)');
    expect(family.pay.count).toBe(0);
  });

  it.each(['resume', 'cancel'] as const)('S11 a child session that was removed: %s knows nothing of it and starts nothing', async (way) => {
    const [family, id] = await asked();
    await family.world.disk.remove(id);
    const two = await family.open();
    expect(two.questions()).toEqual([]);
    if (way === 'resume') {
      expect(await two.resume()).toBe('complete');
    } else {
      await two.runtime.cancel('enough');
      await two.say('and?');
    }
    expect(two.history()[2]).toContain('tool_outcome_unknown: the session of the sub-agent was removed; it may or may not have acted');
    expect(await family.children()).toEqual([]);
    expect(family.pay.count).toBe(0);
  });

  it('S11 a child that has ended and was removed before its end was taken does not begin anew', async () => {
    const family = new Family(ASK);
    const one = await family.open();
    await one.say('go');
    await one.approveAll();
    // claims, started, finished, after_tool_batch, after_model_text and terminal of the child; then the parent dies.
    one.storage.plan(8, 'stop_before' as never);
    expect(await one.resume()).toBe('stopped');
    const [id] = await family.children();
    expect((await family.child(id ?? '')).run?.status).toBe('finished');
    await family.world.disk.remove(id ?? '');
    const two = await family.open();
    expect(await two.resume()).toBe('complete');
    expect(two.history()[2]).toContain('was removed');
    expect(family.pay.count).toBe(1);
  });

  it('an app without the feature can end the run, and says that nobody knows', async () => {
    const [family] = await asked();
    const two = await family.world.open({ responder: following(ASK) });
    expect(await two.say('x')).toBe('pending_approval_blocks_input');
    expect(await two.resume()).toBe('complete');
    expect(two.history()[2]).toContain('tool_outcome_unknown');
  });

  it('a disk that cannot be read now gives nothing up', async () => {
    const [family] = await asked();
    const disk = new FailingLoads(family.world.disk);
    const two = await family.open({ config: { stateStorage: disk } });
    expect(two.questions()).toEqual([]);
    expect(await two.resume()).toBe('awaiting_approval');
    disk.failing = false;
    expect(await two.resume()).toBe('awaiting_approval');
    expect(two.questions()).toHaveLength(1);
    await two.approveAll();
    expect(await two.resume()).toBe('complete');
    expect(family.pay.count).toBe(1);
  });
});
