import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Result } from '@core/base/Result';
import { PathAccess, WorkspacePaths } from '@core/execution/policy/WorkspacePaths';
import type { WorkspaceRoot } from '@core/execution/policy/WorkspaceRoots';
import { FileError, FileErrorKind } from '@core/port/FileSystem';
import { PathEntryKind, type PathResolver } from '@core/port/PathResolver';
import { NodePathResolver } from '../../../../host/src/policy/NodePathResolver';

/** A file system of names: every folder that holds something exists. */
class NamedPaths implements PathResolver {
  readonly asked: string[] = [];
  constructor(private readonly known: Map<string, PathEntryKind>, readonly dropsTrailingDots = false, private readonly real: (path: string) => string = (path) => path) {}

  async realPath(path: string): Promise<Result<string, FileError>> {
    this.asked.push(path);
    return this.known.has(path) ? Result.success<string, FileError>(this.real(path)) : Result.failure<string, FileError>(new FileError(FileErrorKind.notFound, 'none'));
  }

  async kindOf(path: string): Promise<Result<PathEntryKind, FileError>> {
    return Result.success<PathEntryKind, FileError>([...this.known].find(([name]) => name.toLowerCase() === path.toLowerCase())?.[1] ?? PathEntryKind.missing);
  }
}

async function rule(paths: WorkspacePaths, path: string, access = PathAccess.read): Promise<string> {
  const answer = await paths.resolve(path, access);
  return answer.ok ? answer.value.relativePath : String(answer.error.details?.get('rule'));
}

