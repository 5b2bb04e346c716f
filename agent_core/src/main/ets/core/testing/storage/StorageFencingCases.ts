import { ArkAgentError } from '../../base/ArkAgentError';
import { ErrorCode } from '../../base/ErrorCodes';
import { Result } from '../../base/Result';
import { AgentState } from '../../state/AgentState';
import { StateStorage } from '../../state/StateStorage';
import { Check } from './Check';
import { SampleStates } from './SampleStates';
import { StorageCase, StorageFactory, StorageWorld } from './StorageCase';
import { StorageSteps } from './StorageSteps';

class LateWriterCase implements StorageCase {
  readonly name: string = 'fencing: who wrote second from the same state gets state_conflict and changes nothing';

  async run(factory: StorageFactory): Promise<void> {
    const world: StorageWorld = await factory.create();
    const one: StateStorage = world.open();
    const two: StateStorage = world.open();
    const base: AgentState = await StorageSteps.begin(one, 's', 'a');
    await StorageSteps.load(two, 's');
    const winner: AgentState = await StorageSteps.commit(two, base, SampleStates.exchanged(base, 'b'));
    const late: Result<number, ArkAgentError> = await one.commit(SampleStates.commit(base, SampleStates.exchanged(base, 'c')));
    Check.fails(late, ErrorCode.stateConflict, 'the second writer');
    await StorageSteps.expectStored(world.open(), winner, 'the winner');
    await StorageSteps.expectStored(one, winner, 'the loser reads the winner');
    await StorageSteps.commit(one, winner, SampleStates.exchanged(winner, 'c'));
    await world.dispose();
  }
}

class RaceCase implements StorageCase {
  readonly name: string = 'fencing: of many commits at once from one state exactly one succeeds';

  async run(factory: StorageFactory): Promise<void> {
    const world: StorageWorld = await factory.create();
    const base: AgentState = await StorageSteps.begin(world.open(), 's', 'a');
    const racing: Array<Promise<Result<number, ArkAgentError>>> = [];
    const tries: AgentState[] = [];
    for (let i: number = 0; i < 8; i++) {
      tries.push(SampleStates.exchanged(base, `racer${i}`));
      racing.push(world.open().commit(SampleStates.commit(base, tries[i])));
    }
    let winner: AgentState | undefined = undefined;
    const outcomes: Array<Result<number, ArkAgentError>> = await Promise.all(racing);
    for (let i: number = 0; i < outcomes.length; i++) {
      if (outcomes[i].ok) {
        Check.that(winner === undefined, 'one winner');
        winner = tries[i];
      } else {
        Check.fails(outcomes[i], ErrorCode.stateConflict, 'a loser');
      }
    }
    await StorageSteps.expectStored(world.open(), winner ?? base, 'the winner');
    Check.that(winner !== undefined, 'a winner');
    await world.dispose();
  }
}

class CreateRaceCase implements StorageCase {
  readonly name: string = 'fencing: of two creations of one session exactly one succeeds';

  async run(factory: StorageFactory): Promise<void> {
    const world: StorageWorld = await factory.create();
    const fresh: AgentState = SampleStates.fresh('s');
    const outcomes: Array<Result<number, ArkAgentError>> = await Promise.all([
      world.open().commit(SampleStates.commit(fresh, SampleStates.exchanged(fresh, 'a'))),
      world.open().commit(SampleStates.commit(fresh, SampleStates.exchanged(fresh, 'b')))
    ]);
    Check.same(outcomes.filter((outcome: Result<number, ArkAgentError>): boolean => outcome.ok).length, 1, 'winners');
    await world.dispose();
  }
}

class RecreatedCase implements StorageCase {
  readonly name: string = 'fencing: a removed and recreated session is another one, equal revision or not';

  async run(factory: StorageFactory): Promise<void> {
    const world: StorageWorld = await factory.create();
    const storage: StateStorage = world.open();
    const old: AgentState = await StorageSteps.begin(storage, 's', 'a');
    Check.same(Check.value(await storage.remove('s'), 'remove'), true, 'removed');
    Check.that(await StorageSteps.load(world.open(), 's') === undefined, 'gone');
    const orphan: Result<number, ArkAgentError> = await storage.commit(SampleStates.commit(old, SampleStates.exchanged(old, 'a')));
    Check.fails(orphan, ErrorCode.stateConflict, 'a commit to a removed session');
    const again: AgentState = await StorageSteps.begin(world.open(), 's', 'b');
    Check.same(again.revision, old.revision, 'equal revisions');
    const stale: Result<number, ArkAgentError> = await storage.commit(SampleStates.commit(old, SampleStates.exchanged(old, 'a')));
    Check.fails(stale, ErrorCode.stateConflict, 'a commit of the earlier life');
    Check.fails(await storage.markNotResumable(StorageSteps.mark(old)), ErrorCode.stateConflict, 'a mark of the earlier life');
    await StorageSteps.expectStored(world.open(), again, 'the new life');
    await world.dispose();
  }
}

class ManySessionsCase implements StorageCase {
  readonly name: string = 'concurrent sessions do not disturb each other, and one storage keeps the order within each';

  async run(factory: StorageFactory): Promise<void> {
    const world: StorageWorld = await factory.create();
    const storage: StateStorage = world.open();
    const ends: AgentState[] = await Promise.all(
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map<Promise<AgentState>>(
        (n: number): Promise<AgentState> => this.converse(storage, `session-${n}`, n)));
    for (const end of ends) {
      await StorageSteps.expectStored(world.open(), end, end.sessionId);
    }
    Check.same(Check.value(await world.open().list(), 'list').length, ends.length, 'sessions');
    await world.dispose();
  }

  private async converse(storage: StateStorage, sessionId: string, turns: number): Promise<AgentState> {
    let state: AgentState = await StorageSteps.begin(storage, sessionId, sessionId);
    for (let i: number = 0; i < turns; i++) {
      state = await StorageSteps.commit(storage, state, SampleStates.exchanged(state, sessionId));
    }
    return state;
  }
}

/** Compare-and-set between storages that share a place. */
export class StorageFencingCases {
  static cases(): ReadonlyArray<StorageCase> {
    return [new LateWriterCase(), new RaceCase(), new CreateRaceCase(), new RecreatedCase(), new ManySessionsCase()];
  }
}
