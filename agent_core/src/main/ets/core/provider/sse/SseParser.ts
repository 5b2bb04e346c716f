/** Receives what an event stream holds. Called synchronously from `SseParser.push`. */
export interface SseSink {
  /** One event: its data lines joined with LF. Never called for an event without a data line. */
  onEvent(data: string): void;
  /** A line that is neither field nor comment: not part of the format, but proxies and error pages put such lines there. */
  onForeignLine(line: string): void;
  /** A line or an event is longer than allowed; the parser takes nothing more. */
  onTooLarge(): void;
}

const LF: number = 0x0A;
const COLON: number = 0x3A;
const SPACE: number = 0x20;

/**
 * Server-sent events (WHATWG) from text in pieces of any size.
 *
 * CR, LF and CRLF end a line, also when the pair is cut in two; comments, `id`, `event` and `retry` are read over. Text is looked
 * at once: what waits for its line end is kept, never searched again.
 */
export class SseParser {
  private readonly sink: SseSink;
  private readonly maxChars: number;
  private pending: string = '';
  private data: string = '';
  private hasData: boolean = false;
  private skipLf: boolean = false;
  private stopped: boolean = false;

  /** @param maxChars longest line and longest event, in UTF-16 code units */
  constructor(sink: SseSink, maxChars: number) {
    this.sink = sink;
    this.maxChars = maxChars;
  }

  push(text: string): void {
    const end: number = text.length;
    let at: number = this.skipLf && end > 0 && text.charCodeAt(0) === LF ? 1 : 0;
    if (end > 0) {
      this.skipLf = false;
    }
    let cr: number = text.indexOf('\r', at);
    let lf: number = text.indexOf('\n', at);
    while (!this.stopped && (cr >= 0 || lf >= 0)) {
      const stop: number = cr >= 0 && (lf < 0 || cr < lf) ? cr : lf;
      this.takeLine(text, at, stop);
      at = stop + 1;
      if (stop === cr) {
        if (lf === at) {
          at++;
        } else if (at === end) {
          this.skipLf = true;
        }
        cr = text.indexOf('\r', at);
      }
      if (lf >= 0 && lf < at) {
        lf = text.indexOf('\n', at);
      }
    }
    if (!this.stopped && at < end) {
      this.pending = this.pending === '' ? text.substring(at) : this.pending + text.substring(at);
      this.checkSize(this.pending.length);
    }
  }

  /** No further event is told, not even one of the text that is being read. */
  stop(): void {
    this.stopped = true;
    this.pending = '';
    this.data = '';
    this.hasData = false;
  }

  /**
   * The body ended. A last line without line end is read; the event that no blank line closed is not told (WHATWG) but returned, so
   * that the caller can decide about it.
   */
  end(): string | undefined {
    if (!this.stopped && this.pending !== '') {
      const line: string = this.pending;
      this.pending = '';
      this.readLine(line, 0, line.length);
    }
    const unfinished: string | undefined = this.hasData ? this.data : undefined;
    this.stop();
    return unfinished;
  }

  private takeLine(text: string, from: number, to: number): void {
    if (this.pending === '') {
      this.readLine(text, from, to);
    } else {
      const line: string = this.pending + text.substring(from, to);
      this.pending = '';
      this.readLine(line, 0, line.length);
    }
  }

  private readLine(text: string, from: number, to: number): void {
    if (from === to) {
      this.dispatch();
    } else if (text.startsWith('data:', from)) {
      this.addData(text.substring(text.charCodeAt(from + 5) === SPACE ? from + 6 : from + 5, to));
    } else if (text.charCodeAt(from) !== COLON) {
      this.readOtherField(text.substring(from, to));
    }
  }

  private readOtherField(line: string): void {
    if (line === 'data') {
      this.addData('');
    } else if (!isField(line, 'id') && !isField(line, 'event') && !isField(line, 'retry')) {
      this.sink.onForeignLine(line);
    }
  }

  private addData(value: string): void {
    this.data = this.hasData ? this.data + '\n' + value : value;
    this.hasData = true;
    this.checkSize(this.data.length);
  }

  private dispatch(): void {
    if (this.hasData) {
      const complete: string = this.data;
      this.data = '';
      this.hasData = false;
      this.sink.onEvent(complete);
    }
  }

  private checkSize(length: number): void {
    if (length > this.maxChars && !this.stopped) {
      this.stop();
      this.sink.onTooLarge();
    }
  }
}

function isField(line: string, name: string): boolean {
  return line.startsWith(name) && (line.length === name.length || line.charCodeAt(name.length) === COLON);
}
