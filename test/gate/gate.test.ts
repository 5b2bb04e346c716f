import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { asEts, checkSources, format } from './arkts/check.mjs';
import { repositoryRoot } from './arkts/sdk.mjs';
import { projectRoots, runGate } from './check-arkts.mjs';
import { runSelfTest } from './self-test.mjs';

const CORE = `${repositoryRoot}/agent_core/src/main/ets/core`;
const CONSUMER = `${repositoryRoot}/test/gate/consumer`;

describe('ArkTS gate', () => {
  const rows = runSelfTest();

  it('PLAT-01 reports every planted violation by its rule and nothing in clean files', () => {
    expect(rows.filter((row) => !row.ok)).toEqual([]);
    expect(rows.length).toBeGreaterThan(60);
  });

  it('PLAT-01 lints a core file under its .ets name, where the linter looks', () => {
    const path = `${CORE}/base/Planted.ts`;
    const virtual = new Map([[path, 'export function f(x: any): number { return x as number; }\n']]);
    const asItIs = checkSources([path], { virtual }).findings;
    const mirrored = checkSources([asEts(path)], { virtual }).findings;
    expect(asItIs).toEqual([]);
    expect(mirrored.map((finding) => `${finding.file}:${finding.line} ${finding.rule}`)).toEqual(['agent_core/src/main/ets/core/base/Planted.ts:1 arkts-8']);
  });

  it('PLAT-01 ends with code 1 and one line per finding when something is wrong, with 0 when nothing is', () => {
    const path = `${CORE}/base/Planted.ts`;
    const run = (text: string): [number, string[]] => {
      const lines: string[] = [];
      const project = { shared: [path], ets: [], roots: [path, asEts(path)] };
      return [runGate({ write: (line) => lines.push(line), project, virtual: new Map([[path, text]]) }), lines];
    };
    const [badCode, badLines] = run('export const a: number = "x";\n');
    expect(badCode).toBe(1);
    expect(badLines[0]).toMatch(/^agent_core\/src\/main\/ets\/core\/base\/Planted\.ts:1:14 TS2322 /);
    expect(badLines).toHaveLength(2);
    expect(run('export const a: number = 1;\n')[0]).toBe(0);
  });

  it('PLAT-01 fails when there is nothing to check', () => {
    expect(runGate({ write: () => undefined, project: { shared: [], ets: [], roots: [] } })).toBe(1);
  });

  it('PLAT-01 covers the core twice, the adapters, both modules and their suites', () => {
    const { shared, ets, roots } = projectRoots();
    expect(shared).toContain(`${CORE}/base/Result.ts`);
    expect(roots).toContain(asEts(`${CORE}/base/Result.ts`));
    expect(ets).toContain(`${repositoryRoot}/agent_core/Index.ets`);
    expect(ets).toContain(`${repositoryRoot}/agent_core/src/test/List.test.ets`);
  });
});

describe('public surface of the HAR', () => {
  it('PLAT-04 compiles in a separate module that knows only the package name', () => {
    const fixtures = readdirSync(CONSUMER).filter((name) => name.endsWith('.ets')).map((name) => `${CONSUMER}/${name}`);
    expect(fixtures.length).toBeGreaterThan(0);
    expect(checkSources(fixtures).findings.map(format)).toEqual([]);
  });

  it('PLAT-04 gives a consumer every name of the checked-in list', () => {
    const list = `${repositoryRoot}/test/architecture/public-api.txt`;
    expect(existsSync(list)).toBe(true);
    const names = readFileSync(list, 'utf8').split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    const path = `${CONSUMER}/EveryName.ets`;
    const virtual = new Map([[path, `import { ${names.join(', ')} } from 'agent_core';\n`]]);
    expect(checkSources([path], { virtual }).findings.map(format)).toEqual([]);
  });

  it('PLAT-04 refuses a name that is not exported', () => {
    const path = `${CONSUMER}/NoSuchName.ets`;
    const virtual = new Map([[path, "import { NoSuchName } from 'agent_core';\n"]]);
    expect(checkSources([path], { virtual }).findings.map((finding) => finding.rule)).toContain('TS2305');
  });
});
