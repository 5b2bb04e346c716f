const DRIVE: RegExp = new RegExp('^[A-Za-z]:/');
const DRIVE_ROOT: RegExp = new RegExp('^[A-Za-z]:/$');

/** A folder that tools may use. */
export interface WorkspaceRoot {
  /** Absolute, joined with `/`; may itself be a link. */
  path: string;
  /** Whether tools with an effect may use it. The innermost root that holds a path decides. */
  writable: boolean;
}

/** A root with what the system says that it is. Immutable. */
export class ResolvedRoot {
  readonly given: string;
  readonly real: string;
  readonly writable: boolean;

  constructor(given: string, real: string, writable: boolean) {
    this.given = given;
    this.real = real;
    this.writable = writable;
  }
}

/** Roots and what lies in them, by real paths. Compared exactly: a real path has the system's own letter case. Immutable. */
export class WorkspaceRoots {
  private readonly roots: ReadonlyArray<ResolvedRoot>;

  constructor(roots: ReadonlyArray<ResolvedRoot>) {
    this.roots = roots.slice();
  }

  /** What relative paths start from. */
  get base(): string {
    return this.roots[0].real;
  }

  /** Whether an absolute path starts with a root as given or as it is; only such a path is looked up at all. */
  names(path: string): boolean {
    return this.roots.some((root: ResolvedRoot) => isWithin(path, root.given) || isWithin(path, root.real));
  }

  /** The innermost root that holds a real path; undefined when none does. */
  holding(real: string): ResolvedRoot | undefined {
    let found: ResolvedRoot | undefined = undefined;
    for (const root of this.roots) {
      if (isWithin(real, root.real) && (found === undefined || root.real.length > found.real.length)) {
        found = root;
      }
    }
    return found;
  }

  /** One spelling for the system's answers: no `/` at the end, upper-case drive. */
  static tidy(path: string): string {
    const cut: string = path.length > 1 && path.endsWith('/') && !DRIVE_ROOT.test(path) ? path.substring(0, path.length - 1) : path;
    return DRIVE.test(cut) ? cut.charAt(0).toUpperCase() + cut.substring(1) : cut;
  }

  /** Absolute in the sense of the port. */
  static isAbsolute(path: string): boolean {
    return path.startsWith('/') || DRIVE.test(path);
  }
}

function isWithin(path: string, root: string): boolean {
  if (path === root) {
    return true;
  }
  return path.startsWith(root.endsWith('/') ? root : `${root}/`);
}
