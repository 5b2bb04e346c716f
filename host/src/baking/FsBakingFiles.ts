import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, readdirSync, unlinkSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { BakingFiles, BakingFolder } from '../../../entry/src/main/ets/baking/BakingFiles.ets';

const EXTENSION = '.txt';

/** The baking assistant's files as real files that a person can look at. */
export class FsBakingFiles implements BakingFiles {
  /** @param root folder of the demonstration @param effectLog append-only file, one line per effect that began */
  constructor(private readonly root: string, private readonly effectLog: string) {}

  async list(folder: BakingFolder): Promise<readonly string[]> {
    return this.names(folder);
  }

  count(folder: BakingFolder): number {
    return this.names(folder).length;
  }

  async read(folder: BakingFolder, name: string): Promise<string | undefined> {
    return unlessMissing(() => readFileSync(this.path(folder, name), 'utf8'));
  }

  async write(folder: BakingFolder, name: string, text: string): Promise<void> {
    mkdirSync(join(this.root, folder), { recursive: true });
    writeFileSync(this.path(folder, name), text);
  }

  async remove(folder: BakingFolder, name: string): Promise<boolean> {
    return unlessMissing(() => {
      unlinkSync(this.path(folder, name));
      return true;
    }) ?? false;
  }

  logEffect(line: string): void {
    const file = openSync(this.effectLog, 'a');
    try {
      writeSync(file, `${line}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  }

  private names(folder: BakingFolder): string[] {
    const found = unlessMissing(() => readdirSync(join(this.root, folder))) ?? [];
    return found.filter((name) => name.endsWith(EXTENSION)).map((name) => name.slice(0, -EXTENSION.length)).sort();
  }

  private path(folder: BakingFolder, name: string): string {
    return join(this.root, folder, name + EXTENSION);
  }
}

function unlessMissing<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
