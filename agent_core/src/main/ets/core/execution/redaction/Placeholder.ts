/** What stands in the place of a secret: `[secret:<kind>:<number>]`. */
export class Placeholder {
  static readonly OPENING: string = '[secret:';

  static of(label: string): string {
    return `${Placeholder.OPENING}${label}]`;
  }

  /** Costs one native search; nearly every text has none. */
  static isIn(text: string): boolean {
    return text.indexOf(Placeholder.OPENING) >= 0;
  }

  /** The labels (`<kind>:<number>`) of the placeholders in a text, each once, in order. */
  static labels(text: string): ReadonlyArray<string> {
    const found: Set<string> = new Set<string>();
    if (Placeholder.isIn(text)) {
      const pattern: RegExp = new RegExp(PATTERN, 'g');
      let match: RegExpExecArray | null = pattern.exec(text);
      while (match !== null) {
        found.add(match[1]);
        match = pattern.exec(text);
      }
    }
    return Array.from(found);
  }

  /** Puts something in the place of each placeholder; one without a value stays. */
  static replace(text: string, valueOf: (label: string) => string | undefined): string {
    if (!Placeholder.isIn(text)) {
      return text;
    }
    const pattern: RegExp = new RegExp(PATTERN, 'g');
    let out: string = '';
    let copied: number = 0;
    let match: RegExpExecArray | null = pattern.exec(text);
    while (match !== null) {
      const value: string | undefined = valueOf(match[1]);
      if (value !== undefined) {
        out += text.substring(copied, match.index) + value;
        copied = match.index + match[0].length;
      }
      match = pattern.exec(text);
    }
    return copied === 0 ? text : out + text.substring(copied);
  }

  /** Where the placeholder that a position lies in ends; -1 when it lies in none. */
  static endAround(text: string, at: number): number {
    const window: number = Math.max(0, at - MAX_CHARS);
    const inWindow: number = text.substring(window, at + Placeholder.OPENING.length).lastIndexOf(Placeholder.OPENING);
    if (inWindow < 0) {
      return -1;
    }
    const start: number = window + inWindow;
    const length: number = text.substring(start, start + MAX_CHARS).indexOf(']');
    return length >= 0 && start + length >= at ? start + length + 1 : -1;
  }
}

const PATTERN: string = '\\[secret:([a-z0-9-]{1,40}:[0-9]{1,9})\\]';
const MAX_CHARS: number = 60;
