import { ArkAgentError, ArkAgentErrorOptions, ErrorDetail } from '../base/ArkAgentError';
import { ErrorCode } from '../base/ErrorCodes';
import { Result } from '../base/Result';
import { ToolDefinition } from '../model/ToolDefinition';
import { baselineKeywords } from '../schema/BaselineKeywords';
import { CompiledSchema } from '../schema/CompiledSchema';
import { SchemaCompiler } from '../schema/SchemaCompiler';
import { SchemaPath } from '../schema/SchemaPath';
import { PipelineToken } from './PipelineToken';
import { RegisteredTool, RegisteredToolInit } from './RegisteredTool';
import { ResolvedToolContract } from './ResolvedToolContract';
import { SealedTool } from './SealedTool';
import { ToolContract } from './ToolContract';
import { ToolExecutor } from './ToolExecutor';
import { ToolSource } from './ToolSource';
import { UnknownArgumentPolicy } from './UnknownArgumentPolicy';

/** How a registry treats its tools; every member is optional. */
export interface ToolRegistryOptions {
  /** Default allow. */
  unknownArguments?: UnknownArgumentPolicy;
  /** Bound against a server that lists tools without end; default 10,000. */
  maxTools?: number;
  /** The profile that schemas are held against; default the baseline. */
  schemaCompiler?: SchemaCompiler;
}

/** A tool on its way into a registry. @internal */
export interface ToolRegistration {
  definition: ToolDefinition;
  executor: ToolExecutor;
  contract?: ToolContract;
  source?: ToolSource;
  /** Lets risk level and effect differ: for delegate_task, whose effects belong to the child's tools (DEC-54). */
  riskExempt?: boolean;
}

const PROVIDER_SAFE_NAME: RegExp = new RegExp('^[A-Za-z0-9_-]{1,64}$');

/**
 * The tools of an agent, by name, in the order in which they were registered.
 *
 * A definition can be read back; an executor cannot: tools are stored sealed and open only for a `PipelineToken`, so
 * that neither a method nor a walk over the object's fields leads past the pipeline.
 */
export class ToolRegistry {
  static readonly DEFAULT_MAX_TOOLS: number = 10000;
  readonly unknownArguments: UnknownArgumentPolicy;
  private readonly maxTools: number;
  private readonly compiler: SchemaCompiler;
  private readonly tools: Map<string, SealedTool> = new Map<string, SealedTool>();
  private listed: ReadonlyArray<ToolDefinition> | undefined = undefined;

  constructor(options?: ToolRegistryOptions) {
    this.unknownArguments = options?.unknownArguments ?? UnknownArgumentPolicy.allow;
    this.maxTools = options?.maxTools ?? ToolRegistry.DEFAULT_MAX_TOOLS;
    this.compiler = options?.schemaCompiler ?? new SchemaCompiler(baselineKeywords());
  }

  get size(): number {
    return this.tools.size;
  }

  /**
   * Takes a tool, or refuses it and stays as it was. The definition is copied: changing the caller's objects later
   * changes nothing.
   *
   * Errors, in this order: tool_name_empty, tool_name_invalid, tool_name_duplicate, config_invalid (the registry is
   * full), schema_*, tool_contract_conflict.
   */
  register(definition: ToolDefinition, executor: ToolExecutor, contract?: ToolContract,
    source?: ToolSource): Result<boolean, ArkAgentError> {
    return this.admit({ definition: definition, executor: executor, contract: contract, source: source });
  }

  /** As `register`, with what only the runtime's own tools may ask for. @internal */
  registerInternal(registration: ToolRegistration, token: PipelineToken): Result<boolean, ArkAgentError> {
    if (!(token instanceof PipelineToken)) {
      return Result.failure<boolean, ArkAgentError>(
        ArkAgentError.of(ErrorCode.internalError, 'registerInternal was called without a PipelineToken'));
    }
    return this.admit(registration);
  }

  /** @returns false when there is no tool of that name. */
  unregister(name: string): boolean {
    const removed: boolean = this.tools.delete(name);
    if (removed) {
      this.listed = undefined;
    }
    return removed;
  }

  /** What the model sees of a tool; its parameters are sealed. */
  get(name: string): ToolDefinition | undefined {
    return this.tools.get(name)?.definition;
  }

  /** In registration order. The same array until a tool comes or goes, so that equal requests see an equal list. */
  list(): ReadonlyArray<ToolDefinition> {
    if (this.listed === undefined) {
      this.listed = Array.from(this.tools.values()).map((tool: SealedTool) => tool.definition);
    }
    return this.listed;
  }

  /** Adds all tools to another registry, or none of them. Returns how many. Errors: as copyIntoExcluding. */
  copyInto(target: ToolRegistry): Result<number, ArkAgentError> {
    return this.copyIntoExcluding(target, []);
  }

