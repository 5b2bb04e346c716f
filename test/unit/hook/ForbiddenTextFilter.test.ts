import { describe, expect, it } from 'vitest';
import { ModelChunkHookContext } from '@core/hook/context/ModelChunkHookContext';
import { ForbiddenTextFilter, ForbiddenTextMode, type ForbiddenTextOptions } from '@core/hook/filter/ForbiddenTextFilter';
import { WordList } from '@core/hook/filter/WordList';
import { WordScreen } from '@core/hook/filter/WordScreen';
import { JsonObject } from '@core/json/JsonObject';
import { ModelResponse } from '@core/model/ModelResponse';
import { SESSION, afterRunContext, chunkContext, modelContext, responseContext, state } from './support';

const filter = (options: Partial<ForbiddenTextOptions> = {}): ForbiddenTextFilter => ForbiddenTextFilter.of({ words: ['abc'], ...options }).value;
const problems = (options: Partial<ForbiddenTextOptions>): string[] => {
  const made = ForbiddenTextFilter.of({ words: ['abc'], ...options });
  return made.ok ? [] : made.error.details?.get('problems') as string[];
};
/** What one filter keeps of streams that have not ended. */
const kept = (one: ForbiddenTextFilter): number => (one as unknown as { streams: Map<object, object> }).streams.size;

describe('the options of a filter for words', () => {
  it('has a name of its own unless it is given another', () => {
    expect([filter().name, filter({ name: 'mine' }).name]).toEqual(['forbidden-text', 'mine']);
  });

  it('a word has 1 to 200 characters that are not blank', () => {
    const refused = ['words[1] must have 1 to 200 characters and not be blank'];
    expect([problems({ words: ['b', 'x'.repeat(200)] }), problems({ words: ['b', 'x'.repeat(201)] }), problems({ words: ['b', ' \t'] }), problems({ words: ['b', ''] })]).toEqual([[], refused, refused, refused]);
    expect(problems({ words: [] })).toEqual(['words is empty']);
  });

  it('a replacement is not empty and shares no letter with any one of the words', () => {
    const shared = 'replacement has a character of a word: with what stands around it, it could become one';
    expect(problems({ replacement: '' })).toEqual(['replacement is empty: what stands around a word could become one']);
    expect([problems({ words: ['abc', 'xyz'], replacement: '-z' }), problems({ words: ['abc', 'xyz'], replacement: '-Z' }), problems({ words: ['abc', 'xyz'], replacement: '-Z', ignoreCase: false })]).toEqual([[shared], [shared], []]);
    expect(problems({ words: ['a*c'] }), 'the usual replacement counts too').toEqual([shared]);
    expect(problems({ words: ['abc'], replacement: 'd' })).toEqual([]);
  });

  it('is config_invalid with every problem', () => {
    const made = ForbiddenTextFilter.of({ words: [], replacement: '' });
    expect([made.ok, made.error.code, made.error.details?.get('problems')]).toEqual([false, 'config_invalid', ['words is empty', 'replacement is empty: what stands around a word could become one']]);
  });
});

describe('a stream under a filter', () => {
  it('holds back what may begin a word, and gives it with the last call', async () => {
    const one = filter();
    const first = await one.onModelChunk(chunkContext('xab', 'a'));
    const last = await one.onModelChunk(chunkContext('', '', true));
    expect([first.text, first.reasoning, last.text, last.reasoning]).toEqual(['x', '', 'ab', 'a']);
  });

  it('starts anew after the last call, before a model call and after a run, and keeps nothing of what ended', async () => {
    const one = filter();
    await one.onModelChunk(chunkContext('ab'));
    await one.onModelChunk(chunkContext('', '', true));
    expect([kept(one), (await one.onModelChunk(chunkContext('c'))).text]).toEqual([0, 'c']);
    await one.onModelChunk(chunkContext('ab'));
    await one.beforeModelCall(modelContext());
    expect([kept(one), (await one.onModelChunk(chunkContext('c'))).text]).toEqual([0, 'c']);
    await one.onModelChunk(chunkContext('ab'));
    await one.afterRun(afterRunContext());
    expect([kept(one), (await one.onModelChunk(chunkContext('c'))).text]).toEqual([0, 'c']);
  });

  it('two runtimes of one session do not mix', async () => {
    const one = filter();
    const other = { ...state } as typeof state;
    const piece = (of: typeof state, text: string): ModelChunkHookContext => new ModelChunkHookContext(SESSION, of, text, '', false);
    await one.onModelChunk(piece(state, 'ab'));
    expect((await one.onModelChunk(piece(other, 'c'))).text).toBe('c');
    expect((await one.onModelChunk(piece(state, 'c'))).text).toBe('***');
  });

  it('aborts for a word in text or reasoning only, and only in that mode', async () => {
    const said = async (mode: ForbiddenTextMode, text: string, reasoning: string): Promise<string> => (await filter({ mode }).onModelChunk(chunkContext(text, reasoning))).action;
    expect([
      await said(ForbiddenTextMode.abort, 'xyz', ''), await said(ForbiddenTextMode.abort, 'abc', ''), await said(ForbiddenTextMode.abort, '', 'abc'), await said(ForbiddenTextMode.replace, 'abc', 'abc'),
    ]).toEqual(['proceed', 'abort', 'abort', 'proceed']);
  });
});

