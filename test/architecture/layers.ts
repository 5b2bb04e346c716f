import { posix } from 'node:path';
import { CORE, importsOf, type ImportEdge, type SourceMap } from './sources';

/** Folders of the core in dependency order: each may import itself and those before it. */
export const ORDER = [
  'base', 'json', 'port', 'schema', 'message', 'model', 'tool', 'approval', 'state', 'hook', 'control', 'execution', 'loop', 'runtime',
] as const;

/** The rooms of the two large folders, in the same sense; files beside the rooms come last. */
export const ROOMS: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ['execution', ['seam', 'filter', 'redaction', 'vault', 'artifact', 'audit', 'policy', 'metrics', 'prepare', 'run', '']],
  ['runtime', ['config', 'report', 'store', 'ledger', 'consent', 'segment', 'session', 'model', 'batch', 'run', '']],
]);

/** A provider turns bytes into model events; it must not know tools' executors, state or the loop. */
const PROVIDER_SEES = ['base', 'json', 'port', 'message', 'model'];

/** Installed through hooks and contributors; each may use the whole ordered core, nobody below may use them. */
export const FEATURES = ['plan', 'skill', 'subagent', 'memory', 'mcp', 'context', 'toolset', 'job'] as const;

/** Single edges that the table refuses but that have a reason: "from-folder → to-folder": reason. */
export const ALLOWED_EDGES: ReadonlyMap<string, string> = new Map<string, string>([
  ['mcp → provider', 'the MCP transport reads the same server-sent event format'],
]);

const BARRELS = ['index.ts', 'testing.ts'];

function folderOf(path: string): string {
  return path.slice(CORE.length + 1).split('/')[0];
}

function mayImport(from: string, to: string): boolean {
  if (from === to || from === 'testing' || BARRELS.includes(from)) return true;
  if (ALLOWED_EDGES.has(`${from} → ${to}`)) return true;
  if (from === 'provider') return PROVIDER_SEES.includes(to);
  const layers: readonly string[] = ORDER;
  if ((FEATURES as readonly string[]).includes(from)) return layers.includes(to);
  return layers.includes(from) && layers.includes(to) && layers.indexOf(to) < layers.indexOf(from);
}

function reason(from: string, to: string): string {
  if (BARRELS.includes(to)) return 'inside the core import the exact file; index.ts and testing.ts are barrels for users only';
  if (to === 'testing') return 'product code must not depend on test doubles';
  if (from === 'provider') return `a provider sees only ${PROVIDER_SEES.join(', ')}: it turns bytes into model events and knows neither tools' executors nor state`;
  if ((FEATURES as readonly string[]).includes(to)) return 'features are installed through hooks and contributors; nothing below may import them';
  if (to === 'provider') return 'the core sees the ModelProvider interface of model/, never an implementation';
  return `imports point to earlier folders only: ${ORDER.join(' → ')}`;
}

function roomOf(path: string): string {
  const parts = path.slice(CORE.length + 1).split('/');
  return parts.length > 2 ? parts[1] as string : '';
}

/** Why an import between two rooms of one folder is refused, if it is. */
function roomProblem(folder: string, from: string, to: string): string | undefined {
  const rooms = ROOMS.get(folder);
  if (rooms === undefined || from === to) return undefined;
  const unknown = [from, to].find((room) => !rooms.includes(room));
  if (unknown !== undefined) return `${folder}/${unknown} is in no list of rooms`;
  return rooms.indexOf(to) < rooms.indexOf(from) ? undefined :
    `in ${folder}/ imports point to earlier rooms only: ${rooms.filter((room) => room !== '').join(' → ')}`;
}

function place(edge: ImportEdge): string {
  return `${edge.from}:${edge.line} imports '${edge.specifier}'`;
}

/** Edges of core files that point the wrong way, leave the core, or go through a barrel. */
export function coreViolations(sources: SourceMap): string[] {
  const problems: string[] = [];
  for (const path of sources.keys()) {
    if (!path.startsWith(`${CORE}/`)) continue;
    const from = folderOf(path);
    for (const edge of importsOf(path, sources)) {
      if (edge.target === undefined || !edge.target.startsWith(`${CORE}/`)) {
        problems.push(`${place(edge)}: the core imports nothing from outside itself, it runs unchanged on the device and on Node`);
        continue;
      }
      const to = folderOf(edge.target);
      if (/\.(ts|ets|js)$/.test(edge.specifier)) problems.push(`${place(edge)}: write the specifier without extension, both toolchains find the file`);
      if (edge.target.endsWith('.ets')) problems.push(`${place(edge)}: a .ts file cannot import .ets (compiler error 28017)`);
      if (!mayImport(from, to)) problems.push(`${place(edge)}: ${reason(from, to)}`);
      const misplaced = from === to ? roomProblem(from, roomOf(path), roomOf(edge.target)) : undefined;
      if (misplaced !== undefined) problems.push(`${place(edge)}: ${misplaced}`);
    }
  }
  return problems;
}

const SYSTEM = /^@(kit|ohos|arkts|system|hms)[./]/;
const HYPIUM = '@ohos/hypium';

interface ModuleRule {
  readonly where: RegExp;
  readonly allowed: (edge: ImportEdge) => boolean;
  readonly sentence: string;
}

