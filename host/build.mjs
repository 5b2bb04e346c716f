// Builds the command line (dist/cli.mjs) and the core for Node (dist/core.mjs, dist/testing.mjs).
// Usage: node host/build.mjs [--out FOLDER]
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const started = performance.now();
const at = process.argv.indexOf('--out');
const out = resolve(at < 0 ? join(here, '../dist') : process.argv[at + 1]);

let make;
try {
  make = await import('./bundle/bundles.mjs');
} catch {
  fail('esbuild is not installed: run "npm ci" with development dependencies');
}
try {
  const { files, scripts } = await make.bundles();
  store(files);
  makeCaches(scripts);
  await removeOthers(files);
  const size = [...files.values()].reduce((sum, text) => sum + text.length, 0);
  process.stdout.write(`build: ${files.size} files, ${Math.round(size / 1024)} KiB in ${relative(process.cwd(), out) || '.'}, ${Math.round(performance.now() - started)} ms\n`);
} catch (error) {
  const problems = error.errors ?? [{ text: error.message }];
  for (const problem of problems.slice(0, 20)) {
    const place = problem.location ? `${problem.location.file}:${problem.location.line}: ` : '';
    process.stderr.write(`build: ${place}${problem.text}\n`);
  }
  fail(`failed with ${problems.length} problem(s); nothing was changed`);
}

/** Files appear whole and only when they differ: a process that is starting meanwhile never meets half a file. */
function store(files) {
  mkdirSync(out, { recursive: true });
  for (const [name, text] of files) {
    const path = join(out, name);
    if (existsSync(path) && readFileSync(path, 'utf8') === text) continue;
    writeFileSync(`${path}.${process.pid}.tmp`, text);
    renameSync(`${path}.${process.pid}.tmp`, path);
  }
}

/** The bundles run without; so a cache that cannot be made is worth a warning and no more. */
function makeCaches(scripts) {
  const done = spawnSync(process.execPath, [join(here, 'bundle/caches.mjs'), out, ...scripts], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  if (done.status !== 0) process.stderr.write(`build: no code cache, starting will take longer: ${done.stderr.trim().split('\n').pop()}\n`);
}

/** What an earlier build left. */
async function removeOthers(files) {
  const { cacheName } = await import('./bundle/script.mjs');
  const caches = new Set([...files].map(([name, text]) => cacheName(name.replace(/\.cjs$/, ''), text)));
  for (const name of readdirSync(out)) {
    if (/^(cli|core|library)-.*\.(mjs|cjs|cache)$/.test(name) && !files.has(name) && !caches.has(name)) rmSync(join(out, name), { force: true });
  }
}

function fail(message) {
  process.stderr.write(`build: ${message}\n`);
  process.exit(1);
}
