import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { exportsOf, type Exported } from './exportsOf';
import { CORE, readSources, type SourceMap } from './sources';

const INDEX = 'agent_core/Index.ets';
const BARREL = `${CORE}/index.ts`;
const LIST = fileURLToPath(new URL('public-api.txt', import.meta.url));
const sources = readSources([INDEX, BARREL], /\.(ts|ets)$/);

const HEADER = [
  '# Names that an app can import from agent_core, one a line, sorted. A new name is a promise: it shows up here as a diff.',
  '# Rewritten by: UPDATE_PUBLIC_API=1 npx vitest run test/architecture/public-api.test.ts',
];

function names(exported: readonly Exported[]): string[] {
  return [...new Set(exported.map((one) => one.name))].sort();
}

function missingInBarrel(files: SourceMap): string[] {
  const barrel = new Set(names(exportsOf(BARREL, files)));
  return exportsOf(INDEX, files)
    .filter((one) => one.origin.startsWith(`${CORE}/`) && !barrel.has(one.name))
    .map((one) => `${one.name} is exported by Index.ets and not by core/index.ts: code would run on the device and not on Node`);
}

function anonymous(files: SourceMap): string[] {
  return [INDEX, BARREL].flatMap((path) => exportsOf(path, files)
    .filter((one) => one.name === '*' || one.origin === path)
    .map((one) => `${path} exports ${one.name} of ${one.origin}: a barrel lists names one by one and declares nothing`));
}

describe('public surface', () => {
  it('equals the checked-in list, so that a new name is a visible diff', () => {
    const actual = names(exportsOf(INDEX, sources));
    if (process.env.UPDATE_PUBLIC_API === '1') writeFileSync(LIST, `${[...HEADER, ...actual].join('\n')}\n`);
    const listed = existsSync(LIST) ? readFileSync(LIST, 'utf8').split('\n').filter((line) => line !== '' && !line.startsWith('#')) : [];
    expect(actual.length).toBeGreaterThan(0);
    expect(actual, 'agent_core/Index.ets and public-api.txt differ: if the change is meant, rewrite the list').toEqual(listed);
  });

  it('offers every core name on Node too', () => {
    expect(missingInBarrel(sources)).toEqual([]);
  });

  it('lists names one by one', () => {
    expect(anonymous(sources)).toEqual([]);
  });

  it('exports no name twice', () => {
    for (const path of [INDEX, BARREL]) {
      const all = exportsOf(path, sources).map((one) => one.name);
      expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([]);
    }
  });

  it('can fail', () => {
    const files = new Map([[INDEX, "export { A, type B } from './src/main/ets/core/base/A';\nexport * from './src/main/ets/core/base/C';"], [BARREL, "export { A } from './base/A';\nexport const own: number = 1;"]]);
    expect(missingInBarrel(files)[0]).toMatch(/^B is exported/);
    expect(anonymous(files)).toHaveLength(2);
  });
});
