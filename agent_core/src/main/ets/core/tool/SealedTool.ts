import { ToolDefinition } from '../model/ToolDefinition';
import { PipelineToken } from './PipelineToken';
import { RegisteredTool, RegisteredToolInit } from './RegisteredTool';
import { ToolResources } from './ToolContract';
import { ToolSource } from './ToolSource';

/**
 * A tool as a registry stores it and hands it to another registry: everybody may see the definition, only the pipeline
 * sees the rest. It lies in a closure, so that a walk over the fields of any registry finds no executor.
 *
 * @internal
 */
export class SealedTool {
  readonly definition: ToolDefinition;
  /** What its author declared. */
  readonly resources: ToolResources | undefined;
  private readonly opener: (token: PipelineToken) => RegisteredTool | undefined;
  private readonly remaker: (source: ToolSource | undefined, resources: ToolResources | undefined) => SealedTool;

  constructor(tool: RegisteredTool) {
    this.definition = tool.definition;
    this.resources = tool.contract.resources;
    this.opener = (token: PipelineToken): RegisteredTool | undefined =>
      token instanceof PipelineToken ? tool : undefined;
    this.remaker = (source: ToolSource | undefined, resources: ToolResources | undefined): SealedTool =>
      new SealedTool(new RegisteredTool(changed(tool, source, resources)));
  }

  /** @returns undefined without a genuine token */
  open(token: PipelineToken): RegisteredTool | undefined {
    return this.opener(token);
  }

  /** The same tool as brought by another source, sealed too. */
  from(source: ToolSource): SealedTool {
    return this.remaker(source, undefined);
  }

  /** The same tool with other resources, sealed too. */
  withResources(resources: ToolResources): SealedTool {
    return this.remaker(undefined, resources);
  }
}

function changed(tool: RegisteredTool, source: ToolSource | undefined, resources: ToolResources | undefined): RegisteredToolInit {
  const init: RegisteredToolInit = {
    definition: tool.definition, executor: tool.executor, schema: tool.schema, source: source ?? tool.source,
    contract: resources === undefined ? tool.contract : tool.contract.withResources(resources)
  };
  return init;
}
