import { JsonObject } from '../json/JsonObject';
import { JsonValue } from '../json/JsonValue';
import { ItemsKeyword } from './ItemsKeyword';
import { PropertiesKeyword } from './PropertiesKeyword';
import { RequiredKeyword } from './RequiredKeyword';
import { ValidationRun } from './ValidationRun';

/**
 * Which names a schema knows, at every level. Immutable.
 *
 * Apart from the rules because JSON Schema allows unknown names: only a registry that refuses or strips them looks here.
 * The arguments themselves are always closed; an object further down is free-form unless it declares `properties`.
 */
export class ArgumentShape {
  private readonly known: ReadonlyMap<string, ArgumentShape | undefined> | undefined;
  private readonly items: ArgumentShape | undefined;

  private constructor(known: ReadonlyMap<string, ArgumentShape | undefined> | undefined,
    items: ArgumentShape | undefined) {
    this.known = known;
    this.items = items;
  }

  /** @param schema one that compiled, which bounds its depth */
  static ofArguments(schema: JsonObject): ArgumentShape {
    return new ArgumentShape(ArgumentShape.namesOf(schema), undefined);
  }

  reportUnknown(value: JsonValue, run: ValidationRun): void {
    const object: JsonObject | undefined = value.asObject();
    if (object !== undefined && this.known !== undefined) {
      this.reportMembers(object, this.known, run);
    }
    const elements: ReadonlyArray<JsonValue> | undefined = value.asArray();
    if (elements !== undefined && this.items !== undefined) {
      for (let i = 0; i < elements.length && !run.full; i++) {
        run.enter(i);
        this.items.reportUnknown(elements[i], run);
        run.leave();
      }
    }
  }

  /** The value without unknown names; the same instance when there are none. */
  strip(value: JsonValue): JsonValue {
    const object: JsonObject | undefined = value.asObject();
    if (object !== undefined && this.known !== undefined) {
      return this.stripMembers(value, object, this.known);
    }
    const elements: ReadonlyArray<JsonValue> | undefined = value.asArray();
    if (elements === undefined || this.items === undefined) {
      return value;
    }
    const kept: JsonValue[] = [];
    let changed: boolean = false;
    for (const element of elements) {
      const stripped: JsonValue = this.items.strip(element);
      changed = changed || stripped !== element;
      kept.push(stripped);
    }
    return changed ? JsonValue.array(kept) : value;
  }

  private static of(schema: JsonObject): ArgumentShape | undefined {
    const inner: JsonObject | undefined = schema.getObject(ItemsKeyword.NAME);
    const items: ArgumentShape | undefined = inner === undefined ? undefined : ArgumentShape.of(inner);
    const declares: boolean = schema.has(PropertiesKeyword.NAME);
    return declares || items !== undefined
      ? new ArgumentShape(declares ? ArgumentShape.namesOf(schema) : undefined, items) : undefined;
  }

  private static namesOf(schema: JsonObject): Map<string, ArgumentShape | undefined> {
    const known: Map<string, ArgumentShape | undefined> = new Map<string, ArgumentShape | undefined>();
    for (const name of schema.getArray(RequiredKeyword.NAME) ?? []) {
      known.set(name.asString() as string, undefined);
    }
    const properties: JsonObject = schema.getObject(PropertiesKeyword.NAME) ?? new JsonObject();
    for (const name of properties.keys()) {
      known.set(name, ArgumentShape.of(properties.getObject(name) as JsonObject));
    }
    return known;
  }

  private reportMembers(object: JsonObject, known: ReadonlyMap<string, ArgumentShape | undefined>,
    run: ValidationRun): void {
    for (const name of object.keys()) {
      if (run.full) {
        return;
      }
      if (!known.has(name)) {
        run.reportUnknown(name);
      } else {
        run.enter(name);
        known.get(name)?.reportUnknown(object.get(name) as JsonValue, run);
        run.leave();
      }
    }
  }

  private stripMembers(value: JsonValue, object: JsonObject,
    known: ReadonlyMap<string, ArgumentShape | undefined>): JsonValue {
    const kept: JsonObject = new JsonObject();
    let changed: boolean = false;
    for (const name of object.keys()) {
      const member: JsonValue = object.get(name) as JsonValue;
      if (!known.has(name)) {
        changed = true;
      } else {
        const stripped: JsonValue = known.get(name)?.strip(member) ?? member;
        changed = changed || stripped !== member;
        kept.set(name, stripped);
      }
    }
    return changed ? JsonValue.object(kept) : value;
  }
}
