/** Classes of ASCII characters, for passes over texts that may be large. Everything that is not ASCII belongs to none. */
export class CharClass {
  static readonly DIGIT: number = 1;
  static readonly LOWER: number = 2;
  static readonly UPPER: number = 4;
  /** `_` and `-`. */
  static readonly JOINER: number = 8;
  static readonly BLANK: number = 16;
  static readonly ALNUM: number = 7;
  /** What names and keys are written with. */
  static readonly WORD: number = 15;

  static of(code: number): number {
    return code < 128 ? TABLE[code] : 0;
  }

  /** Where a run of characters of the classes ends. */
  static runEnd(text: string, from: number, mask: number): number {
    const length: number = text.length;
    const table: Uint8Array = TABLE;
    let at: number = from;
    while (at < length) {
      const code: number = text.charCodeAt(at);
      if (code >= 128 || (table[code] & mask) === 0) {
        break;
      }
      at++;
    }
    return at;
  }

  /** All classes that occur in a stretch. */
  static seen(text: string, start: number, end: number): number {
    let classes: number = 0;
    for (let at: number = start; at < end; at++) {
      classes |= CharClass.of(text.charCodeAt(at));
    }
    return classes;
  }

  /** The longest run of letters and digits in a stretch. */
  static longestRun(text: string, start: number, end: number): number {
    let longest: number = 0;
    let run: number = 0;
    for (let at: number = start; at < end; at++) {
      run = (CharClass.of(text.charCodeAt(at)) & CharClass.ALNUM) !== 0 ? run + 1 : 0;
      if (run > longest) {
        longest = run;
      }
    }
    return longest;
  }

  /** Lower- or upper-case hexadecimal digits only. */
  static isHex(text: string, start: number, end: number): boolean {
    for (let at: number = start; at < end; at++) {
      const code: number = text.charCodeAt(at) | 0x20;
      const digit: boolean = code >= 0x30 && code <= 0x39 && (CharClass.of(text.charCodeAt(at)) & CharClass.DIGIT) !== 0;
      if (!digit && !(code >= 0x61 && code <= 0x66)) {
        return false;
      }
    }
    return end > start;
  }
}

function classOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) {
    return CharClass.DIGIT;
  }
  if (code >= 0x61 && code <= 0x7a) {
    return CharClass.LOWER;
  }
  if (code >= 0x41 && code <= 0x5a) {
    return CharClass.UPPER;
  }
  if (code === 0x5f || code === 0x2d) {
    return CharClass.JOINER;
  }
  return code === 0x20 || (code >= 0x09 && code <= 0x0d) ? CharClass.BLANK : 0;
}

function table(): Uint8Array {
  const made: Uint8Array = new Uint8Array(128);
  for (let code: number = 0; code < 128; code++) {
    made[code] = classOf(code);
  }
  return made;
}

const TABLE: Uint8Array = table();
