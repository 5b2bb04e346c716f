import { Result } from '../base/Result';

/** What went wrong with a file, as far as a storage has to know. */
export enum FileErrorKind {
  notFound = 'not_found',
  /** Something is there already, or a directory is not empty. */
  exists = 'exists',
  /** The disk or the quota is full. */
  noSpace = 'no_space',
  /** Not permitted, or a read-only file system. */
  denied = 'denied',
  /** Anything else. */
  io = 'io'
}

/** A failed file operation. Immutable. */
export class FileError {
  readonly kind: FileErrorKind;
  /** For developers: operation and platform code, without content. */
  readonly message: string;

  constructor(kind: FileErrorKind, message: string) {
    this.kind = kind;
    this.message = message;
  }
}

/**
 * The few file operations that a storage needs; paths are joined with `/`.
 *
 * Contract:
 * - Failure: a Result with one of the kinds above; must not throw or reject.
 * - Text is UTF-8 without byte order mark; reading replaces ill-formed bytes by U+FFFD and keeps a mark as U+FEFF.
 * - `rename` is atomic within one directory: it replaces a file, and fails with `exists` when both are directories and the
 *   target holds something.
 * - What is written with `durable` has reached the medium when the Promise resolves (fsync); the name of a new, renamed or
 *   removed file has after `syncDirectory`.
 * - A failed `writeNew` or `append` may leave a part of the text behind.
 */
export interface FileSystem {
  readText(path: string): Promise<Result<string, FileError>>;
  /** The first bytes of a file as text, all of it when it is shorter. For ASCII heads. */
  readHead(path: string, bytes: number): Promise<Result<string, FileError>>;
  /** Bytes; `notFound` when there is no such file. */
  size(path: string): Promise<Result<number, FileError>>;
  /** Creates a file; `exists` when there is one. */
  writeNew(path: string, text: string, durable: boolean): Promise<Result<boolean, FileError>>;
  /** Adds to the end, creating the file where there is none. */
  append(path: string, text: string, durable: boolean): Promise<Result<boolean, FileError>>;
  /** Cuts a file to its first bytes. */
  truncate(path: string, bytes: number): Promise<Result<boolean, FileError>>;
  rename(from: string, to: string): Promise<Result<boolean, FileError>>;
  /** Removes a file. */
  unlink(path: string): Promise<Result<boolean, FileError>>;
  /** Creates a directory and those above it; fine when it is there. */
  makeDirectory(path: string): Promise<Result<boolean, FileError>>;
  /** Removes an empty directory. */
  removeDirectory(path: string): Promise<Result<boolean, FileError>>;
  /** Names of what lies in a directory, in any order. */
  list(path: string): Promise<Result<ReadonlyArray<string>, FileError>>;
  /** Best effort: a platform that cannot do it answers success. */
  syncDirectory(path: string): Promise<Result<boolean, FileError>>;
}

/** Tells who holds a claim in a directory that several processes may share. */
export interface ClaimOwner {
  /** Unique for each storage object, on one device and over restarts. Letters, digits and `-`. */
  readonly ownerId: string;
  /** Whether the process of an owner id may still be at work. A wrong true only delays; a wrong false breaks a live claim. */
  isAlive(ownerId: string): boolean;
}
