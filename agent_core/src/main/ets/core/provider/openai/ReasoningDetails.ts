import { JsonObject, NativeRecord } from '../../json/JsonObject';
import { JsonValue } from '../../json/JsonValue';
import { objectOf } from './WireTypes';

/** Members whose pieces are joined; every other member is replaced by its latest value. */
const JOINED: ReadonlyArray<string> = ['text', 'summary', 'data'];

/**
 * `reasoning_details` of a stream, put together for the way back: providers that sign their reasoning want the same list again.
 *
 * A piece continues the last entry when type, index and id agree.
 */
export class ReasoningDetails {
  private readonly entries: JsonObject[] = [];

  add(pieces: ReadonlyArray<Object | null>): void {
    for (const raw of pieces) {
      const native: Object | undefined = objectOf(raw);
      if (native === undefined) {
        continue;
      }
      const piece: JsonObject = JsonObject.fromNative(native as NativeRecord);
      const last: JsonObject | undefined = this.entries.length > 0 ? this.entries[this.entries.length - 1] : undefined;
      if (last !== undefined && continues(last, piece)) {
        merge(last, piece);
      } else {
        this.entries.push(piece);
      }
    }
  }

  /** undefined when there was none. */
  value(): JsonValue | undefined {
    return this.entries.length === 0 ? undefined :
      JsonValue.array(this.entries.map<JsonValue>((entry: JsonObject): JsonValue => JsonValue.object(entry)));
  }
}

function continues(last: JsonObject, piece: JsonObject): boolean {
  const id: string | undefined = piece.getString('id');
  return last.getString('type') === piece.getString('type') && last.getNumber('index') === piece.getNumber('index') &&
    piece.getNumber('index') !== undefined && (id === undefined || id === last.getString('id'));
}

function merge(last: JsonObject, piece: JsonObject): void {
  for (const key of piece.keys()) {
    const value: JsonValue = piece.get(key) as JsonValue;
    const before: string | undefined = last.getString(key);
    const more: string | undefined = value.asString();
    if (JOINED.includes(key) && before !== undefined && more !== undefined) {
      last.setString(key, before + more);
    } else if (!value.isNull()) {
      last.set(key, value);
    }
  }
}
