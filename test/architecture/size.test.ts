import { describe, expect, it } from 'vitest';
import { CORE, readSources } from './sources';

const MAXIMUM_LINES = 600;
const MAXIMUM_TEST_LINES = 800;

/** Files that may be longer, each with the reason why splitting would make them worse. */
const ALLOWED: ReadonlyMap<string, string> = new Map<string, string>([]);

interface Size {
  readonly path: string;
  readonly lines: number;
}

function sizesOf(sources: ReadonlyMap<string, string>): Size[] {
  return [...sources].map(([path, text]) => ({ path, lines: text.split('\n').length })).sort((a, b) => b.lines - a.lines);
}

function tooLong(sizes: readonly Size[], maximum: number): string[] {
  return sizes
    .filter((size) => size.lines > maximum && !ALLOWED.has(size.path))
    .map((size) => `${size.path} has ${size.lines} lines, at most ${maximum}: a file has one concern, split it or list it with a reason`);
}

function share(sizes: readonly Size[], part: number): number {
  return sizes.length === 0 ? 0 : sizes[Math.min(sizes.length - 1, Math.floor(sizes.length * (1 - part)))].lines;
}

const sources = [
  ['core', sizesOf(readSources([CORE], /\.ts$/))],
  ['adapters', sizesOf(readSources(['agent_core/src/main/ets/platform'], /\.ets$/))],
  ['app', sizesOf(readSources(['entry/src/main'], /\.(ets|ts)$/))],
  ['host', sizesOf(readSources(['host'], /\.(ts|mjs)$/))],
] as const;

describe('file size', () => {
  it.each(sources)('keeps every file of %s below 600 lines', (name, sizes) => {
    const largest = sizes.slice(0, 3).map((size) => `${size.path.split('/').at(-1)} ${size.lines}`).join(', ');
    console.info(`${name}: ${sizes.length} files, median ${share(sizes, 0.5)} lines, nine of ten within ${share(sizes, 0.9)}, longest ${largest || 'none'}`);
    expect(tooLong(sizes, MAXIMUM_LINES)).toEqual([]);
  });

  it('keeps test files below 800 lines', () => {
    expect(tooLong(sizesOf(readSources(['test', 'agent_core/src/test', 'agent_core/src/ohosTest', 'entry/src/test'], /\.(ts|mjs|ets)$/)), MAXIMUM_TEST_LINES)).toEqual([]);
  });

  it('reports a file that is too long', () => {
    expect(tooLong([{ path: 'a.ts', lines: 601 }, { path: 'b.ts', lines: 600 }], MAXIMUM_LINES)).toEqual([expect.stringContaining('a.ts has 601 lines')]);
  });
});
