import { ArkAgentError } from '../base/ArkAgentError';
import { ErrorCode } from '../base/ErrorCodes';
import { Result } from '../base/Result';
import { AgentState, AgentStateParts } from './AgentState';
import { SessionId } from './SessionId';
import { StateCommit } from './StateCommit';
import { NotResumableMark, SessionSummary, StateStorage, StorageFencing } from './StateStorage';

/** Sessions that live as long as the process. States are immutable, so a commit keeps a reference: O(1). */
export class InMemoryStateStorage implements StateStorage {
  readonly durable: boolean = false;
  readonly fencing: StorageFencing = StorageFencing.process;
  private readonly sessions: Map<string, AgentState> = new Map<string, AgentState>();

  async load(sessionId: string): Promise<Result<AgentState | undefined, ArkAgentError>> {
    const invalid: ArkAgentError | undefined = SessionId.fault(sessionId);
    if (invalid !== undefined) {
      return Result.failure<AgentState | undefined, ArkAgentError>(invalid);
    }
    return Result.success<AgentState | undefined, ArkAgentError>(this.sessions.get(sessionId));
  }

  async commit(commit: StateCommit): Promise<Result<number, ArkAgentError>> {
    const invalid: ArkAgentError | undefined = SessionId.fault(commit.sessionId);
    if (invalid !== undefined) {
      return Result.failure<number, ArkAgentError>(invalid);
    }
    const stored: AgentState | undefined = this.sessions.get(commit.sessionId);
    const revision: number = stored === undefined ? 0 : stored.revision;
    const incarnation: string = stored === undefined ? '' : stored.incarnation;
    if (revision !== commit.expectedRevision || incarnation !== commit.expectedIncarnation) {
      return Result.failure<number, ArkAgentError>(
        ArkAgentError.of(ErrorCode.stateConflict, `revision ${revision} is stored, ${commit.expectedRevision} was expected`));
    }
    this.sessions.set(commit.sessionId, commit.next);
    return Result.success<number, ArkAgentError>(commit.next.revision);
  }

  async markNotResumable(mark: NotResumableMark): Promise<Result<boolean, ArkAgentError>> {
    const stored: AgentState | undefined = this.sessions.get(mark.sessionId);
    if (stored === undefined || stored.revision !== mark.expectedRevision ||
      stored.incarnation !== mark.expectedIncarnation) {
      return Result.failure<boolean, ArkAgentError>(
        ArkAgentError.of(ErrorCode.stateConflict, 'the session was written by another owner'));
    }
    const parts: AgentStateParts = stored.toParts();
    parts.resumable = false;
    this.sessions.set(mark.sessionId, new AgentState(parts));
    return Result.success<boolean, ArkAgentError>(true);
  }

  async remove(sessionId: string): Promise<Result<boolean, ArkAgentError>> {
    return Result.success<boolean, ArkAgentError>(this.sessions.delete(sessionId));
  }

  async list(): Promise<Result<ReadonlyArray<SessionSummary>, ArkAgentError>> {
    const found: SessionSummary[] = [];
    for (const state of this.sessions.values()) {
      const line: SessionSummary = {
        sessionId: state.sessionId, updatedAtMs: state.updatedAtMs, resumable: state.resumable
      };
      found.push(line);
    }
    return Result.success<ReadonlyArray<SessionSummary>, ArkAgentError>(found);
  }

  async close(): Promise<void> {
  }
}
