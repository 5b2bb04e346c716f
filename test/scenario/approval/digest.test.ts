import { describe, expect, it } from 'vitest';
import { PendingApprovalItem } from '@core/approval/PendingApprovalItem';
import { AgentHook } from '@core/hook/AgentHook';
import type { ToolCallHookContext } from '@core/hook/context/ToolCallHookContext';
import { ToolCallHookResult } from '@core/hook/result/ToolCallHookResult';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import { AgentState } from '@core/state/AgentState';
import { CallTarget, OpenCall } from '@core/state/OpenCall';
import { StateCommit } from '@core/state/StateCommit';
import { PersistReason } from '@core/state/PersistReason';
import type { Process } from '../../support/Process';
import { World } from '../../support/World';

const ARGS = '{"to":"shop","sum":5}';

async function asked(json = ARGS): Promise<{ world: World; one: Process; counts: () => number[] }> {
  const world = new World();
  const read = world.safe('read');
  const pay = world.dangerous('pay');
  const one = await world.open({ turns: [new ScriptedTurn().call('c1', 'read', '{}').call('c2', 'pay', json)] });
  await one.say('go');
  return { world, one, counts: () => [read.count, pay.count] };
}

/** Writes the disk behind the runtime's back: the journal of the second call says something else than the person saw. */
async function tamper(world: World, change: (call: OpenCall) => OpenCall,
  show: (item: PendingApprovalItem) => PendingApprovalItem = (item) => item): Promise<void> {
  const stored = await world.stored();
  const parts = stored.toParts();
  parts.openBatch = stored.openBatch?.withCall(change(stored.openBatch.calls[1]));
  parts.pendingApproval = stored.pendingApproval?.withItems(stored.pendingApproval.items.map((item) => item.position === 1 ? show(item) : item));
  parts.revision++;
  parts.commitId = 'tampered';
  const written = await world.disk.commit(new StateCommit(stored, new AgentState(parts), PersistReason.afterModelText));
  expect(written.ok).toBe(true);
}

function withTarget(call: OpenCall, json: string): OpenCall {
  const init = call.toInit();
  init.effective = new CallTarget(call.effective.name, json);
  return new OpenCall(init);
}

/** Makes every payment small. */
class Cheaper extends AgentHook {
  override async beforeToolCall(context: ToolCallHookContext): Promise<ToolCallHookResult> {
    return ToolCallHookResult.proceed(context.call.argumentsJson.includes('"sum":5') ? context.call.withArguments('{"to":"shop","sum":1}') : context.call);
  }
}

function digestOf(process: Process): string | undefined {
  return process.batch().latestAt(1)?.digest;
}

async function expectMismatch(world: World, counts: () => number[]): Promise<void> {
  const two = await world.open();
  await two.approveAll();
  expect(await two.resume()).toBe('complete');
  expect(counts()).toEqual([0, 0]);
  expect(two.history().slice(2, 4)).toEqual([
    'tool c1 error: tool_batch_not_executed: another call of the batch stopped it (not_executed)',
    'tool c2 error: approval_digest_mismatch: the stored call is not the one that was shown; it did not run',
  ]);
}

