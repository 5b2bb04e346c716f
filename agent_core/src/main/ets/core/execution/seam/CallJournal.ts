import { ArkAgentError } from '../../base/ArkAgentError';
import { Usage } from '../../message/Usage';
import { CallResult } from '../../state/CallResult';

export enum JournalAction {
  /** It is on the disk; go on. */
  proceed = 'proceed',
  /** A hook aborted. With `finished` the fact is on the disk all the same. */
  abort = 'abort',
  /** It could not be written. */
  failed = 'failed',
  /** The run was cancelled or paused and a hook did not answer after that: nothing is written, and the call does not begin. */
  unanswered = 'unanswered',
  /** What let the call through was taken back before its start was written: a person has to be asked. */
  withheld = 'withheld'
}

/** What became of a journal entry. Immutable. */
export class JournalVerdict {
  readonly action: JournalAction;
  readonly error: ArkAgentError | undefined;

  constructor(action: JournalAction, error?: ArkAgentError) {
    this.action = action;
    this.error = error;
  }

  static proceed(): JournalVerdict {
    return new JournalVerdict(JournalAction.proceed);
  }
}

/**
 * Where the pipeline notes that an effect begins and what it answered, so that no kill makes it happen twice (steps 5a, 7a).
 *
 * Contract: durable when it resolves with proceed. Only calls with an effect are journalled (DEC-61).
 */
export interface CallJournal {
  started(position: number, atMs: number): Promise<JournalVerdict>;
  /** As `started`, for a call that a child session works on; before the child stores anything (DEC-54). */
  delegated(position: number, childSessionId: string): Promise<JournalVerdict>;
  /** The child has stored its first state. @returns false when that could not be noted */
  childBegun(position: number, atMs: number): Promise<boolean>;
  /** The call was noted as started but its executor was not entered: it counts as not started again. */
  withdrawn(position: number): void;
  /**
   * @param result redacted and limited
   * @param usage of a child session, for the session's own sum
   */
  finished(position: number, result: CallResult, usage?: Usage): Promise<JournalVerdict>;
}

/** For calls outside of a run: nothing irreversible gets there (DEC-42). */
export class NoCallJournal implements CallJournal {
  async started(position: number, atMs: number): Promise<JournalVerdict> {
    return JournalVerdict.proceed();
  }

  async delegated(position: number, childSessionId: string): Promise<JournalVerdict> {
    return JournalVerdict.proceed();
  }

  async childBegun(position: number, atMs: number): Promise<boolean> {
    return true;
  }

  withdrawn(position: number): void {
  }

  async finished(position: number, result: CallResult, usage?: Usage): Promise<JournalVerdict> {
    return JournalVerdict.proceed();
  }
}
