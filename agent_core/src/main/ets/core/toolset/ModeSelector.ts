import { AgentMode, ModeSource } from '../execution/policy/ModePolicy';
import { ToolDefinition } from '../model/ToolDefinition';
import { ToolEffect } from '../tool/ToolContract';
import { HiddenTool, SelectableTool, ToolSelection, ToolSelector } from '../tool/ToolSelector';

/**
 * Shows no tool with an effect while the session is in read-only or plan mode: the model does not plan with what `ModePolicy`
 * would reject. Give both the same source; hiding alone is no protection of calls that were made before the mode changed.
 */
export class ModeSelector implements ToolSelector {
  private readonly source: ModeSource;
  private readonly sessionId: string;
  private readonly exempt: ReadonlySet<string>;
  private tools: ReadonlyArray<SelectableTool> | undefined = undefined;
  private everything: ToolSelection = new ToolSelection([], []);
  private readOnly: ToolSelection = new ToolSelection([], []);
  private planning: ToolSelection = new ToolSelection([], []);

  /** @param exempt tools with an effect that every mode shows */
  constructor(source: ModeSource, sessionId: string, exempt: ReadonlyArray<string> = []) {
    this.source = source;
    this.sessionId = sessionId;
    this.exempt = new Set<string>(exempt);
  }

  select(tools: ReadonlyArray<SelectableTool>): ToolSelection {
    if (this.tools !== tools) {
      this.tools = tools;
      this.everything = new ToolSelection(tools.map<ToolDefinition>((tool: SelectableTool) => tool.definition), []);
      this.readOnly = this.withoutEffects(tools, 'read-only mode: nothing may be changed');
      this.planning = this.withoutEffects(tools, 'plan mode: nothing may be changed before the plan is accepted');
    }
    switch (this.mode()) {
      case AgentMode.full:
        return this.everything;
      case AgentMode.plan:
        return this.planning;
      default:
        return this.readOnly;
    }
  }

  private withoutEffects(tools: ReadonlyArray<SelectableTool>, reason: string): ToolSelection {
    const visible: ToolDefinition[] = [];
    const hidden: HiddenTool[] = [];
    for (const tool of tools) {
      if (tool.effect === ToolEffect.none || this.exempt.has(tool.definition.name)) {
        visible.push(tool.definition);
      } else {
        const line: HiddenTool = { name: tool.definition.name, reason: reason };
        hidden.push(line);
      }
    }
    return new ToolSelection(visible, hidden);
  }

  private mode(): AgentMode {
    try {
      return this.source.modeOf(this.sessionId);
    } catch (e) {
      return AgentMode.readOnly;
    }
  }
}
