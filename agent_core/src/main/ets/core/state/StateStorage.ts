import { ArkAgentError } from '../base/ArkAgentError';
import { Result } from '../base/Result';
import { AgentState } from './AgentState';
import { StateCommit } from './StateCommit';

/** How far a storage keeps two writers of one session apart (DEC-08). */
export enum StorageFencing {
  none = 'none',
  process = 'process',
  machine = 'machine'
}

/** One line of a list of sessions. */
export interface SessionSummary {
  sessionId: string;
  updatedAtMs: number;
  /** False when the file cannot be read or takes no more work. */
  resumable: boolean;
}

/** Marks a session whose ending could not be stored (DEC-02). */
export interface NotResumableMark {
  sessionId: string;
  runId: string;
  expectedRevision: number;
  expectedIncarnation: string;
}

/**
 * Where sessions live.
 *
 * Contract:
 * - `commit` is atomic, and durable when it resolves; a success holds the stored revision. Compare-and-set on revision and
 *   incarnation together: a difference is `state_conflict` and nothing is written.
 * - `load` gives undefined for a session that does not exist; a broken one is `state_corrupt` (kept, named in details.file),
 *   a newer one `state_version_unsupported` (untouched), an I/O fault `state_load_failed`. "Corrupt" is never "absent".
 * - `markNotResumable` must work on a full disk.
 * - Failure: Results with `state_*` or `session_*` codes. The runtime isolates throws and rejections all the same.
 * - Calls for one session may overlap; the adapter orders them.
 */
export interface StateStorage {
  /** What was committed survives the process. */
  readonly durable: boolean;
  readonly fencing: StorageFencing;
  load(sessionId: string): Promise<Result<AgentState | undefined, ArkAgentError>>;
  commit(commit: StateCommit): Promise<Result<number, ArkAgentError>>;
  markNotResumable(mark: NotResumableMark): Promise<Result<boolean, ArkAgentError>>;
  /** @returns false when there was none. */
  remove(sessionId: string): Promise<Result<boolean, ArkAgentError>>;
  list(): Promise<Result<ReadonlyArray<SessionSummary>, ArkAgentError>>;
  /** Releases claims and handles; the storage may be used again afterwards. */
  close(): Promise<void>;
}
