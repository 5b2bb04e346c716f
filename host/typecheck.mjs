// Checks the host and the tests as `tsc -p .` does, with one difference: `X.ets` is read as TypeScript.
// ArkTS sources without decorators are TypeScript, but the compiler does not know their file name.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const ALIAS = '.ets.ts';

const parsed = ts.getParsedCommandLineOfConfigFile(`${root}/tsconfig.json`, {}, {
  ...ts.sys,
  onUnRecoverableConfigFileDiagnostic: (diagnostic) => report([diagnostic]),
});

const host = ts.createCompilerHost(parsed.options);
const origin = (file) => (file.endsWith(ALIAS) ? file.slice(0, -'.ts'.length) : file);
const plainRead = host.readFile.bind(host);
const plainExists = host.fileExists.bind(host);
host.readFile = (file) => plainRead(origin(file));
host.fileExists = (file) => plainExists(origin(file));
host.getSourceFile = (file, options) => {
  const text = existsSync(origin(file)) ? readFileSync(origin(file), 'utf8') : undefined;
  return text === undefined ? undefined : ts.createSourceFile(file, text, options);
};
host.resolveModuleNameLiterals = (literals, from, _redirected, options) => literals.map((literal) => {
  const name = literal.text;
  const base = resolve(dirname(from), name);
  const ets = name.endsWith('.ets') ? base : `${base}.ets`;
  if (name.startsWith('.') && existsSync(ets)) {
    return { resolvedModule: { resolvedFileName: `${ets}.ts`, extension: ts.Extension.Ts, isExternalLibraryImport: false } };
  }
  return ts.resolveModuleName(name, from, options, host);
});

const program = ts.createProgram(parsed.fileNames, parsed.options, host);
process.exitCode = report(ts.getPreEmitDiagnostics(program));

function report(diagnostics) {
  const only = process.argv.slice(2);
  const shown = diagnostics.filter((one) => only.length === 0 || only.some((part) => one.file?.fileName.includes(part)));
  for (const diagnostic of shown) {
    const message = ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n');
    const at = diagnostic.file?.getLineAndCharacterOfPosition(diagnostic.start ?? 0);
    const place = diagnostic.file === undefined ? '' : `${origin(diagnostic.file.fileName).replace(`${root}/`, '')}(${at.line + 1},${at.character + 1}): `;
    process.stderr.write(`${place}TS${diagnostic.code}: ${message}\n`);
  }
  return shown.length === 0 ? 0 : 1;
}
