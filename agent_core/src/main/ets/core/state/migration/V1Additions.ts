import { JsonObject } from '../../json/JsonObject';
import { StateMigration } from './StateMigration';

/**
 * What version 2 adds starts empty. Revision 0 without incarnation says that no commit of version 2 was made yet; the first
 * one sets both.
 */
export class V1Additions implements StateMigration {
  readonly from: number = 1;

  apply(document: JsonObject): void {
    document.setString('incarnation', '').setNumber('revision', 0).setBoolean('resumable', true);
    document.setArray('loopWindow', []).setObject('slices', new JsonObject());
    if (!document.has('metadata')) {
      document.setObject('metadata', new JsonObject());
    }
    if (!document.has('usage')) {
      document.setObject('usage', new JsonObject()
        .setNumber('promptTokens', 0).setNumber('completionTokens', 0).setNumber('totalTokens', 0));
    }
  }
}
