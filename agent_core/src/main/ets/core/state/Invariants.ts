import { ArkAgentError } from '../base/ArkAgentError';
import { ErrorCode } from '../base/ErrorCodes';
import { Result } from '../base/Result';
import { AgentState } from './AgentState';
import { ApprovalRules } from './invariant/ApprovalRules';
import { BatchRules } from './invariant/BatchRules';
import { HistoryPairing } from './invariant/HistoryPairing';
import { RunRules } from './invariant/RunRules';

/**
 * What is true of every stored state. The whole check runs on load and in tests; a running agent checks what is new (DEC-03).
 *
 * Failure: `state_invariant_broken`, details.path names the member; a storage reports it as `state_corrupt`.
 */
export class StateInvariants {
  /** Looks at everything: proportional to the history. Success holds the index for the first `checkTail`. */
  static check(state: AgentState): Result<number, ArkAgentError> {
    return StateInvariants.checkTail(state, 0);
  }

  /**
   * Looks at the messages from an index on and at everything that is pending.
   *
   * @param verifiedIndex what the last successful check of this history returned
   * @returns the index for the next check: that of the assistant message whose calls are open, or the length
   */
  static checkTail(state: AgentState, verifiedIndex: number): Result<number, ArkAgentError> {
    try {
      const verified: number = new HistoryPairing(state).check(Math.min(verifiedIndex, state.history.length));
      RunRules.check(state);
      BatchRules.check(state);
      ApprovalRules.check(state);
      return Result.success<number, ArkAgentError>(verified);
    } catch (e) {
      return Result.failure<number, ArkAgentError>(
        ArkAgentError.wrap(ErrorCode.stateInvariantBroken, e as Error, 'the state could not be checked'));
    }
  }
}
