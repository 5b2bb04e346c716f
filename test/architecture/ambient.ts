import ts from 'typescript';
import { CORE, parse, type SourceMap } from './sources';

/** Globals that one of the two platforms lacks or that make a run unrepeatable; each has a port. */
const FORBIDDEN = new Map<string, string>([
  ['console', 'log through port/Logger'],
  ['setTimeout', 'time comes through port/Scheduler'],
  ['setInterval', 'time comes through port/Scheduler'],
  ['setImmediate', 'time comes through port/Scheduler'],
  ['clearTimeout', 'time comes through port/Scheduler'],
  ['clearInterval', 'time comes through port/Scheduler'],
  ['queueMicrotask', 'not on the device'],
  ['structuredClone', 'not on the device'],
  ['fetch', 'the network comes through port/HttpTransport'],
  ['URL', 'not global on the device'],
  ['TextEncoder', 'not global on the device, use port/TextDecoding or an own codec'],
  ['TextDecoder', 'not global on the device, use port/TextDecoding or an own codec'],
  ['AbortController', 'use base/Cancellation'],
  ['crypto', 'use port/Digest and port/IdGenerator'],
  ['performance', 'use port/Clock'],
  ['process', 'Node only'],
  ['Buffer', 'Node only'],
  ['require', 'ES modules only'],
  ['globalThis', 'dependencies come in through constructors'],
  ['eval', 'forbidden in ArkTS'],
]);

function declaredNames(file: ts.SourceFile): Set<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if ((ts.isVariableDeclaration(node) || ts.isParameter(node) || ts.isFunctionDeclaration(node)) && node.name !== undefined && ts.isIdentifier(node.name)) {
      names.add(node.name.text);
    }
    if (ts.isImportSpecifier(node)) names.add(node.name.text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return names;
}

function isMemberName(node: ts.Identifier): boolean {
  const parent = node.parent;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node;
  return (ts.isPropertyDeclaration(parent) || ts.isMethodDeclaration(parent) || ts.isPropertySignature(parent) || ts.isMethodSignature(parent) ||
    ts.isPropertyAssignment(parent) || ts.isEnumMember(parent) || ts.isGetAccessor(parent) || ts.isSetAccessor(parent)) && parent.name === node;
}

function clockOrChance(node: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression)) {
    const name = `${node.expression.text}.${node.name.text}`;
    if (name === 'Date.now') return `${name}: the time comes through port/Clock`;
    if (name === 'Math.random') return `${name}: chance comes through port/IdGenerator`;
  }
  if (ts.isNewExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'Date' && (node.arguments?.length ?? 0) === 0) {
    return 'new Date(): the time comes through port/Clock';
  }
  return undefined;
}

/** Uses of ambient names in core files. */
export function ambientViolations(sources: SourceMap): string[] {
  const problems: string[] = [];
  for (const [path, text] of sources) {
    if (!path.startsWith(`${CORE}/`)) continue;
    const file = parse(path, text);
    const declared = declaredNames(file);
    const visit = (node: ts.Node): void => {
      const at = (): string => `${path}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
      const impure = clockOrChance(node);
      if (impure !== undefined) problems.push(`${at()} uses ${impure}`);
      if (ts.isIdentifier(node) && FORBIDDEN.has(node.text) && !declared.has(node.text) && !isMemberName(node)) {
        problems.push(`${at()} uses ${node.text}: ${FORBIDDEN.get(node.text)}`);
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return problems;
}

/** Module variables and static fields that change: two runtimes in one process would share them. */
export function sharedStateViolations(sources: SourceMap): string[] {
  const problems: string[] = [];
  for (const [path, text] of sources) {
    if (!path.startsWith(`${CORE}/`)) continue;
    const file = parse(path, text);
    const report = (node: ts.Node, what: string): void => {
      const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      problems.push(`${path}:${line} ${what}: no shared mutable state, dependencies come in through constructors`);
    };
    for (const statement of file.statements) {
      if (ts.isVariableStatement(statement) && (statement.declarationList.flags & ts.NodeFlags.Const) === 0) report(statement, 'declares a module variable that can change');
      if (!ts.isClassDeclaration(statement)) continue;
      for (const member of statement.members) {
        const flags = ts.getCombinedModifierFlags(member);
        const isMutableStatic = ts.isPropertyDeclaration(member) && (flags & ts.ModifierFlags.Static) !== 0 && (flags & ts.ModifierFlags.Readonly) === 0;
        if (isMutableStatic) report(member, 'declares a static field that can change');
      }
    }
  }
  return problems;
}
