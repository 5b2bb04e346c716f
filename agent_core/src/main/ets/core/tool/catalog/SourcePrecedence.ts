import { ToolSource, ToolSourceKind } from '../ToolSource';

/** Which source wins a name: builtin, project, user, then MCP servers by their names (DEC-44). Never the order of loading. */
export class SourcePrecedence {
  static compare(a: ToolSource, b: ToolSource): number {
    const byKind: number = rank(a.kind) - rank(b.kind);
    return byKind !== 0 ? byKind : SourcePrecedence.compareText(a.server, b.server);
  }

  /** By UTF-16 code units: the same on every device and in every language. */
  static compareText(a: string, b: string): number {
    if (a === b) {
      return 0;
    }
    return a < b ? -1 : 1;
  }
}

function rank(kind: ToolSourceKind): number {
  switch (kind) {
    case ToolSourceKind.builtin:
      return 0;
    case ToolSourceKind.project:
      return 1;
    case ToolSourceKind.user:
      return 2;
    default:
      return 3;
  }
}
