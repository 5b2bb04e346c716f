import { JsonObject } from '../../json/JsonObject';
import { JsonValue } from '../../json/JsonValue';
import { DocumentReader } from './DocumentReader';
import { StateFault } from './StateFault';

/** A stored state before it is decoded: a whole document with the deltas that were written after it. */
export class StateDocument {
  /** Every top-level member but the history. */
  readonly members: JsonObject;
  readonly history: JsonValue[];

  /** @throws ArkAgentError state_corrupt when there is no history */
  constructor(document: JsonObject) {
    this.members = document.clone();
    this.history = new DocumentReader(document, '').items('history').slice();
    this.members.remove('history');
  }

  get revision(): number {
    return this.members.getNumber('revision') ?? -1;
  }

  get incarnation(): string {
    return this.members.getString('incarnation') ?? '';
  }

  get commitId(): string {
    return this.members.getString('commitId') ?? '';
  }

  /**
   * Adds one delta. A member replaces the one before it, null takes it away.
   *
   * @throws ArkAgentError state_corrupt when the delta does not follow this document
   */
  apply(delta: JsonObject, path: string): void {
    const reader: DocumentReader = new DocumentReader(delta, path);
    if (reader.count('after') !== this.revision || reader.string('incarnation') !== this.incarnation) {
      throw StateFault.corrupt(reader.at('after'), `the revision before it, ${this.revision}`, 'another one');
    }
    if (reader.count('historyFrom') !== this.history.length) {
      throw StateFault.corrupt(reader.at('historyFrom'), `${this.history.length}`, 'another length');
    }
    for (const message of reader.items('history')) {
      this.history.push(message);
    }
    delta.forEach((key: string, value: JsonValue): void => {
      if (key === 'after' || key === 'historyFrom' || key === 'history') {
        return;
      }
      if (value.isNull()) {
        this.members.remove(key);
      } else {
        this.members.set(key, value);
      }
    });
  }
}
