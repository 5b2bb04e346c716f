import { ArkAgentError } from '../base/ArkAgentError';
import { Result } from '../base/Result';
import { ArtifactStore } from '../port/ArtifactStore';
import { AgentState } from '../state/AgentState';
import { ChildSessionId } from '../state/ChildSessionId';
import { SessionSummary, StateStorage } from '../state/StateStorage';
import { ParentLink } from './ParentLink';

/** Removes a session with what belongs to it: its child sessions, theirs, and the texts that were kept for each of them. */
export class SessionRemoval {
  private readonly storage: StateStorage;
  private readonly artifacts: ArtifactStore | undefined;

  /** @param artifacts where large results are kept, if anywhere */
  constructor(storage: StateStorage, artifacts?: ArtifactStore) {
    this.storage = storage;
    this.artifacts = artifacts;
  }

  /**
   * The session first, then what only it leads to: what a kill leaves over is removed by the next try. A child session that
   * cannot be read is kept, as every corrupt one.
   *
   * @returns false when there was no such session. Errors: those of the storage, artifact_store_failed; the rest is removed
   * all the same, unless the session itself stays.
   */
  async remove(sessionId: string): Promise<Result<boolean, ArkAgentError>> {
    const family: Result<ReadonlyArray<string>, ArkAgentError> = await this.descendants(sessionId);
    if (!family.ok) {
      return family.recast<boolean>();
    }
    const removed: Result<boolean, ArkAgentError> = await this.storage.remove(sessionId);
    if (!removed.ok) {
      return removed;
    }
    let fault: Result<boolean, ArkAgentError> | undefined = await this.clear(sessionId);
    for (const child of family.value) {
      const gone: Result<boolean, ArkAgentError> = await this.storage.remove(child);
      fault = fault ?? (gone.ok ? await this.clear(child) : gone);
    }
    return fault ?? removed;
  }

  private async clear(sessionId: string): Promise<Result<boolean, ArkAgentError> | undefined> {
    const cleared: Result<number, ArkAgentError> | undefined = await this.artifacts?.removeSession(sessionId);
    return cleared === undefined || cleared.ok ? undefined : cleared.recast<boolean>();
  }

  /** The sessions whose links lead to this one, over any number of generations. */
  private async descendants(sessionId: string): Promise<Result<ReadonlyArray<string>, ArkAgentError>> {
    const listed: Result<ReadonlyArray<SessionSummary>, ArkAgentError> = await this.storage.list();
    if (!listed.ok) {
      return listed.recast<ReadonlyArray<string>>();
    }
    const parents: Map<string, string> = new Map<string, string>();
    for (const summary of listed.value) {
      const id: string = summary.sessionId;
      if (id.startsWith(`${sessionId}.`) || id.startsWith(ChildSessionId.SHORT_PREFIX)) {
        const state: Result<AgentState | undefined, ArkAgentError> = await this.storage.load(id);
        const link: ParentLink | undefined =
          state.ok && state.value !== undefined ? ParentLink.read(state.value.slices) : undefined;
        if (link !== undefined) {
          parents.set(id, link.sessionId);
        }
      }
    }
    const found: string[] = [sessionId];
    for (let at: number = 0; at < found.length; at++) {
      for (const id of parents.keys()) {
        if (parents.get(id) === found[at] && !found.includes(id)) {
          found.push(id);
        }
      }
    }
    return Result.success<ReadonlyArray<string>, ArkAgentError>(found.slice(1));
  }
}
