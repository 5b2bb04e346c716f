import { describe, expect, it } from 'vitest';
import { CancellationController } from '@core/base/Cancellation';
import { ControllerEventTypes } from '@core/control/ControllerEventTypes';
import { AgentMessage } from '@core/message/AgentMessage';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import { AgentRuntime } from '@core/runtime/AgentRuntime';
import { AgentController } from '@core/control/AgentController';
import { CommitFault } from '@core/testing/StoppingStateStorage';
import { ToolResult } from '@core/tool/ToolResult';
import { EventLog } from '../../support/EventLog';
import type { Process } from '../../support/Process';
import { encoded, World } from '../../support/World';

const PAY = (): ScriptedTurn => new ScriptedTurn().call('c1', 'read', '{}').call('c2', 'pay', '{}');

async function untilCalled(process: Process, calls = 1): Promise<void> {
  while (process.provider.calls < calls) await Promise.resolve();
}

function bank(): { world: World; counts: () => number[]; read: ReturnType<World['safe']>; pay: ReturnType<World['safe']> } {
  const world = new World();
  const read = world.safe('read');
  const pay = world.dangerous('pay');
  return { world, read, pay, counts: () => [read.count, pay.count] };
}

describe('DEC-21 suspending', () => {
  it('DEC-21 in mid-stream: stored, told, the request is given up; resume continues in another process', async () => {
    const { world } = bank();
    const one = await world.open({ turns: [new ScriptedTurn().text('half').hang()] });
    const run = one.say('hi');
    await untilCalled(one);
    await one.runtime.suspend('background');
    expect(await run).toBe('suspended');
    expect(one.log.of('bus').slice(-2)).toEqual(['state.persisted suspend', 'agent.suspended']);
    expect(one.log.of('run').slice(-2)).toEqual(['suspended', 'onComplete']);
    expect(await one.say('hello?')).toBe('resume_required');
    const two = await world.open();
    expect(await two.say('hello?')).toBe('resume_required');
    expect(await two.resume()).toBe('complete');
    expect(two.history()).toEqual(['user: hi', 'assistant: ok']);
    expect(two.runtime.snapshot().run?.runId).toBe(one.runtime.snapshot().run?.runId);
    expect(two.runtime.snapshot().run?.turn).toBe(2);
  });

  it('DEC-21 DEC-26 text of a turn that a pause broke off is taken back, so that it is not shown twice', async () => {
    const { world } = bank();
    const one = await world.open({ turns: [ScriptedTurn.text('half an ans').hang(), ScriptedTurn.text('half an answer')] });
    const run = one.say('hi');
    await untilCalled(one, 1);
    while (one.observer.text === '') await Promise.resolve();
    await one.runtime.suspend('background');
    expect(await run).toBe('suspended');
    expect(one.observer.events.map((event) => event.type).slice(-4)).toEqual(['text_delta', 'model_restarted', 'state_persisted', 'suspended']);
    expect(one.history()).toEqual(['user: hi']);
    expect(await one.resume()).toBe('complete');
    expect(one.observer.text).toBe('half an answer');
  });

  it('DEC-21 text that is in the history is not said again by a resume', async () => {
    const { world, pay } = bank();
    const one = await world.open({ turns: [ScriptedTurn.text('I pay. ').call('c1', 'pay', '{"n":1}'), ScriptedTurn.text('Paid.')] });
    expect(await one.say('go')).toBe('awaiting_approval');
    expect(one.observer.text).toBe('I pay. ');
    expect(one.observer.events.map((event) => event.type)).not.toContain('model_restarted');
    await one.approveAll();
    pay.work = async () => {
      void one.runtime.suspend('background');
      return ToolResult.text('paid');
    };
    expect([await one.resume(), one.observer.text]).toEqual(['suspended', '']);
    expect([await one.resume(), one.observer.text]).toEqual(['complete', 'Paid.']);
  });

  it('DEC-21 while a tool without effect runs: it runs again on resume; with an effect its outcome is kept', async () => {
    const { world, read, pay, counts } = bank();
    const one = await world.open({ turns: [PAY()] });
    await one.say('go');
    await one.approveAll();
    read.work = async () => {
      void one.runtime.suspend('background');
      return new Promise(() => undefined);
    };
    const run = one.resume();
    while (read.count === 0) await Promise.resolve();
    world.scheduler.advance(2000);
    expect(await run).toBe('suspended');
    read.work = undefined;
    pay.work = async () => {
      void two.runtime.suspend('background');
      return ToolResult.text('paid');
    };
    const two = await world.open();
    expect(await two.resume()).toBe('suspended');
    const three = await world.open();
    expect(await three.resume()).toBe('complete');
    expect(counts()).toEqual([2, 1]);
    expect(three.history().slice(2, 4)).toEqual(['tool c1: done', 'tool c2: paid']);
  });

  it('DEC-21 an effect that does not end within the grace is unknown, and is not repeated on resume', async () => {
    const { world, pay, counts } = bank();
    const one = await world.open({ turns: [PAY()] });
    await one.say('go');
    await one.approveAll();
    pay.work = () => new Promise(() => undefined);
    const run = one.resume();
    while (pay.count === 0) await Promise.resolve();
    const paused = one.runtime.suspend('background');
    world.scheduler.advance(1999);
    expect(one.runtime.running).toBe(true);
    world.scheduler.advance(1);
    await paused;
    expect(await run).toBe('suspended');
    const two = await world.open();
    expect(await two.resume()).toBe('complete');
    expect(counts()).toEqual([1, 1]);
    expect(two.history()[3]).toContain('tool_outcome_unknown');
  });

  it('suspend without a run does nothing', async () => {
    const { world } = bank();
    const one = await world.open();
    await one.runtime.suspend('background');
    expect(one.storage.commits).toEqual([]);
  });
});

