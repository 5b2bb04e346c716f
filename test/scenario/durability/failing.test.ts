import { describe, expect, it } from 'vitest';
import { AgentHook } from '@core/hook/AgentHook';
import type { StatePersistenceHookContext } from '@core/hook/context/StatePersistenceHookContext';
import { StatePersistenceHookResult } from '@core/hook/result/StatePersistenceHookResult';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import { CommitFault } from '@core/testing/StoppingStateStorage';
import type { RecordingTool } from '@core/testing/RecordingTool';
import { ToolResult } from '@core/tool/ToolResult';
import { EventLog } from '../../support/EventLog';
import { World } from '../../support/World';

const PAY = (): ScriptedTurn => new ScriptedTurn().call('c1', 'pay', '{"n":1}').call('c2', 'pay', '{"n":2}');

/** Aborts the writes whose reason (and phase) is named. */
class Aborter extends AgentHook {
  asked: string[] = [];

  constructor(public target: string) {
    super('aborter');
  }

  override async beforePersistState(context: StatePersistenceHookContext): Promise<StatePersistenceHookResult> {
    const name = context.effectPhase === undefined ? context.reason : `${context.reason}/${context.effectPhase}`;
    this.asked.push(name);
    return name === this.target ? StatePersistenceHookResult.abort(`no ${name}`) : StatePersistenceHookResult.proceed();
  }
}

function bank(): { world: World; pay: RecordingTool } {
  const world = new World();
  const pay = world.dangerous('pay');
  pay.work = async () => ToolResult.text('paid');
  return { world, pay };
}

describe('STA-04 an ending that cannot be saved', () => {
  it('STA-04 DEC-23 marks the session not resumable before anything is published; new work is refused', async () => {
    const { world } = bank();
    const log = new EventLog();
    const one = await world.open({ log });
    const mark = one.storage.markNotResumable.bind(one.storage);
    one.storage.markNotResumable = async (request) => {
      log.note('marked');
      return mark(request);
    };
    one.storage.plan(3, CommitFault.failBefore);
    expect(await one.say('hi')).toBe('state_save_failed');
    const details = one.result?.error.details;
    expect([details?.get('original'), details?.get('marked')]).toEqual(['complete', true]);
    expect(one.result?.error.cause).toBeDefined();
    const tail = log.lines.slice(log.lines.indexOf('marked') - 1);
    expect(tail).toEqual(['run state_persisted terminal', 'marked', 'bus agent.failed', 'run run_failed', 'run onError state_save_failed']);
    expect(log.count('bus agent.success')).toBe(0);
    expect(await one.say('again')).toBe('session_not_resumable');
    expect(await one.resume()).toBe('session_not_resumable');
    const two = await world.open();
    expect(await two.say('again')).toBe('session_not_resumable');
    expect(await two.resume()).toBe('session_not_resumable');
    expect((await world.stored()).resumable).toBe(false);
  });

  it('STA-04 when the mark fails too, the error says so', async () => {
    const { world } = bank();
    const one = await world.open();
    one.storage.plan(3, CommitFault.failBefore);
    one.storage.failMarks = true;
    expect(await one.say('hi')).toBe('state_save_failed');
    expect(one.result?.error.details?.get('marked')).toBe(false);
    expect(one.result?.error.message).toContain('could not be marked');
    expect(await one.say('again')).toBe('session_not_resumable');
    expect((await world.stored()).resumable).toBe(true);
  });

  it('DEC-06 a terminal save whose answer was lost is found on the disk: the run is complete', async () => {
    const { world } = bank();
    const one = await world.open();
    one.storage.plan(3, CommitFault.failAfter);
    expect(await one.say('hi')).toBe('complete');
    expect((await world.stored()).run?.stopReason).toBe('complete');
  });

  it('DEC-06 when nobody can tell whether it was written, it counts as failed', async () => {
    const { world } = bank();
    const one = await world.open();
    one.storage.plan(3, CommitFault.failAfter);
    one.storage.failLoads = true;
    expect(await one.say('hi')).toBe('state_save_failed');
    expect(one.result?.error.details?.get('marked')).toBe(false);
  });

  it('DEC-02 never marks on a conflict', async () => {
    const { world } = bank();
    const one = await world.open({ responder: () => ScriptedTurn.text('a') });
    const commit = one.storage.commit.bind(one.storage);
    one.storage.commit = async (request) => {
      if (request.reason === 'terminal') {
        const other = await world.open();
        await other.resume();
      }
      return commit(request);
    };
    expect(await one.say('hi')).toBe('state_conflict');
    expect((await world.stored()).resumable).toBe(true);
    expect(one.runtime.snapshot().resumable).toBe(true);
  });

  it('a cancel whose save fails is no cancel: state_save_failed, marked', async () => {
    const { world, pay } = bank();
    const one = await world.open({ turns: [PAY()] });
    await one.say('go');
    one.storage.plan(1, CommitFault.failBefore);
    expect((await one.runtime.cancel('stop')).error.code).toBe('state_save_failed');
    expect(one.log.count('bus agent.cancelled')).toBe(0);
    expect((await world.stored()).resumable).toBe(false);
    expect(await one.resume()).toBe('session_not_resumable');
    expect(pay.count).toBe(0);
  });

  it('STA-04 a suspension that cannot be saved is not claimed', async () => {
    const { world } = bank();
    const one = await world.open({ turns: [ScriptedTurn.hang()] });
    const run = one.say('hi');
    one.storage.plan(2, CommitFault.failBefore);
    await Promise.resolve().then(() => undefined);
    while (one.provider.calls === 0) await Promise.resolve();
    await one.runtime.suspend('background');
    expect(await run).toBe('state_save_failed');
    expect(one.log.count('bus agent.suspended')).toBe(0);
  });
});

