import { JsonObject } from '../json/JsonObject';
import { JsonValue } from '../json/JsonValue';
import { ArgumentShape } from './ArgumentShape';
import { KeywordSet } from './KeywordSet';
import { SchemaIssue } from './SchemaIssue';
import { SchemaRule } from './SchemaRule';
import { ValidationRun } from './ValidationRun';

/**
 * The schema of a tool's arguments, ready to be asked. Made by `SchemaCompiler`; immutable, and without a reference to
 * the JSON it came from.
 */
export class CompiledSchema {
  /** More issues than this are not collected; a model repairs these first. */
  static readonly MAX_ISSUES: number = 20;
  private readonly root: SchemaRule;
  private readonly shape: ArgumentShape;
  private readonly keywords: KeywordSet;

  /** @internal */
  constructor(root: SchemaRule, shape: ArgumentShape, keywords: KeywordSet) {
    this.root = root;
    this.shape = shape;
    this.keywords = keywords;
  }

  /**
   * All issues up to `MAX_ISSUES`, empty when the arguments fit; names that the schema does not know are allowed.
   * The time is bounded by what the schema describes, valid arguments cost no strings.
   */
  check(args: JsonObject): ReadonlyArray<SchemaIssue> {
    const run: ValidationRun = new ValidationRun(CompiledSchema.MAX_ISSUES);
    this.root.check(JsonValue.object(args), run);
    return run.issues;
  }

  /** As `check`, and a tool_argument_unknown for each name that the schema does not know. */
  checkClosed(args: JsonObject): ReadonlyArray<SchemaIssue> {
    const run: ValidationRun = new ValidationRun(CompiledSchema.MAX_ISSUES);
    const value: JsonValue = JsonValue.object(args);
    this.root.check(value, run);
    this.shape.reportUnknown(value, run);
    return run.issues;
  }

  /** The arguments without the names that the schema does not know, at every level; the same object when all are known. */
  withoutUnknown(args: JsonObject): JsonObject {
    return this.shape.strip(JsonValue.object(args)).asObject() as JsonObject;
  }

  /** A copy of the parameters this was compiled from, without what speaks to readers only (DEC-53). */
  withoutAnnotations(parameters: JsonObject): JsonObject {
    return this.keywords.withoutAnnotations(parameters);
  }
}
