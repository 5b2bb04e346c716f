import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/*
 * Everything that can be verified without DevEco, in one command. Every step runs even if one before it failed; the last line is the sum.
 * A step without test cases of its own (type check, gate, project check) counts as one.
 */

const root = fileURLToPath(new URL('..', import.meta.url));
const TSC = 'node_modules/typescript/bin/tsc';

/** @returns {Promise<{ code: number, output: string, seconds: number }>} with `live` the output also goes to the terminal at once. */
function runNode(args, live = false) {
  const started = performance.now();
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const take = (data) => {
      output += data;
      if (live) process.stdout.write(data);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.on('error', (error) => take(`${error.message}\n`));
    child.on('close', (code) => resolve({ code: code ?? 1, output, seconds: (performance.now() - started) / 1000 }));
  });
}

function section(title, seconds, { passed, failed }, note = '') {
  process.stdout.write(`== ${title}: ${failed === 0 ? 'ok' : 'FAILED'} (${passed} passed, ${failed} failed${note}) ${seconds.toFixed(1)} s\n`);
}

function indent(text) {
  return text.trimEnd().replace(/^/gm, '   ');
}

async function single(title, args) {
  const { code, output, seconds } = await runNode(args);
  const counts = code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
  section(title, seconds, counts);
  if (output.trim() !== '') process.stdout.write(`${indent(output)}\n`);
  return counts;
}

async function hypium() {
  const { code, output, seconds } = await runNode(['test/hypium/run.mjs']);
  const told = /^hypium: (\d+) passed, (\d+) failed$/m.exec(output);
  const counts = { passed: Number(told?.[1] ?? 0), failed: Number(told?.[2] ?? 0) };
  if (code !== 0 && counts.failed === 0) counts.failed = 1;
  section('hypium suites on Node', seconds, counts);
  process.stdout.write(`${indent(output)}\n`);
  return counts;
}

/** Counts from vitest's own report; a file that could not even be loaded has no cases and counts as one failure. */
function vitestCounts(reportFile, code) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  if (existsSync(reportFile)) {
    const report = JSON.parse(readFileSync(reportFile, 'utf8'));
    counts.passed = report.numPassedTests;
    counts.failed = report.numFailedTests + report.testResults.filter((file) => file.status === 'failed' && !file.assertionResults.some((one) => one.status === 'failed')).length;
    counts.skipped = report.numPendingTests + report.numTodoTests;
  }
  if (counts.failed === 0 && (code !== 0 || counts.passed === 0)) counts.failed = 1;
  return counts;
}

async function vitest() {
  const folder = mkdtempSync(join(tmpdir(), 'arkagent-vitest-'));
  const reportFile = join(folder, 'report.json');
  try {
    const args = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`];
    const { code, seconds } = await runNode(args, true);
    const counts = vitestCounts(reportFile, code);
    section('vitest', seconds, counts, counts.skipped > 0 ? `, ${counts.skipped} skipped` : '');
    return counts;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function typecheck() {
  const core = await single('type check of the core', [TSC, '-p', 'agent_core/src/main/ets/core']);
  const host = await single('type check of host and tests', ['host/typecheck.mjs']);
  return { passed: core.passed + host.passed, failed: core.failed + host.failed };
}

// The gate takes about as long as both type checks: two cores, two chains.
const results = await Promise.all([typecheck(), single('ArkTS gate', ['test/gate/check-arkts.mjs'])]);
results.push(await single('HarmonyOS project check', ['test/project/check-project.mjs']));
results.push(await hypium());
results.push(await vitest());

const passed = results.reduce((sum, one) => sum + one.passed, 0);
const failed = results.reduce((sum, one) => sum + one.failed, 0);
process.exitCode = failed === 0 ? 0 : 1;
process.stdout.write(`${passed} passed, ${failed} failed\n`);
