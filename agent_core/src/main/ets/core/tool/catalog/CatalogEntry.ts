import { ToolSource } from '../ToolSource';

/** What became of a tool that a source brought. */
export enum CatalogStatus {
  /** In the effective registry. */
  active = 'active',
  /** Usable, but a source of higher precedence has the name. */
  shadowed = 'shadowed',
  /** Not usable; `code` says why. */
  refused = 'refused'
}

/** The members of an entry. */
export interface CatalogEntryInit {
  name: string;
  originalName?: string;
  source: ToolSource;
  status: CatalogStatus;
  reason?: string;
  code?: string;
  by?: string;
}

/** One line of the start-up summary. Immutable. */
export class CatalogEntry {
  /** As the model would see it. As the source wrote it where it was refused for its name. */
  readonly name: string;
  /** The server's own name of an MCP tool; otherwise equal to `name`. */
  readonly originalName: string;
  readonly source: ToolSource;
  readonly status: CatalogStatus;
  /** Empty when active. */
  readonly reason: string;
  /** Error code when refused, otherwise empty. */
  readonly code: string;
  /** When shadowed: the source whose tool is active. Otherwise empty. */
  readonly by: string;

  constructor(init: CatalogEntryInit) {
    this.name = init.name;
    this.originalName = init.originalName ?? init.name;
    this.source = init.source;
    this.status = init.status;
    this.reason = init.reason ?? '';
    this.code = init.code ?? '';
    this.by = init.by ?? '';
  }
}
