import { ToolDefinition } from '../model/ToolDefinition';
import { PipelineToken } from './PipelineToken';
import { RegisteredTool } from './RegisteredTool';

/**
 * A tool as a registry stores it and hands it to another registry: everybody may see the definition, only the pipeline
 * sees the rest. It lies in a closure, so that a walk over the fields of any registry finds no executor.
 *
 * @internal
 */
export class SealedTool {
  readonly definition: ToolDefinition;
  private readonly opener: (token: PipelineToken) => RegisteredTool | undefined;

  constructor(tool: RegisteredTool) {
    this.definition = tool.definition;
    this.opener = (token: PipelineToken): RegisteredTool | undefined =>
      token instanceof PipelineToken ? tool : undefined;
  }

  /** @returns undefined without a genuine token */
  open(token: PipelineToken): RegisteredTool | undefined {
    return this.opener(token);
  }
}
