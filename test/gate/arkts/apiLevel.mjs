/** Level at which a declaration first appeared; undefined when it says nothing. Several doc blocks tell its history, the lowest counts. */
function introducedIn(declaration) {
  const levels = [];
  for (const doc of declaration.jsDoc ?? []) {
    for (const tag of doc.tags ?? []) {
      if (tag.tagName?.escapedText === 'since') levels.push(Number.parseInt(String(tag.comment), 10));
    }
  }
  const known = levels.filter(Number.isFinite);
  return known.length === 0 ? undefined : Math.min(...known);
}

/** The declarations a name stands for; of an overloaded function that is called, only the overload that was chosen. */
function declarationsOf(checker, ts, node) {
  const callee = ts.isPropertyAccessExpression(node.parent) && node.parent.name === node ? node.parent : node;
  if (ts.isCallExpression(callee.parent) && callee.parent.expression === callee) {
    const chosen = checker.getResolvedSignature(callee.parent)?.declaration;
    if (chosen !== undefined && chosen.name !== undefined) return [chosen];
  }
  let symbol = checker.getSymbolAtLocation(node);
  if (symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0) symbol = checker.getAliasedSymbol(symbol);
  return symbol?.declarations ?? [];
}

/** Doc comments stand on the statement of a variable, not on the variable. */
function documented(declaration) {
  return declaration.jsDoc === undefined && declaration.parent?.parent?.jsDoc !== undefined && declaration.parent.declarations !== undefined
    ? declaration.parent.parent
    : declaration;
}

/**
 * SDK symbols that are newer than the oldest system the project promises to run on: they compile here and crash there.
 *
 * @returns findings with rule `api-level`.
 */
export function apiLevelFindings(ts, program, files, apiLevel, sdkFolder) {
  const checker = program.getTypeChecker();
  const findings = [];
  const visit = (file, node) => {
    if (ts.isIdentifier(node)) {
      const declarations = declarationsOf(checker, ts, node).filter((d) => d.getSourceFile().fileName.startsWith(sdkFolder));
      const levels = declarations.map((d) => introducedIn(documented(d)));
      if (levels.length > 0 && levels.every((level) => level !== undefined && level > apiLevel)) {
        const at = file.getLineAndCharacterOfPosition(node.getStart());
        findings.push({
          file: file.fileName,
          line: at.line + 1,
          column: at.character + 1,
          rule: 'api-level',
          message: `'${node.text}' exists since API ${Math.min(...levels)}, the project promises API ${apiLevel}: older devices crash here`,
        });
      }
    }
    ts.forEachChild(node, (child) => visit(file, child));
  };
  for (const file of files) visit(file, file);
  return findings;
}
