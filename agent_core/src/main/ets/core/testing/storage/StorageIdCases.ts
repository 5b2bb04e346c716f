import { ErrorCode } from '../../base/ErrorCodes';
import { AgentState } from '../../state/AgentState';
import { SessionSummary, StateStorage } from '../../state/StateStorage';
import { Check } from './Check';
import { SampleStates } from './SampleStates';
import { StorageCase, StorageFactory, StorageWorld } from './StorageCase';
import { StorageSteps } from './StorageSteps';

/** Ids that a careless adapter takes for a path, for one another, or for something else. */
const HOSTILE: ReadonlyArray<string> = [
  '.', '..', '../outside', '..\\outside', '/etc/passwd', 'C:\\boot', 'a/b', 'a%2fb', 'a', 'A', 'a.json', 'a.lock', 'a.prev',
  'a.corrupt', 'con', 'NUL', 'com1', ' ', ' a', 'a ', '~', '-rf', '*', '?', '"', '\'', '\n', '\u0000', 'a\u0000', '\u202e',
  '烘焙-1', '🥖', 'caf\u00e9', 'cafe\u0301', '\u0130', 'i\u0307', '%', '%41', '__proto__', 'constructor', '\ud800',
  '\'; DROP TABLE sessions; --'
];

class HostileIdsCase implements StorageCase {
  readonly name: string = 'hostile and unicode session ids each name one session of their own';

  async run(factory: StorageFactory): Promise<void> {
    const world: StorageWorld = await factory.create();
    const storage: StateStorage = world.open();
    const ids: string[] = HOSTILE.concat(['x'.repeat(200), 'X'.repeat(200), '烘'.repeat(200), `${'烘'.repeat(199)}焙`]);
    const states: AgentState[] = [];
    for (const id of ids) {
      Check.that(await StorageSteps.load(storage, id) === undefined, `${JSON.stringify(id)} is nobody else`);
      states.push(await StorageSteps.begin(storage, id, `w${states.length}`));
    }
    const other: StateStorage = world.open();
    for (const state of states) {
      await StorageSteps.expectStored(other, state, JSON.stringify(state.sessionId));
    }
    const listed: string[] = Check.value(await other.list(), 'list').map((line: SessionSummary): string => line.sessionId);
    Check.same(listed.sort().join('|'), ids.slice().sort().join('|'), 'ids in the list');
    for (const id of ids) {
      Check.same(Check.value(await other.remove(id), 'remove'), true, JSON.stringify(id));
    }
    Check.same(Check.value(await world.open().list(), 'list').length, 0, 'sessions after removing all');
    await world.dispose();
  }
}

class InvalidIdsCase implements StorageCase {
  readonly name: string = 'an empty id and one of more than 200 characters are session_id_invalid';

  async run(factory: StorageFactory): Promise<void> {
    const world: StorageWorld = await factory.create();
    const storage: StateStorage = world.open();
    for (const id of ['', 'x'.repeat(201)]) {
      const fresh: AgentState = SampleStates.fresh(id);
      Check.fails(await storage.load(id), ErrorCode.sessionIdInvalid, 'load');
      Check.fails(await storage.commit(SampleStates.commit(fresh, SampleStates.exchanged(fresh, 'a'))),
        ErrorCode.sessionIdInvalid, 'commit');
    }
    await world.dispose();
  }
}

class ListCase implements StorageCase {
  readonly name: string = 'the list names each session with its newest time';

  async run(factory: StorageFactory): Promise<void> {
    const world: StorageWorld = await factory.create();
    const storage: StateStorage = world.open();
    let state: AgentState = await StorageSteps.begin(storage, 'one', 'a');
    await StorageSteps.begin(storage, 'two', 'a');
    state = await StorageSteps.commit(storage, state, SampleStates.exchanged(state, 'a'));
    const line: SessionSummary | undefined = await StorageSteps.line(world.open(), 'one');
    Check.same(line?.updatedAtMs, state.updatedAtMs, 'updatedAtMs');
    Check.same(line?.resumable, true, 'resumable');
    Check.same(Check.value(await world.open().list(), 'list').length, 2, 'sessions');
    await world.dispose();
  }
}

/** Names of sessions. */
export class StorageIdCases {
  static cases(): ReadonlyArray<StorageCase> {
    return [new HostileIdsCase(), new InvalidIdsCase(), new ListCase()];
  }
}
