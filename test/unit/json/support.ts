import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import type { ArkAgentError } from '@core/base/ArkAgentError';
import type { Result } from '@core/base/Result';
import { JsonKind } from '@core/json/JsonKind';
import { JsonObject } from '@core/json/JsonObject';
import { JsonValue } from '@core/json/JsonValue';

const data = fileURLToPath(new URL('../../../../shared/data/', import.meta.url));

export const hasData = existsSync(data);

export function dataFile(path: string): string {
  return `${data}${path}`;
}

export function readData<T>(path: string): T {
  return JSON.parse(readFileSync(dataFile(path), 'utf8')) as T;
}

export function codeOf<T>(result: Result<T, ArkAgentError>): string {
  return result.ok ? 'ok' : result.error.code;
}

export function offsetOf<T>(result: Result<T, ArkAgentError>): number {
  return result.error.details?.get('offset') as number;
}

/** A plain tree in which the order of keys shows: objects are lists of pairs. */
export function tree(value: JsonValue): unknown {
  switch (value.kind) {
    case JsonKind.objectValue: {
      const object = value.asObject() as JsonObject;
      return { members: object.keys().map((key) => [key, tree(object.get(key) as JsonValue)]) };
    }
    case JsonKind.arrayValue:
      return (value.asArray() as ReadonlyArray<JsonValue>).map(tree);
    case JsonKind.nullValue:
      return null;
    default:
      return value.asString() ?? value.asNumber() ?? value.asBoolean();
  }
}

/** What native parsing gave, as `tree` shows it; right wherever native keeps the order of keys. */
export function nativeTree(raw: unknown): unknown {
  if (Array.isArray(raw)) return raw.map(nativeTree);
  if (raw === null || typeof raw !== 'object') return raw === 0 ? 0 : raw;
  return { members: Object.entries(raw).map(([key, member]) => [key, nativeTree(member)]) };
}

const awkwardKey = fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', '0', '1', '10', '9', '007',
  '4294967295', '', 'a', '\u0000', '\ud800', '"', '\\', '😀');

/** Any value with hand-built objects: awkward keys, any UTF-16 text, any finite number. */
export const anyValue: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constant(JsonValue.nullValue()),
    fc.boolean().map((value) => JsonValue.boolean(value)),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JsonValue.number(value)),
    fc.integer().map((value) => JsonValue.number(value)),
    fc.string({ unit: 'binary' }).map((value) => JsonValue.string(value)),
    fc.array(tie('value'), { maxLength: 5 }).map((items) => JsonValue.array(items)),
    fc.array(fc.tuple(fc.oneof(awkwardKey, fc.string()), tie('value')), { maxLength: 6 }).map((pairs) => {
      const object = new JsonObject();
      for (const [key, value] of pairs) object.set(key, value);
      return JsonValue.object(object);
    }),
  ),
})).value;
