import { describe, expect, it } from 'vitest';
import { GrantScope, type RememberRequest } from '@core/approval/ApprovalGrant';
import { ApprovalScope } from '@core/approval/ApprovalModes';
import { ApprovalPolicyResult, type ToolApprovalPolicy } from '@core/approval/ApprovalPolicy';
import { type AuthorizationPolicy, AuthorizationResult } from '@core/approval/AuthorizationPolicy';
import { ArkAgentError } from '@core/base/ArkAgentError';
import { ToolBeforeEvent } from '@core/control/event/ToolEvents';
import { AgentHook } from '@core/hook/AgentHook';
import { StatePersistenceHookResult } from '@core/hook/result/StatePersistenceHookResult';
import { ToolCallHookResult } from '@core/hook/result/ToolCallHookResult';
import { ToolRiskLevel } from '@core/model/ToolDefinition';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import type { AgentConfig } from '@core/runtime/config/AgentConfig';
import { CommitFault } from '@core/testing/StoppingStateStorage';
import { ToolResult } from '@core/tool/ToolResult';
import type { RecordingTool } from '@core/testing/RecordingTool';
import type { Process } from '../../support/Process';
import { World } from '../../support/World';

const TOOL: RememberRequest = { scope: GrantScope.tool };
const ARGUMENTS: RememberRequest = { scope: GrantScope.arguments };

function note(args: string, id = 'n'): ScriptedTurn {
  return ScriptedTurn.call(id, 'note', args);
}

interface Granted {
  world: World;
  note: RecordingTool;
  one: Process;
  grantId: string;
}

/** A session in which a person approved note {"n":1} once and had the yes remembered; the run is complete. */
async function granted(remember: RememberRequest, next: ScriptedTurn[] = [], config: Partial<AgentConfig> = {}): Promise<Granted> {
  const world = new World();
  const tool = world.sensitive('note');
  const one = await world.open({ turns: [note('{"n":1}'), ScriptedTurn.text('ok'), ...next], config });
  await one.say('go');
  const answer = await one.controller.approveAndRemember(one.questions()[0], remember, 'ada');
  expect([answer.ok, answer.notRemembered]).toEqual([true, '']);
  expect(await one.resume()).toBe('complete');
  expect(tool.count).toBe(1);
  return { world, note: tool, one, grantId: answer.grantId ?? '' };
}

