const ONE_BYTE: number = 0x80;
const TWO_BYTES: number = 0x800;
const FIRST_HIGH: number = 0xd800;
const LAST_HIGH: number = 0xdbff;
const ASCII: RegExp = /^[\x00-\x7f]*$/;

/** Size of texts as they lie in a file. */
export class Utf8Length {
  /** Bytes of the UTF-8 form; a lone surrogate counts as the three bytes of U+FFFD. */
  static of(text: string): number {
    if (ASCII.test(text)) {
      return text.length;
    }
    let bytes: number = 0;
    for (let i: number = 0; i < text.length; i++) {
      const unit: number = text.charCodeAt(i);
      if (unit < ONE_BYTE) {
        bytes += 1;
      } else if (unit < TWO_BYTES) {
        bytes += 2;
      } else if (unit >= FIRST_HIGH && unit <= LAST_HIGH && (text.codePointAt(i) as number) > 0xffff) {
        bytes += 4;
        i++;
      } else {
        bytes += 3;
      }
    }
    return bytes;
  }
}
