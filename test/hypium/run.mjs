import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { parseReport } from './report.mjs';

const require = createRequire(import.meta.url);
const here = fileURLToPath(new URL('.', import.meta.url));
const repositoryRoot = fileURLToPath(new URL('../..', import.meta.url));
const LISTS = ['agent_core/src/test/List.test.ets', 'entry/src/test/List.test.ets'];
const WATCHDOG_MS = 120_000;

async function bundle(list, outfile) {
  await build({
    entryPoints: [join(here, 'host.mjs')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    sourcemap: 'inline',
    logLevel: 'silent',
    loader: { '.ets': 'ts' },
    resolveExtensions: ['.ets', '.ts', '.mjs', '.js'],
    alias: {
      agent_core: join(repositoryRoot, 'agent_core/src/main/ets/core/index.ts'),
      '@ohos/hypium': join(here, 'counting.mjs'),
      'hypium-original': require.resolve('@ohos/hypium'),
      'suites-under-test': list,
    },
  });
}

function execute(script, watchdogMs) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--enable-source-maps', script], { stdio: ['ignore', 'pipe', 'pipe'] });
    let out = '';
    let err = '';
    let expired = false;
    child.stdout.on('data', (data) => (out += data));
    child.stderr.on('data', (data) => (err += data));
    const watchdog = setTimeout(() => {
      expired = true;
      child.kill('SIGKILL');
    }, watchdogMs);
    child.on('close', (code) => {
      clearTimeout(watchdog);
      resolve({ out, err, code, expired });
    });
  });
}

function problemsOf(ended, told, report, watchdogMs) {
  if (ended.expired) return [`no end after ${watchdogMs} ms: stopped by the watchdog`];
  if (told === undefined || report.counts === undefined) return [`ended with code ${ended.code} and without a report ${ended.err.trim()}`.trim()];
  const { run, failure, error } = report.counts;
  const problems = [];
  if (run === 0) problems.push('no case was run');
  // hypium's own number counts what it knows of, run or not: the finished cases decide.
  const finished = report.cases.length;
  if (finished !== told.registered || run !== told.registered) problems.push(`${told.registered} cases are registered, ${finished} were run`);
  if (failure > 0) problems.push(`${failure} failed`);
  if (error > 0) problems.push(`${error} ended with an error`);
  for (const rejection of told.unhandled) problems.push(`unhandled rejection: ${rejection}`);
  return problems;
}

function parseOutput(out) {
  try {
    return JSON.parse(out.trim().split('\n').at(-1));
  } catch {
    return undefined;
  }
}

/**
 * Runs one list of suites in a process of its own.
 *
 * @param {string} list absolute path of a List.test.ets
 * @param {{ watchdogMs?: number }} [options] milliseconds until a run that does not end is killed.
 * @returns what ran and why the run does not count as green; an empty `problems` is the only success.
 */
export async function runList(list, { watchdogMs = WATCHDOG_MS } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'hypium-'));
  try {
    const script = join(folder, 'suites.cjs');
    try {
      await bundle(list, script);
    } catch (error) {
      return { list, cases: [], problems: [`does not build: ${error.message}`] };
    }
    const ended = await execute(script, watchdogMs);
    const told = parseOutput(ended.out);
    const report = parseReport(told?.report ?? '');
    return { list, cases: report.cases, problems: problemsOf(ended, told, report, watchdogMs) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function printSummary(result, write) {
  const suites = new Map();
  for (const one of result.cases) suites.set(one.suite, [...(suites.get(one.suite) ?? []), one]);
  for (const [suite, cases] of suites) {
    const passed = cases.filter((one) => one.outcome === 'passed').length;
    write(`  ${suite}: ${passed} of ${cases.length} passed`);
    for (const one of cases.filter((c) => c.outcome !== 'passed')) write(`    ${one.outcome} ${suite}#${one.name}\n      ${one.detail.replaceAll('\n', '\n      ')}`);
  }
  for (const problem of result.problems) write(`  problem: ${problem}`);
}

/** Runs every list of the project. @returns {Promise<{ passed: number, failed: number }>} a problem that belongs to no case counts as one failure. */
export async function runHypium(write = (line) => process.stdout.write(`${line}\n`)) {
  let passed = 0;
  let failed = 0;
  for (const list of LISTS.filter((path, index) => index === 0 || existsSync(join(repositoryRoot, path)))) {
    const result = await runList(join(repositoryRoot, list));
    write(list);
    printSummary(result, write);
    const good = result.cases.filter((one) => one.outcome === 'passed').length;
    passed += good;
    failed += result.problems.length === 0 ? 0 : Math.max(1, result.cases.length - good);
  }
  write(`hypium: ${passed} passed, ${failed} failed`);
  return { passed, failed };
}

if (process.argv[1]?.endsWith('run.mjs')) {
  const { failed } = await runHypium();
  process.exitCode = failed === 0 ? 0 : 1;
}
