import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { ErrorLayer } from '@core/base/ErrorCodes';
import { JsonCodec } from '@core/json/JsonCodec';
import { JsonKind } from '@core/json/JsonKind';
import type { JsonObject } from '@core/json/JsonObject';
import { JsonValue } from '@core/json/JsonValue';
import { anyValue, codeOf, dataFile, hasData, nativeTree, offsetOf, readData, tree } from './support';

interface ParsingCase { file: string; expect: 'accept' | 'reject' | 'either'; validUtf8: boolean; v8Value?: string }
interface ToolArgsCase {
  id: string; arguments?: string; build?: { text: string; times: number }[];
  expect: 'accept' | 'reject' | 'debatable'; errorClass?: string; alsoAcceptable?: string; value?: unknown;
}

const codec = new JsonCodec();
const prototypeBefore = Object.getOwnPropertyNames(Object.prototype).sort().join();

afterAll(() => {
  expect(Object.getOwnPropertyNames(Object.prototype).sort().join()).toBe(prototypeBefore);
  expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
});

function objectOf(text: string): JsonObject {
  return codec.parseObject(text).value;
}

describe('parse', () => {
  it.each([
    ['hello', 0], ['', 0], ['  ', 2], ['{"a":1', 6], ['{"a":', 5], ['{"a"', 4], ['["x', 3], ['{"a":1} tail', 8], ['{}{}', 2],
    ["{'a':1}", 1], ['{"a":1, // no\n}', 8], ['/* no */{}', 0], ['[1,]', 3], ['{"a":1,}', 7], ['[01]', 2], ['[1.]', 3],
    ['[-]', 2], ['[1e+]', 4], ['["\\x"]', 3], ['["\\u12g4"]', 3], ['["a\nb"]', 3], ['[tru]', 1], ['[True]', 1],
    ['[NaN]', 1], ['{a:1}', 1], ['\ufeff{}', 0], ['[1 2]', 3], ['{"1":1,"a":}', 11], ['\u00a0{}', 0],
  ])('JSON-01 %j is json_syntax at offset %i', (text, offset) => {
    const result = codec.parse(text);
    expect(codeOf(result)).toBe('json_syntax');
    expect(offsetOf(result)).toBe(offset);
    expect(result.error.layer).toBe(ErrorLayer.decode);
  });

  it.each([['[]', 'array'], ['[{"a":1}]', 'array'], ['"{}"', 'string'], ['1', 'number'], ['true', 'boolean'], ['null', 'null']])(
    'JSON-02 %s where an object is expected is json_not_object', (text, kind) => {
      const result = codec.parseObject(text);
      expect(codeOf(result)).toBe('json_not_object');
      expect(result.error.message).toContain(kind);
    });

  it('JSON-03 one level above the limit is json_too_deep, the limit itself is read', () => {
    const small = new JsonCodec({ maxDepth: 3, maxChars: 100 });
    expect(codeOf(small.parse('[[[1]]]'))).toBe('ok');
    expect(codeOf(small.parse('{"a":{"b":{}}}'))).toBe('ok');
    const tooDeep = small.parse('[[[[1]]]]');
    expect(codeOf(tooDeep)).toBe('json_too_deep');
    expect(offsetOf(tooDeep)).toBe(3);
    expect(codeOf(small.parse('{"1":{"b":{"c":{}}}}'))).toBe('json_too_deep');
    expect(codeOf(small.parse('["[[[[", "{{{{"]'))).toBe('ok');
  });

  it('JSON-03 one character above the limit is json_too_large', () => {
    const small = new JsonCodec({ maxDepth: 3, maxChars: 10 });
    expect(codeOf(small.parse('"12345678"'))).toBe('ok');
    expect(codeOf(small.parse('"123456789"'))).toBe('json_too_large');
  });

  it('JSON-03 a hundred thousand brackets, open or closed, are refused at once', () => {
    const texts = ['['.repeat(100_000), '[{"":'.repeat(50_000), `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
      `{"1":${'['.repeat(100_000)}`, `[${'"\\"",'.repeat(10)}${'['.repeat(100_000)}`];
    const start = performance.now();
    for (const text of texts) expect(codeOf(codec.parse(text))).toBe('json_too_deep');
    expect(performance.now() - start).toBeLessThan(1000);
  });

  it('JSON-03 limits above the ceiling are lowered to it instead of risking the stack', () => {
    const bold = new JsonCodec({ maxDepth: 10_000_000, maxChars: 10_000_000 });
    const levels = (count: number) => `${'{"1":'.repeat(count)}1${'}'.repeat(count)}`;
    const deep = bold.parse(levels(JsonCodec.DEPTH_CEILING));
    expect(bold.stringify(deep.value).value).toBe(levels(JsonCodec.DEPTH_CEILING));
    expect(codeOf(bold.parse(levels(JsonCodec.DEPTH_CEILING + 1)))).toBe('json_too_deep');
  });

  it('JSON-03 long strings of escapes and of digits are crossed in bounded time', () => {
    const start = performance.now();
    for (const inner of ['\\"'.repeat(1_000_000), '\\\\'.repeat(1_000_000), '1'.repeat(2_000_000), '\\u0031'.repeat(300_000)]) {
      expect(codeOf(codec.parse(`{"${inner}":"${inner}"}`))).toBe('ok');
    }
    expect(performance.now() - start).toBeLessThan(5000);
  });

  it('JSON-04 names of the prototype are ordinary keys, native and by the own parser', () => {
    for (const first of ['"a":0,', '"1":0,']) {
      const object = objectOf(`{${first}"__proto__":{"isAdmin":true},"constructor":1,"toString":"x","hasOwnProperty":null}`);
      expect(object.keys().slice(1)).toEqual(['__proto__', 'constructor', 'toString', 'hasOwnProperty']);
      expect(object.getObject('__proto__')?.getBoolean('isAdmin')).toBe(true);
      expect(object.getNumber('constructor')).toBe(1);
      expect(object.getString('toString')).toBe('x');
      expect(object.get('hasOwnProperty')?.isNull()).toBe(true);
      expect(object.has('valueOf')).toBe(false);
    }
    for (const name of ['__proto__', 'constructor', 'toString', 'valueOf']) {
      expect(objectOf('{"a":1}').get(name)).toBeUndefined();
      expect(objectOf('{"a":1}').getObject(name)).toBeUndefined();
      expect(objectOf('{"a":1}').has(name)).toBe(false);
    }
    expect(Object.getOwnPropertyNames(Object.prototype).sort().join()).toBe(prototypeBefore);
  });

  it.each(['{"b":1,"10":2,"9":3,"a":{"2":1,"1":2}}', '{"\\u0031\\u0030":1,"9":2}', '{"b":1,"0":2}', '[{"5" :1, "4":2}]'])(
    'keeps integer-like keys where they stand: %s', (text) => {
      const compact = text.replaceAll(' ', '').replace('\\u0031\\u0030', '10');
      expect(codec.stringify(codec.parse(text).value).value).toBe(compact);
    });

  it.each([['1e400', 'json_number_range'], ['-1e400', 'json_number_range'], ['9'.repeat(400), 'json_number_range'],
    [`0.${'3'.repeat(400)}`, 'ok'], ['1e-400', 'ok'], ['1e308', 'ok'], [`${'1'.repeat(300)}e-200`, 'ok'], ['0e999', 'ok']])(
    'the number %.20s is %s', (text, code) => {
      expect(codeOf(codec.parse(`{"n":[${text}]}`))).toBe(code);
      expect(codeOf(codec.parse(`{"7":${text}}`))).toBe(code);
    });

  it('names the offset of a number out of range', () => {
    expect(offsetOf(codec.parse('{"a":[1,-1e999]}'))).toBe(8);
  });

  it('a repeated key takes the last value at its first place, natively and by hand', () => {
    expect(codec.stringify(codec.parse('{"a":1,"b":2,"a":3}').value).value).toBe('{"a":3,"b":2}');
    expect(codec.stringify(codec.parse('{"a":1,"1":2,"a":3}').value).value).toBe('{"a":3,"1":2}');
  });

  it('keeps a lone surrogate and writes it as an escape', () => {
    const value = codec.parse('{"s":"\\ud83d","\\udc00":"a\\ud83d\\ude00"}').value;
    expect(value.asObject()?.getString('s')).toBe('\ud83d');
    expect(codec.stringify(value).value).toBe('{"s":"\\ud83d","\\udc00":"a😀"}');
  });

  it('reads -0 as 0', () => {
    expect(codec.parse('-0').value.asNumber()).toBe(0);
    expect(objectOf('{"n":-0.0}').getNumber('n')).toBe(0);
  });
});

describe('exact reading', () => {
  it.each([
    ['{"id":9007199254740993}', 6], ['{"id":-9007199254740993}', 6], ['{"id":[1,9007199254740992.0]}', 9], ['{"id":1e17}', 6],
    ['{"9":1,"id":12345678901234567890}', 12], ['{"id":9007199254740.992e3}', 6],
  ])('%s is json_number_unsafe', (text, offset) => {
    const result = codec.parseObjectExact(text);
    expect(codeOf(result)).toBe('json_number_unsafe');
    expect(offsetOf(result)).toBe(offset);
    expect(codec.hasUnsafeInteger(text)).toBe(true);
    expect(codeOf(codec.parseObject(text))).toBe('ok');
  });

  it.each(['{"id":9007199254740991}', '{"id":-9007199254740991}', '{"x":0.12345678901234567890}', '{"x":1.5e-300}', '{"x":[0.1,2,3]}',
    '{"id":"9007199254740993"}', '{"9007199254740993":1}', '{"x":12345678901234567e-10}', '{"s":"1e99"}'])('%s is exact', (text) => {
    expect(codeOf(codec.parseObjectExact(text))).toBe('ok');
    expect(codec.hasUnsafeInteger(text)).toBe(false);
  });

  it('reports what parseObject reports first', () => {
    expect(codeOf(codec.parseObjectExact('{"id":9007199254740993'))).toBe('json_syntax');
    expect(codeOf(codec.parseObjectExact('[9007199254740993]'))).toBe('json_not_object');
    codec.parse('[9007199254740993]');
    expect(codeOf(new JsonCodec({ maxDepth: 9, maxChars: 3 }).parseObjectExact('{"a":1}'))).toBe('json_too_large');
  });
});

describe('properties', () => {
  it('JSON-06 parse, stringify, parse is the identity with the keys in order', () => {
    fc.assert(fc.property(anyValue, (value) => {
      const text = codec.stringify(value).value;
      const read = codec.parse(text).value;
      expect(tree(read)).toEqual(tree(value));
      expect(read.equals(value)).toBe(true);
      expect(codec.stringify(read).value).toBe(text);
      expect(codec.stringify(codec.parse(text).value).value).toBe(text);
    }), { numRuns: 500 });
    expect(Object.getOwnPropertyNames(Object.prototype).sort().join()).toBe(prototypeBefore);
  });

  it('agrees with native parsing on what is JSON', () => {
    const soup = fc.array(fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '"a"', '"1"', '\\', '\\u0031', '1', '-', '.5', 'e9', '0', 'true',
      'null', ' ', '\n', '\t', 'x'), { maxLength: 12 }).map((parts) => parts.join(''));
    fc.assert(fc.property(fc.oneof(soup, fc.json()), (text) => {
      let native: unknown;
      let accepted = true;
      try { native = JSON.parse(text); } catch { accepted = false; }
      const result = codec.parse(text);
      expect(codeOf(result)).toBe(accepted ? 'ok' : 'json_syntax');
      if (accepted && !/"(?:\d|\\u003\d)+"\s*:/.test(text)) expect(tree(result.value)).toEqual(nativeTree(native));
      if (!accepted) {
        expect(offsetOf(result)).toBeGreaterThanOrEqual(0);
        expect(offsetOf(result)).toBeLessThanOrEqual(text.length);
      }
    }), { numRuns: 3000 });
  });
});

describe.skipIf(!hasData)('shared cases (needs ../shared/data)', () => {
  const parsing = hasData ? readData<{ cases: ParsingCase[] }>('json-parsing/manifest.json').cases : [];
  const toolArgs = hasData ? readData<ToolArgsCase[]>('tool-args/malformed.json') : [];
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

  it.each(parsing.filter((one) => one.validUtf8))('$expect $file', ({ file, expect: wanted, ...rest }) => {
    const text = decoder.decode(readFileSync(dataFile(`json-parsing/${file}`)));
    const start = performance.now();
    const result = codec.parse(text);
    expect(performance.now() - start).toBeLessThan(1000);
    if (wanted !== 'either') expect(result.ok).toBe(wanted === 'accept');
    if (!result.ok) {
      expect(result.error.code).toMatch(/^json_(syntax|too_deep|number_range)$/);
      return;
    }
    const again = codec.parse(codec.stringify(result.value).value).value;
    expect(tree(again)).toEqual(tree(result.value));
    if (rest.v8Value !== undefined) expect(result.value.equals(codec.parse(rest.v8Value).value)).toBe(true);
  });

  it('has cases of every kind', () => {
    expect(new Set(parsing.map((one) => one.expect))).toEqual(new Set(['accept', 'reject', 'either']));
    expect(parsing.length).toBeGreaterThan(150);
    expect(toolArgs.length).toBeGreaterThan(50);
  });

  it.each(toolArgs.filter((one) => !one.errorClass?.startsWith('tool_')))('tool arguments $id', (one) => {
    const text = one.arguments ?? (one.build ?? []).map((part) => Array.from({ length: part.times },
      (_, i) => part.text.replace('%d', String(i))).join('')).join('');
    const result = codec.parseObject(text);
    const documented = ['big-int-2p53-plus-1', 'duplicate-key', 'lone-surrogate'];
    if (one.expect === 'accept' && one.id !== 'empty-no-params') {
      expect(codeOf(result)).toBe('ok');
      if (one.value !== undefined) expect(tree(JsonValue.object(result.value))).toEqual(nativeTree(one.value));
    } else if (one.expect === 'reject') {
      expect(codeOf(result)).toBe(one.errorClass);
    } else {
      expect(codeOf(result)).toMatch(documented.includes(one.id) ? /^ok$/ : /^json_/);
    }
    expect(Object.getOwnPropertyNames(Object.prototype).sort().join()).toBe(prototypeBefore);
  });
});

describe('laziness', () => {
  it('an untouched document shares its native form with its copy and hands out one child per key', () => {
    const object = objectOf('{"a":{"b":[{"c":1}]},"n":1}');
    expect(object.get('a')).toBe(object.get('a'));
    expect(object.clone().untouched()).toBe(object.untouched());
    expect(object.get('a')?.kind).toBe(JsonKind.objectValue);
  });
});
