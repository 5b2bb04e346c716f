import { CharClass } from './CharClass';
import { Placeholder } from './Placeholder';

/** Words that stand where a secret would and are none. */
const NO_VALUES: ReadonlySet<string> = new Set<string>(['null', 'none', 'undefined', 'true', 'false', 'required', 'optional', 'string',
  'redacted', 'masked', 'hidden', 'empty', 'unset', 'missing', 'invalid']);

/** First characters of references, templates and masks: `$TOKEN`, `<your-key>`, `{{key}}`, `%KEY%`, `[REDACTED]`, `****`. */
/** UTF-16 code units that are looked at: a longer value shows its nature by then. */
const MAX_LOOK: number = 100;
const REFERENCE_STARTS: string = '$<{%[*';

/** Whether a value beside a telling name is a secret, or only speaks of one. */
export class Credential {
  /** A variable, a template, a mask, a placeholder or a word for "nothing". */
  static isReference(text: string, start: number, end: number): boolean {
    if (end <= start || REFERENCE_STARTS.includes(text.charAt(start))) {
      return true;
    }
    if (end - start <= 10 && NO_VALUES.has(text.substring(start, end).toLowerCase())) {
      return true;
    }
    const value: string = text.substring(start, Math.min(end, start + MAX_LOOK));
    return value.includes('****') || Placeholder.isIn(value) || startsWithYour(value);
  }

  /** A letter and a digit at least: words and numbers are no keys. */
  static isMixed(text: string, start: number, end: number): boolean {
    const seen: number = CharClass.seen(text, start, Math.min(end, start + MAX_LOOK));
    return (seen & CharClass.DIGIT) !== 0 && (seen & (CharClass.LOWER | CharClass.UPPER)) !== 0;
  }

  /** As `isMixed`, or both cases beyond a capital at the start: what base64 looks like. */
  static isOpaque(text: string, start: number, end: number): boolean {
    if (Credential.isMixed(text, start, end)) {
      return true;
    }
    const inner: number = CharClass.seen(text, start + 1, Math.min(end, start + MAX_LOOK));
    return (inner & CharClass.UPPER) !== 0 && (inner & CharClass.LOWER) !== 0;
  }
}

function startsWithYour(value: string): boolean {
  const head: string = value.substring(0, 5).toLowerCase();
  return head === 'your-' || head === 'your_';
}
