import { ArkAgentError } from '../base/ArkAgentError';
import { Result } from '../base/Result';
import { Redactor } from '../execution/redaction/Redactor';
import { SecretBook } from '../execution/redaction/SecretBook';
import { CallSecrets } from '../execution/vault/CallSecrets';
import { SecretVault } from '../execution/vault/SecretVault';
import { ArtifactStore } from '../port/ArtifactStore';
import { AgentState } from '../state/AgentState';
import { ChildSessionId } from '../state/ChildSessionId';
import { OpenBatch } from '../state/OpenBatch';
import { SessionSummary, StateStorage } from '../state/StateStorage';
import { ParentLink } from './ParentLink';

/** A session that belongs to the removed one, and what is open in it. */
interface Relative {
  id: string;
  parent: string;
  batch: OpenBatch | undefined;
}

/** Removes a session with what belongs to it: its child sessions, theirs, and the texts and secrets that were kept for each. */
export class SessionRemoval {
  private readonly storage: StateStorage;
  private readonly artifacts: ArtifactStore | undefined;
  private readonly vault: SecretVault | undefined;

  /**
   * @param artifacts where large results are kept, if anywhere
   * @param vault where the secrets of waiting calls are kept, if anywhere
   */
  constructor(storage: StateStorage, artifacts?: ArtifactStore, vault?: SecretVault) {
    this.storage = storage;
    this.artifacts = artifacts;
    this.vault = vault;
  }

  /**
   * The session first, then what only it leads to: what a kill leaves over is removed by the next try. A child session that
   * cannot be read is kept, as every corrupt one.
   *
   * @returns false when there was no such session. Errors: those of the storage, artifact_store_failed; the rest is removed
   * all the same, unless the session itself stays.
   */
  async remove(sessionId: string): Promise<Result<boolean, ArkAgentError>> {
    const family: Result<ReadonlyArray<Relative>, ArkAgentError> = await this.familyOf(sessionId);
    if (!family.ok) {
      return family.recast<boolean>();
    }
    const removed: Result<boolean, ArkAgentError> = await this.storage.remove(sessionId);
    if (!removed.ok) {
      return removed;
    }
    let fault: Result<boolean, ArkAgentError> | undefined = undefined;
    for (const one of family.value) {
      const gone: Result<boolean, ArkAgentError> = one.id === sessionId ? removed : await this.storage.remove(one.id);
      const left: Result<boolean, ArkAgentError> | undefined = gone.ok ? await this.clear(one) : gone;
      fault = fault ?? left;
    }
    return fault ?? removed;
  }

  private async clear(one: Relative): Promise<Result<boolean, ArkAgentError> | undefined> {
    if (this.vault !== undefined && one.batch !== undefined) {
      const book: SecretBook = new SecretBook();
      const secrets: CallSecrets = new CallSecrets(new Redactor(book), book, this.vault);
      await secrets.releaseBatch(one.id, one.batch);
    }
    const cleared: Result<number, ArkAgentError> | undefined = await this.artifacts?.removeSession(one.id);
    return cleared === undefined || cleared.ok ? undefined : cleared.recast<boolean>();
  }

  /** The session, and those whose links lead to it over any number of generations. */
  private async familyOf(sessionId: string): Promise<Result<ReadonlyArray<Relative>, ArkAgentError>> {
    const listed: Result<ReadonlyArray<SessionSummary>, ArkAgentError> = await this.storage.list();
    if (!listed.ok) {
      return listed.recast<ReadonlyArray<Relative>>();
    }
    const others: Relative[] = [];
    for (const summary of listed.value) {
      const id: string = summary.sessionId;
      if (id.startsWith(`${sessionId}.`) || (id.startsWith(ChildSessionId.SHORT_PREFIX) && id !== sessionId)) {
        const state: AgentState | undefined = await this.stateOf(id);
        const link: ParentLink | undefined = state === undefined ? undefined : ParentLink.read(state.slices);
        if (link !== undefined) {
          const other: Relative = { id: id, parent: link.sessionId, batch: state?.openBatch };
          others.push(other);
        }
      }
    }
    const root: Relative = { id: sessionId, parent: '', batch: (await this.stateOf(sessionId))?.openBatch };
    const found: Relative[] = [root];
    for (let at: number = 0; at < found.length; at++) {
      for (const other of others) {
        if (other.parent === found[at].id && !found.includes(other)) {
          found.push(other);
        }
      }
    }
    return Result.success<ReadonlyArray<Relative>, ArkAgentError>(found);
  }

  private async stateOf(sessionId: string): Promise<AgentState | undefined> {
    const state: Result<AgentState | undefined, ArkAgentError> = await this.storage.load(sessionId);
    return state.ok ? state.value : undefined;
  }
}
