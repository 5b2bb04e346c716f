import { JsonFault } from '../../json/JsonFault';
import { JsonObject } from '../../json/JsonObject';
import { JsonText } from '../../json/JsonText';
import { JsonValue } from '../../json/JsonValue';
import { JsonWriter } from '../../json/JsonWriter';

/** The text of one JSON object, built member by member: a stored record is written without an intermediate tree. */
export class ObjectText {
  private readonly writer: JsonWriter;
  private text: string = '{';

  constructor(writer: JsonWriter) {
    this.writer = writer;
  }

  string(key: string, value: string): ObjectText {
    return this.raw(key, JsonText.quote(value));
  }

  /** @throws ArkAgentError json_number_range */
  number(key: string, value: number): ObjectText {
    if (!Number.isFinite(value)) {
      throw JsonFault.notFinite();
    }
    return this.raw(key, `${value}`);
  }

  boolean(key: string, value: boolean): ObjectText {
    return this.raw(key, value ? 'true' : 'false');
  }

  strings(key: string, values: ReadonlyArray<string>): ObjectText {
    return this.list<string>(key, values, (value: string): string => JsonText.quote(value));
  }

  /** @throws ArkAgentError json_too_deep, json_number_range */
  json(key: string, value: JsonValue): ObjectText {
    return this.raw(key, this.writer.write(value));
  }

  /** @throws ArkAgentError as json */
  object(key: string, value: JsonObject): ObjectText {
    return this.raw(key, this.writer.writeObject(value));
  }

  optionalString(key: string, value: string | undefined): ObjectText {
    return value === undefined ? this : this.string(key, value);
  }

  optionalNumber(key: string, value: number | undefined): ObjectText {
    return value === undefined ? this : this.number(key, value);
  }

  optionalObject(key: string, value: JsonObject | undefined): ObjectText {
    return value === undefined ? this : this.object(key, value);
  }

  /** A flag whose absence means false. */
  flag(key: string, value: boolean): ObjectText {
    return value ? this.boolean(key, true) : this;
  }

  list<T>(key: string, items: ReadonlyArray<T>, encode: (item: T) => string): ObjectText {
    return this.raw(key, ObjectText.array<T>(items, encode));
  }

  /** @param text JSON text of the value */
  raw(key: string, text: string): ObjectText {
    this.text += this.text.length > 1 ? `,"${key}":${text}` : `"${key}":${text}`;
    return this;
  }

  end(): string {
    return this.text + '}';
  }

  static array<T>(items: ReadonlyArray<T>, encode: (item: T) => string): string {
    let text: string = '[';
    let first: boolean = true;
    for (const item of items) {
      text += first ? encode(item) : ',' + encode(item);
      first = false;
    }
    return text + ']';
  }
}