describe('S4 what was shown is what runs', () => {
  it.each([['as proposed', false, false], ['as a hook rewrote it', true, false], ['as a person changed it', false, true], ['after a hook and a person', true, true]])(
    'APP-14 the executed call is the displayed one: %s, also after a kill', async (_how, rewritten, edited) => {
      for (const killed of [false, true]) {
        const world = new World();
        const pay = world.dangerous('pay');
        const hooks = rewritten ? [new Cheaper('cheaper')] : [];
        let process = await world.open({ turns: [ScriptedTurn.call('c1', 'pay', ARGS)], config: { hooks } });
        await process.say('go');
        const [id] = process.questions();
        const shown = process.controller.listPendingApprovals()[0];
        expect([shown.toolCall.argumentsJson, shown.proposedCall?.argumentsJson]).toEqual(rewritten ? ['{"to":"shop","sum":1}', ARGS] : [ARGS, undefined]);
        await (edited ? process.controller.approveWithArguments(id, '{"to":"shop","sum":1,"note":"n"}') : process.controller.approve(id));
        const decided = process.batch().latestAt(0);
        if (killed) {
          process.kill();
          process = await world.open({ config: { hooks } });
        }
        expect(await process.resume()).toBe('complete');
        expect(pay.runs.map((run) => run.argumentsJson)).toEqual([decided?.toolCall.argumentsJson]);
        expect(pay.runs[0].argumentsJson).toBe(edited ? '{"to":"shop","sum":1,"note":"n"}' : shown.toolCall.argumentsJson);
      }
    });

  it('S4 stored arguments tampered with: approval_digest_mismatch, 0 runs', async () => {
    const { world, one, counts } = await asked();
    one.kill();
    await tamper(world, (call) => withTarget(call, '{"to":"thief","sum":5}'));
    await expectMismatch(world, counts);
  });

  it('S4 the same when the decision was made before the tampering', async () => {
    const { world, one, counts } = await asked();
    await one.approveAll();
    one.kill();
    await tamper(world, (call) => withTarget(call, '{"to":"thief","sum":5}'));
    await expectMismatch(world, counts);
  });

  it('S4 arguments and their digest in the journal tampered with: the question names another digest', async () => {
    const { world, one, counts } = await asked();
    const other = await asked('{"to":"thief","sum":5}');
    one.kill();
    const digest = digestOf(other.one);
    await tamper(world, (call) => {
      const init = withTarget(call, '{"to":"thief","sum":5}').toInit();
      init.digest = digest;
      return new OpenCall(init);
    });
    await expectMismatch(world, counts);
  });

  it('S4 a digest that was removed is no digest that holds', async () => {
    const { world, one, counts } = await asked();
    one.kill();
    await tamper(world, (call) => {
      const init = withTarget(call, '{"to":"thief","sum":5}').toInit();
      init.digest = undefined;
      return new OpenCall(init);
    }, (item) => {
      const init = item.toInit();
      init.digest = undefined;
      return new PendingApprovalItem(init);
    });
    await expectMismatch(world, counts);
  });

  it('DEC-53 a digest of an unknown version is tool_changed, 0 runs', async () => {
    const { world, one, counts } = await asked();
    one.kill();
    await tamper(world, (call) => {
      const init = call.toInit();
      init.digest = init.digest?.replace('v1:', 'v9:');
      return new OpenCall(init);
    }, (item) => {
      const init = item.toInit();
      init.digest = init.digest?.replace('v1:', 'v9:');
      return new PendingApprovalItem(init);
    });
    const two = await world.open();
    await two.approveAll();
    expect(await two.resume()).toBe('complete');
    expect(counts()).toEqual([0, 0]);
    expect(two.history()[3]).toContain('tool_changed');
  });

  it('S4 key order and number spelling do not matter for the digest, types do', async () => {
    const base = digestOf((await asked('{"a":1,"b":2}')).one);
    expect(digestOf((await asked('{"b":2, "a":1.0}')).one)).toBe(base);
    expect(digestOf((await asked('{"a":"1","b":2}')).one)).not.toBe(base);
    expect(digestOf((await asked('{"a":1,"b":3}')).one)).not.toBe(base);
  });

  it('S4 DEC-47 two calls with one id are told apart before freezing and need two decisions', async () => {
    const world = new World();
    const pay = world.dangerous('pay');
    const one = await world.open({ turns: [new ScriptedTurn().call('x', 'pay', '{"n":1}').call('x', 'pay', '{"n":2}')] });
    await one.say('go');
    expect(one.batch().items.map((item) => item.toolCall.id)).toEqual(['x', 'x#2']);
    const [first, second] = one.questions();
    expect((await one.controller.approve(first)).allDecided).toBe(false);
    expect(await one.resume()).toBe('awaiting_approval');
    await one.controller.approve(second);
    expect(await one.resume()).toBe('complete');
    expect(pay.runs.map((run) => run.argumentsJson)).toEqual(['{"n":1}', '{"n":2}']);
    expect(one.history().slice(2, 4)).toEqual(['tool x: done', 'tool x#2: done']);
  });

  it('DEC-53 a number that would be rounded never reaches a card', async () => {
    const world = new World();
    const pay = world.dangerous('pay');
    const one = await world.open({ turns: [ScriptedTurn.call('c1', 'pay', '{"n":9007199254740993}')] });
    expect(await one.say('go')).toBe('complete');
    expect(pay.count).toBe(0);
    expect(one.history()[2]).toContain('json_number_unsafe');
  });
});