describe('a whole answer under a filter', () => {
  const rich = (text: string, reasoning: string): ModelResponse => new ModelResponse({ text, reasoning, extras: new JsonObject().setString('raw', text) });
  const screened = async (text: string, reasoning: string, mode = ForbiddenTextMode.replace): Promise<{ action: string; response: ModelResponse | undefined; given: ModelResponse }> => {
    const given = rich(text, reasoning);
    const result = await filter({ mode }).afterModelCall(responseContext(given));
    return { action: result.action, response: result.response, given };
  };

  it('is handed on as it is where no word is in it, also one that ends like the beginning of a word', async () => {
    for (const mode of [ForbiddenTextMode.replace, ForbiddenTextMode.abort]) {
      const done = await screened('x ab', 'y ab', mode);
      expect([done.action, done.response === done.given]).toEqual(['proceed', true]);
    }
  });

  it.each([['text', 'an abc', 'fine', 'an ***', 'fine'], ['reasoning', 'fine ab', 'an abc', 'fine ab', 'an ***'], ['both', 'abc', 'abc ab', '***', '*** ab']])(
    'a word in %s is replaced, and the opaque values of the provider go with it', async (_where, text, reasoning, cleanText, cleanReasoning) => {
      const done = await screened(text, reasoning);
      expect([done.action, done.response?.text, done.response?.reasoning, done.response?.extras]).toEqual(['proceed', cleanText, cleanReasoning, undefined]);
      expect((await screened(text, reasoning, ForbiddenTextMode.abort)).action).toBe('abort');
    });
});

describe('words and screens', () => {
  it('finds a word in any case, unless told not to; what has no other case of the same length is compared as it is', () => {
    const found = (words: string[], text: string, ignoreCase = true): string => new WordScreen(new WordList(words, ignoreCase), '*').next(text, true).text;
    expect([found(['Éa'], 'x éA'), found(['Éa'], 'x éA', false), found(['ß'], 'SS ß'), found(['İ'], 'i̇ İ'), found(['ﬁ'], 'FI ﬁ')]).toEqual(['x *', 'x éA', 'SS *', 'i̇ *', 'FI *']);
  });

  it('the longest word of a place counts, also where shorter ones were named first, twice or in another case', () => {
    const list = new WordList(['ab', 'abcd', 'abc', 'AB'], true);
    expect([list.longest, list.scan('abcdx', 0, true), list.scan('abcx', 0, true), list.scan('abx', 0, true), list.scan('ax', 0, true)]).toEqual(
      [4, { length: 4, open: false }, { length: 3, open: false }, { length: 2, open: false }, { length: 0, open: false }]);
    expect([list.scan('abc', 0, false), list.scan('abc', 0, true), list.scan('zabc', 1, true), list.scan('z', 0, false)]).toEqual(
      [{ length: 3, open: true }, { length: 3, open: false }, { length: 3, open: false }, { length: 0, open: false }]);
    expect([list.mayBeginAt('xa', 1), list.mayBeginAt('xa', 0)]).toEqual([true, false]);
  });

  it('says whether there was a word, and how much it holds back', () => {
    const screen = new WordScreen(new WordList(['abc'], true), '*');
    expect([screen.next('x', false), screen.holding]).toEqual([{ text: 'x', found: false }, 0]);
    expect([screen.next('xab', false), screen.holding]).toEqual([{ text: 'x', found: false }, 2]);
    expect([screen.next('cab', false), screen.holding]).toEqual([{ text: '*', found: true }, 2]);
    expect([screen.next('', true), screen.holding]).toEqual([{ text: 'ab', found: false }, 0]);
  });
});