function staysIn(edge: ImportEdge, ...folders: string[]): boolean {
  return edge.target !== undefined && folders.some((folder) => edge.target === folder || edge.target?.startsWith(`${folder}/`) === true);
}

/** @param packages npm packages that may be imported at run time; `buildPackages` also by build scripts. */
export function moduleRules(packages: readonly string[], buildPackages: readonly string[]): ModuleRule[] {
  const isPackage = (edge: ImportEdge, names: readonly string[]): boolean =>
    edge.target === undefined && names.some((name) => edge.specifier === name || edge.specifier.startsWith(`${name}/`));
  return [
    {
      where: /^agent_core\/Index\.ets$/,
      allowed: (edge) => staysIn(edge, 'agent_core/src/main/ets'),
      sentence: 'Index.ets re-exports from src/main/ets only',
    },
    {
      where: /^agent_core\/src\/main\/ets\/platform\//,
      allowed: (edge) => SYSTEM.test(edge.specifier) || staysIn(edge, 'agent_core/src/main/ets/platform', CORE),
      sentence: 'a device adapter imports kits, the core and other adapters',
    },
    {
      where: /^agent_core\/src\/test\//,
      allowed: (edge) => edge.specifier === HYPIUM || staysIn(edge, CORE, 'agent_core/src/test'),
      sentence: 'local suites also run on Node: they import hypium and the core, no adapter and no kit',
    },
    {
      where: /^agent_core\/src\/ohosTest\//,
      allowed: (edge) => edge.specifier === HYPIUM || SYSTEM.test(edge.specifier) || staysIn(edge, 'agent_core/src'),
      sentence: 'device suites import hypium, kits and their own module',
    },
    {
      where: /^entry\/src\/(test|ohosTest)\//,
      allowed: (edge) => edge.specifier === HYPIUM || edge.specifier === 'agent_core' || SYSTEM.test(edge.specifier) || staysIn(edge, 'entry/src'),
      sentence: "the app's suites import hypium, kits, 'agent_core' and their own module",
    },
    {
      where: /^entry\/src\/main\//,
      allowed: (edge) => edge.specifier === 'agent_core' || SYSTEM.test(edge.specifier) || staysIn(edge, 'entry/src/main'),
      sentence: "the app reaches the library by its package name 'agent_core' only; paths into the HAR are refused under useNormalizedOHMUrl",
    },
    {
      where: /^host\/.*\.mjs$/,
      allowed: (edge) => edge.specifier.startsWith('node:') || isPackage(edge, [...packages, ...buildPackages]) || staysIn(edge, 'host', 'dist'),
      sentence: 'a host script imports node modules, declared packages and host files',
    },
    {
      where: /^host\//,
      allowed: (edge) =>
        edge.specifier === 'agent_core' || edge.specifier === '@core/testing' || edge.specifier.startsWith('node:') ||
        isPackage(edge, packages) || staysIn(edge, 'host', 'entry/src/main/ets'),
      sentence: "the host uses the public surface ('agent_core', for doubles '@core/testing'), the app's shared demo files, node:* and declared dependencies",
    },
  ];
}

export function moduleViolations(sources: SourceMap, rules: readonly ModuleRule[]): string[] {
  const problems: string[] = [];
  for (const path of sources.keys()) {
    const rule = rules.find((candidate) => candidate.where.test(path));
    if (rule === undefined) continue;
    for (const edge of importsOf(path, sources)) if (!rule.allowed(edge)) problems.push(`${place(edge)}: ${rule.sentence}`);
  }
  return problems;
}

/** Pairs of core files that may need each other at run time, with the reason. */
export const ALLOWED_CYCLES: ReadonlyMap<string, string> = new Map<string, string>([
  ['json/JsonObject json/JsonValue', 'a JSON value holds objects and an object holds values: the data itself is recursive'],
]);

function shortName(path: string): string {
  return posix.relative(CORE, path).replace(/\.ts$/, '');
}

/** Groups of core files that import each other at run time; type-only imports vanish and do not count. */
export function cycles(sources: SourceMap): string[][] {
  const next = new Map<string, string[]>();
  for (const path of sources.keys()) {
    if (!path.startsWith(`${CORE}/`)) continue;
    next.set(path, importsOf(path, sources).filter((edge) => !edge.typeOnly && edge.target !== undefined && edge.target !== path).map((edge) => edge.target as string));
  }
  return stronglyConnected(next).map((group) => group.map(shortName).sort());
}

/** Tarjan's algorithm; only groups of two and more. */
function stronglyConnected(next: ReadonlyMap<string, string[]>): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const groups: string[][] = [];
  const visit = (node: string): void => {
    index.set(node, index.size);
    low.set(node, index.get(node) as number);
    stack.push(node);
    for (const target of next.get(node) ?? []) {
      if (!index.has(target)) {
        visit(target);
        low.set(node, Math.min(low.get(node) as number, low.get(target) as number));
      } else if (stack.includes(target)) {
        low.set(node, Math.min(low.get(node) as number, index.get(target) as number));
      }
    }
    if (low.get(node) !== index.get(node)) return;
    const group = stack.splice(stack.indexOf(node));
    if (group.length > 1) groups.push(group);
  };
  for (const node of next.keys()) if (!index.has(node)) visit(node);
  return groups;
}
