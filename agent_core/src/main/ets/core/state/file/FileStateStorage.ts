import { ArkAgentError } from '../../base/ArkAgentError';
import { Result } from '../../base/Result';
import { Digest } from '../../port/Digest';
import { ClaimOwner, FileError, FileErrorKind, FileSystem } from '../../port/FileSystem';
import { Scheduler } from '../../port/Scheduler';
import { AgentState, AgentStateParts } from '../AgentState';
import { StateCodec } from '../codec/StateCodec';
import { StateDocument } from '../codec/StateDocument';
import { StateFault } from '../codec/StateFault';
import { StateInvariants } from '../Invariants';
import { SessionId } from '../SessionId';
import { StateCommit } from '../StateCommit';
import { NotResumableMark, SessionSummary, StateStorage, StorageFencing } from '../StateStorage';
import { DirectorySweep } from './DirectorySweep';
import { Quarantine } from './Quarantine';
import { SessionClaims } from './SessionClaims';
import { SessionFileNames } from './SessionFileNames';
import { SessionListing } from './SessionListing';
import { SessionQueue } from './SessionQueue';
import { SessionReader } from './SessionReader';
import { SessionWriter, SessionWriterOptions } from './SessionWriter';
import { StorageFault } from './StorageFault';
import { SessionHead, StoredKind, StoredSession } from './StoredSession';

/** What a file storage needs beside the files. */
export interface FileStateStorageOptions {
  owner: ClaimOwner;
  scheduler: Scheduler;
  /** How far `owner` can tell living owners from dead ones; default machine. */
  fencing?: StorageFencing;
  /** fsync before a commit resolves; default true. Without it a commit survives the process but not a loss of power. */
  sync?: boolean;
  /** Bytes; a log below is not folded into a new snapshot; default 256 KiB. */
  minLogBytes?: number;
  /** Milliseconds that a commit waits for another living owner in the middle of its commit; default 10,000. */
  claimPatienceMs?: number;
}

/** A state as it was found, or why there is none. */
interface Inspection {
  stored: StoredSession;
  state?: AgentState;
  error?: ArkAgentError;
}

/**
 * Sessions as files in one directory: per session a snapshot in an envelope with checksum, and a log of what was committed
 * since, so that the bytes of a commit do not depend on the length of the conversation (DEC-08).
 *
 * Several storages, of several processes too, may share a directory: a commit compares revision and incarnation with what is
 * on the disk inside an exclusive claim that is held for that commit only. A file that does not verify is renamed to
 * `<session>.corrupt.json` and never replaced; the session then takes nothing until it is removed.
 */
export class FileStateStorage implements StateStorage {
  static readonly DEFAULT_MIN_LOG_BYTES: number = 256 * 1024;
  static readonly DEFAULT_PATIENCE_MS: number = 10000;
  readonly durable: boolean = true;
  readonly fencing: StorageFencing;
  private readonly fs: FileSystem;
  private readonly digest: Digest;
  private readonly directory: string;
  private readonly codec: StateCodec = new StateCodec();
  private readonly reader: SessionReader;
  private readonly writer: SessionWriter;
  private readonly claims: SessionClaims;
  private readonly sweep: DirectorySweep;
  private readonly quarantine: Quarantine;
  private readonly queue: SessionQueue = new SessionQueue();
  /** What this storage saw or wrote last, by session id; always compared with the disk before it is trusted. */
  private readonly heads: Map<string, SessionHead> = new Map<string, SessionHead>();

  constructor(fs: FileSystem, digest: Digest, directory: string, options: FileStateStorageOptions) {
    this.fs = fs;
    this.digest = digest;
    this.directory = directory;
    this.fencing = options.fencing ?? StorageFencing.machine;
    this.reader = new SessionReader(fs, digest, this.codec);
    const writing: SessionWriterOptions = {
      ownerId: options.owner.ownerId, durable: options.sync ?? true,
      minLogBytes: options.minLogBytes ?? FileStateStorage.DEFAULT_MIN_LOG_BYTES
    };
    this.writer = new SessionWriter(fs, digest, this.codec, writing);
    this.claims = new SessionClaims(fs, directory, options.owner, options.scheduler,
      options.claimPatienceMs ?? FileStateStorage.DEFAULT_PATIENCE_MS);
    this.sweep = new DirectorySweep(fs, directory, options.owner, this.claims);
    this.quarantine = new Quarantine(fs);
  }