describe('DEC-15 open and close', () => {
  it('DEC-15 reload is close and open: what ran is suspended, the controller is free, the question is there', async () => {
    const { world, counts } = bank();
    const one = await world.open({ turns: [PAY()] });
    await one.say('go');
    const ids = one.questions();
    const disk = await world.storedText();
    await one.runtime.close();
    expect(await world.storedText()).toBe(disk);
    expect((await one.controller.approve(ids[0])).error?.code).toBe('approval_host_missing');
    const two = await world.open({ controller: one.controller });
    expect(two.runtime.restored).toBe(true);
    expect(two.questions()).toEqual(ids);
    await two.approveAll();
    expect(await two.resume()).toBe('complete');
    expect(counts()).toEqual([1, 1]);
  });

  it('DEC-15 close suspends a run that works', async () => {
    const { world } = bank();
    const one = await world.open({ turns: [ScriptedTurn.hang()] });
    const run = one.say('hi');
    await untilCalled(one);
    await one.runtime.close();
    expect(await run).toBe('suspended');
    expect((await world.stored()).run?.stopReason).toBe('suspended');
  });

  it('every close waits for the one that works', async () => {
    const { world } = bank();
    const one = await world.open({ turns: [ScriptedTurn.hang()] });
    void one.say('hi');
    await untilCalled(one);
    void one.runtime.close();
    await one.runtime.close();
    expect((await world.stored()).run?.stopReason).toBe('suspended');
  });

  it('a closed runtime refuses everything with runtime_closed, and closing again is harmless', async () => {
    const { world } = bank();
    const one = await world.open();
    await Promise.all([one.runtime.close(), one.runtime.close()]);
    expect(await one.say('hi')).toBe('runtime_closed');
    expect(await one.resume()).toBe('runtime_closed');
    expect(await one.ended(one.runtime.runStream([], one.log.observer()))).toBe('runtime_closed');
    expect((await one.runtime.cancel()).error.code).toBe('runtime_closed');
  });

  it('a new session is not restored; nothing is written before there is input', async () => {
    const { world } = bank();
    const one = await world.open();
    expect(one.runtime.restored).toBe(false);
    expect((await world.disk.load(world.sessionId)).value).toBeUndefined();
  });

  it('DEC-28 a controller that has a host refuses a second one', async () => {
    const { world } = bank();
    const one = await world.open();
    const other = new World({ sessionId: 'other' });
    await expect(other.open({ controller: one.controller })).rejects.toMatchObject({ code: 'approval_host_already_bound' });
    await one.runtime.close();
    expect((await other.open({ controller: one.controller })).runtime).toBeInstanceOf(AgentRuntime);
  });

  it('DEC-28 without a controller it freezes all the same, and the runtime takes decisions', async () => {
    const { world, counts } = bank();
    const one = await world.open({ turns: [PAY()], config: { controller: undefined } });
    expect(await one.say('go')).toBe('awaiting_approval');
    expect(new AgentController().listPendingApprovals()).toEqual([]);
    const id = one.batch().items[1].approvalId;
    expect((await one.runtime.applyApprovalDecision({ approvalId: id, approve: true })).allDecided).toBe(true);
    expect(await one.resume()).toBe('complete');
    expect(counts()).toEqual([1, 1]);
  });
});

