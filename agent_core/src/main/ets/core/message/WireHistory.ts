import { AgentMessage, AgentMessageInit, MessageRole } from './AgentMessage';
import { ContentPart } from './ContentPart';
import { MessageList } from './MessageList';
import { ToolCall } from './ToolCall';

/** Why the call at a position of an assistant message has no result; a reason such as process_died or cancelled_by_user. */
export type MissingResultReason = (assistantMessageId: string, position: number) => string;

/**
 * The only road from the history to a provider (S6): what it returns pairs every call with exactly one result.
 *
 * A call without a result gets a synthetic one that names the true reason; a result that answers no call, or answers one a
 * second time, is left out. Idempotent, no clock. The complete prefix is remembered, so a turn costs what is new (DEC-12).
 */
export class WireHistory {
  private verified: number = 0;
  private lastVerified: AgentMessage | undefined = undefined;

  /** @param reasonOf asked for each call without a result */
  toWire(history: MessageList, reasonOf: MissingResultReason): MessageList {
    if (this.verified > 0 && history.at(this.verified - 1) !== this.lastVerified) {
      // Another history than last time: nothing is known about it.
      this.verified = 0;
    }
    this.advance(history);
    if (this.verified === history.length) {
      return history;
    }
    return repair(history, this.verified, reasonOf);
  }

  private advance(history: MessageList): void {
    let at: number = this.verified;
    while (at < history.length) {
      const end: number = completeGroupEnd(history, at);
      if (end < 0) {
        break;
      }
      at = end;
    }
    this.verified = at;
    this.lastVerified = at > 0 ? history.at(at - 1) : undefined;
  }
}

/** The index after the group that starts at `start`, or -1 when calls and results do not pair. */
function completeGroupEnd(history: MessageList, start: number): number {
  const head: AgentMessage = history.at(start) as AgentMessage;
  if (head.role === MessageRole.tool) {
    return -1;
  }
  const calls: ReadonlyArray<ToolCall> = head.toolCalls;
  for (let i: number = 0; i < calls.length; i++) {
    const answer: AgentMessage | undefined = history.at(start + 1 + i);
    if (answer === undefined || answer.role !== MessageRole.tool || answer.toolCallId !== calls[i].id) {
      return -1;
    }
  }
  return start + 1 + calls.length;
}

function repair(history: MessageList, from: number, reasonOf: MissingResultReason): MessageList {
  const out: AgentMessage[] = history.slice(0).slice(0, from);
  let at: number = from;
  while (at < history.length) {
    const head: AgentMessage = history.at(at) as AgentMessage;
    at++;
    if (head.role === MessageRole.tool) {
      continue;
    }
    out.push(head);
    const answers: Map<string, AgentMessage> = new Map<string, AgentMessage>();
    while (at < history.length && (history.at(at) as AgentMessage).role === MessageRole.tool) {
      const answer: AgentMessage = history.at(at) as AgentMessage;
      if (answer.toolCallId !== undefined && !answers.has(answer.toolCallId)) {
        answers.set(answer.toolCallId, answer);
      }
      at++;
    }
    for (let position: number = 0; position < head.toolCalls.length; position++) {
      const call: ToolCall = head.toolCalls[position];
      out.push(answers.get(call.id) ?? syntheticResult(call, reasonOf(head.id, position)));
    }
  }
  return new MessageList(out, out.length);
}

function syntheticResult(call: ToolCall, reason: string): AgentMessage {
  const init: AgentMessageInit = {
    role: MessageRole.tool, toolCallId: call.id, isError: true,
    contents: [ContentPart.text(`${reason}: this call has no result`)]
  };
  return new AgentMessage(init);
}
