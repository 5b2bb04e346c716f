import fc from 'fast-check';
import { CommitFault } from '@core/testing/StoppingStateStorage';
import type { Actor, Segment } from './Actor';
import type { TurnPlan, Verdict } from './BatchBook';
import { Bench, GRACE_MS, TTL_MS } from './Bench';
import { expectSound } from './invariants';
import { fault } from './Reference';

/** Runs one thing on a process and holds its answer against the reference. */
type Act = (bench: Bench, actor: Actor) => Promise<void> | void;

/** Whether an operation would do anything now; without this most of a sequence is about nothing. */
type Means = (bench: Bench, actor: Actor | undefined) => boolean;

/** One operation of a sequence, on the first or the second process. After it nothing moves, and every invariant holds. */
class Command implements fc.AsyncCommand<Bench, Bench> {
  constructor(private readonly name: string, private readonly onSecond: boolean, private readonly means: Means | undefined, private readonly act: Act) {}

  check(bench: Bench): boolean {
    return this.means === undefined || this.means(bench, this.onSecond ? bench.other : bench.main);
  }

  async run(_model: Bench, bench: Bench): Promise<void> {
    const actor = this.onSecond ? bench.other ?? await second(bench) : bench.main;
    bench.steps++;
    await this.act(bench, actor);
    await bench.settle();
    await expectSound(bench);
  }

  toString(): string {
    return `${this.name}${this.onSecond ? '@2' : ''}`;
  }
}

async function second(bench: Bench): Promise<Actor> {
  bench.other = await bench.start();
  return bench.other;
}

/** Endings of a segment that has begun, and what must be true of the session then. */
function expectEnding(bench: Bench, actor: Actor, segment: Segment): void {
  const reference = bench.reference;
  if (segment.ending === 'stopped') return;
  if (segment.ending === 'state_conflict') {
    if (reference.byOthers(actor.pid) === segment.others) fault('a run that nobody overtook ended with state_conflict');
  } else if (segment.ending === 'complete' || segment.ending === 'cancelled') {
    if (reference.status !== 'finished' || reference.stopReason !== segment.ending) fault(`${segment.ending} was reported, the disk says ${reference.stopReason}`);
  } else if (segment.ending === 'awaiting_approval' || segment.ending === 'suspended') {
    if (reference.status !== 'suspended' || reference.stopReason !== segment.ending) fault(`${segment.ending} was reported, the disk says ${reference.stopReason}`);
  } else {
    fault(`a run ended with ${segment.ending}`);
  }
}

/** Input or resume: refused as the reference says, without a trace; otherwise a segment that may go on for many commands. */
async function begin(bench: Bench, actor: Actor, refusal: string | undefined, start: () => Promise<string>): Promise<void> {
  const fresh = bench.isFresh(actor);
  const wasBusy = actor.busy;
  const expected = wasBusy ? 'run_already_active' : refusal;
  const before = bench.commits;
  const running = start();
  const segment: Segment = { others: fresh ? bench.reference.byOthers(actor.pid) : -1, observer: actor.process.observer, ending: undefined };
  running.then((ending) => {
    segment.ending = ending;
  });
  await bench.settle();
  const refused = segment.ending !== undefined && actor.alive && segment.observer.events.length === 0;
  if (fresh || wasBusy) {
    if (expected !== undefined && (segment.ending !== expected || bench.commits !== before)) fault(`${segment.ending}, expected ${expected}; ${bench.commits - before} commits`);
    if (expected === undefined && refused) fault(`refused with ${segment.ending}, nothing stood in the way`);
  } else if (!actor.process.storage.stopped && segment.ending === undefined) {
    fault('a process that knows an old state goes on with the session');
  }
  if (refused) return;
  actor.segments.push(segment);
  running.then(() => expectEnding(bench, actor, segment)).catch((e: Error) => bench.note(e.message));
}