describe('WorkspacePaths on a real folder', () => {
  let root = '';
  const open = async (roots: WorkspaceRoot[] = [{ path: root, writable: true }], protectedNames?: string[]): Promise<WorkspacePaths> =>
    (await WorkspacePaths.open(new NodePathResolver(), roots, { protectedNames })).value;

  beforeEach(() => {
    root = realpathSync(mkdtempSync(`${tmpdir()}/ws-`));
    mkdirSync(`${root}/a/b`, { recursive: true });
    writeFileSync(`${root}/a/b/c.txt`, 'x');
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('gives real path, kind and place below the root, also for what is missing', async () => {
    const paths = await open();
    symlinkSync('a/b', `${root}/inner`);
    const found = (await paths.resolve('inner/./c.txt', PathAccess.read)).value;
    expect([found.realPath, found.relativePath, found.kind, found.access]).toEqual([`${root}/a/b/c.txt`, 'a/b/c.txt', 'file', 'read']);
    const made = (await paths.resolve('inner//x/y/z.txt', PathAccess.write)).value;
    expect([made.realPath, made.kind]).toEqual([`${root}/a/b/x/y/z.txt`, 'missing']);
    expect((await paths.resolve('.', PathAccess.read)).value.relativePath).toBe('');
  });

  it('refuses to change a root, a read-only root, and anything below a file', async () => {
    const paths = await open([{ path: root, writable: true }, { path: `${root}/a/b`, writable: false }]);
    expect(await rule(paths, '.', PathAccess.write)).toBe('path_root');
    expect(await rule(paths, 'a/b/c.txt', PathAccess.write)).toBe('path_read_only');
    expect(await rule(paths, 'a/b/new.txt', PathAccess.write)).toBe('path_read_only');
    expect(await rule(paths, 'a/new.txt', PathAccess.write)).toBe('a/new.txt');
    expect(await rule(paths, 'a/b/c.txt')).toBe('c.txt');
    expect(await rule(paths, 'a/b/c.txt/x')).toBe('path_unresolvable');
    expect(await rule(paths, `${root}/a/b/c.txt`)).toBe('c.txt');
  });

  it('refuses protected names in any letter case and however they are reached', async () => {
    const paths = await open(undefined, ['.git', '.ENV']);
    mkdirSync(`${root}/.git`);
    symlinkSync('.git', `${root}/history`);
    for (const path of ['.git/config', '.GIT', 'a/.env', 'history/HEAD', 'history', '.g\u200cit/x']) expect(await rule(paths, path), path).toBe('path_protected_name');
    expect(await rule(paths, '.gitignore')).toBe('.gitignore');
  });

  it('does not open a pipe and does not wait for one', async () => {
    execFileSync('mkfifo', [`${root}/pipe`]);
    expect(await rule(await open(), 'pipe')).toBe('path_special_file');
  });

  it('holds on to what the root was when it was opened', async () => {
    symlinkSync(`${root}/a`, `${root}/ws`);
    const paths = await open([{ path: `${root}/ws`, writable: true }]);
    expect(await rule(paths, 'b/c.txt')).toBe('b/c.txt');
    expect(await rule(paths, `${root}/ws/b/c.txt`)).toBe('b/c.txt');
    rmSync(`${root}/ws`);
    symlinkSync('/etc', `${root}/ws`);
    expect(await rule(paths, 'hostname')).toBe('hostname');
    expect((await paths.resolve('hostname', PathAccess.read)).value.realPath).toBe(`${root}/a/hostname`);
    expect(await rule(paths, `${root}/ws/hostname`)).toBe('path_outside');
  });

  it('sees that a checked path was exchanged', async () => {
    const paths = await open();
    const checked = (await paths.resolve('a/b/c.txt', PathAccess.write)).value;
    expect(await paths.isUnchanged(checked)).toBe(true);
    rmSync(`${root}/a`, { recursive: true });
    symlinkSync('/etc', `${root}/a`);
    expect(await paths.isUnchanged(checked)).toBe(false);
  });

  it('names neither path nor place, and says who refused and why', async () => {
    const error = (await (await open()).resolve('/etc/passwd', PathAccess.read)).error;
    expect([error.code, error.message, error.details?.get('by'), error.details?.get('rule')]).toEqual(['tool_denied', 'the path leads outside the workspace', 'workspace_path', 'path_outside']);
  });

  it('opens only on existing folders with absolute paths', async () => {
    const bad: WorkspaceRoot[][] = [[], [{ path: 'relative', writable: true }], [{ path: `${root}/none`, writable: true }], [{ path: `${root}/a/b/c.txt`, writable: true }], [{ path: undefined as never, writable: true }]];
    for (const roots of bad) expect((await WorkspacePaths.open(new NodePathResolver(), roots)).error.code).toBe('config_invalid');
  });
});

describe('WorkspacePaths on stand-ins', () => {
  const windows = new Map([['c:/Work', PathEntryKind.directory], ['C:/Work', PathEntryKind.directory], ['C:/Work/a.txt', PathEntryKind.file], ['C:/Work/out', PathEntryKind.link]]);

  it('EXE-16 a workspace on a drive: the letter case of the drive means nothing, a path with a drive is refused', async () => {
    const paths = (await WorkspacePaths.open(new NamedPaths(windows, true, (path) => path.replace('C:', 'c:')), [{ path: 'c:/Work', writable: true }])).value;
    expect((await paths.resolve('a.txt', PathAccess.write)).value.realPath).toBe('C:/Work/a.txt');
    expect(await paths.isUnchanged((await paths.resolve('a.txt', PathAccess.write)).value)).toBe(true);
    expect((await paths.resolve('new/b.txt', PathAccess.write)).value.realPath).toBe('C:/Work/new/b.txt');
    for (const path of ['C:/Work/a.txt', 'c:a.txt', 'a.txt.', 'a.txt::$DATA', '\\\\?\\C:\\Work\\a.txt', '/Work/a.txt']) expect((await paths.resolve(path, PathAccess.read)).ok, path).toBe(false);
  });

  it('looks nothing up for a path that is refused by its text or lies outside by its text', async () => {
    const resolver = new NamedPaths(new Map([['/ws', PathEntryKind.directory]]));
    const paths = (await WorkspacePaths.open(resolver, [{ path: '/ws', writable: true }])).value;
    resolver.asked.length = 0;
    for (const path of ['../x', '/etc/passwd', '/ws-evil/x', 'a\0', '%2e%2e/x', '/dev/stdin']) expect((await paths.resolve(path, PathAccess.read)).ok).toBe(false);
    expect(resolver.asked).toEqual([]);
  });

  it('fails closed when the resolver fails, throws or answers nonsense', async () => {
    const good = new Map([['/ws', PathEntryKind.directory]]);
    let fault: () => unknown = () => undefined;
    class Faulty extends NamedPaths {
      override async realPath(path: string): Promise<Result<string, FileError>> {
        return path === '/ws' ? super.realPath(path) : (fault() as never);
      }
    }
    const paths = (await WorkspacePaths.open(new Faulty(good), [{ path: '/ws', writable: true }])).value;
    const faults = [() => { throw new Error('x'); }, () => undefined, () => 'a', () => Result.success(undefined), () => Result.success('relative'), () => Result.success('/etc/x'), () => Result.failure(new FileError(FileErrorKind.denied, 'no'))];
    for (const one of faults) {
      fault = one;
      const answer = await paths.resolve('x', PathAccess.read);
      expect([answer.ok, answer.ok ? '' : answer.error.code]).toEqual([false, 'tool_denied']);
    }
  });
});
