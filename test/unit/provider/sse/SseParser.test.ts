import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SseParser, type SseSink } from '@core/provider/sse/SseParser';

class Heard implements SseSink {
  readonly events: string[] = [];
  readonly foreign: string[] = [];
  tooLarge = 0;

  onEvent(data: string): void {
    this.events.push(data);
  }

  onForeignLine(line: string): void {
    this.foreign.push(line);
  }

  onTooLarge(): void {
    this.tooLarge++;
  }
}

function parse(pieces: string[], maxChars = 10_000): Heard & { unfinished?: string } {
  const heard = new Heard();
  const parser = new SseParser(heard, maxChars);
  for (const piece of pieces) parser.push(piece);
  return Object.assign(heard, { unfinished: parser.end() });
}

const CASES: [string, string, string[]][] = [
  ['LF', 'data: a\n\ndata: b\n\n', ['a', 'b']],
  ['CR', 'data: a\r\rdata: b\r\r', ['a', 'b']],
  ['CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n', ['a', 'b']],
  ['mixed line ends', 'data: a\r\n\ndata: b\r\r\ndata: c\n\r', ['a', 'b', 'c']],
  ['several data lines', 'data: a\ndata:b\ndata:  c\n\n', ['a\nb\n c']],
  ['comments, id, event, retry', ': hi\nid: 1\nevent: x\nretry: 5\n:\ndata: a\n\n', ['a']],
  ['no event without data', 'id: 1\n\n: ping\n\nevent: x\n\n', []],
  ['an empty data line is an event with empty data', 'data:\n\ndata\n\ndata: \n\n', ['', '', '']],
  ['two empty data lines', 'data\ndata\n\n', ['\n']],
  ['only one blank after the colon goes', 'data:   x \n\n', ['  x ']],
  ['a colon in the value', 'data: a:b\n\n', ['a:b']],
];

describe('SseParser', () => {
  for (const [name, text, events] of CASES) {
    it(`S8 reads ${name}, whole and character by character`, () => {
      expect(parse([text]).events).toEqual(events);
      expect(parse([...text]).events).toEqual(events);
    });
  }

  it('STR-05 gives the same events wherever the text is cut', () => {
    const piece = fc.constantFrom('data: ', 'data:', 'data', 'a', ' ', '\n', '\r', '\r\n', '\n\n', ': c', 'id: 1', '{"x":1}', '中', 'foreign', ':');
    fc.assert(fc.property(fc.array(piece, { maxLength: 40 }), fc.array(fc.nat(120), { maxLength: 10 }), (parts, cuts) => {
      const text = parts.join('');
      const ends = [...cuts.filter((at) => at < text.length).sort((a, b) => a - b), text.length];
      const cut = parse(ends.map((end, at) => text.slice(at === 0 ? 0 : ends[at - 1], end)));
      const whole = parse([text]);
      expect([cut.events, cut.foreign, cut.unfinished]).toEqual([whole.events, whole.foreign, whole.unfinished]);
    }), { numRuns: 3_000 });
  });

  it('does not tell an event that no blank line closed, but returns it at the end', () => {
    expect(parse(['data: a\n\ndata: b'])).toMatchObject({ events: ['a'], unfinished: 'b' });
    expect(parse(['data: b\n'])).toMatchObject({ events: [], unfinished: 'b' });
    expect(parse([': c\n'])).toMatchObject({ events: [], unfinished: undefined });
  });

  it('tells lines that are no part of the format', () => {
    expect(parse(['<html>\nevents: x\nidle\ndata : y\n']).foreign).toEqual(['<html>', 'events: x', 'idle', 'data : y']);
  });

  it('stops inside the text it reads', () => {
    const heard = new Heard();
    const parser = new SseParser(heard, 100);
    heard.onEvent = (data: string): void => {
      heard.events.push(data);
      parser.stop();
    };
    parser.push('data: a\n\ndata: b\n\ndata: c');
    parser.push('\n\n');
    expect(heard.events).toEqual(['a']);
    expect(parser.end()).toBeUndefined();
  });

  it('refuses a line and an event beyond the limit, once', () => {
    expect(parse(['data: ' + 'x'.repeat(200)], 100).tooLarge).toBe(1);
    expect(parse(Array(200).fill('x'), 100).tooLarge).toBe(1);
    expect(parse(Array(40).fill('data: xxxx\n'), 100).tooLarge).toBe(1);
    expect(parse(['data: ' + 'x'.repeat(90) + '\n\n'], 100).tooLarge).toBe(0);
  });
});