async function decide(bench: Bench, actor: Actor, id: string, verdict: Verdict, edit?: string): Promise<void> {
  const reference = bench.reference;
  const fresh = bench.isFresh(actor);
  const expected = reference.expectDecision(id, verdict, edit === undefined ? undefined : edit !== BAD_EDIT, bench.world.clock.nowMs());
  const want = { id, verdict, edit };
  reference.wanted.push(want);
  const idle = !actor.busy && reference.stopReason === 'awaiting_approval';
  let answer: string | undefined = undefined;
  const asked = edit !== undefined ? actor.controller.approveWithArguments(id, edit) : verdict === 'approved' ? actor.controller.approve(id) : actor.controller.deny(id, 'no');
  const told = asked.then((result) => {
    answer = result.ok ? result.decision : result.error?.code;
  });
  await bench.settle();
  reference.wanted.splice(reference.wanted.indexOf(want), 1);
  if (actor.process.storage.stopped) return;
  await told;
  // One that knows an old state may answer from it what stood then; what it tells as new is checked below.
  const stale = fresh ? [] : [reference.question(id)?.verdict ?? 'none', 'approval_expired', 'approval_not_found', 'approval_edit_rejected'];
  if (![...expected, ...stale].includes(answer ?? '')) fault(`${verdict} of ${id} was answered with ${answer}, expected ${expected.join(' or ')}`);
  const standing = reference.question(id)?.verdict;
  if ((answer === 'approved' || answer === 'denied') && standing !== answer) fault(`${answer} was reported for ${id}, the disk says ${standing}`);
  if (reference.rules.attached && fresh && idle && answer === verdict && reference.batch !== undefined && !reference.batch.undecided && reference.status === 'suspended') {
    fault(`everything is decided, an observer is attached, and nothing goes on after ${id}`);
  }
}

const BAD_EDIT = '{"n":"many"}';
let edits = 900;

function question(bench: Bench, actor: Actor, at: number): string {
  const open = actor.process.questions();
  const known = open.length > 0 ? open : bench.reference.openQuestions();
  return known.length === 0 ? 'none:0:0' : known[at % known.length];
}

/** A promise that must resolve by itself, at once or when running calls had their time. */
async function inTime<T>(bench: Bench, actor: Actor, asked: Promise<T>): Promise<T | undefined> {
  let done = false;
  const told = asked.then((value) => {
    done = true;
    return value;
  });
  await bench.settle();
  if (!done && !actor.process.storage.stopped) {
    bench.advance(GRACE_MS);
    await bench.settle();
  }
  if (actor.process.storage.stopped) return undefined;
  return done ? told : fault('stopping takes longer than the running calls may');
}

