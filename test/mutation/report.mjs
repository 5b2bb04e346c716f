import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ACCEPTED } from './accepted.mjs';
import { CORE, FOLDERS } from './scope.mjs';

/* Fills the tables of docs/mutation.md from the results of the newest runs. */

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path) => JSON.parse(readFileSync(`${root}${path}`, 'utf8'));

const PAGE = `${root}docs/mutation.md`;
const UNEXAMINED = 'Not examined';

/** The piece of source that a mutant replaces, in one line. */
function original(lines, { start, end }) {
  const picked = lines.slice(start.line - 1, end.line);
  picked[picked.length - 1] = picked[picked.length - 1].slice(0, end.column - 1);
  picked[0] = picked[0].slice(start.column - 1);
  return picked.join(' ').replace(/\s+/g, ' ');
}

function mutantsOf(results) {
  const found = [];
  for (const [path, file] of Object.entries(results.files)) {
    const name = path.slice(path.indexOf(`${CORE}/`) + CORE.length + 1);
    const lines = file.source.split('\n');
    for (const mutant of file.mutants) {
      found.push({
        name, folder: name.split('/')[0], line: mutant.location.start.line, mutator: mutant.mutatorName, status: mutant.status,
        code: original(lines, mutant.location), text: lines[mutant.location.start.line - 1].trim(), replacement: (mutant.replacement ?? '').replace(/\s+/g, ' '),
      });
    }
  }
  return found;
}

const mutants = mutantsOf(read('reports/mutation/incremental.json'));
const open = mutants.filter((one) => one.status === 'Survived' || one.status === 'NoCoverage');

function reasonOf(mutant) {
  return ACCEPTED.find((rule) => ['name', 'mutator', 'text', 'code', 'replacement'].every((key) => rule[key] === undefined || rule[key].test(mutant[key])))?.reason ?? UNEXAMINED;
}

function countsOf(folder) {
  const own = mutants.filter((one) => one.folder === folder);
  const count = (...statuses) => own.filter((one) => statuses.includes(one.status)).length;
  const killed = count('Killed');
  const timeout = count('Timeout');
  const survived = count('Survived');
  const uncovered = count('NoCoverage');
  const share = (100 * (killed + timeout)) / (killed + timeout + survived + uncovered);
  return `| \`${folder}/\` | ${own.length} | ${killed} | ${timeout} | ${survived} | ${uncovered} | ${count('Ignored')} | ${share.toFixed(1)} % |`;
}

/** Lines of one file and mutator behind each other: `12, 40 (2)`. */
function places(group) {
  const byLine = new Map();
  for (const one of group) byLine.set(one.line, (byLine.get(one.line) ?? 0) + 1);
  return [...byLine].sort(([a], [b]) => a - b).map(([line, count]) => (count === 1 ? `${line}` : `${line} (${count})`)).join(', ');
}

function table(reason) {
  const own = open.filter((one) => reasonOf(one) === reason);
  const groups = Map.groupBy?.(own, (one) => `${one.name}|${one.mutator}`) ?? own.reduce((map, one) => map.set(`${one.name}|${one.mutator}`, [...(map.get(`${one.name}|${one.mutator}`) ?? []), one]), new Map());
  const rows = [...groups].sort(([a], [b]) => a.localeCompare(b)).map(([key, group]) => `| \`${key.split('|')[0]}\` | ${places(group)} | ${key.split('|')[1]} |`);
  return `### ${reason} (${own.length})\n\n| File | Lines | Mutator |\n| --- | --- | --- |\n${rows.join('\n')}\n`;
}

const reasons = [...new Set(open.map(reasonOf))].sort((a, b) => open.filter((one) => reasonOf(one) === b).length - open.filter((one) => reasonOf(one) === a).length);
const version = (name) => read(`node_modules/${name}/package.json`).version;

const counts = `Last run ${new Date().toISOString().slice(0, 10)}: Stryker ${version('@stryker-mutator/core')}, vitest ${version('vitest')}, Node ${process.versions.node}.

| Folder | Mutants | Killed | Timed out | Survived | Not covered | Left out | Noticed |
| --- | --- | --- | --- | --- | --- | --- | --- |
${FOLDERS.filter((folder) => mutants.some((one) => one.folder === folder)).map(countsOf).join('\n')}`;

function filled(page, mark, text) {
  return page.replace(new RegExp(`(<!-- ${mark} -->\\n)[\\s\\S]*?(\\n<!-- end -->)`), (_all, before, after) => `${before}\n${text.trimEnd()}\n${after}`);
}

const page = filled(readFileSync(PAGE, 'utf8'), 'counts', counts);
writeFileSync(PAGE, filled(page, 'survivors', reasons.map(table).join('\n')));
console.log(`docs/mutation.md: ${open.length} survivors, ${open.filter((one) => reasonOf(one) === UNEXAMINED).length} of them not examined`);