  /**
   * Adds all tools but the named ones to another registry, or none of them. Returns how many. A tool keeps the profile
   * under which it was registered; arguments it does not know are treated as the target says.
   *
   * Errors: tool_name_duplicate with details.names, config_invalid when the target would be full.
   */
  copyIntoExcluding(target: ToolRegistry, names: ReadonlyArray<string>): Result<number, ArkAgentError> {
    const excluded: Set<string> = new Set<string>(names);
    const chosen: SealedTool[] = Array.from(this.tools.values())
      .filter((tool: SealedTool) => !excluded.has(tool.definition.name));
    const taken: string[] = chosen.map((tool: SealedTool) => tool.definition.name)
      .filter((name: string) => target.tools.has(name));
    if (taken.length > 0) {
      return Result.failure<number, ArkAgentError>(duplicate(taken));
    }
    if (target.size + chosen.length > target.maxTools) {
      return Result.failure<number, ArkAgentError>(full(target.maxTools));
    }
    for (const tool of chosen) {
      target.keep(tool);
    }
    return Result.success<number, ArkAgentError>(chosen.length);
  }

  /** The whole tool, for the pipeline only: without a genuine token the answer is undefined. @internal */
  resolve(name: string, token: PipelineToken): RegisteredTool | undefined {
    return this.tools.get(name)?.open(token);
  }

  /** What is stored, sealed, in order. @internal */
  sealedTools(): ReadonlyArray<SealedTool> {
    return Array.from(this.tools.values());
  }

  /**
   * Takes other tools in place of those that a catalog put here, in one step. Tools that were registered here stay, in front.
   *
   * @internal
   */
  exchange(previous: ReadonlySet<SealedTool>, next: ReadonlyArray<SealedTool>): void {
    const all: SealedTool[] = this.sealedTools().filter((tool: SealedTool) => !previous.has(tool)).concat(next);
    const now: ReadonlyArray<SealedTool> = this.sealedTools();
    if (all.length === now.length && all.every((tool: SealedTool, at: number) => tool === now[at])) {
      return;
    }
    this.tools.clear();
    this.listed = undefined;
    for (const tool of all) {
      this.keep(tool);
    }
  }

  private admit(registration: ToolRegistration): Result<boolean, ArkAgentError> {
    const given: ToolDefinition = registration.definition;
    const refused: ArkAgentError | undefined = this.nameProblem(given.name);
    if (refused !== undefined) {
      return Result.failure<boolean, ArkAgentError>(refused);
    }
    const schema: Result<CompiledSchema, ArkAgentError> = this.compiler.compile(given.parameters);
    if (!schema.ok) {
      return Result.failure<boolean, ArkAgentError>(schema.error.withDetail('tool', given.name));
    }
    const contract: ResolvedToolContract = new ResolvedToolContract(registration.contract ?? {}, given.riskLevel);
    const problems: string[] = contract.numberProblems()
      .concat(registration.riskExempt === true ? [] : contract.riskProblems(given.riskLevel));
    if (problems.length > 0) {
      return Result.failure<boolean, ArkAgentError>(conflict(given.name, problems));
    }
    const init: RegisteredToolInit = {
      definition: new ToolDefinition(given.name, given.description, given.parameters.clone().seal(), given.riskLevel),
      executor: registration.executor,
      contract: contract,
      schema: schema.value,
      source: registration.source ?? ToolSource.builtin()
    };
    this.keep(new SealedTool(new RegisteredTool(init)));
    return Result.success<boolean, ArkAgentError>(true);
  }

  private nameProblem(name: string): ArkAgentError | undefined {
    if (name.trim() === '') {
      return ArkAgentError.of(ErrorCode.toolNameEmpty, 'a tool needs a name');
    }
    if (!PROVIDER_SAFE_NAME.test(name)) {
      return ArkAgentError.of(ErrorCode.toolNameInvalid,
        `tool name "${SchemaPath.shown(name)}" must be 1 to 64 letters, digits, _ or -`);
    }
    if (this.tools.has(name)) {
      return duplicate([name]);
    }
    return this.size >= this.maxTools ? full(this.maxTools) : undefined;
  }

  private keep(tool: SealedTool): void {
    this.tools.set(tool.definition.name, tool);
    this.listed = undefined;
  }
}

function duplicate(names: ReadonlyArray<string>): ArkAgentError {
  return withList(ErrorCode.toolNameDuplicate, `tool name already taken: ${names.join(', ')}`, 'names', names);
}

function full(maxTools: number): ArkAgentError {
  const problem: string = `a registry holds at most ${maxTools} tools`;
  return withList(ErrorCode.configInvalid, problem, 'problems', [problem]);
}

function conflict(name: string, problems: ReadonlyArray<string>): ArkAgentError {
  return withList(ErrorCode.toolContractConflict, `tool ${name}: ${problems.join('; ')}`, 'problems', problems);
}

function withList(code: ErrorCode, message: string, key: string, list: ReadonlyArray<string>): ArkAgentError {
  const details: Map<string, ErrorDetail> = new Map<string, ErrorDetail>();
  details.set(key, list);
  const options: ArkAgentErrorOptions = { details: details };
  return ArkAgentError.of(code, message, options);
}
