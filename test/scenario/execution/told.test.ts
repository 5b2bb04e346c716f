import { describe, expect, it } from 'vitest';
import { ApprovalPolicyResult } from '@core/approval/ApprovalPolicy';
import { ToolAfterEvent, ToolBeforeEvent } from '@core/control/event/ToolEvents';
import type { AgentHook } from '@core/hook/AgentHook';
import { ToolCallHookResult } from '@core/hook/result/ToolCallHookResult';
import { ToolResultHookResult } from '@core/hook/result/ToolResultHookResult';
import { StatePersistenceHookResult } from '@core/hook/result/StatePersistenceHookResult';
import { AgentMessage } from '@core/message/AgentMessage';
import { FinishReason } from '@core/model/ModelResponse';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import { AgentEventType } from '@core/runtime/report/AgentEvent';
import { CommitFault } from '@core/testing/StoppingStateStorage';
import type { EventLog } from '../../support/EventLog';
import type { Process } from '../../support/Process';
import { World } from '../../support/World';
import { Gate, batch, idle } from '../parallel/Bench';
import { hook } from '../run/harness';

/** `c1 before`, `c1 after ok` …, as the bus was told. */
function told(log: EventLog): string[] {
  return log.busEvents.flatMap((event) => (event instanceof ToolBeforeEvent ? [`${event.call.id} before`] :
    event instanceof ToolAfterEvent ? [`${event.call.id} after ${event.envelope.status} ${event.envelope.code}`.trimEnd()] : []));
}

/** The same as the observers of the runs were told. */
function observed(log: EventLog): string[] {
  return log.runEvents.flatMap((event) => (event.type === AgentEventType.toolCallStarted ? [`${event.call?.id} before`] :
    event.type === AgentEventType.toolCallFinished ? [`${event.call?.id} after ${event.envelope?.status} ${event.envelope?.code}`.trimEnd()] : []));
}

interface Story {
  world: World;
  gate: Gate;
  process: Process;
  run: Promise<string>;
}

/** read, wait, read in one message; `wait` ends when the test says so. */
async function begun(hooks: AgentHook[] = [], turn = batch('read', 'wait', 'read')): Promise<Story> {
  const world = new World();
  world.safe('read');
  world.dangerous('pay');
  const gate = new Gate(world.safe('wait', { timeoutMs: 0 }));
  const process = await world.open({ turns: [turn], config: { hooks } });
  const run = process.say('go');
  await idle();
  return { world, gate, process, run };
}

const afterRead = (result: (id: string) => ToolResultHookResult | undefined): AgentHook =>
  hook('after', { afterToolCall: async (context) => result(context.call.id) ?? ToolResultHookResult.proceed(context.result) });

