import { JsonFault } from './JsonFault';
import { JsonItems } from './JsonItems';
import { JsonKind } from './JsonKind';
import { JsonObject, NativeRecord } from './JsonObject';
import { JsonText } from './JsonText';
import { JsonValue } from './JsonValue';

/**
 * Compact JSON text with the keys in their order. Native parts that nobody changed are written by native stringify,
 * which the pre-scan of parsing made safe: their depth is known and no key of theirs would move.
 */
export class JsonWriter {
  private readonly maxDepth: number;

  constructor(maxDepth: number) {
    this.maxDepth = maxDepth;
  }

  /** @throws ArkAgentError json_too_deep, json_number_range */
  write(value: JsonValue): string {
    return this.value(value, this.maxDepth);
  }

  /** @throws ArkAgentError as write */
  writeObject(object: JsonObject): string {
    return this.object(object, this.maxDepth);
  }

  private value(value: JsonValue, levels: number): string {
    switch (value.kind) {
      case JsonKind.stringValue:
        return JsonText.quote(value.asString() as string);
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
    this.mustHave(levels);
    if (object.nativeDepth() <= levels) {
      const native: NativeRecord | undefined = object.untouched();
      if (native !== undefined) {
        return JSON.stringify(native);
      }
    }
    let text: string = '{';
    object.forEach((key: string, member: JsonValue): void => {
      text += (text.length > 1 ? ',' : '') + JsonText.quote(key) + ':' + this.value(member, levels - 1);
    });
    return text + '}';
  }

  private items(items: JsonItems, levels: number): string {
    this.mustHave(levels);
    if (items.nativeDepth() <= levels) {
      const native: ReadonlyArray<Object | null> | undefined = items.untouched();
      if (native !== undefined) {
        return JSON.stringify(native);
      }
    }
    let text: string = '[';
    for (const item of items.list()) {
      text += (text.length > 1 ? ',' : '') + this.value(item, levels - 1);
    }
    return text + ']';
  }

  private mustHave(levels: number): void {
    if (levels <= 0) {
      throw JsonFault.tooDeep(this.maxDepth);
    }
  }

  /** As ECMAScript prints numbers, which is also RFC 8785. @throws ArkAgentError json_number_range */
  static number(value: number): string {
    if (!Number.isFinite(value)) {
      throw JsonFault.notFinite();
    }
    return `${value}`;
  }
}
