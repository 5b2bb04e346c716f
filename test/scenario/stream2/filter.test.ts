import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ForbiddenTextFilter, ForbiddenTextMode, type ForbiddenTextOptions } from '@core/hook/filter/ForbiddenTextFilter';
import { WordList } from '@core/hook/filter/WordList';
import { WordScreen } from '@core/hook/filter/WordScreen';
import { JsonObject } from '@core/json/JsonObject';
import { ModelCallHookResult } from '@core/hook/result/ModelCallHookResult';
import { ModelResponseHookResult } from '@core/hook/result/ModelResponseHookResult';
import { ModelResponse } from '@core/model/ModelResponse';
import { StreamingEvent } from '@core/model/StreamingEvent';
import { AgentEventType } from '@core/runtime/report/AgentEvent';
import { type Answer, FunctionProvider, Session, Tools, answers, call, calls, hook, says, settle } from '../run/harness';

const filter = (words: string[], options: Partial<ForbiddenTextOptions> = {}): ForbiddenTextFilter => ForbiddenTextFilter.of({ words, ...options }).value;

/** The text in pieces whose lengths come from a list. */
function cut(text: string, sizes: readonly number[]): string[] {
  const pieces: string[] = [];
  for (let at = 0, i = 0; at < text.length; i++) {
    const size = sizes[i % sizes.length];
    pieces.push(text.slice(at, at + size));
    at += size;
  }
  return pieces;
}

function screened(words: string[], pieces: readonly string[], ignoreCase = true): { text: string; held: number } {
  const list = new WordList(words, ignoreCase);
  const screen = new WordScreen(list, '***');
  let text = '';
  let held = 0;
  for (const piece of pieces) {
    text += screen.next(piece, false).text;
    held = Math.max(held, screen.holding);
  }
  return { text: text + screen.next('', true).text, held };
}

/** Everything that anybody could find a word in. */
const everything = (session: Session): string => JSON.stringify([session.observer.values, session.observer.errors, session.bus, session.storage.texts, session.history, session.logger.lines]);
const sizes = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 8 });
const word = fc.string({ unit: fc.constantFrom('a', 'b', 'A', 'ß', 'é', '密', '😀'), minLength: 1, maxLength: 5 });
const mixed = fc.string({ unit: fc.constantFrom('a', 'b', 'B', 'ß', 'É', '密', '😀', ' '), maxLength: 60 });

