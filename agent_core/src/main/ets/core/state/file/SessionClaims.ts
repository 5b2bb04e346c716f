import { ArkAgentError } from '../../base/ArkAgentError';
import { Result } from '../../base/Result';
import { ClaimOwner, FileError, FileErrorKind, FileSystem } from '../../port/FileSystem';
import { Scheduler } from '../../port/Scheduler';
import { StorageFault } from './StorageFault';

/**
 * Exclusive claims on sessions, between the storages of all processes on one file system.
 *
 * A claim is a directory that holds one file, named after its owner. It is prepared under a private name and renamed to the
 * name of the claim, which fails while another one is there: so a claim never exists without its owner's name, and taking or
 * giving it back costs one rename. The claim of a dead owner is renamed away to a name that holds that owner's id; since the
 * rename fails when that name is taken, only the first of several breakers breaks it, and none can break the next claim.
 */
export class SessionClaims {
  static readonly PRIVATE: string = '.claim-';
  private static readonly BROKEN: string = '.dead-';
  private static readonly KEPT_BROKEN: number = 32;
  private static readonly LONGEST_PAUSE_MS: number = 50;
  private readonly fs: FileSystem;
  private readonly directory: string;
  private readonly owner: ClaimOwner;
  private readonly scheduler: Scheduler;
  private readonly patienceMs: number;
  private readonly free: string[] = [];
  private readonly held: Map<string, string> = new Map<string, string>();
  private made: number = 0;

  /** @param patienceMs how long to wait for a living owner */
  constructor(fs: FileSystem, directory: string, owner: ClaimOwner, scheduler: Scheduler, patienceMs: number) {
    this.fs = fs;
    this.directory = directory;
    this.owner = owner;
    this.scheduler = scheduler;
    this.patienceMs = patienceMs;
  }

  /** Errors: state_conflict when a living owner keeps it, state_save_failed for an I/O fault. */
  async acquire(claim: string): Promise<Result<boolean, ArkAgentError>> {
    const startMs: number = this.scheduler.monotonicMs();
    let pauseMs: number = 0;
    while (true) {
      const taken: Result<boolean, FileError> = await this.tryTake(claim);
      if (!taken.ok) {
        return Result.failure<boolean, ArkAgentError>(StorageFault.save(taken.error, 'claiming the session'));
      }
      if (taken.value) {
        return Result.success<boolean, ArkAgentError>(true);
      }
      if (await this.breakStale(claim)) {
        continue;
      }
      if (this.scheduler.monotonicMs() - startMs > this.patienceMs) {
        return Result.failure<boolean, ArkAgentError>(StorageFault.held());
      }
      await this.pause(pauseMs);
      pauseMs = Math.min(pauseMs * 2 + 1, SessionClaims.LONGEST_PAUSE_MS);
    }
  }

  /** A claim that cannot be given back is taken over by this owner's next acquire. */
  async release(claim: string): Promise<void> {
    const own: string | undefined = this.held.get(claim);
    this.held.delete(claim);
    if (own !== undefined && (await this.fs.rename(claim, own)).ok) {
      this.free.push(own);
    }
  }

  /** Removes the private directories that are not in use. */
  async close(): Promise<void> {
    while (this.free.length > 0) {
      await this.discard(this.free.pop() as string);
    }
  }

  /** Removes what dead owners left. Names of broken claims guard against slow breakers, so a few of them stay. */
  async sweep(names: ReadonlyArray<string>): Promise<void> {
    const broken: string[] = names.filter((name: string): boolean => name.includes(SessionClaims.BROKEN));
    for (const name of broken.slice(SessionClaims.KEPT_BROKEN)) {
      await this.discard(`${this.directory}/${name}`);
    }
    for (const name of names) {
      if (name.startsWith(SessionClaims.PRIVATE)) {
        const ownerId: string = name.slice(SessionClaims.PRIVATE.length, name.lastIndexOf('-'));
        if (!this.owner.isAlive(ownerId)) {
          await this.discard(`${this.directory}/${name}`);
        }
      }
    }
  }

  /** @returns false when somebody holds it */
  private async tryTake(claim: string): Promise<Result<boolean, FileError>> {
    const prepared: Result<string, FileError> = await this.prepare();
    if (!prepared.ok) {
      return prepared.recast<boolean>();
    }
    const renamed: Result<boolean, FileError> = await this.fs.rename(prepared.value, claim);
    if (renamed.ok) {
      this.held.set(claim, prepared.value);
      return renamed;
    }
    if (renamed.error.kind === FileErrorKind.notFound) {
      return renamed;
    }
    this.free.push(prepared.value);
    const holder: Result<ReadonlyArray<string>, FileError> = await this.fs.list(claim);
    const isHeld: boolean = renamed.error.kind === FileErrorKind.exists || holder.ok;
    return isHeld ? Result.success<boolean, FileError>(false) : renamed;
  }

  private async prepare(): Promise<Result<string, FileError>> {
    const known: string | undefined = this.free.pop();
    if (known !== undefined) {
      return Result.success<string, FileError>(known);
    }
    const path: string = `${this.directory}/${SessionClaims.PRIVATE}${this.owner.ownerId}-${this.made}`;
    this.made++;
    const made: Result<boolean, FileError> = await this.fs.makeDirectory(path);
    if (!made.ok) {
      return made.recast<string>();
    }
    const named: Result<boolean, FileError> = await this.fs.writeNew(`${path}/${this.owner.ownerId}`, '', false);
    return named.ok ? Result.success<string, FileError>(path) : named.recast<string>();
  }

  /** @returns true when it is worth trying again at once */
  private async breakStale(claim: string): Promise<boolean> {
    const inside: Result<ReadonlyArray<string>, FileError> = await this.fs.list(claim);
    if (!inside.ok) {
      return inside.error.kind === FileErrorKind.notFound;
    }
    if (inside.value.length === 0) {
      return false;
    }
    const holder: string = inside.value[0];
    const lostByMe: boolean = holder === this.owner.ownerId && !this.held.has(claim);
    if (!lostByMe && this.owner.isAlive(holder)) {
      return false;
    }
    return (await this.fs.rename(claim, `${claim}${SessionClaims.BROKEN}${holder}-${lostByMe ? this.made++ : 0}`)).ok;
  }

  private async discard(path: string): Promise<void> {
    const inside: Result<ReadonlyArray<string>, FileError> = await this.fs.list(path);
    for (const name of inside.ok ? inside.value : []) {
      await this.fs.unlink(`${path}/${name}`);
    }
    await this.fs.removeDirectory(path);
  }

  private pause(delayMs: number): Promise<void> {
    return new Promise<void>((resolve: () => void): void => {
      this.scheduler.schedule(delayMs, resolve);
    });
  }
}
