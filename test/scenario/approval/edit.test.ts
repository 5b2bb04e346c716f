import { describe, expect, it } from 'vitest';
import { ApprovalPolicyResult, type ToolApprovalPolicy } from '@core/approval/ApprovalPolicy';
import { AgentHook } from '@core/hook/AgentHook';
import type { ToolCallHookContext } from '@core/hook/context/ToolCallHookContext';
import { ToolCallHookResult } from '@core/hook/result/ToolCallHookResult';
import type { ToolCall } from '@core/message/ToolCall';
import { ToolRiskLevel } from '@core/model/ToolDefinition';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import type { RecordingTool } from '@core/testing/RecordingTool';
import { CommitFault } from '@core/testing/StoppingStateStorage';
import type { OpenOptions } from '../../support/World';
import type { Process } from '../../support/Process';
import { encoded, World } from '../../support/World';

const SCHEMA = '{"type":"object","properties":{"sum":{"type":"integer"},"to":{"type":"string"}},"required":["sum"]}';
const PAY = (): ScriptedTurn => ScriptedTurn.call('c1', 'pay', '{"sum":500,"to":"shop"}');

/** Refuses sums above 1000 and asks for the rest. */
class LimitPolicy implements ToolApprovalPolicy {
  decide(call: ToolCall): ApprovalPolicyResult {
    return /"sum":\d{4,}/.test(call.argumentsJson) ? ApprovalPolicyResult.deny('too much') :
      ApprovalPolicyResult.requireConfirmation('money');
  }
}

class RoundingHook extends AgentHook {
  seen: string[] = [];

  override async beforeToolCall(context: ToolCallHookContext): Promise<ToolCallHookResult> {
    this.seen.push(context.call.argumentsJson);
    return ToolCallHookResult.proceed(context.call.argumentsJson.includes('7') ?
      context.call.withArguments('{"sum":10}') : context.call);
  }
}

class RefusingHook extends AgentHook {
  override async beforeToolCall(context: ToolCallHookContext): Promise<ToolCallHookResult> {
    if (context.call.argumentsJson.includes('13')) {
      return ToolCallHookResult.abort('unlucky');
    }
    if (context.call.argumentsJson.includes('14')) {
      throw new Error('hook is broken');
    }
    return context.call.argumentsJson.includes('12') ? ToolCallHookResult.deny(undefined, 'no dozens') :
      context.call.argumentsJson.includes('11') ? ToolCallHookResult.defer('ask again') : ToolCallHookResult.proceed(context.call);
  }
}

async function asked(options: OpenOptions = {}): Promise<{ world: World; one: Process; pay: RecordingTool; id: string }> {
  const world = new World();
  const pay = world.tool('pay', ToolRiskLevel.dangerous, undefined, SCHEMA);
  const one = await world.open({ turns: [PAY()], ...options });
  expect(await one.say('go')).toBe('awaiting_approval');
  return { world, one, pay, id: one.questions()[0] };
}

