import { ErrorCode } from '../../base/ErrorCodes';
import { AgentMessage } from '../../message/AgentMessage';
import { MessageList } from '../../message/MessageList';
import { AgentState, AgentStateParts } from '../../state/AgentState';
import { StateStorage } from '../../state/StateStorage';
import { Check } from './Check';
import { SampleStates } from './SampleStates';
import { StorageCase, StorageFactory, StorageWorld } from './StorageCase';
import { StorageSteps } from './StorageSteps';

class AbsentCase implements StorageCase {
  readonly name: string = 'a session that was never written loads as undefined and is not listed';

  async run(factory: StorageFactory): Promise<void> {
    const world: StorageWorld = await factory.create();
    const storage: StateStorage = world.open();
    Check.that(await StorageSteps.load(storage, 'nobody') === undefined, 'undefined');
    Check.same(Check.value(await storage.list(), 'list').length, 0, 'sessions');
    Check.same(Check.value(await storage.remove('nobody'), 'remove'), false, 'remove of nothing');
    await world.dispose();
  }
}

class RoundTripCase implements StorageCase {
  readonly name: string = 'durability: what a commit acknowledged is what any later storage loads, step by step';

  async run(factory: StorageFactory): Promise<void> {
    const world: StorageWorld = await factory.create();
    const writer: StateStorage = world.open();
    let state: AgentState = await StorageSteps.begin(writer, 'baking-1', 'a');
    await StorageSteps.expectStored(world.open(), state, 'after the first commit');
    state = await StorageSteps.commit(writer, state, SampleStates.suspended(state, 'a'));
    await StorageSteps.expectStored(world.open(), state, 'suspended');
    state = await StorageSteps.commit(writer, state, SampleStates.approved(state, 'a'));
    await StorageSteps.expectStored(world.open(), state, 'decided');
    state = await StorageSteps.commit(writer, state, SampleStates.carriedOut(state, 'a'));
    await StorageSteps.expectStored(world.open(), state, 'carried out');
    await world.dispose();
  }
}

class ReplacedHistoryCase implements StorageCase {
  readonly name: string = 'a commit whose history was rewritten is stored as it is';

  async run(factory: StorageFactory): Promise<void> {
    const world: StorageWorld = await factory.create();
    const storage: StateStorage = world.open();
    let state: AgentState = await StorageSteps.begin(storage, 's', 'a');
    state = await StorageSteps.commit(storage, state, SampleStates.exchanged(state, 'a'));
    const parts: AgentStateParts = SampleStates.nextParts(state, 'a');
    parts.history = MessageList.of(state.history.slice(2));
    state = await StorageSteps.commit(storage, state, new AgentState(parts));
    await StorageSteps.expectStored(world.open(), state, 'rewritten');
    state = await StorageSteps.commit(storage, state, SampleStates.exchanged(state, 'a'));
    await StorageSteps.expectStored(world.open(), state, 'and gone on');
    await world.dispose();
  }
}

class CloseCase implements StorageCase {
  readonly name: string = 'a closed storage may be used again';

  async run(factory: StorageFactory): Promise<void> {
    const world: StorageWorld = await factory.create();
    const storage: StateStorage = world.open();
    const state: AgentState = await StorageSteps.begin(storage, 's', 'a');
    await storage.close();
    const next: AgentState = await StorageSteps.commit(storage, state, SampleStates.exchanged(state, 'a'));
    await storage.close();
    await StorageSteps.expectStored(world.open(), next, 'after close');
    await world.dispose();
  }
}

class LongHistoryCase implements StorageCase {
  readonly name: string = '10,000 messages are stored and taken up again';

  async run(factory: StorageFactory): Promise<void> {
    const world: StorageWorld = await factory.create();
    const storage: StateStorage = world.open();
    const fresh: AgentState = SampleStates.fresh('long');
    let longer: AgentState = SampleStates.exchanged(fresh, 'a');
    const parts: AgentStateParts = longer.toParts();
    const history: AgentMessage[] = longer.history.toArray();
    while (history.length < 10000) {
      history.push(history[history.length % 2].stamped('', 0));
    }
    parts.history = MessageList.of(history);
    longer = await StorageSteps.commit(storage, fresh, new AgentState(parts));
    const next: AgentState = await StorageSteps.commit(storage, longer, SampleStates.exchanged(longer, 'a'));
    const loaded: AgentState | undefined = await StorageSteps.load(world.open(), 'long');
    Check.same(loaded?.history.length, 10002, 'messages');
    Check.same(loaded?.history.last()?.text(), next.history.last()?.text(), 'the last one');
    await world.dispose();
  }
}

class MarkCase implements StorageCase {
  readonly name: string = 'STA-04 a marked session loads as not resumable, and only that state of it';

  async run(factory: StorageFactory): Promise<void> {
    const world: StorageWorld = await factory.create();
    const storage: StateStorage = world.open();
    const first: AgentState = await StorageSteps.begin(storage, 's', 'a');
    const second: AgentState = await StorageSteps.commit(storage, first, SampleStates.exchanged(first, 'a'));
    Check.fails(await storage.markNotResumable(StorageSteps.mark(first)), ErrorCode.stateConflict, 'mark of an older state');
    Check.same((await StorageSteps.load(storage, 's'))?.resumable, true, 'resumable before');
    Check.value(await storage.markNotResumable(StorageSteps.mark(second)), 'mark');
    const loaded: AgentState | undefined = await StorageSteps.load(world.open(), 's');
    Check.same(loaded?.resumable, false, 'resumable');
    Check.same(loaded?.revision, second.revision, 'revision');
    Check.same((await StorageSteps.line(world.open(), 's'))?.resumable, false, 'resumable in the list');
    Check.value(await storage.markNotResumable(StorageSteps.mark(second)), 'mark again');
    Check.fails(await storage.markNotResumable(StorageSteps.mark(SampleStates.fresh('gone'))), ErrorCode.stateConflict, 'mark of nothing');
    await world.dispose();
  }
}

/** What every adapter does with one session after the other. */
export class StorageBasics {
  static cases(): ReadonlyArray<StorageCase> {
    return [
      new AbsentCase(), new RoundTripCase(), new ReplacedHistoryCase(), new CloseCase(), new LongHistoryCase(), new MarkCase()
    ];
  }
}
