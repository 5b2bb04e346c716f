import { AgentMessage, MessageRole } from '../../message/AgentMessage';
import { StateFault } from '../codec/StateFault';
import { AgentState } from '../AgentState';
import { AgentStopReason } from '../AgentStopReason';
import { RunRecord, RunStatus } from '../RunRecord';

/**
 * Walks a history and holds the calls that wait for their result.
 *
 * Every tool message answers exactly one call before it; every call is answered before the next user or assistant message,
 * unless the open batch or the pending question accounts for its message, or it is the last message of a running run
 * (DEC-62), or of one that the app paused before phase 1 was through.
 */
export class HistoryPairing {
  private readonly state: AgentState;
  private owner: AgentMessage | undefined = undefined;
  private ownerIndex: number = -1;
  /** Ids of the owner's calls that have no result yet. */
  private open: string[] = [];

  constructor(state: AgentState) {
    this.state = state;
  }

  /**
   * @param from index where no call was open
   * @returns index up to which nothing can change any more: the message with open calls, or the end
   * @throws ArkAgentError state_invariant_broken
   */
  check(from: number): number {
    for (let i: number = from; i < this.state.history.length; i++) {
      const message: AgentMessage = this.state.history.at(i) as AgentMessage;
      if (message.role === MessageRole.tool) {
        this.answer(message, i);
      } else if (message.role !== MessageRole.system) {
        this.next(message, i);
      }
    }
    this.end();
    return this.open.length > 0 ? this.ownerIndex : this.state.history.length;
  }

  private answer(message: AgentMessage, index: number): void {
    const at: number = message.toolCallId === undefined ? -1 : this.open.indexOf(message.toolCallId);
    if (at < 0) {
      throw StateFault.broken(`/history/${index}`, 'a tool result answers no open call of the assistant message before it');
    }
    this.open.splice(at, 1);
  }

  private next(message: AgentMessage, index: number): void {
    this.requireAccount(index);
    this.owner = message;
    this.ownerIndex = index;
    this.open = [];
    for (const call of message.toolCalls) {
      this.open.push(call.id);
    }
    if (this.open.length > 0 && message.role !== MessageRole.assistant) {
      throw StateFault.broken(`/history/${index}/toolCalls`, 'only an assistant message has calls');
    }
  }

  private end(): void {
    const last: boolean = this.ownerIndex === this.state.history.length - 1;
    if (!last || !this.mayBeginPhase1()) {
      this.requireAccount(this.ownerIndex);
    }
  }

  private mayBeginPhase1(): boolean {
    const run: RunRecord | undefined = this.state.run;
    return run?.status === RunStatus.running ||
      (run?.status === RunStatus.suspended && run.stopReason === AgentStopReason.suspended);
  }

  private requireAccount(index: number): void {
    if (this.open.length > 0 && !this.accounted()) {
      throw StateFault.broken(`/history/${index}`, `${this.open.length} calls of the assistant message have no result`);
    }
  }

  private accounted(): boolean {
    const id: string = this.owner === undefined ? '' : this.owner.id;
    return this.state.openBatch?.assistantMessageId === id || this.state.pendingApproval?.modelMessage.id === id;
  }
}
