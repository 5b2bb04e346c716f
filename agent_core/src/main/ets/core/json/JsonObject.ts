import { ArkAgentError } from '../base/ArkAgentError';
import { ErrorCode } from '../base/ErrorCodes';
import { JsonItems } from './JsonItems';
import { JsonValue } from './JsonValue';

/** A native object as `JSON.parse` returns it; nothing in the core writes to one. */
export type NativeRecord = Record<string, Object | null>;

/** Nesting of a native value that no pre-scan has measured. */
const UNKNOWN_DEPTH: number = Number.MAX_SAFE_INTEGER;
/** What any native object answers without having a member: functions of the prototype, `__proto__`. */
const BARE: NativeRecord = {};

/**
 * An ordered JSON object. Keys are data: `__proto__` or `constructor` are keys like any other.
 *
 * An object that was parsed reads its members from the native one and keeps only what it handed out; the first change
 * moves all members to an own map. Changing a sealed object throws `json_sealed`, a programming fault; `clone()` gives
 * an open copy (DEC-10).
 */
export class JsonObject {
  private raw: NativeRecord | undefined = undefined;
  private rawDepth: number = 0;
  /** All members when raw is undefined; else the arrays and objects handed out so far. */
  private members: Map<string, JsonValue> | undefined = undefined;
  private isSealed: boolean = false;

  /** Takes over an object that native `JSON.parse` returned. @internal */
  static fromNative(raw: NativeRecord, depth: number = UNKNOWN_DEPTH): JsonObject {
    const wrapped: JsonObject = new JsonObject();
    wrapped.raw = raw;
    wrapped.rawDepth = depth;
    return wrapped;
  }

  /** Takes over a complete map of members. @internal */
  static fromMembers(members: Map<string, JsonValue>): JsonObject {
    const built: JsonObject = new JsonObject();
    built.members = members;
    return built;
  }

  get size(): number {
    return this.raw !== undefined ? Object.keys(this.raw).length : this.map().size;
  }

  get sealed(): boolean {
    return this.isSealed;
  }

  get(key: string): JsonValue | undefined {
    if (this.raw === undefined) {
      return this.members?.get(key);
    }
    const native: Object | null | undefined = nativeMember(this.raw, key);
    if (native === undefined) {
      return undefined;
    }
    if (native === null || typeof native !== 'object') {
      return wrapNative(native, 0, false);
    }
    const known: JsonValue | undefined = this.members?.get(key);
    if (known !== undefined) {
      return known;
    }
    const wrapped: JsonValue = wrapNative(native, this.rawDepth - 1, this.isSealed);
    this.map().set(key, wrapped);
    return wrapped;
  }

  has(key: string): boolean {
    return this.raw !== undefined ? nativeMember(this.raw, key) !== undefined : this.map().has(key);
  }

  /** In insertion order; a new array each time. */
  keys(): string[] {
    return this.raw !== undefined ? Object.keys(this.raw) : Array.from(this.map().keys());
  }

  /** Visits the members in order; the object must not be changed meanwhile. */
  forEach(visit: (key: string, value: JsonValue) => void): void {
    if (this.raw === undefined) {
      this.map().forEach((value: JsonValue, key: string): void => visit(key, value));
      return;
    }
    for (const key of Object.keys(this.raw)) {
      visit(key, this.get(key) as JsonValue);
    }
  }

  /** @throws ArkAgentError json_sealed */
  set(key: string, value: JsonValue): JsonObject {
    this.open().set(key, value);
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
    if (this.raw !== undefined) {
      const native: Object | null | undefined = nativeMember(this.raw, key);
      return typeof native === 'string' ? native : undefined;
    }
    return this.members?.get(key)?.asString();
  }

  getNumber(key: string): number | undefined {
    if (this.raw !== undefined) {
      const native: Object | null | undefined = nativeMember(this.raw, key);
      return typeof native === 'number' ? native + 0 : undefined;
    }
    return this.members?.get(key)?.asNumber();
  }

  getBoolean(key: string): boolean | undefined {
    if (this.raw !== undefined) {
      const native: Object | null | undefined = nativeMember(this.raw, key);
      return typeof native === 'boolean' ? native : undefined;
    }
    return this.members?.get(key)?.asBoolean();
  }

