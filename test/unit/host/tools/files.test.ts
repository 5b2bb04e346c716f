import { execFileSync } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AgentMode } from 'agent_core';
import { ToolBench } from './bench';

let bench: ToolBench;
const put = (name: string, text: string | Uint8Array): string => {
  const path = join(bench.folder, name);
  writeFileSync(path, text);
  return path;
};
beforeEach(async () => {
  bench = await new ToolBench().open();
  writeFileSync(join(bench.root, 'secret.txt'), 'what lies beyond');
});
afterEach(() => bench.dispose());

describe('read_text', () => {
  it('reads a text file, and of one above 20 KB the first 2 KB and the size', async () => {
    put('a.txt', 'Grüße 世界\n');
    put('edge.txt', 'x'.repeat(20 * 1024));
    put('large.txt', `${'x'.repeat(2047)}世${'y'.repeat(30_000)}`);
    expect(await bench.told('read_text', { file: 'a.txt' })).toBe('Grüße 世界\n');
    expect((await bench.told('read_text', { file: 'edge.txt' })).length).toBe(20 * 1024);
    expect(await bench.told('read_text', { file: 'large.txt' })).toBe(`large.txt has 32050 bytes. Its first 2 KB:\n${'x'.repeat(2047)}`);
  });

  it('does not read what is huge, no text or no .txt file', async () => {
    truncateSync(put('huge.txt', 'abc'), 3_000_000_000);
    put('binary.txt', new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]));
    put('latin.txt', new Uint8Array([0x47, 0x72, 0xfc, 0xdf]));
    put('page.html', '<p>');
    mkdirSync(join(bench.folder, 'folder.txt'));
    const started = Date.now();
    expect(await bench.told('read_text', { file: 'huge.txt' })).toBe('!huge.txt has 3000000000 bytes and is no UTF-8 text');
    expect(Date.now() - started).toBeLessThan(2000);
    expect(await bench.told('read_text', { file: 'binary.txt' })).toContain('is no UTF-8 text');
    expect(await bench.told('read_text', { file: 'latin.txt' })).toContain('is no UTF-8 text');
    for (const file of ['page.html', 'folder.txt', '.']) expect(await bench.told('read_text', { file }), file).toMatch(/^!/);
    expect(await bench.told('read_text', { file: 'none.txt' })).toBe('!there is no such file');
    expect(await bench.told('read_text', {})).toMatch(/^!tool_argument_required/);
  });

  it('EXE-16 leaves the workspace by no path and no link, and follows the real name\'s ending', async () => {
    symlinkSync(join(bench.root, 'secret.txt'), join(bench.folder, 'link.txt'));
    symlinkSync(bench.root, join(bench.folder, 'up'));
    symlinkSync('loop.txt', join(bench.folder, 'loop.txt'));
    put('key.pem', 'key');
    symlinkSync('key.pem', join(bench.folder, 'key.txt'));
    put('.env', 'SECRET=1');
    for (const file of ['../secret.txt', 'link.txt', 'up/secret.txt', 'loop.txt', join(bench.root, 'secret.txt'), '%2e%2e/secret.txt', 'a\u0000.txt', 'a\n.txt', '.env', '']) {
      const told = await bench.told('read_text', { file });
      expect(told, file).toMatch(/^!/);
      expect(told).not.toContain('beyond');
      expect(told).not.toContain(bench.root);
    }
    expect(await bench.told('read_text', { file: 'key.txt' })).toBe('!only .txt files can be read');
  });

  it.skipIf(process.platform === 'win32')('does not wait for a pipe', async () => {
    execFileSync('mkfifo', [join(bench.folder, 'pipe.txt')]);
    expect(await bench.told('read_text', { file: 'pipe.txt' })).toBe('!tool_denied: the path is neither a file nor a folder');
  });
});

describe('write_note', () => {
  it('writes a new file and never over one that is there', async () => {
    expect(await bench.told('write_note', { file: 'new.txt', text: 'hello' })).toBe('wrote 5 characters to new.txt');
    expect(await bench.told('write_note', { file: 'new.txt', text: 'other' })).toBe('!there is such a file already; choose another name');
    expect(readFileSync(join(bench.folder, 'new.txt'), 'utf8')).toBe('hello');
    for (const args of [{ file: 'a.md', text: 'x' }, { file: 'b.txt', text: ' ' }, { file: 'c.txt', text: 'x'.repeat(20_001) }, { file: 'none/d.txt', text: 'x' }]) expect(await bench.told('write_note', args)).toMatch(/^!/);
  });

  it('EXE-16 writes through no link, not outside, and not in a mode without effects', async () => {
    symlinkSync(join(bench.root, 'made.txt'), join(bench.folder, 'hanging.txt'));
    symlinkSync(bench.root, join(bench.folder, 'up'));
    for (const file of ['../made.txt', 'hanging.txt', 'up/made.txt', join(bench.root, 'made.txt')]) expect(await bench.told('write_note', { file, text: 'x' }), file).toMatch(/^!/);
    expect(existsSync(join(bench.root, 'made.txt'))).toBe(false);
    bench.modes.set('s', AgentMode.readOnly);
    expect(await bench.told('write_note', { file: 'ok.txt', text: 'x' })).toMatch(/^!tool_denied/);
    expect(existsSync(join(bench.folder, 'ok.txt'))).toBe(false);
  });
});

describe('run_report', () => {
  it('counts every place once, tells how far it is, and leaves out what is no text, too large or outside', async () => {
    put('a.txt', 'one two three\nfour\n');
    mkdirSync(join(bench.folder, 'sub'));
    put('sub/b.txt', 'five six');
    put('sub/big.txt', 'x'.repeat(1024 * 1024 + 1));
    put('sub/binary.txt', new Uint8Array([0, 1, 2]));
    put('c.md', 'no');
    put('odd\u001b[31m.txt', 'never shown');
    symlinkSync('..', join(bench.folder, 'sub', 'around'));
    symlinkSync(join(bench.root, 'secret.txt'), join(bench.folder, 'link.txt'));
    symlinkSync('a.txt', join(bench.folder, 'again.txt'));
    linkSync(join(bench.folder, 'a.txt'), join(bench.folder, 'hard.txt'));
    const told = await bench.told('run_report', {});
    expect(told.split('\n')).toEqual([
      'text files: 3, lines: 5, words: 10', 'left out: 1 above 1 MB, 1 that are no text, 2 outside the workspace or with unusable names, 1 of other kinds',
      '4 words: a.txt', '4 words: hard.txt', '2 words: sub/b.txt',
    ]);
    expect(told).not.toContain('\u001b');
    expect(bench.progress.at(0)).toBe('0 of 5 files');
    expect(bench.progress.at(-1)).toBe('5 of 5 files');
    expect(await bench.told('run_report', { folder: 'sub' })).toContain('text files: ');
    for (const folder of ['..', 'a.txt', 'none', '/']) expect(await bench.told('run_report', { folder }), folder).toMatch(/^!/);
  });

  it('is bounded in a folder without end', async () => {
    for (let i = 0; i < 5010; i += 1) writeFileSync(join(bench.folder, `${i}.md`), '');
    expect(await bench.told('run_report', {})).toContain('the report stops after 5000 entries');
  });
});
