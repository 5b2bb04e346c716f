import { SelectableTool } from '../ToolSelector';

/** The members of a group. */
export interface ToolGroupInit {
  /** What the model opens it by; 1 to 64 letters, digits, `_`, `-` or `.`. */
  name: string;
  /** For the model: what the tools are good for. */
  description: string;
  /** Names of its tools; those that are not registered do not matter. */
  tools?: ReadonlyArray<string>;
  /** Sources all of whose tools belong to it: `project`, `mcp:<server>`. */
  sources?: ReadonlyArray<string>;
}

const NAME: RegExp = new RegExp('^[A-Za-z0-9_.-]{1,64}$');

/** Tools that are shown or hidden together. Immutable. */
export class ToolGroup {
  readonly name: string;
  readonly description: string;
  private readonly tools: ReadonlySet<string>;
  private readonly sources: ReadonlySet<string>;

  constructor(init: ToolGroupInit) {
    this.name = init.name;
    this.description = init.description;
    this.tools = new Set<string>(init.tools ?? []);
    this.sources = new Set<string>(init.sources ?? []);
  }

  get nameUsable(): boolean {
    return NAME.test(this.name);
  }

  holds(tool: SelectableTool): boolean {
    return this.tools.has(tool.definition.name) || this.sources.has(tool.source);
  }
}
