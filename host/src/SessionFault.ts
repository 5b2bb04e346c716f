import { ErrorCode, type ArkAgentError } from 'agent_core';
import { Ending } from '../../entry/src/main/ets/viewmodel/Ending.ets';
import { SafeText } from '../../entry/src/main/ets/viewmodel/SafeText.ets';
import type { Words } from '../../entry/src/main/ets/viewmodel/Words.ets';
import { ExitCode } from './ExitCode';

const UNUSABLE: ReadonlySet<string> = new Set([ErrorCode.stateCorrupt, ErrorCode.stateInvariantBroken, ErrorCode.stateVersionUnsupported]);

/** Exit code of a command that could not open its session or was refused. */
export function exitCodeOf(error: ArkAgentError): ExitCode {
  return UNUSABLE.has(error.code) ? ExitCode.SessionUnusable : ExitCode.Failed;
}

/** One line: what it means, what can be done, the code, and the file that was kept. */
export function faultLine(error: ArkAgentError, words: Words): string {
  const file = error.details?.get('file');
  const kept = file === undefined ? '' : ` [${SafeText.line(String(file))}]`;
  return `error: ${Ending.ofError(error).text(words)} (${error.code}: ${SafeText.line(error.message)})${kept}`;
}
