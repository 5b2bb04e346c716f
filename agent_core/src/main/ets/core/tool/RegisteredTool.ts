import { ArkAgentError } from '../base/ArkAgentError';
import { Result } from '../base/Result';
import { JsonCodec } from '../json/JsonCodec';
import { JsonObject } from '../json/JsonObject';
import { JsonValue } from '../json/JsonValue';
import { ToolDefinition } from '../model/ToolDefinition';
import { Digest } from '../port/Digest';
import { CompiledSchema } from '../schema/CompiledSchema';
import { SchemaCompiler } from '../schema/SchemaCompiler';
import { SchemaIssue } from '../schema/SchemaIssue';
import { ChildSessionExecutor } from './ChildSessionExecutor';
import { ResolvedToolContract } from './ResolvedToolContract';
import { ToolExecutor } from './ToolExecutor';
import { ToolSource } from './ToolSource';
import { UnknownArgumentPolicy } from './UnknownArgumentPolicy';

/** The parts of a registered tool. */
export interface RegisteredToolInit {
  definition: ToolDefinition;
  executor: ToolExecutor;
  contract: ResolvedToolContract;
  schema: CompiledSchema;
  source: ToolSource;
}

/** Levels of JSON that a schema of the greatest depth can have, and the object around it. */
const HASH_MAX_DEPTH: number = 2 * SchemaCompiler.MAX_DEPTH + 2;

/**
 * A tool with everything that the pipeline needs, its executor included; only `ToolRegistry.resolve` hands it out.
 * Immutable apart from one cached digest.
 *
 * @internal
 */
export class RegisteredTool {
  readonly definition: ToolDefinition;
  readonly executor: ToolExecutor;
  readonly contract: ResolvedToolContract;
  readonly schema: CompiledSchema;
  readonly source: ToolSource;
  private hash: string | undefined = undefined;

  constructor(init: RegisteredToolInit) {
    this.definition = init.definition;
    this.executor = init.executor;
    this.contract = init.contract;
    this.schema = init.schema;
    this.source = init.source;
  }

  /** Its work is a child session. */
  get delegates(): boolean {
    return this.executor instanceof ChildSessionExecutor;
  }

  /**
   * Gate 3: the arguments that the executor may get. Errors: tool_argument_type_mismatch, tool_argument_required,
   * tool_argument_unknown, with all messages in details.issues.
   */
  validate(args: JsonObject, policy: UnknownArgumentPolicy): Result<JsonObject, ArkAgentError> {
    const issues: ReadonlyArray<SchemaIssue> = policy === UnknownArgumentPolicy.reject
      ? this.schema.checkClosed(args) : this.schema.check(args);
    if (issues.length > 0) {
      return Result.failure<JsonObject, ArkAgentError>(SchemaIssue.toError(issues));
    }
    return Result.success<JsonObject, ArkAgentError>(
      policy === UnknownArgumentPolicy.strip ? this.schema.withoutUnknown(args) : args);
  }

  /**
   * `v1:sha256:<hex>` over name, parameters without annotations, risk and effect: what a person approved must still be
   * the tool that runs, while a change of words or of language is no change (DEC-53). Made on first use, then kept.
   */
  definitionHash(digest: Digest): string {
    if (this.hash === undefined) {
      const identity: JsonObject = new JsonObject()
        .setString('name', this.definition.name)
        .setObject('parameters', this.schema.withoutAnnotations(this.definition.parameters))
        .setString('risk', this.definition.riskLevel)
        .setString('effect', this.contract.effect);
      const codec: JsonCodec = new JsonCodec({ maxDepth: HASH_MAX_DEPTH, maxChars: JsonCodec.DEFAULT_MAX_CHARS });
      this.hash = `v1:sha256:${digest.sha256Hex(codec.canonicalize(JsonValue.object(identity)).value)}`;
    }
    return this.hash;
  }
}
