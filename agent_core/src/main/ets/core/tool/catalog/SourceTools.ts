import { SealedTool } from '../SealedTool';
import { ToolSource } from '../ToolSource';
import { CatalogEntry } from './CatalogEntry';

/** A usable tool of a source. @internal */
export interface SourceTool {
  tool: SealedTool;
  originalName: string;
}

/** What one source brought. Immutable. @internal */
export class SourceTools {
  readonly source: ToolSource;
  readonly usable: ReadonlyArray<SourceTool>;
  readonly refused: ReadonlyArray<CatalogEntry>;

  constructor(source: ToolSource, usable: ReadonlyArray<SourceTool>, refused: ReadonlyArray<CatalogEntry>) {
    this.source = source;
    this.usable = usable;
    this.refused = refused;
  }
}
