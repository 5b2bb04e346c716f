import { ToolDefinition } from '../model/ToolDefinition';
import { ToolEffect } from '../tool/ToolContract';
import { HiddenTool, SelectableTool, ToolSelection, ToolSelector } from '../tool/ToolSelector';
import { PlanBook } from './PlanBook';
import { PlanWords } from './PlanWords';
import { WriteTodosTool } from './WriteTodosTool';

/** Plan-first mode: hides what changes something until a person approved a plan of this run. */
export class PlanToolSelector implements ToolSelector {
  private readonly book: PlanBook;
  private readonly words: PlanWords;
  private selectedFrom: ReadonlyArray<SelectableTool> | undefined = undefined;
  private everything: ToolSelection = new ToolSelection([], []);
  private harmless: ToolSelection = new ToolSelection([], []);

  constructor(book: PlanBook, words: PlanWords) {
    this.book = book;
    this.words = words;
  }

  select(tools: ReadonlyArray<SelectableTool>): ToolSelection {
    if (this.selectedFrom !== tools) {
      this.selectedFrom = tools;
      this.everything = new ToolSelection(tools.map<ToolDefinition>((tool: SelectableTool) => tool.definition), []);
      this.harmless = this.withoutEffects(tools);
    }
    return this.book.plan.isApprovedIn(this.book.runId) ? this.everything : this.harmless;
  }

  private withoutEffects(tools: ReadonlyArray<SelectableTool>): ToolSelection {
    const visible: ToolDefinition[] = [];
    const hidden: HiddenTool[] = [];
    for (const tool of tools) {
      if (tool.effect === ToolEffect.none || tool.definition.name === WriteTodosTool.NAME) {
        visible.push(tool.definition);
      } else {
        const line: HiddenTool = { name: tool.definition.name, reason: this.words.hidden };
        hidden.push(line);
      }
    }
    return new ToolSelection(visible, hidden);
  }
}
