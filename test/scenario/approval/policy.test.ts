import { describe, expect, it } from 'vitest';
import { ApprovalPolicyResult, type ToolApprovalPolicy } from '@core/approval/ApprovalPolicy';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import { World } from '../../support/World';

class ThrowingPolicy implements ToolApprovalPolicy {
  decide(): ApprovalPolicyResult {
    throw new Error('broken policy');
  }
}

class DenyingPolicy implements ToolApprovalPolicy {
  decide(): ApprovalPolicyResult {
    return ApprovalPolicyResult.deny('not on a Sunday');
  }
}

function calls(...names: string[]): ScriptedTurn {
  return names.reduce((turn, name, at) => turn.call(`c${at + 1}`, name, '{}'), new ScriptedTurn());
}

describe('who is asked', () => {
  it('APP-01 runs a safe call without asking', async () => {
    const world = new World();
    const read = world.safe('read');
    const one = await world.open({ turns: [calls('read')] });
    expect(await one.say('go')).toBe('complete');
    expect(read.count).toBe(1);
    expect(one.log.count('bus approval.required')).toBe(0);
  });

  it.each(['sensitive', 'dangerous'] as const)('APP-01 asks before a %s call', async (risk) => {
    const world = new World();
    const tool = world[risk]('act');
    const one = await world.open({ turns: [calls('act')] });
    expect(await one.say('go')).toBe('awaiting_approval');
    expect(tool.count).toBe(0);
    const item = one.batch().items[0];
    expect([item.riskLevel, item.isPending()]).toEqual([risk, true]);
    expect(item.reason).toContain('"act" requires confirmation');
    await one.approveAll();
    expect(await one.resume()).toBe('complete');
    expect(tool.count).toBe(1);
  });

  it('APP-02 never asks about a tool that does not exist', async () => {
    const world = new World();
    const one = await world.open({ turns: [calls('ghost')] });
    expect(await one.say('go')).toBe('complete');
    expect(one.log.count('bus approval.required')).toBe(0);
    expect(one.history()[2]).toBe('tool c1 error: tool_not_found: Tool not found: ghost');
  });

  it('APP-02 asks only about the call that exists in a batch with one that does not', async () => {
    const world = new World();
    world.dangerous('pay');
    const one = await world.open({ turns: [calls('ghost', 'pay')] });
    expect(await one.say('go')).toBe('awaiting_approval');
    expect(one.batch().items.map((item) => item.toolCall.name)).toEqual(['pay']);
    expect(one.batch().siblings).toEqual([{ position: 0, toolName: 'ghost', status: 'refused', reason: 'tool_not_found' }]);
    await one.approveAll();
    await one.resume();
    expect(one.history().slice(2, 4)).toEqual(['tool c1 error: tool_not_found: Tool not found: ghost', 'tool c2: done']);
  });

  it('DEC-31 a call that fails a gate never asks and does not stop its siblings', async () => {
    const world = new World();
    const read = world.safe('read');
    world.tool('typed', undefined, undefined, '{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}');
    const one = await world.open({ turns: [calls('typed', 'read')] });
    expect(await one.say('go')).toBe('complete');
    expect(read.count).toBe(1);
    expect(one.history()[2]).toContain('tool_argument_required');
  });

  it('asks when the policy throws', async () => {
    const world = new World();
    const read = world.safe('read');
    const one = await world.open({ turns: [calls('read')], config: { approvalPolicy: new ThrowingPolicy() } });
    expect(await one.say('go')).toBe('awaiting_approval');
    expect(read.count).toBe(0);
  });

  it('DEC-20 a policy deny answers with tool_denied that names the policy, and asks nobody', async () => {
    const world = new World();
    const pay = world.dangerous('pay');
    const one = await world.open({ turns: [calls('pay')], config: { approvalPolicy: new DenyingPolicy() } });
    expect(await one.say('go')).toBe('complete');
    expect(pay.count).toBe(0);
    expect(one.history()[2]).toContain('tool_denied: not on a Sunday');
  });
});
