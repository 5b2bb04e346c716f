import { ToolDefinition } from '../../model/ToolDefinition';
import { SchemaCompiler } from '../../schema/SchemaCompiler';
import { ToolContract } from '../ToolContract';
import { ToolExecutor } from '../ToolExecutor';

/** A tool that a source brings. */
export interface CatalogTool {
  definition: ToolDefinition;
  executor: ToolExecutor;
  contract?: ToolContract;
}

/** How one source is taken; every member is optional. */
export interface CatalogSourceOptions {
  /** The profile that the schemas of this source are held against; default that of the catalog. */
  schemaCompiler?: SchemaCompiler;
  /** One refused tool refuses the whole source, which then stays as it was; default false: the good ones are taken. */
  allOrNothing?: boolean;
}
