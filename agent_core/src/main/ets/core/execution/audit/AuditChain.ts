import { JsonCodec } from '../../json/JsonCodec';
import { JsonObject } from '../../json/JsonObject';
import { ArkAgentError } from '../../base/ArkAgentError';
import { Result } from '../../base/Result';
import { AuditRecord } from '../../port/AuditSink';
import { Digest } from '../../port/Digest';
import { AUDIT_FIELDS, FieldCommitments, auditFieldOf } from './AuditFields';
import { AuditLine, quote } from './AuditLine';

/** Where a chain ends: kept outside of the file, it shows that the end of the file was cut off. */
export interface AuditHead {
  /** Number of the last record; 0 is the first line of the file. */
  seq: number;
  hash: string;
}

const FORMAT: string = 'arkagent-audit-1';

/** The first line of a file: its format and its salt, or what is left of the salt in an export. */
export class AuditOpeningLine {
  /** undefined in an export. */
  readonly salt: string | undefined;
  readonly saltHash: string;

  private constructor(salt: string | undefined, saltHash: string) {
    this.salt = salt;
    this.saltHash = saltHash;
  }

  static of(digest: Digest, salt: string): AuditOpeningLine {
    return new AuditOpeningLine(salt, digest.sha256Hex(`${salt}\nsalt`));
  }

  /** undefined for text that is not exactly how a first line is written. */
  static parse(digest: Digest, text: string): AuditOpeningLine | undefined {
    const parsed: Result<JsonObject, ArkAgentError> = new JsonCodec().parseObject(text);
    if (!parsed.ok) {
      return undefined;
    }
    const salt: string | undefined = parsed.value.getString('salt');
    const line: AuditOpeningLine = salt !== undefined ? AuditOpeningLine.of(digest, salt) :
      new AuditOpeningLine(undefined, parsed.value.getObject('salt')?.getString('c') ?? '');
    return line.write(digest) === text ? line : undefined;
  }

  hash(digest: Digest): string {
    return digest.sha256Hex(`${FORMAT}\n${this.saltHash}`);
  }

  write(digest: Digest): string {
    const shown: string = this.salt === undefined ? `{"c":${quote(this.saltHash)}}` : quote(this.salt);
    return `{"seq":0,"format":"${FORMAT}","salt":${shown},"hash":"${this.hash(digest)}"}`;
  }

  /** The same without the salt. */
  sealed(): AuditOpeningLine {
    return new AuditOpeningLine(undefined, this.saltHash);
  }
}

/** Turns records into lines, each bound to the one before by a SHA-256 hash. */
export class AuditChain {
  private readonly digest: Digest;
  private readonly commitments: FieldCommitments;
  private end: AuditHead;

  /** @param end of what is in the file already */
  constructor(digest: Digest, salt: string, end: AuditHead) {
    this.digest = digest;
    this.commitments = new FieldCommitments(digest, salt);
    this.end = end;
  }

  /** The last line that was made. */
  get head(): AuditHead {
    return this.end;
  }

  /** The line of a record, with line end. */
  seal(entry: AuditRecord): string {
    const seq: number = this.end.seq + 1;
    const open: string = AuditLine.head(seq, this.end.hash, entry.timeMs, entry.position) +
      AuditLine.words(entry.step, entry.decision, entry.code);
    const commitments: string[] = [];
    let fields: string = '';
    for (const field of AUDIT_FIELDS) {
      const value: string = auditFieldOf(entry, field);
      commitments.push(this.commitments.of(field, value));
      fields += `,"${field}":${quote(value)}`;
    }
    const hash: string = this.digest.sha256Hex(AuditLine.hashed(open, commitments));
    const next: AuditHead = { seq: seq, hash: hash };
    this.end = next;
    return `${open}${fields},"hash":"${hash}"}\n`;
  }
}
