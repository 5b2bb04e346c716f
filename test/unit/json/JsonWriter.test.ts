import { describe, expect, it } from 'vitest';
import { JsonCodec } from '@core/json/JsonCodec';
import { JsonObject } from '@core/json/JsonObject';
import { JsonValue } from '@core/json/JsonValue';
import { codeOf } from './support';

const codec = new JsonCodec();

describe('stringify', () => {
  it('writes compactly, in the order of the keys', () => {
    const object = new JsonObject().setString('b', 'x').setArray('a', [JsonValue.nullValue(), JsonValue.boolean(false), JsonValue.number(1e21)])
      .setObject('', new JsonObject());
    expect(codec.stringifyObject(object).value).toBe('{"b":"x","a":[null,false,1e+21],"":{}}');
    expect(codec.stringify(JsonValue.object(object)).value).toBe(codec.stringifyObject(object).value);
  });

  it.each([NaN, Infinity, -Infinity])('refuses %d', (number) => {
    expect(codeOf(codec.stringify(JsonValue.number(number)))).toBe('json_number_range');
    expect(codeOf(codec.stringifyObject(new JsonObject().setArray('a', [JsonValue.number(number)])))).toBe('json_number_range');
  });

  it('has its own depth limit, also for native parts inside built ones', () => {
    const shallow = new JsonCodec({ maxDepth: 3, maxChars: 1000 });
    const native = codec.parseObject('{"a":{"b":1}}').value;
    expect(shallow.stringifyObject(native).value).toBe('{"a":{"b":1}}');
    expect(shallow.stringifyObject(new JsonObject().setObject('o', native)).value).toBe('{"o":{"a":{"b":1}}}');
    const over = new JsonObject().setArray('l', [JsonValue.object(native)]);
    expect(codeOf(shallow.stringifyObject(over))).toBe('json_too_deep');
    expect(codec.stringifyObject(over).value).toBe('{"l":[{"a":{"b":1}}]}');
    const list = new JsonObject().set('l', codec.parse('[[1]]').value);
    expect(shallow.stringifyObject(list).value).toBe('{"l":[[1]]}');
    expect(codeOf(shallow.stringifyObject(new JsonObject().setObject('o', list)))).toBe('json_too_deep');
    const scalar = codec.parseObject('{"deep":[[1]],"flat":{"x":1}}').value.getObject('flat') as JsonObject;
    expect(new JsonCodec({ maxDepth: 1, maxChars: 1000 }).stringifyObject(scalar).value).toBe('{"x":1}');
  });

  it('refuses an object that contains itself', () => {
    const object = new JsonObject();
    object.setArray('self', [JsonValue.object(object)]);
    expect(codeOf(codec.stringifyObject(object))).toBe('json_too_deep');
    expect(codeOf(codec.canonicalize(JsonValue.object(object)))).toBe('json_too_deep');
  });

  it('sees a change below an otherwise untouched native array', () => {
    const object = codec.parseObject('{"a":[[{"b":[1,{"c":2}]}]]}').value;
    object.getArray('a')?.[0].asArray()?.[0].asObject()?.getArray('b')?.[1].asObject()?.setNumber('c', 3);
    expect(codec.stringifyObject(object).value).toBe('{"a":[[{"b":[1,{"c":3}]}]]}');
    expect(codec.stringifyObject(object.clone()).value).toBe('{"a":[[{"b":[1,{"c":3}]}]]}');
    expect(codec.canonicalize(JsonValue.object(object)).value).toBe('{"a":[[{"b":[1,{"c":3}]}]]}');
  });
});
