import { describe, expect, it } from 'vitest';
import { AgentHook } from '@core/hook/AgentHook';
import { ToolResultHookResult } from '@core/hook/result/ToolResultHookResult';
import type { ToolResultHookContext } from '@core/hook/context/ToolResultHookContext';
import type { StatePersistenceHookContext } from '@core/hook/context/StatePersistenceHookContext';
import { StatePersistenceHookResult } from '@core/hook/result/StatePersistenceHookResult';
import { AgentMessage } from '@core/message/AgentMessage';
import { CommitFault } from '@core/testing/StoppingStateStorage';
import { ToolCancellation } from '@core/tool/ToolContract';
import { ToolResult } from '@core/tool/ToolResult';
import { AgentEventType } from '@core/runtime/report/AgentEvent';
import type { Process } from '../../support/Process';
import { World } from '../../support/World';
import { AllowAll, Gate, batch, idle } from './Bench';

const SAFE = { concurrencySafe: true };

/** `callId status` of every finished call, in the order of the events. */
function finished(process: Process): string[] {
  return process.log.runEvents.flatMap((event) => event.type === AgentEventType.toolCallFinished ? [`${event.call?.id} ${event.envelope?.status}`] : []);
}

const results = (process: Process): string[] => process.history().filter((line) => line.startsWith('tool '));

/** Tells of each call it sees, asynchronously, and counts how many hooks are being asked at once. */
class Teller extends AgentHook {
  readonly seen: string[] = [];
  most = 0;
  abortAt = '';
  private active = 0;

  constructor() {
    super('teller');
  }

  override async afterToolCall(context: ToolResultHookContext): Promise<ToolResultHookResult> {
    await this.take(context.call.id);
    return context.call.id === this.abortAt ? ToolResultHookResult.abort('no further') :
      ToolResultHookResult.proceed(context.result, [AgentMessage.user(`about ${context.call.id}`)]);
  }

  override async beforePersistState(context: StatePersistenceHookContext): Promise<StatePersistenceHookResult> {
    await this.take(`save ${context.reason}`);
    return StatePersistenceHookResult.proceed();
  }

  private async take(what: string): Promise<void> {
    this.active++;
    this.most = Math.max(this.most, this.active);
    this.seen.push(what);
    await idle();
    this.active--;
  }
}

