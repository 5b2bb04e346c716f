import { ErrorCode } from '../base/ErrorCodes';
import { JsonObject } from '../json/JsonObject';
import { JsonValue } from '../json/JsonValue';
import { SchemaKeyword, SchemaSite, SubschemaForm } from './SchemaKeyword';
import { SchemaPath } from './SchemaPath';
import { SchemaRule } from './SchemaRule';
import { ValidationRun } from './ValidationRun';

/** Every name is a member of the object, null included. */
export class RequiredRule implements SchemaRule {
  private readonly names: ReadonlyArray<string>;

  constructor(names: ReadonlyArray<string>) {
    this.names = names;
  }

  check(value: JsonValue, run: ValidationRun): void {
    const found: JsonObject | undefined = value.asObject();
    if (found === undefined) {
      return;
    }
    for (const name of this.names) {
      if (!found.has(name)) {
        if (run.full) {
          return;
        }
        run.reportMissing(name);
      }
    }
  }
}

/** `required`: a list of different names; a name that `properties` does not mention is required all the same. */
export class RequiredKeyword implements SchemaKeyword {
  static readonly NAME: string = 'required';
  readonly name: string = RequiredKeyword.NAME;
  readonly isAnnotation: boolean = false;
  readonly subschemas: SubschemaForm = SubschemaForm.none;

  compile(value: JsonValue, site: SchemaSite): SchemaRule | undefined {
    const path: string = SchemaPath.member(site.path, this.name);
    const items: ReadonlyArray<JsonValue> | undefined = value.asArray();
    if (items === undefined) {
      site.fail(ErrorCode.schemaInvalidRequired, path, `required must be an array of names, not ${value.kind}`);
      return undefined;
    }
    const names: Set<string> = new Set<string>();
    for (let i = 0; i < items.length; i++) {
      const name: string | undefined = items[i].asString();
      if (name === undefined || names.has(name) || !SchemaPath.isWellFormed(name)) {
        site.fail(ErrorCode.schemaInvalidRequired, SchemaPath.element(path, i),
          'required must hold strings, each of them well-formed and only once');
        return undefined;
      }
      names.add(name);
    }
    return names.size === 0 ? undefined : new RequiredRule(Array.from(names));
  }
}
