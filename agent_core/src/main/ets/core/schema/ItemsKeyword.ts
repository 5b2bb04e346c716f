import { ErrorCode } from '../base/ErrorCodes';
import { JsonObject } from '../json/JsonObject';
import { JsonValue } from '../json/JsonValue';
import { SchemaKeyword, SchemaSite, SubschemaForm } from './SchemaKeyword';
import { SchemaPath } from './SchemaPath';
import { SchemaRule } from './SchemaRule';
import { ValidationRun } from './ValidationRun';

/** Every element of the array fits one rule. */
export class ItemsRule implements SchemaRule {
  private readonly rule: SchemaRule;

  constructor(rule: SchemaRule) {
    this.rule = rule;
  }

  check(value: JsonValue, run: ValidationRun): void {
    const items: ReadonlyArray<JsonValue> | undefined = value.asArray();
    if (items === undefined) {
      return;
    }
    for (let i = 0; i < items.length && !run.full; i++) {
      run.enter(i);
      this.rule.check(items[i], run);
      run.leave();
    }
  }
}

/** `items`: one schema object for all elements. */
export class ItemsKeyword implements SchemaKeyword {
  static readonly NAME: string = 'items';
  readonly name: string = ItemsKeyword.NAME;
  readonly isAnnotation: boolean = false;
  readonly subschemas: SubschemaForm = SubschemaForm.one;

  compile(value: JsonValue, site: SchemaSite): SchemaRule | undefined {
    const path: string = SchemaPath.member(site.path, this.name);
    const schema: JsonObject | undefined = value.asObject();
    if (schema === undefined) {
      site.fail(ErrorCode.schemaInvalidItems, path, `items must be one schema object, not ${value.kind}`);
      return undefined;
    }
    const rule: SchemaRule | undefined = site.compile(schema, path);
    return rule === undefined ? undefined : new ItemsRule(rule);
  }
}
