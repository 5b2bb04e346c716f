import { JsonFault } from './JsonFault';
import { JsonItems } from './JsonItems';
import { JsonKind } from './JsonKind';
import { JsonObject, NativeRecord } from './JsonObject';
import { JsonText } from './JsonText';
import { JsonValue } from './JsonValue';
import { JsonWriter } from './JsonWriter';

/**
 * The canonical text of RFC 8785: keys by UTF-16 code units, numbers as ECMAScript prints them, no white space.
 *
 * Native parts that nobody changed are read without wrapping their members.
 */
export class CanonicalWriter {
  private readonly maxDepth: number;

  constructor(maxDepth: number) {
    this.maxDepth = maxDepth;
  }

  /** @throws ArkAgentError json_too_deep, json_number_range, json_syntax for a lone surrogate */
  write(value: JsonValue): string {
    return this.value(value, this.maxDepth);
  }

  private value(value: JsonValue, levels: number): string {
    switch (value.kind) {
      case JsonKind.stringValue:
        return CanonicalWriter.quote(value.asString() as string);
      case JsonKind.objectValue:
        return this.object(value.asObject() as JsonObject, levels);
      case JsonKind.arrayValue:
        return this.items(value.asItems() as JsonItems, levels);
      case JsonKind.numberValue:
        return JsonWriter.number(value.asNumber() as number);
      case JsonKind.booleanValue:
        return value.asBoolean() === true ? 'true' : 'false';
      default:
        return 'null';
    }
  }

  private object(object: JsonObject, levels: number): string {
    const native: NativeRecord | undefined = object.untouched();
    if (native !== undefined) {
      return this.native(native, levels);
    }
    this.mustHave(levels);
    const parts: string[] = [];
    for (const key of object.keys().sort()) {
      parts.push(CanonicalWriter.quote(key) + ':' + this.value(object.get(key) as JsonValue, levels - 1));
    }
    return '{' + parts.join(',') + '}';
  }

  private items(items: JsonItems, levels: number): string {
    const native: ReadonlyArray<Object | null> | undefined = items.untouched();
    if (native !== undefined) {
      return this.nativeItems(native, levels);
    }
    this.mustHave(levels);
    const parts: string[] = [];
    for (const item of items.list()) {
      parts.push(this.value(item, levels - 1));
    }
    return '[' + parts.join(',') + ']';
  }

  private native(raw: Object | null, levels: number): string {
    if (raw === null) {
      return 'null';
    }
    if (typeof raw === 'string') {
      return CanonicalWriter.quote(raw);
    }
    if (typeof raw === 'number') {
      return JsonWriter.number(raw);
    }
    if (typeof raw === 'boolean') {
      return raw ? 'true' : 'false';
    }
    if (Array.isArray(raw)) {
      return this.nativeItems(raw as ReadonlyArray<Object | null>, levels);
    }
    this.mustHave(levels);
    const record: NativeRecord = raw as NativeRecord;
    const parts: string[] = [];
    for (const key of Object.keys(record).sort()) {
      parts.push(CanonicalWriter.quote(key) + ':' + this.native(record[key], levels - 1));
    }
    return '{' + parts.join(',') + '}';
  }

  private nativeItems(raw: ReadonlyArray<Object | null>, levels: number): string {
    this.mustHave(levels);
    const parts: string[] = [];
    for (const item of raw) {
      parts.push(this.native(item, levels - 1));
    }
    return '[' + parts.join(',') + ']';
  }

  private mustHave(levels: number): void {
    if (levels <= 0) {
      throw JsonFault.tooDeep(this.maxDepth);
    }
  }

  private static quote(text: string): string {
    if (JsonText.hasLoneSurrogate(text)) {
      throw JsonFault.loneSurrogate();
    }
    return JsonText.quote(text);
  }
}
