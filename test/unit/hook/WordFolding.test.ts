import { describe, expect, it } from 'vitest';
import { WordList } from '@core/hook/filter/WordList';
import { WordScreen } from '@core/hook/filter/WordScreen';

describe('the form that words are compared in', () => {
  it('is the same for every case of a letter, also where capital and small letter are not one to one', () => {
    const fold = (text: string): string => new WordList(['x'], true).fold(text);
    expect([fold('\u03c2'), fold('\u03a3'), fold('\u00b5')], 'final sigma and micro sign').toEqual(['\u03c3', '\u03c3', '\u03bc']);
    expect([fold('\u212a'), fold('\u2126')], 'Kelvin and Ohm sign').toEqual(['k', '\u03c9']);
    expect([fold('\u1f88'), fold('\u00df'), fold('\u0130')], 'whose other case has two letters').toEqual(['\u1f80', '\u00df', '\u0130']);
  });

  it('is one for a text with and without other letters than those of ASCII', () => {
    expect(new WordScreen(new WordList(['abc'], true), '*').next('\u00e9ABC aBc\u00c9', true)).toEqual({ text: '\u00e9* *\u00c9', found: true });
  });
});
