import { ArkAgentError } from '../base/ArkAgentError';
import { Result } from '../base/Result';
import { AgentState } from '../state/AgentState';
import { StateCommit } from '../state/StateCommit';
import { NotResumableMark, SessionSummary, StateStorage, StorageFencing } from '../state/StateStorage';

/**
 * The parent's storage as a child sees it. The child's first commit is answered when the parent's disk knows that the child
 * has begun: before that it can have no effect, so a child that is missing later was removed and is not started again.
 */
export class ChildStorage implements StateStorage {
  readonly durable: boolean;
  readonly fencing: StorageFencing;
  private readonly inner: StateStorage;
  private readonly onBegun: () => Promise<void>;
  private told: boolean;

  /**
   * @param begun the child has stored something before
   * @param onBegun called once, after the first commit that was written
   */
  constructor(inner: StateStorage, begun: boolean, onBegun: () => Promise<void>) {
    this.inner = inner;
    this.durable = inner.durable;
    this.fencing = inner.fencing;
    this.told = begun;
    this.onBegun = onBegun;
  }

  load(sessionId: string): Promise<Result<AgentState | undefined, ArkAgentError>> {
    return this.inner.load(sessionId);
  }

  async commit(commit: StateCommit): Promise<Result<number, ArkAgentError>> {
    const written: Result<number, ArkAgentError> = await this.inner.commit(commit);
    if (written.ok && !this.told) {
      this.told = true;
      await this.onBegun();
    }
    return written;
  }

  markNotResumable(mark: NotResumableMark): Promise<Result<boolean, ArkAgentError>> {
    return this.inner.markNotResumable(mark);
  }

  remove(sessionId: string): Promise<Result<boolean, ArkAgentError>> {
    return this.inner.remove(sessionId);
  }

  list(): Promise<Result<ReadonlyArray<SessionSummary>, ArkAgentError>> {
    return this.inner.list();
  }

  /** The storage is the parent's to close. */
  async close(): Promise<void> {
  }
}
