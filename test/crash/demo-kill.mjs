// Kills the demonstration with SIGKILL at random instants of its whole story and checks what is left.
// Usage: node test/crash/demo-kill.mjs [--kills N] [--seed N] [--cli FILE]
import { mkdtempSync, readFileSync, readdirSync, rmSync, existsSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const DEFAULT_KILLS = 200;
/** A story is not killed for ever: after this many restarts it may come to its end. */
const KILLS_PER_STORY = 4;
const EFFECT = -1;
const ANSWERS = ['approve', 'deny no reason needed', 'edit {"confirm":"brioche-oven-log"}'];

/** Small, seeded, repeatable (mulberry32). */
function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/**
 * One process of the demo; answers the question with `answer`.
 *
 * @param {{ afterLines: number, delayMs: number } | undefined} death killed so long after its n-th line (0: after its start; -1: after the
 *   line that says that the effect begins), if it lives that long.
 */
function play(cli, folder, answer, death) {
  return new Promise((done, fail) => {
    const started = performance.now();
    const child = spawn(process.execPath, [cli, 'demo', '--json', '--once', '--dir', folder, '--lang', 'en'], { stdio: 'pipe' });
    const seen = { lines: [], firstLineMs: 0, durationMs: 0, killed: false, code: null, errors: '' };
    let killer;
    const reach = (place) => {
      if (death === undefined || place !== death.afterLines) return;
      if (death.delayMs === 0) child.kill('SIGKILL');
      else killer = setTimeout(() => child.kill('SIGKILL'), death.delayMs);
    };
    reach(0);
    const patience = setTimeout(() => {
      child.kill('SIGKILL');
      fail(new Error('the demo hangs'));
    }, 60_000);
    child.stdin.on('error', () => {});
    child.stderr.on('data', (data) => {
      seen.errors += data;
    });
    createInterface({ input: child.stdout }).on('line', (text) => {
      let line;
      try {
        line = JSON.parse(text);
      } catch {
        return; // a line that was cut by the kill
      }
      seen.firstLineMs ||= performance.now() - started;
      seen.lines.push(line);
      reach(seen.lines.length);
      if (line.type === 'tool' && line.status === 'running' && line.tool === 'clear_baking_cache') reach(EFFECT);
      if (line.type === 'question') child.stdin.write(`${answer}\n`);
    });
    child.on('close', (code, signal) => {
      clearTimeout(killer);
      clearTimeout(patience);
      seen.code = code;
      seen.killed = signal === 'SIGKILL';
      seen.durationMs = performance.now() - started;
      done(seen);
    });
  });
}

const effectsIn = (folder) => {
  const log = join(folder, 'effects.log');
  return existsSync(log) ? readFileSync(log, 'utf8').split('\n').filter((line) => line !== '') : [];
};

/** Plays one story with kills until it ends; throws an Error that names the first broken promise. */
async function story(cli, folder, plan) {
  const decided = new Map();
  const all = [];
  for (let run = 0; ; run++) {
    const seen = await play(cli, folder, plan.answer, plan.deaths[run]);
    for (const line of seen.lines) {
      all.push(line);
      if (line.type === 'decision') decided.set(line.approvalId, line.decision);
      if (line.type === 'question' && decided.has(line.approvalId)) throw new Error(`a decision was lost: ${line.approvalId} is asked again`);
      if (line.type === 'failed' || line.type === 'refused') throw new Error(`${line.type}: ${line.code} ${line.message}`);
    }
    if (seen.killed) continue;
    if (seen.code !== 0) throw new Error(`exit code ${seen.code}: ${seen.errors.trim()}`);
    return { runs: run + 1, unknown: checkEnd(folder, plan, all) };
  }
}

function checkEnd(folder, plan, lines) {
  const effects = effectsIn(folder);
  const keys = effects.map((line) => line.split(' ')[0]);
  if (new Set(keys).size !== keys.length) throw new Error(`an effect ran twice: ${keys.join(', ')}`);
  const left = readdirSync(join(folder, 'cache')).length;
  const unknown = lines.some((line) => line.type === 'tool' && line.status === 'unknown');
  const denied = plan.answer.startsWith('deny');
  const wanted = plan.answer === 'approve' ? 0 : denied ? 3 : 2;
  if (denied && effects.length > 0) throw new Error('a denied effect ran');
  if (effects.length > 1) throw new Error(`${effects.length} effects for one question`);
  if (!denied && !unknown && (effects.length !== 1 || left !== wanted)) throw new Error(`${effects.length} effects, ${left} files left, expected 1 and ${wanted}`);
  if (denied && left !== wanted) throw new Error(`${left} files left after a denial`);
  return unknown;
}

/**
 * @param {{ kills?: number, seed?: number, cli: string, write?: (line: string) => void }} options
 * @returns {Promise<{ kills: number, stories: number, unknown: number, problems: string[] }>}
 */
export async function killDemo({ kills = DEFAULT_KILLS, seed = 1, cli, write = () => {} }) {
  const random = randomFrom(seed);
  const root = mkdtempSync(join(tmpdir(), 'arkagent-kill-'));
  const calm = await play(cli, join(root, 'calm'), 'approve', undefined);
  if (calm.code !== 0) throw new Error(`the demo does not even run without a kill: ${calm.errors.trim()}`);
  const result = { kills: 0, stories: 0, unknown: 0, problems: [] };
  const atStart = () => ({ afterLines: 0, delayMs: calm.firstLineMs * (0.5 + random() * 0.6) });
  // Most instants hang on a line, so that they meet the work and not the start of Node; half of them strike at once.
  const atLine = (most) => ({ afterLines: 1 + Math.floor(random() * most), delayMs: random() < 0.5 ? 0 : random() * random() * 12 });
  const atEffect = () => ({ afterLines: EFFECT, delayMs: random() < 0.5 ? 0 : random() * 4 });
  const kind = () => [atStart, atEffect, atEffect, atEffect][Math.floor(random() * 10)];
  const instant = (_, run) => (kind() ?? (() => atLine(run === 0 ? calm.lines.length : Math.ceil(calm.lines.length / 2))))();
  while (result.kills < kills) {
    const folder = join(root, `story-${result.stories}`);
    const count = 1 + Math.floor(random() * KILLS_PER_STORY);
    const plan = { answer: ANSWERS[Math.floor(random() * ANSWERS.length)], deaths: Array.from({ length: Math.min(count, kills - result.kills) }, instant) };
    try {
      const { runs, unknown } = await story(cli, folder, plan);
      // A run that ended before its instant was not killed: only real deaths count.
      result.kills += runs - 1;
      result.unknown += unknown ? 1 : 0;
      rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      result.kills += 1;
      result.problems.push(`story ${result.stories} (${plan.answer}; ${plan.deaths.map((one) => `${one.afterLines === EFFECT ? 'effect' : `line ${one.afterLines}`} + ${one.delayMs.toFixed(1)} ms`).join(', ')}) in ${folder}: ${error.message}`);
    }
    result.stories += 1;
  }
  if (result.problems.length === 0) rmSync(root, { recursive: true, force: true });
  write(`demo: ${result.kills} kills in ${result.stories} stories, ${result.unknown} unknown outcomes, ${result.problems.length} broken promises`);
  for (const problem of result.problems) write(`  ${problem}`);
  return result;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const flag = (name, fallback) => {
    const at = process.argv.indexOf(name);
    return at < 0 ? fallback : process.argv[at + 1];
  };
  const cli = resolve(flag('--cli', fileURLToPath(new URL('../../host/bin/arkagent.mjs', import.meta.url))));
  try {
    const result = await killDemo({
      kills: Number(flag('--kills', DEFAULT_KILLS)), seed: Number(flag('--seed', Date.now() % 100000)), cli, write: (line) => process.stdout.write(`${line}\n`),
    });
    process.exitCode = result.problems.length === 0 ? 0 : 1;
  } catch (error) {
    process.stderr.write(`error: ${error.message}\n`);
    process.exitCode = 1;
  }
}
