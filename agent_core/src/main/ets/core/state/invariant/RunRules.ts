import { StateFault } from '../codec/StateFault';
import { AgentState } from '../AgentState';
import { AgentStopReason } from '../AgentStopReason';
import { CallStatus, OpenCall } from '../OpenCall';
import { RunStatus } from '../RunRecord';

/** Rules about the run and what it waits for. Each method throws `state_invariant_broken`. */
export class RunRules {
  static check(state: AgentState): void {
    RunRules.checkRevision(state);
    switch (state.run?.status) {
      case RunStatus.suspended:
        RunRules.checkSuspended(state);
        break;
      case RunStatus.running:
        break;
      default:
        RunRules.checkNothingPending(state);
    }
  }

  private static checkRevision(state: AgentState): void {
    if ((state.revision === 0) !== (state.incarnation === '')) {
      throw StateFault.broken('/incarnation', 'is set by the first commit, together with the revision');
    }
  }

  private static checkSuspended(state: AgentState): void {
    // A decided plan is no question any more; that the run stopped for it is what is left until it is resumed.
    const waits: boolean = state.pendingApproval !== undefined || state.pendingPlanReview !== undefined ||
      state.run?.stopReason === AgentStopReason.suspended || state.run?.stopReason === AgentStopReason.awaitingPlanReview ||
      RunRules.anyCall(state, RunRules.isWaiting);
    if (!waits) {
      throw StateFault.broken('/run/status', 'a suspended run waits for a decision, a child, a plan review or the app');
    }
  }

  private static checkNothingPending(state: AgentState): void {
    if (state.pendingApproval !== undefined) {
      throw StateFault.broken('/pendingApproval', 'a finished run has no open question');
    }
    if (state.pendingPlanReview !== undefined) {
      throw StateFault.broken('/pendingPlanReview', 'a finished run has no plan review');
    }
    if (RunRules.anyCall(state, RunRules.isOpen)) {
      throw StateFault.broken('/openBatch/calls', 'a finished run has closed its calls');
    }
  }

  private static anyCall(state: AgentState, matches: (call: OpenCall) => boolean): boolean {
    return state.openBatch !== undefined && state.openBatch.calls.some(matches);
  }

  private static isWaiting(call: OpenCall): boolean {
    return call.status === CallStatus.waiting;
  }

  /** Neither answered nor given up. */
  private static isOpen(call: OpenCall): boolean {
    return call.notStarted || call.status === CallStatus.started || call.status === CallStatus.waiting;
  }
}
