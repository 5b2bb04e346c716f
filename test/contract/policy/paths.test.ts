import { existsSync, linkSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PathAccess, WorkspacePaths } from '@core/execution/policy/WorkspacePaths';
import { NodePathResolver } from '../../../host/src/policy/NodePathResolver';

interface PathCase {
  id: string;
  path: string;
  verdict: 'allow' | 'deny' | 'either';
  kind: string;
  why: string;
  symlinks?: { link: string; target: string; when?: string }[];
}

const FILE = fileURLToPath(new URL('../../../../shared/data/policy/paths.json', import.meta.url));
const data: { root: string; cases: PathCase[] } = existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : { root: '', cases: [] };

describe.skipIf(data.cases.length === 0)('EXE-16 attack paths in a real folder (needs ../shared/data)', () => {
  let top = '';
  let root = '';

  /** The made-up system of the data, below a folder of our own; what the data calls outside really is outside of the root. */
  const here = (path: string): string => path.replace(/^\/(sandbox|private)\//, `${top}/$1/`);

  beforeEach(() => {
    top = realpathSync(mkdtempSync(join(tmpdir(), 'policy-')));
    root = here(data.root);
    mkdirSync(`${root}/notes`, { recursive: true });
    mkdirSync(`${root}-evil`);
    writeFileSync(`${root}/notes/today.txt`, 'inside');
    writeFileSync(`${root}/today.txt`, 'inside');
    for (const secret of [`${dirname(root)}/secret.txt`, `${root}-evil/a.txt`, `${root}-evil/x.txt`]) writeFileSync(secret, 'secret');
  });
  afterEach(() => rmSync(top, { recursive: true, force: true }));

  function link(one: { link: string; target: string }): void {
    const at = one.link === '(root)' ? root : join(root, one.link);
    const target = here(one.target);
    if (one.link === '(root)') mkdirSync(target, { recursive: true });
    rmSync(at, { recursive: true, force: true });
    mkdirSync(dirname(at), { recursive: true });
    symlinkSync(target, at);
  }

  it.each(data.cases.map((one) => [one.id, one.verdict, one] as const))('%s: %s', async (_id, verdict, one) => {
    for (const item of one.symlinks ?? []) if (item.when === undefined) link(item);
    if (one.id === 'hardlink') linkSync(`${root}/today.txt`, `${root}/notes/hard.txt`);
    const paths = (await WorkspacePaths.open(new NodePathResolver(), [{ path: root, writable: true }])).value;
    const path = here(one.path);
    for (const access of [PathAccess.read, PathAccess.write]) {
      const answer = await paths.resolve(path, access);
      if (verdict === 'deny') expect(answer.ok, one.why).toBe(false);
      if (verdict === 'allow') expect(answer.ok, one.why).toBe(true);
      if (!answer.ok) {
        expect(answer.error.code).toBe('tool_denied');
        if (one.path.length > 4) expect(answer.error.message).not.toContain(one.path);
        continue;
      }
      expect(`${answer.value.realPath}/`.startsWith(`${realpathSync(root)}/`), one.why).toBe(true);
      expect(await paths.isUnchanged(answer.value)).toBe(true);
      for (const item of one.symlinks ?? []) {
        if (item.when === undefined) continue;
        link(item);
        expect(await paths.isUnchanged(answer.value), 'a swap after the check is seen').toBe(false);
        rmSync(join(root, item.link));
        writeFileSync(join(root, item.link), 'inside');
      }
    }
  });
});