describe('neighbours that are concurrency-safe', () => {
  it('run together; results stand in the order of the calls', async () => {
    const world = new World();
    const gate = new Gate(world.safe('look', SAFE));
    const process = await world.open({ turns: [batch('look', 'look', 'look')] });
    const run = process.say('go');
    await idle();
    expect(gate.running).toEqual([1, 2, 3]);
    await gate.end(3);
    await gate.end(1);
    await gate.end(2);
    expect(await run).toBe('complete');
    expect(results(process)).toEqual(['tool c1: done 1', 'tool c2: done 2', 'tool c3: done 3']);
    expect(finished(process)).toEqual(['c3 ok', 'c1 ok', 'c2 ok']);
  });

  it('a call that is not safe waits for all before it and runs alone', async () => {
    const world = new World();
    const gate = new Gate(world.safe('look', SAFE), world.safe('edit'));
    const process = await world.open({ turns: [batch('look', 'look', 'edit', 'look', 'look')] });
    const run = process.say('go');
    await idle();
    expect(gate.running).toEqual([1, 2]);
    await gate.end(1);
    expect(gate.running).toEqual([2]);
    await gate.end(2);
    expect(gate.running).toEqual([3]);
    await gate.end(3);
    expect(gate.running).toEqual([4, 5]);
    await gate.end(5);
    await gate.end(4);
    expect(await run).toBe('complete');
    expect(results(process)).toHaveLength(5);
  });

  it.each([[1, [1]], [2, [1, 2]], [undefined, [1, 2, 3, 4]]])('at most maxParallelCalls = %s at once, the next one begins as soon as there is a place', async (limit, first) => {
    const world = new World();
    const gate = new Gate(world.safe('look', SAFE));
    const process = await world.open({ turns: [batch('look', 'look', 'look', 'look', 'look', 'look')], config: { limits: { maxParallelCalls: limit } } });
    const run = process.say('go');
    await idle();
    expect(gate.running).toEqual(first);
    for (let ended = 0; ended < 6; ended++) {
      await gate.end(gate.running[gate.running.length - 1]);
    }
    expect(await run).toBe('complete');
    expect(gate.most).toBe(first.length);
    expect(results(process)).toEqual([1, 2, 3, 4, 5, 6].map((n) => `tool c${n}: done ${n}`));
  });

  it('afterToolCall hooks are asked one after another, in the order of the calls; what they inject follows in that order', async () => {
    const world = new World();
    const gate = new Gate(world.sensitive('pay', SAFE));
    const hook = new Teller();
    const process = await world.open({ turns: [batch('pay', 'pay', 'pay')], config: { hooks: [hook], approvalPolicy: new AllowAll() } });
    const run = process.say('go');
    while (gate.running.length < 3) {
      await idle();
    }
    expect(gate.running).toEqual([1, 2, 3]);
    await gate.end(3);
    await gate.end(2);
    expect(hook.seen.filter((what) => what.startsWith('c'))).toEqual([]);
    await gate.end(1);
    expect(await run).toBe('complete');
    expect(hook.seen.filter((what) => what.startsWith('c'))).toEqual(['c1', 'c2', 'c3']);
    expect(hook.most).toBe(1);
    expect(process.history().slice(2)).toEqual(['tool c1: done 1', 'tool c2: done 2', 'tool c3: done 3',
      'user: about c1', 'user: about c2', 'user: about c3', 'assistant: ok']);
  });

  it('a call that waits for its turn at the hooks keeps nobody from starting', async () => {
    const world = new World();
    const gate = new Gate(world.safe('look', SAFE));
    const process = await world.open({ turns: [batch('look', 'look', 'look')], config: { hooks: [new Teller()], limits: { maxParallelCalls: 2 } } });
    const run = process.say('go');
    while (gate.running.length < 2) {
      await idle();
    }
    await gate.end(2);
    expect(gate.running).toEqual([1, 3]);
    await gate.end(3);
    await gate.end(1);
    expect(await run).toBe('complete');
  });

  it('a stop flag of one ends the loop after all have ended', async () => {
    const world = new World();
    const gate = new Gate(world.safe('look', SAFE));
    const process = await world.open({ turns: [batch('look', 'look', 'look')] });
    const run = process.say('go');
    await idle();
    await gate.end(2, new ToolResult(ToolResult.text('stop').contents, false, true));
    await gate.end(1);
    expect(gate.running).toEqual([3]);
    await gate.end(3);
    expect(await run).toBe('tool_stop');
    expect(results(process)).toHaveLength(3);
    expect(process.provider.requests()).toHaveLength(1);
  });

  it('DEC-33 a hook abort: finished calls keep their results, running ones get the grace, the rest is hook_abort', async () => {
    const world = new World();
    const gate = new Gate(world.safe('look', SAFE));
    const hook = new Teller();
    hook.abortAt = 'c1';
    const process = await world.open({ turns: [batch('look', 'look', 'look', 'look')], config: { hooks: [hook], limits: { maxParallelCalls: 3 } } });
    const run = process.say('go');
    while (gate.running.length < 3) {
      await idle();
    }
    await gate.end(2);
    while (gate.running.length < 3) {
      await idle();
    }
    await gate.end(1);
    await idle();
    expect(gate.contexts.get(3)?.signal.cancelled).toBe(true);
    await gate.end(3);
    world.scheduler.advance(2000);
    expect(await run).toBe('hook_abort');
    const stored = (await world.stored()).openBatch?.calls.map((call) => `${call.status} ${call.result?.status} ${call.result?.code}`);
    expect(stored).toEqual(['finished ok ', 'finished ok ', 'finished ok ', 'finished cancelled tool_cancelled']);
    expect(hook.seen.filter((what) => what.startsWith('c'))).toEqual(['c1']);
    expect(world.scheduler.pendingCount).toBe(0);
  });

  it('DEC-33 a call that had no place yet when a hook aborted is closed as hook_abort', async () => {
    const world = new World();
    const gate = new Gate(world.safe('look', SAFE));
    const hook = new Teller();
    hook.abortAt = 'c1';
    const process = await world.open({ turns: [batch('look', 'look', 'look', 'look')], config: { hooks: [hook], limits: { maxParallelCalls: 2 } } });
    const run = process.say('go');
    while (gate.running.length < 2) {
      await idle();
    }
    await gate.end(1);
    await idle();
    await gate.end(2);
    await gate.end(3);
    expect(await run).toBe('hook_abort');
    expect((await world.stored()).openBatch?.calls.map((call) => `${call.status} ${call.reason ?? ''}`)).toEqual(
      ['finished ', 'finished ', 'finished ', 'closed hook_abort']);
  });

  it('a cancel reaches all that run; after the grace effects are unknown, the rest is cancelled, nothing further starts', async () => {
    const world = new World();
    const gate = new Gate(world.safe('look', SAFE), world.sensitive('pay', SAFE));
    const process = await world.open({ turns: [batch('look', 'pay', 'look', 'look')], config: { approvalPolicy: new AllowAll(), limits: { maxParallelCalls: 3 } } });
    const run = process.say('go');
    await idle();
    expect(gate.running).toEqual([1, 3, 2]);
    await gate.end(3);
    expect(gate.running).toEqual([1, 2, 4]);
    const cancelled = process.runtime.cancel('enough');
    await gate.end(4);
    world.scheduler.advance(2000);
    await cancelled;
    expect(await run).toBe('cancelled');
    expect((await world.stored()).openBatch?.calls.map((call) => `${call.status} ${call.result?.status ?? ''}`)).toEqual(
      ['finished cancelled', 'unknown unknown', 'finished ok', 'finished ok']);
  });

  it('a pause leaves what changes nothing to run again, and no effect twice', async () => {
    const world = new World();
    const look = world.safe('look', SAFE);
    const pay = world.sensitive('pay', SAFE);
    const gate = new Gate(look, pay);
    const process = await world.open({ turns: [batch('look', 'pay', 'pay')], config: { approvalPolicy: new AllowAll() } });
    const run = process.say('go');
    await idle();
    await gate.end(2);
    const paused = process.runtime.suspend('background');
    await idle();
    world.scheduler.advance(2000);
    await paused;
    expect(await run).toBe('suspended');
    const resumed = process.resume();
    await idle();
    await gate.end(1);
    expect(await resumed).toBe('complete');
    expect([look.count, pay.count]).toEqual([2, 2]);
    expect(results(process).map((line) => line.split(':')[0])).toEqual(['tool c1', 'tool c2', 'tool c3 error']);
  });

  it('a tool that changes while neighbours run is noticed: they end, it and the rest do not run', async () => {
    const world = new World();
    const gate = new Gate(world.safe('look', SAFE), world.safe('peek', SAFE));
    const process = await world.open({ turns: [batch('look', 'look', 'peek', 'look')], config: { limits: { maxParallelCalls: 2 } } });
    const run = process.say('go');
    await idle();
    process.registry.unregister('peek');
    await gate.end(1);
    expect(gate.running).toEqual([2]);
    await gate.end(2);
    expect(await run).toBe('complete');
    expect(results(process).map((line) => line.substring(0, 40))).toEqual(['tool c1: done 1', 'tool c2: done 2',
      'tool c3 error: tool_changed: the tool was changed or rem'.substring(0, 40), 'tool c4 error: tool_batch_not_executed: '.substring(0, 40)]);
  });

  it('a journal entry that cannot be written ends the run; neighbours get the grace and keep their results', async () => {
    const world = new World();
    const gate = new Gate(world.sensitive('pay', SAFE));
    const process = await world.open({ turns: [batch('pay', 'pay', 'pay')], config: { approvalPolicy: new AllowAll() } });
    process.storage.plan(4, CommitFault.failBefore);
    const run = process.say('go');
    await idle();
    expect(gate.running).toEqual([1]);
    await gate.end(1);
    expect(await run).toBe('state_save_failed');
    expect((await world.stored()).openBatch?.calls.map((call) => call.status)).toEqual(['finished', 'closed', 'closed']);
  });

  it('DEC-40 a safe call that timed out holds up nobody', async () => {
    const world = new World();
    const gate = new Gate(world.safe('look', { concurrencySafe: true, timeoutMs: 1000 }), world.safe('edit'));
    const process = await world.open({ turns: [batch('look', 'look', 'edit')] });
    const run = process.say('go');
    await idle();
    await gate.end(2);
    world.scheduler.advance(3000);
    await idle();
    expect(gate.running).toEqual([1, 3]);
    await gate.end(3);
    expect(await run).toBe('complete');
    expect(results(process)[0]).toMatch(/^tool c1 error: tool_timeout/);
  });

  it('the same effect twice does not run at once: when the first is lost, the second asks', async () => {
    const world = new World();
    const pay = world.sensitive('pay', { concurrencySafe: true, timeoutMs: 1000 });
    const gate = new Gate(pay);
    const twice = (): ReturnType<typeof batch> => batch('pay').call('c2', 'pay', '{"n":1}').call('c3', 'pay', '{"n":3}');
    const process = await world.open({ turns: [twice()], config: { approvalPolicy: new AllowAll() } });
    const run = process.say('go');
    await idle();
    expect(gate.running).toEqual([1]);
    world.scheduler.advance(3000);
    expect(await run).toBe('awaiting_approval');
    expect(pay.count).toBe(1);
    expect(process.batch().items.filter((item) => item.isPending()).map((item) => item.position)).toEqual([1]);
  });
});

