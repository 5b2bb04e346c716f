import { Result } from '../../base/Result';
import { FileError, FileErrorKind } from '../../port/FileSystem';
import { PathEntryKind, PathResolver } from '../../port/PathResolver';
import { PathFault } from './PathFault';
import { WorkspaceRoots } from './WorkspaceRoots';

/** Where a path really leads. */
export interface WalkedPath {
  real: string;
  kind: PathEntryKind;
}

/**
 * The real path of something that may not exist yet: its deepest existing folder is resolved, and the names that are missing
 * are added. A link to nothing is not missing: opening it for writing would create its target.
 */
export class PathWalk {
  private readonly resolver: PathResolver;

  constructor(resolver: PathResolver) {
    this.resolver = resolver;
  }

  /** @param path absolute, plain, without `..` */
  async resolve(path: string): Promise<Result<WalkedPath, PathFault>> {
    const missing: string[] = [];
    let at: string = path;
    while (true) {
      const real: Result<string, FileError> = await this.resolver.realPath(at);
      if (real.ok) {
        return this.found(real.value, missing);
      }
      if (real.error.kind !== FileErrorKind.notFound) {
        return Result.failure<WalkedPath, PathFault>(PathFault.unresolvable);
      }
      const kind: Result<PathEntryKind, FileError> = await this.resolver.kindOf(at);
      if (!kind.ok || kind.value !== PathEntryKind.missing) {
        return Result.failure<WalkedPath, PathFault>(kind.ok ? PathFault.danglingLink : PathFault.unresolvable);
      }
      const cut: number = at.lastIndexOf('/');
      if (cut <= 0) {
        return Result.failure<WalkedPath, PathFault>(PathFault.unresolvable);
      }
      missing.push(at.substring(cut + 1));
      at = at.substring(0, cut);
    }
  }

  private async found(answer: string, missing: ReadonlyArray<string>): Promise<Result<WalkedPath, PathFault>> {
    if (typeof answer !== 'string' || !WorkspaceRoots.isAbsolute(answer)) {
      return Result.failure<WalkedPath, PathFault>(PathFault.unresolvable);
    }
    const real: string = WorkspaceRoots.tidy(answer);
    const kind: Result<PathEntryKind, FileError> = await this.resolver.kindOf(real);
    if (!kind.ok) {
      return Result.failure<WalkedPath, PathFault>(PathFault.unresolvable);
    }
    if (missing.length > 0) {
      if (kind.value !== PathEntryKind.directory) {
        return Result.failure<WalkedPath, PathFault>(PathFault.unresolvable);
      }
      const names: string = missing.slice().reverse().join('/');
      const made: WalkedPath = {
        real: real.endsWith('/') ? `${real}${names}` : `${real}/${names}`, kind: PathEntryKind.missing
      };
      return Result.success<WalkedPath, PathFault>(made);
    }
    if (kind.value !== PathEntryKind.file && kind.value !== PathEntryKind.directory) {
      return Result.failure<WalkedPath, PathFault>(PathFault.special);
    }
    const walked: WalkedPath = { real: real, kind: kind.value };
    return Result.success<WalkedPath, PathFault>(walked);
  }
}
