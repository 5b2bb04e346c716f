import { describe, expect, it } from 'vitest';
import { BatchDenyMode } from '@core/approval/ApprovalModes';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import type { RecordingTool } from '@core/testing/RecordingTool';
import type { Process } from '../../support/Process';
import { World } from '../../support/World';

/** A small generator with a seed: a failing interleaving can be repeated. */
function random(seed: number): (below: number) => number {
  let state = seed * 2654435761 % 4294967296;
  return (below) => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return Math.floor(state / 4294967296 * below);
  };
}

async function ticks(count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    await Promise.resolve();
  }
}

interface Race {
  world: World;
  pay: RecordingTool;
  owners: Process[];
  ids: string[];
  roll: (below: number) => number;
}

/** A frozen batch of two calls, two owners of the session, and a disk that answers when it likes. */
async function race(seed: number): Promise<Race> {
  const world = new World();
  const pay = world.dangerous('pay');
  const roll = random(seed);
  const one = await world.open({ turns: [new ScriptedTurn().call('c1', 'pay', '{"n":1}').call('c2', 'pay', '{"n":2}')],
    config: { batchDenyMode: BatchDenyMode.independent } });
  await one.say('go');
  const two = await world.open();
  for (const method of ['commit', 'load'] as const) {
    const real = world.disk[method].bind(world.disk) as (input: never) => Promise<never>;
    world.disk[method] = (async (input: never) => {
      await ticks(roll(12));
      const answer = await real(input);
      await ticks(roll(12));
      return answer;
    }) as never;
  }
  return { world, pay, owners: [one, two], ids: one.questions(), roll };
}

/** What an owner does: decides both questions in some order and way, and resumes. */
async function act(owner: Process, ids: string[], roll: (below: number) => number): Promise<[string, string][]> {
  const answers: [string, string][] = [];
  if (roll(3) === 0) {
    owner.runtime.attach(owner.log.observer());
  }
  await ticks(roll(3) === 0 ? 400 + roll(400) : 0);
  for (const id of roll(2) === 0 ? ids : ids.slice().reverse()) {
    await ticks(roll(30));
    const answer = await (roll(2) === 0 ? owner.controller.approve(id) : owner.controller.deny(id));
    answers.push([id, answer.ok ? answer.decision : answer.error?.code ?? '']);
  }
  await ticks(roll(30));
  await owner.resume();
  return answers;
}

const SEEDS = Array.from({ length: 60 }, (_, at) => at + 1);

describe('S3 two deciders, two resumers', () => {
  it('S3 whatever the interleaving: one decision stands, both learn it, and the executions match it', async () => {
    const seen = new Set<string>();
    for (const seed of SEEDS) {
      const { world, pay, owners, ids, roll } = await race(seed);
      const told = await Promise.all(owners.map((owner) => act(owner, ids, random(roll(1e6)))));
      await ticks(2000);
      const last = await world.open();
      for (let step = 0; step < 5 && last.runtime.snapshot().run?.status !== 'finished'; step++) {
        expect(last.questions(), `seed ${seed}: both questions were answered`).toEqual([]);
        await last.resume();
      }
      const [receipt] = (await world.stored()).receipts;
      ids.forEach((id, position) => {
        const standing = receipt.find(id)?.decision;
        const runs = pay.runs.filter((run) => run.argumentsJson === `{"n":${position + 1}}`).length;
        expect(runs, `seed ${seed}: call ${position} was ${standing}`).toBe(standing === 'approved' ? 1 : 0);
        for (const answers of told) {
          const mine = answers.find(([known]) => known === id)?.[1] ?? '';
          expect([standing, 'approval_batch_closed'], `seed ${seed}`).toContain(mine);
          seen.add(mine);
        }
      });
    }
    expect([...seen].sort(), 'the seeds reach every answer').toEqual(['approval_batch_closed', 'approved', 'denied']);
  }, 60000);

  it('S3 two resumes of an approved batch: exactly one execution per call, never none', async () => {
    const endings = new Set<string>();
    for (const seed of SEEDS) {
      const { pay, owners, ids, roll } = await race(seed);
      for (const id of ids) {
        await owners[0].controller.approve(id);
        await owners[1].controller.approve(id);
      }
      const results = await Promise.all(owners.map(async (owner) => { await ticks(roll(80)); return owner.resume(); }));
      results.forEach((ending) => endings.add(ending));
      expect(results.filter((ending) => ending === 'complete'), `seed ${seed}: ${results.join()}`).toHaveLength(1);
      expect(pay.runs.map((run) => run.argumentsJson), `seed ${seed}`).toEqual(['{"n":1}', '{"n":2}']);
    }
    expect([...endings].every((ending) => ['complete', 'state_conflict', 'resume_nothing_pending'].includes(ending)), [...endings].join()).toBe(true);
  }, 60000);

  it("S3 repeating the winner's decision writes nothing", async () => {
    const { world, owners, ids } = await race(1);
    await owners[0].controller.approve(ids[0]);
    const revision = (await world.stored()).revision;
    expect((await owners[1].controller.approve(ids[0])).decision).toBe('approved');
    expect((await owners[0].controller.approve(ids[0])).decision).toBe('approved');
    expect((await world.stored()).revision).toBe(revision);
  });
});