describe('DEC-15 DEC-17 cancelling what waits', () => {
  it('DEC-15 undecided calls close as cancelled_by_user, terminal save, AgentCancelled; one segment, no beforeRun', async () => {
    const { world, counts } = bank();
    const log = new EventLog();
    const one = await world.open({ turns: [PAY()], log, config: { hooks: [log.hook()] } });
    await one.say('go');
    log.clear();
    expect((await one.runtime.cancel('never mind')).value).toBe(true);
    expect(log.of('hook')).toEqual(['beforePersistState terminal', 'afterPersistState terminal', 'afterRun cancelled 1']);
    expect(log.of('bus')).toEqual(['state.persisted terminal', 'tool.after', 'tool.after', 'approval.resolved approved pending all by cancel', 'agent.cancelled']);
    expect((await world.stored()).openBatch?.calls.map((call) => call.reason)).toEqual(['cancelled_by_user', 'cancelled_by_user']);
    expect((await one.runtime.cancel()).value, 'nothing is left to cancel').toBe(false);
    expect(await one.say('next')).toBe('complete');
    expect(one.history().slice(2, 5)).toEqual([expect.stringContaining('tool_cancelled'), expect.stringContaining('tool_cancelled'), 'user: next']);
    expect(counts()).toEqual([0, 0]);
  });

  it('DEC-15 decided but not run: cancelled too', async () => {
    const { world, counts } = bank();
    const one = await world.open({ turns: [PAY()] });
    await one.say('go');
    await one.approveAll();
    expect((await one.runtime.cancel('stop')).value).toBe(true);
    expect(await one.resume()).toBe('resume_nothing_pending');
    expect(counts()).toEqual([0, 0]);
  });

  it('a suspended run can be cancelled, also by the next process', async () => {
    const { world } = bank();
    const one = await world.open({ turns: [ScriptedTurn.hang()] });
    const run = one.say('hi');
    await untilCalled(one);
    await one.runtime.close();
    await run;
    const two = await world.open();
    expect((await two.runtime.cancel('no')).value).toBe(true);
    expect(await two.say('next')).toBe('complete');
  });

  it('a run whose process died can be cancelled: a started effect closes as unknown', async () => {
    const { world, pay, counts } = bank();
    const one = await world.open({ turns: [PAY()] });
    await one.say('go');
    await one.approveAll();
    pay.work = async () => {
      one.kill();
      return ToolResult.text('paid');
    };
    expect(await one.resume()).toBe('stopped');
    const two = await world.open();
    expect((await two.runtime.cancel('stop')).value).toBe(true);
    expect((await world.stored()).openBatch?.calls.map((call) => call.status)).toEqual(['finished', 'unknown']);
    expect(await two.say('next')).toBe('complete');
    expect(two.history().slice(2, 4)).toEqual(['tool c1: done', expect.stringContaining('tool_outcome_unknown')]);
    expect(counts()).toEqual([1, 1]);
  });

  it('a cancel inside the ApprovalRequired listener ends the run', async () => {
    const { world, counts } = bank();
    const one = await world.open({ turns: [PAY()] });
    const cancelled = new Promise<boolean>((resolve) => {
      one.controller.subscribe(ControllerEventTypes.approvalRequired, async () => resolve((await one.runtime.cancel('no')).value));
    });
    await one.say('go');
    expect(await cancelled).toBe(true);
    expect((await world.stored()).run?.stopReason).toBe('cancelled');
    expect(one.questions()).toEqual([]);
    expect(counts()).toEqual([0, 0]);
  });

  it('a cancel while the question is being stored ends the run', async () => {
    const { world } = bank();
    const one = await world.open({ turns: [PAY()] });
    const commit = one.storage.commit.bind(one.storage);
    let cancelled: Promise<unknown> = Promise.resolve();
    one.storage.commit = async (request) => {
      if (request.reason === 'awaiting_approval') cancelled = one.runtime.cancel('no');
      return commit(request);
    };
    await one.say('go');
    await cancelled;
    expect((await world.stored()).run?.stopReason).toBe('cancelled');
    expect(one.questions()).toEqual([]);
  });

  it('the signal of a caller that fires while the question is being stored is not lost', async () => {
    const { world } = bank();
    const one = await world.open({ turns: [PAY()] });
    const signal = new CancellationController();
    const commit = one.storage.commit.bind(one.storage);
    one.storage.commit = async (request) => {
      if (request.reason === 'awaiting_approval') signal.cancel('no');
      return commit(request);
    };
    const ended = await one.ended(one.runtime.runStream([AgentMessage.user('go')], one.log.observer(), signal.signal));
    expect(ended).toBe('cancelled');
    expect((await world.stored()).run?.stopReason).toBe('cancelled');
    expect(one.log.count('bus approval.required')).toBe(0);
  });
});

