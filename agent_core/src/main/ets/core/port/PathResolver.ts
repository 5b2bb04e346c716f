import { Result } from '../base/Result';
import { FileError } from './FileSystem';

/** What lies at a path; a link is not followed. */
export enum PathEntryKind {
  missing = 'missing',
  file = 'file',
  directory = 'directory',
  link = 'link',
  /** A device, pipe or socket. */
  other = 'other'
}

/**
 * What a path policy must know about the file system of its host. Paths are absolute and joined with `/`.
 *
 * Contract:
 * - Failure: a Result; must not throw or reject. `notFound` also for a link whose target is missing.
 * - `realPath` resolves every link, the last one included, and gives the spelling that the system itself keeps (letter case,
 *   `C:/…` with `/` on Windows). A loop of links, a file used as a folder or a name that is too long is a failure, never a hang.
 * - Looking changes nothing and must not block: a pipe is not opened.
 */
export interface PathResolver {
  /** Whether the system takes `a.txt.` for `a.txt`, as Windows does. */
  readonly dropsTrailingDots: boolean;
  realPath(path: string): Promise<Result<string, FileError>>;
  kindOf(path: string): Promise<Result<PathEntryKind, FileError>>;
}
