import { AgentMessage } from '../../message/AgentMessage';
import { MessageList } from '../../message/MessageList';
import { MessageWriter } from './MessageWriter';

/** How far from the end of a conversation the last written one is looked for: a turn adds one answer and its results. */
const LOOK_BACK: number = 64;

/** The text of the first messages of a conversation. */
class WrittenStart {
  readonly messages: ReadonlyArray<AgentMessage>;
  readonly text: string;

  constructor(messages: ReadonlyArray<AgentMessage>, text: string) {
    this.messages = messages;
    this.text = text;
  }

  isStartOf(list: MessageList): boolean {
    for (let at: number = 0; at < this.messages.length; at++) {
      if (list.at(at) !== this.messages[at]) {
        return false;
      }
    }
    return true;
  }
}

/**
 * A conversation as the members of a JSON list.
 *
 * A turn repeats the conversation of the turn before and adds to it, so the text so far is kept and continued. It is kept with its last message and
 * goes with it: a provider holds on to no conversation. A changed message anywhere makes it start anew.
 */
export class ConversationWriter {
  private readonly writer: MessageWriter;
  private readonly starts: WeakMap<AgentMessage, WrittenStart> = new WeakMap<AgentMessage, WrittenStart>();

  constructor(writer: MessageWriter) {
    this.writer = writer;
  }

  /** '' for an empty conversation. @throws ArkAgentError json_* */
  write(list: MessageList): string {
    const known: number = this.findStart(list);
    let text: string = known === 0 ? '' : (this.starts.get(list.at(known - 1) as AgentMessage) as WrittenStart).text;
    for (let at: number = known; at < list.length; at++) {
      text += (at === 0 ? '' : ',') + this.writer.write(list.at(at) as AgentMessage);
    }
    if (known < list.length) {
      if (known > 0) {
        this.starts.delete(list.at(known - 1) as AgentMessage);
      }
      this.starts.set(list.last() as AgentMessage, new WrittenStart(list.toArray(), text));
    }
    return text;
  }

  /** How many messages of the list are written already. */
  private findStart(list: MessageList): number {
    const lowest: number = Math.max(0, list.length - LOOK_BACK);
    for (let at: number = list.length - 1; at >= lowest; at--) {
      const start: WrittenStart | undefined = this.starts.get(list.at(at) as AgentMessage);
      if (start !== undefined && start.messages.length === at + 1 && start.isStartOf(list)) {
        return at + 1;
      }
    }
    return 0;
  }
}
