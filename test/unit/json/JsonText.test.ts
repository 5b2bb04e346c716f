import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonText } from '@core/json/JsonText';

describe('JsonText', () => {
  it('quotes as ECMAScript does, at every length', () => {
    const any = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)), maxLength: 400 });
    fc.assert(fc.property(fc.oneof(fc.string({ maxLength: 400 }), any), (text) => {
      expect(JsonText.quote(text)).toBe(JSON.stringify(text));
    }), { numRuns: 1000 });
    for (const unit of ['\u001f', '"', '\\', '\ud800', '\udfff', 'é', '\u2028', '']) {
      for (const length of [0, 23, 24, 25, 255, 256, 257]) {
        const text = 'x'.repeat(length) + unit;
        expect(JsonText.quote(text)).toBe(JSON.stringify(text));
      }
    }
  });

  it.each([['', false], ['abc', false], ['😀', false], ['a😀😀b', false], ['\ud83d', true], ['\ude00', true], ['\ude00\ud83d', true],
    ['😀\ud83d', true], ['\ud83d\ud83d\ude00', true], ['é\uffff', false]])('finds a lone surrogate in %j: %s', (text, lone) => {
    expect(JsonText.hasLoneSurrogate(text)).toBe(lone);
  });
});
