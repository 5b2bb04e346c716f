import type { JsonValue } from './JsonValue';

/** Wraps one member of a native container; `depth` bounds the levels below, `sealed` is handed on to objects in it. */
export type NativeWrap = (raw: Object | null, depth: number, sealed: boolean) => JsonValue;

/** The items of an array: given as values, or native and wrapped as a whole at the first read. @internal */
export class JsonItems {
  private readonly raw: ReadonlyArray<Object | null> | undefined;
  private readonly rawDepth: number;
  private readonly wrap: NativeWrap | undefined;
  private values: ReadonlyArray<JsonValue> | undefined;
  private isSealed: boolean = false;

  constructor(values: ReadonlyArray<JsonValue> | undefined, raw?: ReadonlyArray<Object | null>, rawDepth?: number,
    wrap?: NativeWrap) {
    this.values = values;
    this.raw = raw;
    this.rawDepth = rawDepth ?? 0;
    this.wrap = wrap;
  }

  list(): ReadonlyArray<JsonValue> {
    if (this.values === undefined) {
      const wrapped: JsonValue[] = [];
      const wrap: NativeWrap = this.wrap as NativeWrap;
      for (const item of this.raw as ReadonlyArray<Object | null>) {
        wrapped.push(wrap(item, this.rawDepth - 1, this.isSealed));
      }
      this.values = wrapped;
    }
    return this.values;
  }

  /** The native items when nothing in them was changed since they were parsed. */
  untouched(): ReadonlyArray<Object | null> | undefined {
    if (this.raw !== undefined && this.values !== undefined) {
      for (const item of this.values) {
        if (!item.isUntouched()) {
          return undefined;
        }
      }
    }
    return this.raw;
  }

  /** A bound on the levels of the native form, this one included. */
  nativeDepth(): number {
    return this.rawDepth;
  }

  seal(): void {
    if (this.isSealed) {
      return;
    }
    this.isSealed = true;
    if (this.values !== undefined) {
      for (const item of this.values) {
        item.seal();
      }
    }
  }

  /** An open copy; untouched native items are shared, since nothing ever writes to them. */
  clone(): JsonItems {
    const native: ReadonlyArray<Object | null> | undefined = this.untouched();
    if (native !== undefined) {
      return new JsonItems(undefined, native, this.rawDepth, this.wrap);
    }
    const copies: JsonValue[] = [];
    for (const item of this.list()) {
      copies.push(item.clone());
    }
    return new JsonItems(copies);
  }
}
