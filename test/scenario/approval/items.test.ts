import { describe, expect, it } from 'vitest';
import { ApprovalScope } from '@core/approval/ApprovalModes';
import { AgentHook } from '@core/hook/AgentHook';
import type { ToolCallHookContext } from '@core/hook/context/ToolCallHookContext';
import { ToolCallHookResult } from '@core/hook/result/ToolCallHookResult';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import { World } from '../../support/World';

const THREE = (): ScriptedTurn => new ScriptedTurn().call('c1', 'read', '{"n":1}').call('c2', 'pay', '{"n":2}').call('c3', 'note', '{"n":3}');

class RewritingHook extends AgentHook {
  override async beforeToolCall(context: ToolCallHookContext): Promise<ToolCallHookResult> {
    if (context.call.name === 'note') {
      return ToolCallHookResult.deny(undefined, 'no notes');
    }
    return context.call.name === 'pay' ?
      ToolCallHookResult.proceed(context.call.withArguments('{"n":20}'), 'the sum was raised') : ToolCallHookResult.proceed(context.call);
  }
}

class DeferringHook extends AgentHook {
  override async beforeToolCall(context: ToolCallHookContext): Promise<ToolCallHookResult> {
    return ToolCallHookResult.defer('I am not sure');
  }
}

function bank(): World {
  const world = new World();
  world.safe('read');
  world.dangerous('pay');
  world.sensitive('note');
  return world;
}

describe('the items of a batch', () => {
  it('DEC-47 ids are batchId:position:round, and items point at the calls of the message by position', async () => {
    const one = await bank().open({ turns: [THREE()] });
    await one.say('go');
    const batch = one.batch();
    expect(batch.items.map((item) => item.approvalId)).toEqual([0, 1, 2].map((position) => `${batch.batchId}:${position}:0`));
    for (const item of batch.items) {
      expect(batch.modelMessage.toolCalls[item.position].id).toBe(item.toolCall.id);
    }
  });

  it('DEC-48 siblings that nobody is asked about are items decided by policy, and no questions', async () => {
    const one = await bank().open({ turns: [THREE()] });
    await one.say('go');
    const [read, pay, note] = one.batch().items;
    expect([read.decision, read.decidedBy, read.kind]).toEqual(['approved', 'policy', 'call']);
    expect([pay.decision, pay.riskLevel, pay.effect]).toEqual(['pending', 'dangerous', 'irreversible']);
    expect([note.decision, note.riskLevel, note.effect]).toEqual(['pending', 'sensitive', 'reversible']);
    expect(pay.definitionHash).toMatch(/^v1:sha256:/);
    expect([pay.warnings, pay.origin, pay.proposedCall, pay.predecessorUnknown]).toEqual([[], [], undefined, false]);
    expect(one.questions()).toEqual([pay.approvalId, note.approvalId]);
    expect(one.batch().siblings).toEqual([{ position: 0, toolName: 'read', status: 'will_run' }]);
  });

  it('DEC-48 an item shows the call after hooks, what the model proposed, and the warnings of hooks', async () => {
    const world = bank();
    const one = await world.open({ turns: [THREE()], config: { hooks: [new RewritingHook('rewrite')] } });
    await one.say('go');
    const pay = one.batch().latestAt(1);
    expect(pay?.toolCall.argumentsJson).toBe('{"n":20}');
    expect(pay?.proposedCall?.argumentsJson).toBe('{"n":2}');
    expect(pay?.warnings).toEqual(['the sum was raised']);
    expect(one.batch().modelMessage.toolCalls[1].argumentsJson).toBe('{"n":2}');
  });

  it('DEC-32 a hook denial is kept in the frozen batch and is no personal denial: the rest runs', async () => {
    const world = bank();
    const one = await world.open({ turns: [THREE()], config: { hooks: [new RewritingHook('rewrite')] } });
    await one.say('go');
    expect(one.batch().siblings.map((line) => `${line.toolName} ${line.status}`)).toEqual(['read will_run', 'note refused']);
    one.kill();
    const two = await world.open();
    await two.approveAll();
    expect(await two.resume()).toBe('complete');
    expect(two.history().slice(2, 5)).toEqual(['tool c1: done', 'tool c2: done', expect.stringContaining('tool c3 error:')]);
    expect(two.history()[4]).toContain('no notes');
  });

  it('DEC-32 a deferred safe call asks, and runs once it is approved', async () => {
    const world = new World();
    const read = world.safe('read');
    const one = await world.open({ turns: [ScriptedTurn.call('c1', 'read', '{}')], config: { hooks: [new DeferringHook('defer')] } });
    expect(await one.say('go')).toBe('awaiting_approval');
    expect(one.batch().items[0].reason).toContain('I am not sure');
    await one.approveAll();
    expect(await one.resume()).toBe('complete');
    expect(read.count).toBe(1);
  });

  it('with scope wholeBatch each call is a question, and a denied safe call stops the batch', async () => {
    const world = bank();
    const one = await world.open({ turns: [THREE()], config: { approvalScope: ApprovalScope.wholeBatch } });
    await one.say('go');
    expect(one.questions()).toHaveLength(3);
    const [read, pay, note] = one.questions();
    await one.controller.approve(pay);
    await one.controller.approve(note);
    await one.controller.deny(read);
    await one.resume();
    expect(one.history().slice(2, 5).every((line) => line.includes(' error:'))).toBe(true);
  });

  it('lists are copies: changing one changes nothing', async () => {
    const one = await bank().open({ turns: [THREE()] });
    await one.say('go');
    const items = one.batch().items as unknown as { decision: string }[];
    items[1].decision = 'approved';
    (one.controller.listPendingApprovals() as unknown as unknown[]).length = 0;
    expect(one.questions()).toHaveLength(2);
  });
});
