import { ErrorCode } from '../base/ErrorCodes';
import { JsonObject } from '../json/JsonObject';
import { JsonValue } from '../json/JsonValue';
import { SchemaKeyword, SchemaSite, SubschemaForm } from './SchemaKeyword';
import { SchemaPath } from './SchemaPath';
import { SchemaRule } from './SchemaRule';
import { ValidationRun } from './ValidationRun';

/** Each named member that is there fits its own rule; both lists run in step. */
export class PropertiesRule implements SchemaRule {
  private readonly names: ReadonlyArray<string>;
  private readonly rules: ReadonlyArray<SchemaRule>;

  constructor(names: ReadonlyArray<string>, rules: ReadonlyArray<SchemaRule>) {
    this.names = names;
    this.rules = rules;
  }

  check(value: JsonValue, run: ValidationRun): void {
    const found: JsonObject | undefined = value.asObject();
    if (found === undefined) {
      return;
    }
    for (let i = 0; i < this.names.length && !run.full; i++) {
      const member: JsonValue | undefined = found.get(this.names[i]);
      if (member !== undefined) {
        run.enter(this.names[i]);
        this.rules[i].check(member, run);
        run.leave();
      }
    }
  }
}

/** `properties`: an object whose members are schema objects. Any name may be a property, `enum` and `__proto__` too. */
export class PropertiesKeyword implements SchemaKeyword {
  static readonly NAME: string = 'properties';
  readonly name: string = PropertiesKeyword.NAME;
  readonly isAnnotation: boolean = false;
  readonly subschemas: SubschemaForm = SubschemaForm.members;

  compile(value: JsonValue, site: SchemaSite): SchemaRule | undefined {
    const path: string = SchemaPath.member(site.path, this.name);
    const properties: JsonObject | undefined = value.asObject();
    if (properties === undefined) {
      site.fail(ErrorCode.schemaInvalidProperties, path, `properties must be an object, not ${value.kind}`);
      return undefined;
    }
    const names: string[] = [];
    const rules: SchemaRule[] = [];
    for (const name of properties.keys()) {
      const rule: SchemaRule | undefined = this.member(name, properties.get(name) as JsonValue, path, site);
      if (site.failed) {
        return undefined;
      }
      if (rule !== undefined) {
        names.push(name);
        rules.push(rule);
      }
    }
    return names.length === 0 ? undefined : new PropertiesRule(names, rules);
  }

  private member(name: string, value: JsonValue, parent: string, site: SchemaSite): SchemaRule | undefined {
    const path: string = SchemaPath.member(parent, name);
    const schema: JsonObject | undefined = value.asObject();
    if (schema === undefined) {
      site.fail(ErrorCode.schemaInvalidProperties, path, `a property must be a schema object, not ${value.kind}`);
      return undefined;
    }
    if (!SchemaPath.isWellFormed(name)) {
      site.fail(ErrorCode.schemaInvalidProperties, parent, 'the name of a property holds half a surrogate pair');
      return undefined;
    }
    return site.compile(schema, path);
  }
}
