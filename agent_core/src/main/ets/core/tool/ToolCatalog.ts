import { ArkAgentError } from '../base/ArkAgentError';
import { ErrorCode } from '../base/ErrorCodes';
import { Result } from '../base/Result';
import { baselineKeywords } from '../schema/BaselineKeywords';
import { SchemaCompiler } from '../schema/SchemaCompiler';
import { CatalogResolution } from './catalog/CatalogResolution';
import { CatalogSummary } from './catalog/CatalogSummary';
import { CatalogSourceOptions, CatalogTool } from './catalog/CatalogTool';
import { McpNames } from './catalog/McpNames';
import { McpServerRules, McpToolListing } from './catalog/McpToolListing';
import { McpTools } from './catalog/McpTools';
import { SourceIntake } from './catalog/SourceIntake';
import { SourcePrecedence } from './catalog/SourcePrecedence';
import { SourceTools } from './catalog/SourceTools';
import { SealedTool } from './SealedTool';
import { ToolRegistry, ToolRegistryOptions } from './ToolRegistry';
import { ToolSource, ToolSourceKind } from './ToolSource';

/**
 * The tools of several sources, and the registry that comes of them. Which of two tools with one name is active depends on
 * their sources alone: builtin, project, user, then MCP servers by name (DEC-44); the others stay listed with the reason.
 *
 * A source is taken as a whole and exchanged as a whole: nobody ever sees half of it. An override has no wider rights than what
 * it overrides: a call of it is authorized for the paths and hosts that either of them names. Policies that exempt tools by
 * name exempt whatever is active under the name, so such lists should hold names of built-in tools only.
 */
export class ToolCatalog {
  /** The effective tools. Always the same object, so that an open session sees a source come and go with its next turn. */
  readonly registry: ToolRegistry;
  private readonly compiler: SchemaCompiler;
  private readonly maxTools: number;
  private readonly sources: Map<string, SourceTools> = new Map<string, SourceTools>();
  private installed: ReadonlySet<SealedTool> = new Set<SealedTool>();

  /** @param options those of the effective registry; the profile is the default for sources that bring none */
  constructor(options: ToolRegistryOptions = {}) {
    this.registry = new ToolRegistry(options);
    this.compiler = options.schemaCompiler ?? new SchemaCompiler(baselineKeywords());
    this.maxTools = options.maxTools ?? ToolRegistry.DEFAULT_MAX_TOOLS;
  }

  /**
   * Takes what a source brings, in place of what it brought before. Tools that cannot be used are refused one by one and listed.
   *
   * @returns how many tools of the source can be used
   * Errors: config_invalid (no such source), and with `allOrNothing` the error of the first refused tool; then nothing changed.
   */
  put(source: ToolSource, tools: ReadonlyArray<CatalogTool>, options: CatalogSourceOptions = {}): Result<number, ArkAgentError> {
    const problem: ArkAgentError | undefined = sourceProblem(source);
    if (problem !== undefined) {
      return Result.failure<number, ArkAgentError>(problem);
    }
    const intake: SourceIntake = new SourceIntake(source, options.schemaCompiler ?? this.compiler, this.maxTools);
    for (const tool of tools) {
      intake.take(tool.definition, tool.executor, tool.contract, tool.definition.name);
    }
    return this.install(intake, options.allOrNothing === true);
  }

  /**
   * As `put`, with all that a registry holds now; the way for tools that register themselves, such as those of features. Tools
   * that come to that registry later are not followed.
   *
   * Errors: config_invalid.
   */
  putRegistry(source: ToolSource, tools: ToolRegistry): Result<number, ArkAgentError> {
    const problem: ArkAgentError | undefined = sourceProblem(source);
    if (problem !== undefined) {
      return Result.failure<number, ArkAgentError>(problem);
    }
    const intake: SourceIntake = new SourceIntake(source, this.compiler, this.maxTools);
    for (const tool of tools.sealedTools()) {
      intake.adopt(tool);
    }
    return this.install(intake, false);
  }

  /**
   * Takes what an MCP server lists, in place of what it listed before. Nothing of a listing is trusted: names become
   * `server__tool`, descriptions are bounded, and no tool is safe unless the rules say so.
   *
   * Errors: config_invalid (blank server name), and those of `put`.
   */
  putMcp(server: string, listing: ReadonlyArray<McpToolListing>, rules: McpServerRules = {}): Result<number, ArkAgentError> {
    const source: ToolSource = ToolSource.mcp(server);
    const problem: ArkAgentError | undefined = sourceProblem(source);
    if (problem !== undefined) {
      return Result.failure<number, ArkAgentError>(problem);
    }
    const limit: number = rules.maxTools ?? McpTools.DEFAULT_MAX_TOOLS;
    const intake: SourceIntake = new SourceIntake(source, rules.schemaCompiler ?? this.compiler, limit);
    new McpTools(new McpNames(server), rules).takeAll(listing, intake);
    return this.install(intake, false);
  }

  /** @returns false when the source brought nothing */
  remove(source: ToolSource): boolean {
    const known: boolean = this.sources.delete(source.toString());
    if (known) {
      this.rebuild();
    }
    return known;
  }

  /** The names of the sources that are there, by precedence. */
  sourceNames(): ReadonlyArray<string> {
    return this.ordered().map<string>((one: SourceTools) => one.source.toString());
  }

  /** What is active, shadowed and refused now. */
  summary(): CatalogSummary {
    return new CatalogSummary(this.resolve().entries);
  }

  /** An own registry with the tools that are active now; it does not follow later changes. */
  toRegistry(): ToolRegistry {
    const copy: ToolRegistry = new ToolRegistry({
      unknownArguments: this.registry.unknownArguments, maxTools: this.maxTools, schemaCompiler: this.compiler
    });
    this.registry.copyInto(copy);
    return copy;
  }

  private install(intake: SourceIntake, allOrNothing: boolean): Result<number, ArkAgentError> {
    if (allOrNothing && intake.firstError !== undefined) {
      return Result.failure<number, ArkAgentError>(intake.firstError);
    }
    const taken: SourceTools = intake.result();
    this.sources.set(taken.source.toString(), taken);
    this.rebuild();
    return Result.success<number, ArkAgentError>(taken.usable.length);
  }

  private rebuild(): void {
    const next: ReadonlyArray<SealedTool> = this.resolve().tools;
    this.registry.exchange(this.installed, next);
    this.installed = new Set<SealedTool>(next);
  }

  private resolve(): CatalogResolution {
    const direct: string[] = this.registry.sealedTools().filter((tool: SealedTool) => !this.installed.has(tool))
      .map<string>((tool: SealedTool) => tool.definition.name);
    return CatalogResolution.of(this.ordered(), direct, Math.max(0, this.maxTools - direct.length));
  }

  private ordered(): SourceTools[] {
    const all: SourceTools[] = Array.from(this.sources.values());
    all.sort((a: SourceTools, b: SourceTools) => SourcePrecedence.compare(a.source, b.source));
    return all;
  }
}

function sourceProblem(source: ToolSource): ArkAgentError | undefined {
  if (source.kind !== ToolSourceKind.mcp || source.server.trim() !== '') {
    return undefined;
  }
  const problem: string = 'an MCP source needs the name of its server';
  return ArkAgentError.of(ErrorCode.configInvalid, problem).withDetail('problems', [problem]);
}
