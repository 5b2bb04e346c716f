import { describe, expect, it } from 'vitest';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import { CommitFault } from '@core/testing/StoppingStateStorage';
import { Family, PAY, delegate, type Script } from './family';
import type { SubAgentOptions } from '@core/subagent/SubAgentOptions';

interface Plot {
  name: string;
  script: Script;
  sub: SubAgentOptions;
  effects: readonly string[];
}

const PLOTS: readonly Plot[] = [
  { name: 'one child', script: { go: [delegate('a')], a: [PAY(1), ScriptedTurn.text('A')] }, sub: {}, effects: ['{"n":1}'] },
  {
    name: 'a batch with an own effect and two children', sub: {}, effects: ['{"n":1}', '{"n":2}', '{"n":3}'],
    script: {
      go: [new ScriptedTurn().call('p0', 'pay', '{"n":3}').call('d1', 'delegate_task', '{"task":"a"}').call('d2', 'delegate_task', '{"task":"b"}')],
      a: [PAY(1), ScriptedTurn.text('A')], b: [PAY(2), ScriptedTurn.text('B')],
    },
  },
  { name: 'a grandchild', script: { go: [delegate('mid')], mid: [delegate('leaf')], leaf: [PAY(1), ScriptedTurn.text('L')] }, sub: { maxDepth: 2 }, effects: ['{"n":1}'] },
];

/** Says, approves and resumes until the run has ended or the process died. */
async function play(family: Family, plan?: { at: number; fault: CommitFault }): Promise<number> {
  const one = await family.open();
  if (plan !== undefined) one.storage.plan(plan.at, plan.fault);
  const done = (async (): Promise<void> => {
    await one.say('go');
    for (let step = 0; step < 10 && one.runtime.snapshot().run?.status !== 'finished'; step++) {
      await one.approveAll();
      await one.resume();
    }
  })();
  await Promise.race([done, one.storage.whenStopped]);
  return one.storage.commits.length;
}

describe.each(PLOTS)('S11 APP-16 a kill at every commit of parent and children: $name', ({ script, sub, effects }) => {
  it('S11 each effect once or known as unknown, no question lost, no task given twice', async () => {
    const whole = new Family(script, sub);
    const commits = await play(whole);
    expect(commits).toBeGreaterThan(15);
    expect(whole.pay.runs.map((run) => run.argumentsJson).sort()).toEqual(effects);
    for (let at = 1; at <= commits; at++) {
      for (const fault of [CommitFault.stopBefore, CommitFault.stopAfter]) {
        const where = `${fault} at ${at}`;
        const family = new Family(script, sub);
        await play(family, { at, fault });
        const before = (await family.world.disk.load('s')).value;
        if (before === undefined) continue;
        const after = await family.settle();
        const state = await family.world.stored();
        expect([where, state.run?.status, state.openBatch, state.pendingApproval]).toEqual([where, 'finished', undefined, undefined]);
        const all = await Promise.all((await family.children()).map((id) => family.child(id)));
        expect(all.map((child) => `${where} ${child.run?.status}`)).toEqual(all.map(() => `${where} finished`));
        const words = [state, ...all].flatMap((one) => one.history.toArray().map((message) => message.text())).join('\n');
        for (const effect of effects) {
          const runs = family.pay.runs.filter((run) => run.argumentsJson === effect).length;
          expect(runs, where).toBeLessThanOrEqual(1);
          expect(runs === 1 || words.includes('tool_outcome_unknown'), where).toBe(true);
        }
        // A task is given once: no session but those of the undisturbed run.
        expect(all.length, where).toBeLessThanOrEqual((await whole.children()).length);
        expect(after.questions(), where).toEqual([]);
      }
    }
  }, 120_000);

  it('S11 a cancel after any kill ends every session, leaves no question and repeats nothing', async () => {
    const commits = await play(new Family(script, sub));
    for (let at = 1; at <= commits; at++) {
      const family = new Family(script, sub);
      await play(family, { at, fault: CommitFault.stopAfter });
      const runs = family.pay.count;
      const two = await family.open();
      await two.runtime.cancel('enough');
      expect((await family.world.stored()).run?.status, `at ${at}`).toBe('finished');
      for (const id of await family.children()) {
        const child = await family.child(id);
        expect([`at ${at}`, child.run?.status, child.pendingApproval]).toEqual([`at ${at}`, 'finished', undefined]);
      }
      expect([two.questions(), family.pay.count]).toEqual([[], runs]);
      expect(await two.say('and now?')).toBe('complete');
    }
  }, 120_000);
});
