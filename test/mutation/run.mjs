import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { CORE, FOLDERS } from './scope.mjs';

/*
 * npm run mutate [-- folder or file ...], as `npm run mutate -- hook runtime/run/TerminalGate.ts`. Results of earlier runs are kept for what neither the
 * code nor the tests changed; a folder that is not named keeps its older ones.
 */

const root = fileURLToPath(new URL('../..', import.meta.url));
process.chdir(root);

const named = process.argv.slice(2);
const unknown = named.filter((name) => !FOLDERS.includes(name.split('/')[0]) || !existsSync(`${CORE}/${name}`));
if (unknown.length > 0) {
  console.error(`not below ${CORE}, or not in ${FOLDERS.join(', ')}: ${unknown.join(', ')}`);
  process.exit(2);
}
const patterns = (named.length === 0 ? FOLDERS : named).map((name) => (name.endsWith('.ts') ? `${CORE}/${name}` : `${CORE}/${name}/**/*.ts`));

// Minutes of work that nobody waits for: whatever else the machine does comes first.
setPriority(constants.priority.PRIORITY_LOW);
const args = ['node_modules/@stryker-mutator/core/bin/stryker.js', 'run', 'test/mutation/stryker.config.mjs', '--mutate', patterns.join(',')];
const mutated = spawnSync(process.execPath, args, { stdio: 'inherit' });
if (mutated.status !== 0) process.exit(mutated.status ?? 1);
process.exit(spawnSync(process.execPath, ['test/mutation/report.mjs'], { stdio: 'inherit' }).status ?? 1);
