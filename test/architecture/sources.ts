import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export const repositoryRoot = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]+$/, '');
export const CORE = 'agent_core/src/main/ets/core';

/** Source text by path below the repository. Tests of the rules build small ones by hand. */
export type SourceMap = ReadonlyMap<string, string>;

export interface ImportEdge {
  readonly from: string;
  readonly line: number;
  readonly specifier: string;
  /** Repository path of a relative import; undefined for packages. */
  readonly target: string | undefined;
  /** True when nothing of the import is needed at run time. */
  readonly typeOnly: boolean;
}

export function readSources(folders: readonly string[], extension: RegExp): Map<string, string> {
  const found = new Map<string, string>();
  for (const folder of folders) {
    const absolute = join(repositoryRoot, folder);
    if (!existsSync(absolute)) continue;
    if (statSync(absolute).isFile()) {
      found.set(folder, readFileSync(absolute, 'utf8'));
      continue;
    }
    for (const entry of readdirSync(absolute, { recursive: true, withFileTypes: true })) {
      const path = posix.relative(repositoryRoot, posix.join(entry.parentPath, entry.name));
      if (entry.isFile() && extension.test(entry.name) && !path.includes('node_modules/')) found.set(path, readFileSync(join(repositoryRoot, path), 'utf8'));
    }
  }
  return new Map([...found].sort(([a], [b]) => a.localeCompare(b)));
}

/** Every file under version control or about to be. */
export function repositoryFiles(): string[] {
  const out = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: repositoryRoot, encoding: 'utf8' });
  return out.split('\n').filter((path) => path !== '' && existsSync(join(repositoryRoot, path)));
}

export function parse(path: string, text: string): ts.SourceFile {
  return ts.createSourceFile(path, withoutStructs(text), ts.ScriptTarget.ES2022, true, ts.ScriptKind.TS);
}

/** ArkUI's `struct` reads as a class; the component DSL inside is still parsed as far as imports and names need. */
function withoutStructs(text: string): string {
  return text.replace(/^(\s*(?:export\s+(?:default\s+)?)?)struct(\s+\w+)/gm, '$1class $2');
}

const SUFFIXES = ['.ts', '.ets', '.mjs', '.d.ts', '/index.ts'];

function resolveRelative(from: string, specifier: string, sources: SourceMap): string {
  const base = posix.normalize(posix.join(posix.dirname(from), specifier));
  return ['', ...SUFFIXES].map((suffix) => base + suffix).find((path) => sources.has(path)) ?? base;
}

function namesOf(clause: ts.ImportClause): string[] {
  const names: string[] = clause.name === undefined ? [] : [clause.name.text];
  const bindings = clause.namedBindings;
  if (bindings !== undefined && ts.isNamespaceImport(bindings)) names.push(bindings.name.text);
  if (bindings !== undefined && ts.isNamedImports(bindings)) {
    for (const element of bindings.elements) if (!element.isTypeOnly) names.push(element.name.text);
  }
  return names;
}

function isClassBase(node: ts.Node): boolean {
  return ts.isExpressionWithTypeArguments(node) && ts.isHeritageClause(node.parent) && node.parent.token === ts.SyntaxKind.ExtendsKeyword && ts.isClassLike(node.parent.parent);
}

/** Names that occur where a value is needed: not in types, not as a member's name. */
export function valueNames(file: ts.SourceFile): Set<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return;
    if (isClassBase(node)) {
      visit((node as ts.ExpressionWithTypeArguments).expression);
      return;
    }
    if (ts.isTypeNode(node) || ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node)) return;
    if (ts.isIdentifier(node)) {
      const isMember = ts.isPropertyAccessExpression(node.parent) && node.parent.name === node;
      if (!isMember) names.add(node.text);
      return;
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return names;
}

export function importsOf(path: string, sources: SourceMap): ImportEdge[] {
  const file = parse(path, sources.get(path) ?? '');
  const used = valueNames(file);
  const edges: ImportEdge[] = [];
  const add = (node: ts.Node, specifier: string, typeOnly: boolean): void => {
    const target = specifier.startsWith('.') ? resolveRelative(path, specifier, sources) : undefined;
    edges.push({ from: path, line: file.getLineAndCharacterOfPosition(node.getStart()).line + 1, specifier, target, typeOnly });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      const clause = node.importClause;
      const typeOnly = clause !== undefined && (clause.isTypeOnly || !namesOf(clause).some((name) => used.has(name)));
      add(node, node.moduleSpecifier.text, typeOnly);
    } else if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined && ts.isStringLiteral(node.moduleSpecifier)) {
      add(node, node.moduleSpecifier.text, node.isTypeOnly);
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const first = node.arguments[0];
      if (first !== undefined && ts.isStringLiteral(first)) add(node, first.text, false);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return edges;
}