  async load(sessionId: string): Promise<Result<AgentState | undefined, ArkAgentError>> {
    const invalid: ArkAgentError | undefined = SessionId.fault(sessionId);
    if (invalid !== undefined) {
      return Result.failure<AgentState | undefined, ArkAgentError>(invalid);
    }
    await this.sweep.once();
    const names: SessionFileNames = this.namesOf(sessionId);
    return this.queue.run<Result<AgentState | undefined, ArkAgentError>>(names.stem,
      (): Promise<Result<AgentState | undefined, ArkAgentError>> => this.loadQueued(names, sessionId));
  }

  async commit(commit: StateCommit): Promise<Result<number, ArkAgentError>> {
    const invalid: ArkAgentError | undefined = SessionId.fault(commit.sessionId);
    if (invalid !== undefined) {
      return Result.failure<number, ArkAgentError>(invalid);
    }
    const ready: ArkAgentError | undefined = await this.sweep.prepare();
    if (ready !== undefined) {
      return Result.failure<number, ArkAgentError>(ready);
    }
    const names: SessionFileNames = this.namesOf(commit.sessionId);
    return this.claimed<number>(names, (): Promise<Result<number, ArkAgentError>> => this.commitClaimed(names, commit));
  }

  /** Needs no claim: the mark names the one state that it is about, and says nothing about a later one. */
  async markNotResumable(mark: NotResumableMark): Promise<Result<boolean, ArkAgentError>> {
    const names: SessionFileNames = this.namesOf(mark.sessionId);
    const head: Result<SessionHead | undefined, ArkAgentError> = await this.currentHead(names, mark.sessionId);
    if (!head.ok) {
      return head.recast<boolean>();
    }
    const stored: SessionHead | undefined = head.value;
    if (stored === undefined || stored.revision !== mark.expectedRevision ||
      stored.incarnation !== mark.expectedIncarnation) {
      return Result.failure<boolean, ArkAgentError>(
        StorageFault.conflict(mark.expectedRevision, stored === undefined ? 0 : stored.revision));
    }
    const target: string = names.stopped(stored.revision, stored.incarnation, this.digest);
    const renamed: Result<boolean, FileError> = await this.fs.rename(names.spare, target);
    if (!renamed.ok) {
      const written: Result<boolean, FileError> = await this.fs.writeNew(target, '', true);
      if (!written.ok && written.error.kind !== FileErrorKind.exists) {
        return Result.failure<boolean, ArkAgentError>(StorageFault.save(written.error, 'marking the session'));
      }
    }
    await this.fs.syncDirectory(this.directory);
    return Result.success<boolean, ArkAgentError>(true);
  }

  /** Removes everything of the session, what was set aside included. */
  async remove(sessionId: string): Promise<Result<boolean, ArkAgentError>> {
    const invalid: ArkAgentError | undefined = SessionId.fault(sessionId);
    const fault: ArkAgentError | undefined = invalid ?? await this.sweep.prepare();
    if (fault !== undefined) {
      return Result.failure<boolean, ArkAgentError>(fault);
    }
    const names: SessionFileNames = this.namesOf(sessionId);
    return this.claimed<boolean>(names, async (): Promise<Result<boolean, ArkAgentError>> => {
      this.heads.delete(sessionId);
      return this.quarantine.remove(names);
    });
  }

  async list(): Promise<Result<ReadonlyArray<SessionSummary>, ArkAgentError>> {
    await this.sweep.once();
    return new SessionListing(this.fs, this.digest, this.directory, this.codec).read();
  }

  async close(): Promise<void> {
    await this.queue.idle();
    await this.claims.close();
    this.heads.clear();
  }

  private async loadQueued(names: SessionFileNames,
    sessionId: string): Promise<Result<AgentState | undefined, ArkAgentError>> {
    let found: Inspection = await this.inspect(names, sessionId);
    if (found.stored.kind === StoredKind.corrupt) {
      found = await this.settle(names, sessionId, found);
    }
    if (found.error !== undefined) {
      this.heads.delete(sessionId);
      return Result.failure<AgentState | undefined, ArkAgentError>(found.error);
    }
    if (found.stored.head === undefined) {
      this.heads.delete(sessionId);
    } else {
      this.heads.set(sessionId, found.stored.head);
    }
    return Result.success<AgentState | undefined, ArkAgentError>(found.state);
  }

  /** What looks broken may be in the middle of a write by another process: look again while nobody writes, then set it aside. */
  private async settle(names: SessionFileNames, sessionId: string, seen: Inspection): Promise<Inspection> {
    if (!(await this.claims.acquire(names.claim)).ok) {
      return seen;
    }
    try {
      const again: Inspection = await this.inspect(names, sessionId);
      if (again.stored.kind === StoredKind.corrupt && again.error !== undefined) {
        const file: string = await this.quarantine.setAside(names, again.stored.inLog);
        again.error = again.error.withDetail('file', file);
      }
      return again;
    } finally {
      await this.claims.release(names.claim);
    }
  }

