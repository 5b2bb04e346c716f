import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Result } from '@core/base/Result';
import { AddressRanges } from '@core/execution/policy/AddressRanges';
import { IpAddress } from '@core/execution/policy/IpAddress';
import { NetworkTargets } from '@core/execution/policy/NetworkTargets';
import { PathAccess, WorkspacePaths } from '@core/execution/policy/WorkspacePaths';
import type { HostLookupError, HostResolver } from '@core/port/HostResolver';
import { NodePathResolver } from '../../../../host/src/policy/NodePathResolver';

describe('EXE-16 random paths', () => {
  let top = '';
  let root = '';
  let paths: WorkspacePaths;

  beforeAll(async () => {
    top = realpathSync(mkdtempSync(`${tmpdir()}/fuzz-`));
    root = `${top}/work`;
    mkdirSync(`${root}/a/b`, { recursive: true });
    mkdirSync(`${root}-evil`);
    writeFileSync(`${top}/secret.txt`, 's');
    symlinkSync('..', `${root}/up`);
    symlinkSync(top, `${root}/a/out`);
    symlinkSync('../../secret.txt', `${root}/a/file`);
    symlinkSync('b', `${root}/a/in`);
    symlinkSync('../gone', `${root}/dangling`);
    symlinkSync('loop', `${root}/loop`);
    paths = (await WorkspacePaths.open(new NodePathResolver(), [{ path: root, writable: true }])).value;
  });
  afterAll(() => rmSync(top, { recursive: true, force: true }));

  const piece = fc.constantFrom('a', 'b', 'in', 'out', 'up', 'file', 'loop', 'dangling', '..', '.', '', '/', '//', '\\', '...', '%2e%2e', '%2f', '%c0%ae', '．．', '／', '‥', 'work-evil', 'secret.txt', 'new', '~', '$HOME', 'C:', '\0', ' ', 'nul', '\ud800', '..;', '.. ');
  const path = fc.oneof(
    fc.array(piece, { maxLength: 8 }).map((parts) => parts.join('/')),
    fc.array(piece, { maxLength: 8 }).map((parts) => parts.join('')),
    fc.array(piece, { maxLength: 6 }).map((parts) => `@ROOT@/${parts.join('/')}`),
    fc.string({ unit: 'binary', maxLength: 40 }),
  );

  it('never lead outside the root', async () => {
    let passed = 0;
    await fc.assert(fc.asyncProperty(path, fc.constantFrom(PathAccess.read, PathAccess.write), async (text, access) => {
      const answer = await paths.resolve(text.replace('@ROOT@', root), access);
      if (!answer.ok) return answer.error.code === 'tool_denied';
      passed++;
      // The judge is independent: the deepest existing part by the system's own resolver.
      let at = answer.value.realPath;
      for (;;) {
        try {
          return `${realpathSync(at)}/`.startsWith(`${root}/`);
        } catch {
          at = at.slice(0, at.lastIndexOf('/'));
        }
      }
    }), { numRuns: 4000 });
    expect(passed).toBeGreaterThan(100);
  });
});

const bytes = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255));
/** Private ranges, aimed at. */
const special = fc.oneof(
  bytes.map(([, b, c, d]) => [10, b, c, d]), bytes.map(([, b, c, d]) => [127, b, c, d]), bytes.map(([, b, c, d]) => [0, b, c, d]), bytes.map(([, , c, d]) => [169, 254, c, d]), bytes.map(([, , c, d]) => [192, 168, c, d]),
  bytes.map(([, b, c, d]) => [172, 16 + (b % 16), c, d]), bytes.map(([, b, c, d]) => [100, 64 + (b % 64), c, d]), bytes.map(([a, b, c, d]) => [224 + (a % 32), b, c, d]),
);

function number(value: number, base: number, padding: string): string {
  return base === 16 ? `0x${padding}${value.toString(16)}` : base === 8 ? `0${padding}${value.toString(8)}` : `${value}`;
}

