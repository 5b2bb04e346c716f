import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, posix } from 'node:path';
import { apiLevelFindings } from './apiLevel.mjs';
import { ambientFiles, etsOptions, repositoryRoot, sdkFolder, sdkModule, ts } from './sdk.mjs';

const require = createRequire(import.meta.url);

/** Rules that the linter only warns about although the written ArkTS rules forbid them: `!:`, globalThis, bind, class as value. */
const WARNINGS_THAT_COUNT = new Set([134, 137, 140, 149]);

/** Folder that exists only inside the compiler host: every .ts below it appears under an .ets name. */
const MIRROR = `${repositoryRoot}/.as-ets`;

/**
 * @typedef {{ file: string, line: number, column: number, rule: string, message: string }} Finding
 *   rule is `arkts-N` (linter rule N), `TSN` (compiler diagnostic N) or `api-level`.
 */

function compilerOptions() {
  return {
    strict: true,
    // A caught variable has no type in ArkTS; the device compiler treats it as such, so it may be passed on as an Object.
    useUnknownInCatchVariables: false,
    experimentalDecorators: true,
    noImplicitReturns: true,
    target: ts.ScriptTarget.ES2021,
    module: ts.ModuleKind.ES2020,
    moduleResolution: ts.ModuleResolutionKind.NodeJs,
    lib: ['lib.es2021.d.ts'],
    types: [],
    noEmit: true,
    skipLibCheck: true,
    needDoArkTsLinter: true,
    isCompatibleVersion: false,
    compatibleSdkVersion: 12,
    compatibleSdkVersionStage: 'beta3',
    packageManagerType: 'ohpm',
    ets: etsOptions(),
  };
}

const RELATIVE_SUFFIXES = ['.ets', '.ts', '.d.ets', '.d.ts', '/index.ets', '/index.ts', '/index.d.ts'];

function resolved(path) {
  const extension = ['.d.ets', '.d.ts', '.ets', '.ts'].find((suffix) => path.endsWith(suffix));
  // Declarations count as SDK, our own sources do not: code below oh_modules would be skipped by the linter.
  return { resolvedFileName: path, extension, isExternalLibraryImport: path.includes('/node_modules/') };
}

/** Reads real files, `virtual` ones, and .ts files under their mirrored .ets names. */
class Sources {
  /** @param {Map<string, string>} virtual */
  constructor(virtual) {
    this.virtual = virtual;
  }

  /** Where the text of a name really lives. */
  origin(path) {
    if (!path.startsWith(`${MIRROR}/`)) return path;
    const real = repositoryRoot + path.slice(MIRROR.length);
    return this.virtual.has(real) || existsSync(real) ? real : real.replace(/\.ets$/, '.ts');
  }

  exists(path) {
    if (path.startsWith(`${MIRROR}/`)) return path.endsWith('.ets') && this.exists(this.origin(path));
    return this.virtual.has(path) || (existsSync(path) && statSync(path).isFile());
  }

  read(path) {
    const real = this.origin(path);
    return this.virtual.get(real) ?? (this.exists(path) ? readFileSync(real, 'utf8') : undefined);
  }

  resolve(name, fromFile, options, host) {
    if (name === 'agent_core') return this.exists(`${repositoryRoot}/agent_core/Index.ets`) ? resolved(`${repositoryRoot}/agent_core/Index.ets`) : undefined;
    if (name === '@ohos/hypium') return resolved(require.resolve('@ohos/hypium/index.d.ts').replaceAll('\\', '/'));
    const sdk = sdkModule(name);
    if (sdk !== undefined) return resolved(sdk);
    if (name.startsWith('.')) {
      const base = posix.join(dirname(fromFile), name);
      const hit = ['', ...RELATIVE_SUFFIXES].map((suffix) => base + suffix).find((path) => /\.(ets|ts)$/.test(path) && this.exists(path));
      if (hit !== undefined) return resolved(hit);
    }
    return ts.resolveModuleName(name, fromFile, options, host).resolvedModule;
  }
}

const parsedSdk = new Map();

function createHost(options, sources) {
  const host = ts.createIncrementalCompilerHost(options);
  const getSourceFile = host.getSourceFile.bind(host);
  host.fileExists = (path) => sources.exists(path);
  host.readFile = (path) => sources.read(path);
  host.getCurrentDirectory = () => repositoryRoot;
  host.writeFile = () => {};
  host.getSourceFile = (path, target, onError) => {
    const shared = path.includes('/node_modules/');
    if (shared && parsedSdk.has(path)) return parsedSdk.get(path);
    const file = getSourceFile(path, target, onError, false, options);
    if (shared && file !== undefined) parsedSdk.set(path, file);
    return file;
  };
  host.resolveModuleNames = (names, fromFile) => names.map((name) => sources.resolve(name, fromFile, options, host));
  return host;
}

