import { describe, expect, it } from 'vitest';
import { BatchDenyMode } from '@core/approval/ApprovalModes';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import { CommitFault } from '@core/testing/StoppingStateStorage';
import { World } from '../../support/World';

function pay(args: string, id = 'p'): ScriptedTurn {
  return ScriptedTurn.call(id, 'pay', args);
}

const REFUSED = 'error: tool_denied: the person refused this call before; it is not asked again in this run';

describe('S10 a refused signature', () => {
  it('S10 is refused for the rest of the run without asking the person again, however it is written', async () => {
    const world = new World();
    const tool = world.dangerous('pay');
    const one = await world.open({ turns: [pay('{"a":1,"b":2}', 'p1'), pay('{ "b": 2.0, "a": 1 }', 'p2'), pay('{"a":1,"b":2}', 'p3'), ScriptedTurn.text('I give up')] });
    await one.say('go');
    await one.controller.deny(one.questions()[0], 'no');
    expect(await one.resume()).toBe('complete');
    expect(tool.count).toBe(0);
    expect(one.history().filter((text) => text.includes(REFUSED))).toHaveLength(2);
    expect(one.log.count('bus approval.required')).toBe(1);
  });

  it('S10 is asked about again in the next run, and other arguments are asked about in this one', async () => {
    const world = new World();
    world.dangerous('pay');
    const one = await world.open({ turns: [pay('{"n":1}'), pay('{"n":2}'), ScriptedTurn.text('ok'), pay('{"n":1}')] });
    await one.say('go');
    await one.controller.deny(one.questions()[0]);
    expect(await one.resume()).toBe('awaiting_approval');
    await one.controller.deny(one.questions()[0]);
    expect(await one.resume()).toBe('complete');
    expect((await world.stored()).slices.has('refusedSignatures')).toBe(true);
    expect(await one.say('next run')).toBe('awaiting_approval');
    expect((await world.stored()).slices.has('refusedSignatures')).toBe(false);
  });

  it.each([CommitFault.stopBefore, CommitFault.stopAfter])('S10 survives a kill after the decision (%s at the claim)', async (fault) => {
    const world = new World();
    const tool = world.dangerous('pay');
    const one = await world.open({ turns: [pay('{}')] });
    await one.say('go');
    await one.controller.deny(one.questions()[0]);
    one.storage.plan(1, fault);
    expect(await one.resume()).toBe('stopped');
    const two = await world.open({ turns: [pay('{}'), ScriptedTurn.text('fine')] });
    expect(await two.resume()).toBe('complete');
    expect(tool.count).toBe(0);
    expect(two.history().at(-2)).toContain(REFUSED);
    expect(await world.storedText()).not.toContain('"arguments"');
  });

  it('DEC-31 it answers only its call: the others of its batch go on', async () => {
    const world = new World();
    world.dangerous('pay');
    const read = world.safe('read');
    const one = await world.open({ turns: [pay('{}'), new ScriptedTurn().call('a', 'pay', '{}').call('b', 'read', '{}'), ScriptedTurn.text('ok')] });
    await one.say('go');
    await one.controller.deny(one.questions()[0]);
    expect(await one.resume()).toBe('complete');
    expect(read.count).toBe(1);
    expect(one.history().slice(-3)).toEqual([`tool a ${REFUSED}`, 'tool b: done', 'assistant: ok']);
  });

  it('two equal calls in one batch are two questions: the yes to one holds', async () => {
    const world = new World();
    const tool = world.dangerous('pay');
    const one = await world.open({ turns: [new ScriptedTurn().call('a', 'pay', '{}').call('b', 'pay', '{}')], config: { batchDenyMode: BatchDenyMode.independent } });
    await one.say('go');
    await one.controller.deny(one.questions()[0]);
    await one.controller.approve(one.questions()[0]);
    expect(await one.resume()).toBe('complete');
    expect(tool.count).toBe(1);
  });

  it('silence is no refusal: what expired is asked about again; nor are the siblings of a denied call refused', async () => {
    const world = new World();
    world.dangerous('pay');
    const one = await world.open({ turns: [new ScriptedTurn().call('a', 'pay', '{"n":1}').call('b', 'pay', '{"n":2}'), pay('{"n":1}'), pay('{"n":2}')], config: { approvalTtlMs: 10 } });
    await one.say('go');
    await one.controller.deny(one.questions()[1]);
    world.clock.advance(10);
    await one.controller.approve(one.questions()[0] ?? '');
    expect(await one.resume()).toBe('awaiting_approval');
    expect(one.batch().items[0].toolCall.argumentsJson).toBe('{"n":1}');
  });

  it('a decision that is not stored refuses nothing', async () => {
    const world = new World();
    world.dangerous('pay');
    const one = await world.open({ turns: [pay('{}')] });
    await one.say('go');
    one.storage.plan(1, CommitFault.failBefore);
    expect((await one.controller.deny(one.questions()[0])).ok).toBe(false);
    expect(one.runtime.snapshot().slices.size).toBe(0);
  });

  it('who refused is told to the app, not to the model', async () => {
    const world = new World();
    world.dangerous('pay');
    const one = await world.open({ turns: [pay('{}', 'p1'), pay('{}', 'p2')] });
    await one.say('go');
    await one.controller.deny(one.questions()[0]);
    await one.resume();
    const by = one.log.runEvents.filter((event) => event.envelope !== undefined).map((event) => event.envelope?.result.metadata?.getString('by'));
    expect(by).toEqual(['person', 'person']);
    expect(one.lastRequest().join()).not.toContain('"by"');
  });
});
