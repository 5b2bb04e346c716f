import { ErrorCode } from '../base/ErrorCodes';
import { JsonKind } from '../json/JsonKind';
import { JsonValue } from '../json/JsonValue';
import { SchemaKeyword, SchemaSite, SubschemaForm } from './SchemaKeyword';
import { SchemaPath } from './SchemaPath';
import { SchemaRule } from './SchemaRule';
import { ValidationRun } from './ValidationRun';

/** The value is of one kind. */
export class KindRule implements SchemaRule {
  private readonly kind: JsonKind;
  private readonly demand: string;

  constructor(kind: JsonKind, typeName: string) {
    this.kind = kind;
    this.demand = `must be ${typeName}`;
  }

  check(value: JsonValue, run: ValidationRun): void {
    if (value.kind !== this.kind) {
      run.report(ErrorCode.toolArgumentTypeMismatch, this.demand);
    }
  }
}

/** The value is a number without a fraction; 3.0 is 3, as in JSON Schema. */
export class IntegerRule implements SchemaRule {
  check(value: JsonValue, run: ValidationRun): void {
    const found: number | undefined = value.asNumber();
    if (found === undefined || !Number.isInteger(found)) {
      run.report(ErrorCode.toolArgumentTypeMismatch, 'must be integer');
    }
  }
}

const RULES: ReadonlyMap<string, SchemaRule> = new Map<string, SchemaRule>([
  ['string', new KindRule(JsonKind.stringValue, 'string')],
  ['number', new KindRule(JsonKind.numberValue, 'number')],
  ['integer', new IntegerRule()],
  ['boolean', new KindRule(JsonKind.booleanValue, 'boolean')],
  ['object', new KindRule(JsonKind.objectValue, 'object')],
  ['array', new KindRule(JsonKind.arrayValue, 'array')],
  ['null', new KindRule(JsonKind.nullValue, 'null')]
]);

/** `type` with the name of one of the seven types. */
export class TypeKeyword implements SchemaKeyword {
  static readonly NAME: string = 'type';
  readonly name: string = TypeKeyword.NAME;
  readonly isAnnotation: boolean = false;
  readonly subschemas: SubschemaForm = SubschemaForm.none;

  compile(value: JsonValue, site: SchemaSite): SchemaRule | undefined {
    const typeName: string | undefined = value.asString();
    const rule: SchemaRule | undefined = typeName === undefined ? undefined : RULES.get(typeName);
    if (rule === undefined) {
      const seen: string = typeName === undefined ? `a value of kind ${value.kind}` : `"${SchemaPath.shown(typeName)}"`;
      site.fail(ErrorCode.schemaTypeUnsupported, site.path,
        `type must be one of ${Array.from(RULES.keys()).join(', ')}, not ${seen}`);
    }
    return rule;
  }
}
