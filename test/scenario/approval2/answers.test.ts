import { describe, expect, it } from 'vitest';
import { type AuthorizationPolicy, AuthorizationResult } from '@core/approval/AuthorizationPolicy';
import { ToolRiskLevel } from '@core/model/ToolDefinition';
import { AgentHook } from '@core/hook/AgentHook';
import { ToolCallHookResult } from '@core/hook/result/ToolCallHookResult';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import { ApprovalPolicyResult, type ToolApprovalPolicy } from '@core/approval/ApprovalPolicy';
import type { Process } from '../../support/Process';
import { World } from '../../support/World';

class Silent implements AuthorizationPolicy {
  readonly name = 'silent';
  readonly answers: ((result: AuthorizationResult) => void)[] = [];

  authorize(): Promise<AuthorizationResult> {
    return new Promise((resolve) => { this.answers.push(resolve); });
  }
}

async function until(done: () => boolean): Promise<void> {
  for (let i = 0; i < 1000 && !done(); i++) {
    await Promise.resolve();
  }
}

function by(process: Process): (string | undefined)[] {
  return process.log.runEvents.filter((event) => event.envelope !== undefined).map((event) => event.envelope?.result.metadata?.getString('by'));
}

describe('S13 an authorization policy that does not answer', () => {
  it('S13 counts as a rejection after authorizationTimeoutMs; a late yes changes nothing', async () => {
    const world = new World();
    const tool = world.safe('read');
    const policy = new Silent();
    const one = await world.open({ turns: [ScriptedTurn.call('c1', 'read', '{}')], config: { authorizationPolicy: policy, limits: { authorizationTimeoutMs: 500 } } });
    const run = one.say('go');
    await until(() => policy.answers.length === 1);
    world.scheduler.advance(499);
    await until(() => false);
    expect(one.runtime.running).toBe(true);
    world.scheduler.advance(1);
    expect(await run).toBe('complete');
    policy.answers[0](AuthorizationResult.allow());
    await until(() => false);
    expect(tool.count).toBe(0);
    expect(one.history()[2]).toBe('tool c1 error: tool_denied: the authorization policy gave no answer within 500 ms');
    expect(by(one)).toEqual(['silent']);
    expect(world.scheduler.pendingCount).toBe(0);
  });

  it('an answer in time stops the timer', async () => {
    const world = new World();
    const tool = world.safe('read', { timeoutMs: 0 });
    const policy = new Silent();
    const one = await world.open({ turns: [ScriptedTurn.call('c1', 'read', '{}')], config: { authorizationPolicy: policy } });
    const run = one.say('go');
    await until(() => policy.answers.length === 1);
    policy.answers[0](AuthorizationResult.allow());
    expect(await run).toBe('complete');
    expect([tool.count, world.scheduler.pendingCount]).toEqual([1, 0]);
  });

  it('a limit that is none is refused by name', async () => {
    const world = new World();
    await expect(world.open({ config: { limits: { authorizationTimeoutMs: 0 }, grants: { maxGrants: -1 } } }))
      .rejects.toMatchObject({ code: 'config_invalid', message: expect.stringMatching(/grants\.maxGrants.*limits\.authorizationTimeoutMs/) });
  });
});

describe('what the model and the app are told about a refused call', () => {
  const SCHEMA = '{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"number"},"c":{"type":"boolean"}},"required":["a","b"]}';

  it('the model gets every issue of a call at once, one line each', async () => {
    const world = new World();
    world.tool('set', ToolRiskLevel.safe, undefined, SCHEMA);
    const one = await world.open({ turns: [ScriptedTurn.call('c1', 'set', '{"b":"x","c":1}'), ScriptedTurn.call('c2', 'set', '{"b":1}')] });
    await one.say('go');
    const lines = one.history()[2].split('\n');
    expect(lines[0]).toBe('tool c1 error: tool_argument_required: Missing required argument: a');
    expect(lines.slice(1)).toHaveLength(2);
    expect(lines[1]).toMatch(/^- .*b/);
    expect(lines[2]).toMatch(/^- .*c/);
    expect(one.history()[4], 'a single issue is one line').toBe('tool c2 error: tool_argument_required: Missing required argument: a');
  });

  it('DEC-20 who refused survives the disk and is not told to the model', async () => {
    class DenyingPolicy implements ToolApprovalPolicy {
      decide(): ApprovalPolicyResult {
        return ApprovalPolicyResult.deny('closed');
      }
    }
    class DenyingHook extends AgentHook {
      override async beforeToolCall(): Promise<ToolCallHookResult> {
        return ToolCallHookResult.deny(undefined, 'never');
      }
    }
    const gate: AuthorizationPolicy = { name: 'walls', authorize: async () => AuthorizationResult.reject('outside') };
    for (const [name, config] of [['policy', { approvalPolicy: new DenyingPolicy() }], ['hook', { hooks: [new DenyingHook('guard')] }], ['walls', { authorizationPolicy: gate }]] as const) {
      const world = new World();
      world.safe('read');
      world.dangerous('pay');
      const one = await world.open({ turns: [ScriptedTurn.call('c1', 'read', '{}')], config });
      await one.say('go');
      expect(by(one), name).toEqual([name]);
      expect(one.lastRequest().join(), name).not.toContain(`"by"`);
    }
  });

  it('DEC-20 an expired question and a refused one name the clock and the person', async () => {
    for (const decider of ['expiry', 'person']) {
      const world = new World();
      world.dangerous('pay');
      const one = await world.open({ turns: [ScriptedTurn.call('c1', 'pay', '{}')], config: { approvalTtlMs: 5 } });
      await one.say('go');
      const [id] = one.questions();
      if (decider === 'expiry') {
        world.clock.advance(5);
      }
      await one.controller.deny(id);
      one.kill();
      const two = await world.open();
      await two.resume();
      expect(by(two)).toEqual([decider]);
    }
  });
});
