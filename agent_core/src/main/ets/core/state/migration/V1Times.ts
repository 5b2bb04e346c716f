import { JsonObject } from '../../json/JsonObject';
import { JsonValue } from '../../json/JsonValue';
import { DocumentReader } from '../codec/DocumentReader';
import { StateMigration } from './StateMigration';

/** Version 1 knew no times of the session: the first and the last message stand for them. */
export class V1Times implements StateMigration {
  readonly from: number = 1;

  apply(document: JsonObject): void {
    const messages: ReadonlyArray<JsonValue> = new DocumentReader(document, '').items('history');
    let first: number = 0;
    let last: number = 0;
    for (const item of messages) {
      const atMs: number = item.asObject()?.getNumber('createdAtMs') ?? 0;
      first = first === 0 ? atMs : first;
      last = Math.max(last, atMs);
    }
    document.setNumber('createdAtMs', first).setNumber('updatedAtMs', last);
  }
}
