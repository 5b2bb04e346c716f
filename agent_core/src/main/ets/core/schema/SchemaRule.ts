import { JsonValue } from '../json/JsonValue';
import { ValidationRun } from './ValidationRun';

/**
 * A compiled piece of a schema. Immutable and shared by all calls.
 *
 * Contract: reports to the run what does not fit; says nothing about a kind of value that its keyword does not concern
 * (`properties` ignores a string, as JSON Schema has it); never throws.
 */
export interface SchemaRule {
  check(value: JsonValue, run: ValidationRun): void;
}

/** Several rules about one value, all of them asked in order. */
export class RuleList implements SchemaRule {
  private readonly rules: ReadonlyArray<SchemaRule>;

  constructor(rules: ReadonlyArray<SchemaRule>) {
    this.rules = rules;
  }

  check(value: JsonValue, run: ValidationRun): void {
    for (const rule of this.rules) {
      rule.check(value, run);
    }
  }
}
