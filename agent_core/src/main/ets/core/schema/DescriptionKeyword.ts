import { ErrorCode } from '../base/ErrorCodes';
import { JsonKind } from '../json/JsonKind';
import { JsonValue } from '../json/JsonValue';
import { SchemaKeyword, SchemaSite, SubschemaForm } from './SchemaKeyword';
import { SchemaPath } from './SchemaPath';
import { SchemaRule } from './SchemaRule';

/** `description`: text for the model. */
export class DescriptionKeyword implements SchemaKeyword {
  readonly name: string = 'description';
  readonly isAnnotation: boolean = true;
  readonly subschemas: SubschemaForm = SubschemaForm.none;

  compile(value: JsonValue, site: SchemaSite): SchemaRule | undefined {
    if (value.kind !== JsonKind.stringValue) {
      site.fail(ErrorCode.schemaInvalidDescription, SchemaPath.member(site.path, this.name),
        `description must be a string, not ${value.kind}`);
    }
    return undefined;
  }
}
