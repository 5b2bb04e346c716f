import { ArkAgentError, ArkAgentErrorOptions, ErrorDetail } from '../base/ArkAgentError';
import { ErrorCode } from '../base/ErrorCodes';
import { Result } from '../base/Result';
import { JsonObject } from '../json/JsonObject';
import { JsonValue } from '../json/JsonValue';
import { ArgumentShape } from './ArgumentShape';
import { CompiledSchema } from './CompiledSchema';
import { KeywordSet } from './KeywordSet';
import { SchemaSite } from './SchemaKeyword';
import { SchemaPath } from './SchemaPath';
import { RuleList, SchemaRule } from './SchemaRule';
import { TypeKeyword } from './TypeKeyword';

/** The first refusal anywhere in a schema. */
class Refusal {
  error: ArkAgentError | undefined = undefined;
}

class CompilerSite implements SchemaSite {
  readonly schema: JsonObject;
  readonly path: string;
  private readonly depth: number;
  private readonly keywords: KeywordSet;
  private readonly refusal: Refusal;

  constructor(schema: JsonObject, path: string, depth: number, keywords: KeywordSet, refusal: Refusal) {
    this.schema = schema;
    this.path = path;
    this.depth = depth;
    this.keywords = keywords;
    this.refusal = refusal;
  }

  get failed(): boolean {
    return this.refusal.error !== undefined;
  }

  compile(child: JsonObject, path: string): SchemaRule | undefined {
    if (this.depth >= SchemaCompiler.MAX_DEPTH) {
      this.fail(ErrorCode.schemaTooDeep, path, `more than ${SchemaCompiler.MAX_DEPTH} schemas inside each other`);
      return undefined;
    }
    return new CompilerSite(child, path, this.depth + 1, this.keywords, this.refusal).rule();
  }

  fail(code: ErrorCode, path: string, message: string): void {
    this.refuse(code, path, message, new Map<string, ErrorDetail>());
  }

  rule(): SchemaRule | undefined {
    this.refuseUnsupported();
    if (!this.failed && this.keywords.typeRequired && !this.schema.has(TypeKeyword.NAME)) {
      this.fail(ErrorCode.schemaTypeMissing, this.path, 'type is missing');
    }
    const rules: SchemaRule[] = [];
    for (const keyword of this.keywords.keywords) {
      const value: JsonValue | undefined = this.failed ? undefined : this.schema.get(keyword.name);
      const rule: SchemaRule | undefined = value === undefined ? undefined : keyword.compile(value, this);
      if (rule !== undefined) {
        rules.push(rule);
      }
    }
    if (rules.length === 0) {
      return undefined;
    }
    return rules.length === 1 ? rules[0] : new RuleList(rules);
  }

  private refuseUnsupported(): void {
    for (const name of this.schema.keys()) {
      if (!this.keywords.has(name)) {
        const shown: string = SchemaPath.shown(name);
        const details: Map<string, ErrorDetail> = new Map<string, ErrorDetail>();
        details.set('keyword', shown);
        this.refuse(ErrorCode.schemaUnsupportedKeyword, SchemaPath.member(this.path, name),
          `keyword "${shown}" is not supported and would not be enforced`, details);
        return;
      }
    }
  }

  private refuse(code: ErrorCode, path: string, message: string, details: Map<string, ErrorDetail>): void {
    if (this.refusal.error === undefined) {
      details.set('path', path);
      const options: ArkAgentErrorOptions = { details: details };
      this.refusal.error = ArkAgentError.of(code, `${path}: ${message}`, options);
    }
  }
}

/**
 * Turns the JSON Schema of a tool's parameters into validator objects, once, at registration.
 *
 * A profile is the set of keywords that is handed in; whatever the set does not know is refused.
 */
export class SchemaCompiler {
  /** Schemas inside each other, the root included. */
  static readonly MAX_DEPTH: number = 64;
  private readonly keywords: KeywordSet;

  constructor(keywords: KeywordSet) {
    this.keywords = keywords;
  }

  /**
   * Errors: schema_unsupported_keyword (details.keyword), schema_type_missing, schema_type_unsupported,
   * schema_root_not_object, schema_invalid_properties, schema_invalid_required, schema_invalid_items,
   * schema_invalid_description, schema_too_deep; each with details.path and the path in the message.
   */
  compile(schema: JsonObject): Result<CompiledSchema, ArkAgentError> {
    const refusal: Refusal = new Refusal();
    const site: CompilerSite = new CompilerSite(schema, SchemaPath.ROOT, 1, this.keywords, refusal);
    const root: SchemaRule | undefined = site.rule();
    if (!site.failed && schema.getString(TypeKeyword.NAME) !== 'object') {
      site.fail(ErrorCode.schemaRootNotObject, SchemaPath.ROOT, 'arguments are an object, so type must be "object"');
    }
    if (refusal.error !== undefined) {
      return Result.failure<CompiledSchema, ArkAgentError>(refusal.error);
    }
    return Result.success<CompiledSchema, ArkAgentError>(
      new CompiledSchema(root ?? new RuleList([]), ArgumentShape.ofArguments(schema), this.keywords));
  }
}
