import { BakingFolder, type BakingFiles } from '../../../entry/src/main/ets/baking/BakingFiles.ets';

/**
 * Files that kill their process the moment the last cached record is gone: after the effect, before anything about it
 * could be stored. Only `--auto` and the crash tests ask for it.
 */
export class DyingFiles implements BakingFiles {
  constructor(private readonly inner: BakingFiles) {}

  list(folder: BakingFolder): Promise<readonly string[]> {
    return this.inner.list(folder);
  }

  count(folder: BakingFolder): number {
    return this.inner.count(folder);
  }

  read(folder: BakingFolder, name: string): Promise<string | undefined> {
    return this.inner.read(folder, name);
  }

  write(folder: BakingFolder, name: string, text: string): Promise<void> {
    return this.inner.write(folder, name, text);
  }

  async remove(folder: BakingFolder, name: string): Promise<boolean> {
    const removed = await this.inner.remove(folder, name);
    if (folder === BakingFolder.cache && this.inner.count(folder) === 0) process.kill(process.pid, 'SIGKILL');
    return removed;
  }

  logEffect(line: string): void {
    this.inner.logEffect(line);
  }
}
