import { checkSources, format } from './arkts/check.mjs';
import { repositoryRoot } from './arkts/sdk.mjs';
import { clean, planted } from './planted.mjs';

const FOLDER = `${repositoryRoot}/.planted`;

/**
 * Runs the gate over the planted violations and the clean files, in one program.
 *
 * @returns {{ name: string, expected: string, found: string[], ok: boolean }[]} one row per planted snippet, then one per clean file.
 */
export function runSelfTest() {
  const virtual = new Map();
  const roots = [];
  planted.forEach((violation, index) => {
    const main = `${FOLDER}/${index}/Main${violation.extension ?? '.ets'}`;
    virtual.set(main, violation.code);
    for (const [name, text] of Object.entries(violation.files ?? {})) virtual.set(`${FOLDER}/${index}/${name}`, text);
    roots.push(main);
  });
  for (const [name, text] of Object.entries(clean)) {
    virtual.set(`${FOLDER}/clean/${name}`, text);
    roots.push(`${FOLDER}/clean/${name}`);
  }
  const { findings } = checkSources(roots, { virtual, apiLevel: 12 });
  const of = (prefix) => findings.filter((finding) => finding.file.startsWith(`.planted/${prefix}`));
  const rows = planted.map((violation, index) => {
    const found = of(`${index}/Main`).map((finding) => finding.rule);
    return { name: violation.name, expected: violation.rule, found, ok: found.includes(violation.rule) };
  });
  for (const name of Object.keys(clean)) {
    const found = of(`clean/${name}`).map(format);
    rows.push({ name: `clean ${name}`, expected: 'nothing', found, ok: found.length === 0 });
  }
  return rows;
}

if (process.argv[1]?.endsWith('self-test.mjs')) {
  const rows = runSelfTest();
  const wrong = rows.filter((row) => !row.ok);
  for (const row of wrong) process.stdout.write(`${row.name}: expected ${row.expected}, found ${row.found.join(', ') || 'nothing'}\n`);
  process.stdout.write(`Gate self-test: ${rows.length - wrong.length} of ${rows.length} as expected\n`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
}
