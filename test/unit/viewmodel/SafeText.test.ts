import { describe, expect, it } from 'vitest';
import { SafeText } from '../../../entry/src/main/ets/viewmodel/SafeText.ets';

describe('SafeText', () => {
  it('shows control, bidi and invisible characters as escapes', () => {
    expect(SafeText.line('a\u001b[31mb')).toBe('a\\u001b[31mb');
    expect(SafeText.line('pay\u202egpj.exe')).toBe('pay\\u202egpj.exe');
    expect(SafeText.line('x\u200b\u00adz\ufeff\u3164')).toBe('x\\u200b\\u00adz\\ufeff\\u3164');
    expect(SafeText.line('a\n\tb\r')).toBe('a\\n\\tb\\r');
  });

  it('escapes tag characters and lone halves as JSON would write them', () => {
    expect(SafeText.line('\u{e0041}')).toBe('\\udb40\\udc41');
    expect(SafeText.line('x\ud800y')).toBe('x\\ud800y');
  });

  it('leaves letters, signs and coloured signs of any script alone', () => {
    for (const text of ['清空缓存', 'Crème brûlée', 'שלום', '🍞', '❤️', 'naïve – “quoted”']) expect(SafeText.line(text)).toBe(text);
  });

  it('shows a style selector that follows nothing it could style', () => {
    expect(SafeText.line('a\ufe0f\ufe0f')).toBe('a\\ufe0f\\ufe0f');
    expect(SafeText.line('\ufe01')).toBe('\\ufe01');
  });

  it('keeps line breaks of running text only', () => {
    expect(SafeText.block('a\n\tb\u0007')).toBe('a\n\tb\\u0007');
  });

  it('isolates a value so that nothing in it can end the isolation', () => {
    expect(SafeText.isolated('a\u2069b')).toBe('\u2068a\\u2069b\u2069');
  });

  it('folds a long value in the middle and says how much is hidden', () => {
    const long = 'x'.repeat(100) + 'y'.repeat(500) + 'z'.repeat(30);
    expect(SafeText.isLong(long)).toBe(true);
    expect(SafeText.folded(long)).toBe(`${'x'.repeat(100)} …(500)… ${'z'.repeat(30)}`);
    expect(SafeText.folded('short')).toBe('short');
  });

  it('folds without cutting a character in half', () => {
    const folded = SafeText.folded('🍞'.repeat(200).slice(1) + 'ab');
    expect(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(folded.slice(1))).toBe(false);
  });
});
