import { JsonItems } from './JsonItems';
import { JsonKind } from './JsonKind';
import type { JsonObject } from './JsonObject';

/**
 * One JSON value. Scalars and the list of an array never change; an object inside can change until it is sealed.
 *
 * A value that came out of native `JSON.parse` keeps the native form and wraps its members only when they are read, so
 * that reading one key of a large document costs about that key.
 */
export class JsonValue {
  /** Levels that equals() compares when the caller names no other bound. */
  static readonly DEFAULT_EQUALS_DEPTH: number = 1000;
  readonly kind: JsonKind;
  private readonly content: string | number | boolean | JsonItems | JsonObject;

  private constructor(kind: JsonKind, content: string | number | boolean | JsonItems | JsonObject) {
    this.kind = kind;
    this.content = content;
  }

  static nullValue(): JsonValue {
    return NULL_VALUE;
  }

  static boolean(value: boolean): JsonValue {
    return value ? TRUE_VALUE : FALSE_VALUE;
  }

  /** -0 becomes 0, which JSON text cannot tell apart; NaN and Infinity are refused when the value is written. */
  static number(value: number): JsonValue {
    return new JsonValue(JsonKind.numberValue, value + 0);
  }

  static string(value: string): JsonValue {
    return new JsonValue(JsonKind.stringValue, value);
  }

  /** The list is taken over, not copied: the caller must not change it afterwards. */
  static array(items: ReadonlyArray<JsonValue>): JsonValue {
    return new JsonValue(JsonKind.arrayValue, new JsonItems(items));
  }

  static object(value: JsonObject): JsonValue {
    return new JsonValue(JsonKind.objectValue, value);
  }

  /** An array of strings. */
  static strings(items: ReadonlyArray<string>): JsonValue {
    const values: JsonValue[] = [];
    for (const item of items) {
      values.push(JsonValue.string(item));
    }
    return JsonValue.array(values);
  }

  /** @internal */
  static items(items: JsonItems): JsonValue {
    return new JsonValue(JsonKind.arrayValue, items);
  }

  /** @internal */
  static constant(kind: JsonKind, scalar: boolean): JsonValue {
    return new JsonValue(kind, scalar);
  }

  isNull(): boolean {
    return this.kind === JsonKind.nullValue;
  }

  asString(): string | undefined {
    return this.kind === JsonKind.stringValue ? this.content as string : undefined;
  }

  asNumber(): number | undefined {
    return this.kind === JsonKind.numberValue ? this.content as number : undefined;
  }

  asBoolean(): boolean | undefined {
    return this.kind === JsonKind.booleanValue ? this.content as boolean : undefined;
  }

  asArray(): ReadonlyArray<JsonValue> | undefined {
    return this.kind === JsonKind.arrayValue ? (this.content as JsonItems).list() : undefined;
  }

  asObject(): JsonObject | undefined {
    return this.kind === JsonKind.objectValue ? this.content as JsonObject : undefined;
  }

  /** @internal */
  asItems(): JsonItems | undefined {
    return this.kind === JsonKind.arrayValue ? this.content as JsonItems : undefined;
  }

  /**
   * Equality by value, as JSON sees it: the order of keys does not count, 1 and 1.0 are one number.
   *
   * @param maxDepth levels to compare; what lies deeper counts as different
   */
  equals(other: JsonValue, maxDepth: number = JsonValue.DEFAULT_EQUALS_DEPTH): boolean {
    if (this === other) {
      return true;
    }
    if (this.kind !== other.kind) {
      return false;
    }
    if (this.kind === JsonKind.arrayValue) {
      return maxDepth > 0 && sameItems((this.content as JsonItems).list(), (other.content as JsonItems).list(), maxDepth - 1);
    }
    if (this.kind === JsonKind.objectValue) {
      return maxDepth > 0 && (this.content as JsonObject).equals(other.content as JsonObject, maxDepth);
    }
    return this.content === other.content;
  }

  /** An open deep copy of an object or array; a scalar is its own copy. */
  clone(): JsonValue {
    if (this.kind === JsonKind.objectValue) {
      return JsonValue.object((this.content as JsonObject).clone());
    }
    return this.kind === JsonKind.arrayValue ? JsonValue.items((this.content as JsonItems).clone()) : this;
  }

  /** Refuses changes of every object in this value from now on. @returns this value */
  seal(): JsonValue {
    if (this.kind === JsonKind.objectValue) {
      (this.content as JsonObject).seal();
    } else if (this.kind === JsonKind.arrayValue) {
      (this.content as JsonItems).seal();
    }
    return this;
  }

  /** Whether the native form behind this value, if any, still says the same. @internal */
  isUntouched(): boolean {
    if (this.kind === JsonKind.objectValue) {
      return (this.content as JsonObject).untouched() !== undefined;
    }
    return this.kind !== JsonKind.arrayValue || (this.content as JsonItems).untouched() !== undefined;
  }
}

function sameItems(left: ReadonlyArray<JsonValue>, right: ReadonlyArray<JsonValue>, maxDepth: number): boolean {
  if (left.length !== right.length) {
    return false;
  }
  for (let i: number = 0; i < left.length; i++) {
    if (!left[i].equals(right[i], maxDepth)) {
      return false;
    }
  }
  return true;
}

const NULL_VALUE: JsonValue = JsonValue.constant(JsonKind.nullValue, false);
const TRUE_VALUE: JsonValue = JsonValue.constant(JsonKind.booleanValue, true);
const FALSE_VALUE: JsonValue = JsonValue.constant(JsonKind.booleanValue, false);