describe('waiting', () => {
  it('EXE-12 the time-out of a queued call begins when it starts', async () => {
    const world = new World();
    const gate = new Gate(world.safe('look', { concurrencySafe: true, timeoutMs: 1000 }));
    const process = await world.open({ turns: [batch('look', 'look')], config: { limits: { maxParallelCalls: 1 } } });
    const run = process.say('go');
    await idle();
    world.scheduler.advance(900);
    await gate.end(1);
    world.scheduler.advance(900);
    await gate.end(2);
    expect(await run).toBe('complete');
    expect(results(process)).toEqual(['tool c1: done 1', 'tool c2: done 2']);
  });

  it('queueTimeoutMs: a call that waited longer is refused, not started', async () => {
    const world = new World();
    const look = world.safe('look', { concurrencySafe: true, queueTimeoutMs: 500 });
    const gate = new Gate(look, world.safe('edit'));
    const process = await world.open({ turns: [batch('look', 'edit', 'look', 'look')] });
    const run = process.say('go');
    await idle();
    await gate.end(1);
    world.scheduler.advance(501);
    await gate.end(2);
    expect(await run).toBe('complete');
    expect(look.count).toBe(1);
    expect(results(process).slice(2)).toEqual(['c3', 'c4'].map((id) =>
      `tool ${id} error: tool_timeout: the call waited more than 500 ms for its turn; it was not started`));
    expect(finished(process)).toEqual(['c1 ok', 'c2 ok', 'c3 rejected', 'c4 rejected']);
  });

  it.each([[ToolCancellation.cooperative, true, 2000], [ToolCancellation.immediate, true, 0], [ToolCancellation.none, false, 2000]])(
    'cancellation %s: told %s, waited for %i ms', async (cancellation, told, graceMs) => {
      const world = new World();
      const gate = new Gate(world.safe('look', { cancellation }));
      const process = await world.open({ turns: [batch('look')] });
      const run = process.say('go');
      await idle();
      let ended = false;
      void run.then(() => { ended = true; });
      void process.runtime.cancel('enough');
      expect(gate.contexts.get(1)?.signal.cancelled).toBe(told);
      if (graceMs > 0) {
        world.scheduler.advance(graceMs - 1);
        await idle();
        expect(ended).toBe(false);
      }
      world.scheduler.advance(1);
      expect(await run).toBe('cancelled');
    });
});
