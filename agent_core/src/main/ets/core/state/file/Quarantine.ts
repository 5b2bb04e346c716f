import { ArkAgentError } from '../../base/ArkAgentError';
import { Result } from '../../base/Result';
import { FileError, FileErrorKind, FileSystem } from '../../port/FileSystem';
import { SessionFileNames } from './SessionFileNames';
import { StorageFault } from './StorageFault';

/** Sets broken sessions aside and removes sessions. The caller holds the claim. */
export class Quarantine {
  private readonly fs: FileSystem;

  constructor(fs: FileSystem) {
    this.fs = fs;
  }

  /**
   * The snapshot goes first: once it is gone the session is out of use, whatever happens next.
   *
   * @returns where the broken file lies now
   */
  async setAside(names: SessionFileNames, inLog: boolean): Promise<string> {
    const moved: Result<boolean, FileError> = await this.fs.rename(names.snapshot, names.quarantine);
    if (!moved.ok) {
      return names.snapshot;
    }
    const log: string | undefined = inLog ? await this.newestLog(names) : undefined;
    const logMoved: boolean = log !== undefined && (await this.fs.rename(log, names.quarantinedLog)).ok;
    await this.fs.syncDirectory(names.directory);
    return logMoved ? names.quarantinedLog : names.quarantine;
  }

  /**
   * The file that makes the session exist goes first. What a crash leaves behind has no effect on a new session of that name.
   *
   * @returns false when there was nothing; errors: state_save_failed
   */
  async remove(names: SessionFileNames): Promise<Result<boolean, ArkAgentError>> {
    let removed: boolean = false;
    for (const path of [names.snapshot, names.quarantine]) {
      const gone: Result<boolean, FileError> = await this.fs.unlink(path);
      if (!gone.ok && gone.error.kind !== FileErrorKind.notFound) {
        return Result.failure<boolean, ArkAgentError>(StorageFault.save(gone.error, 'removing the session'));
      }
      removed = removed || gone.ok;
    }
    await this.fs.syncDirectory(names.directory);
    await this.removeRest(names);
    return Result.success<boolean, ArkAgentError>(removed);
  }

  private async removeRest(names: SessionFileNames): Promise<void> {
    const found: Result<ReadonlyArray<string>, FileError> = await this.fs.list(names.directory);
    for (const name of found.ok ? found.value : []) {
      if (name.startsWith(`${names.stem}.`) && !name.startsWith(`${names.stem}.lock`)) {
        await this.fs.unlink(`${names.directory}/${name}`);
      }
    }
  }

  private async newestLog(names: SessionFileNames): Promise<string | undefined> {
    const found: Result<ReadonlyArray<string>, FileError> = await this.fs.list(names.directory);
    let newest: number = -1;
    for (const name of found.ok ? found.value : []) {
      newest = Math.max(newest, names.logRevision(name) ?? -1);
    }
    return newest < 0 ? undefined : names.log(newest);
  }
}
