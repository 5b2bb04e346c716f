import { ArkAgentError } from '../../base/ArkAgentError';
import { Result } from '../../base/Result';
import { JsonCodec } from '../../json/JsonCodec';
import { JsonValue } from '../../json/JsonValue';

/**
 * Gives another text for a string of a JSON document, or the same one.
 *
 * @param name the member that the string belongs to; `''` for a member's name itself and where there is none
 */
export type StringVisit = (value: string, name: string, isName: boolean) => string;

/** An object or array that is open at some point of a document. */
class Level {
  readonly isObject: boolean;
  /** The member that an array is the value of. */
  readonly outer: string;
  name: string = '';
  /** How many elements of an array have begun. */
  elements: number = 0;

  constructor(isObject: boolean, outer: string) {
    this.isObject = isObject;
    this.outer = outer;
  }
}

/**
 * Changes strings of a JSON text and nothing else: numbers, order, blanks and everything that is not a string stay as they were
 * written, down to the character. A text that is no JSON is walked as far as it looks like one.
 */
export class JsonStrings {
  /** JSON in a string of JSON is read so many times over. */
  static readonly MAX_NESTED: number = 3;
  private readonly text: string;
  private readonly visit: StringVisit;
  /** Made for the first string that needs it: most documents have no escape and no secret. */
  private codec: JsonCodec | undefined = undefined;
  private readonly levels: Level[] = [];
  private out: string = '';
  private copied: number = 0;

  private constructor(text: string, visit: StringVisit) {
    this.text = text;
    this.visit = visit;
  }

  /** Whether a text may be JSON with strings in it, by its beginning. */
  static mayBe(text: string): boolean {
    const first: number = text.charCodeAt(0);
    return startsJson(first) || ((first === 0x20 || (first >= 0x09 && first <= 0x0d)) && startsJson(text.trimStart().charCodeAt(0)));
  }

  static map(text: string, visit: StringVisit): string {
    return new JsonStrings(text, visit).run();
  }

  private run(): string {
    let at: number = 0;
    while (at < this.text.length) {
      const code: number = this.text.charCodeAt(at);
      if (code === 0x22) {
        const end: number = literalEnd(this.text, at);
        if (end < 0) {
          break;
        }
        this.string(at, end);
        at = end;
        continue;
      }
      this.structure(code);
      at++;
    }
    return this.copied === 0 ? this.text : this.out + this.text.substring(this.copied);
  }

  private structure(code: number): void {
    const top: Level | undefined = this.levels[this.levels.length - 1];
    if (code === 0x7b || code === 0x5b) {
      this.levels.push(new Level(code === 0x7b, this.nameHere()));
    } else if (code === 0x7d || code === 0x5d) {
      this.levels.pop();
    } else if (code === 0x2c && top !== undefined) {
      top.elements++;
      top.name = top.isObject ? '' : top.name;
    }
  }

  /** The name that a value at this place has: of its member, of the array's member, or of the element before it in a pair. */
  private nameHere(): string {
    const top: Level | undefined = this.levels[this.levels.length - 1];
    if (top === undefined) {
      return '';
    }
    if (top.isObject) {
      return top.name;
    }
    return top.outer !== '' ? top.outer : (top.elements === 1 ? top.name : '');
  }

  private string(start: number, end: number): void {
    const raw: string = this.text.substring(start + 1, end - 1);
    const value: string = raw.indexOf('\\') < 0 ? raw : this.decode(start, end, raw);
    const top: Level | undefined = this.levels[this.levels.length - 1];
    const isName: boolean = (top === undefined || top.isObject) && colonFollows(this.text, end);
    const changed: string = this.visit(value, isName ? '' : this.nameHere(), isName);
    if (top !== undefined && (isName || (!top.isObject && top.elements === 0))) {
      top.name = value;
    }
    if (changed !== value) {
      this.out += this.text.substring(this.copied, start) + this.written(raw, value, changed);
      this.copied = end;
    }
  }

  /**
   * As it was written where that is possible: a string without escapes stays without. What could not be read must not become
   * readable by being written again.
   */
  private written(raw: string, value: string, changed: string): string {
    const isPlain: boolean = raw === value && (raw.indexOf('\\') >= 0 || hasControl(raw) || !NEEDS_ESCAPE.test(changed));
    return isPlain ? `"${changed}"` : this.json().stringify(JsonValue.string(changed)).value;
  }

  private json(): JsonCodec {
    const codec: JsonCodec = this.codec ?? new JsonCodec();
    this.codec = codec;
    return codec;
  }

  private decode(start: number, end: number, raw: string): string {
    const parsed: JsonValue | undefined = valueIn(this.json(), this.text.substring(start, end));
    return parsed?.asString() ?? raw;
  }
}

const NEEDS_ESCAPE: RegExp = new RegExp('["\\\\\\u0000-\\u001f]');

function startsJson(code: number): boolean {
  return code === 0x7b || code === 0x5b || code === 0x22;
}

function valueIn(codec: JsonCodec, text: string): JsonValue | undefined {
  const parsed: Result<JsonValue, ArkAgentError> = codec.parse(text);
  return parsed.ok ? parsed.value : undefined;
}

/** Behind the closing quote; -1 when there is none. */
function literalEnd(text: string, start: number): number {
  let at: number = start + 1;
  while (at < text.length) {
    const code: number = text.charCodeAt(at);
    if (code === 0x22) {
      return at + 1;
    }
    at += code === 0x5c ? 2 : 1;
  }
  return -1;
}

function hasControl(text: string): boolean {
  for (let at: number = 0; at < text.length; at++) {
    if (text.charCodeAt(at) < 0x20) {
      return true;
    }
  }
  return false;
}

function colonFollows(text: string, end: number): boolean {
  let at: number = end;
  while (at < text.length) {
    const code: number = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d) {
      return code === 0x3a;
    }
    at++;
  }
  return false;
}
