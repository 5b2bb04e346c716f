/** Where a tool comes from; decides which of two tools with one name wins (DEC-44). */
export enum ToolSourceKind {
  builtin = 'builtin',
  user = 'user',
  project = 'project',
  mcp = 'mcp'
}

/** The source of a registration. Immutable. */
export class ToolSource {
  readonly kind: ToolSourceKind;
  /** Server name of an MCP source, otherwise empty. */
  readonly server: string;

  constructor(kind: ToolSourceKind, server: string = '') {
    this.kind = kind;
    this.server = server;
  }

  static builtin(): ToolSource {
    return new ToolSource(ToolSourceKind.builtin);
  }

  static user(): ToolSource {
    return new ToolSource(ToolSourceKind.user);
  }

  static project(): ToolSource {
    return new ToolSource(ToolSourceKind.project);
  }

  static mcp(server: string): ToolSource {
    return new ToolSource(ToolSourceKind.mcp, server);
  }

  /** `builtin`, `user`, `project` or `mcp:<server>`. */
  toString(): string {
    return this.kind === ToolSourceKind.mcp ? `mcp:${this.server}` : this.kind;
  }
}
