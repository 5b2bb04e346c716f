import { PendingApprovalBatch } from '../../approval/PendingApprovalBatch';
import { ArkAgentError, ArkAgentErrorOptions } from '../../base/ArkAgentError';
import { ErrorCode } from '../../base/ErrorCodes';
import { Result } from '../../base/Result';
import { AgentMessage } from '../../message/AgentMessage';
import { MessageLog } from '../../message/MessageLog';
import { IdGenerator } from '../../port/IdGenerator';
import { AgentState, AgentStateParts } from '../../state/AgentState';
import { PersistReason } from '../../state/PersistReason';
import { StateCommit } from '../../state/StateCommit';
import { NotResumableMark, StateStorage } from '../../state/StateStorage';
import { EffectiveClock } from './EffectiveClock';

/**
 * The one owner of a session's mutable state: a draft that grows in memory, and what the storage has of it.
 *
 * Everything that writes goes through `exclusive`, one after another; the draft's messages are append-only, every other
 * member is replaced as a whole, so that states handed out never change (DEC-10).
 */
export class SessionStore {
  /** The newest state, stored or not; members may be replaced, `history` is managed by `append`. */
  readonly draft: AgentStateParts;
  private readonly storage: StateStorage;
  private readonly ids: IdGenerator;
  private readonly clock: EffectiveClock;
  private readonly writerId: string;
  private writes: number = 0;
  private log: MessageLog;
  private stored: AgentState;
  private tail: Promise<void> = Promise.resolve();
  private queued: number = 0;
  /** A write has been called and has not given its promise yet. */
  private entering: boolean = false;

  constructor(storage: StateStorage, ids: IdGenerator, clock: EffectiveClock, loaded: AgentState) {
    this.storage = storage;
    this.ids = ids;
    this.clock = clock;
    this.writerId = ids.nextId();
    this.stored = loaded;
    this.draft = loaded.toParts();
    this.log = new MessageLog(loaded.history);
    this.draft.history = this.log.view();
  }

  /** Revision on the disk; 0 = nothing was stored yet. */
  get revision(): number {
    return this.stored.revision;
  }

  /** The newest state as an immutable value; O(1). */
  snapshot(): AgentState {
    return new AgentState(this.draft);
  }

  /** The open questions as the disk has them: what is being written is neither listed nor shown as decided before it is stored. */
  storedQuestions(): PendingApprovalBatch | undefined {
    const stored: PendingApprovalBatch | undefined = this.stored.pendingApproval;
    return stored !== undefined && stored.batchId === this.draft.pendingApproval?.batchId ? stored : undefined;
  }

  append(message: AgentMessage): void {
    this.log.append(message);
    this.draft.history = this.log.view();
  }

