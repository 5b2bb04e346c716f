import { ArkAgentError } from '../../base/ArkAgentError';
import { Result } from '../../base/Result';
import { JsonObject } from '../../json/JsonObject';
import { Digest } from '../../port/Digest';
import { FileError, FileErrorKind, FileSystem } from '../../port/FileSystem';
import { StateCodec } from '../codec/StateCodec';
import { SessionSummary } from '../StateStorage';
import { SessionFileNames } from './SessionFileNames';
import { SessionReader } from './SessionReader';
import { StorageFault } from './StorageFault';
import { StoredSession } from './StoredSession';

const SNAPSHOT: string = '.json';
const QUARANTINE: string = '.corrupt.json';
/** Bytes that hold what a list shows of most snapshots. */
const HEAD_BYTES: number = 1024;
const AFTER_HEAD: string = ',"metadata":';
const STATE: string = '"state":';

/**
 * The list of sessions, without decoding their histories: the begin of a snapshot names the session, the last record of the
 * log its newest state.
 */
export class SessionListing {
  private readonly fs: FileSystem;
  private readonly digest: Digest;
  private readonly directory: string;
  private readonly codec: StateCodec;

  constructor(fs: FileSystem, digest: Digest, directory: string, codec: StateCodec) {
    this.fs = fs;
    this.digest = digest;
    this.directory = directory;
    this.codec = codec;
  }

  /** In any order; a session that cannot be read is listed as not resumable. Errors: state_load_failed. */
  async read(): Promise<Result<ReadonlyArray<SessionSummary>, ArkAgentError>> {
    const names: Result<ReadonlyArray<string>, FileError> = await this.fs.list(this.directory);
    if (!names.ok) {
      return names.error.kind === FileErrorKind.notFound ?
        Result.success<ReadonlyArray<SessionSummary>, ArkAgentError>([]) :
        Result.failure<ReadonlyArray<SessionSummary>, ArkAgentError>(StorageFault.load(names.error, 'listing the sessions'));
    }
    const lines: SessionSummary[] = [];
    for (const name of names.value) {
      const line: SessionSummary | undefined = await this.line(name);
      if (line !== undefined) {
        lines.push(line);
      }
    }
    return Result.success<ReadonlyArray<SessionSummary>, ArkAgentError>(lines);
  }

  private async line(name: string): Promise<SessionSummary | undefined> {
    if (name.endsWith(QUARANTINE)) {
      return SessionListing.unreadable(name.slice(0, -QUARANTINE.length));
    }
    const stem: string = name.slice(0, -SNAPSHOT.length);
    if (!name.endsWith(SNAPSHOT) || stem.includes('.')) {
      return undefined;
    }
    const files: SessionFileNames = new SessionFileNames(this.directory, stem);
    const quick: JsonObject | undefined = await this.newestMembers(files);
    const members: JsonObject | undefined = quick ?? await this.wholeMembers(files, stem);
    return members === undefined ? SessionListing.unreadable(stem) : this.summary(members, files);
  }

  /** A stem that was cut does not tell its session id, so such a session cannot be named. */
  private static unreadable(stem: string): SessionSummary | undefined {
    const sessionId: string | undefined = SessionFileNames.decode(stem);
    return sessionId === undefined ? undefined : { sessionId: sessionId, updatedAtMs: 0, resumable: false };
  }

  private async summary(members: JsonObject, files: SessionFileNames): Promise<SessionSummary> {
    const mark: string = files.stopped(members.getNumber('revision') ?? 0, members.getString('incarnation') ?? '', this.digest);
    const marked: boolean = (await this.fs.size(mark)).ok;
    const line: SessionSummary = {
      sessionId: members.getString('sessionId') ?? '', updatedAtMs: members.getNumber('updatedAtMs') ?? 0,
      resumable: (members.getBoolean('resumable') ?? false) && !marked
    };
    return line;
  }

  private async newestMembers(files: SessionFileNames): Promise<JsonObject | undefined> {
    const head: Result<string, FileError> = await this.fs.readHead(files.snapshot, HEAD_BYTES);
    const from: number = head.ok ? head.value.indexOf(STATE) : -1;
    const to: number = head.ok ? head.value.indexOf(AFTER_HEAD) : -1;
    if (from < 0 || to < from) {
      return undefined;
    }
    const parsed: Result<JsonObject, ArkAgentError> = this.codec.object(head.value.slice(from + STATE.length, to) + '}');
    if (!parsed.ok || parsed.value.getNumber('schemaVersion') !== 2) {
      return undefined;
    }
    const members: JsonObject = parsed.value;
    const log: Result<string, FileError> = await this.fs.readText(files.log(members.getNumber('revision') ?? 0));
    return log.ok ? this.withLastRecord(members, log.value) : members;
  }

  private withLastRecord(members: JsonObject, log: string): JsonObject | undefined {
    const end: number = log.lastIndexOf('\n');
    if (end < 0) {
      return members;
    }
    const record: Result<JsonObject, ArkAgentError> = this.codec.object(log.slice(log.lastIndexOf('\n', end - 1) + 1, end));
    const delta: JsonObject | undefined = record.ok ? record.value.getObject('delta') : undefined;
    return delta === undefined ? undefined :
      members.clone()
        .setNumber('revision', delta.getNumber('revision') ?? 0)
        .setNumber('updatedAtMs', delta.getNumber('updatedAtMs') ?? 0)
        .setBoolean('resumable', delta.getBoolean('resumable') ?? false);
  }

  private async wholeMembers(files: SessionFileNames, stem: string): Promise<JsonObject | undefined> {
    const sessionId: string | undefined = SessionFileNames.decode(stem);
    if (sessionId === undefined) {
      return undefined;
    }
    const stored: StoredSession = await new SessionReader(this.fs, this.digest, this.codec).read(files, sessionId);
    return stored.document?.members;
  }
}
