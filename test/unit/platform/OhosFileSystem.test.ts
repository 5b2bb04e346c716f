import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileErrorKind } from '@core/port/FileSystem';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { trouble } from './kit/CoreFileKit';
import { OhosClaimOwner } from '@platform/OhosClaimOwner';
import { OhosFileSystem } from '@platform/OhosFileSystem';
import { OhosIdGenerator } from '@platform/OhosIdGenerator';

describe('OhosFileSystem on a stand-in for the file kit', () => {
  const files = new OhosFileSystem();
  let root = '';

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'ohosfs-'));
    trouble.bytesPerCall = Number.MAX_SAFE_INTEGER;
    trouble.nextWrite = undefined;
    trouble.synced = 0;
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('writes and reads UTF-8 although the system takes and gives three bytes at a time', async () => {
    trouble.bytesPerCall = 3;
    const text = '法棍 🥖 baguette\n'.repeat(20);
    expect((await files.writeNew(`${root}/a`, text, true)).ok).toBe(true);
    expect(readFileSync(`${root}/a`, 'utf8')).toBe(text);
    expect((await files.readText(`${root}/a`)).value).toBe(text);
    expect((await files.readHead(`${root}/a`, 6)).value).toBe('法棍');
    expect((await files.readHead(`${root}/a`, 100_000)).value).toBe(text);
    expect((await files.size(`${root}/a`)).value).toBe(Buffer.byteLength(text));
  });

  it('synchronises only what is durable', async () => {
    await files.writeNew(`${root}/a`, 'x', false);
    expect(trouble.synced).toBe(0);
    await files.append(`${root}/a`, 'y', true);
    expect(trouble.synced).toBe(1);
    expect((await files.syncDirectory(root)).ok).toBe(true);
    expect(trouble.synced).toBe(2);
    expect((await files.syncDirectory(`${root}/none`)).ok).toBe(true);
  });

  it('creates a file only where there is none, also when two ask at once', async () => {
    const both = await Promise.all([files.writeNew(`${root}/a`, 'one', true), files.writeNew(`${root}/a`, 'two', true)]);
    expect(both.map((result) => result.ok).sort()).toEqual([false, true]);
    expect(both.find((result) => !result.ok)!.error.kind).toBe(FileErrorKind.exists);
    expect(readFileSync(`${root}/a`, 'utf8')).toBe(both[0].ok ? 'one' : 'two');
  });

  it('appends, creating the file where there is none, and cuts', async () => {
    await files.append(`${root}/log`, 'one\n', true);
    await files.append(`${root}/log`, 'two\n', true);
    expect((await files.truncate(`${root}/log`, 4)).ok).toBe(true);
    expect((await files.readText(`${root}/log`)).value).toBe('one\n');
  });

  it('keeps a byte order mark and replaces ill-formed bytes', async () => {
    writeFileSync(`${root}/a`, Buffer.from([0xef, 0xbb, 0xbf, 0x41, 0xff, 0x42]));
    expect((await files.readText(`${root}/a`)).value).toBe('\uFEFFA\uFFFDB');
  });

  it('makes directories with those above, any number of times', async () => {
    expect((await files.makeDirectory(`${root}/a/b/c`)).ok).toBe(true);
    expect((await files.makeDirectory(`${root}/a/b/c`)).ok).toBe(true);
    expect(existsSync(`${root}/a/b/c`)).toBe(true);
  });

  it('never takes the content of a directory along', async () => {
    mkdirSync(`${root}/full`);
    writeFileSync(`${root}/full/state`, 'precious');
    expect((await files.removeDirectory(`${root}/full`)).error.kind).toBe(FileErrorKind.exists);
    expect(readFileSync(`${root}/full/state`, 'utf8')).toBe('precious');
    await files.unlink(`${root}/full/state`);
    expect((await files.removeDirectory(`${root}/full`)).ok).toBe(true);
    expect(readdirSync(root)).toEqual([]);
  });

  it('replaces a file by rename and refuses to replace a directory that holds something', async () => {
    await files.writeNew(`${root}/new`, 'new', true);
    await files.writeNew(`${root}/old`, 'old', true);
    expect((await files.rename(`${root}/new`, `${root}/old`)).ok).toBe(true);
    expect((await files.readText(`${root}/old`)).value).toBe('new');
    for (const name of ['mine', 'held']) {
      mkdirSync(`${root}/${name}`);
      writeFileSync(`${root}/${name}/owner`, name);
    }
    expect((await files.rename(`${root}/mine`, `${root}/held`)).error.kind).toBe(FileErrorKind.exists);
    expect((await files.list(root)).value.slice().sort()).toEqual(['held', 'mine', 'old']);
  });

  it('names what is missing and what is full, without the path', async () => {
    const missing = [
      await files.readText(`${root}/none`),
      await files.size(`${root}/none`),
      await files.unlink(`${root}/none`),
      await files.list(`${root}/none`),
      await files.rename(`${root}/none`, `${root}/x`),
      await files.removeDirectory(`${root}/none`),
      await files.truncate(`${root}/none`, 0),
    ];
    expect(missing.map((result) => result.error.kind)).toEqual(missing.map(() => FileErrorKind.notFound));
    expect(missing.map((result) => result.error.message).join()).not.toContain(root);
    for (const [code, kind] of [
      ['ENOSPC', FileErrorKind.noSpace],
      ['EROFS', FileErrorKind.denied],
      ['EIO', FileErrorKind.io],
    ]) {
      trouble.nextWrite = code;
      expect((await files.append(`${root}/b`, 'x', true)).error.kind).toBe(kind);
    }
  });
});

describe('OhosClaimOwner', () => {
  it('knows the owners of this process and no other', () => {
    const one = new OhosClaimOwner(new OhosIdGenerator());
    const two = new OhosClaimOwner(new OhosIdGenerator());
    expect(one.ownerId).toMatch(/^[A-Za-z0-9-]+$/);
    expect(one.ownerId).not.toBe(two.ownerId);
    expect(one.isAlive(two.ownerId)).toBe(true);
    expect(one.isAlive('4711-99-abc')).toBe(false);
    expect(one.isAlive('')).toBe(false);
  });
});
