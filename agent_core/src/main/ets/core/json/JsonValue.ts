import { JsonKind } from './JsonKind';
import { JsonObject } from './JsonObject';

/**
 * One immutable JSON value.
 *
 * A value that came out of native `JSON.parse` keeps the native form and wraps its members only when they are read, so
 * that reading one key of a large document costs about that key.
 */
export class JsonValue {
  readonly kind: JsonKind;
  private readonly scalar: string | number | boolean;
  private items: ReadonlyArray<JsonValue> | undefined;
  private rawItems: ReadonlyArray<Object | null> | undefined;
  private members: JsonObject | undefined;

  private constructor(kind: JsonKind, scalar: string | number | boolean, items?: ReadonlyArray<JsonValue>,
    rawItems?: ReadonlyArray<Object | null>, members?: JsonObject) {
    this.kind = kind;
    this.scalar = scalar;
    this.items = items;
    this.rawItems = rawItems;
    this.members = members;
  }

  static nullValue(): JsonValue {
    return NULL_VALUE;
  }

  static boolean(value: boolean): JsonValue {
    return value ? TRUE_VALUE : FALSE_VALUE;
  }

  static number(value: number): JsonValue {
    return new JsonValue(JsonKind.numberValue, value);
  }

  static string(value: string): JsonValue {
    return new JsonValue(JsonKind.stringValue, value);
  }

  static array(items: ReadonlyArray<JsonValue>): JsonValue {
    return new JsonValue(JsonKind.arrayValue, 0, items);
  }

  static object(value: JsonObject): JsonValue {
    return new JsonValue(JsonKind.objectValue, 0, undefined, undefined, value);
  }

  /** Wraps a value that native `JSON.parse` returned; nothing is copied. @internal */
  static fromNative(raw: Object | null | undefined): JsonValue {
    if (raw === null || raw === undefined) {
      return NULL_VALUE;
    }
    if (typeof raw === 'string') {
      return new JsonValue(JsonKind.stringValue, raw);
    }
    if (typeof raw === 'number') {
      return new JsonValue(JsonKind.numberValue, raw);
    }
    if (typeof raw === 'boolean') {
      return raw ? TRUE_VALUE : FALSE_VALUE;
    }
    if (Array.isArray(raw)) {
      return new JsonValue(JsonKind.arrayValue, 0, undefined, raw as ReadonlyArray<Object | null>);
    }
    return new JsonValue(JsonKind.objectValue, 0, undefined, undefined,
      JsonObject.fromNative(raw as Record<string, Object | null>));
  }

  static constant(kind: JsonKind, scalar: boolean): JsonValue {
    return new JsonValue(kind, scalar);
  }

  isNull(): boolean {
    return this.kind === JsonKind.nullValue;
  }

  asString(): string | undefined {
    return this.kind === JsonKind.stringValue ? this.scalar as string : undefined;
  }

  asNumber(): number | undefined {
    return this.kind === JsonKind.numberValue ? this.scalar as number : undefined;
  }

  asBoolean(): boolean | undefined {
    return this.kind === JsonKind.booleanValue ? this.scalar as boolean : undefined;
  }

  asArray(): ReadonlyArray<JsonValue> | undefined {
    if (this.kind !== JsonKind.arrayValue) {
      return undefined;
    }
    if (this.items === undefined) {
      const wrapped: JsonValue[] = [];
      for (const raw of this.rawItems as ReadonlyArray<Object | null>) {
        wrapped.push(JsonValue.fromNative(raw));
      }
      this.items = wrapped;
      this.rawItems = undefined;
    }
    return this.items;
  }

  asObject(): JsonObject | undefined {
    return this.members;
  }
}

const NULL_VALUE: JsonValue = JsonValue.constant(JsonKind.nullValue, false);
const TRUE_VALUE: JsonValue = JsonValue.constant(JsonKind.booleanValue, true);
const FALSE_VALUE: JsonValue = JsonValue.constant(JsonKind.booleanValue, false);
