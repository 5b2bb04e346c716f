import { Result } from '../../base/Result';
import { ArkAgentError } from '../../base/ArkAgentError';
import { JsonCodec } from '../../json/JsonCodec';
import { JsonKind } from '../../json/JsonKind';
import { JsonObject } from '../../json/JsonObject';
import { JsonValue } from '../../json/JsonValue';

/**
 * Whether one argument text can be the masked copy of another: masking replaces strings by other strings and changes
 * nothing else (DEC-37). What was replaced is known only to the vault, so any string may stand for any other.
 */
export class MaskedForm {
  private static readonly MAX_DEPTH: number = JsonCodec.DEFAULT_MAX_DEPTH;

  static matches(masked: string, effective: string): boolean {
    if (masked === effective) {
      return true;
    }
    const codec: JsonCodec = new JsonCodec();
    const left: Result<JsonValue, ArkAgentError> = codec.parse(masked);
    const right: Result<JsonValue, ArkAgentError> = codec.parse(effective);
    return left.ok && right.ok && MaskedForm.sameShape(left.value, right.value, MaskedForm.MAX_DEPTH);
  }

  private static sameShape(left: JsonValue, right: JsonValue, levels: number): boolean {
    if (left.kind !== right.kind || levels < 0) {
      return false;
    }
    switch (left.kind) {
      case JsonKind.stringValue:
        return true;
      case JsonKind.arrayValue:
        return MaskedForm.sameItems(left.asArray() ?? [], right.asArray() ?? [], levels);
      case JsonKind.objectValue:
        return MaskedForm.sameMembers(left.asObject() as JsonObject, right.asObject() as JsonObject, levels);
      default:
        return left.equals(right);
    }
  }

  private static sameItems(left: ReadonlyArray<JsonValue>, right: ReadonlyArray<JsonValue>, levels: number): boolean {
    return left.length === right.length &&
      left.every((item: JsonValue, index: number): boolean => MaskedForm.sameShape(item, right[index], levels - 1));
  }

  private static sameMembers(left: JsonObject, right: JsonObject, levels: number): boolean {
    return left.size === right.size && left.keys().every((key: string): boolean => {
      const other: JsonValue | undefined = right.get(key);
      return other !== undefined && MaskedForm.sameShape(left.get(key) as JsonValue, other, levels - 1);
    });
  }
}
