import { ErrorCode } from '../base/ErrorCodes';
import { JsonObject } from '../json/JsonObject';
import { JsonValue } from '../json/JsonValue';
import { SchemaRule } from './SchemaRule';

/** Where further schemas stand in the value of a keyword. */
export enum SubschemaForm {
  /** The value holds no schema. */
  none,
  /** The value is a schema. */
  one,
  /** Every member of the value is a schema. */
  members
}

/** One schema object while it is compiled, as a keyword sees it. */
export interface SchemaSite {
  /** All keywords of this schema object, for those that depend on a neighbour. */
  readonly schema: JsonObject;
  /** Where the schema object stands, for example `$.properties.a`. */
  readonly path: string;
  /** True once anything in the whole schema was refused; what is compiled then is thrown away. */
  readonly failed: boolean;

  /** Compiles a schema below this one; undefined when it demands nothing or was refused. */
  compile(child: JsonObject, path: string): SchemaRule | undefined;

  /** Refuses the whole schema; only the first refusal counts. */
  fail(code: ErrorCode, path: string, message: string): void;
}

/**
 * One keyword of a profile. Stateless.
 *
 * Contract: `compile` checks the form of the keyword's value and either calls `site.fail`, or returns the rule that
 * enforces the keyword in full, or undefined when there is nothing to enforce. A keyword that is accepted and not
 * enforced must be an annotation.
 */
export interface SchemaKeyword {
  readonly name: string;
  /** Says something to readers and nothing about values; left out of a tool's definition hash. */
  readonly isAnnotation: boolean;
  readonly subschemas: SubschemaForm;

  compile(value: JsonValue, site: SchemaSite): SchemaRule | undefined;
}
