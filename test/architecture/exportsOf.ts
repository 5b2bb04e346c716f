import ts from 'typescript';
import { parse, type SourceMap } from './sources';
import { posix } from 'node:path';

export interface Exported {
  readonly name: string;
  /** Path without extension that the name comes from; the file itself for a declaration. */
  readonly origin: string;
}

/** Names that a barrel exports; `export *` has no names and is reported as `*`. */
export function exportsOf(path: string, sources: SourceMap): Exported[] {
  const file = parse(path, sources.get(path) ?? '');
  const found: Exported[] = [];
  for (const statement of file.statements) {
    if (ts.isExportDeclaration(statement)) {
      const specifier = statement.moduleSpecifier;
      const origin = specifier !== undefined && ts.isStringLiteral(specifier) ? posix.join(posix.dirname(path), specifier.text) : path;
      if (statement.exportClause === undefined || ts.isNamespaceExport(statement.exportClause)) found.push({ name: '*', origin });
      else for (const element of statement.exportClause.elements) found.push({ name: element.name.text, origin });
    } else if (ts.canHaveModifiers(statement) && ts.getModifiers(statement)?.some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword) === true) {
      const name = (statement as unknown as { name?: ts.Identifier }).name?.text;
      found.push({ name: name ?? '(declaration)', origin: path });
    }
  }
  return found;
}