  private async inspect(names: SessionFileNames, sessionId: string): Promise<Inspection> {
    const stored: StoredSession = await this.reader.read(names, sessionId);
    if (stored.document === undefined) {
      return { stored: stored, error: stored.error };
    }
    const decoded: Result<AgentState, ArkAgentError> = this.decode(stored.document);
    if (!decoded.ok) {
      return { stored: StoredSession.failed(StoredKind.corrupt, decoded.error), error: decoded.error };
    }
    return { stored: stored, state: await this.withMark(names, decoded.value) };
  }

  private decode(document: StateDocument): Result<AgentState, ArkAgentError> {
    const decoded: Result<AgentState, ArkAgentError> = this.codec.decodeDocument(document);
    if (decoded.ok) {
      const checked: Result<number, ArkAgentError> = StateInvariants.check(decoded.value);
      if (!checked.ok) {
        return Result.failure<AgentState, ArkAgentError>(StateFault.asCorrupt(checked.error));
      }
    }
    return decoded;
  }

  private async withMark(names: SessionFileNames, state: AgentState): Promise<AgentState> {
    const path: string = names.stopped(state.revision, state.incarnation, this.digest);
    if (!state.resumable || !(await this.fs.size(path)).ok) {
      return state;
    }
    const parts: AgentStateParts = state.toParts();
    parts.resumable = false;
    return new AgentState(parts);
  }

  private async commitClaimed(names: SessionFileNames, commit: StateCommit): Promise<Result<number, ArkAgentError>> {
    const head: Result<SessionHead | undefined, ArkAgentError> = await this.currentHead(names, commit.sessionId);
    if (!head.ok) {
      return head.recast<number>();
    }
    const stored: SessionHead | undefined = head.value;
    if (!FileStateStorage.follows(commit, stored)) {
      return Result.failure<number, ArkAgentError>(
        StorageFault.conflict(commit.expectedRevision, stored === undefined ? 0 : stored.revision));
    }
    this.heads.delete(commit.sessionId);
    const written: Result<SessionHead, ArkAgentError> =
      await this.writer.write(names, commit, stored === undefined || stored.revision === 0 ? undefined : stored);
    if (!written.ok) {
      return written.recast<number>();
    }
    this.heads.set(commit.sessionId, written.value);
    return Result.success<number, ArkAgentError>(written.value.revision);
  }

  /** A version 1 file has neither revision nor incarnation: the commit must come from exactly that file. */
  private static follows(commit: StateCommit, stored: SessionHead | undefined): boolean {
    if (stored === undefined || stored.revision === 0) {
      const fromLegacy: string = commit.expectedCommitId.startsWith(SessionReader.LEGACY_COMMIT) ? commit.expectedCommitId : '';
      return commit.expectedRevision === 0 && commit.expectedIncarnation === '' &&
        fromLegacy === (stored === undefined ? '' : stored.commitId);
    }
    return commit.expectedRevision === stored.revision && commit.expectedIncarnation === stored.incarnation;
  }

  /** @returns undefined for a session that does not exist */
  private async currentHead(names: SessionFileNames,
    sessionId: string): Promise<Result<SessionHead | undefined, ArkAgentError>> {
    const known: SessionHead | undefined = this.heads.get(sessionId);
    if (known !== undefined && known.revision > 0 && await this.reader.isCurrent(names, known)) {
      return Result.success<SessionHead | undefined, ArkAgentError>(known);
    }
    const stored: StoredSession = await this.reader.read(names, sessionId);
    return stored.error !== undefined ? Result.failure<SessionHead | undefined, ArkAgentError>(stored.error) :
      Result.success<SessionHead | undefined, ArkAgentError>(stored.head);
  }

  private async claimed<T>(names: SessionFileNames,
    task: () => Promise<Result<T, ArkAgentError>>): Promise<Result<T, ArkAgentError>> {
    return this.queue.run<Result<T, ArkAgentError>>(names.stem, async (): Promise<Result<T, ArkAgentError>> => {
      const claim: Result<boolean, ArkAgentError> = await this.claims.acquire(names.claim);
      if (!claim.ok) {
        return claim.recast<T>();
      }
      try {
        return await task();
      } finally {
        await this.claims.release(names.claim);
      }
    });
  }

  private namesOf(sessionId: string): SessionFileNames {
    return SessionFileNames.of(this.directory, sessionId, this.digest);
  }
}
