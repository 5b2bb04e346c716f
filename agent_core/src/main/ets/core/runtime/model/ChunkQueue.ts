import { TextBuffer } from '../../base/TextBuffer';
import { StreamingEvent, StreamingEventType } from '../../model/StreamingEvent';

/** Pieces that may wait before neighbours of one kind are merged. */
const MERGE_ABOVE: number = 32;

/** Pieces of a stream that wait for a slow hook, in order; neighbours of one kind are merged when many wait (DEC-27). */
export class ChunkQueue {
  private waiting: StreamingEvent[] = [];
  private head: number = 0;
  private readonly merged: TextBuffer = new TextBuffer();
  private mergedType: StreamingEventType = StreamingEventType.textDelta;
  private chars: number = 0;

  /** UTF-16 code units that wait. */
  get length(): number {
    return this.chars;
  }

  /** Pieces that wait; what is merged counts once. */
  get pieces(): number {
    return this.waiting.length - this.head + (this.merged.length > 0 ? 1 : 0);
  }

  add(event: StreamingEvent): void {
    this.chars += event.text.length;
    if (this.merged.length > 0 && this.mergedType !== event.type) {
      this.closeMerged();
    }
    if (this.merged.length > 0 || this.waiting.length - this.head >= MERGE_ABOVE) {
      this.mergedType = event.type;
      this.merged.append(event.text);
    } else {
      this.waiting.push(event);
    }
  }

  /** The oldest piece; undefined when none waits. */
  take(): StreamingEvent | undefined {
    if (this.head >= this.waiting.length) {
      if (this.merged.length === 0) {
        return undefined;
      }
      this.closeMerged();
    }
    const event: StreamingEvent = this.waiting[this.head];
    this.head++;
    this.chars -= event.text.length;
    if (this.head === this.waiting.length) {
      this.waiting = [];
      this.head = 0;
    } else if (this.head >= MERGE_ABOVE && this.head * 2 >= this.waiting.length) {
      this.waiting.splice(0, this.head);
      this.head = 0;
    }
    return event;
  }

  clear(): void {
    this.waiting = [];
    this.head = 0;
    this.merged.take();
    this.chars = 0;
  }

  private closeMerged(): void {
    this.waiting.push(new StreamingEvent(this.mergedType, this.merged.take()));
  }
}
