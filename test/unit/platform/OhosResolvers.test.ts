import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PathAccess, WorkspacePaths } from '@core/execution/policy/WorkspacePaths';
import { FileErrorKind } from '@core/port/FileSystem';
import type { PathResolver } from '@core/port/PathResolver';
import { OhosHostResolver } from '@platform/OhosHostResolver';
import { OhosPathResolver } from '@platform/OhosPathResolver';
import { NodePathResolver } from '../../../host/src/policy/NodePathResolver';
import { BusinessError } from './kit/BasicServicesKit';
import { connection } from './kit/NetworkKit';

describe.each([['OhosPathResolver on a stand-in for the file kit', (): PathResolver => new OhosPathResolver()], ['NodePathResolver', (): PathResolver => new NodePathResolver('linux')]])('%s', (_name, make) => {
  const resolver = make();
  let root = '';

  beforeEach(() => {
    root = realpathSync(mkdtempSync(`${tmpdir()}/resolver-`));
    mkdirSync(`${root}/a`);
    writeFileSync(`${root}/a/f`, 'x');
    symlinkSync('a/f', `${root}/link`);
    symlinkSync('gone', `${root}/dangling`);
    symlinkSync('loop', `${root}/loop`);
    execFileSync('mkfifo', [`${root}/pipe`]);
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('follows links for the real path and tells what is not there from what cannot be resolved', async () => {
    expect((await resolver.realPath(`${root}/link`)).value).toBe(`${root}/a/f`);
    expect((await resolver.realPath(`${root}/a/`)).value.replace(/\/$/, '')).toBe(`${root}/a`);
    expect((await resolver.realPath(`${root}/none/x`)).error.kind).toBe(FileErrorKind.notFound);
    expect((await resolver.realPath(`${root}/dangling`)).error.kind).toBe(FileErrorKind.notFound);
    for (const path of [`${root}/loop`, `${root}/a/f/x`, `${root}/${'n'.repeat(300)}`]) {
      const failed = await resolver.realPath(path);
      expect([failed.ok, failed.ok ? '' : failed.error.kind]).toEqual([false, FileErrorKind.io]);
      expect(failed.error.message).not.toContain(root);
    }
  });

  it('says what lies at a path without following a link', async () => {
    const kinds = await Promise.all(['a', 'a/f', 'link', 'dangling', 'loop', 'pipe', 'none'].map(async (name) => (await resolver.kindOf(`${root}/${name}`)).value));
    expect(kinds).toEqual(['directory', 'file', 'link', 'link', 'link', 'other', 'missing']);
    expect((await resolver.kindOf(`${root}/a/f/x`)).ok).toBe(false);
  });

  it('carries a workspace', async () => {
    symlinkSync('/etc', `${root}/out`);
    const paths = (await WorkspacePaths.open(resolver, [{ path: root, writable: true }])).value;
    expect((await paths.resolve('a/new', PathAccess.write)).value.realPath).toBe(`${root}/a/new`);
    for (const path of ['out/passwd', 'dangling', 'loop', 'pipe', '../x']) expect((await paths.resolve(path, PathAccess.write)).ok, path).toBe(false);
  });
});

describe('NodePathResolver for Windows', () => {
  it('joins names with a slash and knows that a dot at the end is dropped', async () => {
    const resolver = new NodePathResolver('win32');
    expect([resolver.dropsTrailingDots, (await resolver.realPath(tmpdir())).value.includes('\\')]).toEqual([true, false]);
  });
});

describe('OhosHostResolver on a stand-in for the network kit', () => {
  it('gives all addresses, and a failure as a value', async () => {
    connection.answer = () => [{ address: '1.1.1.1', family: 1 }, { address: '::1', family: 2 }];
    expect((await new OhosHostResolver().lookup('example.com')).value).toEqual(['1.1.1.1', '::1']);
    connection.answer = () => [];
    expect((await new OhosHostResolver().lookup('example.com')).error.message).toBe('lookup: no address');
    connection.answer = () => { throw new BusinessError(2100002); };
    expect((await new OhosHostResolver().lookup('example.com')).error.message).toBe('lookup: 2100002');
  });
});
