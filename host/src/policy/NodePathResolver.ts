import { lstatSync, realpathSync, type Stats } from 'node:fs';
import { FileError, FileErrorKind, PathEntryKind, Result, type PathResolver } from 'agent_core';

const KINDS: Readonly<Record<string, FileErrorKind>> = {
  ENOENT: FileErrorKind.notFound,
  EACCES: FileErrorKind.denied,
  EPERM: FileErrorKind.denied,
};

function failure<T>(thrown: unknown): Result<T, FileError> {
  const { code = 'unknown', syscall = 'path look-up' } = thrown as NodeJS.ErrnoException;
  return Result.failure<T, FileError>(new FileError(KINDS[code] ?? FileErrorKind.io, `${syscall}: ${code}`));
}

function kindOf(stats: Stats): PathEntryKind {
  if (stats.isSymbolicLink()) return PathEntryKind.link;
  if (stats.isFile()) return PathEntryKind.file;
  return stats.isDirectory() ? PathEntryKind.directory : PathEntryKind.other;
}

/**
 * Real paths through node:fs, joined with `/` on every system. Synchronous, which is several times cheaper than a turn of the thread
 * pool.
 */
export class NodePathResolver implements PathResolver {
  readonly dropsTrailingDots: boolean;
  private readonly windows: boolean;

  constructor(platform: NodeJS.Platform = process.platform) {
    this.windows = platform === 'win32';
    this.dropsTrailingDots = this.windows;
  }

  async realPath(path: string): Promise<Result<string, FileError>> {
    try {
      const real = realpathSync.native(path);
      return Result.success<string, FileError>(this.windows ? real.replaceAll('\\', '/') : real);
    } catch (thrown) {
      return failure<string>(thrown);
    }
  }

  async kindOf(path: string): Promise<Result<PathEntryKind, FileError>> {
    try {
      return Result.success<PathEntryKind, FileError>(kindOf(lstatSync(path)));
    } catch (thrown) {
      const failed = failure<PathEntryKind>(thrown);
      return failed.error.kind === FileErrorKind.notFound ? Result.success<PathEntryKind, FileError>(PathEntryKind.missing) : failed;
    }
  }
}
