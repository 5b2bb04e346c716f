import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/*
 * docs/errors.md from the one list of codes in the core.
 *
 *   node test/docs/errors-doc.mjs           writes the file
 *   node test/docs/errors-doc.mjs --check   fails when the file is not what would be written
 */

const root = fileURLToPath(new URL('../..', import.meta.url));
const target = `${root}docs/errors.md`;

const SESSION = {
  yes: 'goes on',
  no: 'takes no more work',
  in_history: 'goes on, the model is told',
  new_input: 'takes new input',
  reload: 'must be loaded again',
  by_cause: 'see `details`',
  not_applicable: '–',
};
const RETRY = { never: 'never', immediate: 'at once', afterDelay: 'after `retryAfterMs`' };

async function entries() {
  const { outputFiles } = await build({
    entryPoints: [`${root}agent_core/src/main/ets/core/base/ErrorCatalog.ts`], bundle: true, write: false, format: 'esm', logLevel: 'silent',
  });
  const source = Buffer.from(outputFiles[0].text).toString('base64');
  const { ErrorCatalog } = await import(`data:text/javascript;base64,${source}`);
  return ErrorCatalog.entries();
}

function render(list) {
  const layers = [...new Set(list.map((entry) => entry.layer))];
  const lines = [
    '# Error codes',
    '',
    '<!-- Written by test/docs/errors-doc.mjs from agent_core/src/main/ets/core/base/ErrorCatalog.ts. Change the catalog, then run it. -->',
    '',
    `The ${list.length} codes that the runtime itself raises, by layer. Every failure is an \`ArkAgentError\` with \`code\`, \`layer\`, \`retryability\`,`,
    '`retryAfterMs`, `details` and `cause`; expected failures come as `Result` values, never as throws. A tool, a hook or an app may bring',
    'codes of its own. Codes are stable: an app may compare them as strings.',
    '',
    '`Again` says whether the same request can help when it is repeated. `Session` says what is left of the session.',
  ];
  for (const layer of layers) {
    lines.push('', `## ${layer}`, '', '| Code | Again | Session | What a user interface does |', '| --- | --- | --- | --- |');
    for (const entry of list.filter((one) => one.layer === layer)) {
      lines.push(`| \`${entry.code}\` | ${RETRY[entry.retryability]} | ${SESSION[entry.resumability]} | ${entry.advice} |`);
    }
  }
  return `${lines.join('\n')}\n`;
}

const wanted = render(await entries());
if (process.argv.includes('--check')) {
  const found = existsSync(target) ? readFileSync(target, 'utf8') : '';
  if (found !== wanted) {
    process.stderr.write('docs/errors.md is not what the catalog says: run node test/docs/errors-doc.mjs\n');
    process.exitCode = 1;
  }
} else {
  writeFileSync(target, wanted);
  process.stdout.write('docs/errors.md written\n');
}