describe('DEC-46 remembered grants', () => {
  it('a grant for the tool allows every later call, in this process and the next', async () => {
    const { world, note: tool, one } = await granted(TOOL, [note('{"n":2}')]);
    expect(await one.say('again')).toBe('complete');
    expect(tool.count).toBe(2);
    one.kill();
    const two = await world.open({ turns: [note('{"n":3}')] });
    expect(two.runtime.listGrants()).toHaveLength(1);
    expect(await two.say('and again')).toBe('complete');
    expect(tool.count).toBe(3);
    await expect(world.storedText()).resolves.toContain('"grants":{"version":1');
  });

  it('a grant for the arguments means these arguments, however they are written', async () => {
    const { note: tool, one } = await granted(ARGUMENTS, [note('{ "n" : 1.0 }'), ScriptedTurn.text('ok'), note('{"n":2}')]);
    expect(await one.say('the same')).toBe('complete');
    expect(tool.count).toBe(2);
    expect(await one.say('another')).toBe('awaiting_approval');
    expect(tool.count).toBe(2);
  });

  it('says what it is, who gave it and what it still allows, without arguments', async () => {
    const { world, one, grantId } = await granted({ scope: GrantScope.arguments, uses: 3, expiresInMs: 1000 });
    const [grant] = one.controller.listGrants();
    expect([grant.grantId, grant.toolName, grant.scope, grant.grantedBy, grant.remainingUses, grant.createdAtMs, grant.expiresAtMs])
      .toEqual([grantId, 'note', 'arguments', 'ada', 3, world.clock.nowMs(), world.clock.nowMs() + 1000]);
    expect(JSON.stringify(grant)).not.toContain('"n"');
  });

  it('the run tells who let the call through', async () => {
    const { one, grantId } = await granted(TOOL, [note('{}')]);
    const before = one.log.busEvents.filter((event) => event instanceof ToolBeforeEvent);
    expect(before.map((event) => event.decidedBy)).toEqual(['ada']);
    await one.say('again');
    const after = one.log.busEvents.filter((event) => event instanceof ToolBeforeEvent);
    expect(after.map((event) => event.decidedBy)).toEqual(['ada', `grant:${grantId}`]);
  });

  it('is over when its time has passed, also when the clock is set back after that', async () => {
    const { world, one } = await granted({ scope: GrantScope.tool, expiresInMs: 1000 }, [note('{}'), ScriptedTurn.text('ok'), note('{}')]);
    world.clock.advance(999);
    expect(await one.say('in time')).toBe('complete');
    world.clock.advance(1);
    expect(one.runtime.listGrants()).toEqual([]);
    world.clock.advance(-500);
    expect(await one.say('late')).toBe('awaiting_approval');
  });

  it('counts its uses; the approved call itself is none', async () => {
    const { note: tool, one } = await granted({ scope: GrantScope.tool, uses: 2 },
      [note('{"n":2}'), note('{"n":3}'), note('{"n":4}')]);
    expect(await one.say('three more')).toBe('awaiting_approval');
    expect(tool.count).toBe(3);
    expect(one.runtime.listGrants()).toEqual([]);
    expect(one.batch().items[0].toolCall.argumentsJson).toBe('{"n":4}');
  });

  it('two calls of one batch never count on the same last use', async () => {
    const { note: tool, one } = await granted({ scope: GrantScope.tool, uses: 1 },
      [new ScriptedTurn().call('a', 'note', '{"n":2}').call('b', 'note', '{"n":3}')]);
    expect(await one.say('two')).toBe('awaiting_approval');
    expect(tool.count).toBe(1);
    expect(one.batch().items.map((item) => [item.decision, item.decidedBy?.replace(/:.*/, '')]))
      .toEqual([['approved', 'grant'], ['pending', undefined]]);
    expect(one.questions()).toHaveLength(1);
    expect(one.batch().siblings.map((line) => [line.position, line.status])).toEqual([[0, 'will_run']]);
    await one.approveAll();
    expect(await one.resume()).toBe('complete');
    expect(tool.count).toBe(3);
    expect(one.runtime.listGrants()).toEqual([]);
  });

  it.each([CommitFault.stopBefore, CommitFault.stopAfter])('counts the use in the commit that lets the call run (%s)', async (fault) => {
    const { world, note: tool, one } = await granted({ scope: GrantScope.tool, uses: 2 }, [note('{"n":2}')]);
    one.storage.plan(3, fault);
    expect(await one.say('again')).toBe('stopped');
    expect(one.storage.reasons.at(-1)).toBe('tool_effect');
    const two = await world.open();
    expect([two.runtime.listGrants()[0].remainingUses, tool.count]).toEqual(fault === CommitFault.stopAfter ? [1, 1] : [2, 1]);
  });

  it('a start that cannot be stored costs no use', async () => {
    const { world, note: tool, one } = await granted({ scope: GrantScope.tool, uses: 1 }, [note('{"n":2}')]);
    one.storage.plan(3, CommitFault.failBefore);
    expect(await one.say('again')).toBe('state_save_failed');
    expect(tool.count).toBe(1);
    expect((await world.open()).runtime.listGrants()[0].remainingUses).toBe(1);
  });

  it('a tool that is another one now is asked about again', async () => {
    const { world, one, note: tool } = await granted(TOOL);
    one.kill();
    const changed = new World({ disk: world.disk });
    changed.tool('note', ToolRiskLevel.sensitive, undefined,
      '{"type":"object","properties":{"n":{"type":"number"}}}');
    const two = await changed.open({ turns: [note('{"n":2}')] });
    expect(await two.say('again')).toBe('awaiting_approval');
    expect(tool.count).toBe(1);
  });

  it('a remembered edit covers the arguments that the person wrote', async () => {
    const world = new World();
    const tool = world.sensitive('note');
    const one = await world.open({ turns: [note('{"n":1}'), note('{"n":7}'), note('{"n":1}')] });
    await one.say('go');
    const answer = await one.runtime.applyApprovalDecision({
      approvalId: one.questions()[0], approve: true, editedArgumentsJson: '{"n":7}', remember: ARGUMENTS });
    expect(answer.grantId).toBeDefined();
    expect(await one.resume()).toBe('awaiting_approval');
    expect(tool.runs.map((run) => run.argumentsJson)).toEqual(['{"n":7}', '{"n":7}']);
  });
});

