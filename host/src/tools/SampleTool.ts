import { JsonCodec, type JsonObject, type ToolContext, type ToolContract, type ToolDefinition, type ToolExecutor, type ToolResources } from 'agent_core';

/** One tool with its three halves: fits `ToolCatalog.put`. */
export interface SampleTool {
  readonly definition: ToolDefinition;
  readonly executor: ToolExecutor;
  readonly contract: ToolContract;
}

/** A flat schema of strings; a name that ends with `?` may be left out. */
export function textSchema(members: Readonly<Record<string, string>>): JsonObject {
  const properties: Record<string, object> = {};
  const required: string[] = [];
  for (const [name, description] of Object.entries(members)) {
    const bare = name.replace(/\?$/, '');
    properties[bare] = { type: 'string', description };
    if (bare === name) required.push(bare);
  }
  return new JsonCodec().parseObject(JSON.stringify({ type: 'object', properties, required })).value;
}

/** A service that the app registered; undefined when it did not. */
export function serviceOf<T>(context: ToolContext, id: string, genuine: (service: object) => service is T & object): T | undefined {
  const service = context.services.get(id);
  return service !== undefined && genuine(service) ? service : undefined;
}

/** The argument that names a path is all that the call touches. */
export class PathArgument implements ToolResources {
  constructor(private readonly argument: string, private readonly fallback: string = '') {}

  paths(args: JsonObject): readonly string[] {
    return [args.getString(this.argument) ?? this.fallback];
  }

  hosts(): readonly string[] {
    return [];
  }
}

/** The argument that names a URL is all that the call touches. */
export class UrlArgument implements ToolResources {
  constructor(private readonly argument: string) {}

  paths(): readonly string[] {
    return [];
  }

  hosts(args: JsonObject): readonly string[] {
    return [args.getString(this.argument) ?? ''];
  }
}
