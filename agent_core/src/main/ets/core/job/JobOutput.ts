import { cutAtCodePoint } from '../execution/filter/ResultFilter';

/** The last lines that a job reported, in memory and bounded: they die with the process. */
export class JobOutput {
  /** Lines that are kept. */
  static readonly MAX_LINES: number = 200;
  /** UTF-16 code units of a line that are kept. */
  static readonly MAX_LINE_CHARS: number = 500;
  private lines: string[] = [];
  private dropped: number = 0;

  add(text: string): void {
    const recent: string = text.substring(text.length - JobOutput.MAX_LINES * JobOutput.MAX_LINE_CHARS);
    for (const line of recent.split('\n').slice(-JobOutput.MAX_LINES)) {
      this.lines.push(cutAtCodePoint(line, JobOutput.MAX_LINE_CHARS));
    }
    // Halved rather than shifted: a job that reports without end costs no copy per line.
    if (this.lines.length > 2 * JobOutput.MAX_LINES) {
      this.dropped += this.lines.length - JobOutput.MAX_LINES;
      this.lines = this.lines.slice(-JobOutput.MAX_LINES);
    }
  }

  /** Lines that were reported; of a report that is longer than what is kept only its end counts. */
  get total(): number {
    return this.dropped + this.lines.length;
  }

  /** @param count at most so many, and never more than are kept */
  tail(count: number): ReadonlyArray<string> {
    const wanted: number = Math.min(JobOutput.MAX_LINES, Math.max(0, Math.floor(count)));
    return wanted === 0 ? [] : this.lines.slice(-wanted);
  }
}
