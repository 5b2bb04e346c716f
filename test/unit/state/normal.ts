import { JsonObject } from '@core/json/JsonObject';
import { JsonValue } from '@core/json/JsonValue';
import { MessageList } from '@core/message/MessageList';

/** A plain value that two equal states share, whatever their JSON parts were made from. Independent of the codec. */
export function normal(value: unknown): unknown {
  if (value instanceof JsonValue) return { jsonValue: plain(value) };
  if (value instanceof JsonObject) return { jsonObject: plain(JsonValue.object(value)) };
  if (value instanceof MessageList) return normal(value.toArray());
  if (value instanceof Map) return [...value].map(([key, member]) => [key, normal(member)]);
  if (Array.isArray(value)) return value.map(normal);
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).filter(([, member]) => member !== undefined).map(([key, member]) => [key, normal(member)]).sort();
  }
  return value;
}

function plain(value: JsonValue): unknown {
  const object = value.asObject();
  if (object !== undefined) return object.keys().map((key) => [key, plain(object.get(key) as JsonValue)]);
  return value.asArray()?.map(plain) ?? value.asString() ?? value.asNumber() ?? value.asBoolean() ?? null;
}
