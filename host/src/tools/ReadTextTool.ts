import {
  BaseToolExecutor, PathAccess, PathEntryKind, ToolDefinition, ToolEffect, ToolResult, ToolRiskLevel, WorkspacePaths, type JsonObject, type ToolContext,
} from 'agent_core';
import { PathArgument, serviceOf, textSchema, type SampleTool } from './SampleTool';
import type { WorkspaceFiles } from './WorkspaceFiles';
import type { ToolWords } from './ToolWords';
import { plainText } from './plainText';

export const isWorkspacePaths = (service: object): service is WorkspacePaths => service instanceof WorkspacePaths;

/** Reads a text file of the workspace: all of a small one, of a large one the beginning and its size. */
export class ReadTextTool extends BaseToolExecutor {
  static readonly NAME = 'read_text';
  static readonly WHOLE_BYTES = 20 * 1024;
  static readonly HEAD_BYTES = 2 * 1024;

  constructor(private readonly files: WorkspaceFiles, private readonly words: ToolWords) {
    super();
  }

  static tool(files: WorkspaceFiles, words: ToolWords): SampleTool {
    return {
      definition: new ToolDefinition(ReadTextTool.NAME, 'Reads a .txt file of the workspace. Of a file above 20 KB it gives the first 2 KB and the size.',
        textSchema({ file: 'path below the workspace, for example notes/today.txt' }), ToolRiskLevel.safe),
      executor: new ReadTextTool(files, words),
      contract: { timeoutMs: 10_000, effect: ToolEffect.none, idempotent: true, concurrencySafe: true, maxResultChars: 24_000, resources: new PathArgument('file'), title: words.readTitle() },
    };
  }

  async execute(args: JsonObject, context: ToolContext): Promise<ToolResult> {
    const paths = serviceOf(context, WorkspacePaths.SERVICE_ID, isWorkspacePaths);
    if (paths === undefined) return ToolResult.error(this.words.noWorkspace());
    const resolved = await paths.resolve(args.getString('file') ?? '', PathAccess.read);
    if (!resolved.ok) throw resolved.error;
    const { realPath, relativePath, kind } = resolved.value;
    if (kind === PathEntryKind.missing) return ToolResult.error(this.words.noFile());
    // The ending of what would be opened, not of the name that led there.
    if (kind !== PathEntryKind.file || !/\.txt$/i.test(realPath)) return ToolResult.error(this.words.onlyText());
    const head = await this.files.readHead(realPath, ReadTextTool.WHOLE_BYTES + 1);
    if (!head.ok) return ToolResult.error(this.words.unreadable(head.error));
    if (!await paths.isUnchanged(resolved.value)) return ToolResult.error(this.words.exchanged());
    const { bytes, size } = head.value;
    const large = bytes.length > ReadTextTool.WHOLE_BYTES;
    const text = plainText(large ? bytes.subarray(0, ReadTextTool.HEAD_BYTES) : bytes, large);
    if (text === undefined) return ToolResult.error(this.words.notText(relativePath, size));
    return ToolResult.text(large ? this.words.head(relativePath, size, text) : text);
  }
}
