import { CallGates } from '../../execution/prepare/CallGates';
import { ToolDefinition } from '../../model/ToolDefinition';
import { ToolEffect } from '../../tool/ToolContract';
import { ToolRegistry } from '../../tool/ToolRegistry';
import { HiddenTool, SelectableTool, ToolSelection, ToolSelector } from '../../tool/ToolSelector';

/** What the model sees in a turn: the registry, narrowed by the app's selector and then by each feature's. */
export class VisibleTools {
  private readonly registry: ToolRegistry;
  private readonly gates: CallGates;
  private readonly selectors: ReadonlyArray<ToolSelector>;
  private listed: ReadonlyArray<ToolDefinition> | undefined = undefined;
  private selectable: ReadonlyArray<SelectableTool> = [];
  private last: ReadonlyArray<ToolSelection> = [];
  private shown: ToolSelection = new ToolSelection([], []);

  constructor(registry: ToolRegistry, gates: CallGates, selectors: ReadonlyArray<ToolSelector>) {
    this.registry = registry;
    this.gates = gates;
    this.selectors = selectors;
  }

  /** The same object while neither the registry nor a selector's answer changed. */
  select(): ToolSelection {
    const all: ReadonlyArray<ToolDefinition> = this.registry.list();
    if (this.selectors.length === 0 && this.listed === all) {
      return this.shown;
    }
    const registryChanged: boolean = this.listed !== all;
    if (registryChanged) {
      this.listed = all;
      this.selectable = all.map<SelectableTool>((tool: ToolDefinition) => this.describe(tool));
    }
    const answers: ToolSelection[] = this.selectors.map<ToolSelection>(
      (selector: ToolSelector) => ask(selector, this.selectable));
    if (registryChanged || !same(answers, this.last)) {
      this.last = answers;
      this.shown = intersect(all, answers);
    }
    return this.shown;
  }

  private describe(tool: ToolDefinition): SelectableTool {
    const selectable: SelectableTool = {
      definition: tool, effect: this.gates.find(tool.name)?.contract.effect ?? ToolEffect.irreversible,
      source: this.gates.find(tool.name)?.source.toString() ?? ''
    };
    return selectable;
  }
}

/** A selector that fails shows nothing: closed, not open. */
function ask(selector: ToolSelector, tools: ReadonlyArray<SelectableTool>): ToolSelection {
  try {
    return selector.select(tools);
  } catch (e) {
    return new ToolSelection([], tools.map<HiddenTool>((tool: SelectableTool) => {
      const hidden: HiddenTool = { name: tool.definition.name, reason: 'the tool selector failed' };
      return hidden;
    }));
  }
}

function same(a: ReadonlyArray<ToolSelection>, b: ReadonlyArray<ToolSelection>): boolean {
  return a.length === b.length && a.every((one: ToolSelection, at: number) => one === b[at]);
}

/** What every selector shows, in the registry's order; the first reason wins for what is hidden. */
function intersect(all: ReadonlyArray<ToolDefinition>, answers: ReadonlyArray<ToolSelection>): ToolSelection {
  const reasons: Map<string, string> = new Map<string, string>();
  for (const answer of answers) {
    const visible: Set<string> = new Set<string>(answer.visible.map((tool: ToolDefinition) => tool.name));
    for (const tool of all) {
      if (!visible.has(tool.name) && !reasons.has(tool.name)) {
        const known: HiddenTool | undefined = answer.hidden.find((one: HiddenTool) => one.name === tool.name);
        reasons.set(tool.name, known?.reason ?? 'not selected');
      }
    }
  }
  if (reasons.size === 0) {
    return new ToolSelection(all, []);
  }
  const hidden: HiddenTool[] = [];
  for (const name of reasons.keys()) {
    const line: HiddenTool = { name: name, reason: reasons.get(name) ?? '' };
    hidden.push(line);
  }
  return new ToolSelection(all.filter((tool: ToolDefinition) => !reasons.has(tool.name)), hidden);
}
