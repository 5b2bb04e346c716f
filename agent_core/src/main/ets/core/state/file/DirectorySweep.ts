import { ArkAgentError } from '../../base/ArkAgentError';
import { Result } from '../../base/Result';
import { ClaimOwner, FileError, FileSystem } from '../../port/FileSystem';
import { SessionClaims } from './SessionClaims';
import { StorageFault } from './StorageFault';

const TEMPORARY: string = '.tmp-';

/** Makes the directory and, once per storage, removes what writers that are gone left in it. */
export class DirectorySweep {
  private readonly fs: FileSystem;
  private readonly directory: string;
  private readonly owner: ClaimOwner;
  private readonly claims: SessionClaims;
  private sweeping: Promise<void> | undefined = undefined;
  private made: boolean = false;

  constructor(fs: FileSystem, directory: string, owner: ClaimOwner, claims: SessionClaims) {
    this.fs = fs;
    this.directory = directory;
    this.owner = owner;
    this.claims = claims;
  }

  /** Before a write. @returns why the directory cannot be used */
  async prepare(): Promise<ArkAgentError | undefined> {
    if (!this.made) {
      const made: Result<boolean, FileError> = await this.fs.makeDirectory(this.directory);
      if (!made.ok) {
        return StorageFault.save(made.error, 'making the directory of the sessions');
      }
      this.made = true;
    }
    await this.once();
    return undefined;
  }

  /** Before anything else. */
  once(): Promise<void> {
    if (this.sweeping === undefined) {
      this.sweeping = this.run();
    }
    return this.sweeping;
  }

  private async run(): Promise<void> {
    const found: Result<ReadonlyArray<string>, FileError> = await this.fs.list(this.directory);
    if (!found.ok) {
      return;
    }
    for (const name of found.value) {
      const at: number = name.indexOf(TEMPORARY);
      if (at >= 0 && !this.owner.isAlive(name.slice(at + TEMPORARY.length))) {
        await this.fs.unlink(`${this.directory}/${name}`);
      }
    }
    await this.claims.sweep(found.value);
  }
}