describe('a screen for words', () => {
  it('gives the same whatever the pieces are, lets no word through, and holds back less than the longest word', () => {
    fc.assert(fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), mixed, sizes, fc.boolean(), (words, text, lengths, ignoreCase) => {
      const whole = screened(words, [text], ignoreCase).text;
      const pieces = screened(words, cut(text, lengths), ignoreCase);
      const list = new WordList(words, ignoreCase);
      expect(pieces.text).toBe(whole);
      expect(pieces.held).toBeLessThan(list.longest);
      for (const one of words) expect(list.fold(pieces.text).includes(list.fold(one))).toBe(false);
    }), { numRuns: 2000 });
  });

  it('changes nothing around a word and nothing in a text without one', () => {
    fc.assert(fc.property(fc.string({ unit: fc.constantFrom('x', 'y', 'z', ' '), maxLength: 40 }), sizes, (text, lengths) => {
      expect(screened(['abc', 'xq'], cut(text, lengths)).text).toBe(text);
      expect(screened(['abc', 'xq'], cut(`${text}abc${text}`, lengths)).text).toBe(`${text}***${text}`);
    }));
  });

  it('of words at one place takes the longest, also when it comes later', () => {
    expect([screened(['in', 'inside'], ['in', 'si', 'de']).text, screened(['in', 'inside'], ['in', 'si', 'd']).text, screened(['in', 'inside'], ['in']).text]).toEqual(['***', '***sid', '***']);
  });

  it('ignores case unit by unit, whatever stands beside it', () => {
    expect(screened(['straße', 'ΣΟΦΟΣ', 'kelvin'], ['STRAßE σοφος', ' σοφοσ Kelvin İ']).text).toBe('*** *** *** *** İ');
    expect(screened(['Secret'], ['secret Secret'], false).text).toBe('secret ***');
  });

  it('is not led into quadratic work by a text full of beginnings', () => {
    const text = 'a'.repeat(200_000);
    const started = performance.now();
    expect(screened([`${'a'.repeat(60)}b`], cut(text, [7])).text).toBe(text);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

describe('the filter in a run', () => {
  it('a word split over any borders reaches no subscriber, log, history or disk; text and reasoning by themselves', async () => {
    await fc.assert(fc.asyncProperty(sizes, sizes, fc.string({ unit: fc.constantFrom('f', 'o', 'r', 'b', ' '), maxLength: 12 }), async (one, two, tail) => {
      const text = `say ForBidden and forbid${tail}`;
      const reasoning = `hm, forbidden: ${tail}forbi`;
      const deltas = cut(text, one).map((piece) => StreamingEvent.textDelta(piece));
      cut(reasoning, two).forEach((piece, at) => deltas.splice(at * 2, 0, StreamingEvent.reasoningDelta(piece)));
      const answer: Answer = (observer) => {
        for (const delta of deltas) observer.onNext(delta);
        observer.onNext(StreamingEvent.modelComplete(new ModelResponse({ text, reasoning, extras: new JsonObject().setString('said', text) })));
        observer.onComplete();
      };
      const session = await Session.open({ provider: new FunctionProvider(answer), hooks: [filter(['forbidden'])] });
      await session.run();
      expect(everything(session).toLowerCase()).not.toContain('forbidden');
      expect(session.observer.text).toBe(`say *** and forbid${tail}`);
      const stored = session.storage.last.history.at(1);
      expect([stored?.text(), stored?.reasoning]).toEqual([`say *** and forbid${tail}`, `hm, ***: ${tail}forbi`]);
      expect(session.observer.types).not.toContain('modelRestarted');
    }), { numRuns: 80 });
  });

  it('in abort mode nothing of the word is shown or stored, and the reason does not name it', async () => {
    await fc.assert(fc.asyncProperty(sizes, fc.boolean(), async (lengths, inReasoning) => {
      const pieces = cut('well, forbidden things', lengths);
      const answer: Answer = (observer) => {
        for (const piece of pieces) observer.onNext(inReasoning ? StreamingEvent.reasoningDelta(piece) : StreamingEvent.textDelta(piece));
        observer.onNext(StreamingEvent.modelComplete(ModelResponse.text('x')));
        observer.onComplete();
      };
      const provider = new FunctionProvider(answer);
      const session = await Session.open({ provider, hooks: [filter(['forbidden'], { mode: ForbiddenTextMode.abort })] });
      expect((await session.run()).error.code).toBe('hook_abort');
      expect(everything(session).replaceAll('forbidden-text', '').replaceAll('forbidden text', '')).not.toContain('forbidden');
      const shown = session.observer.values.map((event) => event.type === AgentEventType.textDelta || event.type === AgentEventType.reasoningDelta ? event.text : '').join('');
      expect('well, '.startsWith(shown)).toBe(true);
      expect(provider.signals[0].cancelled).toBe(true);
    }), { numRuns: 40 });
  });

  it('an answer of another hook is looked at before anybody sees it', async () => {
    const answering = hook('answers', { beforeModelCall: async () => ModelCallHookResult.respond(ModelResponse.text('a forbidden word')) });
    const replaced = await Session.open({ provider: new FunctionProvider(says('no')), hooks: [answering, filter(['forbidden'])] });
    await replaced.run();
    expect(everything(replaced)).not.toContain('forbidden');
    expect(replaced.observer.values.filter((event) => event.type === AgentEventType.textDelta || event.type === AgentEventType.modelRestarted).map((event) => event.text)).toEqual(['a *** word']);
    const aborted = await Session.open({ provider: new FunctionProvider(says('no')), hooks: [answering, filter(['forbidden'], { mode: ForbiddenTextMode.abort })] });
    expect((await aborted.run()).error.code).toBe('hook_abort');
    expect(everything(aborted).replaceAll('forbidden-text', '').replaceAll('forbidden text', '')).not.toContain('forbidden');
    expect(aborted.history).toEqual(['user hi']);
  });

  it('what a hook puts in after the stream is looked at too', async () => {
    const adds = hook('adds', { afterModelCall: async (context) => ModelResponseHookResult.proceed(new ModelResponse({ ...context.response.toInit(), text: `${context.response.text} forbidden` })) });
    const session = await Session.open({ provider: new FunctionProvider(says('fine')), hooks: [adds, filter(['forbidden'])] });
    await session.run();
    expect(everything(session)).not.toContain('forbidden');
    expect(session.history[1]).toBe('assistant fine ***');
  });

  it('an answer that broke off leaves nothing behind for the next one', async () => {
    let turn = 0;
    const broken: Answer = (observer, signal, request) => {
      turn++;
      if (turn === 1) {
        observer.onNext(StreamingEvent.textDelta('he said forbi'));
        void settle().then(() => session.runtime.cancel('stop'));
        return;
      }
      says('dden fruit')(observer, signal, request);
    };
    const session = await Session.open({ provider: new FunctionProvider(broken), hooks: [filter(['forbidden'])] });
    await session.run();
    await session.run('again');
    expect(session.history).toEqual(['user hi', 'assistant~ he said ', 'user again', 'assistant dden fruit']);
  });

  it('serves several sessions at once, and several turns of one', async () => {
    const shared = filter(['forbidden']);
    const tools = new Tools().add('look');
    const open = (): Promise<Session> => Session.open({ provider: new FunctionProvider(answers(new ModelResponse({ text: 'for', toolCalls: [call('c', 'look')] }), 'for'), says('bidden for', 'bidden')), toolRegistry: tools.registry, hooks: [shared] });
    const sessions = await Promise.all([open(), open(), open()]);
    await Promise.all(sessions.map((session) => session.run()));
    for (const session of sessions) expect(session.history.filter((line) => line.startsWith('assistant'))).toEqual([expect.stringMatching(/^assistant for \[/), 'assistant bidden ***']);
    expect((shared as unknown as { streams: Map<string, unknown> }).streams.size).toBe(0);
  });

  it('a stream without the words costs calls of tools nothing', async () => {
    const tools = new Tools().add('look', { parameters: { type: 'object', properties: { q: { type: 'string' } } } });
    const session = await Session.open({ provider: new FunctionProvider(calls(call('c', 'look', { q: 'forbidden' })), says('ok')), toolRegistry: tools.registry, hooks: [filter(['forbidden'])] });
    await session.run();
    expect(tools.ran).toEqual(['look:{"q":"forbidden"}']);
  });

  it('refuses words and replacements that could let a word arise', () => {
    const problems = (options: ForbiddenTextOptions): string => {
      const made = ForbiddenTextFilter.of(options);
      return made.ok ? '' : `${made.error.code} ${String(made.error.details?.get('problems'))}`;
    };
    expect(problems({ words: [] })).toMatch(/config_invalid words is empty/);
    expect(problems({ words: ['a', ' '] })).toMatch(/words\[1\]/);
    expect(problems({ words: ['x'.repeat(201)] })).toMatch(/words\[0\]/);
    expect(problems({ words: ['ab'], replacement: '' })).toMatch(/replacement is empty/);
    expect(problems({ words: ['ab'], replacement: 'xB' })).toMatch(/replacement has a character/);
    expect(problems({ words: ['ab'], replacement: 'xB', ignoreCase: false })).toBe('');
    expect(problems({ words: ['f***'] })).toMatch(/replacement has a character/);
    expect(filter(['x'], { name: 'house-rules' }).name).toBe('house-rules');
  });
});
