import { ArkAgentError } from '../../base/ArkAgentError';
import { ErrorCode } from '../../base/ErrorCodes';
import { Result } from '../../base/Result';
import { JsonObject } from '../../json/JsonObject';
import { Digest } from '../../port/Digest';
import { FileError, FileErrorKind, FileSystem } from '../../port/FileSystem';
import { AgentState } from '../AgentState';
import { StateCodec } from '../codec/StateCodec';
import { StateDocument } from '../codec/StateDocument';
import { StateFault } from '../codec/StateFault';
import { DeltaLog, LogContent } from './DeltaLog';
import { Envelope, OpenedEnvelope } from './Envelope';
import { SessionFileNames } from './SessionFileNames';
import { StorageFault } from './StorageFault';
import { SessionHead, StoredKind, StoredSession } from './StoredSession';

/** Reads and verifies the files of a session. Changes nothing. */
export class SessionReader {
  /** Commit id that the state of a version 1 file gets; its digest says which file it was. */
  static readonly LEGACY_COMMIT: string = 'v1:';
  private readonly fs: FileSystem;
  private readonly digest: Digest;
  private readonly codec: StateCodec;
  private readonly envelope: Envelope;
  private readonly log: DeltaLog;

  constructor(fs: FileSystem, digest: Digest, codec: StateCodec) {
    this.fs = fs;
    this.digest = digest;
    this.codec = codec;
    this.envelope = Envelope.forState(digest);
    this.log = new DeltaLog(digest, codec);
  }

  async read(names: SessionFileNames, sessionId: string): Promise<StoredSession> {
    const text: Result<string, FileError> = await this.fs.readText(names.snapshot);
    if (!text.ok) {
      return text.error.kind === FileErrorKind.notFound ? this.withoutSnapshot(names) :
        StoredSession.failed(StoredKind.unreadable, StorageFault.load(text.error, 'reading the session'));
    }
    const opened: OpenedEnvelope | undefined = this.envelope.open(text.value);
    const found: StoredSession = opened === undefined ? this.readBare(text.value) : this.readWrapped(text.value, opened);
    if (found.document === undefined) {
      return found;
    }
    if (found.document.members.getString('sessionId') !== sessionId) {
      return SessionReader.broken(StateFault.corrupt('/sessionId', 'the id of this session', 'another'));
    }
    return found.kind === StoredKind.current ? this.readLog(names, found) : found;
  }

  /** Whether the files are still those that a head was read from. */
  async isCurrent(names: SessionFileNames, head: SessionHead): Promise<boolean> {
    const start: Result<string, FileError> = await this.fs.readHead(names.snapshot, Envelope.HEAD_BYTES);
    if (!start.ok || !start.value.startsWith(head.snapshotHead)) {
      return false;
    }
    const size: Result<number, FileError> = await this.fs.size(names.log(head.baseRevision));
    return size.ok ? size.value === head.logBytes : head.logBytes < 0 && size.error.kind === FileErrorKind.notFound;
  }

  private async withoutSnapshot(names: SessionFileNames): Promise<StoredSession> {
    const aside: Result<number, FileError> = await this.fs.size(names.quarantine);
    if (aside.ok) {
      return StoredSession.failed(StoredKind.quarantined, StorageFault.quarantined(names.quarantine));
    }
    return aside.error.kind === FileErrorKind.notFound ? StoredSession.absent() :
      StoredSession.failed(StoredKind.unreadable, StorageFault.load(aside.error, 'looking for the session'));
  }

  private readWrapped(text: string, opened: OpenedEnvelope): StoredSession {
    if (opened.schemaVersion > AgentState.SCHEMA_VERSION) {
      return SessionReader.newer(opened.schemaVersion);
    }
    if (!opened.intact || opened.schemaVersion !== AgentState.SCHEMA_VERSION) {
      return SessionReader.broken(StateFault.corrupt('', 'a state with its checksum', 'other bytes'));
    }
    const document: Result<StateDocument, ArkAgentError> = this.codec.document(opened.content);
    return document.ok ?
      StoredSession.found(StoredKind.current, document.value, SessionReader.headOf(document.value, text)) :
      SessionReader.refused(document.error);
  }