describe('DEC-46 what a grant cannot do', () => {
  class Naming implements ToolApprovalPolicy {
    constructor(private readonly answer: () => ApprovalPolicyResult) {}

    decide(): ApprovalPolicyResult {
      return this.answer();
    }
  }

  /** The session goes on in a process with another configuration. */
  async function goesOn(config: Partial<AgentConfig>): Promise<{ ending: string; count: number; last: string }> {
    const { world, note: tool, one } = await granted(TOOL);
    one.kill();
    const two = await world.open({ turns: [note('{"n":2}')], config });
    const ending = await two.say('again');
    return { ending, count: tool.count, last: two.history().find((text) => text.startsWith('tool n error')) ?? '' };
  }

  it('it does not beat a policy that denies', async () => {
    const result = await goesOn({ approvalPolicy: new Naming(() => ApprovalPolicyResult.deny('closed')) });
    expect(result).toEqual({ ending: 'complete', count: 1, last: 'tool n error: tool_denied: closed' });
  });

  it('it does not answer for a policy that failed: what that would have said is not known', async () => {
    const failing = new Naming(() => { throw new Error('x'); });
    expect((await goesOn({ approvalPolicy: failing })).ending).toBe('awaiting_approval');
  });

  it('it does not satisfy an authorization that wants a person', async () => {
    const policy: AuthorizationPolicy = { name: 'a', authorize: async () => AuthorizationResult.requireConfirmation('sure?') };
    expect((await goesOn({ authorizationPolicy: policy })).ending).toBe('awaiting_approval');
  });

  it('it does not beat an authorization that rejects', async () => {
    const policy: AuthorizationPolicy = { name: 'a', authorize: async () => AuthorizationResult.reject('not there') };
    expect((await goesOn({ authorizationPolicy: policy })).last).toContain('tool_denied: not there');
  });

  it("it does not undo a hook's defer, and that costs no use", async () => {
    class Deferring extends AgentHook {
      override async beforeToolCall(): Promise<ToolCallHookResult> {
        return ToolCallHookResult.defer('look at it');
      }
    }
    const { world, one } = await granted({ scope: GrantScope.tool, uses: 1 });
    one.kill();
    const two = await world.open({ turns: [note('{"n":2}')], config: { hooks: [new Deferring('d')] } });
    expect(await two.say('again')).toBe('awaiting_approval');
    await two.approveAll();
    expect(await two.resume()).toBe('complete');
    expect(two.runtime.listGrants()[0].remainingUses).toBe(1);
  });

  it('with scope wholeBatch every call is decided all the same', async () => {
    const { world, note: tool, one } = await granted({ scope: GrantScope.tool, uses: 1 });
    world.dangerous('pay');
    one.kill();
    const two = await world.open({ turns: [new ScriptedTurn().call('a', 'note', '{}').call('b', 'pay', '{}')],
      config: { approvalScope: ApprovalScope.wholeBatch } });
    await two.say('again');
    expect(two.questions()).toHaveLength(2);
    await two.approveAll();
    expect(await two.resume()).toBe('complete');
    expect([tool.count, two.runtime.listGrants()[0].remainingUses]).toEqual([2, 1]);
  });

  it('a dangerous tool is not remembered unless the app says so; the yes stands either way', async () => {
    for (const allowDangerous of [false, true]) {
      const world = new World();
      const pay = world.dangerous('pay');
      const turns = [ScriptedTurn.call('p', 'pay', '{}'), ScriptedTurn.call('p', 'pay', '{}')];
      const one = await world.open({ turns, config: { grants: { allowDangerous } } });
      await one.say('go');
      const answer = await one.controller.approveAndRemember(one.questions()[0], TOOL);
      expect([answer.ok, answer.decision, answer.grantId === undefined, answer.notRemembered === '']).toEqual([true, 'approved', !allowDangerous, allowDangerous]);
      expect(await one.resume()).toBe(allowDangerous ? 'complete' : 'awaiting_approval');
      expect(pay.count).toBe(allowDangerous ? 2 : 1);
    }
  });

  it('an app that takes its word back is asked again about dangerous tools', async () => {
    const world = new World();
    world.dangerous('pay');
    const one = await world.open({ turns: [ScriptedTurn.call('p', 'pay', '{}')], config: { grants: { allowDangerous: true } } });
    await one.say('go');
    await one.controller.approveAndRemember(one.questions()[0], TOOL);
    await one.resume();
    one.kill();
    const two = await world.open({ turns: [ScriptedTurn.call('p', 'pay', '{}')] });
    expect(await two.say('again')).toBe('awaiting_approval');
  });

  it.each<[string, RememberRequest]>([
    ['no uses', { scope: GrantScope.tool, uses: 0 }], ['half a use', { scope: GrantScope.tool, uses: 0.5 }],
    ['no time', { scope: GrantScope.tool, expiresInMs: -1 }], ['not a number', { scope: GrantScope.tool, expiresInMs: NaN }],
    ['a scope that is none', { scope: 'everything' as GrantScope }],
  ])('a wish with %s is not remembered and says why', async (_name, wish) => {
    const world = new World();
    world.sensitive('note');
    const one = await world.open({ turns: [note('{}')] });
    await one.say('go');
    const answer = await one.controller.approveAndRemember(one.questions()[0], wish);
    expect([answer.ok, answer.grantId, answer.notRemembered]).toEqual([true, undefined, expect.stringMatching(/must/)]);
    expect(one.runtime.listGrants()).toEqual([]);
  });

  it('a no is not remembered as a grant', async () => {
    const world = new World();
    world.sensitive('note');
    const one = await world.open({ turns: [note('{}')] });
    await one.say('go');
    const answer = await one.runtime.applyApprovalDecision({ approvalId: one.questions()[0], approve: false, remember: TOOL });
    expect([answer.decision, answer.grantId, answer.notRemembered]).toEqual(['denied', undefined, 'only a yes is remembered']);
  });

  it('a session keeps at most maxGrants', async () => {
    const { one } = await granted(ARGUMENTS, [note('{"n":2}')], { grants: { maxGrants: 1 } });
    await one.say('again');
    const answer = await one.controller.approveAndRemember(one.questions()[0], ARGUMENTS);
    expect(answer.notRemembered).toContain('at most 1');
    expect(one.runtime.listGrants()).toHaveLength(1);
  });
});