describe('DEC-18 attach', () => {
  it('DEC-18 the last decision continues the run by itself, once, and reports to the attached observer', async () => {
    const { world, counts } = bank();
    const one = await world.open({ turns: [new ScriptedTurn().call('c1', 'pay', '{"n":1}').call('c2', 'pay', '{"n":2}')] });
    await one.say('go');
    const observer = one.log.observer();
    one.runtime.attach(observer);
    const ended = new Promise<void>((resolve) => {
      one.controller.subscribe(ControllerEventTypes.agentSuccess, () => resolve());
    });
    const [first, second] = one.questions();
    await one.controller.approve(first);
    expect(one.runtime.running).toBe(false);
    await Promise.all([one.controller.approve(second), one.controller.approve(second), one.controller.approve(first)]);
    await ended;
    await one.runtime.close();
    expect(counts()).toEqual([0, 2]);
    expect([observer.completions, observer.errors.map((error) => error.code)]).toEqual([1, []]);
  });

  it('DEC-18 a repeated decision about an older batch continues nothing', async () => {
    const { world } = bank();
    const one = await world.open({ turns: [PAY(), ScriptedTurn.text('a'), ScriptedTurn.hang()] });
    await one.say('go');
    const [id] = one.questions();
    await one.approveAll();
    await one.resume();
    const run = one.say('next');
    await untilCalled(one, 3);
    await one.runtime.suspend('background');
    await run;
    const observer = one.log.observer();
    one.runtime.attach(observer);
    expect((await one.controller.approve(id)).ok).toBe(true);
    await Promise.resolve().then(() => undefined);
    expect(one.runtime.running).toBe(false);
    expect(observer.events).toEqual([]);
  });

  it('DEC-21 a decision that is repeated while the run works does not continue it after the app paused it', async () => {
    const { world, pay, counts } = bank();
    const one = await world.open({ turns: [ScriptedTurn.call('c1', 'pay', '{"n":1}'), ScriptedTurn.hang()] });
    await one.say('go');
    const [id] = one.questions();
    const observer = one.log.observer();
    one.runtime.attach(observer);
    pay.work = async () => {
      expect((await one.controller.approve(id)).ok, 'a second tap on the same button').toBe(true);
      void one.runtime.suspend('the app leaves');
      return ToolResult.text('paid');
    };
    await one.controller.approve(id);
    while (one.runtime.snapshot().run?.stopReason !== 'suspended' || one.runtime.running) await Promise.resolve();
    await new Promise<void>((resolve) => setImmediate(resolve));
    expect([one.runtime.running, one.provider.calls, observer.completions]).toEqual([false, 1, 1]);
    expect(await one.say('hello')).toBe('pending_approval_blocks_input');
    one.kill();
    const two = await world.open();
    expect([await two.resume(), ...counts()]).toEqual(['complete', 0, 1]);
  });

  it('DEC-05 a repeated decision does not continue a run whose process died', async () => {
    const { world, counts } = bank();
    const one = await world.open({ turns: [ScriptedTurn.call('c1', 'pay', '{"n":1}')] });
    await one.say('go');
    const [id] = one.questions();
    await one.approveAll();
    one.storage.plan(1, CommitFault.stopAfter);
    await one.resume();
    const two = await world.open();
    two.runtime.attach(two.log.observer());
    expect((await two.controller.approve(id)).ok).toBe(true);
    await new Promise<void>((resolve) => setImmediate(resolve));
    expect([two.runtime.snapshot().run?.status, ...counts()]).toEqual(['running', 0, 0]);
    expect([await two.resume(), ...counts()]).toEqual(['complete', 0, 1]);
  });

  it('DEC-18 detached, or never attached: the decision alone starts nothing', async () => {
    const { world, counts } = bank();
    const one = await world.open({ turns: [PAY()] });
    await one.say('go');
    const detach = one.runtime.attach(one.log.observer());
    detach();
    await one.approveAll();
    await one.runtime.close();
    expect(counts()).toEqual([0, 0]);
  });

  it('DEC-18 a denial continues too, so that the model hears of it', async () => {
    const { world, counts } = bank();
    const one = await world.open({ turns: [PAY()] });
    await one.say('go');
    const ended = new Promise<void>((resolve) => {
      one.controller.subscribe(ControllerEventTypes.agentSuccess, () => resolve());
    });
    one.runtime.attach(one.log.observer());
    await one.controller.denyAll(one.batch().batchId, 'no');
    await ended;
    expect(counts()).toEqual([0, 0]);
    expect(one.provider.calls).toBe(2);
  });
});

