import { AgentMessage } from './AgentMessage';
import { MessageList } from './MessageList';

/** The growing conversation: the one owner that may append; everybody else gets views. */
export class MessageLog {
  private readonly messages: AgentMessage[];

  /** Copies the messages, so that two owners never share an array. */
  constructor(initial: MessageList) {
    this.messages = initial.toArray();
  }

  get length(): number {
    return this.messages.length;
  }

  append(message: AgentMessage): void {
    this.messages.push(message);
  }

  view(): MessageList {
    return new MessageList(this.messages, this.messages.length);
  }
}