describe('revoking a grant', () => {
  it('the next call asks; a second revocation finds nothing', async () => {
    const { world, one, grantId } = await granted(TOOL, [note('{}')]);
    expect((await one.controller.revokeGrant(grantId)).value).toBe(true);
    expect((await world.storedText())).not.toContain(grantId);
    expect((await one.runtime.revokeGrant(grantId)).value).toBe(false);
    expect(await one.say('again')).toBe('awaiting_approval');
  });

  it('it holds for the calls of a batch that has begun', async () => {
    const { note: tool, one, grantId } = await granted(TOOL,
      [new ScriptedTurn().call('a', 'note', '{"n":2}').call('b', 'note', '{"n":3}').call('c', 'note', '{"n":4}')]);
    tool.work = async () => { await one.runtime.revokeGrant(grantId); return ToolResult.text('done'); };
    expect(await one.say('three')).toBe('awaiting_approval');
    expect(tool.count).toBe(2);
    expect(one.controller.listPendingApprovals().map((item) => item.toolCall.id)).toEqual(['b']);
    expect(one.controller.listPendingApprovals()[0].reason).toContain('does not hold any more');
    tool.work = undefined;
    await one.approveAll();
    expect(await one.resume()).toBe('awaiting_approval');
    await one.approveAll();
    expect(await one.resume()).toBe('complete');
    expect(tool.count).toBe(4);
    expect(one.history().filter((text) => text.startsWith('tool '))).toHaveLength(4);
  });

  it('it holds for a frozen sibling that the grant had let through', async () => {
    const { note: tool, one, grantId, world } = await granted(TOOL);
    world.dangerous('pay');
    one.kill();
    const two = await world.open({ turns: [new ScriptedTurn().call('a', 'note', '{}').call('b', 'pay', '{}')] });
    await two.say('again');
    expect(two.questions()).toHaveLength(1);
    await two.runtime.revokeGrant(grantId);
    await two.approveAll();
    expect(await two.resume(), 'a sibling that newly needs consent freezes again').toBe('awaiting_approval');
    expect(two.controller.listPendingApprovals().map((item) => [item.toolCall.name, item.round])).toEqual([['note', 1]]);
    await two.approveAll();
    expect(await two.resume()).toBe('complete');
    expect(tool.count).toBe(2);
  });

  it('what cannot be stored is not revoked', async () => {
    const { one, grantId } = await granted(TOOL, [note('{}')]);
    one.storage.plan(1, CommitFault.failBefore);
    expect((await one.runtime.revokeGrant(grantId)).error.code).toBe('state_save_failed');
    expect(one.runtime.listGrants()).toHaveLength(1);
    expect(await one.say('again')).toBe('complete');
  });

  it('a hook may refuse it; a closed runtime says so', async () => {
    class Aborting extends AgentHook {
      override async beforePersistState(): Promise<StatePersistenceHookResult> {
        return StatePersistenceHookResult.abort('no', ArkAgentError.security('mine', 'no'));
      }
    }
    const { world, one, grantId } = await granted(TOOL);
    one.kill();
    const two = await world.open({ config: { hooks: [new Aborting('a')] } });
    expect((await two.runtime.revokeGrant(grantId)).ok).toBe(false);
    expect(two.runtime.listGrants()).toHaveLength(1);
    await two.runtime.close();
    expect((await two.runtime.revokeGrant(grantId)).error.code).toBe('runtime_closed');
    expect((await two.controller.revokeGrant(grantId)).error.code).toBe('approval_host_missing');
    expect(two.controller.listGrants()).toEqual([]);
  });

  it('of two owners the second one sees that it is gone', async () => {
    const { world, one, grantId } = await granted(TOOL);
    const two = await world.open();
    expect((await two.runtime.revokeGrant(grantId)).value).toBe(true);
    expect((await one.runtime.revokeGrant(grantId)).value).toBe(false);
    expect(one.runtime.listGrants()).toEqual([]);
  });
});