  /** Runs `work` when everything that was queued before has ended; nothing else writes meanwhile. */
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    if (this.entering) {
      // A hook that is asked at the very beginning of a write wants one of its own: there is nothing to queue behind yet.
      return Promise.resolve().then((): Promise<T> => this.exclusive(work));
    }
    const result: Promise<T> = this.queued === 0 ? this.enter(work) : this.tail.then(work);
    this.queued++;
    this.tail = result.then((value: T): void => {
      this.queued--;
    }, (e: Error): void => {
      this.queued--;
    });
    return result;
  }

  /** Some write has not ended: the draft may say what will not be stored. */
  get writing(): boolean {
    return this.queued > 0 || this.entering;
  }

  /** Resolves when no write is under way. */
  async quiet(): Promise<void> {
    while (this.writing) {
      await this.tail;
    }
  }

  /**
   * Writes the draft. On success the draft carries the new revision; on failure it is unchanged and the next commit
   * carries this one's changes too (DEC-06).
   *
   * Errors: state_conflict (another owner wrote first), state_save_failed (cause kept).
   */
  async commit(reason: PersistReason): Promise<Result<number, ArkAgentError>> {
    const next: AgentState = this.nextState();
    let written: Result<number, ArkAgentError>;
    try {
      written = await this.storage.commit(new StateCommit(this.stored, next, reason));
    } catch (e) {
      written = Result.failure<number, ArkAgentError>(
        ArkAgentError.wrap(ErrorCode.stateSaveFailed, e as Object, 'the storage failed'));
    }
    if (!written.ok && written.error.code === ErrorCode.stateConflict) {
      return written;
    }
    if (!written.ok && !(await this.reachedDisk(next.commitId))) {
      const options: ArkAgentErrorOptions = { cause: written.error as Error };
      return Result.failure<number, ArkAgentError>(
        ArkAgentError.of(ErrorCode.stateSaveFailed, `could not save (${reason}): ${written.error.code}`, options));
    }
    this.accept(next);
    return Result.success<number, ArkAgentError>(next.revision);
  }

  /** Takes over what another owner stored; the unsaved draft is dropped. False when there is nothing to load. */
  async reload(): Promise<Result<boolean, ArkAgentError>> {
    const loaded: Result<AgentState | undefined, ArkAgentError> = await this.tryLoad();
    if (!loaded.ok) {
      return loaded.recast<boolean>();
    }
    const state: AgentState | undefined = loaded.value;
    if (state === undefined) {
      return Result.success<boolean, ArkAgentError>(false);
    }
    this.stored = state;
    this.clock.observe(state.updatedAtMs);
    this.log = new MessageLog(state.history);
    this.replaceDraft(state.toParts());
    return Result.success<boolean, ArkAgentError>(true);
  }

  /** Takes back what happened to the draft since a snapshot that this store made; nothing was written meanwhile. */
  rollBack(before: AgentState): void {
    this.log = new MessageLog(before.history);
    this.replaceDraft(before.toParts());
  }

  /** Marks the stored session as taking no more work (DEC-02). */
  async markNotResumable(runId: string): Promise<Result<boolean, ArkAgentError>> {
    this.draft.resumable = false;
    const mark: NotResumableMark = {
      sessionId: this.draft.sessionId, runId: runId, expectedRevision: this.stored.revision,
      expectedIncarnation: this.stored.incarnation
    };
    try {
      return await this.storage.markNotResumable(mark);
    } catch (e) {
      return Result.failure<boolean, ArkAgentError>(
        ArkAgentError.wrap(ErrorCode.stateSaveFailed, e as Object, 'the storage failed'));
    }
  }

  private enter<T>(work: () => Promise<T>): Promise<T> {
    this.entering = true;
    try {
      return work();
    } finally {
      this.entering = false;
    }
  }

  private nextState(): AgentState {
    const parts: AgentStateParts = this.snapshot().toParts();
    parts.revision = this.stored.revision + 1;
    parts.incarnation = this.stored.incarnation === '' ? this.ids.nextId() : this.stored.incarnation;
    this.writes++;
    parts.commitId = `${this.writerId}.${this.writes}`;
    parts.updatedAtMs = this.clock.nowMs();
    return new AgentState(parts);
  }

  private accept(next: AgentState): void {
    this.stored = next;
    this.draft.revision = next.revision;
    this.draft.incarnation = next.incarnation;
    this.draft.commitId = next.commitId;
    this.draft.updatedAtMs = next.updatedAtMs;
  }

  private async tryLoad(): Promise<Result<AgentState | undefined, ArkAgentError>> {
    try {
      return await this.storage.load(this.draft.sessionId);
    } catch (e) {
      return Result.failure<AgentState | undefined, ArkAgentError>(
        ArkAgentError.wrap(ErrorCode.stateLoadFailed, e as Object, 'the storage failed'));
    }
  }

  /** After an error nobody knows whether the write arrived; the commit id on the disk does. */
  private async reachedDisk(commitId: string): Promise<boolean> {
    const loaded: Result<AgentState | undefined, ArkAgentError> = await this.tryLoad();
    return loaded.ok && loaded.value !== undefined && loaded.value.commitId === commitId;
  }

  private replaceDraft(parts: AgentStateParts): void {
    this.draft.incarnation = parts.incarnation;
    this.draft.revision = parts.revision;
    this.draft.commitId = parts.commitId;
    this.draft.createdAtMs = parts.createdAtMs;
    this.draft.updatedAtMs = parts.updatedAtMs;
    this.draft.resumable = parts.resumable;
    this.draft.metadata = parts.metadata;
    this.draft.usage = parts.usage;
    this.draft.run = parts.run;
    this.draft.history = this.log.view();
    this.draft.openBatch = parts.openBatch;
    this.draft.pendingApproval = parts.pendingApproval;
    this.draft.pendingPlanReview = parts.pendingPlanReview;
    this.draft.loopWindow = parts.loopWindow;
    this.draft.receipts = parts.receipts;
    this.draft.slices = parts.slices;
  }
}
