import { ArkAgentError } from '../../base/ArkAgentError';
import { JsonObject } from '../../json/JsonObject';
import { JsonValue } from '../../json/JsonValue';
import { StateFault } from './StateFault';

/**
 * Strict reading of one object of a stored document. Every method throws `state_corrupt` with the path of the member when
 * it has another type; members that nobody asks for are ignored.
 */
export class DocumentReader {
  readonly object: JsonObject;
  readonly path: string;

  constructor(object: JsonObject, path: string) {
    this.object = object;
    this.path = path;
  }

  static of(value: JsonValue, path: string): DocumentReader {
    const object: JsonObject | undefined = value.asObject();
    if (object === undefined) {
      throw StateFault.corrupt(path, 'an object', value.kind);
    }
    return new DocumentReader(object, path);
  }

  has(key: string): boolean {
    return this.object.has(key);
  }

  string(key: string): string {
    const text: string | undefined = this.object.getString(key);
    if (text === undefined) {
      throw this.fault(key, 'a string');
    }
    return text;
  }

  optionalString(key: string): string | undefined {
    return this.object.has(key) ? this.string(key) : undefined;
  }

  number(key: string): number {
    const value: number | undefined = this.object.getNumber(key);
    if (value === undefined) {
      throw this.fault(key, 'a number');
    }
    return value;
  }

  optionalNumber(key: string): number | undefined {
    return this.object.has(key) ? this.number(key) : undefined;
  }

  /** A whole number from 0 on. */
  count(key: string): number {
    const value: number = this.number(key);
    if (!Number.isSafeInteger(value) || value < 0) {
      throw StateFault.corrupt(this.at(key), 'a whole number from 0 on', 'another number');
    }
    return value;
  }

  optionalCount(key: string): number | undefined {
    return this.object.has(key) ? this.count(key) : undefined;
  }

  boolean(key: string): boolean {
    const value: boolean | undefined = this.object.getBoolean(key);
    if (value === undefined) {
      throw this.fault(key, 'a boolean');
    }
    return value;
  }

  /** A flag whose absence means false. */
  flag(key: string): boolean {
    return this.object.has(key) ? this.boolean(key) : false;
  }

  /** One of a closed list of strings. */
  choice<T extends string>(key: string, allowed: ReadonlyArray<T>): T {
    const text: string = this.string(key);
    for (const candidate of allowed) {
      if (candidate === text) {
        return candidate;
      }
    }
    throw StateFault.corrupt(this.at(key), `one of ${allowed.join(', ')}`, 'another string');
  }

  reader(key: string): DocumentReader {
    const object: JsonObject | undefined = this.object.getObject(key);
    if (object === undefined) {
      throw this.fault(key, 'an object');
    }
    return new DocumentReader(object, this.at(key));
  }

  optionalReader(key: string): DocumentReader | undefined {
    return this.object.has(key) ? this.reader(key) : undefined;
  }

  /** A member that the app or a feature owns, sealed. */
  sealed(key: string): JsonObject {
    return this.reader(key).object.seal();
  }

  optionalSealed(key: string): JsonObject | undefined {
    return this.object.has(key) ? this.sealed(key) : undefined;
  }

  json(key: string): JsonValue {
    const value: JsonValue | undefined = this.object.get(key);
    if (value === undefined) {
      throw this.fault(key, 'a value');
    }
    return value.seal();
  }

  items(key: string): ReadonlyArray<JsonValue> {
    const list: ReadonlyArray<JsonValue> | undefined = this.object.getArray(key);
    if (list === undefined) {
      throw this.fault(key, 'an array');
    }
    return list;
  }

  /** The items of an array, each read by `decode`. */
  list<T>(key: string, decode: (item: DocumentReader) => T): T[] {
    const decoded: T[] = [];
    for (const item of this.items(key)) {
      decoded.push(decode(DocumentReader.of(item, `${this.path}/${key}/${decoded.length}`)));
    }
    return decoded;
  }

  optionalList<T>(key: string, decode: (item: DocumentReader) => T): T[] {
    return this.object.has(key) ? this.list<T>(key, decode) : [];
  }

  strings(key: string): string[] {
    const texts: string[] = [];
    for (const item of this.items(key)) {
      const text: string | undefined = item.asString();
      if (text === undefined) {
        throw StateFault.corrupt(`${this.path}/${key}/${texts.length}`, 'a string', item.kind);
      }
      texts.push(text);
    }
    return texts;
  }

  at(key: string): string {
    return `${this.path}/${key}`;
  }

  private fault(key: string, expected: string): ArkAgentError {
    const value: JsonValue | undefined = this.object.get(key);
    return StateFault.corrupt(this.at(key), expected, value === undefined ? 'nothing' : value.kind);
  }
}
