import {
  closeSync, fsync, fsyncSync, ftruncateSync, mkdirSync, openSync, readdirSync, readFileSync, readSync, renameSync, rmdirSync, statSync,
  unlinkSync, writeSync,
} from 'node:fs';
import { FileError, FileErrorKind, Result, type FileSystem } from 'agent_core';

const KINDS: Readonly<Record<string, FileErrorKind>> = {
  ENOENT: FileErrorKind.notFound,
  EEXIST: FileErrorKind.exists,
  ENOTEMPTY: FileErrorKind.exists,
  ENOSPC: FileErrorKind.noSpace,
  EDQUOT: FileErrorKind.noSpace,
  EACCES: FileErrorKind.denied,
  EPERM: FileErrorKind.denied,
  EROFS: FileErrorKind.denied,
};

/** Only the person's own account may read what an agent stored. */
const FILE_MODE = 0o600;
const DIRECTORY_MODE = 0o700;

function failure<T>(thrown: unknown): Result<T, FileError> {
  const { code = 'unknown', syscall = 'file operation' } = thrown as NodeJS.ErrnoException;
  return Result.failure<T, FileError>(new FileError(KINDS[code] ?? FileErrorKind.io, `${syscall}: ${code}`));
}

function attempt<T>(work: () => T): Result<T, FileError> {
  try {
    return Result.success<T, FileError>(work());
  } catch (thrown) {
    return failure<T>(thrown);
  }
}

function flush(fd: number): Promise<void> {
  return new Promise((resolve, reject) => fsync(fd, (error) => (error === null ? resolve() : reject(error))));
}

function writeAll(fd: number, text: string): void {
  const bytes = Buffer.from(text, 'utf8');
  for (let written = 0; written < bytes.length;) written += writeSync(fd, bytes, written);
}

/**
 * Files through node:fs. Short operations are synchronous, which is several times cheaper than a turn of the thread pool;
 * only flushing, which waits for the medium, lets others run meanwhile.
 */
export class NodeFileSystem implements FileSystem {
  async readText(path: string): Promise<Result<string, FileError>> {
    return attempt(() => readFileSync(path, 'utf8'));
  }

  async readHead(path: string, bytes: number): Promise<Result<string, FileError>> {
    return attempt(() => {
      const fd = openSync(path, 'r');
      try {
        const head = Buffer.alloc(bytes);
        return head.toString('utf8', 0, readSync(fd, head, 0, bytes, 0));
      } finally {
        closeSync(fd);
      }
    });
  }

  async size(path: string): Promise<Result<number, FileError>> {
    return attempt(() => statSync(path).size);
  }

  writeNew(path: string, text: string, durable: boolean): Promise<Result<boolean, FileError>> {
    return this.write(path, 'wx', text, durable);
  }

  append(path: string, text: string, durable: boolean): Promise<Result<boolean, FileError>> {
    return this.write(path, 'a', text, durable);
  }

  async truncate(path: string, bytes: number): Promise<Result<boolean, FileError>> {
    return attempt(() => {
      const fd = openSync(path, 'r+');
      try {
        ftruncateSync(fd, bytes);
      } finally {
        closeSync(fd);
      }
      return true;
    });
  }

  async rename(from: string, to: string): Promise<Result<boolean, FileError>> {
    return attempt(() => {
      renameSync(from, to);
      return true;
    });
  }

  async unlink(path: string): Promise<Result<boolean, FileError>> {
    return attempt(() => {
      unlinkSync(path);
      return true;
    });
  }

  async makeDirectory(path: string): Promise<Result<boolean, FileError>> {
    return attempt(() => {
      mkdirSync(path, { recursive: true, mode: DIRECTORY_MODE });
      return true;
    });
  }

  async removeDirectory(path: string): Promise<Result<boolean, FileError>> {
    return attempt(() => {
      rmdirSync(path);
      return true;
    });
  }

  async list(path: string): Promise<Result<readonly string[], FileError>> {
    return attempt<readonly string[]>(() => readdirSync(path));
  }

  async syncDirectory(path: string): Promise<Result<boolean, FileError>> {
    try {
      const fd = openSync(path, 'r');
      try {
        fsyncSync(fd);
      } finally {
        closeSync(fd);
      }
    } catch {
      // Windows cannot open a directory for that; the rename itself is in the journal of its file system.
    }
    return Result.success<boolean, FileError>(true);
  }

  private async write(path: string, flags: string, text: string, durable: boolean): Promise<Result<boolean, FileError>> {
    try {
      const fd = openSync(path, flags, FILE_MODE);
      try {
        writeAll(fd, text);
        if (durable) await flush(fd);
      } finally {
        closeSync(fd);
      }
      return Result.success<boolean, FileError>(true);
    } catch (thrown) {
      return failure<boolean>(thrown);
    }
  }
}