describe('DEC-43 every call is told after, once', () => {
  it('DEC-43 a cancel: the one that ran, the one that runs and the one that never began', async () => {
    const { world, process, run } = await begun();
    void process.runtime.cancel('enough');
    world.scheduler.advance(5000);
    expect(await run).toBe('cancelled');
    const expected = ['c1 before', 'c1 after ok', 'c2 before', 'c2 after cancelled tool_cancelled', 'c3 after rejected tool_cancelled'];
    expect(told(process.log)).toEqual(expected);
    expect(observed(process.log)).toEqual(expected);
  });

  it('DEC-43 a hook that aborts in mid-batch, and one that aborts before it', async () => {
    const middle = await begun([afterRead((id) => (id === 'c1' ? ToolResultHookResult.abort('no') : undefined))]);
    expect(await middle.run).toBe('hook_abort');
    expect(told(middle.process.log)).toEqual(['c1 before', 'c1 after ok', 'c2 after rejected hook_abort', 'c3 after rejected hook_abort']);
    const before = await begun([hook('stop', { beforeToolCall: async (context) => (context.call.id === 'c2' ? ToolCallHookResult.abort('no') : ToolCallHookResult.proceed(context.call)) })]);
    expect(await before.run).toBe('hook_abort');
    expect(told(before.process.log)).toEqual(['c1 after rejected hook_abort', 'c2 after rejected hook_abort', 'c3 after rejected hook_abort']);
  });

  it('DEC-43 a question: nothing until it is decided, then each call once; a cancel while it waits tells all of them', async () => {
    const { process, run } = await begun([], batch('read', 'pay', 'ghost'));
    expect(await run).toBe('awaiting_approval');
    expect(told(process.log)).toEqual([]);
    await process.controller.deny(process.questions()[0], 'no');
    expect(await process.resume()).toBe('complete');
    expect(told(process.log)).toEqual(['c1 after rejected tool_batch_not_executed', 'c2 after rejected tool_denied', 'c3 after rejected tool_not_found']);
    const other = await begun([], batch('read', 'pay', 'ghost'));
    await other.run;
    await other.process.runtime.cancel('enough');
    expect(told(other.process.log)).toEqual(['c1 after rejected tool_cancelled', 'c2 after rejected tool_cancelled', 'c3 after rejected tool_not_found']);
  });

  it('DEC-43 a pause tells the end of what it stopped; what had not begun is told when the run goes on, what had ended not again', async () => {
    const { world, gate, process, run } = await begun();
    void process.runtime.suspend('background');
    world.scheduler.advance(5000);
    expect(await run).toBe('suspended');
    expect(told(process.log)).toEqual(['c1 before', 'c1 after ok', 'c2 before', 'c2 after cancelled tool_cancelled']);
    const resumed = process.resume();
    await idle();
    await gate.end(2);
    expect(await resumed).toBe('complete');
    expect(told(process.log).slice(4)).toEqual(['c2 before', 'c2 after ok', 'c3 before', 'c3 after ok']);
  });

  it('DEC-43 a cancel of a paused run tells what is left, and what the pause had told not again', async () => {
    const { process, run, world } = await begun();
    void process.runtime.suspend('background');
    world.scheduler.advance(5000);
    await run;
    await process.runtime.cancel('enough');
    expect(told(process.log).slice(4)).toEqual(['c3 after rejected tool_cancelled']);
  });

  it('DEC-43 an answer that was cut, and a batch that is too large', async () => {
    const cut = await begun([], batch('read', 'read').finish(FinishReason.length));
    await cut.run;
    expect(told(cut.process.log)).toEqual(['c1 after rejected tool_call_truncated', 'c2 after rejected tool_call_truncated']);
    const large = await begun([], batch(...Array.from({ length: 17 }, () => 'read')));
    await large.run;
    expect(told(large.process.log)).toHaveLength(17);
  });

  it('DEC-43 a start or an end that cannot be stored', async () => {
    for (const [at, hookPhase] of [[3, false], [4, false], [3, true], [4, true]] as const) {
      const world = new World();
      world.sensitive('act');
      world.safe('read');
      const aborts = hook('no', { beforePersistState: async (context) => (context.effectPhase === (at === 3 ? 'started' : 'finished') ? StatePersistenceHookResult.abort('no') : StatePersistenceHookResult.proceed()) });
      const process = await world.open({ turns: [batch('act', 'read')], config: { approvalPolicy: { decide: () => ApprovalPolicyResult.allow() }, hooks: hookPhase ? [aborts] : [] } });
      if (!hookPhase) process.storage.plan(at, CommitFault.failBefore);
      expect(await process.say('go')).toBe(hookPhase ? 'hook_abort' : 'state_save_failed');
      const lines = told(process.log);
      expect(lines.filter((line) => line.includes('after')).map((line) => line.slice(0, 2)), `${at} ${hookPhase}`).toEqual(['c1', 'c2']);
      expect(lines.filter((line) => line === 'c1 before')).toHaveLength(at === 3 ? 0 : 1);
    }
  });

  it('DEC-43 a process that died: new input tells what it closes, once it is stored', async () => {
    const { world, process } = await begun();
    process.kill();
    const two = await world.open({});
    expect(await two.say('and now?')).toBe('complete');
    expect(told(two.log)).toEqual(['c1 after rejected process_died', 'c2 after rejected process_died', 'c3 after rejected process_died']);
    const kinds = two.log.of('bus');
    expect(kinds.indexOf('tool.after')).toBeGreaterThan(kinds.indexOf('state.persisted after_user_input'));
  });

  it('DEC-43 neighbours that another one stops, also one that had no place yet', async () => {
    const world = new World();
    const gate = new Gate(world.safe('near', { concurrencySafe: true, timeoutMs: 0 }));
    const aborts = afterRead((id) => (id === 'c1' ? ToolResultHookResult.abort('no') : undefined));
    const process = await world.open({ turns: [batch('near', 'near', 'near')], config: { hooks: [aborts], limits: { maxParallelCalls: 2 } } });
    const run = process.runtime.runStream([AgentMessage.user('go')], process.log.observer());
    await idle();
    await gate.end(1);
    world.scheduler.advance(5000);
    await run;
    const lines = told(process.log);
    expect(lines.filter((line) => line.includes('after')).map((line) => line.slice(0, 2)).sort()).toEqual(['c1', 'c2', 'c3']);
  });

  it('DEC-43 an answer without calls tells of none', async () => {
    const { process, run } = await begun([], ScriptedTurn.text('hello'));
    await run;
    expect(told(process.log)).toEqual([]);
  });
});
