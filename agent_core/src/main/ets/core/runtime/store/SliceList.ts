import { JsonObject } from '../../json/JsonObject';
import { JsonValue } from '../../json/JsonValue';
import { SliceAccess } from '../../state/SliceAccess';
import { StateSlice } from '../../state/StateSlice';

/**
 * A slice of the form `{<member>: [objects]}` as a list; an empty list is no slice. Read once per stored slice, so that
 * looking costs nothing while nothing changes.
 */
export class SliceList<T> {
  static readonly VERSION: number = 1;
  private readonly slices: SliceAccess;
  private readonly name: string;
  private readonly member: string;
  private readonly decode: (json: JsonObject) => T | undefined;
  private readonly encode: (item: T) => JsonObject;
  private seen: StateSlice | undefined = undefined;
  private items: ReadonlyArray<T> = [];

  /** @param decode undefined for what cannot be read: it counts as absent */
  constructor(slices: SliceAccess, name: string, member: string, decode: (json: JsonObject) => T | undefined,
    encode: (item: T) => JsonObject) {
    this.slices = slices;
    this.name = name;
    this.member = member;
    this.decode = decode;
    this.encode = encode;
  }

  get(): ReadonlyArray<T> {
    const slice: StateSlice | undefined = this.slices.getSlice(this.name);
    if (slice !== this.seen) {
      this.seen = slice;
      this.items = slice === undefined || slice.version !== SliceList.VERSION ? [] : this.read(slice.json);
    }
    return this.items;
  }

  set(items: ReadonlyArray<T>): void {
    if (items.length === 0) {
      if (this.slices.getSlice(this.name) !== undefined) {
        this.slices.putSlice(this.name, undefined);
      }
      return;
    }
    const values: JsonValue[] = items.map<JsonValue>((item: T) => JsonValue.object(this.encode(item)));
    const slice: StateSlice = new StateSlice(SliceList.VERSION, new JsonObject().setArray(this.member, values));
    this.slices.putSlice(this.name, slice);
    this.seen = slice;
    this.items = items.slice();
  }

  private read(json: JsonObject): ReadonlyArray<T> {
    const read: T[] = [];
    for (const value of json.getArray(this.member) ?? []) {
      const object: JsonObject | undefined = value.asObject();
      const item: T | undefined = object === undefined ? undefined : this.decode(object);
      if (item !== undefined) {
        read.push(item);
      }
    }
    return read;
  }
}
