import { ToolDefinition } from '../model/ToolDefinition';
import { ToolEffect } from './ToolContract';

/** A tool that may be shown, with what a selection may look at. */
export interface SelectableTool {
  definition: ToolDefinition;
  effect: ToolEffect;
  /** `builtin`, `user`, `project`, `mcp:<server>`. */
  source: string;
}

/** A tool that the model does not see in this turn, and why. */
export interface HiddenTool {
  name: string;
  reason: string;
}

/** What the model sees in a turn. Immutable. */
export class ToolSelection {
  /** In the registry's order. */
  readonly visible: ReadonlyArray<ToolDefinition>;
  readonly hidden: ReadonlyArray<HiddenTool>;

  constructor(visible: ReadonlyArray<ToolDefinition>, hidden: ReadonlyArray<HiddenTool>) {
    this.visible = visible;
    this.hidden = hidden;
  }
}

/**
 * Decides which tools a model sees in a turn.
 *
 * Contract: deterministic: the same tools and the same state of the selector give the same list in the same order (REG-08); the
 * same array instance while nothing changed, so that a turn costs nothing. Must not throw; a throw shows no tool at all.
 */
export interface ToolSelector {
  select(tools: ReadonlyArray<SelectableTool>): ToolSelection;
}
