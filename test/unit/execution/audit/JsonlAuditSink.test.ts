import { describe, expect, it } from 'vitest';
import { AuditFile, AuditOpening } from '@core/execution/audit/AuditFile';
import { AuditVerifier } from '@core/execution/audit/AuditVerifier';
import { JsonlAuditSink, type JsonlAuditOptions } from '@core/execution/audit/JsonlAuditSink';
import { FileErrorKind, type FileSystem } from '@core/port/FileSystem';
import { CountingIdGenerator } from '@core/testing/CountingIdGenerator';
import { ManualClock } from '@core/testing/ManualClock';
import { CrashingFileSystem } from '@core/testing/storage/CrashingFileSystem';
import { MemoryFileSystem } from '@core/testing/storage/MemoryFileSystem';
import { NodeDigest } from '../../../../host/src/ports/NodeDigest';
import { entry } from './support';

const digest = new NodeDigest();
const ids = new CountingIdGenerator();
const PATH = 'd/audit.jsonl';

async function disk(): Promise<MemoryFileSystem> {
  const files = new MemoryFileSystem();
  await files.makeDirectory('d');
  return files;
}

function sink(files: FileSystem, options?: JsonlAuditOptions): JsonlAuditSink {
  return new JsonlAuditSink({ files, digest, ids, clock: new ManualClock(5000) }, PATH, options);
}

async function read(files: FileSystem): Promise<string> {
  return (await files.readText(PATH)).value;
}

async function verdict(files: FileSystem) {
  const head = await files.readText(`${PATH}.head`);
  return AuditVerifier.check(digest, await read(files), head.ok ? AuditFile.parseHead(head.value) : undefined);
}

async function write(files: FileSystem, ...decisions: string[]): Promise<JsonlAuditSink> {
  const out = sink(files);
  for (const decision of decisions) out.record(entry({ decision }));
  await out.flush();
  return out;
}

const decisions = (text: string): string[] => text.trim().split('\n').slice(1).map((line) => (JSON.parse(line) as { decision: string }).decision);

describe('JsonlAuditSink', () => {
  it('writes nothing before the first flush, and a flush without records makes no file', async () => {
    const files = await disk();
    const out = sink(files);
    await out.flush();
    out.record(entry());
    expect((await files.readText(PATH)).ok).toBe(false);
    await out.flush();
    expect(await verdict(files)).toMatchObject({ records: 1, firstBreak: undefined });
    expect(out.head).toEqual((await verdict(files)).head);
  });

  it('a chain goes on after a restart', async () => {
    const files = await disk();
    expect((await write(files, 'a', 'b')).opening).toBe(AuditOpening.created);
    expect((await write(files, 'c')).opening).toBe(AuditOpening.continued);
    expect(await verdict(files)).toMatchObject({ records: 3, firstBreak: undefined });
    expect(decisions(await read(files))).toEqual(['a', 'b', 'c']);
  });

  it('a half-written line is dropped and the chain says so, wherever the process died', async () => {
    const whole = await disk();
    await write(whole, 'a', 'b');
    const text = await read(whole);
    const last = text.lastIndexOf('\n', text.length - 2) + 1;
    for (let kept = last + 1; kept < text.length; kept += 7) {
      const files = await disk();
      await files.writeNew(PATH, text.slice(0, kept), false);
      const out = await write(files, 'c');
      expect(out.opening).toBe(AuditOpening.tornTailDropped);
      expect(decisions(await read(files))).toEqual(['a', 'torn_tail_dropped', 'c']);
      expect(await verdict(files)).toMatchObject({ records: 3, torn: false, firstBreak: undefined });
    }
  });

  it('EXE-18 a file whose end does not hold, or is not where it was, is kept aside, and a new chain says so', async () => {
    for (const damage of [(text: string) => text.replace('"decision":"b"', '"decision":"x"'), (text: string) => text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1), () => 'nonsense\n', () => '']) {
      const files = await disk();
      await write(files, 'a', 'b');
      const damaged = damage(await read(files));
      await files.unlink(PATH);
      await files.writeNew(PATH, damaged, false);
      const out = await write(files, 'c');
      expect(out.opening).toBe(AuditOpening.brokenSetAside);
      expect(decisions(await read(files))).toEqual(['broken_set_aside', 'c']);
      const kept = (await files.list('d')).value.find((name) => /broken-[^.]*$/.test(name));
      expect((await files.readText(`d/${kept}`)).value).toBe(damaged);
    }
  });

  it('a write that fails at any point loses nothing and the chain holds', async () => {
    for (let at = 0; at < 8; at++) {
      for (const keptBytes of [0, 1, 100, -1]) {
        const inner = await disk();
        const files = new CrashingFileSystem(inner, { at, keptBytes, kind: FileErrorKind.noSpace, dies: false });
        const out = sink(files);
        for (const decision of ['a', 'b', 'c']) {
          out.record(entry({ decision }));
          await out.flush();
        }
        await out.flush();
        const found = decisions(await read(inner)).filter((one) => one.length === 1);
        expect([...new Set(found)], `${at} ${keptBytes}`).toEqual(['a', 'b', 'c']);
        expect((await verdict(inner)).firstBreak).toBeUndefined();
      }
    }
  });

  it('a process that dies at any point leaves a chain that goes on', async () => {
    for (let at = 0; at < 8; at++) {
      for (const keptBytes of [0, 1, 100]) {
        const inner = await disk();
        await write(new CrashingFileSystem(inner, { at, keptBytes, kind: FileErrorKind.io, dies: true }), 'a', 'b');
        await write(inner, 'c');
        expect((await verdict(inner)).firstBreak, `${at} ${keptBytes}`).toBeUndefined();
        expect(decisions(await read(inner))).toContain('c');
      }
    }
  });

  it('what has to be dropped is counted in the chain', async () => {
    const files = await disk();
    const out = sink(files, { maxPending: 2 });
    for (let i = 0; i < 5; i++) out.record(entry({ decision: `${i}` }));
    await out.flush();
    expect(out.lostCount).toBe(3);
    expect(decisions(await read(files))).toEqual(['0', '1', 'records_dropped']);
    expect(await read(files)).toContain('"decision":"records_dropped","code":"3"');
  });

  it('flushes that overlap write each record once, in order', async () => {
    const files = await disk();
    const out = sink(files);
    const all: Promise<void>[] = [];
    for (let i = 0; i < 20; i++) {
      out.record(entry({ decision: `${i}` }));
      all.push(out.flush());
    }
    await Promise.all(all);
    expect(decisions(await read(files))).toEqual(Array.from({ length: 20 }, (_, i) => `${i}`));
    expect((await verdict(files)).firstBreak).toBeUndefined();
  });
});
