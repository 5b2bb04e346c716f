// Makes the code caches of the bundles in a folder, in the Node that will read them: node host/bundle/caches.mjs FOLDER NAME ...
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, ...names] = process.argv.slice(2);
const { cacheName, compile, load, start } = await import(pathToFileURL(resolve(folder, 'script.mjs')).href);

const scripts = names.map((name) => [name, compile(name, false)]);
for (const [name, script] of scripts) start(name, script);
await rehearse();
for (const [name, script] of scripts) {
  const path = join(folder, cacheName(name, readFileSync(join(folder, `${name}.cjs`), 'utf8')));
  writeFileSync(`${path}.tmp`, script.createCachedData());
  renameSync(`${path}.tmp`, path);
}
process.exit();

/** A question asked, decided and carried out, heard by nobody: the functions that a run needs are in the cache then, too. */
async function rehearse() {
  const { main } = load('cli');
  const stage = mkdtempSync(join(tmpdir(), 'arkagent-build-'));
  const write = process.stdout.write;
  process.stdout.write = () => true;
  try {
    await main(['demo', '--dir', stage, '--lang', 'en', '--json', '--once', '--ask', 'clear the baking cache']);
    await main(['session', 'decide', stage, '--approve', '--json']);
    await main(['session', 'resume', stage, '--json']);
  } finally {
    process.stdout.write = write;
    rmSync(stage, { recursive: true, force: true });
  }
}
