import { existsSync, readdirSync } from 'node:fs';
import { asEts, checkSources, format } from './arkts/check.mjs';
import { repositoryRoot } from './arkts/sdk.mjs';
import { compatibleApiLevel } from './arkts/project.mjs';

const CORE = `${repositoryRoot}/agent_core/src/main/ets/core`;
const ETS_FOLDERS = [
  'agent_core/src/main/ets/platform',
  'agent_core/src/test',
  'agent_core/src/ohosTest',
  'entry/src',
  'test/gate/consumer',
];

function filesBelow(folder, extension) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(extension) && !entry.name.endsWith(`.d${extension}`))
    .map((entry) => `${entry.parentPath ?? entry.path}/${entry.name}`.replaceAll('\\', '/'))
    .sort();
}

/** Everything that ships or is compiled by DevEco. A .ts file appears twice: as it is, and under an .ets name, where the linter looks at it. */
export function projectRoots() {
  const index = `${repositoryRoot}/agent_core/Index.ets`;
  const shared = [...filesBelow(CORE, '.ts'), ...filesBelow(`${repositoryRoot}/entry/src`, '.ts')];
  const modules = ETS_FOLDERS.flatMap((folder) => filesBelow(`${repositoryRoot}/${folder}`, '.ets'));
  const ets = existsSync(index) ? [index, ...modules] : modules;
  return { shared, ets, roots: [...shared, ...shared.map(asEts), ...ets] };
}

/**
 * Checks the project and prints one line per finding and a summary.
 *
 * @param {{ write?: (line: string) => void, project?: ReturnType<typeof projectRoots>, virtual?: Map<string, string> }} [options]
 *   other files than those of the repository, for the gate's own tests.
 * @returns exit code: 0 without findings; nothing to check is a failure too.
 */
export function runGate({ write = (line) => process.stdout.write(`${line}\n`), project = projectRoots(), virtual } = {}) {
  const started = performance.now();
  const { findings } = checkSources(project.roots, { virtual, apiLevel: compatibleApiLevel() });
  for (const finding of findings) write(format(finding));
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const { shared, ets } = project;
  write(`ArkTS gate: ${ets.length} .ets files, ${shared.length} .ts files (each also as .ets), ${findings.length} findings, ${seconds} s`);
  return shared.length > 0 && findings.length === 0 ? 0 : 1;
}

if (process.argv[1]?.endsWith('check-arkts.mjs')) process.exitCode = runGate();
