import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Bench, GRACE_MS } from './Bench';
import { command } from './commands';
import { expectSound } from './invariants';
import { fault, type Rules } from './Reference';

/** Sequences per run of the suite; more with ARKAGENT_SEQUENCES. */
const SEQUENCES = Number(process.env.ARKAGENT_SEQUENCES ?? 300);
/** ARKAGENT_SEED replays what an earlier run reported. */
const SEED = Number(process.env.ARKAGENT_SEED ?? Date.now() % 2 ** 31);

const rules: fc.Arbitrary<Rules> = fc.record({ atomic: fc.boolean(), whole: fc.boolean(), asksRetry: fc.boolean(), attached: fc.boolean() });

/** Everybody dies; then a person comes back and answers everything with yes. What was approved has happened, or is said to be unknown. */
async function finish(bench: Bench): Promise<void> {
  for (const actor of bench.live()) actor.process.kill();
  bench.script.length = 0;
  await bench.settle();
  const actor = bench.main;
  for (let round = 0; round < 30 && bench.reference.isOpen(); round++) {
    for (const id of actor.process.questions()) {
      bench.reference.wanted.push({ id, verdict: 'approved' });
      await actor.controller.approve(id);
    }
    bench.reference.resuming.add(actor.pid);
    if (!actor.busy) actor.process.resume();
    await bench.settle();
    bench.reference.resuming.delete(actor.pid);
    actor.wire.scheduler.advance(9);
    await bench.settle();
    actor.gates.splice(0).forEach((gate) => gate.open());
    bench.advance(GRACE_MS);
    await bench.settle();
    await expectSound(bench);
  }
  if (bench.reference.isOpen()) fault('a person answered everything, and the run does not end');
  for (const batch of bench.reference.batches) {
    for (const call of batch.calls) {
      const approved = batch.closedBy === '' && !batch.stopped && batch.latest(call.position)?.verdict === 'approved';
      if (approved && call.entered === 0 && !call.begun) fault(`${call.id} was approved and never happened`);
    }
  }
}

describe('STA-01 any sequence of operations is what the reference allows', () => {
  it(`STA-01 APP-05 APP-06 APP-07 APP-08 APP-09 APP-10 APP-12 HOOK-07 STR-01 S1 S2 S3 S5 hold over ${SEQUENCES} sequences of input, pieces, decisions, time, kills and a second process`, async () => {
    const seen = new Map<string, number>();
    let commits = 0;
    let effects = 0;
    let steps = 0;
    await fc.assert(fc.asyncProperty(rules, fc.commands([command], { maxCommands: 90, size: 'max' }), async (chosen, commands) => {
      const bench = await new Bench(chosen).begin();
      await fc.asyncModelRun(() => ({ model: bench, real: bench }), commands);
      await finish(bench);
      commits += bench.commits;
      steps += bench.steps;
      for (const call of bench.reference.batches.flatMap((batch) => batch.calls)) effects += call.plan.tool === 'read' ? 0 : call.entered;
      for (const verdict of bench.reference.batches.flatMap((batch) => batch.questions.map((one) => one.verdict))) seen.set(verdict, (seen.get(verdict) ?? 0) + 1);
      for (const ending of bench.actors.flatMap((actor) => actor.segments.map((segment) => segment.ending ?? 'none'))) seen.set(ending, (seen.get(ending) ?? 0) + 1);
    }), { numRuns: SEQUENCES, seed: SEED });
    if (process.env.ARKAGENT_SEQUENCES !== undefined) console.info(JSON.stringify({ seed: SEED, steps, commits, effects, ...Object.fromEntries(seen) }));
    expect(commits).toBeGreaterThan(SEQUENCES * 8);
    expect(effects).toBeGreaterThan(SEQUENCES / 2);
    for (const ending of ['approved', 'denied', 'expired', 'complete', 'awaiting_approval', 'cancelled', 'suspended', 'state_conflict', 'stopped']) {
      expect([...seen.keys()], 'the sequences are worth something').toContain(ending);
    }
  }, 120_000 + SEQUENCES * 100);
});
