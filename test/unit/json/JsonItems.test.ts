import { describe, expect, it } from 'vitest';
import { JsonItems } from '@core/json/JsonItems';
import { wrapNative } from '@core/json/JsonObject';
import { JsonValue } from '@core/json/JsonValue';

describe('JsonItems', () => {
  it('wraps native items once and keeps them as untouched until an object in them changes', () => {
    const raw = JSON.parse('[1,{"a":[{}]}]') as Array<Object | null>;
    const items = new JsonItems(undefined, raw, 4, wrapNative);
    expect(items.untouched()).toBe(raw);
    expect(items.list()).toBe(items.list());
    expect(items.untouched()).toBe(raw);
    items.list()[1].asObject()?.getArray('a')?.[0].asObject()?.setNumber('x', 1);
    expect(items.untouched()).toBeUndefined();
    expect(raw).toEqual([1, { a: [{}] }]);
  });

  it('has no native form when it was given as values', () => {
    const items = new JsonItems([JsonValue.number(1)]);
    expect(items.untouched()).toBeUndefined();
    expect(items.nativeDepth()).toBe(0);
    expect(items.clone().list()).toEqual(items.list());
  });

  it('seals objects at once or when they are handed out', () => {
    const raw = JSON.parse('[{}]') as Array<Object | null>;
    const late = new JsonItems(undefined, raw, 2, wrapNative);
    late.seal();
    expect(late.list()[0].asObject()?.sealed).toBe(true);
    const early = new JsonItems(undefined, raw, 2, wrapNative);
    const handed = early.list()[0].asObject();
    early.seal();
    expect(handed?.sealed).toBe(true);
  });
});
