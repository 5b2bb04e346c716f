import { JsonObject } from '../../json/JsonObject';
import { JsonValue } from '../../json/JsonValue';
import { DocumentReader } from '../codec/DocumentReader';
import { StateMigration } from './StateMigration';

/** Version 2 needs an id and a time at every message; version 1 could leave them out. */
export class V1Messages implements StateMigration {
  readonly from: number = 1;

  apply(document: JsonObject): void {
    const messages: ReadonlyArray<JsonValue> = new DocumentReader(document, '').items('history');
    let position: number = 0;
    for (const item of messages) {
      const message: JsonObject = DocumentReader.of(item, `/history/${position}`).object;
      if (!message.has('id')) {
        message.setString('id', `v1-${position}`);
      }
      if (!message.has('createdAtMs')) {
        message.setNumber('createdAtMs', 0);
      }
      position++;
    }
  }
}
