import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { FileArtifactStore } from '@core/execution/artifact/FileArtifactStore';
import { InMemoryArtifactStore } from '@core/execution/artifact/InMemoryArtifactStore';
import type { Digest } from '@core/port/Digest';
import { FileError, FileErrorKind } from '@core/port/FileSystem';
import { Result } from '@core/base/Result';
import { MemoryFileSystem } from '@core/testing/storage/MemoryFileSystem';

const digest: Digest = { sha256Hex: (text) => createHash('sha256').update(text).digest('hex') };
const names = async (fs: MemoryFileSystem, session = 's'): Promise<string[]> => [...(await fs.list(`/a/${session}`)).value].sort();

describe('artifacts as files', () => {
  it('EXE-13 a text comes back to the character, by pieces, also from another store after power was lost', async () => {
    const fs = new MemoryFileSystem();
    const text = '\uFEFFa\r\n🙂\u0000 end';
    const ref = (await new FileArtifactStore(fs, digest, '/a').put('s', text)).value;
    expect(ref).toEqual({ id: `a1-${ref.sha256.slice(0, 8)}`, chars: text.length, sha256: digest.sha256Hex(text) });
    fs.losePower();
    const later = new FileArtifactStore(fs, digest, '/a');
    expect((await later.read('s', ref.id, 0, 1000)).value).toEqual({ text, total: text.length });
    expect((await later.read('s', ref.id, 2, 3)).value).toEqual({ text: text.slice(2, 5), total: text.length });
    expect((await later.read('s', ref.id, 1000, 3)).value.text).toBe('');
  });

  it('holds a lone surrogate as U+FFFD, and its length and digest are those of what is kept', async () => {
    const store = new FileArtifactStore(new MemoryFileSystem(), digest, '/a');
    const ref = (await store.put('s', 'a\uD800b')).value;
    expect([(await store.read('s', ref.id, 0, 9)).value.text, ref.chars, ref.sha256]).toEqual(['a\uFFFDb', 3, digest.sha256Hex('a\uFFFDb')]);
  });

  it('drops the oldest beyond its bounds, never the newest, and gives no id twice', async () => {
    const fs = new MemoryFileSystem();
    const store = new FileArtifactStore(fs, digest, '/a', { maxFiles: 2, maxChars: 10 });
    const ids: string[] = [];
    for (const text of ['1111', '2222', '3333', '4'.repeat(50)]) ids.push((await store.put('s', text)).value.id);
    expect(new Set(ids).size).toBe(4);
    expect(await names(fs)).toEqual([expect.stringMatching(/^a000004\.50\./)]);
    expect((await store.read('s', ids[0], 0, 1)).error.code).toBe('artifact_not_found');
    expect((await store.put('s', '5')).value.id).toMatch(/^a5-/);
  });

  it('puts at the same time each get their own place', async () => {
    const store = new FileArtifactStore(new MemoryFileSystem(), digest, '/a');
    const refs = await Promise.all(['same', 'same', 'same'].map((text) => store.put('s', text)));
    expect(refs.map((ref) => ref.value.id.split('-')[0])).toEqual(['a1', 'a2', 'a3']);
  });

  it.each(['../s/x', 'a1', 'a1-zzzzzzzz', '', 'a000001.4.txt', 'a1-00000000'])('an id like %j leads nowhere: artifact_not_found', async (id) => {
    const store = new FileArtifactStore(new MemoryFileSystem(), digest, '/a');
    await store.put('s', 'text');
    expect((await store.read('s', id, 0, 9)).error.code).toBe('artifact_not_found');
    expect((await store.read('none', id, 0, 9)).error.code).toBe('artifact_not_found');
  });

  it('is removed with its session, and no other session is touched', async () => {
    const fs = new MemoryFileSystem();
    const store = new FileArtifactStore(fs, digest, '/a');
    await store.put('s', 'one');
    await store.put('../S', 'two');
    expect((await store.removeSession('s')).value).toBe(1);
    expect([(await store.removeSession('s')).value, (await fs.list('/a/s')).ok]).toEqual([0, false]);
    expect((await store.removeSession('../S')).value).toBe(1);
  });

  it('a full disk is artifact_store_failed and leaves no half of a text behind', async () => {
    const fs = new MemoryFileSystem();
    const store = new FileArtifactStore(fs, digest, '/a');
    await store.put('s', 'one');
    const write = fs.writeNew.bind(fs);
    fs.writeNew = async (path, text, durable) => { await write(path, text.slice(0, 2), durable); return Result.failure(new FileError(FileErrorKind.noSpace, 'full')); };
    expect((await store.put('s', 'two')).error.code).toBe('artifact_store_failed');
    fs.writeNew = write;
    expect(await names(fs)).toHaveLength(1);
    expect((await store.put('s', 'two')).ok).toBe(true);
    fs.list = async () => Result.failure(new FileError(FileErrorKind.denied, 'no'));
    expect([(await store.put('s', 'x')).error.code, (await store.read('s', 'a1-00000000', 0, 1)).error.code, (await store.removeSession('s')).error.code]).toEqual(Array(3).fill('artifact_store_failed'));
  });

  it('in memory the same holds as long as the process lives', async () => {
    const store = new InMemoryArtifactStore(digest);
    const ref = (await store.put('s', 'text')).value;
    expect([(await store.read('s', ref.id, 1, 2)).value, (await store.read('t', ref.id, 0, 2)).error.code]).toEqual([{ text: 'ex', total: 4 }, 'artifact_not_found']);
    expect([(await store.removeSession('s')).value, (await store.removeSession('s')).value]).toEqual([1, 0]);
  });
});
