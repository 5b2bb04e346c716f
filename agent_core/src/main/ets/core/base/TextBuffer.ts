/** Pieces that are joined at once. */
const BLOCK: number = 256;

/**
 * Text that grows by small pieces. Adding a piece to a string keeps both alive behind a node of their own, which for pieces of
 * two letters is many times the text; here they are joined block by block.
 */
export class TextBuffer {
  private joined: string = '';
  private pieces: string[] = [];
  private chars: number = 0;

  /** UTF-16 code units. */
  get length(): number {
    return this.chars;
  }

  append(piece: string): void {
    this.chars += piece.length;
    if (this.pieces.push(piece) >= BLOCK) {
      this.join();
    }
  }

  toString(): string {
    this.join();
    return this.joined;
  }

  /** The text so far; the buffer is empty then. */
  take(): string {
    const text: string = this.toString();
    this.joined = '';
    this.chars = 0;
    return text;
  }

  private join(): void {
    if (this.pieces.length > 0) {
      const block: string = this.pieces.join('');
      this.joined = this.joined === '' ? block : this.joined + block;
      this.pieces = [];
    }
  }
}
