import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Utf8Decoding } from '@core/provider/sse/Utf8Decoder';

function inPieces(bytes: Uint8Array, cuts: number[]): string {
  const decoder = new Utf8Decoding().createDecoder();
  let text = '';
  let from = 0;
  for (const cut of [...cuts.filter((at) => at < bytes.length).sort((a, b) => a - b), bytes.length]) {
    text += decoder.decode(bytes.subarray(from, cut), false);
    from = cut;
  }
  return text + decoder.decode(new Uint8Array(0), true);
}

/** The platform's decoder is the reference. */
function reference(bytes: Uint8Array): string {
  return new TextDecoder('utf-8').decode(bytes);
}

const ILL_FORMED: [string, number[], string][] = [
  ['a lone continuation byte', [0x80], '\uFFFD'],
  ['an overlong slash', [0xC0, 0xAF], '\uFFFD\uFFFD'],
  ['an overlong three-byte sequence', [0xE0, 0x80, 0xAF], '\uFFFD\uFFFD\uFFFD'],
  ['a surrogate', [0xED, 0xA0, 0x80], '\uFFFD\uFFFD\uFFFD'],
  ['a point beyond the last', [0xF4, 0x90, 0x80, 0x80], '\uFFFD\uFFFD\uFFFD\uFFFD'],
  ['a sequence cut by a letter', [0xE4, 0xB8, 0x41], '\uFFFDA'],
  ['a sequence cut by the next one', [0xF0, 0x9F, 0xE4, 0xB8, 0xAD], '\uFFFD中'],
  ['a sequence cut by the end', [0x41, 0xF0, 0x9F, 0x98], 'A\uFFFD'],
  ['bytes that never occur', [0xF5, 0xFF, 0xFE], '\uFFFD\uFFFD\uFFFD'],
  ['one byte order mark', [0xEF, 0xBB, 0xBF, 0x41], 'A'],
  ['two byte order marks', [0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF, 0x41], '\uFEFFA'],
  ['a byte order mark later on', [0x41, 0xEF, 0xBB, 0xBF], 'A\uFEFF'],
];

describe('Utf8Decoder', () => {
  for (const [name, bytes, text] of ILL_FORMED) {
    it(`S8 decodes ${name} as the standard says, whole and byte by byte`, () => {
      const input = Uint8Array.from(bytes);
      expect(inPieces(input, [])).toBe(text);
      expect(inPieces(input, [...input.keys()])).toBe(text);
      expect(reference(input)).toBe(text);
    });
  }

  it('S8 gives what the platform gives for any bytes cut anywhere', () => {
    const byte = fc.oneof(fc.integer({ min: 0, max: 255 }), fc.constantFrom(0x41, 0xC3, 0xA9, 0xE4, 0xB8, 0xAD, 0xED, 0xF0, 0x9F, 0x98, 0x80, 0xEF, 0xBB, 0xBF));
    fc.assert(fc.property(fc.array(byte, { maxLength: 80 }), fc.array(fc.nat(80), { maxLength: 8 }), (bytes, cuts) => {
      expect(inPieces(Uint8Array.from(bytes), cuts)).toBe(reference(Uint8Array.from(bytes)));
    }), { numRuns: 3_000 });
  });

  it('gives what the platform gives for pieces that begin alike, also when their buffer is used again', () => {
    const start = 'data: {"id":"chatcmpl-1","object":"chat.completion.chunk","content":"';
    fc.assert(fc.property(fc.array(fc.tuple(fc.nat(start.length), fc.string({ unit: 'binary', maxLength: 40 })), { maxLength: 6 }), (parts) => {
      const decoder = new Utf8Decoding().createDecoder();
      const buffer = new Uint8Array(400);
      let text = '';
      let expected = '';
      for (const [kept, rest] of parts) {
        const piece = new TextEncoder().encode(start.slice(0, kept) + rest);
        buffer.set(piece);
        text += decoder.decode(buffer.subarray(0, piece.length), false);
        expected += new TextDecoder('utf-8', { ignoreBOM: expected !== '' }).decode(piece);
      }
      expect(text).toBe(expected);
    }), { numRuns: 2_000 });
  });
});