  getObject(key: string): JsonObject | undefined {
    return this.get(key)?.asObject();
  }

  getArray(key: string): ReadonlyArray<JsonValue> | undefined {
    return this.get(key)?.asArray();
  }

  /** @returns false when the key was not there. @throws ArkAgentError json_sealed */
  remove(key: string): boolean {
    return this.open().delete(key);
  }

  /** As `JsonValue.equals`. */
  equals(other: JsonObject, maxDepth: number = JsonValue.DEFAULT_EQUALS_DEPTH): boolean {
    if (this === other) {
      return true;
    }
    const keys: string[] = this.keys();
    if (maxDepth <= 0 || keys.length !== other.size) {
      return false;
    }
    for (const key of keys) {
      const theirs: JsonValue | undefined = other.get(key);
      if (theirs === undefined || !(this.get(key) as JsonValue).equals(theirs, maxDepth - 1)) {
        return false;
      }
    }
    return true;
  }

  /** An open copy, deep enough that changing it or anything below it leaves this object as it is. */
  clone(): JsonObject {
    const native: NativeRecord | undefined = this.untouched();
    if (native !== undefined) {
      return JsonObject.fromNative(native, this.rawDepth);
    }
    const copies: Map<string, JsonValue> = new Map<string, JsonValue>();
    this.forEach((key: string, value: JsonValue): void => {
      copies.set(key, value.clone());
    });
    return JsonObject.fromMembers(copies);
  }

  /**
   * Refuses changes from now on, also in the objects below. Those that exist are sealed now, those still native when
   * they are handed out.
   *
   * @returns this object
   */
  seal(): JsonObject {
    if (!this.isSealed) {
      this.isSealed = true;
      this.members?.forEach((value: JsonValue): void => {
        value.seal();
      });
    }
    return this;
  }

  /** The native object when nothing in it was changed since it was parsed. @internal */
  untouched(): NativeRecord | undefined {
    if (this.raw !== undefined && this.members !== undefined) {
      for (const handed of this.members.values()) {
        if (!handed.isUntouched()) {
          return undefined;
        }
      }
    }
    return this.raw;
  }

  /** A bound on the levels of the native form, this one included. @internal */
  nativeDepth(): number {
    return this.rawDepth;
  }

  private map(): Map<string, JsonValue> {
    if (this.members === undefined) {
      this.members = new Map<string, JsonValue>();
    }
    return this.members;
  }

  private open(): Map<string, JsonValue> {
    if (this.isSealed) {
      throw ArkAgentError.of(ErrorCode.jsonSealed, 'a sealed JSON object was changed; clone() it first');
    }
    if (this.raw !== undefined) {
      const all: Map<string, JsonValue> = new Map<string, JsonValue>();
      this.forEach((key: string, value: JsonValue): void => {
        all.set(key, value);
      });
      this.members = all;
      this.raw = undefined;
    }
    return this.map();
  }
}

/** Reads own members only: a name that every object answers counts when it is among the keys. */
function nativeMember(raw: NativeRecord, key: string): Object | null | undefined {
  const found: Object | null | undefined = raw[key];
  if (found === undefined || BARE[key] === undefined || Object.keys(raw).includes(key)) {
    return found;
  }
  return undefined;
}

/** Wraps a value that native `JSON.parse` returned; nothing is copied. @internal */
export function wrapNative(raw: Object | null, depth: number, sealed: boolean): JsonValue {
  if (raw === null) {
    return JsonValue.nullValue();
  }
  if (typeof raw === 'string') {
    return JsonValue.string(raw);
  }
  if (typeof raw === 'number') {
    return JsonValue.number(raw);
  }
  if (typeof raw === 'boolean') {
    return JsonValue.boolean(raw);
  }
  const wrapped: JsonValue = Array.isArray(raw) ?
    JsonValue.items(new JsonItems(undefined, raw as ReadonlyArray<Object | null>, depth, wrapNative)) :
    JsonValue.object(JsonObject.fromNative(raw as NativeRecord, depth));
  return sealed ? wrapped.seal() : wrapped;
}
