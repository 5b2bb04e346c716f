/** Where a search for words stopped. */
export interface WordScan {
  /** Length of the word found at the place; 0 when there is none. */
  length: number;
  /** A longer word may still begin there: what is known of the text ends too early to tell. */
  open: boolean;
}

/** A fixed set of words and the question whether one of them stands at a place of a text. Immutable. */
export class WordList {
  /** UTF-16 code units of the longest word. */
  readonly longest: number;
  private readonly ignoreCase: boolean;
  /** By first code unit, longest first. */
  private readonly byFirst: Map<number, string[]> = new Map<number, string[]>();

  constructor(words: ReadonlyArray<string>, ignoreCase: boolean) {
    this.ignoreCase = ignoreCase;
    let longest: number = 0;
    for (const word of new Set<string>(words.map<string>((one: string) => this.fold(one)))) {
      const first: number = word.charCodeAt(0);
      const known: string[] = this.byFirst.get(first) ?? [];
      known.push(word);
      known.sort((a: string, b: string) => b.length - a.length);
      this.byFirst.set(first, known);
      longest = Math.max(longest, word.length);
    }
    this.longest = longest;
  }

  /**
   * The form that words are compared in: unit by unit and without regard to neighbours, so that a text folds to the same
   * whatever its pieces, and keeps its length.
   */
  fold(text: string): string {
    if (!this.ignoreCase) {
      return text;
    }
    if (ASCII.test(text)) {
      return text.toLowerCase();
    }
    let folded: string = '';
    for (let i: number = 0; i < text.length; i++) {
      folded += foldUnit(text.charAt(i));
    }
    return folded;
  }

  /** @param folded as `fold` gives it */
  mayBeginAt(folded: string, at: number): boolean {
    return this.byFirst.has(folded.charCodeAt(at));
  }

  /** @param whole nothing follows the text */
  scan(folded: string, at: number, whole: boolean): WordScan {
    const rest: number = folded.length - at;
    const scan: WordScan = { length: 0, open: false };
    for (const word of this.byFirst.get(folded.charCodeAt(at)) ?? []) {
      if (word.length > rest) {
        scan.open = scan.open || (!whole && word.startsWith(folded.substring(at)));
      } else if (folded.startsWith(word, at)) {
        scan.length = word.length;
        return scan;
      }
    }
    return scan;
  }
}

const ASCII: RegExp = new RegExp('^[\\x00-\\x7f]*$');

function foldUnit(unit: string): string {
  const upper: string = unit.toUpperCase();
  const lower: string = (upper.length === 1 ? upper : unit).toLowerCase();
  return lower.length === 1 ? lower : unit;
}
