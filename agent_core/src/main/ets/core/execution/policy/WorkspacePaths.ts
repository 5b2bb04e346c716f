import { ArkAgentError } from '../../base/ArkAgentError';
import { Result } from '../../base/Result';
import { FileError } from '../../port/FileSystem';
import { PathEntryKind, PathResolver } from '../../port/PathResolver';
import { ToolService } from '../../tool/ToolService';
import { PathFault, pathSentence } from './PathFault';
import { PathSpelling, PathSpellingOptions } from './PathSpelling';
import { PathWalk, WalkedPath } from './PathWalk';
import { PolicyDenial } from './PolicyDenial';
import { ResolvedRoot, WorkspaceRoot, WorkspaceRoots } from './WorkspaceRoots';

/** Characters that some file systems drop from names. */
const JOINERS: RegExp = new RegExp('[\\u200c\\u200d]', 'g');

/** What a tool wants to do with a path. */
export enum PathAccess {
  read = 'read',
  write = 'write'
}

/** A path that was checked. Immutable. */
export class ResolvedPath {
  /** Absolute, without links: what the executor opens. */
  readonly realPath: string;
  /** Below the innermost root, joined with `/`; empty for the root itself. Fit for messages. */
  readonly relativePath: string;
  readonly kind: PathEntryKind;
  readonly access: PathAccess;

  constructor(realPath: string, relativePath: string, kind: PathEntryKind, access: PathAccess) {
    this.realPath = realPath;
    this.relativePath = relativePath;
    this.kind = kind;
    this.access = access;
  }
}

/** Optional rules of a workspace. */
export interface WorkspaceOptions {
  /**
   * Names that nothing below a root may have, for example `.git` or `.env`; whatever their letter case. For reading and writing.
   */
  protectedNames?: ReadonlyArray<string>;
}

/**
 * The folders that tools may use, and the one place that says where a path leads. Register it as a tool service: an executor
 * that opens `resolve(...).realPath`, and nothing that the model wrote, opens what was checked.
 *
 * Between a check and the opening somebody else can exchange a folder for a link. So resolve right before the opening, open
 * without following links where the platform can (O_NOFOLLOW), and ask `isUnchanged` before the content is used. A hard link to
 * a file outside looks like any file; a workspace must not be filled by somebody who may link to the app's own files.
 */
export class WorkspacePaths implements ToolService {
  static readonly SERVICE_ID: string = 'workspace.paths';
  /** What refusals name as `by`. */
  static readonly POLICY_NAME: string = 'workspace_path';
  readonly serviceId: string = WorkspacePaths.SERVICE_ID;
  private readonly roots: WorkspaceRoots;
  private readonly walk: PathWalk;
  private readonly spelling: PathSpellingOptions;
  private readonly protectedNames: ReadonlySet<string>;

  private constructor(roots: WorkspaceRoots, resolver: PathResolver, options: WorkspaceOptions) {
    this.roots = roots;
    this.walk = new PathWalk(resolver);
    const spelling: PathSpellingOptions = { refuseTrailingDots: resolver.dropsTrailingDots };
    this.spelling = spelling;
    this.protectedNames = new Set<string>((options.protectedNames ?? []).map<string>(folded));
  }

  /**
   * @param roots relative paths start from the first one. Each must be an existing folder; what it really is is settled here,
   * so that exchanging it for a link later leads nowhere.
   * Errors: config_invalid.
   */
  static async open(resolver: PathResolver, roots: ReadonlyArray<WorkspaceRoot>,
    options: WorkspaceOptions = {}): Promise<Result<WorkspacePaths, ArkAgentError>> {
    const resolved: ResolvedRoot[] = [];
    for (const root of roots) {
      const real: string | undefined = await realRoot(resolver, root.path);
      if (real === undefined) {
        return Result.failure<WorkspacePaths, ArkAgentError>(
          PolicyDenial.config(`root ${resolved.length + 1} of the workspace must be an existing folder with an absolute path`));
      }
      resolved.push(new ResolvedRoot(WorkspaceRoots.tidy(root.path), real, root.writable === true));
    }
    if (resolved.length === 0) {
      return Result.failure<WorkspacePaths, ArkAgentError>(PolicyDenial.config('a workspace needs a root'));
    }
    return Result.success<WorkspacePaths, ArkAgentError>(new WorkspacePaths(new WorkspaceRoots(resolved), resolver, options));
  }

