import {
  BaseToolExecutor, PathAccess, PathEntryKind, ToolCallScope, ToolCancellation, ToolDefinition, ToolEffect, ToolResult, ToolRiskLevel, ToolServiceRegistry, WorkspacePaths,
  type JsonObject, type ResolvedPath, type ToolContext,
} from 'agent_core';
import { isWorkspacePaths } from './ReadTextTool';
import { PathArgument, serviceOf, textSchema, type SampleTool } from './SampleTool';
import type { ToolWords } from './ToolWords';
import type { WorkspaceFiles } from './WorkspaceFiles';
import { plainText } from './plainText';

const MAX_ENTRIES = 5000;
const MAX_DEPTH = 8;
const MAX_COUNTED_BYTES = 1024 * 1024;
const LONGEST_SHOWN = 5;

interface Counted {
  readonly path: string;
  readonly words: number;
}

class Tally {
  readonly counted: Counted[] = [];
  lines = 0;
  tooLarge = 0;
  notText = 0;
  refused = 0;
  other = 0;

  toText(complete: boolean, say: ToolWords): string {
    const words = this.counted.reduce((sum, one) => sum + one.words, 0);
    const longest = [...this.counted].sort((a, b) => b.words - a.words || (a.path < b.path ? -1 : 1)).slice(0, LONGEST_SHOWN);
    return [
      say.tally(this.counted.length, this.lines, words),
      say.leftOut(this.tooLarge, this.notText, this.refused, this.other),
      ...(complete ? [] : [say.reportStops(MAX_ENTRIES)]),
      ...longest.map((one) => say.longest(one.words, one.path)),
    ].join('\n');
  }
}

/** Counts the text files of a folder. Takes long where there are many: tells how far it is, stops when it is told to, may become a job. */
export class RunReportTool extends BaseToolExecutor {
  static readonly NAME = 'run_report';

  constructor(private readonly files: WorkspaceFiles, private readonly words: ToolWords) {
    super();
  }

  static tool(files: WorkspaceFiles, words: ToolWords): SampleTool {
    return {
      definition: new ToolDefinition(RunReportTool.NAME, 'Counts files, lines and words of the .txt files in a folder of the workspace and below.',
        textSchema({ 'folder?': 'path below the workspace; the whole workspace when left out' }), ToolRiskLevel.safe),
      executor: new RunReportTool(files, words),
      contract: {
        timeoutMs: 120_000, effect: ToolEffect.none, idempotent: true, background: true, cancellation: ToolCancellation.cooperative,
        resources: new PathArgument('folder', '.'), title: words.reportTitle(),
      },
    };
  }

  async execute(args: JsonObject, context: ToolContext): Promise<ToolResult> {
    const paths = serviceOf(context, WorkspacePaths.SERVICE_ID, isWorkspacePaths);
    if (paths === undefined) return ToolResult.error(this.words.noWorkspace());
    const start = await paths.resolve(args.getString('folder') ?? '.', PathAccess.read);
    if (!start.ok) throw start.error;
    if (start.value.kind !== PathEntryKind.directory) return ToolResult.error(this.words.noFolder());
    const found = await this.filesBelow(start.value, paths, context);
    const tally = found.tally;
    for (const [index, file] of found.files.entries()) {
      if (context.signal.cancelled) return ToolResult.error(this.words.stopped(index, found.files.length));
      this.progress(context, index, found.files.length);
      await this.count(file, paths, tally);
    }
    this.progress(context, found.files.length, found.files.length);
    return ToolResult.text(tally.toText(found.complete, this.words));
  }

  /** Every place once, wherever links lead, and none outside. */
  private async filesBelow(start: ResolvedPath, paths: WorkspacePaths, context: ToolContext): Promise<{ files: ResolvedPath[]; tally: Tally; complete: boolean }> {
    const tally = new Tally();
    const files: ResolvedPath[] = [];
    const seen = new Set([start.realPath]);
    const folders = [{ folder: start, depth: 0 }];
    let left = MAX_ENTRIES;
    for (let next = folders.shift(); next !== undefined && left > 0 && !context.signal.cancelled; next = folders.shift()) {
      const { folder, depth } = next;
      const names = await this.files.list(folder.realPath, left);
      left -= names.ok ? names.value.length : 0;
      for (const name of names.ok ? names.value : []) {
        const entry = await paths.resolve(folder.relativePath === '' ? name : `${folder.relativePath}/${name}`, PathAccess.read);
        if (!entry.ok) tally.refused += 1;
        else if (!seen.has(entry.value.realPath)) {
          seen.add(entry.value.realPath);
          if (entry.value.kind === PathEntryKind.directory && depth < MAX_DEPTH) folders.push({ folder: entry.value, depth: depth + 1 });
          else if (entry.value.kind === PathEntryKind.file && /\.txt$/i.test(entry.value.realPath)) files.push(entry.value);
          else tally.other += 1;
        }
      }
    }
    return { files, tally, complete: left > 0 };
  }

  private async count(file: ResolvedPath, paths: WorkspacePaths, tally: Tally): Promise<void> {
    const head = await this.files.readHead(file.realPath, MAX_COUNTED_BYTES);
    if (!head.ok || !await paths.isUnchanged(file)) {
      tally.refused += 1;
      return;
    }
    if (head.value.size > MAX_COUNTED_BYTES) {
      tally.tooLarge += 1;
      return;
    }
    const text = plainText(head.value.bytes, false);
    if (text === undefined) {
      tally.notText += 1;
      return;
    }
    tally.lines += text === '' ? 0 : text.replace(/\n$/, '').split('\n').length;
    tally.counted.push({ path: file.relativePath, words: text.split(/\s+/).filter((word) => word !== '').length });
  }

  private progress(context: ToolContext, done: number, all: number): void {
    const scope = serviceOf(context, ToolServiceRegistry.CALL_SCOPE_ID, (service): service is ToolCallScope => service instanceof ToolCallScope);
    scope?.reportProgress(this.words.progress(done, all), all === 0 ? 1 : done / all);
  }
}
