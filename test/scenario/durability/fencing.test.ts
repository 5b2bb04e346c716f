import { describe, expect, it } from 'vitest';
import { GrantScope } from '@core/approval/ApprovalGrant';
import { type AuthorizationPolicy, AuthorizationResult } from '@core/approval/AuthorizationPolicy';
import { UnknownOutcomePolicy } from '@core/approval/ApprovalModes';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import type { RecordingTool } from '@core/testing/RecordingTool';
import { ToolResult } from '@core/tool/ToolResult';
import type { Process } from '../../support/Process';
import { World } from '../../support/World';

const TWO = (): ScriptedTurn => new ScriptedTurn().call('c1', 'pay', '{"n":1}').call('c2', 'pay', '{"n":2}');

async function pair(): Promise<{ world: World; a: Process; b: Process; pay: RecordingTool; ids: string[] }> {
  const world = new World();
  const pay = world.dangerous('pay');
  const a = await world.open({ turns: [TWO()] });
  await a.say('go');
  return { world, a, b: await world.open(), pay, ids: a.questions() };
}

describe('S3 two owners of one session', () => {
  it('APP-12 both resume: exactly one runs the batch, the other gets state_conflict', async () => {
    const { a, world, pay } = await pair();
    await a.approveAll();
    const b = await world.open();
    const endings = await Promise.all([a.resume(), b.resume()]);
    expect(endings.slice().sort()).toEqual(['complete', 'state_conflict']);
    expect(pay.count).toBe(2);
    const loser = endings[0] === 'complete' ? b : a;
    expect(loser.log.of('bus').filter((line) => line.startsWith('agent.') && line !== 'agent.started' && line !== 'agent.suspended')).toEqual([]);
    expect(loser.observer.errors.map((error) => error.code)).toEqual(['state_conflict']);
    expect(loser.storage.reasons.filter((reason) => reason === 'terminal')).toEqual([]);
    expect((await world.stored()).resumable).toBe(true);
  });

  it('APP-12 the loser sees what the winner stored and can go on from there', async () => {
    const { a, world } = await pair();
    await a.approveAll();
    const b = await world.open();
    expect(await a.resume()).toBe('complete');
    expect(await b.resume()).toBe('state_conflict');
    expect(b.runtime.snapshot().revision).toBe(a.runtime.snapshot().revision);
    expect(await b.say('next')).toBe('complete');
    expect(await a.say('late')).toBe('state_conflict');
  });

  it('S3 two deciders with different answers: one wins, the other learns it, the runs match the winner', async () => {
    const { a, b, pay, ids } = await pair();
    await a.controller.approve(ids[1]);
    const [yes, no] = await Promise.all([a.controller.approve(ids[0]), b.controller.deny(ids[0])]);
    expect([yes.ok, no.ok]).toEqual([true, true]);
    expect(no.decision).toBe(yes.decision);
    await b.runtime.close();
    const ending = await a.resume();
    expect(['complete', 'state_conflict']).toContain(ending);
    if (ending === 'state_conflict') {
      expect(await a.resume()).toBe('complete');
    }
    expect(pay.count).toBe(yes.decision === 'approved' ? 2 : 0);
  });

  it('S3 DEC-02 a decision that loses only against another decision is made all the same', async () => {
    const { a, b, world, ids } = await pair();
    expect((await a.controller.approve(ids[0])).ok).toBe(true);
    const second = await b.controller.approve(ids[1]);
    expect([second.ok, second.decision, second.allDecided]).toEqual([true, 'approved', true]);
    expect((await world.stored()).pendingApproval?.allDecided()).toBe(true);
    expect(b.log.of('bus').filter((line) => line.startsWith('approval.resolved'))).toEqual(['approval.resolved approved all']);
  });

  it('S3 the same decision from another owner writes nothing', async () => {
    const { a, b, world, ids } = await pair();
    await a.controller.approve(ids[0]);
    const revision = (await world.stored()).revision;
    expect((await b.controller.approve(ids[0])).decision).toBe('approved');
    expect((await world.stored()).revision).toBe(revision);
    expect(b.log.of('bus').filter((line) => line.startsWith('approval.resolved'))).toEqual([]);
  });

  it('S3 an edit that loses against a decision is not kept', async () => {
    const { a, b, world, ids } = await pair();
    await a.controller.deny(ids[0]);
    expect((await b.controller.approveWithArguments(ids[0], '{"n":9}')).decision).toBe('denied');
    expect((await world.stored()).openBatch?.calls[0].effective.argumentsJson).toBe('{"n":1}');
  });

  it('S3 a decision after the other owner ran the batch gets the standing answer or approval_batch_closed', async () => {
    const { a, b, pay, ids } = await pair();
    await a.approveAll();
    await a.resume();
    expect((await b.controller.approve(ids[0])).decision).toBe('approved');
    expect((await b.controller.deny(ids[1])).error?.code).toBe('approval_batch_closed');
    expect(pay.count).toBe(2);
  });

  it('DEC-51 a second owner that claims a run which is alive fences the first; no effect happens twice', async () => {
    const { a, world, pay } = await pair();
    await a.approveAll();
    let other: Process | undefined = undefined as Process | undefined;
    let ending = '';
    pay.work = async () => {
      if (other === undefined) {
        other = await world.open();
        ending = await other.resume();
      }
      return ToolResult.text('paid');
    };
    expect(await a.resume()).toBe('state_conflict');
    expect(ending).toBe('complete');
    expect(pay.runs.map((run) => run.argumentsJson)).toEqual(['{"n":1}', '{"n":2}']);
    expect(other?.history().slice(2, 4)).toEqual([expect.stringContaining('tool_outcome_unknown'), 'tool c2: paid']);
    expect((await world.stored()).resumable).toBe(true);
    expect(a.log.of('bus').filter((line) => line.includes('agent.cancelled') || line.includes('agent.success'))).toEqual([]);
  });

  it('DEC-02 a cancel that loses tries again until the session is terminal, as one segment', async () => {
    const { a, b, world, pay, ids } = await pair();
    await a.controller.approve(ids[0]);
    b.log.clear();
    expect((await b.runtime.cancel('stop')).value).toBe(true);
    expect((await world.stored()).run?.stopReason).toBe('cancelled');
    expect(b.log.of('bus').filter((line) => line.startsWith('agent.'))).toEqual(['agent.cancelled']);
    expect((await a.controller.approve(ids[1])).error?.code).toBe('approval_batch_closed');
    expect(await a.resume()).toBe('resume_nothing_pending');
    expect(pay.count).toBe(0);
  });

  it('DEC-02 a cancel that finds the run ended by somebody else has nothing to do and announces nothing', async () => {
    const { a, b } = await pair();
    await a.approveAll();
    await a.resume();
    b.log.clear();
    expect((await b.runtime.cancel('stop')).value).toBe(true);
    expect(b.log.of('bus').filter((line) => line.startsWith('agent.'))).toEqual([]);
    expect(b.runtime.snapshot().run?.stopReason).toBe('complete');
  });

  it.each([[true], [false]])('S3 a claim whose checks take long is not made of what they saw, when the session was stored or loaded meanwhile (another owner ran the batch: %s)', async (overtaken) => {
    const world = new World();
    const pay = world.sensitive('pay');
    let asks = 0;
    let go: () => void = () => undefined;
    const slow: AuthorizationPolicy = { name: 'slow', authorize: async () => {
      asks++;
      if (asks === 2) await new Promise<void>((resolve) => { go = resolve; });
      return AuthorizationResult.allow();
    } };
    const one = await world.open({ turns: [ScriptedTurn.call('c1', 'pay', '{"n":1}'), ScriptedTurn.text('ok'), ScriptedTurn.call('c2', 'pay', '{"n":2}')] });
    await one.say('go');
    const grant = (await one.controller.approveAndRemember(one.questions()[0], { scope: GrantScope.arguments })).grantId ?? '';
    await one.resume();
    await one.say('more');
    await one.approveAll();
    one.kill();
    asks = 1;
    const a = await world.open({ config: { authorizationPolicy: slow } });
    const late = a.resume();
    while (asks < 2) await Promise.resolve();
    const b = await world.open();
    if (overtaken) expect(await b.resume()).toBe('complete');
    // Its write loses, and what the winner stored is loaded; or it wins, and what was checked is older than it.
    expect((await a.controller.revokeGrant(grant)).ok).toBe(true);
    go();
    expect(await late).toBe(overtaken ? 'state_conflict' : 'complete');
    expect([pay.count, asks]).toEqual([2, overtaken ? 2 : 3]);
    expect((await world.stored()).run).toMatchObject({ status: 'finished', segment: 1 });
  });

  it('DEC-21 a decision that was repeated before a pause does not continue the run after it, whatever another owner made of it', async () => {
    const world = new World();
    const pay = world.dangerous('pay');
    const config = { unknownOutcomePolicy: UnknownOutcomePolicy.ask };
    const a = await world.open({ turns: [ScriptedTurn.call('c1', 'pay', '{}')], config });
    await a.say('go');
    const [id] = a.questions();
    a.runtime.attach(a.log.observer());
    pay.work = () => new Promise(() => undefined);
    await a.controller.approve(id);
    while (pay.count === 0) await Promise.resolve();
    expect((await a.controller.approve(id)).ok).toBe(true);
    const b = await world.open({ config });
    expect(await b.resume()).toBe('awaiting_approval');
    await b.approveAll();
    const paused = a.runtime.suspend('background');
    world.scheduler.advance(2000);
    await paused;
    await new Promise<void>((resolve) => setImmediate(resolve));
    expect([a.runtime.running, pay.count, (await world.stored()).run?.stopReason]).toEqual([false, 1, 'awaiting_approval']);
    pay.work = undefined;
    expect([await b.resume(), pay.count]).toEqual(['complete', 2]);
  });

  it.each([[true], [false]])('DEC-02 a cancel that finds another run of another owner (own run active: %s) ends that one, under its name', async (active) => {
    const world = new World();
    const first = await world.open({ turns: [ScriptedTurn.hang()] });
    const lost = first.say('first');
    while (first.runtime.snapshot().revision === 0) await Promise.resolve();
    if (!active) first.kill();
    const a = active ? first : await world.open();
    const b = await world.open({ turns: [ScriptedTurn.hang()] });
    const second = b.say('second');
    while ((await world.stored()).run?.runId === a.runtime.snapshot().run?.runId) await Promise.resolve();
    const running = (await world.stored()).run?.runId;
    expect((await a.runtime.cancel('stop')).value).toBe(true);
    expect(await lost).toBe(active ? 'state_conflict' : 'stopped');
    expect((await world.stored()).run).toMatchObject({ runId: running, status: 'finished', stopReason: 'cancelled' });
    const told = a.log.busEvents.filter((event) => event.eventType() === 'agent.cancelled').map((event) => event.runId);
    expect(told).toEqual([running]);
    void b.runtime.suspend('over');
    expect(await second).toBe('state_conflict');
    expect(b.log.count('bus agent.cancelled')).toBe(0);
  });

  it('DEC-02 input that loses ends with state_conflict, without terminal save or mark', async () => {
    const world = new World();
    const a = await world.open();
    const b = await world.open();
    expect(await a.say('one')).toBe('complete');
    expect(await b.say('two')).toBe('state_conflict');
    expect(b.storage.reasons).toEqual(['after_user_input']);
    expect((await world.stored()).resumable).toBe(true);
    expect(b.log.of('run').filter((line) => line.startsWith('run_')).slice(-1)).toEqual(['run_failed']);
    expect(await b.say('two')).toBe('complete');
  });

  it('DEC-07 a session that was removed and made again is not the same session', async () => {
    const { a, world, pay } = await pair();
    await a.approveAll();
    const revision = (await world.stored()).revision;
    await world.disk.remove(world.sessionId);
    const b = await world.open();
    for (let commit = 0; commit < revision; commit++) {
      await b.say('x');
      if ((await world.stored()).revision >= revision) break;
    }
    expect(await a.resume()).toBe('state_conflict');
    expect(pay.count).toBe(0);
  });
});
