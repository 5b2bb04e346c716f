import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

it('docs/errors.md is what the catalog says', () => {
  const script = fileURLToPath(new URL('errors-doc.mjs', import.meta.url));
  const checked = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
  expect(checked.stderr).toBe('');
  expect(checked.status).toBe(0);
});
