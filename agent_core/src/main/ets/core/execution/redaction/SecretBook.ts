import { CharClass } from './CharClass';
import { Placeholder } from './Placeholder';
import { SecretScan } from './SecretMatch';

/** Secrets that are looked for word by word in every text. */
const MAX_WATCHED: number = 256;
/** Secrets that keep a number of their own; beyond that they share 0. */
const MAX_NUMBERED: number = 10000;
const MIN_WATCHED: number = 6;
const MIN_PLAIN: number = 10;
/** A word, with what ties names and values around it. */
const PLAIN: RegExp = new RegExp('^[A-Za-z=:;,\'"\\\\ <>]*$');
const STANDS_ALONE_BELOW: number = 12;
const MIN_HELD: number = 4;

/**
 * The secrets of one session and the numbers of their placeholders: the same secret has the same placeholder, and one that was
 * met once is found again where no rule would see it. Lives in memory only.
 */
export class SecretBook {
  private readonly labels: Map<string, string> = new Map<string, string>();
  private readonly values: Map<string, string> = new Map<string, string>();
  private readonly watched: Set<string> = new Set<string>();
  private next: number;
  private readonly onNumber: (next: number) => void;

  /**
   * @param first the first number to give; above those that an earlier process gave
   * @param onNumber told of the next number whenever one was given, so that it can be stored with the session
   */
  constructor(first: number = 1, onNumber: (next: number) => void = (next: number): void => {
  }) {
    this.next = first;
    this.onNumber = onNumber;
  }

  /** `<kind>:<number>` of a secret, given on first sight. */
  labelOf(secret: string, kind: string): string {
    const known: string | undefined = this.labels.get(secret);
    if (known !== undefined) {
      return known;
    }
    if (this.labels.size >= MAX_NUMBERED) {
      return `${kind}:0`;
    }
    const label: string = `${kind}:${this.next}`;
    this.next++;
    this.onNumber(this.next);
    this.know(label, secret);
    return label;
  }

  /** A secret that an earlier process named. */
  know(label: string, secret: string): void {
    this.values.set(label, secret);
    for (const spelling of [secret, escaped(secret), percentEncoded(secret)]) {
      if (!this.labels.has(spelling)) {
        this.labels.set(spelling, label);
        this.watch(spelling);
      }
    }
    const number: number = Number(label.substring(label.indexOf(':') + 1));
    if (number >= this.next) {
      this.next = number + 1;
    }
  }

  /** The secret behind a label; undefined when this process has not met it, or when the label is shared. */
  valueOf(label: string): string | undefined {
    return this.values.get(label);
  }

  /** How many secrets are looked for word by word; grows when one was learned. */
  get watchedCount(): number {
    return this.watched.size;
  }

  /** Adds the places of known secrets to a scan. */
  find(scan: SecretScan): void {
    for (const secret of this.watched) {
      this.findOne(scan, secret);
      if (!scan.final) {
        holdBeginning(scan, secret);
      }
    }
  }

  private findOne(scan: SecretScan, secret: string): void {
    let at: number = scan.text.indexOf(secret);
    while (at >= 0) {
      const end: number = at + secret.length;
      const around: number = Placeholder.endAround(scan.text, at);
      if (around < 0 && (secret.length >= STANDS_ALONE_BELOW || standsAlone(scan.text, at, end))) {
        const label: string = this.labels.get(secret) ?? '';
        scan.add(at, end, label.substring(0, label.indexOf(':')));
      }
      at = scan.text.indexOf(secret, Math.max(end, around));
    }
  }

  /** Words and short numbers are everywhere: finding them again would only tear texts apart. */
  private watch(secret: string): void {
    const plain: boolean = secret.length < MIN_PLAIN && PLAIN.test(secret);
    if (secret.length >= MIN_WATCHED && !plain && this.watched.size < MAX_WATCHED) {
      this.watched.add(secret);
    }
  }
}

/** As it stands inside of a JSON string. */
function escaped(secret: string): string {
  const literal: string = JSON.stringify(secret);
  return literal.substring(1, literal.length - 1);
}

/** As it stands in a URL. */
function percentEncoded(secret: string): string {
  try {
    return encodeURIComponent(secret);
  } catch (e) {
    // A lone surrogate has no such form.
    return secret;
  }
}

/** Holds back what may be the beginning of a known secret at the end of a text. */
function holdBeginning(scan: SecretScan, secret: string): void {
  const head: string = secret.substring(0, MIN_HELD);
  let at: number = scan.text.indexOf(head, Math.max(0, scan.text.length - secret.length + 1));
  while (at >= 0) {
    if (secret.startsWith(scan.text.substring(at))) {
      scan.hold(at);
      return;
    }
    at = scan.text.indexOf(head, at + 1);
  }
}

function standsAlone(text: string, start: number, end: number): boolean {
  return !joins(text, start - 1, start) && !joins(text, end - 1, end);
}

function joins(text: string, left: number, right: number): boolean {
  return left >= 0 && right < text.length && (CharClass.of(text.charCodeAt(left)) & CharClass.ALNUM) !== 0 &&
    (CharClass.of(text.charCodeAt(right)) & CharClass.ALNUM) !== 0;
}