describe('DEC-16 one run at a time', () => {
  it('DEC-16 a second runStream is run_already_active and leaves the first untouched', async () => {
    const { world } = bank();
    const one = await world.open({ turns: [ScriptedTurn.hang()] });
    const first = one.runtime.runStream([AgentMessage.user('a')], one.log.observer());
    await untilCalled(one);
    const before = encoded(one.runtime.snapshot());
    const second = one.log.observer();
    expect(await one.ended(one.runtime.runStream([AgentMessage.user('b')], second))).toBe('run_already_active');
    expect(second.errors.map((error) => error.code)).toEqual(['run_already_active']);
    expect(second.events).toEqual([]);
    expect(encoded(one.runtime.snapshot())).toBe(before);
    await one.runtime.cancel('stop');
    expect((await first).value.stopReason).toBe('cancelled');
  });

  it('DEC-16 an empty input resumes what is open, and is input_empty when nothing is', async () => {
    const { world, counts } = bank();
    const one = await world.open({ turns: [PAY()] });
    expect(await one.ended(one.runtime.runStream([], one.log.observer()))).toBe('input_empty');
    await one.say('go');
    expect(await one.ended(one.runtime.runStream([], one.log.observer()))).toBe('awaiting_approval');
    await one.approveAll();
    expect(await one.ended(one.runtime.runStream([], one.log.observer()))).toBe('complete');
    expect(counts()).toEqual([1, 1]);
  });
});