describe('DEC-06 DEC-63 other saves that fail', () => {
  it('DEC-06 an ordinary save that fails is told and the run goes on; the next one carries its changes', async () => {
    const { world } = bank();
    const one = await world.open();
    one.storage.plan(1, CommitFault.failBefore);
    one.storage.plan(2, CommitFault.failBefore);
    expect(await one.say('hi')).toBe('complete');
    expect(one.log.of('bus').filter((line) => line.startsWith('state.persisted'))).toEqual([
      'state.persisted after_user_input failed', 'state.persisted after_model_text failed', 'state.persisted terminal']);
    expect((await world.stored()).history.length).toBe(2);
  });

  it('DEC-63 a question that cannot be saved: the run ends, its calls close as not_executed, new input is taken', async () => {
    const { world, pay } = bank();
    const one = await world.open({ turns: [PAY()] });
    one.storage.plan(3, CommitFault.failBefore);
    expect(await one.say('go')).toBe('state_save_failed');
    expect(one.result?.error.details?.get('original')).toBeUndefined();
    expect((await world.stored()).resumable).toBe(true);
    expect(await one.say('hello?')).toBe('complete');
    expect(one.history().slice(2, 4).every((line) => line.includes('tool_batch_not_executed'))).toBe(true);
    expect(pay.count).toBe(0);
  });

  it('DEC-63 a start that cannot be noted: the effect does not begin', async () => {
    const { world, pay } = bank();
    const one = await world.open({ turns: [PAY()] });
    await one.say('go');
    await one.approveAll();
    one.storage.plan(2, CommitFault.failBefore);
    expect(await one.resume()).toBe('state_save_failed');
    expect(pay.count).toBe(0);
    expect(await one.say('hello?')).toBe('complete');
    expect(one.history().slice(2, 4).every((line) => line.includes('tool_batch_not_executed'))).toBe(true);
  });

  it('DEC-63 a finish that cannot be noted: the result is kept by the terminal save, the rest does not run', async () => {
    const { world, pay } = bank();
    const one = await world.open({ turns: [PAY()] });
    await one.say('go');
    await one.approveAll();
    one.storage.plan(3, CommitFault.failBefore);
    expect(await one.resume()).toBe('state_save_failed');
    expect(pay.count).toBe(1);
    expect(await one.say('hello?')).toBe('complete');
    expect(one.history().slice(2, 4)).toEqual(['tool c1: paid', expect.stringContaining('tool_batch_not_executed')]);
  });

  it('DEC-63 a claim that cannot be saved keeps what the person and the world said', async () => {
    const { world, pay } = bank();
    const one = await world.open({ turns: [PAY()] });
    await one.say('go');
    await one.controller.denyAll(one.batch().batchId, 'no');
    one.storage.plan(1, CommitFault.failBefore);
    expect(await one.resume()).toBe('state_save_failed');
    expect(await one.say('hello?')).toBe('complete');
    expect(one.history().slice(2, 4).every((line) => line.includes('tool_denied: the person refused this call: no'))).toBe(true);
    expect(pay.count).toBe(0);
  });

  it('DEC-63 when the terminal save fails too, the session takes no more work', async () => {
    const { world, pay } = bank();
    const one = await world.open({ turns: [PAY()] });
    one.storage.plan(3, CommitFault.failBefore);
    one.storage.plan(4, CommitFault.failBefore);
    expect(await one.say('go')).toBe('state_save_failed');
    expect((await world.stored()).resumable).toBe(false);
    expect(await (await world.open()).say('hello?')).toBe('session_not_resumable');
    expect(pay.count).toBe(0);
  });
});

