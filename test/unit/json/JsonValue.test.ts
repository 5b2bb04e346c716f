import { describe, expect, it } from 'vitest';
import { JsonKind } from '@core/json/JsonKind';
import { JsonObject } from '@core/json/JsonObject';
import { JsonValue } from '@core/json/JsonValue';

const one = JsonValue.number(1);

describe('JsonValue', () => {
  it.each([
    [JsonValue.nullValue(), JsonKind.nullValue], [JsonValue.boolean(false), JsonKind.booleanValue], [one, JsonKind.numberValue],
    [JsonValue.string(''), JsonKind.stringValue], [JsonValue.array([]), JsonKind.arrayValue],
    [JsonValue.object(new JsonObject()), JsonKind.objectValue],
  ])('answers only for its own kind (%#)', (value, kind) => {
    expect(value.kind).toBe(kind);
    const answers = [value.isNull() ? true : undefined, value.asBoolean(), value.asNumber(), value.asString(), value.asArray(), value.asObject()];
    expect(answers.filter((answer) => answer !== undefined).length).toBe(1);
  });

  it('equals by kind and content', () => {
    expect(one.equals(JsonValue.number(1))).toBe(true);
    expect(one.equals(JsonValue.string('1'))).toBe(false);
    expect(JsonValue.boolean(true).equals(JsonValue.boolean(false))).toBe(false);
    expect(JsonValue.nullValue().equals(JsonValue.nullValue())).toBe(true);
    expect(JsonValue.number(-0).equals(JsonValue.number(0))).toBe(true);
    expect(JsonValue.strings(['a', 'b']).equals(JsonValue.strings(['a', 'b']))).toBe(true);
    expect(JsonValue.strings(['a', 'b']).equals(JsonValue.strings(['b', 'a']))).toBe(false);
    expect(JsonValue.strings(['a']).equals(JsonValue.strings(['a', 'b']))).toBe(false);
  });

  it('compares no deeper than asked and survives what is too deep', () => {
    const nest = (levels: number): JsonValue => {
      let value = one;
      for (let i = 0; i < levels; i++) value = JsonValue.array([value]);
      return value;
    };
    expect(nest(3).equals(nest(3), 3)).toBe(true);
    expect(nest(3).equals(nest(3), 2)).toBe(false);
    expect(nest(100_000).equals(nest(100_000))).toBe(false);
  });

  it('clones and seals what is below an array', () => {
    const inner = new JsonObject().setNumber('a', 1);
    const list = JsonValue.array([JsonValue.object(inner), one]);
    const copy = list.clone();
    (copy.asArray()?.[0].asObject() as JsonObject).setNumber('a', 2);
    expect(inner.getNumber('a')).toBe(1);
    expect(list.seal()).toBe(list);
    expect(() => inner.setNumber('a', 3)).toThrow(/sealed/);
    expect(list.clone().asArray()?.[0].asObject()?.sealed).toBe(false);
    expect(one.clone()).toBe(one);
    expect(one.seal()).toBe(one);
  });
});
