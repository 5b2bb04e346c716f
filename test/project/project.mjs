import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import JSON5 from 'json5';

export const repositoryRoot = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]+$/, '');

const FOLDERS = ['AppScope', 'hvigor', 'agent_core', 'entry'];
const ROOT_FILES = ['build-profile.json5', 'oh-package.json5', 'code-linter.json5', 'hvigorfile.ts', 'LICENSE'];
const GENERATED_FOLDERS = new Set(['node_modules', 'oh_modules', 'build', '.hvigor', '.test', '.preview', '.cxx', '.idea']);
const BINARY = /\.(png|jpg|webp|ttf)$/;

function walk(folder, prefix, into) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = `${prefix}/${entry.name}`;
    if (entry.isDirectory()) {
      if (!GENERATED_FOLDERS.has(entry.name)) walk(join(folder, entry.name), path, into);
    } else {
      into.set(path, readFileSync(join(folder, entry.name), BINARY.test(entry.name) ? 'latin1' : 'utf8'));
    }
  }
}

/** Paths that git keeps, or undefined outside a checkout. */
function trackedPaths(root) {
  try {
    return execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).split('\n').filter(Boolean);
  } catch {
    return undefined;
  }
}

/** The HarmonyOS project as values, so that a test can break one file without touching the disk. */
export class ProjectFiles {
  /**
   * @param {Map<string, string>} files text by path below the repository; images as latin1
   * @param {string[]} tracked paths under version control
   */
  constructor(files, tracked) {
    this.files = files;
    this.tracked = tracked;
  }

  static read(root = repositoryRoot) {
    const files = new Map();
    for (const name of ROOT_FILES) if (existsSync(join(root, name))) files.set(name, readFileSync(join(root, name), 'utf8'));
    for (const folder of FOLDERS) if (existsSync(join(root, folder))) walk(join(root, folder), folder, files);
    return new ProjectFiles(files, trackedPaths(root) ?? []);
  }

  /** A copy in which some files have other text; `null` removes one. */
  with(changes, tracked = this.tracked) {
    const files = new Map(this.files);
    for (const [path, text] of Object.entries(changes)) {
      if (text === null) files.delete(path);
      else files.set(path, text);
    }
    return new ProjectFiles(files, tracked);
  }

  has(path) {
    return this.files.has(path);
  }

  text(path) {
    return this.files.get(path);
  }

  /** The parsed file; undefined when it is missing or does not parse (which has its own rule). */
  json(path) {
    try {
      return this.files.has(path) ? JSON5.parse(this.files.get(path)) : undefined;
    } catch {
      return undefined;
    }
  }

  paths(pattern) {
    return [...this.files.keys()].filter((path) => pattern.test(path)).sort();
  }

  /** @returns {{ name: string, folder: string, type: string }[]} as the root build profile lists them. */
  modules() {
    const profile = this.json('build-profile.json5');
    return (profile?.modules ?? []).map((module) => {
      const folder = String(module.srcPath).replace(/^\.\//, '');
      return { name: module.name, folder, type: this.json(`${folder}/src/main/module.json5`)?.module?.type };
    });
  }
}
