import { describe, expect, it } from 'vitest';
import { JsonCodec } from '@core/json/JsonCodec';
import { JsonObject } from '@core/json/JsonObject';
import { JsonValue } from '@core/json/JsonValue';

const codec = new JsonCodec();
const text = '{"s":"x","n":1,"b":true,"z":null,"o":{"p":{"q":1}},"a":[{"r":1},2]}';

function parsed(): JsonObject {
  return codec.parseObject(text).value;
}

/** The same members without a native form. */
function built(): JsonObject {
  return new JsonObject().setString('s', 'x').setNumber('n', 1).setBoolean('b', true).set('z', JsonValue.nullValue())
    .setObject('o', new JsonObject().setObject('p', new JsonObject().setNumber('q', 1)))
    .setArray('a', [JsonValue.object(new JsonObject().setNumber('r', 1)), JsonValue.number(2)]);
}

function written(object: JsonObject): string {
  return codec.stringifyObject(object).value;
}

function code(work: () => void): string {
  try {
    work();
    return 'ok';
  } catch (e) {
    return (e as { code: string }).code;
  }
}

describe.each([['native', parsed], ['built', built]])('%s object', (_, make) => {
  it('reads by type and answers undefined on another kind', () => {
    const object = make();
    expect([object.getString('s'), object.getNumber('n'), object.getBoolean('b')]).toEqual(['x', 1, true]);
    expect([object.getString('n'), object.getNumber('s'), object.getBoolean('z'), object.getObject('a'), object.getArray('o')])
      .toEqual([undefined, undefined, undefined, undefined, undefined]);
    expect([object.getString('no'), object.getNumber('no'), object.getBoolean('no'), object.get('no')])
      .toEqual([undefined, undefined, undefined, undefined]);
    expect(object.get('z')?.isNull()).toBe(true);
    expect([object.has('z'), object.has('no'), object.size]).toEqual([true, false, 6]);
    expect(object.keys()).toEqual(['s', 'n', 'b', 'z', 'o', 'a']);
  });

  it('visits its members in order', () => {
    const seen: string[] = [];
    make().forEach((key, value) => seen.push(`${key} ${value.kind}`));
    expect(seen).toEqual(['s string', 'n number', 'b boolean', 'z null', 'o object', 'a array']);
  });

  it('shows a change made through a child that was handed out', () => {
    const object = make();
    object.getObject('o')?.getObject('p')?.setNumber('q', 2);
    object.getArray('a')?.[0].asObject()?.remove('r');
    expect(written(object)).toBe('{"s":"x","n":1,"b":true,"z":null,"o":{"p":{"q":2}},"a":[{},2]}');
  });

  it('keeps a handed-out child when the parent itself changes', () => {
    const object = make();
    const inner = object.getObject('o') as JsonObject;
    object.setNumber('n', 5).remove('s');
    inner.setNumber('k', 1);
    expect(object.getObject('o')).toBe(inner);
    expect(written(object)).toBe('{"n":5,"b":true,"z":null,"o":{"p":{"q":1},"k":1},"a":[{"r":1},2]}');
    expect(object.remove('s')).toBe(false);
  });

  it('clone() is open, deep and apart from the original', () => {
    const object = make();
    object.getObject('o')?.setNumber('k', 1);
    object.seal();
    const copy = object.clone();
    expect(copy.sealed).toBe(false);
    expect(copy.equals(object)).toBe(true);
    copy.getObject('o')?.getObject('p')?.setNumber('q', 9);
    copy.getArray('a')?.[0].asObject()?.setNumber('r', 9);
    copy.setNumber('n', 9);
    expect(written(object)).toBe('{"s":"x","n":1,"b":true,"z":null,"o":{"p":{"q":1},"k":1},"a":[{"r":1},2]}');
    expect(written(copy)).toBe('{"s":"x","n":9,"b":true,"z":null,"o":{"p":{"q":9},"k":1},"a":[{"r":9},2]}');
  });

  it('seal() holds for the whole tree, handed out before or after', () => {
    const object = make();
    const before = object.getObject('o') as JsonObject;
    const inArray = object.getArray('a')?.[0].asObject() as JsonObject;
    expect(object.seal()).toBe(object);
    const deep = before.getObject('p') as JsonObject;
    for (const one of [object, before, deep, inArray]) {
      expect(one.sealed).toBe(true);
      expect(code(() => one.setNumber('x', 1))).toBe('json_sealed');
      expect(code(() => one.remove('q'))).toBe('json_sealed');
    }
    const fresh = make().seal();
    expect(code(() => fresh.getArray('a')?.[0].asObject()?.setNumber('x', 1))).toBe('json_sealed');
    expect(code(() => fresh.getObject('o')?.getObject('p')?.setNumber('x', 1))).toBe('json_sealed');
    expect(written(fresh)).toBe(text);
  });

  it('compares by value, whatever the order of keys', () => {
    expect(make().equals(parsed())).toBe(true);
    expect(make().equals(built().setNumber('n', 2))).toBe(false);
    expect(make().equals(built().setNumber('more', 2))).toBe(false);
    const other = built();
    other.remove('s');
    expect(make().equals(other.setString('s', 'x'))).toBe(true);
    expect(make().equals(parsed(), 2)).toBe(false);
    expect(make().equals(parsed(), 3)).toBe(true);
  });
});

describe('an empty object', () => {
  it('has nothing, not even what every native object answers', () => {
    const object = new JsonObject();
    expect([object.size, object.keys(), object.has('constructor'), object.get('__proto__')]).toEqual([0, [], false, undefined]);
    expect(object.clone().size).toBe(0);
  });

  it('takes any key, in order', () => {
    const object = new JsonObject().setNumber('b', 1).setNumber('__proto__', 2).setNumber('1', 3).setNumber('0', 4).setNumber('b', 5);
    expect(written(object)).toBe('{"b":5,"__proto__":2,"1":3,"0":4}');
  });
});

it('a name that someone else put on the prototype is no member', () => {
  const shared = Object.prototype as { polluted?: string };
  shared.polluted = 'x';
  try {
    expect(codec.parseObject('{"a":1}').value.get('polluted')).toBeUndefined();
    expect(codec.parseObject('{"polluted":1}').value.getNumber('polluted')).toBe(1);
  } finally {
    delete shared.polluted;
  }
});
