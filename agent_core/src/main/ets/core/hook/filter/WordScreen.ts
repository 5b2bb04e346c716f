import { WordList, WordScan } from './WordList';

/** What may go on. */
export interface ScreenedText {
  text: string;
  /** A word was in it; replaced. */
  found: boolean;
}

/**
 * Looks for words in a text that comes in pieces, and holds back what may be the beginning of one: at most the longest word
 * less one unit. Of words at one place the longest counts, whatever the pieces are.
 */
export class WordScreen {
  private readonly words: WordList;
  private readonly replacement: string;
  private held: string = '';

  constructor(words: WordList, replacement: string) {
    this.words = words;
    this.replacement = replacement;
  }

  /** UTF-16 code units that are held back. */
  get holding(): number {
    return this.held.length;
  }

  /** @param last no further piece comes: nothing is held back any more */
  next(piece: string, last: boolean): ScreenedText {
    const text: string = this.held + piece;
    const folded: string = this.words.fold(text);
    const screened: ScreenedText = { text: '', found: false };
    let at: number = 0;
    let copied: number = 0;
    while (at < text.length) {
      if (!this.words.mayBeginAt(folded, at)) {
        at++;
        continue;
      }
      const scan: WordScan = this.words.scan(folded, at, last);
      if (scan.open) {
        break;
      }
      if (scan.length === 0) {
        at++;
        continue;
      }
      screened.text += text.substring(copied, at) + this.replacement;
      screened.found = true;
      at += scan.length;
      copied = at;
    }
    screened.text += text.substring(copied, at);
    this.held = text.substring(at);
    return screened;
  }
}