  /** Version 1 had no envelope; anything else without one is damage, or too new to judge. */
  private readBare(text: string): StoredSession {
    const object: Result<JsonObject, ArkAgentError> = this.codec.object(text);
    if (!object.ok) {
      return SessionReader.broken(object.error);
    }
    const version: number | undefined = object.value.getNumber('schemaVersion');
    if (version !== undefined && version > AgentState.SCHEMA_VERSION) {
      return SessionReader.newer(version);
    }
    if (object.value.has('format') || version !== 1) {
      return SessionReader.broken(StateFault.corrupt('', 'a whole envelope', 'something else'));
    }
    const document: Result<StateDocument, ArkAgentError> = this.codec.document(text);
    if (!document.ok) {
      return SessionReader.refused(document.error);
    }
    document.value.members.setString('commitId', SessionReader.LEGACY_COMMIT + this.digest.sha256Hex(text));
    return StoredSession.found(StoredKind.legacy, document.value, SessionReader.headOf(document.value, text));
  }

  private async readLog(names: SessionFileNames, found: StoredSession): Promise<StoredSession> {
    const document: StateDocument = found.document as StateDocument;
    const head: SessionHead = found.head as SessionHead;
    const text: Result<string, FileError> = await this.fs.readText(names.log(head.baseRevision));
    if (!text.ok) {
      return text.error.kind === FileErrorKind.notFound ? found :
        StoredSession.failed(StoredKind.unreadable, StorageFault.load(text.error, 'reading the log of the session'));
    }
    const content: Result<LogContent, ArkAgentError> = this.log.read(text.value);
    if (!content.ok) {
      return content.error.code === ErrorCode.stateVersionUnsupported ?
        StoredSession.failed(StoredKind.unsupported, content.error) :
        StoredSession.failed(StoredKind.corrupt, content.error, true);
    }
    try {
      content.value.deltas.forEach((delta: JsonObject, index: number): void => document.apply(delta, `/log/${index}/delta`));
    } catch (e) {
      return StoredSession.failed(StoredKind.corrupt,
        ArkAgentError.wrap(ErrorCode.stateCorrupt, e as Error, 'the log of the session'), true);
    }
    const after: SessionHead = SessionReader.withLog(head, document, content.value);
    return StoredSession.found(StoredKind.current, document, after);
  }

  private static headOf(document: StateDocument, text: string): SessionHead {
    const head: SessionHead = {
      revision: document.revision, incarnation: document.incarnation, commitId: document.commitId,
      snapshotHead: Envelope.headOf(text), snapshotChars: text.length, baseRevision: document.revision,
      logBytes: -1, torn: false
    };
    return head;
  }

  private static withLog(head: SessionHead, document: StateDocument, content: LogContent): SessionHead {
    const after: SessionHead = {
      revision: document.revision, incarnation: document.incarnation, commitId: document.commitId,
      snapshotHead: head.snapshotHead, snapshotChars: head.snapshotChars, baseRevision: head.baseRevision,
      logBytes: content.bytes, torn: content.torn
    };
    return after;
  }

  private static newer(version: number): StoredSession {
    return StoredSession.failed(StoredKind.unsupported, StateFault.versionUnsupported(version, AgentState.SCHEMA_VERSION));
  }

  private static broken(error: ArkAgentError): StoredSession {
    return StoredSession.failed(StoredKind.corrupt, error);
  }

  private static refused(error: ArkAgentError): StoredSession {
    return StoredSession.failed(
      error.code === ErrorCode.stateVersionUnsupported ? StoredKind.unsupported : StoredKind.corrupt, error);
  }
}
