import { ArkAgentError } from '../base/ArkAgentError';
import { Result } from '../base/Result';
import { JsonObject } from '../json/JsonObject';
import { baselineKeywords } from './BaselineKeywords';
import { CompiledSchema } from './CompiledSchema';
import { SchemaCompiler } from './SchemaCompiler';
import { SchemaIssue } from './SchemaIssue';

const COMPILER: SchemaCompiler = new SchemaCompiler(baselineKeywords());

/**
 * The baseline validator in two calls, for apps and tests.
 *
 * `validate` compiles each time; a registry compiles once and keeps the result.
 */
export class SchemaValidator {
  /** Whether a tool with these parameters would register. Errors: schema_* as of `SchemaCompiler.compile`. */
  static validateSchema(schema: JsonObject): Result<boolean, ArkAgentError> {
    const compiled: Result<CompiledSchema, ArkAgentError> = COMPILER.compile(schema);
    return compiled.ok ? Result.success<boolean, ArkAgentError>(true) : compiled.recast<boolean>();
  }

  /**
   * Whether the arguments fit. Errors: schema_*, or the first issue (tool_argument_type_mismatch,
   * tool_argument_required) with all messages in details.issues.
   */
  static validate(schema: JsonObject, args: JsonObject): Result<boolean, ArkAgentError> {
    const compiled: Result<CompiledSchema, ArkAgentError> = COMPILER.compile(schema);
    if (!compiled.ok) {
      return compiled.recast<boolean>();
    }
    const issues: ReadonlyArray<SchemaIssue> = compiled.value.check(args);
    return issues.length === 0 ? Result.success<boolean, ArkAgentError>(true)
      : Result.failure<boolean, ArkAgentError>(SchemaIssue.toError(issues));
  }
}
