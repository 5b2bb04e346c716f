import { createInterface, type Interface } from 'node:readline';
import type { Readable } from 'node:stream';

/** Lines of an input, one at a time; a wait can be broken off without losing a line. */
export class LineReader {
  private readonly lines: string[] = [];
  private readonly reader: Interface;
  private waiting: ((line: string | undefined) => void) | undefined;
  private ended = false;

  constructor(input: Readable) {
    this.reader = createInterface({ input, terminal: false });
    this.reader.on('line', (line) => this.arrive(line));
    this.reader.on('close', () => {
      this.ended = true;
      this.settle(undefined);
    });
  }

  /** The next line, or undefined at the end of the input or after `interrupt`. */
  next(): Promise<string | undefined> {
    if (this.lines.length > 0) return Promise.resolve(this.lines.shift());
    if (this.ended) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.waiting = resolve;
    });
  }

  /** Ends the wait that is going on. */
  interrupt(): void {
    this.settle(undefined);
  }

  close(): void {
    this.reader.close();
  }

  private arrive(line: string): void {
    if (this.waiting === undefined) this.lines.push(line);
    else this.settle(line);
  }

  private settle(line: string | undefined): void {
    const waiting = this.waiting;
    this.waiting = undefined;
    waiting?.(line);
  }
}
