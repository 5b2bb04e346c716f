import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { AuditExport, AuditField, AuditFile, AuditVerifier, CallStory, type AuditHead, type AuditRecord, type AuditVerdict } from 'agent_core';
import { SafeText } from '../../../entry/src/main/ets/viewmodel/SafeText.ets';
import { ExitCode } from '../ExitCode';
import { UsageError } from '../UsageError';
import { NodeDigest } from '../ports/NodeDigest';
import { AUDIT_FILE } from './auditFile';
import { AuditWords } from './AuditWords';

export interface AuditFlags {
  lang: string;
  json?: boolean;
  /** Only this call. */
  call?: string;
  /** Prints a copy without these fields instead. */
  redact?: string;
}

interface Checked {
  readonly verdict: AuditVerdict;
  readonly records: AuditRecord[];
  /** The lines of a redacted copy. */
  readonly copy: string[];
}

/**
 * `arkagent session DIR --audit`: checks the chain and tells what happened to each call.
 *
 * @param target a demonstration folder, or an audit file
 */
export async function auditCommand(target: string, flags: AuditFlags): Promise<ExitCode> {
  const path = auditFileOf(target);
  const shown = relative(process.cwd(), path) || path;
  const words = new AuditWords(flags.lang.toLowerCase().startsWith('zh'));
  if (!existsSync(path)) throw new UsageError(words.nothing(shown));
  if (statSync(path).isDirectory()) throw new UsageError(words.noFile(shown));
  const hidden = flags.redact === undefined ? undefined : fieldsOf(flags.redact);
  const checked = await check(path, hidden).catch((fault: Error): never => {
    const { code } = fault as NodeJS.ErrnoException;
    throw code === undefined ? fault : new UsageError(words.noFile(shown, code));
  });
  const { verdict } = checked;
  if (hidden !== undefined) return printCopy(checked, words);
  if (flags.json === true) print(JSON.stringify({ type: 'audit', file: shown, intact: verdict.firstBreak === undefined, ...verdict }));
  else printVerdict(verdict, words, shown);
  const stories = CallStory.all(checked.records).filter((story) => flags.call === undefined || story.callId === flags.call);
  for (const story of stories) printStory(story, words, flags.json === true);
  if (flags.call !== undefined && stories.length === 0) {
    process.stderr.write(`error: ${words.noCall(safe(flags.call))}\n`);
    return verdict.firstBreak === undefined ? ExitCode.Usage : ExitCode.AuditBroken;
  }
  return verdict.firstBreak === undefined ? ExitCode.Done : ExitCode.AuditBroken;
}

function auditFileOf(target: string): string {
  return existsSync(target) && statSync(target).isDirectory() ? join(target, AUDIT_FILE) : target;
}

function fieldsOf(list: string): AuditField[] {
  const known: readonly string[] = Object.values(AuditField);
  return list.split(',').map((name) => {
    if (!known.includes(name)) throw new UsageError(`--redact takes ${known.join(', ')}`);
    return name as AuditField;
  });
}

/** Line by line: an audit file has no upper size. */
async function check(path: string, hidden: readonly AuditField[] | undefined): Promise<Checked> {
  const digest = new NodeDigest();
  const verifier = new AuditVerifier(digest, headOf(path));
  const redaction = hidden === undefined ? undefined : AuditExport.without(digest, hidden);
  const records: AuditRecord[] = [];
  const copy: string[] = [];
  let first = true;
  let rest = '';
  for await (const chunk of createReadStream(path, 'utf8')) {
    const lines = (rest + (chunk as string)).split('\n');
    rest = lines.pop()!;
    for (const text of lines) {
      const line = verifier.add(text);
      if (first && redaction !== undefined) {
        const opening = redaction.begin(text);
        if (opening === undefined) throw new UsageError('only an original file can be redacted');
        copy.push(opening);
      }
      first = false;
      if (line === undefined) continue;
      records.push(CallStory.recordOf(line));
      if (redaction !== undefined) copy.push(redaction.line(line));
    }
  }
  return { verdict: verifier.end(rest), records, copy };
}

function headOf(path: string): AuditHead | undefined {
  return existsSync(`${path}.head`) ? AuditFile.parseHead(readFileSync(`${path}.head`, 'utf8')) : undefined;
}

/** A copy of a broken chain would end at the break and look whole: there is none. */
function printCopy(checked: Checked, words: AuditWords): ExitCode {
  const { firstBreak, records } = checked.verdict;
  if (firstBreak !== undefined) {
    process.stderr.write(`error: ${words.broken(firstBreak, records)}\n`);
    return ExitCode.AuditBroken;
  }
  for (const line of checked.copy) print(line);
  return ExitCode.Done;
}

function printVerdict(verdict: AuditVerdict, words: AuditWords, shown: string): void {
  print(verdict.firstBreak === undefined ? words.intact(verdict.records, shown) : words.broken(verdict.firstBreak, verdict.records));
  if (verdict.torn) print(words.torn());
  if (verdict.hiddenFields > 0) print(words.hidden(verdict.hiddenFields));
}

function printStory(story: CallStory, words: AuditWords, json: boolean): void {
  if (json) {
    const { sessionId, runId, batchId, callId, position, tool, status, code, ran, steps } = story;
    print(JSON.stringify({ type: 'call', sessionId, runId, batchId, callId, position, tool, status, code, ran, steps }));
    return;
  }
  print('');
  print(safe(words.heading(story)));
  for (const step of story.steps) print(safe(words.step(step)));
}

/** Call ids come from a model: what could steer a terminal is shown as text. */
function safe(text: string): string {
  return SafeText.line(text);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
