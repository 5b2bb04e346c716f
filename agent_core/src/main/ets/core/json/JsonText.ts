const QUOTE: number = 0x22;
const BACKSLASH: number = 0x5c;
const FIRST_PRINTABLE: number = 0x20;
const FIRST_SURROGATE: number = 0xd800;
const LAST_SURROGATE: number = 0xdfff;
/** Up to here a look at every character is the cheapest. */
const SHORT: number = 24;
/** Up to here one expression is cheaper than the native call. */
const MEDIUM: number = 256;
const SURROGATE: RegExp = /[\ud800-\udfff]/;
const NEEDS_ESCAPE: RegExp = /["\\\u0000-\u001f\ud800-\udfff]/;

/** How strings are spelled in JSON text. */
export class JsonText {
  /** The string literal with the escapes of ECMAScript; a lone surrogate becomes `\udXXX`. */
  static quote(text: string): string {
    const length: number = text.length;
    if (length > SHORT) {
      return length > MEDIUM || NEEDS_ESCAPE.test(text) ? JSON.stringify(text) : `"${text}"`;
    }
    for (let i: number = 0; i < length; i++) {
      const unit: number = text.charCodeAt(i);
      if (unit < FIRST_PRINTABLE || unit === QUOTE || unit === BACKSLASH ||
        (unit >= FIRST_SURROGATE && unit <= LAST_SURROGATE)) {
        return JSON.stringify(text);
      }
    }
    return `"${text}"`;
  }

  /** Whether a surrogate stands alone, so that the text has no UTF-8 form. */
  static hasLoneSurrogate(text: string): boolean {
    if (!SURROGATE.test(text)) {
      return false;
    }
    for (let i: number = 0; i < text.length; i++) {
      const point: number = text.codePointAt(i) as number;
      if (point >= FIRST_SURROGATE && point <= LAST_SURROGATE) {
        return true;
      }
      if (point > 0xffff) {
        i++;
      }
    }
    return false;
  }
}
