import { JsonObject } from '../../json/JsonObject';
import { ToolRiskLevel } from '../../model/ToolDefinition';
import { SchemaCompiler } from '../../schema/SchemaCompiler';
import { ToolContract } from '../ToolContract';
import { ToolExecutor } from '../ToolExecutor';

/** A tool as an MCP server lists it, with the executor that calls the server. */
export interface McpToolListing {
  name: string;
  description?: string;
  inputSchema: JsonObject;
  /** The server's own word about its tool, for example `destructiveHint`. It can raise the risk; it never lowers it unasked. */
  annotations?: JsonObject;
  executor: ToolExecutor;
}

/** What the app says about one MCP server; every member is optional. */
export interface McpServerRules {
  /** Risk by the server's own tool names; the app's word beats everything that the server says. */
  risks?: ReadonlyMap<string, ToolRiskLevel>;
  /** Tools that claim to read only (`readOnlyHint`, without `destructiveHint`) are safe; for servers that the app trusts. Default false. */
  trustReadOnlyHint?: boolean;
  /** For every tool of the server; `effect` only where it fits the risk. */
  contract?: ToolContract;
  /** The profile for this server's schemas; default that of the catalog. */
  schemaCompiler?: SchemaCompiler;
  /** Default 500. */
  maxTools?: number;
  /** UTF-16 code units; default 2,000. */
  maxDescriptionChars?: number;
  /** UTF-16 code units of the schema as JSON; default 100,000. */
  maxSchemaChars?: number;
}
