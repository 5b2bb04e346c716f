const QUOTE: number = 0x22;
const COMMA: number = 0x2c;
const MINUS: number = 0x2d;
const DOT: number = 0x2e;
const ZERO: number = 0x30;
const NINE: number = 0x39;
const OPEN_ARRAY: number = 0x5b;
const BACKSLASH: number = 0x5c;
const CLOSE_ARRAY: number = 0x5d;
const OPEN_OBJECT: number = 0x7b;
const CLOSE_OBJECT: number = 0x7d;
const EXPONENT: number = 0x65;
const TO_LOWER_CASE: number = 0x20;
/** Every integer of at most this many digits is exact in a double. */
const SAFE_DIGITS: number = 15;

/**
 * One linear look over a text before native parsing: how deep it is and whether the native result would lose something.
 *
 * It decides nothing about syntax. On text that is no JSON its findings mean nothing but are bounded, and the parsers
 * refuse such text anyway. Strings are crossed by native search, which is what makes the look cheap.
 */
export class JsonPrescan {
  /** Levels of nesting seen; scanning stops at the first level above the limit. */
  depth: number = 0;
  /** An object has keys that a native object would list in another order, such as "10" before "9". */
  integerKeys: boolean = false;
  /** A number is too large for a double. */
  overflow: boolean = false;
  /** Where the first number above 2^53 - 1 in magnitude begins; -1 when there is none. */
  unsafeOffset: number = -1;
  private readonly escapedRun: RegExp = /[^"\\]*(?:\\[\s\S][^"\\]*){0,200}/y;
  /** Numbers of a list that cannot matter: at most fifteen digits before the point, no exponent. */
  private readonly plainNumbers: RegExp = /(?:-?[0-9]{1,15}(?:\.[0-9]+)?(?=[,\]\s])[,\s]*){1,200}/y;
  private readonly integerKey: RegExp = /(?:[0-9]|\\u003[0-9]){1,32}"[ \t\r\n]*:/y;
  private readonly number: RegExp = /[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;

  /** The findings replace those of the scan before. @returns false when native parsing must not be used */
  scan(text: string, maxDepth: number): boolean {
    this.depth = 0;
    this.integerKeys = false;
    this.overflow = false;
    this.unsafeOffset = -1;
    const length: number = text.length;
    let level: number = 0;
    let deepest: number = 0;
    let i: number = 0;
    while (i < length) {
      const unit: number = text.charCodeAt(i);
      if (unit === QUOTE) {
        i = this.skipString(text, i + 1) + 1;
      } else if (unit >= ZERO && unit <= NINE) {
        i = this.skipDigits(text, i);
      } else {
        if (unit === OPEN_OBJECT || unit === OPEN_ARRAY) {
          level++;
          if (level > deepest) {
            deepest = level;
            if (deepest > maxDepth) {
              break;
            }
          }
        } else if (unit === CLOSE_OBJECT || unit === CLOSE_ARRAY) {
          level--;
        }
        i++;
      }
    }
    this.depth = deepest;
    return deepest <= maxDepth && !this.integerKeys && !this.overflow;
  }

  /** @returns the offset of the closing quote, or the length of the text */
  private skipString(text: string, start: number): number {
    const first: number = text.charCodeAt(start);
    if ((first >= ZERO && first <= NINE) || first === BACKSLASH) {
      this.noteKey(text, start);
    }
    const end: number = text.indexOf('"', start);
    if (end < 0) {
      return text.length;
    }
    return text.charCodeAt(end - 1) === BACKSLASH ? this.skipEscaped(text, start) : end;
  }

  /** In bounded steps: an expression over the whole string would need stack in proportion to its escapes. */
  private skipEscaped(text: string, start: number): number {
    let i: number = start;
    while (i < text.length && text.charCodeAt(i) !== QUOTE) {
      this.escapedRun.lastIndex = i;
      this.escapedRun.test(text);
      if (this.escapedRun.lastIndex <= i) {
        return text.length;
      }
      i = this.escapedRun.lastIndex;
    }
    return i;
  }

  private noteKey(text: string, start: number): void {
    if (!this.integerKeys) {
      this.integerKey.lastIndex = start;
      this.integerKeys = this.integerKey.test(text);
    }
  }

  private skipDigits(text: string, start: number): number {
    const before: number = text.charCodeAt(start - 1);
    if (before === COMMA || before === OPEN_ARRAY || before === MINUS) {
      this.plainNumbers.lastIndex = start;
      if (this.plainNumbers.test(text)) {
        return this.plainNumbers.lastIndex;
      }
    }
    let end: number = start + 1;
    let unit: number = text.charCodeAt(end);
    while (unit >= ZERO && unit <= NINE) {
      end++;
      unit = text.charCodeAt(end);
    }
    const hasExponent: boolean = (unit | TO_LOWER_CASE) === EXPONENT;
    if (hasExponent || (end - start > SAFE_DIGITS && before !== DOT)) {
      return this.noteNumber(text, start, end);
    }
    return end;
  }

  /** A long integer part, or an exponent: only the value of the whole number tells whether it matters. */
  private noteNumber(text: string, start: number, end: number): number {
    let from: number = start;
    if (text.charCodeAt(from - 1) === DOT) {
      from--;
      while (from > 0 && text.charCodeAt(from - 1) >= ZERO && text.charCodeAt(from - 1) <= NINE) {
        from--;
      }
    }
    this.number.lastIndex = from;
    if (!this.number.test(text)) {
      return end;
    }
    const after: number = this.number.lastIndex;
    const value: number = Number(text.slice(from, after));
    if (value > Number.MAX_SAFE_INTEGER) {
      this.overflow = this.overflow || value === Infinity;
      if (this.unsafeOffset < 0) {
        this.unsafeOffset = text.charCodeAt(from - 1) === MINUS ? from - 1 : from;
      }
    }
    return Math.max(after, end);
  }
}
