import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonParser } from '@core/json/JsonParser';
import { nativeTree, tree } from './support';

function failure(text: string, maxDepth = 10): { code: string; message: string } {
  try {
    new JsonParser(text, maxDepth).parse();
  } catch (e) {
    return e as { code: string; message: string };
  }
  throw new Error(`accepted ${text}`);
}

describe('JsonParser', () => {
  it('reads what native parsing reads', () => {
    fc.assert(fc.property(fc.json({ stringUnit: 'binary' }), (text) => {
      if (/"\d+":/.test(text)) return;
      expect(tree(new JsonParser(text, 100).parse())).toEqual(nativeTree(JSON.parse(text)));
      const spaced = JSON.stringify(JSON.parse(text), null, '\t');
      expect(tree(new JsonParser(spaced, 100).parse())).toEqual(nativeTree(JSON.parse(text)));
    }), { numRuns: 500 });
  });

  it('decodes every escape', () => {
    expect(new JsonParser('"\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\uD83D\\ude00x"', 1).parse().asString()).toBe('"\\/\b\f\n\r\tA😀x');
  });

  it('counts levels from the outside', () => {
    expect(tree(new JsonParser('[[1]]', 2).parse())).toEqual([[1]]);
    expect(failure('[[[1]]]', 2).code).toBe('json_too_deep');
    expect(failure('[', 0).code).toBe('json_too_deep');
  });

  it('says what was expected and gives away one character at most', () => {
    expect(failure('{"password":"hunter2",}').message).toBe("expected a key in double quotes, found '}' at offset 22");
    expect(failure('["secret"').message).toBe('expected , or ], found the end of the text at offset 9');
    expect(failure('\ufeff{}').message).toBe('expected a value, found U+FEFF at offset 0');
    expect(failure('["a\nsecret"]').message).toBe('expected a character of a string or its closing quote, found U+000A at offset 3');
  });
});