describe('DEC-34 hooks that abort a save', () => {
  async function decided(hook: Aborter): Promise<ReturnType<typeof bank> & { one: Awaited<ReturnType<World['open']>> }> {
    const made = bank();
    const one = await made.world.open({ turns: [PAY()], config: { hooks: [hook] } });
    return { ...made, one };
  }

  it('DEC-34 of a terminal write: that ending becomes aborted, written once, hooks not asked again', async () => {
    const hook = new Aborter('terminal');
    const { world } = bank();
    const one = await world.open({ config: { hooks: [hook] } });
    expect(await one.say('hi')).toBe('hook_abort');
    expect(hook.asked.filter((name) => name === 'terminal')).toHaveLength(1);
    expect((await world.stored()).run?.stopReason).toBe('aborted');
    expect(one.log.of('run').slice(-2)).toEqual(['run_failed', 'onError hook_abort']);
    expect(await one.say('again')).toBe('hook_abort');
  });

  it('DEC-34 of awaiting_approval: nothing announced, terminal aborted', async () => {
    const { world, one, pay } = await decided(new Aborter('awaiting_approval'));
    expect(await one.say('go')).toBe('hook_abort');
    expect(one.log.of('bus').filter((line) => line.startsWith('approval'))).toEqual([]);
    const stored = await world.stored();
    expect([stored.run?.stopReason, stored.pendingApproval]).toEqual(['aborted', undefined]);
    expect(stored.openBatch?.calls.map((call) => call.reason)).toEqual(['hook_abort', 'hook_abort']);
    expect(pay.count).toBe(0);
  });

  it('DEC-34 of approval_decision: not recorded, failure hook_abort, the question stays', async () => {
    const { world, one } = await decided(new Aborter('approval_decision'));
    await one.say('go');
    const disk = await world.storedText();
    const [id] = one.questions();
    expect((await one.controller.approve(id)).error?.code).toBe('hook_abort');
    expect(one.questions()).toContain(id);
    expect(await world.storedText()).toBe(disk);
  });

  it('DEC-34 of tool_effect/started: the call does not begin, the run is aborted', async () => {
    const { world, one, pay } = await decided(new Aborter('tool_effect/started'));
    await one.say('go');
    await one.approveAll();
    expect(await one.resume()).toBe('hook_abort');
    expect(pay.count).toBe(0);
    expect((await world.stored()).openBatch?.calls.map((call) => call.reason)).toEqual(['hook_abort', 'hook_abort']);
  });

  it('DEC-34 of tool_effect/finished: the fact is written first, then the abort takes effect', async () => {
    const { world, one, pay } = await decided(new Aborter('tool_effect/finished'));
    await one.say('go');
    await one.approveAll();
    expect(await one.resume()).toBe('hook_abort');
    expect(pay.count).toBe(1);
    const stored = await world.stored();
    expect(one.storage.reasons.slice(-3)).toEqual(['tool_effect', 'tool_effect', 'terminal']);
    expect(stored.openBatch?.calls.map((call) => call.status)).toEqual(['finished', 'closed']);
    expect(stored.openBatch?.calls[1].reason).toBe('hook_abort');
    expect(stored.run?.stopReason).toBe('aborted');
  });

  it('DEC-34 of a suspension: aborted, written once', async () => {
    const hook = new Aborter('suspend');
    const { world } = bank();
    const one = await world.open({ turns: [ScriptedTurn.hang()], config: { hooks: [hook] } });
    const run = one.say('hi');
    while (one.provider.calls === 0) await Promise.resolve();
    await one.runtime.suspend('background');
    expect(await run).toBe('hook_abort');
    expect((await world.stored()).run?.status).toBe('finished');
  });
});