  /**
   * Where a path leads, when that may be used so.
   *
   * Errors: tool_denied with `by` and `rule` (a `PathFault`) in the details; the message names neither path nor place. Never
   * rejects.
   */
  async resolve(path: string, access: PathAccess): Promise<Result<ResolvedPath, ArkAgentError>> {
    const checked: Result<ResolvedPath, PathFault> = await this.check(path, access);
    if (checked.ok) {
      return Result.success<ResolvedPath, ArkAgentError>(checked.value);
    }
    return Result.failure<ResolvedPath, ArkAgentError>(
      PolicyDenial.of(WorkspacePaths.POLICY_NAME, checked.error, `the path ${pathSentence(checked.error)}`));
  }

  /** Whether a checked path still leads to the same place, to be asked after opening it and before using its content. */
  async isUnchanged(checked: ResolvedPath): Promise<boolean> {
    try {
      const walked: Result<WalkedPath, PathFault> = await this.walk.resolve(checked.realPath);
      return walked.ok && walked.value.real === checked.realPath && this.judge(walked.value, checked.access).ok;
    } catch (e) {
      return false;
    }
  }

  /** As `resolve`, with the plain fault. @internal */
  async check(path: string, access: PathAccess): Promise<Result<ResolvedPath, PathFault>> {
    const fault: PathFault | undefined = PathSpelling.check(path, this.spelling);
    if (fault !== undefined) {
      return Result.failure<ResolvedPath, PathFault>(fault);
    }
    const names: string = PathSpelling.names(path).join('/');
    if (path.startsWith('/') && !this.roots.names(`/${names}`)) {
      return Result.failure<ResolvedPath, PathFault>(PathFault.outside);
    }
    try {
      const walked: Result<WalkedPath, PathFault> = await this.walk.resolve(this.absolute(path, names));
      return walked.ok ? this.judge(walked.value, access) : walked.recast<ResolvedPath>();
    } catch (e) {
      return Result.failure<ResolvedPath, PathFault>(PathFault.unresolvable);
    }
  }

  private absolute(path: string, names: string): string {
    if (path.startsWith('/')) {
      return `/${names}`;
    }
    if (names === '') {
      return this.roots.base;
    }
    return this.roots.base.endsWith('/') ? `${this.roots.base}${names}` : `${this.roots.base}/${names}`;
  }

  private judge(walked: WalkedPath, access: PathAccess): Result<ResolvedPath, PathFault> {
    const root: ResolvedRoot | undefined = this.roots.holding(walked.real);
    if (root === undefined) {
      return Result.failure<ResolvedPath, PathFault>(PathFault.outside);
    }
    const below: string[] = PathSpelling.names(walked.real.substring(root.real.length));
    if (access !== PathAccess.read) {
      if (!root.writable) {
        return Result.failure<ResolvedPath, PathFault>(PathFault.readOnly);
      }
      if (below.length === 0) {
        return Result.failure<ResolvedPath, PathFault>(PathFault.root);
      }
    }
    if (below.some((name: string) => this.protectedNames.has(folded(name)))) {
      return Result.failure<ResolvedPath, PathFault>(PathFault.protectedName);
    }
    return Result.success<ResolvedPath, PathFault>(new ResolvedPath(walked.real, below.join('/'), walked.kind, access));
  }
}

function folded(name: string): string {
  return name.normalize('NFKC').replace(JOINERS, '').toLowerCase();
}

/** Undefined when it is no existing folder with an absolute path. */
async function realRoot(resolver: PathResolver, path: string): Promise<string | undefined> {
  try {
    if (typeof path !== 'string' || !WorkspaceRoots.isAbsolute(path)) {
      return undefined;
    }
    const real: Result<string, FileError> = await resolver.realPath(path);
    if (!real.ok || !WorkspaceRoots.isAbsolute(real.value)) {
      return undefined;
    }
    const kind: Result<PathEntryKind, FileError> = await resolver.kindOf(real.value);
    return kind.ok && kind.value === PathEntryKind.directory ? WorkspaceRoots.tidy(real.value) : undefined;
  } catch (e) {
    return undefined;
  }
}
