import { performance } from 'node:perf_hooks';
import { bareLoop } from './floor.mjs';
import { core, open, PassThrough, registry, run } from './agent.mjs';
import { line, sideBySide } from './stats.mjs';

/** µs per tool turn: in memory, schema-checked, policy, one hook in every slot, one listener for all events. */
export async function measure() {
  const lines = [];
  for (const turns of [10, 100, 400]) {
    const repeat = Math.max(1, Math.round(400 / turns));
    const found = await sideBySide({
      floor: () => perTurn(turns, repeat, floorRun),
      agent: () => perTurn(turns, repeat, agentRun),
    }, 25);
    lines.push(line(`turn, bare loop, ${turns} turns`, found.floor, 'us'));
    lines.push(line(`turn, ArkAgent with a hook in every slot, ${turns} turns`, found.agent, 'us'));
  }
  return lines;
}

async function perTurn(turns, repeat, once) {
  const started = performance.now();
  for (let i = 0; i < repeat; i++) await once(turns);
  return ((performance.now() - started) * 1000) / (turns * repeat);
}

function floorRun(turns) {
  let call = 0;
  const model = async () => {
    const n = call++;
    return n < turns ? { text: '', calls: [{ id: 'c', name: 'read', arguments: `{"id":"r${n}","n":${n}}` }] } : { text: 'done', calls: [] };
  };
  return bareLoop(model, { read: async () => 'ok' }, 'go');
}

async function agentRun(turns) {
  const provider = core.ScriptedProvider.answering((_, n) =>
    n < turns ? core.ScriptedTurn.call('c', 'read', `{"id":"r${n}","n":${n}}`) : core.ScriptedTurn.text('done'));
  const controller = new core.AgentController();
  let events = 0;
  controller.subscribeAll(() => { events++; });
  const runtime = await open({ provider, toolRegistry: registry(), controller, hooks: [new PassThrough()] });
  await run(runtime);
  if (events < turns * 6) throw new Error(`only ${events} events were heard`);
}
