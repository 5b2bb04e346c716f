// Runs the bundles beside this file as scripts, with V8's code cache where it fits: parsing and compiling half a
// megabyte is most of what a start costs otherwise. Copied to the bundles by the build.
import { createRequire } from 'node:module';

// Required, not imported: the ES module of `fs` loads streams and promises too, which takes longer than this whole file.
const outside = createRequire(import.meta.url);
const { readFileSync } = outside('node:fs');
const { fileURLToPath } = outside('node:url');
const { Script } = outside('node:vm');
const loaded = new Map();

/** The exports of a bundle; it runs once per process. */
export function load(name) {
  const known = loaded.get(name);
  return known ?? start(name, compile(name, true));
}

/** @param cached false = as if there were no cache */
export function compile(name, cached) {
  const filename = path(`${name}.cjs`);
  const text = readFileSync(filename, 'utf8');
  return new Script(text, { filename, cachedData: cached ? cacheOf(name, text) : undefined });
}

/** Runs a compiled bundle. */
export function start(name, script) {
  const module = { exports: {} };
  loaded.set(name, module.exports);
  script.runInThisContext()(module.exports, (wanted) => (wanted.startsWith('./') ? load(wanted.slice(2)) : outside(wanted)), module);
  loaded.set(name, module.exports);
  return module.exports;
}

/** V8 compares versions and lengths, not texts: the name carries a digest of the text, which its first line repeats. */
export function cacheName(name, text) {
  return `${name}-${text.slice(2, text.indexOf('*/'))}.cache`;
}

function cacheOf(name, text) {
  try {
    return readFileSync(path(cacheName(name, text)));
  } catch {
    // Not made yet, or by another build: compiled as usual.
    return undefined;
  }
}

function path(file) {
  return fileURLToPath(new URL(file, import.meta.url));
}