const base = fc.constantFrom(8, 10, 16);
const padding = fc.constantFrom('', '0', '000');
const host = fc.tuple(special, fc.tuple(base, base, base, base), padding, fc.nat(9), fc.constantFrom('', '.', '..'), fc.constantFrom('.', '。', '．', '%2e')).map(([parts, bases, zeros, form, end, dot]) => {
  const [a, b, c, d] = parts;
  const hex = (high: number, low: number): string => (high * 256 + low).toString(16);
  const v4 = [number(a, bases[0], zeros), number(b, bases[1], zeros), number(c, bases[2], zeros), number(d, bases[3], zeros)];
  switch (form) {
    case 0: return `${v4.join(dot)}${end}`;
    case 1: return `${v4[0]}${dot}${v4[1]}${dot}${number(c * 256 + d, bases[2], zeros)}${end}`;
    case 2: return `${v4[0]}${dot}${number((b * 256 + c) * 256 + d, bases[1], zeros)}${end}`;
    case 3: return `${number(((a * 256 + b) * 256 + c) * 256 + d, bases[0], zeros)}${end}`;
    case 4: return `[::ffff:${hex(a, b)}:${hex(c, d)}]`;
    case 5: return `[::ffff:${a}.${b}.${c}.${d}]`;
    case 6: return `[64:ff9b::${hex(a, b)}:${hex(c, d)}]`;
    case 7: return `[2002:${hex(a, b)}:${hex(c, d)}::${zeros === '' ? '1' : '1%25lo'}]`;
    case 8: return `[2001:0:808:808:0:0:${hex(a ^ 255, b ^ 255)}:${hex(c ^ 255, d ^ 255)}]`;
    default: return `[0:0:0:0:0:0:${a}.${b}.${c}.${d}]`;
  }
});

describe('EXE-16 random URLs', () => {
  /** A resolver that only says what the system would: a number in any spelling is its address. */
  const names: HostResolver = { lookup: async () => Result.success<readonly string[], HostLookupError>(['93.184.215.14']) };
  const targets = NetworkTargets.create(names, { schemes: ['https', 'http'] }).value;

  it('a private address passes in no spelling', async () => {
    const shape = fc.tuple(fc.constantFrom('http://', 'HTTPS://', 'http:/', 'http:\\\\', 'https:', 'http://x@', 'http://example.com@', 'http://example.com:80@', 'http:///'), host, fc.constantFrom('', ':80', ':8080', ':'), fc.constantFrom('', '/', '/x', '?x', '#x', '\\x', '/@example.com/'));
    await fc.assert(fc.asyncProperty(shape, async ([scheme, name, port, rest]) => !(await targets.resolve(`${scheme}${name}${port}${rest}`)).ok), { numRuns: 6000 });
  });

  it('what passes means the same to the parser of the platform, and never a private address', async () => {
    const soup = fc.array(fc.constantFrom('http', 'https', '://', '//', ':', '/', '\\', '@', '#', '?', '[', ']', '.', '%', '127.0.0.1', '10.1', '0x7f', '::1', 'example.com', 'localhost', 'xn--', '-', '\t', ' ', '。', '①', '80', '1', 'ａ', '\u00ad'), { maxLength: 8 }).map((parts) => parts.join(''));
    const url = fc.oneof(soup, soup.map((text) => `https://example.com${text}`), soup.map((text) => `https://${text}`));
    let passed = 0;
    await fc.assert(fc.asyncProperty(url, async (text) => {
      const answer = await targets.resolve(text);
      if (!answer.ok) return true;
      passed++;
      let seen: URL;
      try {
        seen = new URL(text);
      } catch {
        // An xn-- label that stands for nothing: the platform opens nothing either.
        return text.toLowerCase().includes('xn--');
      }
      const address = IpAddress.parse(answer.value.host);
      return seen.hostname.replace(/^\[|\]$|\.$/g, '') === answer.value.host && (address === undefined || AddressRanges.isPublic(address));
    }), { numRuns: 6000 });
    expect(passed).toBeGreaterThan(100);
  });

  it('an address has the one spelling that the platform gives it', () => {
    fc.assert(fc.property(fc.ipV6(), (text) => {
      const address = IpAddress.parse(text);
      const seen = new URL(`http://[${text}]/`).hostname.slice(1, -1);
      return address?.text === seen && IpAddress.parse(seen)!.parts.join() === address.parts.join();
    }), { numRuns: 2000 });
    fc.assert(fc.property(fc.ipV4(), (text) => IpAddress.parse(text)?.text === text), { numRuns: 500 });
  });
});
