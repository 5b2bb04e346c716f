import { ArkAgentError } from '../../base/ArkAgentError';
import { Result } from '../../base/Result';
import { Digest } from '../../port/Digest';
import { FileError, FileErrorKind, FileSystem } from '../../port/FileSystem';
import { AgentState } from '../AgentState';
import { DeltaCodec } from '../codec/DeltaCodec';
import { StateCodec } from '../codec/StateCodec';
import { StateCommit } from '../StateCommit';
import { DeltaLog } from './DeltaLog';
import { Envelope } from './Envelope';
import { SessionFileNames } from './SessionFileNames';
import { StorageFault } from './StorageFault';
import { SessionHead } from './StoredSession';
import { Utf8Length } from './Utf8Length';

/** How the files are written. */
export interface SessionWriterOptions {
  ownerId: string;
  /** fsync before a commit resolves. */
  durable: boolean;
  /** A log smaller than this is not folded into a new snapshot. */
  minLogBytes: number;
}

/**
 * Writes one commit: a record at the end of the log, or a new snapshot when there is none, when the log has outgrown it or
 * when the history was replaced. The caller holds the claim and has compared the revision.
 *
 * A log may grow to the size of its snapshot, so over time a commit costs at most about four times the bytes of its own
 * change: one in the log, and at the fold its share of the new snapshot and of the copy kept as previous generation.
 */
export class SessionWriter {
  private readonly fs: FileSystem;
  private readonly codec: StateCodec;
  private readonly options: SessionWriterOptions;
  private readonly deltas: DeltaCodec = new DeltaCodec();
  private readonly envelope: Envelope;
  private readonly log: DeltaLog;

  constructor(fs: FileSystem, digest: Digest, codec: StateCodec, options: SessionWriterOptions) {
    this.fs = fs;
    this.codec = codec;
    this.options = options;
    this.envelope = Envelope.forState(digest);
    this.log = new DeltaLog(digest, codec);
  }

  /**
   * @param head what is stored; undefined for a new session or a version 1 file
   * @returns what is stored then; errors: state_save_failed
   */
  async write(names: SessionFileNames, commit: StateCommit,
    head: SessionHead | undefined): Promise<Result<SessionHead, ArkAgentError>> {
    if (head === undefined || commit.delta.historyReplaced) {
      return this.writeSnapshot(names, commit.next, head);
    }
    const delta: Result<string, ArkAgentError> = this.deltas.encode(commit);
    if (!delta.ok) {
      return Result.failure<SessionHead, ArkAgentError>(StorageFault.unencodable(delta.error));
    }
    const record: string = this.log.record(delta.value);
    const bytes: number = Utf8Length.of(record);
    const bound: number = Math.max(this.options.minLogBytes, head.snapshotChars);
    return head.logBytes + bytes > bound ? this.writeSnapshot(names, commit.next, head) :
      this.appendRecord(names, commit.next, head, record, bytes);
  }

  private async appendRecord(names: SessionFileNames, next: AgentState, head: SessionHead, record: string,
    bytes: number): Promise<Result<SessionHead, ArkAgentError>> {
    const path: string = names.log(head.baseRevision);
    const before: number = Math.max(head.logBytes, 0);
    if (head.torn) {
      const cut: Result<boolean, FileError> = await this.fs.truncate(path, before);
      if (!cut.ok) {
        return SessionWriter.failed(cut.error, 'cutting the log of the session');
      }
    }
    const appended: Result<boolean, FileError> = await this.fs.append(path, record, this.options.durable);
    if (!appended.ok) {
      // A part may stand there, or all of it without having reached the medium: take it back if that is possible. If not, the next
      // reader drops a part, and finds a whole record by its commit id.
      await this.fs.truncate(path, before);
      return SessionWriter.failed(appended.error, 'appending to the log of the session');
    }
    if (head.logBytes < 0 && this.options.durable) {
      await this.fs.syncDirectory(names.directory);
    }
    return Result.success<SessionHead, ArkAgentError>(
      SessionWriter.headAfter(next, head.snapshotHead, head.snapshotChars, head.baseRevision, before + bytes));
  }

  private async writeSnapshot(names: SessionFileNames, next: AgentState,
    head: SessionHead | undefined): Promise<Result<SessionHead, ArkAgentError>> {
    const state: Result<string, ArkAgentError> = this.codec.encode(next);
    if (!state.ok) {
      return Result.failure<SessionHead, ArkAgentError>(StorageFault.unencodable(state.error));
    }
    const text: string = this.envelope.wrap(state.value);
    const stray: Result<boolean, FileError> = await this.fs.unlink(names.log(next.revision));
    if (!stray.ok && stray.error.kind !== FileErrorKind.notFound) {
      return SessionWriter.failed(stray.error, 'removing the log of an earlier session');
    }
    await this.fs.writeNew(names.spare, '', false);
    await this.keepPrevious(names);
    const written: Result<boolean, FileError> = await this.replace(names.snapshot, names, text);
    if (!written.ok) {
      return SessionWriter.failed(written.error, 'writing the session');
    }
    await this.dropOldLogs(names, next.revision, head?.baseRevision);
    return Result.success<SessionHead, ArkAgentError>(
      SessionWriter.headAfter(next, Envelope.headOf(text), text.length, next.revision, -1));
  }

  /** Temporary file in the same directory, flushed, renamed over the target, directory flushed. */
  private async replace(target: string, names: SessionFileNames, text: string): Promise<Result<boolean, FileError>> {
    const temporary: string = names.temporary(this.options.ownerId);
    await this.fs.unlink(temporary);
    const written: Result<boolean, FileError> = await this.fs.writeNew(temporary, text, this.options.durable);
    const renamed: Result<boolean, FileError> = written.ok ? await this.fs.rename(temporary, target) : written;
    if (!renamed.ok) {
      await this.fs.unlink(temporary);
      return renamed;
    }
    if (this.options.durable) {
      await this.fs.syncDirectory(names.directory);
    }
    return renamed;
  }

  /** For people who have to save what can be saved. Nothing reads it, so a failure is none of the commit's. */
  private async keepPrevious(names: SessionFileNames): Promise<void> {
    const current: Result<string, FileError> = await this.fs.readText(names.snapshot);
    if (current.ok) {
      await this.replace(names.previous, names, current.value);
    }
  }

  /** Keeps the log of the new snapshot and that of the previous one. */
  private async dropOldLogs(names: SessionFileNames, base: number, previousBase: number | undefined): Promise<void> {
    const found: Result<ReadonlyArray<string>, FileError> = previousBase === undefined ?
      Result.success<ReadonlyArray<string>, FileError>([]) : await this.fs.list(names.directory);
    for (const name of found.ok ? found.value : []) {
      const revision: number | undefined = names.logRevision(name);
      if (revision !== undefined && revision !== base && revision !== previousBase) {
        await this.fs.unlink(names.log(revision));
      }
    }
  }

  private static headAfter(next: AgentState, snapshotHead: string, snapshotChars: number, baseRevision: number,
    logBytes: number): SessionHead {
    const head: SessionHead = {
      revision: next.revision, incarnation: next.incarnation, commitId: next.commitId, snapshotHead: snapshotHead,
      snapshotChars: snapshotChars, baseRevision: baseRevision, logBytes: logBytes, torn: false
    };
    return head;
  }

  private static failed(error: FileError, doing: string): Result<SessionHead, ArkAgentError> {
    return Result.failure<SessionHead, ArkAgentError>(StorageFault.save(error, doing));
  }
}
