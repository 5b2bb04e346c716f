import {
  BaseToolExecutor, PathAccess, PathEntryKind, ToolDefinition, ToolEffect, ToolResult, ToolRiskLevel, WorkspacePaths, type JsonObject, type ToolContext,
  type ToolDescriber,
} from 'agent_core';
import { isWorkspacePaths } from './ReadTextTool';
import { PathArgument, serviceOf, textSchema, type SampleTool } from './SampleTool';
import type { ToolWords } from './ToolWords';
import type { WorkspaceFiles } from './WorkspaceFiles';

/** Writes a new text file into the workspace; never over one that is there. */
export class WriteNoteTool extends BaseToolExecutor {
  static readonly NAME = 'write_note';
  static readonly MAX_CHARS = 20_000;

  constructor(private readonly files: WorkspaceFiles, private readonly words: ToolWords) {
    super();
  }

  static tool(files: WorkspaceFiles, words: ToolWords): SampleTool {
    return {
      definition: new ToolDefinition(WriteNoteTool.NAME, 'Writes a note into a new .txt file of the workspace. An existing file is never changed.',
        textSchema({ file: 'path of the new file below the workspace; its folder must exist', text: 'the whole note' }), ToolRiskLevel.sensitive),
      executor: new WriteNoteTool(files, words),
      contract: { timeoutMs: 10_000, effect: ToolEffect.reversible, resources: new PathArgument('file'), title: words.noteTitle(), describer: new NoteSentence() },
    };
  }

  async execute(args: JsonObject, context: ToolContext): Promise<ToolResult> {
    const paths = serviceOf(context, WorkspacePaths.SERVICE_ID, isWorkspacePaths);
    if (paths === undefined) return ToolResult.error(this.words.noWorkspace());
    const text = args.getString('text') ?? '';
    if (text.trim() === '') return ToolResult.error(this.words.emptyNote());
    if (text.length > WriteNoteTool.MAX_CHARS) return ToolResult.error(this.words.longNote(WriteNoteTool.MAX_CHARS));
    const resolved = await paths.resolve(args.getString('file') ?? '', PathAccess.write);
    if (!resolved.ok) throw resolved.error;
    const { realPath, relativePath, kind } = resolved.value;
    if (!/\.txt$/i.test(realPath)) return ToolResult.error(this.words.noteEnding());
    if (kind !== PathEntryKind.missing) return ToolResult.error(this.words.taken());
    const written = await this.files.writeNew(realPath, text);
    return written.ok ? ToolResult.text(this.words.wrote(text.length, relativePath)) : ToolResult.error(this.words.notWritten(written.error));
  }
}

class NoteSentence implements ToolDescriber {
  describe(args: JsonObject, language: string): string {
    const file = args.getString('file') ?? '';
    const length = (args.getString('text') ?? '').length;
    return language.toLowerCase().startsWith('zh') ? `把 ${length} 个字符写入新文件“${file}”？` : `Write a note of ${length} characters to the new file "${file}"?`;
  }
}
