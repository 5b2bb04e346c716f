import { ArkAgentError } from '../../base/ArkAgentError';
import { ErrorCode } from '../../base/ErrorCodes';
import { Result } from '../../base/Result';
import { ArtifactPiece, ArtifactRef, ArtifactStore } from '../../port/ArtifactStore';
import { Digest } from '../../port/Digest';
import { FileError, FileErrorKind, FileSystem } from '../../port/FileSystem';
import { SessionFileNames } from '../../state/file/SessionFileNames';
import { ArtifactFile } from './ArtifactFile';

/** Bounds of what is kept for one session. */
export interface ArtifactBounds {
  /** Texts: 64. */
  maxFiles?: number;
  /** UTF-16 code units of all texts: 16,000,000. */
  maxChars?: number;
}

/** Lone surrogates, which no file can hold. */
const LONE: RegExp = new RegExp('[\\uD800-\\uDBFF](?![\\uDC00-\\uDFFF])|(^|[^\\uD800-\\uDBFF])[\\uDC00-\\uDFFF]');

/**
 * Artifacts as files, one folder per session below a common one. The oldest are dropped when a session has more than its bounds,
 * never the newest. Order, length and digest lie in the file names, so a text is on the disk exactly as it was.
 */
export class FileArtifactStore implements ArtifactStore {
  static readonly DEFAULT_MAX_FILES: number = 64;
  static readonly DEFAULT_MAX_CHARS: number = 16000000;
  private readonly fs: FileSystem;
  private readonly digest: Digest;
  private readonly directory: string;
  private readonly maxFiles: number;
  private readonly maxChars: number;
  /** One put after another, so that each gets its own place in the order. */
  private last: Promise<void> = Promise.resolve();

  /** @param directory made with the first put */
  constructor(fs: FileSystem, digest: Digest, directory: string, bounds: ArtifactBounds = {}) {
    this.fs = fs;
    this.digest = digest;
    this.directory = directory;
    this.maxFiles = bounds.maxFiles ?? FileArtifactStore.DEFAULT_MAX_FILES;
    this.maxChars = bounds.maxChars ?? FileArtifactStore.DEFAULT_MAX_CHARS;
  }

  put(sessionId: string, text: string): Promise<Result<ArtifactRef, ArkAgentError>> {
    const done: Promise<Result<ArtifactRef, ArkAgentError>> =
      this.last.then((): Promise<Result<ArtifactRef, ArkAgentError>> => this.write(this.folder(sessionId), text));
    this.last = done.then((): void => {
    });
    return done;
  }

  async read(sessionId: string, id: string, offset: number, limit: number): Promise<Result<ArtifactPiece, ArkAgentError>> {
    const folder: string = this.folder(sessionId);
    const names: Result<ReadonlyArray<string>, FileError> = await this.fs.list(folder);
    if (!names.ok && names.error.kind !== FileErrorKind.notFound) {
      return fault<ArtifactPiece>(names.error);
    }
    const file: ArtifactFile | undefined = !ArtifactFile.isId(id) || !names.ok ? undefined :
      ArtifactFile.list(names.value).find((one: ArtifactFile): boolean => one.ref.id === id);
    if (file === undefined) {
      return missing();
    }
    const text: Result<string, FileError> = await this.fs.readText(`${folder}/${file.name}`);
    if (!text.ok) {
      return text.error.kind === FileErrorKind.notFound ? missing() : fault<ArtifactPiece>(text.error);
    }
    const piece: ArtifactPiece = { text: text.value.substring(offset, offset + limit), total: text.value.length };
    return Result.success<ArtifactPiece, ArkAgentError>(piece);
  }

  async removeSession(sessionId: string): Promise<Result<number, ArkAgentError>> {
    const folder: string = this.folder(sessionId);
    const names: Result<ReadonlyArray<string>, FileError> = await this.fs.list(folder);
    if (!names.ok) {
      return names.error.kind === FileErrorKind.notFound ? Result.success<number, ArkAgentError>(0) : fault<number>(names.error);
    }
    let removed: number = 0;
    for (const name of names.value) {
      const gone: Result<boolean, FileError> = await this.fs.unlink(`${folder}/${name}`);
      if (!gone.ok && gone.error.kind !== FileErrorKind.notFound) {
        return fault<number>(gone.error);
      }
      removed += ArtifactFile.parse(name) === undefined ? 0 : 1;
    }
    await this.fs.removeDirectory(folder);
    return Result.success<number, ArkAgentError>(removed);
  }

  private async write(folder: string, text: string): Promise<Result<ArtifactRef, ArkAgentError>> {
    const made: Result<boolean, FileError> = await this.fs.makeDirectory(folder);
    if (!made.ok) {
      return fault<ArtifactRef>(made.error);
    }
    const names: Result<ReadonlyArray<string>, FileError> = await this.fs.list(folder);
    if (!names.ok) {
      return fault<ArtifactRef>(names.error);
    }
    const known: ReadonlyArray<ArtifactFile> = ArtifactFile.list(names.value);
    const order: number = known.length === 0 ? 1 : known[known.length - 1].order + 1;
    const kept: string = wellFormed(text);
    const file: ArtifactFile = ArtifactFile.of(order, kept.length, this.digest.sha256Hex(kept));
    const path: string = `${folder}/${file.name}`;
    const written: Result<boolean, FileError> = await this.fs.writeNew(path, kept, true);
    if (!written.ok) {
      await this.fs.unlink(path);
      return fault<ArtifactRef>(written.error);
    }
    await this.fs.syncDirectory(folder);
    await this.drop(folder, known, kept.length);
    return Result.success<ArtifactRef, ArkAgentError>(file.ref);
  }

  /** Removes the oldest until the rest and the new one fit; one that cannot be removed is tried again next time. */
  private async drop(folder: string, known: ReadonlyArray<ArtifactFile>, added: number): Promise<void> {
    let files: number = known.length + 1;
    let chars: number = added;
    for (const file of known) {
      chars += file.ref.chars;
    }
    for (const file of known) {
      if (files <= this.maxFiles && chars <= this.maxChars) {
        return;
      }
      await this.fs.unlink(`${folder}/${file.name}`);
      files--;
      chars -= file.ref.chars;
    }
  }

  private folder(sessionId: string): string {
    return `${this.directory}/${SessionFileNames.encode(sessionId, this.digest)}`;
  }
}

function wellFormed(text: string): string {
  if (!LONE.test(text)) {
    return text;
  }
  let out: string = '';
  for (const character of text) {
    const point: number = character.codePointAt(0) as number;
    out += point >= 0xd800 && point <= 0xdfff ? '\uFFFD' : character;
  }
  return out;
}

function missing(): Result<ArtifactPiece, ArkAgentError> {
  return Result.failure<ArtifactPiece, ArkAgentError>(
    ArkAgentError.of(ErrorCode.artifactNotFound, 'there is no such artifact, or it was dropped for newer ones'));
}

function fault<T>(error: FileError): Result<T, ArkAgentError> {
  return Result.failure<T, ArkAgentError>(
    ArkAgentError.of(ErrorCode.artifactStoreFailed, `the artifact could not be kept or read (${error.kind})`));
}
