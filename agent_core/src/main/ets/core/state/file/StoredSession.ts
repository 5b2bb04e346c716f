import { ArkAgentError } from '../../base/ArkAgentError';
import { StateDocument } from '../codec/StateDocument';

/** What lies on the disk for a session id. */
export enum StoredKind {
  absent = 'absent',
  /** A file of version 2 that verifies. */
  current = 'current',
  /** A file of version 1, which no commit has touched yet. */
  legacy = 'legacy',
  /** Of a newer version: left alone. */
  unsupported = 'unsupported',
  /** Bytes that do not verify. */
  corrupt = 'corrupt',
  /** Set aside earlier. */
  quarantined = 'quarantined',
  /** The file system refused to show it. */
  unreadable = 'unreadable'
}

/** What a commit has to know about the files of a session; remembered between commits. */
export interface SessionHead {
  revision: number;
  incarnation: string;
  commitId: string;
  /** Begin of the snapshot up to its content: its checksum tells one from another. */
  snapshotHead: string;
  /** UTF-16 code units of the snapshot, near enough to its bytes to decide about compaction. */
  snapshotChars: number;
  /** Revision of the snapshot, which names the log. */
  baseRevision: number;
  /** Bytes of the log up to the last whole record; -1 when there is no log. */
  logBytes: number;
  /** Bytes follow that have to be cut before the next append. */
  torn: boolean;
}

/** One look at the disk. Immutable. */
export class StoredSession {
  readonly kind: StoredKind;
  readonly error: ArkAgentError | undefined;
  /** current and legacy only. */
  readonly document: StateDocument | undefined;
  /** current and legacy only. */
  readonly head: SessionHead | undefined;
  /** The broken part is the log, not the snapshot. */
  readonly inLog: boolean;

  private constructor(kind: StoredKind, error: ArkAgentError | undefined, document: StateDocument | undefined,
    head: SessionHead | undefined, inLog: boolean) {
    this.kind = kind;
    this.error = error;
    this.document = document;
    this.head = head;
    this.inLog = inLog;
  }

  static absent(): StoredSession {
    return new StoredSession(StoredKind.absent, undefined, undefined, undefined, false);
  }

  static found(kind: StoredKind, document: StateDocument, head: SessionHead): StoredSession {
    return new StoredSession(kind, undefined, document, head, false);
  }

  static failed(kind: StoredKind, error: ArkAgentError, inLog: boolean = false): StoredSession {
    return new StoredSession(kind, error, undefined, undefined, inLog);
  }
}
