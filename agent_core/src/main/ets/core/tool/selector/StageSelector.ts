import { ToolDefinition } from '../../model/ToolDefinition';
import { ToolEffect } from '../ToolContract';
import { HiddenTool, SelectableTool, ToolSelection, ToolSelector } from '../ToolSelector';
import { ToolGroup } from './ToolGroup';

/** A part of the work with its own tools; members that are left out restrict nothing. */
export interface ToolStage {
  name: string;
  /** false: nothing that changes anything is shown, as in a read-only or plan mode. Default true. */
  effects?: boolean;
  /** Only tools of these groups and of none; default: all. */
  groups?: ReadonlyArray<string>;
  /** Shown whatever the groups say; an effect must be allowed all the same. */
  tools?: ReadonlyArray<string>;
}

/** Says in which stage a session is. Asked every turn; must be cheap and must not throw. */
export interface StageSource {
  stage(): string;
}

/** A stage that the app sets. */
export class CurrentStage implements StageSource {
  private name: string;

  constructor(name: string) {
    this.name = name;
  }

  stage(): string {
    return this.name;
  }

  /** Counts from the next turn. */
  enter(name: string): void {
    this.name = name;
  }
}

/** Shows the tools of the stage that a session is in. A stage that nobody described shows nothing. */
export class StageSelector implements ToolSelector {
  private readonly stages: Map<string, ToolStage> = new Map<string, ToolStage>();
  private readonly groups: ReadonlyArray<ToolGroup>;
  private readonly source: StageSource;
  private tools: ReadonlyArray<SelectableTool> | undefined = undefined;
  private readonly known: Map<string, ToolSelection> = new Map<string, ToolSelection>();

  /** @param groups those that the stages name */
  constructor(stages: ReadonlyArray<ToolStage>, source: StageSource, groups: ReadonlyArray<ToolGroup> = []) {
    for (const stage of stages) {
      this.stages.set(stage.name, stage);
    }
    this.source = source;
    this.groups = groups.slice();
  }

  /** Coming back to a stage gives the same selection again. */
  select(tools: ReadonlyArray<SelectableTool>): ToolSelection {
    if (this.tools !== tools) {
      this.tools = tools;
      this.known.clear();
    }
    const stage: ToolStage | undefined = this.stages.get(this.source.stage());
    const key: string = stage?.name ?? '';
    const before: ToolSelection | undefined = this.known.get(key);
    if (before !== undefined) {
      return before;
    }
    const made: ToolSelection = this.choose(tools, stage);
    this.known.set(key, made);
    return made;
  }

  private choose(tools: ReadonlyArray<SelectableTool>, stage: ToolStage | undefined): ToolSelection {
    const visible: ToolDefinition[] = [];
    const hidden: HiddenTool[] = [];
    for (const tool of tools) {
      const reason: string = this.reasonAgainst(tool, stage);
      if (reason === '') {
        visible.push(tool.definition);
      } else {
        const line: HiddenTool = { name: tool.definition.name, reason: reason };
        hidden.push(line);
      }
    }
    return new ToolSelection(visible, hidden);
  }

  /** Empty when the tool is shown. */
  private reasonAgainst(tool: SelectableTool, stage: ToolStage | undefined): string {
    if (stage === undefined) {
      return 'the session is in no known stage';
    }
    if (stage.effects === false && tool.effect !== ToolEffect.none) {
      return `nothing may be changed in the stage ${stage.name}`;
    }
    if (stage.groups === undefined || stage.tools?.includes(tool.definition.name) === true) {
      return '';
    }
    const named: ReadonlyArray<string> = stage.groups;
    const holding: ToolGroup[] = this.groups.filter((group: ToolGroup) => group.holds(tool));
    const belongs: boolean = holding.length === 0 || holding.some((group: ToolGroup) => named.includes(group.name));
    return belongs ? '' : `not for the stage ${stage.name}`;
  }
}