/** Decorators whose field the parent component or the framework sets: the device compiler asks for no initial value. */
const SET_FROM_OUTSIDE = /@(Require|Event|Link|Prop|ObjectLink|Consume|BuilderParam)\b/;

function isSetFromOutside(diagnostic) {
  if (diagnostic.code !== 2564) return false;
  const field = ts.getTokenAtPosition(diagnostic.file, diagnostic.start).parent;
  return ts.isPropertyDeclaration(field) && SET_FROM_OUTSIDE.test(field.getText().slice(0, field.name.getStart() - field.getStart()));
}

function toFinding(diagnostic, sources, rule) {
  const file = sources.origin(diagnostic.file.fileName);
  const at = diagnostic.file.getLineAndCharacterOfPosition(diagnostic.start ?? 0);
  const message = ts.flattenDiagnosticMessageText(diagnostic.messageText, ' ').replace(/\s+/g, ' ').trim();
  return { file: file.replace(`${repositoryRoot}/`, ''), line: at.line + 1, column: at.character + 1, rule, message };
}

function countsAsFinding(diagnostic) {
  if (diagnostic.file !== undefined && diagnostic.file.fileName.includes('/node_modules/')) return false;
  return diagnostic.category === ts.DiagnosticCategory.Error || WARNINGS_THAT_COUNT.has(diagnostic.code);
}

function collect(builder, sources) {
  const program = builder.getProgram();
  const seen = new Set();
  const findings = [];
  const add = (diagnostic, rule) => {
    if (!countsAsFinding(diagnostic)) return;
    if (diagnostic.file === undefined) {
      findings.push({ file: '(program)', line: 0, column: 0, rule, message: ts.flattenDiagnosticMessageText(diagnostic.messageText, ' ') });
      return;
    }
    if (isSetFromOutside(diagnostic)) return;
    const finding = toFinding(diagnostic, sources, rule);
    const key = `${finding.file}:${finding.line}:${finding.column}:${rule}`;
    if (!seen.has(key)) findings.push(finding);
    seen.add(key);
  };
  for (const diagnostic of program.getOptionsDiagnostics()) add(diagnostic, `TS${diagnostic.code}`);
  for (const file of program.getSourceFiles()) {
    if (file.fileName.includes('/node_modules/')) continue;
    for (const diagnostic of builder.getSyntacticDiagnostics(file)) add(diagnostic, `TS${diagnostic.code}`);
    for (const diagnostic of builder.getSemanticDiagnostics(file)) add(diagnostic, `TS${diagnostic.code}`);
  }
  // The linter repeats strict-mode compiler errors under their own numbers (1000 and more); its rules are below 200.
  for (const diagnostic of ts.ArkTSLinter_1_1.runArkTSLinter(builder, undefined, undefined, 'ArkTS_1_1')) {
    add(diagnostic, diagnostic.code < 1000 ? `arkts-${diagnostic.code}` : `TS${diagnostic.code}`);
  }
  return findings;
}

function inReadingOrder(a, b) {
  return a.file.localeCompare(b.file) || a.line - b.line || a.column - b.column || a.rule.localeCompare(b.rule);
}

/**
 * Type-checks and lints files as the device toolchain would.
 *
 * @param {string[]} roots absolute paths; a .ts file given through `asEts` is read under an .ets name.
 * @param {{ virtual?: Map<string, string>, apiLevel?: number }} [options] texts by absolute path that need not exist on disk;
 *   the highest API level a used SDK symbol may have.
 * @returns {{ findings: Finding[], files: string[] }} files are the checked sources, relative to the repository.
 */
export function checkSources(roots, { virtual = new Map(), apiLevel } = {}) {
  const sources = new Sources(virtual);
  const options = compilerOptions();
  const builder = ts.createIncrementalProgramForArkTs({ rootNames: [...roots, ...ambientFiles()], options, host: createHost(options, sources) });
  const findings = collect(builder, sources);
  const own = builder.getProgram().getSourceFiles().filter((file) => !file.fileName.includes('/node_modules/'));
  if (apiLevel !== undefined) {
    for (const finding of apiLevelFindings(ts, builder.getProgram(), own, apiLevel, sdkFolder)) {
      findings.push({ ...finding, file: sources.origin(finding.file).replace(`${repositoryRoot}/`, '') });
    }
  }
  return { findings: findings.sort(inReadingOrder), files: own.map((file) => file.fileName.replace(`${repositoryRoot}/`, '')) };
}

/** The .ets name under which a .ts file is presented to the linter, which looks at nothing else. */
export function asEts(path) {
  return MIRROR + path.slice(repositoryRoot.length).replace(/\.ts$/, '.ets');
}

/** One finding as one line of the report. */
export function format(finding) {
  return `${finding.file}:${finding.line}:${finding.column} ${finding.rule} ${finding.message}`;
}
