import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MemoryReport } from './memoryChild';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const core = join(root, 'agent_core/src/main/ets/core');
const MEGABYTE = 1024 * 1024;

let directory = '';
let child = '';

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'arkagent-memory-'));
  child = join(directory, 'child.mjs');
  await build({
    entryPoints: [join(root, 'test/scenario/stream2/memoryChild.ts')], outfile: child, bundle: true, platform: 'node', format: 'esm', target: 'node20',
    alias: { agent_core: join(core, 'index.ts'), '@core': core }, logLevel: 'error',
  });
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** A process of its own: its heap holds nothing of the test runner. */
async function measure(kind: 'firehose' | 'http' | 'deaf', megabytes: number): Promise<MemoryReport> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', child, kind, String(megabytes)], { encoding: 'utf8' });
  const report = JSON.parse(stdout) as MemoryReport;
  console.info(`${kind}: ${Math.round(report.streamed / MEGABYTE)} MB, source ${Math.round(report.sourceMs)} ms, with the hook ${Math.round(report.totalMs)} ms, lead ${(report.lead / MEGABYTE).toFixed(2)} MB, heap +${(report.growth / MEGABYTE).toFixed(2)} MB (${report.samples} samples)`);
  return report;
}

describe('a hook that is ten times slower than its source', () => {
  it('STR-04 100 MB of text from a provider that can stop: the heap grows by less than 8 MB', async () => {
    const report = await measure('firehose', 100);
    expect([report.ended, report.streamed]).toEqual(['complete', 100 * MEGABYTE]);
    expect(report.totalMs).toBeGreaterThan(5 * report.sourceMs);
    expect(report.samples).toBeGreaterThan(5);
    expect(report.lead).toBeLessThan(MEGABYTE);
    expect(report.growth).toBeLessThan(8 * MEGABYTE);
  }, 60_000);

  it('STR-04 over HTTP, through provider and transport: the heap grows by less than 8 MB, nothing is lost', async () => {
    const report = await measure('http', 25);
    expect(report.ended).toBe('complete');
    expect(report.streamed).toBeGreaterThanOrEqual(25 * MEGABYTE);
    expect(report.answerChars).toBeGreaterThan(25_000);
    // What the two ends of a socket may hold is the system's affair.
    expect(report.lead).toBeLessThan(15 * MEGABYTE);
    expect(report.totalMs).toBeGreaterThan(5 * report.sourceMs);
    expect(report.growth).toBeLessThan(8 * MEGABYTE);
  }, 60_000);

  it('STR-04 DEC-27 a provider that cannot stop is cut at maxResponseChars, and the heap with it', async () => {
    const report = await measure('deaf', 100);
    expect(report.ended).toBe('provider_stream_too_large');
    expect(report.streamed).toBeLessThan(5 * MEGABYTE);
    expect(report.growth).toBeLessThan(16 * MEGABYTE);
  }, 60_000);
});
