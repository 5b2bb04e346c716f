import { ArkAgentError } from '../../base/ArkAgentError';
import { Result } from '../../base/Result';
import { ArtifactStore } from '../../port/ArtifactStore';
import { StateStorage } from '../../state/StateStorage';

/** Removes a session with what was kept beside it. */
export class SessionRemoval {
  private readonly storage: StateStorage;
  private readonly artifacts: ArtifactStore;

  constructor(storage: StateStorage, artifacts: ArtifactStore) {
    this.storage = storage;
    this.artifacts = artifacts;
  }

  /**
   * The session first: texts without a session are removed by the next try, a session without its texts would miss them.
   *
   * @returns false when there was no session. Errors: those of the storage, artifact_store_failed.
   */
  async remove(sessionId: string): Promise<Result<boolean, ArkAgentError>> {
    const removed: Result<boolean, ArkAgentError> = await this.storage.remove(sessionId);
    if (!removed.ok) {
      return removed;
    }
    const cleared: Result<number, ArkAgentError> = await this.artifacts.removeSession(sessionId);
    return cleared.ok ? removed : cleared.recast<boolean>();
  }
}
