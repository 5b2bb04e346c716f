// npm run bench [-- NAME …]: all measurements of one run side by side. Compare within a run; machines drift.
import { buildSync } from 'esbuild';
import { mkdtempSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { run as json } from './json.mjs';
import { measure as audit } from './audit.mjs';
import { measure as chunks } from './chunks.mjs';
import { measure as commits } from './commits.mjs';
import { measure as processes } from './processes.mjs';
import { measure as turns } from './turns.mjs';

const root = resolve(fileURLToPath(new URL('../..', import.meta.url)));

/** The host's file storage, built against the same core bundle as the measurements use. */
async function fileStorage() {
  const out = join(mkdtempSync(join(tmpdir(), 'arkagent-bench-')), 'storage.mjs');
  buildSync({
    absWorkingDir: root, entryPoints: ['host/src/storage/openFileStateStorage.ts'], outfile: out, bundle: true, format: 'esm',
    platform: 'node', target: 'node20', external: [join(root, 'dist/core.mjs')], logLevel: 'error',
    alias: { agent_core: join(root, 'dist/core.mjs'), '@core': join(root, 'agent_core/src/main/ets/core') },
  });
  return (await import(pathToFileURL(out).href)).openFileStateStorage;
}

const parts = { turns, chunks, commits: async () => commits(await fileStorage()), processes, json, audit };
const wanted = process.argv.slice(2);
for (const name of wanted) {
  if (!(name in parts)) {
    process.stderr.write(`bench: unknown part "${name}"; there are ${Object.keys(parts).join(', ')}\n`);
    process.exit(2);
  }
}
console.log(`Node ${process.version}, ${cpus().length} cores (${cpus()[0].model})`);
for (const [name, measure] of Object.entries(parts)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`\n${name}`);
  for (const { name: what, value, unit } of await measure()) {
    console.log(`${value.toFixed(unit === 'B' || unit === 'KiB' ? 0 : 2).padStart(12)} ${unit.padEnd(4)} ${what}`);
  }
}
