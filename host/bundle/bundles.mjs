// What the build makes: each command as one script, the core and its test kit as one script with two doors.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInThisContext } from 'node:vm';
import { build } from 'esbuild';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const core = join(root, 'agent_core/src/main/ets/core');

/** Each command is one file: a process that resumes a session reads three files and not a dozen. */
const COMMANDS = { './demo/demoCommand': 'cli-demo', './session/sessionCommands': 'cli-session', './stream/registerStreamCommand': 'cli-stream' };

/** What people import of the library. */
const DOORS = {
  'core.mjs': { of: 'core', entry: join(core, 'index.ts') },
  'testing.mjs': { of: 'testing', entry: join(core, 'testing.ts') },
};

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

/** A command that another one loads when it needs it stays a script of its own. */
const commandFiles = {
  name: 'command-files',
  setup(build) {
    build.onResolve({ filter: /^\.\// }, ({ path, kind }) =>
      (kind === 'dynamic-import' && path in COMMANDS ? { path: `./${COMMANDS[path]}`, external: true } : undefined));
  },
};

const COMMON = {
  absWorkingDir: root,
  bundle: true,
  write: false,
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  minify: true,
  charset: 'ascii',
  treeShaking: true,
  supported: { 'dynamic-import': false },
  resolveExtensions: ['.ts', '.ets', '.mjs', '.js', '.json'],
  loader: { '.ets': 'ts' },
  alias: { agent_core: join(core, 'index.ts'), '@core': core },
  logLevel: 'silent',
  // Fields are assigned, as in ArkTS (ES2021); defining them costs several times as much in V8.
  tsconfigRaw: { compilerOptions: { target: 'ES2021', useDefineForClassFields: false } },
};

/** @returns the files of the build, by name, and the names of its scripts */
export async function bundles() {
  const scripts = new Map();
  const commands = await build({
    ...COMMON,
    outdir: root,
    plugins: [commandFiles, pure],
    entryPoints: Object.fromEntries(
      [['cli', 'host/src/cli.ts'], ...Object.entries(COMMANDS).map(([path, name]) => [name, `host/src/${path}.ts`])]),
  });
  for (const file of commands.outputFiles) scripts.set(/([\w-]+)\.js$/.exec(file.path)[1], file.text);
  const libraries = Object.values(DOORS);
  const built = await build({
    ...COMMON,
    plugins: [pure],
    stdin: { contents: libraries.map(({ of, entry }) => `export * as ${of} from ${JSON.stringify(entry)};`).join('\n'), resolveDir: root },
  });
  scripts.set('library', built.outputFiles[0].text);

  const files = new Map([...scripts].map(([name, text]) => [`${name}.cjs`, wrapped(text)]));
  files.set('script.mjs', readFileSync(join(root, 'host/bundle/script.mjs'), 'utf8'));
  const library = exportsOf(files.get('library.cjs'));
  for (const [name, { of }] of Object.entries(DOORS)) files.set(name, doorText(of, Object.keys(library[of])));
  files.set('cli.mjs', "import { load } from './script.mjs';\nprocess.exitCode = await load('cli').main(process.argv.slice(2));\n");
  return { files, scripts: [...scripts.keys()] };
}

/** A function of what a module needs; the first line is what its code cache is found by. */
function wrapped(text) {
  return `/*${createHash('sha256').update(text).digest('hex').slice(0, 16)}*/(function (exports, require, module) {${text}\n})`;
}

/** A module with the names of one entry. */
function doorText(of, names) {
  return `import { load } from './script.mjs';\nexport const { ${names.join(', ')} } = load('library').${of};\n`;
}

function exportsOf(script) {
  const module = { exports: {} };
  runInThisContext(script)(module.exports, createRequire(import.meta.url), module);
  return module.exports;
}
