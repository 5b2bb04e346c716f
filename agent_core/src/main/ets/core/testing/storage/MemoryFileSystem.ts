import { Result } from '../../base/Result';
import { FileError, FileErrorKind, FileSystem } from '../../port/FileSystem';
import { Utf8Bytes } from './Utf8Bytes';

class MemoryFile {
  content: Uint8Array = new Uint8Array(0);
  /** What a loss of power leaves. */
  flushed: Uint8Array = new Uint8Array(0);
}

/** A disk in memory. It knows what has reached the medium, so that `losePower()` shows a forgotten flush. */
export class MemoryFileSystem implements FileSystem {
  private entries: Map<string, MemoryFile> = new Map<string, MemoryFile>();
  private flushedEntries: Map<string, MemoryFile> = new Map<string, MemoryFile>();
  private readonly directories: Set<string> = new Set<string>();
  /** Bytes of all files together; a write above is `noSpace`, and leaves what fitted. */
  capacity: number = Number.MAX_SAFE_INTEGER;

  async readText(path: string): Promise<Result<string, FileError>> {
    const file: MemoryFile | undefined = this.entries.get(path);
    return file === undefined ? this.failed<string>(FileErrorKind.notFound, path) :
      Result.success<string, FileError>(Utf8Bytes.decode(file.content));
  }

  async readHead(path: string, bytes: number): Promise<Result<string, FileError>> {
    const file: MemoryFile | undefined = this.entries.get(path);
    return file === undefined ? this.failed<string>(FileErrorKind.notFound, path) :
      Result.success<string, FileError>(Utf8Bytes.decode(file.content.subarray(0, bytes)));
  }

  async size(path: string): Promise<Result<number, FileError>> {
    const file: MemoryFile | undefined = this.entries.get(path);
    return file === undefined ? this.failed<number>(FileErrorKind.notFound, path) :
      Result.success<number, FileError>(file.content.length);
  }

  async writeNew(path: string, text: string, durable: boolean): Promise<Result<boolean, FileError>> {
    if (this.entries.has(path) || this.directories.has(path)) {
      return this.failed<boolean>(FileErrorKind.exists, path);
    }
    return this.append(path, text, durable);
  }

  async append(path: string, text: string, durable: boolean): Promise<Result<boolean, FileError>> {
    return this.appendBytes(path, Utf8Bytes.encode(text), durable);
  }

  /** As append, for bytes that are no whole text. */
  appendBytes(path: string, bytes: Uint8Array, durable: boolean): Result<boolean, FileError> {
    if (!this.directories.has(MemoryFileSystem.parent(path))) {
      return this.failed<boolean>(FileErrorKind.notFound, path);
    }
    let file: MemoryFile | undefined = this.entries.get(path);
    if (file === undefined) {
      file = new MemoryFile();
      this.entries.set(path, file);
    }
    const room: number = this.capacity - this.used();
    const fitting: Uint8Array = bytes.subarray(0, Math.max(0, Math.min(room, bytes.length)));
    const joined: Uint8Array = new Uint8Array(file.content.length + fitting.length);
    joined.set(file.content);
    joined.set(fitting, file.content.length);
    file.content = joined;
    if (fitting.length < bytes.length) {
      return this.failed<boolean>(FileErrorKind.noSpace, path);
    }
    if (durable) {
      file.flushed = joined;
    }
    return Result.success<boolean, FileError>(true);
  }

  async truncate(path: string, bytes: number): Promise<Result<boolean, FileError>> {
    const file: MemoryFile | undefined = this.entries.get(path);
    if (file === undefined) {
      return this.failed<boolean>(FileErrorKind.notFound, path);
    }
    file.content = file.content.slice(0, bytes);
    return Result.success<boolean, FileError>(true);
  }

  async rename(from: string, to: string): Promise<Result<boolean, FileError>> {
    if (this.directories.has(from)) {
      return this.renameDirectory(from, to);
    }
    const file: MemoryFile | undefined = this.entries.get(from);
    if (file === undefined) {
      return this.failed<boolean>(FileErrorKind.notFound, from);
    }
    if (this.directories.has(to)) {
      return this.failed<boolean>(FileErrorKind.exists, to);
    }
    this.entries.delete(from);
    this.entries.set(to, file);
    return Result.success<boolean, FileError>(true);
  }

