import { HiddenTool, SelectableTool, ToolSelection, ToolSelector } from '../../tool/ToolSelector';
import { ToolDefinition } from '../../model/ToolDefinition';
import { ReadArtifactTool } from './ReadArtifactTool';

/** Shows `read_artifact` only when the session has something to read. */
export class ArtifactToolSelector implements ToolSelector {
  private readonly exists: () => boolean;
  private tools: ReadonlyArray<SelectableTool> | undefined = undefined;
  private shown: boolean = false;
  private answer: ToolSelection = new ToolSelection([], []);

  constructor(exists: () => boolean) {
    this.exists = exists;
  }

  select(tools: ReadonlyArray<SelectableTool>): ToolSelection {
    const show: boolean = this.exists();
    if (this.tools !== tools || this.shown !== show) {
      this.tools = tools;
      this.shown = show;
      this.answer = choose(tools, show);
    }
    return this.answer;
  }
}

function choose(tools: ReadonlyArray<SelectableTool>, show: boolean): ToolSelection {
  const visible: ToolDefinition[] = [];
  const hidden: HiddenTool[] = [];
  for (const tool of tools) {
    if (show || tool.definition.name !== ReadArtifactTool.NAME) {
      visible.push(tool.definition);
    } else {
      const line: HiddenTool = { name: tool.definition.name, reason: 'no result of this session is kept as an artifact yet' };
      hidden.push(line);
    }
  }
  return new ToolSelection(visible, hidden);
}
