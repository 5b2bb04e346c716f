import { describe, expect, it } from 'vitest';
import { JsonCodec } from '@core/json/JsonCodec';
import { JsonValue } from '@core/json/JsonValue';
import type { JsonObject } from '@core/json/JsonObject';
import { compile, json, parse } from './support';

const SCHEMA = {
  type: 'object',
  properties: {
    a: { type: 'string' },
    free: { type: 'object' },
    deep: { type: 'object', properties: { b: { type: 'integer' } }, required: ['also'] },
    rows: { type: 'array', items: { type: 'array', items: { type: 'object', properties: { c: { type: 'string' } } } } },
  },
  required: ['named'],
};

function text(value: JsonObject): string {
  return new JsonCodec().stringify(JsonValue.object(value)).value;
}

function unknown(args: object): string[] {
  return compile(SCHEMA).checkClosed(json(args)).map((issue) => issue.message);
}

describe('ArgumentShape', () => {
  it('EXE-06 allow: unknown arguments are no issue', () => {
    expect(compile(SCHEMA).check(json({ named: 1, x: 1, deep: { also: 1, x: 2 } }))).toEqual([]);
  });

  it('EXE-06 reject: unknown arguments are named, nested ones with their path', () => {
    expect(unknown({ named: 1, a: 's', x: 1 })).toEqual(['Unknown argument: x']);
    expect(unknown({ named: 1, deep: { also: 1, b: 1, x: 2 } })).toEqual(['Unknown argument: $.deep.x']);
    expect(unknown({ named: 1, rows: [[{ c: 'k' }], [{ c: 'k', x: 3 }]] })).toEqual(['Unknown argument: $.rows[1][0].x']);
    const issue = compile(SCHEMA).checkClosed(json({ named: 1, x: 1 }))[0];
    expect([issue.code, issue.path]).toEqual(['tool_argument_unknown', '$.x']);
  });

  it('EXE-06 reject: an object without declared properties is free-form, the arguments themselves are not', () => {
    expect(unknown({ named: 1, free: { anything: { at: 'all' } } })).toEqual([]);
    expect(compile({ type: 'object' }).checkClosed(json({ x: 1 })).map((i) => i.message)).toEqual(['Unknown argument: x']);
  });

  it('EXE-06 reject: inherited names are unknown, and a long name is cut', () => {
    expect(compile(SCHEMA).checkClosed(parse('{"named":1,"__proto__":1,"toString":2}')).map((i) => i.message))
      .toEqual(['Unknown argument: __proto__', 'Unknown argument: toString']);
    expect(unknown({ named: 1, ['k'.repeat(100_000)]: 1 })[0].length).toBeLessThan(200);
  });

  it('EXE-06 strip: what is left is in order, at every level, and the original is untouched', () => {
    const args = json({ x: 1, named: 1, deep: { y: 0, b: 1, also: 2 }, rows: [[{ c: 'k', z: 3 }], []], free: { w: 1 }, a: 's' });
    const before = text(args);
    expect(text(compile(SCHEMA).withoutUnknown(args)))
      .toBe('{"named":1,"deep":{"b":1,"also":2},"rows":[[{"c":"k"}],[]],"free":{"w":1},"a":"s"}');
    expect(text(args)).toBe(before);
  });

  it('EXE-06 strip: the same object comes back when everything is known', () => {
    const args = json({ named: 1, deep: { also: 2 }, rows: [[{ c: 'k' }]] });
    expect(compile(SCHEMA).withoutUnknown(args)).toBe(args);
  });
});
