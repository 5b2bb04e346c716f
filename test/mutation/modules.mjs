import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compileFunction } from 'node:vm';
import { transformSync } from 'esbuild';

const EXTENSIONS = ['', '.ts', '.ets', '.mjs', '.js', '/index.ts'];
const PARAMETERS = ['exports', 'require', 'module', '__filename', '__dirname', '__url'];

/**
 * Loads TypeScript of one tree into this process. A file is translated once; what lies below test/ is evaluated anew after `forgetTests`, so
 * that every run of a test file begins with fresh module variables, while the code under test stays loaded.
 */
export class Modules {
  #root;
  #externals;
  #translated = new Map();
  #loaded = new Map();

  /** @param {string} root @param {Map<string, object>} externals packages that are modules of ES and cannot be required */
  constructor(root, externals) {
    this.#root = root;
    this.#externals = externals;
  }

  forgetTests() {
    const tests = join(this.#root, 'test') + sep;
    for (const path of this.#loaded.keys()) if (path.startsWith(tests)) this.#loaded.delete(path);
  }

  load(path) {
    const known = this.#loaded.get(path);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    this.#loaded.set(path, module);
    try {
      this.#translate(path)(module.exports, (name) => this.#require(name, path), module, path, dirname(path), pathToFileURL(path).href);
    } catch (error) {
      this.#loaded.delete(path);
      throw error;
    }
    return module.exports;
  }

  #translate(path) {
    let body = this.#translated.get(path);
    if (body === undefined) {
      const { code } = transformSync(readFileSync(path, 'utf8'), {
        loader: /\.m?js$/.test(path) ? 'js' : 'ts',
        format: 'cjs',
        target: 'es2022',
        supported: { 'dynamic-import': false },
        define: { 'import.meta.url': '__url', 'import.meta.dirname': '__dirname' },
        sourcefile: path,
      });
      body = compileFunction(code, PARAMETERS, { filename: path });
      this.#translated.set(path, body);
    }
    return body;
  }

  #require(name, from) {
    const path = this.#resolve(name, from);
    if (path !== undefined) return this.load(path);
    return this.#externals.get(name) ?? createRequire(from)(name);
  }

  #resolve(name, from) {
    const core = join(this.#root, 'agent_core/src/main/ets/core');
    if (name === 'agent_core') return join(core, 'index.ts');
    if (name.startsWith('@core/')) return fileAt(join(core, name.slice('@core/'.length)));
    return name.startsWith('.') ? fileAt(join(dirname(from), name)) : undefined;
  }
}

function fileAt(path) {
  const found = EXTENSIONS.map((extension) => path + extension).find((one) => statSync(one, { throwIfNoEntry: false })?.isFile());
  if (found === undefined) throw new Error(`no file for ${path}`);
  return found;
}
