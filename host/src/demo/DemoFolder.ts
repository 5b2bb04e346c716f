import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { AUDIT_FILE } from '../audit/auditFile';
import { UsageError } from '../UsageError';

const MARKER = 'arkagent-demo.txt';
const MARKER_TEXT = 'A folder of the ArkAgent demonstration. `npm run demo -- --reset` empties it.\n';
const OWN_ENTRIES = ['session', 'records', 'notes', 'cache', 'effects.log', 'auto', AUDIT_FILE, `${AUDIT_FILE}.head`];

/** Where a demonstration keeps its session and its effects. Never touches a folder that is not one of its own. */
export class DemoFolder {
  readonly root: string;

  /** Throws UsageError for an empty name, which would mean the current folder. */
  constructor(directory: string) {
    if (directory.trim() === '') throw new UsageError('the demonstration needs a folder with a name');
    this.root = resolve(directory);
  }

  get session(): string {
    return join(this.root, 'session');
  }

  get effectLog(): string {
    return join(this.root, 'effects.log');
  }

  get audit(): string {
    return join(this.root, AUDIT_FILE);
  }

  get cache(): string {
    return join(this.root, 'cache');
  }

  get auto(): string {
    return join(this.root, 'auto');
  }

  /** The path as a person in the current folder would write it. */
  shown(path: string = this.root): string {
    const short = relative(process.cwd(), path);
    return short === '' ? '.' : short.startsWith('..') ? path : short;
  }

  /** Makes the folder, or takes one that is a demonstration folder already. Throws UsageError for any other. */
  create(): void {
    this.check();
    attempt(`cannot use ${this.shown()}`, () => {
      makeFolder(this.root);
      if (!existsSync(join(this.root, MARKER))) writeFileSync(join(this.root, MARKER), MARKER_TEXT);
    });
  }

  /** Throws UsageError for a folder with other people's files. */
  holdsDemonstration(): boolean {
    this.check();
    return existsSync(join(this.root, MARKER));
  }

  /** Throws UsageError when there is no demonstration in the folder. */
  requireExisting(): void {
    if (!this.holdsDemonstration()) throw new UsageError(`no demonstration in ${this.shown()}: run "arkagent demo --dir ${this.shown()}" first`);
  }

  /**
   * Removes what the demonstration made, and nothing else. A session that cannot be read is moved aside, not removed.
   *
   * @param unreadable the session was found to be unreadable; false leaves that to the names of its files
   * @returns the folder in which an unreadable session was kept
   */
  reset(unreadable: boolean = false): string | undefined {
    if (!this.holdsDemonstration()) return undefined;
    return attempt(`cannot empty ${this.shown()}`, () => {
      const kept = unreadable || this.hasCorruptFiles() ? this.keepSession() : undefined;
      for (const entry of OWN_ENTRIES) rmSync(join(this.root, entry), { recursive: true, force: true });
      return kept;
    });
  }

  /** Lines of the effect log: one per effect that began. */
  effects(): string[] {
    if (!existsSync(this.effectLog)) return [];
    return readFileSync(this.effectLog, 'utf8').split('\n').filter((line) => line !== '');
  }

  /** Names of the files in the cache folder. */
  cacheFiles(): string[] {
    return existsSync(this.cache) ? readdirSync(this.cache).sort() : [];
  }

  private hasCorruptFiles(): boolean {
    return existsSync(this.session) && statSync(this.session).isDirectory() && readdirSync(this.session).some((name) => name.includes('.corrupt'));
  }

  private keepSession(): string {
    let number = 1;
    while (existsSync(join(this.root, `kept-${number}`))) number += 1;
    const kept = join(this.root, `kept-${number}`);
    renameSync(this.session, kept);
    return kept;
  }

  private check(): void {
    const found = attempt(`cannot read ${this.shown()}`, () => (existsSync(this.root) ? statSync(this.root) : undefined));
    if (found === undefined) return;
    if (!found.isDirectory()) throw new UsageError(`${this.shown()} is a file, not a folder`);
    const entries = attempt(`cannot read ${this.shown()}`, () => readdirSync(this.root));
    if (entries.length > 0 && !entries.includes(MARKER)) {
      throw new UsageError(`${this.shown()} is not empty and no demonstration folder: choose another folder`);
    }
  }
}

/** Not `recursive: true`: that never returns below a folder such as /proc, which exists and takes no entries. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function attempt<T>(what: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw new UsageError(`${what}: ${(error as NodeJS.ErrnoException).code ?? 'unknown fault'}`);
  }
}
