import { ArkAgentError } from '../../base/ArkAgentError';
import { ErrorCode } from '../../base/ErrorCodes';
import { Result } from '../../base/Result';
import { ToolDefinition } from '../../model/ToolDefinition';
import { SchemaCompiler } from '../../schema/SchemaCompiler';
import { SealedTool } from '../SealedTool';
import { ToolContract } from '../ToolContract';
import { ToolExecutor } from '../ToolExecutor';
import { ToolRegistry } from '../ToolRegistry';
import { ToolSource } from '../ToolSource';
import { CatalogEntry, CatalogStatus } from './CatalogEntry';
import { SourceTool, SourceTools } from './SourceTools';

/** Refusals that a summary lists; a server can send without end. */
const MAX_REFUSED: number = 1000;

/** Collects a source aside, by the rules of a registry, until it is complete. @internal */
export class SourceIntake {
  private readonly source: ToolSource;
  private readonly staging: ToolRegistry;
  private readonly originals: Map<string, string> = new Map<string, string>();
  private readonly refused: CatalogEntry[] = [];
  private readonly adopted: SealedTool[] = [];
  private first: ArkAgentError | undefined = undefined;

  constructor(source: ToolSource, compiler: SchemaCompiler, maxTools: number) {
    this.source = source;
    this.staging = new ToolRegistry({ schemaCompiler: compiler, maxTools: maxTools });
  }

  get firstError(): ArkAgentError | undefined {
    return this.first;
  }

  /** A tool that throws while it is looked at is refused like any other that cannot be used. */
  take(definition: ToolDefinition, executor: ToolExecutor, contract: ToolContract | undefined, originalName: string): void {
    let taken: Result<boolean, ArkAgentError>;
    try {
      taken = this.staging.register(definition, executor, contract, this.source);
    } catch (e) {
      taken = Result.failure<boolean, ArkAgentError>(
        ArkAgentError.wrap(ErrorCode.internalError, e as Error, 'the definition cannot be read'));
    }
    if (taken.ok) {
      this.originals.set(definition.name, originalName);
    } else {
      this.refuse(definition.name, originalName, taken.error);
    }
  }

  /** A tool of another registry, registered there already. */
  adopt(tool: SealedTool): void {
    this.adopted.push(tool.from(this.source));
  }

  refuse(name: string, originalName: string, error: ArkAgentError): void {
    this.first = this.first ?? error;
    if (this.refused.length < MAX_REFUSED) {
      this.refused.push(new CatalogEntry({
        name: name, originalName: originalName, source: this.source, status: CatalogStatus.refused, code: error.code, reason: error.message
      }));
    }
  }

  result(): SourceTools {
    const usable: SourceTool[] = this.staging.sealedTools().concat(this.adopted).map<SourceTool>((tool: SealedTool) => {
      const one: SourceTool = { tool: tool, originalName: this.originals.get(tool.definition.name) ?? tool.definition.name };
      return one;
    });
    return new SourceTools(this.source, usable, this.refused.slice());
  }
}