describe('approving with other arguments', () => {
  it('APP-13 runs the edited call once and records it beside what the model proposed', async () => {
    const { world, one, pay, id } = await asked();
    const before = one.batch().items[0];
    const answer = await one.controller.approveWithArguments(id, '{"sum":5,"to":"shop"}');
    expect([answer.ok, answer.decision, answer.allDecided]).toEqual([true, 'approved', true]);
    const item = one.batch().items[0];
    expect(item.toolCall.argumentsJson).toBe('{"sum":5,"to":"shop"}');
    expect(item.proposedCall?.argumentsJson).toBe('{"sum":500,"to":"shop"}');
    expect(item.digest).not.toBe(before.digest);
    const stored = (await world.stored()).openBatch?.calls[0];
    expect([stored?.effective.argumentsJson, stored?.proposed?.argumentsJson]).toEqual(['{"sum":5,"to":"shop"}', '{"sum":500,"to":"shop"}']);
    expect(await one.resume()).toBe('complete');
    expect(pay.runs.map((run) => run.argumentsJson)).toEqual(['{"sum":5,"to":"shop"}']);
    expect(one.history()[1]).toContain('{"sum":500,"to":"shop"}');
  });

  it('APP-13 the edit survives a kill', async () => {
    const { world, one, pay, id } = await asked();
    await one.controller.approveWithArguments(id, '{"sum":6}');
    one.kill();
    const two = await world.open();
    expect(await two.resume()).toBe('complete');
    expect(pay.runs.map((run) => run.argumentsJson)).toEqual(['{"sum":6}']);
  });

  it.each([
    ['a wrong type', '{"sum":"five"}', 'tool_argument_type_mismatch'],
    ['a missing argument', '{}', 'tool_argument_required'],
    ['no JSON', '{sum', 'json_syntax'],
    ['no object', '[5]', 'json_not_object'],
    ['a number that would be rounded', '{"sum":9007199254740993}', 'json_number_unsafe'],
  ])('APP-13 DEC-52 an edit with %s is approval_edit_rejected, and the question stays open as it was', async (_what, json, code) => {
    const { world, one, pay, id } = await asked();
    const disk = await world.storedText();
    const answer = await one.controller.approveWithArguments(id, json);
    expect(answer.error?.code).toBe('approval_edit_rejected');
    expect(answer.error?.details?.get('code')).toBe(code);
    expect(await world.storedText()).toBe(disk);
    expect(encoded(one.runtime.snapshot())).toBe(disk);
    expect(one.questions()).toEqual([id]);
    await one.controller.approve(id);
    await one.resume();
    expect(pay.runs.map((run) => run.argumentsJson)).toEqual(['{"sum":500,"to":"shop"}']);
  });

  it('DEC-52 a policy deny of the edit is approval_edit_rejected, a question of the policy is satisfied by it', async () => {
    const { one, pay, id } = await asked({ config: { approvalPolicy: new LimitPolicy() } });
    const refused = await one.controller.approveWithArguments(id, '{"sum":5000}');
    expect([refused.error?.code, refused.error?.details?.get('code')]).toEqual(['approval_edit_rejected', 'tool_denied']);
    expect((await one.controller.approveWithArguments(id, '{"sum":50}')).allDecided).toBe(true);
    expect(await one.resume()).toBe('complete');
    expect(pay.count).toBe(1);
  });

  it.each([['deny', '{"sum":12}', 'tool_denied'], ['abort', '{"sum":13}', 'hook_abort'], ['throw', '{"sum":14}', 'hook_failed']])(
    'DEC-52 a hook that answers an edit with %s rejects it and leaves the run untouched', async (_what, json, code) => {
      const { one, pay, id } = await asked({ config: { hooks: [new RefusingHook('refuse')] } });
      const answer = await one.controller.approveWithArguments(id, json);
      expect([answer.error?.code, answer.error?.details?.get('code')]).toEqual(['approval_edit_rejected', code]);
      expect(one.questions()).toEqual([id]);
      expect(one.log.of('bus').filter((line) => line === 'agent.failed')).toEqual([]);
      expect((await one.controller.approveWithArguments(id, '{"sum":11}')).ok, 'a defer is satisfied by the edit').toBe(true);
      await one.resume();
      expect(pay.runs.map((run) => run.argumentsJson)).toEqual(['{"sum":11}']);
    });

  it('DEC-52 what a hook makes of an edit is proposed, not run', async () => {
    const hook = new RoundingHook('round');
    const { one, pay, id } = await asked({ config: { hooks: [hook] } });
    const answer = await one.controller.approveWithArguments(id, '{"sum":7}');
    expect(answer.error?.code).toBe('approval_edit_rejected');
    expect(answer.error?.details?.get('proposedArguments')).toBe('{"sum":10}');
    expect(hook.seen).toEqual(['{"sum":500,"to":"shop"}', '{"sum":7}']);
    expect((await one.controller.approveWithArguments(id, '{"sum":10}')).ok).toBe(true);
    await one.resume();
    expect(pay.runs.map((run) => run.argumentsJson)).toEqual(['{"sum":10}']);
    expect(hook.seen, 'DEC-51 hooks run once per version of a call').toHaveLength(3);
  });

  it('DEC-52 an edit that cannot be saved leaves question and journal as they were', async () => {
    const { world, one, pay, id } = await asked();
    const disk = await world.storedText();
    one.storage.plan(1, CommitFault.failBefore);
    expect((await one.controller.approveWithArguments(id, '{"sum":5}')).error?.code).toBe('state_save_failed');
    expect(encoded(one.runtime.snapshot())).toBe(disk);
    await one.controller.approve(id);
    await one.resume();
    expect(pay.runs.map((run) => run.argumentsJson)).toEqual(['{"sum":500,"to":"shop"}']);
  });

  it('an edit of a decided question gives the standing decision and edits nothing', async () => {
    const { one, pay, id } = await asked();
    await one.controller.approve(id);
    expect((await one.controller.approveWithArguments(id, '{"sum":5}')).decision).toBe('approved');
    await one.resume();
    expect(pay.runs.map((run) => run.argumentsJson)).toEqual(['{"sum":500,"to":"shop"}']);
  });
});
