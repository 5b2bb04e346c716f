import { AgentMessage, MessageRole } from '../../message/AgentMessage';
import { StateFault } from '../codec/StateFault';
import { AgentState } from '../AgentState';
import { OpenBatch } from '../OpenBatch';
import { CallStatus, OpenCall } from '../OpenCall';

/** Rules about the journal of calls. Each method throws `state_invariant_broken`. */
export class BatchRules {
  /** The journal belongs to one assistant message of the history and to its calls, by position. */
  static check(state: AgentState): void {
    const batch: OpenBatch | undefined = state.openBatch;
    if (batch === undefined) {
      return;
    }
    const message: AgentMessage | undefined = BatchRules.messageOf(state, batch.assistantMessageId);
    if (message === undefined || message.role !== MessageRole.assistant) {
      throw StateFault.broken('/openBatch/assistantMessageId', 'is no assistant message of the history');
    }
    if (batch.calls.length !== message.toolCalls.length) {
      throw StateFault.broken('/openBatch/calls', 'must hold every call of its message');
    }
    batch.calls.forEach((call: OpenCall, index: number): void => BatchRules.checkCall(call, index));
  }

  /** From the end: what is pending belongs to the newest messages. */
  static messageOf(state: AgentState, id: string): AgentMessage | undefined {
    for (let i: number = state.history.length - 1; i >= 0; i--) {
      const message: AgentMessage = state.history.at(i) as AgentMessage;
      if (message.id === id) {
        return message;
      }
    }
    return undefined;
  }

  private static checkCall(call: OpenCall, index: number): void {
    const path: string = `/openBatch/calls/${index}`;
    if (call.position !== index) {
      throw StateFault.broken(`${path}/position`, 'calls stand in the order of their positions');
    }
    if (call.status === CallStatus.finished && call.result === undefined) {
      throw StateFault.broken(path, 'a finished call has its result');
    }
    if (call.status === CallStatus.waiting && call.childSessionId === undefined) {
      throw StateFault.broken(path, 'a waiting call names its child session');
    }
  }
}
