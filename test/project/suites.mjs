import { posix } from 'node:path';
import ts from 'typescript';

const SUITE_NAME = /^[A-Za-z][\w.]*$/;
const CASE_NAME = /^[\w.]+$/;

function parse(path, text) {
  return ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true, ts.ScriptKind.TS);
}

function calls(node, visit) {
  if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) visit(node.expression.text, node);
  ts.forEachChild(node, (child) => calls(child, visit));
}

/** Test files whose default function is imported by this list and called in it. */
function calledFrom(path, text) {
  const file = parse(path, text);
  const imported = new Map();
  for (const statement of file.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const name = statement.importClause?.name?.text;
    if (name !== undefined) imported.set(name, `${posix.join(posix.dirname(path), statement.moduleSpecifier.text)}.ets`);
  }
  const called = new Set();
  calls(file, (name) => {
    if (imported.has(name)) called.add(imported.get(name));
  });
  return called;
}

/** A suite that its List does not call is green and never runs. */
export function checkLists(project, report) {
  for (const module of project.modules()) {
    for (const folder of [`${module.folder}/src/test`, `${module.folder}/src/ohosTest/ets/test`]) {
      const suites = [...project.files.keys()].filter((path) => path.startsWith(`${folder}/`) && path.endsWith('.test.ets'));
      const list = `${folder}/List.test.ets`;
      if (suites.length === 0) continue;
      if (!project.has(list)) {
        report(folder, 'suite-list', 'has suites but no List.test.ets: none of them runs');
        continue;
      }
      const called = calledFrom(list, project.text(list));
      for (const suite of suites.filter((path) => path !== list && !called.has(path))) {
        report(suite, 'suite-list', 'is not called from List.test.ets: green and never run');
      }
    }
  }
  for (const path of project.paths(/\/src\/ohosTest\/ets\/test\/.+\.ets$/)) {
    if (!path.endsWith('.test.ets')) report(path, 'suite-file-name', 'files below ohosTest/ets/test have to end in .test.ets');
  }
}

function literalName(call) {
  const first = call.arguments[0];
  return first !== undefined && ts.isStringLiteral(first) ? first.text : undefined;
}

function checkCases(path, suite, body, report) {
  const seen = new Set();
  calls(body, (name, call) => {
    if (name !== 'it' && name !== 'xit') return;
    const title = literalName(call);
    if (title === undefined) report(path, 'case-name', `a case of ${suite} has a computed name: the test build of DevEco fails`);
    else if (!CASE_NAME.test(title)) report(path, 'case-name', `'${title}' may only hold letters, digits, _ and .`);
    else if (seen.has(title)) report(path, 'case-name', `'${title}' appears twice in ${suite}`);
    seen.add(title);
  });
}

/** Names are literals, legal, and unique: suites in their package, cases in their suite. */
export function checkNames(project, report) {
  for (const module of project.modules()) {
    for (const folder of ['src/test', 'src/ohosTest']) {
      const suites = new Map();
      for (const path of project.paths(/\.test\.ets$/).filter((p) => p.startsWith(`${module.folder}/${folder}/`))) {
        calls(parse(path, project.text(path)), (name, call) => {
          if (name !== 'describe' && name !== 'xdescribe') return;
          const title = literalName(call);
          if (title === undefined) report(path, 'suite-name', 'a suite has a computed name: the test build of DevEco fails');
          else if (!SUITE_NAME.test(title)) report(path, 'suite-name', `'${title}' has to start with a letter and may hold letters, digits, _ and .`);
          else if (suites.has(title)) report(path, 'suite-name', `'${title}' is also in ${suites.get(title)}`);
          suites.set(title, path);
          checkCases(path, title ?? 'the suite', call, report);
        });
      }
    }
  }
}
