import { AgentMessage } from './AgentMessage';

/**
 * A read-only view of the first `length` messages of a shared, append-only array.
 *
 * Taking a view is O(1) whatever the length of the conversation; messages appended later are not seen by older views (DEC-10).
 */
export class MessageList {
  private readonly backing: ReadonlyArray<AgentMessage>;
  readonly length: number;

  constructor(backing: ReadonlyArray<AgentMessage>, length: number) {
    this.backing = backing;
    this.length = length;
  }

  static of(messages: ReadonlyArray<AgentMessage>): MessageList {
    return new MessageList(messages.slice(), messages.length);
  }

  /** @returns undefined outside of the view. */
  at(index: number): AgentMessage | undefined {
    return index >= 0 && index < this.length ? this.backing[index] : undefined;
  }

  last(): AgentMessage | undefined {
    return this.at(this.length - 1);
  }

  /** Whether another view begins with the very messages of this one. O(1) over one array, else O(length). */
  isPrefixOf(other: MessageList): boolean {
    if (this.length > other.length) {
      return false;
    }
    if (this.backing !== other.backing) {
      for (let i: number = 0; i < this.length; i++) {
        if (this.backing[i] !== other.backing[i]) {
          return false;
        }
      }
    }
    return true;
  }

  /** A copy of the messages from `start` (inclusive) to the end of the view. */
  slice(start: number): AgentMessage[] {
    return this.backing.slice(start, this.length);
  }

  toArray(): AgentMessage[] {
    return this.slice(0);
  }
}
