import { Redactor } from './Redactor';
import { SecretScan } from './SecretMatch';

/** Raw text before a piece that is looked at again, so that a name or a prefix in the last piece still counts. */
const CONTEXT: number = 96;
/** The same in words: a name, a scheme, and what has begun. */
const CONTEXT_WORDS: number = 3;
/** The longest text that is held back; a longer one is decided as it stands. */
const MAX_HELD: number = 32768;
/** Held back at the end of each piece where the app has rules of its own. */
const RULE_MARGIN: number = 32;

/**
 * Redaction over the pieces of a stream: a secret that comes in two pieces is masked like one that comes whole. Only what may be
 * the beginning of a secret waits; everything else goes on at once.
 */
export class RedactingChunkFilter {
  private readonly redactor: Redactor;
  /** Raw text that was shown, or masked, last. */
  private context: string = '';
  private held: string = '';

  constructor(redactor: Redactor) {
    this.redactor = redactor;
  }

  /** @returns what may be shown now; may be empty */
  push(piece: string): string {
    return this.take(this.context + this.held + piece, false);
  }

  /** @returns the rest; the filter can be used again */
  flush(): string {
    if (this.held === '') {
      this.context = '';
      return '';
    }
    const rest: string = this.take(this.context + this.held, true);
    this.context = '';
    return rest;
  }

  private take(text: string, final: boolean): string {
    const shown: number = this.context.length;
    let scan: SecretScan = this.redactor.scan(text, final);
    let open: number = scan.openFrom;
    if (!final && this.redactor.hasRules) {
      open = Math.min(open, Math.max(shown, text.length - RULE_MARGIN));
    }
    if (text.length - Math.max(open, shown) > MAX_HELD) {
      scan = this.redactor.scan(text, true);
      open = text.length;
    }
    const until: number = Math.max(shown, this.behindMatch(scan, open));
    this.held = text.substring(until);
    this.context = text.substring(Math.min(open, contextStart(text, until)), until);
    return scan.matches.length === 0 ? text.substring(shown, until) : this.redactor.masked(scan, shown, until);
  }

  /** A match is shown whole or not at all. */
  private behindMatch(scan: SecretScan, open: number): number {
    for (const match of scan.matches) {
      if (match.start < open && match.end > open) {
        return match.start;
      }
    }
    return open;
  }
}

/** Where the last words before a place begin. */
function contextStart(text: string, until: number): number {
  const least: number = Math.max(0, until - CONTEXT);
  let words: number = 0;
  let at: number = until;
  while (at > least) {
    if (text.charCodeAt(at - 1) === 0x20) {
      words++;
      if (words > CONTEXT_WORDS) {
        return at;
      }
    }
    at--;
  }
  return at;
}
