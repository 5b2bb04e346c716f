// Bundles the command line (dist/cli.mjs) and the core for Node (dist/core.mjs, dist/testing.mjs).
// Usage: node host/build.mjs [--out FOLDER]
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const core = join(root, 'agent_core/src/main/ets/core');

let esbuild;
try {
  esbuild = await import('esbuild');
} catch {
  process.stderr.write('build: esbuild is not installed: run "npm ci" with development dependencies\n');
  process.exit(1);
}

/** Our modules only define things: what a command does not use is left out of its bundle. */
const pure = {
  name: 'pure',
  setup(build) {
    build.onResolve({ filter: /^(\.|agent_core$|@core\/)/ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
      if (pluginData === pure || importer.includes('node_modules')) return undefined;
      const found = await build.resolve(path, { kind, importer, resolveDir, pluginData: pure });
      return found.errors.length > 0 ? found : { path: found.path, sideEffects: false };
    });
  },
};

/** What every bundle has in common. Commander is CommonJS and asks for `require`. */
function common(out) {
  return {
    absWorkingDir: root,
    outdir: out,
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    splitting: true,
    treeShaking: true,
    outExtension: { '.js': '.mjs' },
    resolveExtensions: ['.ts', '.ets', '.mjs', '.js', '.json'],
    loader: { '.ets': 'ts' },
    alias: { agent_core: join(core, 'index.ts'), '@core': core },
    plugins: [pure],
    logLevel: 'silent',
    // Fields are assigned, as in ArkTS (ES2021); defining them costs several times as much in V8.
    tsconfigRaw: { compilerOptions: { target: 'ES2021', useDefineForClassFields: false } },
  };
}

/** Each command is one file: a process that resumes a session opens three modules and not a dozen. */
const COMMANDS = { './demo/demoCommand': 'cli-demo', './session/sessionCommands': 'cli-session', './stream/registerStreamCommand': 'cli-stream' };

const commandFiles = {
  name: 'command-files',
  setup(build) {
    build.onResolve({ filter: /^\.\// }, ({ path, kind }) =>
      (kind === 'dynamic-import' && path in COMMANDS ? { path: `./${COMMANDS[path]}.mjs`, external: true } : undefined));
  },
};

async function bundles(out) {
  const library = { core: join(core, 'index.ts') };
  if (existsSync(join(core, 'testing.ts'))) library.testing = join(core, 'testing.ts');
  const entries = Object.entries(COMMANDS).map(([path, name]) => [name, join(root, 'host/src', `${path}.ts`)]);
  const cli = esbuild.build({
    ...common(out),
    plugins: [commandFiles, pure],
    entryPoints: Object.fromEntries([['cli', join(root, 'host/src/cli.ts')], ...entries]),
    splitting: false,
    minify: true,
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
  const libraries = esbuild.build({ ...common(out), entryPoints: library, chunkNames: 'core-[name]-[hash]', minify: true });
  return (await Promise.all([cli, libraries])).flatMap((result) => result.outputFiles);
}

/** Files appear whole and only when they differ: a process that is starting meanwhile never meets half a file. */
function store(files, out) {
  mkdirSync(out, { recursive: true });
  // What others import comes first.
  const chunksFirst = [...files].sort((a, b) => Number(relative(out, b.path).includes('-')) - Number(relative(out, a.path).includes('-')));
  for (const file of chunksFirst) {
    if (existsSync(file.path) && readFileSync(file.path).equals(file.contents)) continue;
    const temporary = `${file.path}.${process.pid}.tmp`;
    writeFileSync(temporary, file.contents);
    renameSync(temporary, file.path);
  }
  const names = new Set(files.map((file) => relative(out, file.path)));
  for (const name of readdirSync(out)) {
    if (/^(cli|core)-.*\.mjs$/.test(name) && !names.has(name)) rmSync(join(out, name), { force: true });
  }
}

const at = process.argv.indexOf('--out');
const out = resolve(at < 0 ? join(root, 'dist') : process.argv[at + 1]);
const started = performance.now();
try {
  const files = await bundles(out);
  store(files, out);
  const size = files.reduce((sum, file) => sum + file.contents.length, 0);
  process.stdout.write(`build: ${files.length} files, ${Math.round(size / 1024)} KiB in ${relative(process.cwd(), out) || '.'}, ${Math.round(performance.now() - started)} ms\n`);
} catch (error) {
  const problems = error.errors ?? [{ text: error.message }];
  for (const problem of problems.slice(0, 20)) {
    const place = problem.location ? `${problem.location.file}:${problem.location.line}: ` : '';
    process.stderr.write(`build: ${place}${problem.text}\n`);
  }
  process.stderr.write(`build: failed with ${problems.length} problem(s); nothing was changed\n`);
  process.exit(1);
}
