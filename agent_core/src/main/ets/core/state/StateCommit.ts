import { AgentState } from './AgentState';
import { PersistReason } from './PersistReason';
import { StateDelta } from './StateDelta';

/**
 * One atomic write.
 *
 * `next` carries its new revision (expectedRevision + 1), incarnation and commitId. It is immutable and encoded only by the
 * adapter that needs the whole; one that can append uses `delta` (computed on first use).
 */
export class StateCommit {
  /** Revision that must be stored now; 0 = there must be no such session. */
  readonly expectedRevision: number;
  /** Incarnation that must be stored now; empty with revision 0. */
  readonly expectedIncarnation: string;
  /**
   * Commit id of the state that this commit was made from. A storage that reads files of version 1, which have neither
   * revision nor incarnation, tells by it which file that was.
   */
  readonly expectedCommitId: string;
  readonly reason: PersistReason;
  readonly next: AgentState;
  private readonly stored: AgentState;
  private computed: StateDelta | undefined = undefined;

  /** @param stored the state that the last successful commit wrote */
  constructor(stored: AgentState, next: AgentState, reason: PersistReason) {
    this.expectedRevision = stored.revision;
    this.expectedIncarnation = stored.incarnation;
    this.expectedCommitId = stored.commitId;
    this.reason = reason;
    this.next = next;
    this.stored = stored;
  }

  get sessionId(): string {
    return this.next.sessionId;
  }

  get commitId(): string {
    return this.next.commitId;
  }

  get delta(): StateDelta {
    if (this.computed === undefined) {
      this.computed = new StateDelta(this.stored, this.next);
    }
    return this.computed;
  }
}
