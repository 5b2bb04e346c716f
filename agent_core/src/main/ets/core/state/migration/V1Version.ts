import { JsonObject } from '../../json/JsonObject';
import { StateMigration } from './StateMigration';

/** The last step from version 1. */
export class V1Version implements StateMigration {
  readonly from: number = 1;

  apply(document: JsonObject): void {
    document.setNumber('schemaVersion', 2);
  }
}
