import { ArkAgentError } from '../base/ArkAgentError';
import { JsonFault } from './JsonFault';
import { JsonObject } from './JsonObject';
import { JsonValue } from './JsonValue';

const QUOTE: number = 0x22;
const MINUS: number = 0x2d;
const ZERO: number = 0x30;
const NINE: number = 0x39;
const OPEN_ARRAY: number = 0x5b;
const BACKSLASH: number = 0x5c;
const CLOSE_ARRAY: number = 0x5d;
const OPEN_OBJECT: number = 0x7b;
const CLOSE_OBJECT: number = 0x7d;
const COMMA: number = 0x2c;
const COLON: number = 0x3a;
const SPACE: number = 0x20;
const HEX_DIGITS: RegExp = /^[0-9a-fA-F]{4}$/;

/**
 * Parses what native parsing must not see or cannot explain: keys that a native object would reorder, and faulty text,
 * whose first fault it finds (RFC 8259, nothing more). Its recursion is bounded by `maxDepth`. One instance, one text.
 */
export class JsonParser {
  private readonly text: string;
  private readonly maxDepth: number;
  private position: number = 0;

  constructor(text: string, maxDepth: number) {
    this.text = text;
    this.maxDepth = maxDepth;
  }

  /** @throws ArkAgentError json_syntax, json_too_deep, json_number_range, each with details.offset */
  parse(): JsonValue {
    const value: JsonValue = this.value(this.maxDepth);
    this.skipSpace();
    if (this.position < this.text.length) {
      throw this.unexpected('the end');
    }
    return value;
  }

  private value(levels: number): JsonValue {
    this.skipSpace();
    const unit: number = this.text.charCodeAt(this.position);
    if (unit === QUOTE) {
      return JsonValue.string(this.string());
    }
    if (unit === OPEN_OBJECT || unit === OPEN_ARRAY) {
      if (levels <= 0) {
        throw JsonFault.tooDeep(this.maxDepth, this.position);
      }
      this.position++;
      return unit === OPEN_OBJECT ? this.object(levels - 1) : this.array(levels - 1);
    }
    if (unit === MINUS || (unit >= ZERO && unit <= NINE)) {
      return this.number();
    }
    if (this.text.startsWith('true', this.position)) {
      return this.literal(4, JsonValue.boolean(true));
    }
    if (this.text.startsWith('false', this.position)) {
      return this.literal(5, JsonValue.boolean(false));
    }
    if (this.text.startsWith('null', this.position)) {
      return this.literal(4, JsonValue.nullValue());
    }
    throw this.unexpected('a value');
  }

  private literal(length: number, value: JsonValue): JsonValue {
    this.position += length;
    return value;
  }

  /** A repeated key keeps its first place and takes the last value, as native parsing does. */
  private object(levels: number): JsonValue {
    const members: Map<string, JsonValue> = new Map<string, JsonValue>();
    if (!this.accept(CLOSE_OBJECT)) {
      do {
        this.skipSpace();
        if (this.text.charCodeAt(this.position) !== QUOTE) {
          throw this.unexpected(members.size === 0 ? 'a key in double quotes or }' : 'a key in double quotes');
        }
        const key: string = this.string();
        if (!this.accept(COLON)) {
          throw this.unexpected(':');
        }
        members.set(key, this.value(levels));
      } while (this.accept(COMMA));
      if (!this.accept(CLOSE_OBJECT)) {
        throw this.unexpected(', or }');
      }
    }
    return JsonValue.object(JsonObject.fromMembers(members));
  }

  private array(levels: number): JsonValue {
    const items: JsonValue[] = [];
    if (!this.accept(CLOSE_ARRAY)) {
      do {
        items.push(this.value(levels));
      } while (this.accept(COMMA));
      if (!this.accept(CLOSE_ARRAY)) {
        throw this.unexpected(', or ]');
      }
    }
    return JsonValue.array(items);
  }

  private number(): JsonValue {
    const start: number = this.position;
    if (this.text.charCodeAt(this.position) === MINUS) {
      this.position++;
    }
    if (this.text.charCodeAt(this.position) === ZERO) {
      this.position++;
    } else {
      this.digits();
    }
    if (this.text.charAt(this.position) === '.') {
      this.position++;
      this.digits();
    }
    const exponent: string = this.text.charAt(this.position);
    if (exponent === 'e' || exponent === 'E') {
      this.position++;
      const sign: string = this.text.charAt(this.position);
      if (sign === '+' || sign === '-') {
        this.position++;
      }
      this.digits();
    }
    const value: number = Number(this.text.slice(start, this.position));
    if (!Number.isFinite(value)) {
      throw JsonFault.numberRange(start);
    }
    return JsonValue.number(value);
  }

  private digits(): void {
    const start: number = this.position;
    let unit: number = this.text.charCodeAt(this.position);
    while (unit >= ZERO && unit <= NINE) {
      this.position++;
      unit = this.text.charCodeAt(this.position);
    }
    if (this.position === start) {
      throw this.unexpected('a digit');
    }
  }

  private string(): string {
    this.position++;
    let from: number = this.position;
    let decoded: string = '';
    for (;;) {
      const unit: number = this.text.charCodeAt(this.position);
      if (unit === QUOTE) {
        const tail: string = this.text.slice(from, this.position);
        this.position++;
        return decoded + tail;
      }
      if (unit === BACKSLASH) {
        decoded += this.text.slice(from, this.position) + this.escape();
        from = this.position;
      } else if (unit >= SPACE) {
        this.position++;
      } else {
        throw this.unexpected('a character of a string or its closing quote');
      }
    }
  }

  /** Reads from the backslash on. */
  private escape(): string {
    this.position++;
    const sign: string = this.text.charAt(this.position);
    const plain: number = sign === '' ? -1 : '"\\/bfnrt'.indexOf(sign);
    if (plain >= 0) {
      this.position++;
      return '"\\/\b\f\n\r\t'.charAt(plain);
    }
    if (sign !== 'u') {
      throw this.unexpected('one of " \\ / b f n r t u after a backslash');
    }
    const digits: string = this.text.slice(this.position + 1, this.position + 5);
    if (!HEX_DIGITS.test(digits)) {
      throw JsonFault.syntax('expected four hexadecimal digits after \\u', this.position);
    }
    this.position += 5;
    return String.fromCharCode(parseInt(digits, 16));
  }

  private accept(expected: number): boolean {
    this.skipSpace();
    if (this.text.charCodeAt(this.position) !== expected) {
      return false;
    }
    this.position++;
    return true;
  }

  private skipSpace(): void {
    let unit: number = this.text.charCodeAt(this.position);
    while (unit === SPACE || unit === 0x0a || unit === 0x0d || unit === 0x09) {
      this.position++;
      unit = this.text.charCodeAt(this.position);
    }
  }

  private unexpected(expected: string): ArkAgentError {
    return JsonFault.syntax(`expected ${expected}, found ${this.seen()}`, this.position);
  }

  /** One character tells a model or a developer enough and gives nothing away. */
  private seen(): string {
    if (this.position >= this.text.length) {
      return 'the end of the text';
    }
    const unit: number = this.text.charCodeAt(this.position);
    return unit > SPACE && unit < 0x7f ? `'${this.text.charAt(this.position)}'` :
      `U+${unit.toString(16).toUpperCase().padStart(4, '0')}`;
  }
}
