import { readdirSync } from 'node:fs';
import { join } from 'node:path';

export const CORE = 'agent_core/src/main/ets/core';
export const FOLDERS = ['approval', 'hook', 'runtime'];

/** A test that takes more counts as hanging; the slowest takes half a second. Work is what counts: a busy machine must not look like a killed mutant. */
export const TEST_CPU_MS = 4_000;
export const TEST_WALL_MS = 30_000;

/** Work of tests that a mutant may outlive before it counts as a survivor; MUTATION_BUDGET_MS sets another. */
export const MUTANT_CPU_MS = 1_500;

const TESTS = ['test/unit/approval', 'test/unit/hook', 'test/unit/runtime', 'test/unit/control', 'test/unit/loop', 'test/unit/plan', 'test/unit/subagent', 'test/unit/job', 'test/scenario'];

/** Other processes, built bundles and fuzzing: slow, and blind to a mutant that lives in this process only. */
const SLOW = /^test\/scenario\/(demo_cli|build|audit\/cli|tools\/no_way_round|tools\/surface|stream2\/memory|stream2\/adversarial|stream2\/filter|subagent\/kill|durability\/model|secrets\/artifacts|parallel\/same|approval2\/racers|approval2\/boundaries|model\/.*|hostile\/.*)\.test\.ts$/;

function files(folder, ending) {
  return readdirSync(folder, { recursive: true }).map((name) => join(folder, name)).filter((path) => path.endsWith(ending)).sort();
}

export function coreFiles() {
  return files(CORE, '.ts');
}

export function testFiles() {
  return TESTS.flatMap((folder) => files(folder, '.test.ts')).filter((path) => !SLOW.test(path));
}
