import { ToolDefinition } from '../model/ToolDefinition';
import { HiddenTool, SelectableTool, ToolSelection, ToolSelector } from '../tool/ToolSelector';

/** Several selectors as one: a tool is visible when each of them shows it. The first reason wins for what is hidden. */
export class NarrowingSelector implements ToolSelector {
  private readonly selectors: ReadonlyArray<ToolSelector>;
  private answers: ReadonlyArray<ToolSelection> = [];
  private tools: ReadonlyArray<SelectableTool> | undefined = undefined;
  private last: ToolSelection = new ToolSelection([], []);

  constructor(selectors: ReadonlyArray<ToolSelector>) {
    this.selectors = selectors.slice();
  }

  select(tools: ReadonlyArray<SelectableTool>): ToolSelection {
    const answers: ToolSelection[] = this.selectors.map<ToolSelection>((selector: ToolSelector) => selector.select(tools));
    const same: boolean = this.tools === tools && answers.length === this.answers.length &&
      answers.every((answer: ToolSelection, at: number) => answer === this.answers[at]);
    if (!same) {
      this.tools = tools;
      this.answers = answers;
      this.last = narrow(tools, answers);
    }
    return this.last;
  }
}

function narrow(tools: ReadonlyArray<SelectableTool>, answers: ReadonlyArray<ToolSelection>): ToolSelection {
  const visible: ToolDefinition[] = [];
  const hidden: HiddenTool[] = [];
  for (const tool of tools) {
    const name: string = tool.definition.name;
    const refusal: ToolSelection | undefined = answers.find((answer: ToolSelection) =>
      !answer.visible.some((shown: ToolDefinition) => shown.name === name));
    if (refusal === undefined) {
      visible.push(tool.definition);
    } else {
      const line: HiddenTool = {
        name: name, reason: refusal.hidden.find((one: HiddenTool) => one.name === name)?.reason ?? 'not selected'
      };
      hidden.push(line);
    }
  }
  return new ToolSelection(visible, hidden);
}
