import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

interface Loader {
  compile(name: string, cached: boolean): { cachedDataRejected?: boolean };
}

const build = fileURLToPath(new URL('../../host/build.mjs', import.meta.url));

describe('the built command line', () => {
  const root = mkdtempSync(join(tmpdir(), 'arkagent-build-'));
  const dist = join(root, 'dist');
  const caches = (): string[] => readdirSync(dist).filter((name) => name.endsWith('.cache')).sort();
  const version = (): string => execFileSync(process.execPath, [join(dist, 'cli.mjs'), '--version'], { encoding: 'utf8' }).trim();
  const loader = async (): Promise<Loader> => await import(pathToFileURL(join(dist, 'script.mjs')).href) as Loader;

  beforeAll(() => {
    execFileSync(process.execPath, [build, '--out', dist]);
  }, 120_000);

  afterAll(() => {
    rmSync(root, { recursive: true, force: true });
  });

  it('has a code cache for each script, and this Node takes it', async () => {
    const { compile } = await loader();
    const scripts = readdirSync(dist).filter((name) => name.endsWith('.cjs')).map((name) => name.replace('.cjs', ''));

    expect(scripts.sort()).toEqual(['cli', 'cli-demo', 'cli-session', 'cli-stream', 'library']);
    for (const name of scripts) expect(compile(name, true).cachedDataRejected, name).toBe(false);
  });

  it('offers core and test kit from one copy of the core', () => {
    const script = `
      import { StateCommit, InMemoryStateStorage } from './core.mjs';
      import { StoppingStateStorage } from './testing.mjs';
      console.log(typeof StateCommit, new StoppingStateStorage(new InMemoryStateStorage()) instanceof StoppingStateStorage);`;
    writeFileSync(join(dist, 'both.mjs'), script);

    expect(execFileSync(process.execPath, [join(dist, 'both.mjs')], { encoding: 'utf8' }).trim()).toBe('function true');
  });

  it('runs when caches are cut or missing', () => {
    for (const name of caches()) writeFileSync(join(dist, name), 'cut');
    expect(version()).toBe('1.0.0');

    for (const name of caches()) rmSync(join(dist, name));
    expect(version()).toBe('1.0.0');
  });

  it('leaves nothing of an earlier build behind', () => {
    writeFileSync(join(dist, 'cli-session-0123456789abcdef.cache'), '');
    writeFileSync(join(dist, 'core-chunk-ABCDEFGH.mjs'), '');
    execFileSync(process.execPath, [build, '--out', dist]);

    expect(caches()).toHaveLength(5);
    expect(readdirSync(dist)).not.toContain('core-chunk-ABCDEFGH.mjs');
  });
});
