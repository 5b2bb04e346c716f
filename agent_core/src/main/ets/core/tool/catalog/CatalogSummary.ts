import { CatalogEntry, CatalogStatus } from './CatalogEntry';
import { ForeignText } from './ForeignText';

const MAX_NAME_CHARS: number = 80;
const MAX_REASON_CHARS: number = 200;

/** What a catalog holds, for the app's start-up log and for tests. Equal catalogs have equal summaries. Immutable. */
export class CatalogSummary {
  /** Active ones in the order of the registry, then shadowed, then refused ones, both by source and name. */
  readonly entries: ReadonlyArray<CatalogEntry>;

  constructor(entries: ReadonlyArray<CatalogEntry>) {
    this.entries = entries;
  }

  get active(): ReadonlyArray<CatalogEntry> {
    return this.of(CatalogStatus.active);
  }

  get shadowed(): ReadonlyArray<CatalogEntry> {
    return this.of(CatalogStatus.shadowed);
  }

  get refused(): ReadonlyArray<CatalogEntry> {
    return this.of(CatalogStatus.refused);
  }

  /** One line for the counts and one for each tool. Names of foreign sources are shortened and made printable. */
  toText(): string {
    const lines: string[] =
      [`tools: ${this.active.length} active, ${this.shadowed.length} shadowed, ${this.refused.length} refused`];
    for (const entry of this.entries) {
      const name: string = ForeignText.line(entry.name, MAX_NAME_CHARS);
      const said: string = ForeignText.line(entry.code === '' ? entry.reason : `${entry.code}: ${entry.reason}`, MAX_REASON_CHARS);
      const source: string = ForeignText.line(entry.source.toString(), MAX_NAME_CHARS);
      lines.push(`  ${entry.status} ${name} (${source})${said === '' ? '' : ` - ${said}`}`);
    }
    return lines.join('\n');
  }

  private of(status: CatalogStatus): ReadonlyArray<CatalogEntry> {
    return this.entries.filter((entry: CatalogEntry) => entry.status === status);
  }
}
