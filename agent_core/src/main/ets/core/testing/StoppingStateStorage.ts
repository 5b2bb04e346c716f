import { ArkAgentError } from '../base/ArkAgentError';
import { ErrorCode } from '../base/ErrorCodes';
import { Result } from '../base/Result';
import { AgentState } from '../state/AgentState';
import { StateCommit } from '../state/StateCommit';
import { NotResumableMark, SessionSummary, StateStorage, StorageFencing } from '../state/StateStorage';

/** What goes wrong with a commit. */
export enum CommitFault {
  /** An error; nothing was written. */
  failBefore = 'fail_before',
  /** An error although it was written: the answer was lost. */
  failAfter = 'fail_after',
  /** The process dies before the write: neither this nor any later call is ever answered. */
  stopBefore = 'stop_before',
  /** The process dies after the write. */
  stopAfter = 'stop_after'
}

/** Looks at each commit that was written. */
export type CommitListener = (commit: StateCommit) => void;

/**
 * A storage between a runtime and the real one that goes wrong when a test wants it: at a chosen commit it fails, or stops as
 * if the process were gone. What was written stays in the real storage, where another runtime finds it.
 */
export class StoppingStateStorage implements StateStorage {
  readonly fencing: StorageFencing;
  readonly durable: boolean;
  /** Resolves when the storage has stopped. */
  readonly whenStopped: Promise<void>;
  /** Marking a session as not resumable fails too. */
  failMarks: boolean = false;
  /** Loading fails, so that nobody can tell whether a lost commit was written. */
  failLoads: boolean = false;
  private readonly inner: StateStorage;
  private readonly faults: Map<number, CommitFault> = new Map<number, CommitFault>();
  private readonly tried: StateCommit[] = [];
  private readonly listener: CommitListener | undefined;
  private isStopped: boolean = false;
  private tellStopped: () => void = (): void => {
  };

  /**
   * @param durable what the runtime is told; the real storage's own word when left out
   * @param listener hears of every commit that was written, before the runtime does
   */
  constructor(inner: StateStorage, durable?: boolean, listener?: CommitListener) {
    this.inner = inner;
    this.fencing = inner.fencing;
    this.durable = durable ?? inner.durable;
    this.listener = listener;
    this.whenStopped = new Promise<void>((resolve: () => void): void => {
      this.tellStopped = resolve;
    });
  }

  /** The commits that were tried, oldest first, failed ones too. */
  get commits(): ReadonlyArray<StateCommit> {
    return this.tried.slice();
  }

  /** Their reasons. */
  get reasons(): ReadonlyArray<string> {
    return this.tried.map<string>((commit: StateCommit) => commit.reason);
  }

  get stopped(): boolean {
    return this.isStopped;
  }

  /** @param next which commit from now on, 1 = the next one */
  plan(next: number, fault: CommitFault): void {
    this.faults.set(this.tried.length + next, fault);
  }

  /** Commits from now on go well again. */
  clearPlans(): void {
    this.faults.clear();
  }

  /** The process dies now. */
  stop(): void {
    this.isStopped = true;
    this.tellStopped();
  }

  async load(sessionId: string): Promise<Result<AgentState | undefined, ArkAgentError>> {
    await this.alive();
    if (this.failLoads) {
      return Result.failure<AgentState | undefined, ArkAgentError>(planned(ErrorCode.stateLoadFailed));
    }
    return this.inner.load(sessionId);
  }

  async commit(commit: StateCommit): Promise<Result<number, ArkAgentError>> {
    await this.alive();
    this.tried.push(commit);
    const fault: CommitFault | undefined = this.faults.get(this.tried.length);
    if (fault === CommitFault.failBefore) {
      return Result.failure<number, ArkAgentError>(planned(ErrorCode.stateSaveFailed));
    }
    if (fault === CommitFault.stopBefore) {
      this.stop();
      await this.alive();
    }
    const written: Result<number, ArkAgentError> = await this.inner.commit(commit);
    if (written.ok && this.listener !== undefined) {
      this.listener(commit);
    }
    if (fault === CommitFault.stopAfter) {
      this.stop();
    }
    await this.alive();
    return fault === CommitFault.failAfter ?
      Result.failure<number, ArkAgentError>(planned(ErrorCode.stateSaveFailed)) : written;
  }

  async markNotResumable(mark: NotResumableMark): Promise<Result<boolean, ArkAgentError>> {
    await this.alive();
    return this.failMarks ? Result.failure<boolean, ArkAgentError>(planned(ErrorCode.stateSaveFailed)) :
      this.inner.markNotResumable(mark);
  }

  async remove(sessionId: string): Promise<Result<boolean, ArkAgentError>> {
    await this.alive();
    return this.inner.remove(sessionId);
  }

  async list(): Promise<Result<ReadonlyArray<SessionSummary>, ArkAgentError>> {
    await this.alive();
    return this.inner.list();
  }

  async close(): Promise<void> {
    await this.alive();
    return this.inner.close();
  }

  /** Never resolves once the storage has stopped: a dead process gets no answer. */
  private alive(): Promise<void> {
    return this.isStopped ? new Promise<void>((): void => {
    }) : Promise.resolve();
  }
}

function planned(code: ErrorCode): ArkAgentError {
  return ArkAgentError.of(code, 'planned by the test');
}
