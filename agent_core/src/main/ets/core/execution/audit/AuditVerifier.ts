import { JsonCodec } from '../../json/JsonCodec';
import { Digest } from '../../port/Digest';
import { AuditHead, AuditOpeningLine } from './AuditChain';
import { FieldCommitments } from './AuditFields';
import { AuditLine } from './AuditLine';

export enum AuditBreakKind {
  /** The first line is missing or is not one. */
  noOpening = 'no_opening',
  /** The line is no record, or is written differently. */
  unreadable = 'unreadable',
  /** The content is not what was hashed. */
  edited = 'edited',
  /** Records before this one are missing. */
  removed = 'removed',
  /** The record stands where another one belongs: moved or put in. */
  misplaced = 'misplaced',
  /** The file ends before its known end. */
  truncated = 'truncated',
  /** The records are in order among themselves, but are not those whose end is known. */
  replaced = 'replaced'
}

/** Where a chain is broken first. */
export interface AuditBreak {
  kind: AuditBreakKind;
  /** From 1. */
  line: number;
  /** Number that the record has, or should have where it is missing. */
  seq: number;
}

/** What a check found. */
export interface AuditVerdict {
  /** Records that are proved, without the first line. */
  records: number;
  firstBreak: AuditBreak | undefined;
  /** The last line has no end: the process died while it was written. No sign of tampering by itself. */
  torn: boolean;
  /** Fields that show only their commitment; also in a file that still has its salt, where somebody took them out. */
  hiddenFields: number;
  /** An export: the salt is left out. */
  redacted: boolean;
  /** Of the last record that is proved; undefined without any line. */
  head: AuditHead | undefined;
}

/** Checks a file line by line, so that its size does not matter; one verifier for one file. */
export class AuditVerifier {
  private readonly digest: Digest;
  private readonly known: AuditHead | undefined;
  private commitments: FieldCommitments | undefined = undefined;
  private head: AuditHead | undefined = undefined;
  private lines: number = 0;
  private broken: AuditBreak | undefined = undefined;
  private torn: boolean = false;
  private redacted: boolean = false;
  private knownSeen: boolean = false;
  private hidden: number = 0;
  private readonly codec: JsonCodec = new JsonCodec({ maxDepth: 3, maxChars: 64 * 1024 });

  /** @param known an end that was kept elsewhere; without it nobody can tell that the last records are missing */
  constructor(digest: Digest, known?: AuditHead) {
    this.digest = digest;
    this.known = known;
  }

  /** Checks a whole file at once. */
  static check(digest: Digest, text: string, known?: AuditHead): AuditVerdict {
    const verifier: AuditVerifier = new AuditVerifier(digest, known);
    const lines: string[] = text.split('\n');
    const last: string = lines.pop() ?? '';
    for (const line of lines) {
      verifier.add(line);
    }
    return verifier.end(last);
  }

  /** The next line, without its end. @returns its record, when it is proved; undefined for the first line and after a break */
  add(text: string): AuditLine | undefined {
    this.lines++;
    if (this.broken !== undefined) {
      return undefined;
    }
    if (this.lines === 1) {
      this.open(text);
      return undefined;
    }
    const line: AuditLine | undefined = AuditLine.parse(text, this.codec);
    const head: AuditHead = this.head as AuditHead;
    if (line === undefined) {
      return this.fail(AuditBreakKind.unreadable, head.seq + 1);
    }
    if (line.expectedHash(this.digest, this.commitments) !== line.hash) {
      return this.fail(AuditBreakKind.edited, line.seq);
    }
    if (line.seq !== head.seq + 1 || line.prev !== head.hash) {
      return this.fail(line.seq > head.seq + 1 ? AuditBreakKind.removed : AuditBreakKind.misplaced, line.seq);
    }
    const next: AuditHead = { seq: line.seq, hash: line.hash };
    this.hidden += line.hiddenFields;
    this.reach(next);
    return this.broken === undefined ? line : undefined;
  }

  /** @param rest what stands behind the last line end */
  end(rest: string = ''): AuditVerdict {
    this.torn = rest !== '';
    if (this.broken === undefined && this.lines === 0 && (this.known !== undefined || !this.torn)) {
      this.lines = 1;
      this.fail(AuditBreakKind.noOpening, 0);
    }
    if (this.broken === undefined && this.known !== undefined && !this.knownSeen) {
      this.lines++;
      this.fail(AuditBreakKind.truncated, (this.head?.seq ?? -1) + 1);
    }
    const verdict: AuditVerdict = {
      records: this.head?.seq ?? 0, firstBreak: this.broken, torn: this.torn, hiddenFields: this.hidden, redacted: this.redacted, head: this.head
    };
    return verdict;
  }

  private open(text: string): void {
    const opening: AuditOpeningLine | undefined = AuditOpeningLine.parse(this.digest, text);
    if (opening === undefined) {
      this.fail(AuditBreakKind.noOpening, 0);
      return;
    }
    this.redacted = opening.salt === undefined;
    this.commitments = opening.salt === undefined ? undefined : new FieldCommitments(this.digest, opening.salt);
    const head: AuditHead = { seq: 0, hash: opening.hash(this.digest) };
    this.reach(head);
  }

  private reach(head: AuditHead): void {
    if (this.known !== undefined && this.known.seq === head.seq) {
      if (this.known.hash !== head.hash) {
        this.fail(AuditBreakKind.replaced, head.seq);
        return;
      }
      this.knownSeen = true;
    }
    this.head = head;
  }

  private fail(kind: AuditBreakKind, seq: number): undefined {
    const found: AuditBreak = { kind: kind, line: this.lines, seq: seq };
    this.broken = found;
    return undefined;
  }
}
