import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CanonicalWriter } from '@core/json/CanonicalWriter';
import { JsonCodec } from '@core/json/JsonCodec';
import { JsonObject } from '@core/json/JsonObject';
import { JsonValue } from '@core/json/JsonValue';
import { anyValue, codeOf, dataFile, hasData, readData } from './support';

const codec = new JsonCodec();

function canonical(text: string): string {
  return codec.canonicalize(codec.parse(text).value).value;
}

function double(hex: string): number {
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setBigUint64(0, BigInt(`0x${hex}`));
  return bytes.getFloat64(0);
}

/** The same value built by hand, so that no native form is left. */
function rebuilt(value: JsonValue, reverse: boolean): JsonValue {
  const object = value.asObject();
  if (object !== undefined) {
    const keys = reverse ? object.keys().reverse() : object.keys();
    const copy = new JsonObject();
    for (const key of keys) copy.set(key, rebuilt(object.get(key) as JsonValue, reverse));
    return JsonValue.object(copy);
  }
  const items = value.asArray();
  return items === undefined ? value : JsonValue.array(items.map((item) => rebuilt(item, reverse)));
}

const wellFormed = anyValue.filter((value) => codec.canonicalize(value).ok);

describe('canonical form', () => {
  it('JSON-05 sorts keys by UTF-16 code units, at every level, native or built by hand', () => {
    const text = '{"\\u20ac":1,"\\r":2,"\\ufb33":3,"1":4,"\\ud83d\\ude00":5,"\\u0080":6,"b":{"10":1,"9":{"z":[{"y":1,"x":-0}],"a":1e21}}}';
    const wanted = '{"\\r":2,"1":4,"b":{"10":1,"9":{"a":1e+21,"z":[{"x":0,"y":1}]}},"\u0080":6,"€":1,"😀":5,"\ufb33":3}';
    expect(canonical(text)).toBe(wanted);
    expect(codec.canonicalize(rebuilt(codec.parse(text).value, false)).value).toBe(wanted);
  });

  it('refuses a lone surrogate in a value and in a key', () => {
    for (const text of ['["\\ud800"]', '{"\\udc00":1}', '["\\ude00\\ud83d"]', '{"1":"\\ud800"}']) {
      expect(codeOf(codec.canonicalize(codec.parse(text).value))).toBe('json_syntax');
    }
    expect(canonical('["\\ud83d\\ude00"]')).toBe('["😀"]');
  });

  it('refuses NaN and Infinity', () => {
    for (const number of [NaN, Infinity, -Infinity]) {
      expect(codeOf(codec.canonicalize(JsonValue.array([JsonValue.number(number)])))).toBe('json_number_range');
    }
  });

  it('has its own depth limit, for native parts too', () => {
    const shallow = new JsonCodec({ maxDepth: 2, maxChars: 100 });
    for (const text of ['[[[]]]', '{"a":{"b":{}}}', '[[{"1":1}]]', '[{"a":[]}]']) {
      expect(codeOf(shallow.canonicalize(codec.parse(text).value))).toBe('json_too_deep');
      expect(codeOf(shallow.canonicalize(rebuilt(codec.parse(text).value, false)))).toBe('json_too_deep');
    }
    expect(shallow.canonicalize(codec.parse('[[1]]').value).value).toBe('[[1]]');
    expect(() => new CanonicalWriter(0).write(JsonValue.array([]))).toThrow(/levels/);
  });

  it('JSON-05 does not depend on the order of keys and is its own canonical form', () => {
    fc.assert(fc.property(wellFormed, (value) => {
      const text = codec.canonicalize(value).value;
      expect(codec.canonicalize(rebuilt(value, true)).value).toBe(text);
      expect(canonical(codec.stringify(value).value)).toBe(text);
      expect(canonical(text)).toBe(text);
    }), { numRuns: 300 });
  });
});

describe.skipIf(!hasData)('shared vectors (needs ../shared/data)', () => {
  interface Pair { id: string; input: string; expected?: string; expectError?: boolean }
  interface Same { id: string; a: string; b: string; sameCanonical: boolean }
  interface Bits { ieee754: string; expected?: string; expectError?: boolean }
  const load = <T>(path: string): T[] => hasData ? readData<T[]>(`jcs/${path}`) : [];

  it.each(['arrays', 'french', 'structures', 'values'])('JSON-05 official vector %s', (name) => {
    const input = readFileSync(dataFile(`jcs/official/${name}.input.json`), 'utf8');
    const wanted = readFileSync(dataFile(`jcs/official/${name}.output.json`), 'utf8');
    expect(canonical(input)).toBe(wanted);
    expect(codec.canonicalize(rebuilt(codec.parse(input).value, true)).value).toBe(wanted);
  });

  it('JSON-05 five thousand doubles', () => {
    const lines = readFileSync(dataFile('jcs/es6-numbers.txt'), 'utf8').trim().split('\n');
    expect(lines.length).toBe(5000);
    for (const line of lines) {
      const [hex, wanted] = line.split(',');
      const number = double(hex.padStart(16, '0'));
      expect(codec.canonicalize(JsonValue.number(number)).value).toBe(wanted);
      expect(canonical(`[${wanted}]`)).toBe(`[${wanted}]`);
    }
  });

  it.each(load<Bits>('rfc8785-appendix-b.json'))('JSON-05 appendix B $ieee754', ({ ieee754, expected, expectError }) => {
    const result = codec.canonicalize(JsonValue.number(double(ieee754)));
    expect(expectError === true ? codeOf(result) : result.value).toBe(expectError === true ? 'json_number_range' : expected);
  });

  it.each(load<Pair>('pairs.json'))('JSON-05 pair $id', ({ input, expected, expectError }) => {
    const parsed = codec.parse(input);
    if (expectError === true) {
      expect(!parsed.ok || !codec.canonicalize(parsed.value).ok).toBe(true);
    } else {
      expect(codec.canonicalize(parsed.value).value).toBe(expected);
    }
  });

  it.each(load<Same>('equality.json'))('JSON-05 equality $id', ({ a, b, sameCanonical }) => {
    expect(canonical(a) === canonical(b)).toBe(sameCanonical);
    expect(codec.parse(a).value.equals(codec.parse(b).value)).toBe(sameCanonical);
  });
});