const ACTS: Record<string, (a: number, b: number, turns: TurnPlan[]) => Act> = {
  input: (_a, _b, turns) => (bench, actor) => {
    if (!actor.busy && bench.reference.expectInput() === undefined) bench.script.push(...turns);
    return begin(bench, actor, bench.reference.expectInput(), () => actor.process.say('go'));
  },
  resume: () => async (bench, actor) => {
    bench.reference.resuming.add(actor.pid);
    await begin(bench, actor, bench.reference.expectResume(), () => actor.process.resume());
    bench.reference.resuming.delete(actor.pid);
  },
  chunk: (a) => (_bench, actor) => actor.wire.scheduler.advance(1 + a % 3),
  flow: () => async (bench, actor) => {
    for (let turn = 0; turn < 4 && actor.alive; turn++) {
      actor.wire.scheduler.advance(9);
      await bench.settle();
    }
  },
  finish: (a) => (_bench, actor) => actor.gates.splice(a % Math.max(1, actor.gates.length), 1).forEach((gate) => gate.open()),
  decide: (a) => (bench, actor) => decide(bench, actor, question(bench, actor, a), 'approved'),
  decideAll: () => async (bench, actor) => {
    for (const id of actor.process.questions()) {
      if (actor.alive) await decide(bench, actor, id, 'approved');
    }
  },
  edit: (a, b) => (bench, actor) => decide(bench, actor, question(bench, actor, a), 'approved', b % 3 === 0 ? BAD_EDIT : `{"n":${++edits}}`),
  deny: (a) => (bench, actor) => decide(bench, actor, question(bench, actor, a), 'denied'),
  again: (a, b) => (bench, actor) => {
    const known = bench.reference.batches.flatMap((batch) => batch.questions).map((one) => one.id);
    return decide(bench, actor, known.length === 0 ? 'none:0:0' : known[a % known.length], b % 2 === 0 ? 'approved' : 'denied');
  },
  expire: () => async (bench) => {
    bench.advance(TTL_MS + 1);
  },
  wait: (a) => (bench) => bench.advance(a * 500),
  clockBack: (a) => (bench) => bench.world.clock.advance(-3_000 * (a + 1)),
  cancel: () => async (bench, actor) => {
    const reference = bench.reference;
    const fresh = bench.isFresh(actor);
    const open = reference.isOpen();
    reference.cancelling.add(actor.pid);
    const done = await inTime(bench, actor, actor.process.runtime.cancel('stop'));
    reference.cancelling.delete(actor.pid);
    if (done !== undefined && fresh && (!done.ok || done.value !== open)) fault(`a cancel answers ${done.ok ? done.value : done.error.code}, open was ${open}`);
    if (done !== undefined && fresh && open && reference.isOpen()) fault('a cancel was reported, the run is open');
  },
  suspend: () => async (bench, actor) => {
    bench.reference.pausing.add(actor.pid);
    await inTime(bench, actor, actor.process.runtime.suspend('background'));
    bench.reference.pausing.delete(actor.pid);
    if (!actor.process.storage.stopped && actor.busy) fault('suspended, and it runs');
  },
  kill: () => (_bench, actor) => actor.process.kill(),
  killAt: (a, b) => (_bench, actor) => actor.process.storage.plan(1 + a % 4, b % 2 === 0 ? CommitFault.stopBefore : CommitFault.stopAfter),
  reload: () => async (bench, actor) => {
    bench.reference.pausing.add(actor.pid);
    const closed = inTime(bench, actor, actor.process.runtime.close());
    await closed;
    actor.closing = true;
    bench.reference.pausing.delete(actor.pid);
  },
};

const asks: Means = (bench) => bench.reference.openQuestions().length > 0;
const streams: Means = (_bench, actor) => (actor?.wire.scheduler.pendingCount ?? 0) > 0;
const MEANINGS: Record<string, Means> = {
  chunk: streams, flow: streams, decide: asks, decideAll: asks, edit: asks, deny: asks, expire: asks,
  finish: (_bench, actor) => (actor?.gates.length ?? 0) > 0,
  again: (bench) => bench.reference.batches.some((batch) => batch.questions.length > 0),
};

/** How often each operation is drawn. */
const WEIGHTS: Record<string, number> = {
  input: 8, resume: 10, chunk: 10, flow: 24, finish: 14, decide: 12, decideAll: 14, edit: 4, deny: 3, again: 3, expire: 1, wait: 1, clockBack: 1,
  cancel: 2, suspend: 2, kill: 1, killAt: 3, reload: 1,
};

const call = fc.record({ tool: fc.constantFrom('read', 'pay', 'pay', 'put'), slow: fc.boolean() });
const turn = fc.record({ pieces: fc.integer({ min: 1, max: 3 }), calls: fc.array(call, { minLength: 1, maxLength: 3 }) });
const turns = fc.array(turn, { maxLength: 2 });

/** All operations, by weight; six of seven on the first process. */
export const command: fc.Arbitrary<Command> = fc.tuple(
  fc.oneof(...Object.keys(WEIGHTS).map((name) => ({ arbitrary: fc.constant(name), weight: WEIGHTS[name] }))),
  fc.nat(7), fc.nat(7), turns as fc.Arbitrary<TurnPlan[]>, fc.nat(6),
).map(([name, a, b, script, on]) => new Command(`${name}(${a},${b}${name === 'input' ? `,${JSON.stringify(script)}` : ''})`, on === 0, MEANINGS[name], ACTS[name](a, b, script)));
