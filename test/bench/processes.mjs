import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { line, sideBySide } from './stats.mjs';

const cli = fileURLToPath(new URL('../../host/bin/arkagent.mjs', import.meta.url));
const coreUrl = pathToFileURL(fileURLToPath(new URL('../../dist/core.mjs', import.meta.url))).href;

/** Whole processes beside a bare node start: cold resume (start → approved effect done → exit), and importing the core. */
export async function measure() {
  const found = await sideBySide({
    bare: () => timed(['-e', '']).ms,
    imported: () => timed(['--input-type=module', '-e', `import ${JSON.stringify(coreUrl)}`]).ms,
    resume: coldResume,
  }, 9, 2);
  const inside = importInside();
  return [
    line('bare node start', found.bare, 'ms'),
    line('node start + import of the core', found.imported, 'ms'),
    line('importing the core, measured inside', inside.ms, 'ms'),
    line('resident memory after import, above bare node', inside.rssKiB, 'KiB'),
    line('cold resume: process start → approved effect done → exit', found.resume, 'ms'),
    line('cold resume above a bare node start', found.resume - found.bare, 'ms'),
  ];
}

function timed(args) {
  const started = performance.now();
  const done = spawnSync(process.execPath, args, { encoding: 'utf8' });
  const ms = performance.now() - started;
  if (done.status !== 0) throw new Error(done.stderr);
  return { ms, out: done.stdout };
}

function coldResume() {
  const folder = mkdtempSync(join(tmpdir(), 'arkagent-bench-'));
  try {
    timed([cli, 'demo', '--dir', folder, '--lang', 'en', '--json', '--once', '--ask', 'clear the baking cache']);
    timed([cli, 'session', 'decide', folder, '--approve', '--json']);
    return timed([cli, 'session', 'resume', folder, '--json']).ms;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function importInside() {
  const script = `
    globalThis.gc?.(); const before = process.memoryUsage().rss; const t = performance.now();
    await import(${JSON.stringify(coreUrl)});
    console.log(JSON.stringify({ ms: performance.now() - t, rssKiB: (process.memoryUsage().rss - before) / 1024 }));`;
  const runs = Array.from({ length: 9 }, () => JSON.parse(timed(['--input-type=module', '-e', script]).out));
  runs.sort((a, b) => a.ms - b.ms);
  return runs[4];
}
