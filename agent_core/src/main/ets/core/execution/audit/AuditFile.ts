import { JsonCodec } from '../../json/JsonCodec';
import { Result } from '../../base/Result';
import { Digest } from '../../port/Digest';
import { FileError, FileErrorKind, FileSystem } from '../../port/FileSystem';
import { IdGenerator } from '../../port/IdGenerator';
import { AuditChain, AuditHead, AuditOpeningLine } from './AuditChain';
import { FieldCommitments } from './AuditFields';
import { AuditLine } from './AuditLine';

/** What was found when a file was taken up. */
export enum AuditOpening {
  /** There was no file. */
  created = 'created',
  /** The chain goes on. */
  continued = 'continued',
  /** As continued; a half-written line at the end was dropped. */
  tornTailDropped = 'torn_tail_dropped',
  /** The end does not hold or is not where it was: the file was kept under another name, and a new chain begins. */
  brokenSetAside = 'broken_set_aside'
}

/** A chain that can be written to. */
export interface OpenedChain {
  chain: AuditChain;
  opening: AuditOpening;
}

/** The ends of a file as it lies there. */
interface Found {
  salt: string;
  head: AuditHead;
  /** Bytes up to the end of the last whole line. */
  bytes: number;
  torn: boolean;
}

const NOT_ASCII: RegExp = /[^\x00-\x7f]/;
const HEAD: RegExp = /^([0-9]{1,15}) ([0-9a-f]{64})\n$/;

/**
 * The file of a chain, `PATH`, and its end, `PATH.head`. One owner at a time: two that write at once break the chain.
 *
 * Taking a file up reads its last record, not all of them: checking is for `AuditVerifier`.
 */
export class AuditFile {
  readonly path: string;
  private readonly files: FileSystem;
  private readonly digest: Digest;
  private readonly ids: IdGenerator;

  constructor(files: FileSystem, digest: Digest, ids: IdGenerator, path: string) {
    this.files = files;
    this.digest = digest;
    this.ids = ids;
    this.path = path;
  }

  /** The end of a chain as `PATH.head` tells it; undefined when it tells none. */
  static parseHead(text: string): AuditHead | undefined {
    const found: RegExpMatchArray | null = text.match(HEAD);
    if (found === null) {
      return undefined;
    }
    const head: AuditHead = { seq: Number(found[1]), hash: found[2] };
    return head;
  }

  /** Errors: those of the file system. */
  async open(): Promise<Result<OpenedChain, FileError>> {
    const text: Result<string, FileError> = await this.files.readText(this.path);
    if (!text.ok) {
      return text.error.kind === FileErrorKind.notFound ? this.create(AuditOpening.created) : text.recast<OpenedChain>();
    }
    const found: Found | undefined = this.inspect(text.value);
    if (found === undefined || !(await this.reachesHead(found.head))) {
      return this.setAside();
    }
    if (found.torn) {
      const cut: Result<boolean, FileError> = await this.files.truncate(this.path, found.bytes);
      if (!cut.ok) {
        return cut.recast<OpenedChain>();
      }
    }
    const opened: OpenedChain = {
      chain: new AuditChain(this.digest, found.salt, found.head),
      opening: found.torn ? AuditOpening.tornTailDropped : AuditOpening.continued
    };
    return Result.success<OpenedChain, FileError>(opened);
  }

  append(text: string, durable: boolean): Promise<Result<boolean, FileError>> {
    return this.files.append(this.path, text, durable);
  }

  /** Notes where the chain ends; a note that is behind the file says less and is never wrong. */
  async noteHead(head: AuditHead): Promise<Result<boolean, FileError>> {
    const next: string = `${this.path}.head.new`;
    await this.files.unlink(next);
    const written: Result<boolean, FileError> = await this.files.writeNew(next, `${head.seq} ${head.hash}\n`, false);
    return written.ok ? this.files.rename(next, `${this.path}.head`) : written;
  }

  private async create(opening: AuditOpening): Promise<Result<OpenedChain, FileError>> {
    const salt: string = this.digest.sha256Hex(`${this.ids.nextId()}\n${this.ids.nextId()}`);
    const first: AuditOpeningLine = AuditOpeningLine.of(this.digest, salt);
    const written: Result<boolean, FileError> =
      await this.files.writeNew(this.path, `${first.write(this.digest)}\n`, false);
    if (!written.ok) {
      return written.recast<OpenedChain>();
    }
    const head: AuditHead = { seq: 0, hash: first.hash(this.digest) };
    const opened: OpenedChain = { chain: new AuditChain(this.digest, salt, head), opening: opening };
    return Result.success<OpenedChain, FileError>(opened);
  }

  /** Nothing is ever removed: what does not hold is evidence. */
  private async setAside(): Promise<Result<OpenedChain, FileError>> {
    const name: string = `${this.path}.broken-${this.ids.nextId()}`;
    const moved: Result<boolean, FileError> = await this.files.rename(this.path, name);
    if (!moved.ok) {
      return moved.recast<OpenedChain>();
    }
    await this.files.rename(`${this.path}.head`, `${name}.head`);
    return this.create(AuditOpening.brokenSetAside);
  }

  private async reachesHead(end: AuditHead): Promise<boolean> {
    const text: Result<string, FileError> = await this.files.readText(`${this.path}.head`);
    const known: AuditHead | undefined = text.ok ? AuditFile.parseHead(text.value) : undefined;
    return known === undefined || known.seq < end.seq || (known.seq === end.seq && known.hash === end.hash);
  }

  /** @returns undefined when the last whole line does not hold */
  private inspect(text: string): Found | undefined {
    const end: number = text.lastIndexOf('\n') + 1;
    const whole: string = text.substring(0, end);
    const firstEnd: number = whole.indexOf('\n');
    if (firstEnd < 0 || NOT_ASCII.test(whole)) {
      return undefined;
    }
    const opening: AuditOpeningLine | undefined = AuditOpeningLine.parse(this.digest, whole.substring(0, firstEnd));
    if (opening === undefined || opening.salt === undefined) {
      return undefined;
    }
    const found: Found = {
      salt: opening.salt, head: { seq: 0, hash: opening.hash(this.digest) }, bytes: end, torn: end < text.length
    };
    if (firstEnd + 1 === end) {
      return found;
    }
    const last: AuditLine | undefined =
      AuditLine.parse(whole.substring(whole.lastIndexOf('\n', end - 2) + 1, end - 1), new JsonCodec());
    if (last === undefined ||
      last.expectedHash(this.digest, new FieldCommitments(this.digest, opening.salt)) !== last.hash) {
      return undefined;
    }
    found.head = { seq: last.seq, hash: last.hash };
    return found;
  }
}
