import { performance } from 'node:perf_hooks';
import { bareLoop } from './floor.mjs';
import { core, open, PassThrough, registry, run } from './agent.mjs';
import { line, sideBySide } from './stats.mjs';

/** µs per tool turn: in memory, schema-checked, policy, one hook in every slot, one listener for all events. */
export async function measure() {
  const lines = [];
  // The compiler's work belongs to no row: what is compared is code that has been running for a while.
  // Short runs have their own ways in and out, which take thousands of runs to be compiled for good.
  for (let i = 0; i < 100; i++) await (await prepareAgent(100))();
  for (let i = 0; i < 3000; i++) await (await prepareAgent(10))();
  for (const turns of [10, 100, 400]) {
    const repeat = Math.max(1, Math.round(400 / turns));
    const found = await sideBySide({
      floor: () => perTurn(turns, repeat, prepareFloor),
      agent: () => perTurn(turns, repeat, prepareAgent),
    }, 25, 10);
    lines.push(line(`turn, bare loop, ${turns} turns`, found.floor, 'us'));
    lines.push(line(`turn, ArkAgent with a hook in every slot, ${turns} turns`, found.agent, 'us'));
  }
  lines.push(line('opening a session with registry, controller and hooks', (await sideBySide({ open: opening }, 9)).open, 'us'));
  return lines;
}

/** Sessions are opened before the clock starts: a turn's cost is that of a turn, and opening has a line of its own. */
async function perTurn(turns, repeat, prepare) {
  const runs = [];
  for (let i = 0; i < repeat; i++) runs.push(await prepare(turns));
  const started = performance.now();
  for (const run of runs) await run();
  return ((performance.now() - started) * 1000) / (turns * repeat);
}

async function opening() {
  const started = performance.now();
  for (let i = 0; i < 50; i++) await prepareAgent(1);
  return ((performance.now() - started) * 1000) / 50;
}

async function prepareFloor(turns) {
  let call = 0;
  const model = async () => {
    const n = call++;
    return n < turns ? { text: '', calls: [{ id: 'c', name: 'read', arguments: `{"id":"r${n}","n":${n}}` }] } : { text: 'done', calls: [] };
  };
  return () => bareLoop(model, { read: async () => 'ok' }, 'go');
}

async function prepareAgent(turns) {
  const provider = core.ScriptedProvider.answering((_, n) =>
    n < turns ? core.ScriptedTurn.call('c', 'read', `{"id":"r${n}","n":${n}}`) : core.ScriptedTurn.text('done'));
  const controller = new core.AgentController();
  let events = 0;
  controller.subscribeAll(() => { events++; });
  const runtime = await open({ provider, toolRegistry: registry(), controller, hooks: [new PassThrough()] });
  return async () => {
    await run(runtime);
    if (events < turns * 6) throw new Error(`only ${events} events were heard`);
  };
}
