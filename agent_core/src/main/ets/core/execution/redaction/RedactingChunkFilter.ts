import { Redactor } from './Redactor';
import { SecretScan } from './SecretMatch';

/** Raw text before a piece that is looked at again, so that a name or a prefix in the last piece still counts. */
const CONTEXT: number = 96;
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
    this.context = text.substring(Math.max(0, Math.min(open, until - CONTEXT)), until);
    return this.redactor.masked(scan, shown, until);
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
