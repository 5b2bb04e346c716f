import { JsonObject } from '../../json/JsonObject';
import { JsonValue } from '../../json/JsonValue';
import { MessageRole } from '../../message/AgentMessage';
import { DocumentReader } from '../codec/DocumentReader';
import { RunStatus } from '../RunRecord';
import { StateMigration } from './StateMigration';

/**
 * The flag isRunning becomes a run record: a run that was going on is running, so that calls without results in the last
 * message are allowed and are closed or continued like those of a killed process (DEC-62).
 */
export class V1Run implements StateMigration {
  static readonly RUN_ID: string = 'v1-run';
  readonly from: number = 1;

  apply(document: JsonObject): void {
    const reader: DocumentReader = new DocumentReader(document, '');
    if (reader.flag('isRunning')) {
      const run: JsonObject = new JsonObject()
        .setString('runId', V1Run.RUN_ID)
        .setString('status', RunStatus.running)
        .setNumber('segment', 0)
        .setNumber('turn', V1Run.turns(reader.items('history')));
      document.setObject('run', run);
    }
    document.remove('isRunning');
  }

  /** Model answers since the newest input. */
  private static turns(messages: ReadonlyArray<JsonValue>): number {
    let turns: number = 0;
    for (const item of messages) {
      const role: string | undefined = item.asObject()?.getString('role');
      if (role === MessageRole.user) {
        turns = 0;
      } else if (role === MessageRole.assistant) {
        turns++;
      }
    }
    return turns;
  }
}
