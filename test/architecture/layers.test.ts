import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ambientViolations, sharedStateViolations } from './ambient';
import { ALLOWED_CYCLES, coreViolations, cycles, moduleRules, moduleViolations } from './layers';
import { CORE, importsOf, readSources, repositoryRoot } from './sources';

const core = readSources([CORE], /\.ts$/);
const modules = readSources(['agent_core/Index.ets', 'agent_core/src', 'entry/src', 'host'], /\.(ets|ts|mjs)$/);

interface Manifest {
  readonly dependencies: Record<string, string>;
  readonly devDependencies: Record<string, string>;
}

const manifest = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as Manifest;
const rules = moduleRules(Object.keys(manifest.dependencies), Object.keys(manifest.devDependencies));

function planted(files: Record<string, string>): Map<string, string> {
  return new Map(Object.entries(files).map(([name, text]) => [name.includes('/') && !name.startsWith('core/') ? name : name.replace('core', CORE), text]));
}

function cyclesWithoutReason(sources: ReadonlyMap<string, string>): string[] {
  return cycles(sources)
    .filter((group) => !ALLOWED_CYCLES.has(group.join(' ')))
    .map((group) => `${group.join(', ')} need each other at run time: the order in which modules load decides what works; split the shared part out`);
}

describe('import direction', () => {
  it('lets core imports point downwards only', () => {
    expect(core.size).toBeGreaterThan(5);
    expect(coreViolations(core)).toEqual([]);
  });

  it('keeps adapters, app, suites and host to their side of the border', () => {
    expect(moduleViolations(modules, rules)).toEqual([]);
  });

  it('has no cycle between core files beyond the listed ones', () => {
    expect(cyclesWithoutReason(core)).toEqual([]);
  });

  it('uses no ambient name in the core', () => {
    expect(ambientViolations(core)).toEqual([]);
  });

  it('shares no mutable state between runtimes', () => {
    expect(sharedStateViolations(core)).toEqual([]);
  });
});

describe('import rules can fail', () => {
  const target = { 'core/state/B.ts': 'export class B {}', 'core/provider/P.ts': 'export class P {}', 'core/plan/F.ts': 'export class F {}', 'core/index.ts': '', 'core/testing/T.ts': 'export class T {}', 'core/runtime/run/R.ts': 'export class R {}', 'core/runtime/attic/R.ts': 'export class R {}' };
  const use = (specifier: string): string => `import { X } from '${specifier}';\nexport const x: X = new X();\n`;

  it.each([
    ['an arrow that points up', 'core/tool/A.ts', '../state/B', /earlier folders only/],
    ['a provider that sees state', 'core/provider/A.ts', '../state/B', /a provider sees only/],
    ['a loop that knows a provider', 'core/runtime/A.ts', '../provider/P', /ModelProvider interface/],
    ['a runtime that knows a feature', 'core/runtime/A.ts', '../plan/F', /features are installed/],
    ['a room that looks up', 'core/runtime/store/A.ts', '../run/R', /earlier rooms only/],
    ['a room that is in no list', 'core/runtime/run/A.ts', '../attic/R', /in no list/],
    ['product code that uses a double', 'core/runtime/A.ts', '../testing/T', /test doubles/],
    ['a barrel', 'core/tool/A.ts', '../index', /exact file/],
    ['a Node module', 'core/tool/A.ts', 'node:fs', /outside itself/],
    ['a kit', 'core/tool/A.ts', '@kit.CoreFileKit', /outside itself/],
    ['an extension', 'core/state/A.ts', './B.ts', /without extension/],
  ])('reports %s', (_name, path, specifier, sentence) => {
    expect(coreViolations(planted({ ...target, [path]: use(specifier) })).join('\n')).toMatch(sentence);
  });

  it.each([
    ['a path into the HAR', 'entry/src/main/ets/pages/Index.ets', '../../../../../agent_core/Index', /package name/],
    ['a Node module in the app', 'entry/src/main/ets/pages/Index.ets', 'node:fs', /package name/],
    ['an adapter in a local suite', 'agent_core/src/test/A.test.ets', '../main/ets/platform/FileStorage', /no adapter/],
    ['Node in an adapter', 'agent_core/src/main/ets/platform/A.ets', 'node:fs', /device adapter/],
    ['a core file past the surface', 'host/cli/A.ts', '@core/runtime/RunLoop', /public surface/],
    ['a relative path into the core', 'host/cli/A.ts', `../../${CORE}/runtime/RunLoop`, /public surface/],
    ['an undeclared package', 'host/cli/A.ts', 'left-pad', /declared dependencies/],
    ['a development package at run time', 'host/cli/A.ts', 'vitest', /declared dependencies/],
  ])('reports %s', (_name, path, specifier, sentence) => {
    expect(moduleViolations(new Map([[path, use(specifier)]]), rules).join('\n')).toMatch(sentence);
  });

  it('accepts what the rules mean to allow', () => {
    const fine = planted({ ...target, 'core/hook/A.ts': use('../state/B'), 'core/plan/F.ts': use('../hook/A'), 'core/testing/T.ts': use('../provider/P') });
    expect(coreViolations(fine)).toEqual([]);
    const host = new Map([['host/cli/A.ts', `${use('agent_core')}${use('node:fs')}${use('commander')}${use('../../entry/src/main/ets/model/Tools')}`]]);
    expect(moduleViolations(host, rules)).toEqual([]);
  });

  it('reports a run-time cycle and not one of types', () => {
    const a = "import { B } from './B';\nexport class A { make(): B { return new B(); } }\n";
    const values = planted({ 'core/base/A.ts': a, 'core/base/B.ts': "import { A } from './A';\nexport class B { make(): A { return new A(); } }\n" });
    const types = planted({ 'core/base/A.ts': a, 'core/base/B.ts': "import { A } from './A';\nexport class B { owner: A | undefined = undefined; }\n" });
    expect(cyclesWithoutReason(values)).toEqual([expect.stringContaining('base/A, base/B need each other')]);
    expect(cyclesWithoutReason(types)).toEqual([]);
  });

  it('sees a base class as needed at run time', () => {
    const sources = planted({ 'core/base/A.ts': "import { B } from './B';\nexport class A extends B {}\n", 'core/base/B.ts': 'export class B {}' });
    expect(importsOf(`${CORE}/base/A.ts`, sources)[0].typeOnly).toBe(false);
  });

  it.each(['console.log(1)', 'setTimeout(f, 1)', 'Date.now()', 'new Date()', 'Math.random()', 'globalThis.x', 'new TextEncoder()'])('reports %s in the core', (expression) => {
    expect(ambientViolations(planted({ 'core/base/A.ts': `export function f(): void { ${expression}; }` }))).toHaveLength(1);
  });

  it('does not take members and own variables for ambient names', () => {
    const text = 'class C { fetch(): void {} }\nexport function f(c: C, process: number): number { c.fetch(); return process + new Date(0).getTime(); }\n';
    expect(ambientViolations(planted({ 'core/base/A.ts': text }))).toEqual([]);
  });

  it('reports module variables and static fields that change', () => {
    const text = 'let count: number = 0;\nexport class A { static last: number = 0; static readonly limit: number = 1; next(): number { return count++; } }\n';
    expect(sharedStateViolations(planted({ 'core/base/A.ts': text }))).toHaveLength(2);
  });
});
