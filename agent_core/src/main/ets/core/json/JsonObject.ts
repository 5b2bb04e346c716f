import { ArkAgentError } from '../base/ArkAgentError';
import { ErrorCode } from '../base/ErrorCodes';
import { JsonValue } from './JsonValue';

/**
 * An ordered JSON object. Keys are data: `__proto__` or `constructor` are keys like any other.
 *
 * Changing a sealed object throws `json_sealed`, a programming fault; `clone()` gives an open copy (DEC-10).
 */
export class JsonObject {
  private raw: Record<string, Object | null> | undefined = undefined;
  private members: Map<string, JsonValue> | undefined = undefined;
  private isSealed: boolean = false;

  /** Takes over an object that native `JSON.parse` returned. @internal */
  static fromNative(raw: Record<string, Object | null>): JsonObject {
    const wrapped: JsonObject = new JsonObject();
    wrapped.raw = raw;
    return wrapped;
  }

  get size(): number {
    return this.raw !== undefined ? Object.keys(this.raw).length : this.map().size;
  }

  get sealed(): boolean {
    return this.isSealed;
  }

  get(key: string): JsonValue | undefined {
    return this.map().get(key);
  }

  has(key: string): boolean {
    return this.map().has(key);
  }

  /** In insertion order; a new array each time. */
  keys(): string[] {
    return this.raw !== undefined ? Object.keys(this.raw) : Array.from(this.map().keys());
  }

  /** @throws ArkAgentError json_sealed */
  set(key: string, value: JsonValue): JsonObject {
    this.mustBeOpen();
    this.map().set(key, value);
    return this;
  }

  setString(key: string, value: string): JsonObject {
    return this.set(key, JsonValue.string(value));
  }

  setNumber(key: string, value: number): JsonObject {
    return this.set(key, JsonValue.number(value));
  }

  setBoolean(key: string, value: boolean): JsonObject {
    return this.set(key, JsonValue.boolean(value));
  }

  setObject(key: string, value: JsonObject): JsonObject {
    return this.set(key, JsonValue.object(value));
  }

  setArray(key: string, items: ReadonlyArray<JsonValue>): JsonObject {
    return this.set(key, JsonValue.array(items));
  }

  getString(key: string): string | undefined {
    return this.get(key)?.asString();
  }

  getNumber(key: string): number | undefined {
    return this.get(key)?.asNumber();
  }

  getBoolean(key: string): boolean | undefined {
    return this.get(key)?.asBoolean();
  }

  getObject(key: string): JsonObject | undefined {
    return this.get(key)?.asObject();
  }

  getArray(key: string): ReadonlyArray<JsonValue> | undefined {
    return this.get(key)?.asArray();
  }

  /** @returns false when the key was not there. @throws ArkAgentError json_sealed */
  remove(key: string): boolean {
    this.mustBeOpen();
    return this.map().delete(key);
  }

  /** An open copy, deep enough that changing it or anything below it leaves this object as it is. */
  clone(): JsonObject {
    const copy: JsonObject = new JsonObject();
    for (const key of this.keys()) {
      copy.set(key, cloneValue(this.get(key) as JsonValue));
    }
    return copy;
  }

  /** Refuses changes from now on, also in the objects below. @returns this object */
  seal(): JsonObject {
    this.isSealed = true;
    return this;
  }

  private map(): Map<string, JsonValue> {
    if (this.members === undefined) {
      const built: Map<string, JsonValue> = new Map<string, JsonValue>();
      if (this.raw !== undefined) {
        for (const key of Object.keys(this.raw)) {
          built.set(key, JsonValue.fromNative(this.raw[key]));
        }
        this.raw = undefined;
      }
      this.members = built;
    }
    return this.members;
  }

  private mustBeOpen(): void {
    if (this.isSealed) {
      throw ArkAgentError.of(ErrorCode.jsonSealed, 'a sealed JSON object was changed; clone() it first');
    }
  }
}

function cloneValue(value: JsonValue): JsonValue {
  const inner: JsonObject | undefined = value.asObject();
  if (inner !== undefined) {
    return JsonValue.object(inner.clone());
  }
  const items: ReadonlyArray<JsonValue> | undefined = value.asArray();
  if (items !== undefined) {
    const copies: JsonValue[] = [];
    for (const item of items) {
      copies.push(cloneValue(item));
    }
    return JsonValue.array(copies);
  }
  return value;
}
