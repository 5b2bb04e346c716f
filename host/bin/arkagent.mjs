#!/usr/bin/env node
import { createRequire } from 'node:module';

// Required, not imported: the ES module of `fs` loads streams and promises too.
const require = createRequire(import.meta.url);
const cli = new URL('../../dist/cli.mjs', import.meta.url);
if (!require('node:fs').existsSync(cli)) {
  const { fileURLToPath } = require('node:url');
  const { spawnSync } = require('node:child_process');
  const built = spawnSync(process.execPath, [fileURLToPath(new URL('../build.mjs', import.meta.url))], { stdio: ['ignore', 2, 2] });
  if (built.status !== 0) {
    process.stderr.write('error: the command line is not built yet: run "npm ci" (or "npm run build") in the project first\n');
    process.exit(1);
  }
}
await import(cli.href);
