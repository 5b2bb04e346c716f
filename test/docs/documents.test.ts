import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryFiles, repositoryRoot } from '../architecture/sources';

const documents = new Map(repositoryFiles().filter((path) => path.endsWith('.md')).map((path) => [path, read(path)]));
const RECORDS = 'docs/adr';
const HEADINGS = ['Question', 'Drivers', 'Options', 'Decision', 'Consequences', 'Check', 'Prior art'];

function read(path: string): string {
  return readFileSync(join(repositoryRoot, path), 'utf8');
}

/** Text without code, where brackets and parentheses mean other things. */
function prose(text: string): string {
  return text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');
}

/** The anchor that a heading gets. */
function anchors(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, title]) => title!.trim().toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-'));
}

function brokenLinks(path: string, text: string): string[] {
  const broken: string[] = [];
  for (const [, target] of prose(text).matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^[a-z]+:/.test(target!)) continue;
    const [file, anchor] = target!.split('#') as [string, string | undefined];
    const absolute = file === '' ? path : posix.join(posix.dirname(path), file);
    if (!existsSync(join(repositoryRoot, absolute))) broken.push(`${path} links to ${target}, which is not there`);
    else if (anchor !== undefined && !anchors(read(absolute)).includes(anchor)) broken.push(`${path} links to ${target}, which has no such heading`);
  }
  return broken;
}

/** Paths of this repository that a text names in backticks. */
function namedPaths(text: string): string[] {
  return [...text.matchAll(/`((?:test|docs|agent_core|host|entry)\/[\w./*-]+)`/g)].map(([, path]) => path!);
}

function section(text: string, heading: string): string {
  return new RegExp(`^## ${heading}\\n([\\s\\S]*?)(?=^## |(?![\\s\\S]))`, 'm').exec(text)?.[1] ?? '';
}

interface Snippet {
  readonly file: string;
  readonly code: string;
}

/** Code blocks that say which file they are. */
function snippets(text: string): Snippet[] {
  return [...text.matchAll(/<!-- file: (\S+) -->\n```ts\n([\s\S]*?)```/g)].map(([, file, code]) => ({ file: file!, code: code! }));
}

describe('documents', () => {
  it('every relative link leads somewhere', () => {
    expect(documents.size).toBeGreaterThan(15);
    expect([...documents].flatMap(([path, text]) => brokenLinks(path, text))).toEqual([]);
  });

  it('every path in backticks exists', () => {
    const missing = [...documents].flatMap(([path, text]) => namedPaths(text).filter((named) => !existsSync(join(repositoryRoot, named.replace(/\*.*$/, ''))) && !section(text, 'Prior art').includes(named)).map((named) => `${path} names ${named}`));
    expect(missing).toEqual([]);
  });

  it('finds a broken link, a missing heading and leaves code alone', () => {
    expect(brokenLinks('README.md', '[a](no-such-file.md) [b](#no-such-heading) `[c](d)`')).toHaveLength(2);
  });

  it.each(['README.md', 'README_zh.md'])('%s shows code that the ArkTS gate compiles', (path) => {
    const shown = snippets(read(path));
    expect(shown.map((one) => one.file)).toEqual(snippets(read('README.md')).map((one) => one.file));
    expect(shown.length).toBeGreaterThan(2);
    for (const one of shown) {
      expect(dirname(one.file)).toBe('test/gate/consumer');
      expect(one.code, `${one.file} and ${path} differ`).toBe(read(one.file));
    }
  });

  it('code imports only names that the package offers', () => {
    const offered = new Set(read('test/architecture/public-api.txt').split('\n'));
    const imports = [...documents].flatMap(([path, text]) => [...text.matchAll(/import \{([^}]*)\} from 'agent_core'/g)].map(([, names]) => [path, names!] as const));
    expect(imports.length).toBeGreaterThan(5);
    const unknown = imports.flatMap(([path, names]) => names.split(',').map((name) => name.trim()).filter((name) => !offered.has(name)).map((name) => `${path} imports ${name}`));
    expect(unknown).toEqual([]);
  });

  it('both languages of the README have the same sections', () => {
    const levels = (path: string): string[] => [...prose(read(path)).matchAll(/^(#+) /gm)].map(([, marks]) => marks!);
    expect(levels('README_zh.md')).toEqual(levels('README.md'));
  });
});

describe('decision records', () => {
  const files = readdirSync(join(repositoryRoot, RECORDS)).filter((name) => /^\d{4}-/.test(name)).sort();

  it('are numbered without a gap and listed in the index', () => {
    expect(files.map((name) => Number(name.slice(0, 4)))).toEqual(files.map((_, index) => index + 1));
    const index = read(`${RECORDS}/README.md`);
    expect(files.filter((name) => !index.includes(`](${name})`))).toEqual([]);
  });

  it.each(files)('%s has the form of the template, fits one page and names a check that exists', (name) => {
    const text = read(`${RECORDS}/${name}`);
    expect(text).toMatch(new RegExp(`^# ${name.slice(0, 4)}\\. .+\\n\\nStatus: (proposed|accepted|superseded by \\d{4}) · Date: \\d{4}-\\d\\d-\\d\\d\\n`));
    expect([...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading)).toEqual(HEADINGS);
    expect(text.split('\n').length).toBeLessThan(70);
    const checks = namedPaths(section(text, 'Check'));
    expect(checks.length).toBeGreaterThan(0);
    expect(checks.filter((path) => !existsSync(join(repositoryRoot, path)))).toEqual([]);
    // A record whose check is the shared file must have its own case there.
    if (checks.includes('test/docs/decisions.test.ts')) expect(read('test/docs/decisions.test.ts')).toContain(`ADR-${name.slice(0, 4)} `);
  });
});
