import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../../', import.meta.url));
const core = join(root, 'agent_core/src/main/ets/core');

/** One file that plain node can run, so that a child starts fast and is killed for real. */
export async function bundle(entry: string, directory: string): Promise<string> {
  const outfile = join(directory, `${entry}.mjs`);
  await build({
    entryPoints: [join(root, 'test/crash', `${entry}.ts`)], outfile, bundle: true, platform: 'node', format: 'esm', target: 'node20',
    alias: { agent_core: join(core, 'index.ts'), '@core': core }, logLevel: 'error',
  });
  return outfile;
}
