import { ToolDefinition } from '../../model/ToolDefinition';
import { HiddenTool, SelectableTool, ToolSelection, ToolSelector } from '../ToolSelector';
import { ToolGroup } from './ToolGroup';

/** Says which groups are open. */
export interface OpenGroups {
  /** The same object until a group is opened or closed. */
  open(): ReadonlySet<string>;
}

/** Always the same groups. */
export class FixedOpenGroups implements OpenGroups {
  private readonly names: ReadonlySet<string>;

  constructor(names: ReadonlyArray<string> = []) {
    this.names = new Set<string>(names);
  }

  open(): ReadonlySet<string> {
    return this.names;
  }
}

/** Hides the tools of closed groups. A tool of several groups is visible when one of them is open; one of no group always is. */
export class GroupSelector implements ToolSelector {
  private readonly groups: ReadonlyArray<ToolGroup>;
  private readonly opened: OpenGroups;
  private readonly always: ReadonlySet<string>;
  private tools: ReadonlyArray<SelectableTool> | undefined = undefined;
  private names: ReadonlySet<string> = new Set<string>();
  private last: ToolSelection = new ToolSelection([], []);

  /** @param always tools that no group hides */
  constructor(groups: ReadonlyArray<ToolGroup>, opened: OpenGroups, always: ReadonlyArray<string> = []) {
    this.groups = groups.slice();
    this.opened = opened;
    this.always = new Set<string>(always);
  }

  select(tools: ReadonlyArray<SelectableTool>): ToolSelection {
    const names: ReadonlySet<string> = this.opened.open();
    if (this.tools !== tools || this.names !== names) {
      this.last = this.choose(tools, names);
      this.tools = tools;
      this.names = names;
    }
    return this.last;
  }

  private choose(tools: ReadonlyArray<SelectableTool>, names: ReadonlySet<string>): ToolSelection {
    const visible: ToolDefinition[] = [];
    const hidden: HiddenTool[] = [];
    for (const tool of tools) {
      const holding: ToolGroup[] = this.groups.filter((group: ToolGroup) => group.holds(tool));
      if (holding.length === 0 || this.always.has(tool.definition.name) || holding.some((group: ToolGroup) => names.has(group.name))) {
        visible.push(tool.definition);
      } else {
        const closed: string = holding.map<string>((group: ToolGroup) => group.name).join(', ');
        const line: HiddenTool = { name: tool.definition.name, reason: `the group ${closed} is not open` };
        hidden.push(line);
      }
    }
    return new ToolSelection(visible, hidden);
  }
}
