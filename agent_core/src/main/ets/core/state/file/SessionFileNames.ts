import { Digest } from '../../port/Digest';

/** Longest stem that is written out; what is longer is cut and gets a digest. */
const MAX_STEM: number = 100;
const CUT_STEM: number = 40;
const DIGEST_CHARS: number = 40;
/** Device names of some systems, which must not be the stem of a file. */
const RESERVED: RegExp = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/;
const NUMBER: RegExp = /^[0-9]+$/;
const PLAIN: RegExp = /^[a-z0-9_-]$/;

/**
 * Where the files of one session lie.
 *
 * Any session id becomes a stem of lower-case letters, digits, `_`, `-`, `%` and `~`: other characters are written as the
 * hexadecimal of their UTF-8 bytes. So no id can name a path, two ids never share a file on a file system that ignores case
 * or normalizes Unicode, and a stem has no dot, which separates it from the kinds of files below.
 */
export class SessionFileNames {
  readonly directory: string;
  readonly stem: string;
  private readonly base: string;

  constructor(directory: string, stem: string) {
    this.directory = directory;
    this.stem = stem;
    this.base = `${directory}/${stem}`;
  }

  static of(directory: string, sessionId: string, digest: Digest): SessionFileNames {
    return new SessionFileNames(directory, SessionFileNames.encode(sessionId, digest));
  }

  static encode(text: string, digest: Digest): string {
    let encoded: string = '';
    for (const character of text) {
      encoded += PLAIN.test(character) ? character : SessionFileNames.hex(character.codePointAt(0) as number);
    }
    if (RESERVED.test(encoded)) {
      return SessionFileNames.hex(encoded.charCodeAt(0)) + encoded.slice(1);
    }
    return encoded.length <= MAX_STEM ? encoded :
      `${encoded.slice(0, CUT_STEM)}~${digest.sha256Hex(encoded).slice(0, DIGEST_CHARS)}`;
  }

  /** @returns the session id, or undefined for a stem that was cut */
  static decode(stem: string): string | undefined {
    try {
      return stem.includes('~') ? undefined : decodeURIComponent(stem);
    } catch (e) {
      // A stem that encode() did not write, or a lone surrogate: nobody can say which session it was.
      return undefined;
    }
  }

  /** The newest whole state. */
  get snapshot(): string {
    return `${this.base}.json`;
  }

  /** The whole state before that, with its log. */
  get previous(): string {
    return `${this.base}.prev.json`;
  }

  /** A broken whole state. While it is there the session takes no commit. */
  get quarantine(): string {
    return `${this.base}.corrupt.json`;
  }

  /** A broken log. */
  get quarantinedLog(): string {
    return `${this.base}.corrupt.log`;
  }

  /** Held during a commit. */
  get claim(): string {
    return `${this.base}.lock`;
  }

  /** An empty file whose renaming marks the session, because that needs no space. */
  get spare(): string {
    return `${this.base}.spare`;
  }

  /** What was committed after the whole state of a revision. */
  log(revision: number): string {
    return `${this.base}.${revision}.log`;
  }

  /** @returns the revision when a file name is that of a log of this session */
  logRevision(name: string): number | undefined {
    if (!name.startsWith(`${this.stem}.`) || !name.endsWith('.log')) {
      return undefined;
    }
    const middle: string = name.slice(this.stem.length + 1, -'.log'.length);
    return NUMBER.test(middle) ? Number(middle) : undefined;
  }

  /** There while exactly this state takes no more work. */
  stopped(revision: number, incarnation: string, digest: Digest): string {
    return `${this.base}.${revision}.${SessionFileNames.encode(incarnation, digest)}.stopped`;
  }

  temporary(ownerId: string): string {
    return `${this.base}.tmp-${ownerId}`;
  }

  private static hex(point: number): string {
    if (point < 0x80) {
      return SessionFileNames.byte(point);
    }
    let tail: string = SessionFileNames.byte(0x80 | (point & 0x3f));
    let rest: number = point >> 6;
    let firstBits: number = 0x1f;
    while (rest > firstBits) {
      tail = SessionFileNames.byte(0x80 | (rest & 0x3f)) + tail;
      rest = rest >> 6;
      firstBits = firstBits >> 1;
    }
    return SessionFileNames.byte((~(firstBits * 2 + 1) & 0xff) | rest) + tail;
  }

  private static byte(value: number): string {
    return `%${value < 16 ? '0' : ''}${value.toString(16)}`;
  }
}