  async unlink(path: string): Promise<Result<boolean, FileError>> {
    return this.entries.delete(path) ? Result.success<boolean, FileError>(true) :
      this.failed<boolean>(FileErrorKind.notFound, path);
  }

  async makeDirectory(path: string): Promise<Result<boolean, FileError>> {
    if (this.entries.has(path)) {
      return this.failed<boolean>(FileErrorKind.exists, path);
    }
    let at: string = path;
    while (at !== '') {
      this.directories.add(at);
      at = MemoryFileSystem.parent(at);
    }
    return Result.success<boolean, FileError>(true);
  }

  async removeDirectory(path: string): Promise<Result<boolean, FileError>> {
    if (!this.directories.has(path)) {
      return this.failed<boolean>(FileErrorKind.notFound, path);
    }
    if (this.namesIn(path).length > 0) {
      return this.failed<boolean>(FileErrorKind.exists, path);
    }
    this.directories.delete(path);
    return Result.success<boolean, FileError>(true);
  }

  async list(path: string): Promise<Result<ReadonlyArray<string>, FileError>> {
    return this.directories.has(path) ? Result.success<ReadonlyArray<string>, FileError>(this.namesIn(path)) :
      this.failed<ReadonlyArray<string>>(FileErrorKind.notFound, path);
  }

  async syncDirectory(path: string): Promise<Result<boolean, FileError>> {
    for (const known of Array.from(this.flushedEntries.keys())) {
      if (MemoryFileSystem.parent(known) === path) {
        this.flushedEntries.delete(known);
      }
    }
    this.entries.forEach((file: MemoryFile, known: string): void => {
      if (MemoryFileSystem.parent(known) === path) {
        this.flushedEntries.set(known, file);
      }
    });
    return Result.success<boolean, FileError>(true);
  }

  /** Only what was flushed is left: contents by a durable write, names by `syncDirectory`. */
  losePower(): void {
    this.entries = new Map<string, MemoryFile>(this.flushedEntries);
    this.entries.forEach((file: MemoryFile): void => {
      file.content = file.flushed;
    });
  }

  /** Another disk with the same content, all of it flushed. */
  copy(): MemoryFileSystem {
    const twin: MemoryFileSystem = new MemoryFileSystem();
    this.entries.forEach((file: MemoryFile, path: string): void => {
      const copied: MemoryFile = new MemoryFile();
      copied.content = file.content;
      copied.flushed = file.content;
      twin.entries.set(path, copied);
      twin.flushedEntries.set(path, copied);
    });
    this.directories.forEach((path: string): void => {
      twin.directories.add(path);
    });
    return twin;
  }

  /** For tests that damage a file. */
  overwrite(path: string, bytes: Uint8Array): void {
    const file: MemoryFile = this.entries.get(path) ?? new MemoryFile();
    file.content = bytes;
    file.flushed = bytes;
    this.entries.set(path, file);
  }

  /** The bytes of a file; empty where there is none. */
  bytes(path: string): Uint8Array {
    return this.entries.get(path)?.content ?? new Uint8Array(0);
  }

  paths(): string[] {
    return Array.from(this.entries.keys());
  }

  private renameDirectory(from: string, to: string): Result<boolean, FileError> {
    if (this.entries.has(to) || this.namesIn(to).length > 0) {
      return this.failed<boolean>(FileErrorKind.exists, to);
    }
    this.directories.delete(from);
    this.directories.add(to);
    for (const name of this.namesIn(from)) {
      const file: MemoryFile | undefined = this.entries.get(`${from}/${name}`);
      if (file !== undefined) {
        this.entries.delete(`${from}/${name}`);
        this.entries.set(`${to}/${name}`, file);
      }
    }
    return Result.success<boolean, FileError>(true);
  }

  private namesIn(directory: string): string[] {
    const names: string[] = [];
    for (const path of Array.from(this.entries.keys()).concat(Array.from(this.directories))) {
      if (MemoryFileSystem.parent(path) === directory) {
        names.push(path.slice(directory.length + 1));
      }
    }
    return names;
  }

  private used(): number {
    let bytes: number = 0;
    this.entries.forEach((file: MemoryFile): void => {
      bytes += file.content.length;
    });
    return bytes;
  }

  private failed<T>(kind: FileErrorKind, path: string): Result<T, FileError> {
    return Result.failure<T, FileError>(new FileError(kind, `${kind}: ${path}`));
  }

  private static parent(path: string): string {
    return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
  }
}
