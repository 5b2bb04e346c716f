import { Result } from '../../base/Result';
import { FileError, FileErrorKind, FileSystem } from '../../port/FileSystem';
import { MemoryFileSystem } from './MemoryFileSystem';
import { Utf8Bytes } from './Utf8Bytes';

/** When and how an operation goes wrong. */
export interface CrashPlan {
  /** Which changing operation, from 0. */
  at: number;
  /** Bytes of a write that still arrive; all of them, and the effect of any other operation too, when it is -1. */
  keptBytes: number;
  kind: FileErrorKind;
  /** Nothing works afterwards, as if the process were gone. Otherwise only this operation fails. */
  dies: boolean;
}

/** A disk that fails at a chosen operation. */
export class CrashingFileSystem implements FileSystem {
  private readonly inner: MemoryFileSystem;
  private readonly plan: CrashPlan;
  private dead: boolean = false;
  /** Changing operations so far. */
  operations: number = 0;
  /** Bytes of the write that failed; 0 when it was no write. */
  failedBytes: number = 0;

  constructor(inner: MemoryFileSystem, plan: CrashPlan) {
    this.inner = inner;
    this.plan = plan;
  }

  async readText(path: string): Promise<Result<string, FileError>> {
    return this.dead ? this.failure<string>() : this.inner.readText(path);
  }

  async readHead(path: string, bytes: number): Promise<Result<string, FileError>> {
    return this.dead ? this.failure<string>() : this.inner.readHead(path, bytes);
  }

  async size(path: string): Promise<Result<number, FileError>> {
    return this.dead ? this.failure<number>() : this.inner.size(path);
  }

  async list(path: string): Promise<Result<ReadonlyArray<string>, FileError>> {
    return this.dead ? this.failure<ReadonlyArray<string>>() : this.inner.list(path);
  }

  async writeNew(path: string, text: string, durable: boolean): Promise<Result<boolean, FileError>> {
    return this.change((): Promise<Result<boolean, FileError>> => this.inner.writeNew(path, text, durable), path, text);
  }

  async append(path: string, text: string, durable: boolean): Promise<Result<boolean, FileError>> {
    return this.change((): Promise<Result<boolean, FileError>> => this.inner.append(path, text, durable), path, text);
  }

  async truncate(path: string, bytes: number): Promise<Result<boolean, FileError>> {
    return this.change((): Promise<Result<boolean, FileError>> => this.inner.truncate(path, bytes));
  }

  async rename(from: string, to: string): Promise<Result<boolean, FileError>> {
    return this.change((): Promise<Result<boolean, FileError>> => this.inner.rename(from, to));
  }

  async unlink(path: string): Promise<Result<boolean, FileError>> {
    return this.change((): Promise<Result<boolean, FileError>> => this.inner.unlink(path));
  }

  async makeDirectory(path: string): Promise<Result<boolean, FileError>> {
    return this.change((): Promise<Result<boolean, FileError>> => this.inner.makeDirectory(path));
  }

  async removeDirectory(path: string): Promise<Result<boolean, FileError>> {
    return this.change((): Promise<Result<boolean, FileError>> => this.inner.removeDirectory(path));
  }

  async syncDirectory(path: string): Promise<Result<boolean, FileError>> {
    return this.change((): Promise<Result<boolean, FileError>> => this.inner.syncDirectory(path));
  }

  private async change(task: () => Promise<Result<boolean, FileError>>, path?: string,
    text?: string): Promise<Result<boolean, FileError>> {
    if (this.dead) {
      return this.failure<boolean>();
    }
    const index: number = this.operations;
    this.operations++;
    if (index !== this.plan.at) {
      return task();
    }
    this.dead = this.plan.dies;
    if (this.plan.keptBytes < 0) {
      await task();
    }
    if (path !== undefined && text !== undefined) {
      const bytes: Uint8Array = Utf8Bytes.encode(text);
      this.failedBytes = bytes.length;
      if (this.plan.keptBytes >= 0) {
        this.inner.appendBytes(path, bytes.subarray(0, this.plan.keptBytes), false);
      }
    }
    return this.failure<boolean>();
  }

  private failure<T>(): Result<T, FileError> {
    return Result.failure<T, FileError>(new FileError(this.plan.kind, 'planned by the test'));
  }
}
