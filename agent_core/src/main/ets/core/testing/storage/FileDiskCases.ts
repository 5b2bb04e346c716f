import { ArkAgentError } from '../../base/ArkAgentError';
import { ErrorCode } from '../../base/ErrorCodes';
import { Result } from '../../base/Result';
import { FileErrorKind } from '../../port/FileSystem';
import { MessageList } from '../../message/MessageList';
import { AgentState, AgentStateParts } from '../../state/AgentState';
import { StateStorage } from '../../state/StateStorage';
import { Check } from './Check';
import { CrashingFileSystem, CrashPlan } from './CrashingFileSystem';
import { MemoryFileSystem } from './MemoryFileSystem';
import { SampleStates } from './SampleStates';
import { FileStorageCase, FileStorageFactory } from './StorageCase';
import { StorageSteps } from './StorageSteps';
import { TestOwner } from './TestOwner';

const DIRECTORY: string = '/state';
const APPEND: number = 1024 * 1024;

class FullDiskCase implements FileStorageCase {
  readonly name: string = 'STA-04 on a full disk a commit is state_save_failed and the mark still works';

  async run(factory: FileStorageFactory): Promise<void> {
    const disk: MemoryFileSystem = new MemoryFileSystem();
    const storage: StateStorage = factory.open(disk, DIRECTORY, new TestOwner('a', []), APPEND);
    const state: AgentState = await StorageSteps.begin(storage, 's', 'a');
    disk.capacity = 0;
    const terminal: AgentState = SampleStates.exchanged(state, 'a');
    Check.fails(await storage.commit(SampleStates.commit(state, terminal)), ErrorCode.stateSaveFailed, 'commit');
    await StorageSteps.expectStored(storage, state, 'the state before');
    Check.value(await storage.markNotResumable(StorageSteps.mark(state)), 'mark');
    const heir: StateStorage = factory.open(disk, DIRECTORY, new TestOwner('b', ['a']), APPEND);
    Check.same((await StorageSteps.load(heir, 's'))?.resumable, false, 'resumable');
    disk.capacity = APPEND;
    await StorageSteps.commit(heir, state, terminal);
    Check.same((await StorageSteps.load(heir, 's'))?.resumable, true, 'resumable of a later state');
  }
}

class DeniedReadCase implements FileStorageCase {
  readonly name: string = 'a file that may not be read is state_load_failed, never an absent session';

  async run(factory: FileStorageFactory): Promise<void> {
    const disk: MemoryFileSystem = new MemoryFileSystem();
    const owner: TestOwner = new TestOwner('a', []);
    const state: AgentState = await StorageSteps.begin(factory.open(disk, DIRECTORY, owner, APPEND), 's', 'a');
    const plan: CrashPlan = { at: 0, keptBytes: 0, kind: FileErrorKind.denied, dies: true };
    const denied: CrashingFileSystem = new CrashingFileSystem(disk, plan);
    await denied.unlink('/nothing');
    const storage: StateStorage = factory.open(denied, DIRECTORY, owner, APPEND);
    Check.fails(await storage.load('s'), ErrorCode.stateLoadFailed, 'load');
    Check.fails(await storage.list(), ErrorCode.stateLoadFailed, 'list');
    Check.fails(await storage.commit(SampleStates.commit(state, SampleStates.exchanged(state, 'a'))), ErrorCode.stateSaveFailed,
      'commit');
    await StorageSteps.expectStored(factory.open(disk, DIRECTORY, owner, APPEND), state, 'nothing changed');
  }
}

class AmbiguousCase implements FileStorageCase {
  readonly name: string = 'after an ambiguous error the commit id on the disk says whether the commit stands';

  /** The record is on the disk and the process is told otherwise, as with a failed flush and a failed cut after it. */
  async run(factory: FileStorageFactory): Promise<void> {
    const disk: MemoryFileSystem = new MemoryFileSystem();
    const state: AgentState = await StorageSteps.begin(
      factory.open(disk, DIRECTORY, new TestOwner('a', []), APPEND), 's', 'a');
    const next: AgentState = SampleStates.exchanged(state, 'a');
    const append: number = await AmbiguousCase.operationOfAppend(factory, disk.copy(), state, next);
    const plan: CrashPlan = { at: append, keptBytes: -1, kind: FileErrorKind.io, dies: true };
    const victim: StateStorage = factory.open(new CrashingFileSystem(disk, plan), DIRECTORY, new TestOwner('b', []), APPEND);
    Check.fails(await victim.commit(SampleStates.commit(state, next)), ErrorCode.stateSaveFailed, 'the unclear commit');
    const loaded: AgentState | undefined = await StorageSteps.load(
      factory.open(disk, DIRECTORY, new TestOwner('c', ['b']), APPEND), 's');
    Check.same(loaded?.commitId, next.commitId, 'commit id');
  }

  static async operationOfAppend(factory: FileStorageFactory, disk: MemoryFileSystem, state: AgentState,
    next: AgentState): Promise<number> {
    for (let at: number = 0; at < 20; at++) {
      const plan: CrashPlan = { at: at, keptBytes: 0, kind: FileErrorKind.io, dies: true };
      const failing: CrashingFileSystem = new CrashingFileSystem(disk.copy(), plan);
      await factory.open(failing, DIRECTORY, new TestOwner('b', []), APPEND).commit(SampleStates.commit(state, next));
      if (failing.failedBytes > 0) {
        return at;
      }
    }
    throw new Error('expected: a write in a commit');
  }
}

class FailedFlushCase implements FileStorageCase {
  readonly name: string = 'a record whose flush failed is taken back, so that nobody takes it for durable';

  async run(factory: FileStorageFactory): Promise<void> {
    const disk: MemoryFileSystem = new MemoryFileSystem();
    const state: AgentState = await StorageSteps.begin(
      factory.open(disk, DIRECTORY, new TestOwner('a', []), APPEND), 's', 'a');
    const next: AgentState = SampleStates.exchanged(state, 'a');
    const append: number = await AmbiguousCase.operationOfAppend(factory, disk.copy(), state, next);
    const plan: CrashPlan = { at: append, keptBytes: -1, kind: FileErrorKind.io, dies: false };
    const storage: StateStorage = factory.open(new CrashingFileSystem(disk, plan), DIRECTORY, new TestOwner('b', []), APPEND);
    Check.fails(await storage.commit(SampleStates.commit(state, next)), ErrorCode.stateSaveFailed, 'commit');
    await StorageSteps.expectStored(factory.open(disk, DIRECTORY, new TestOwner('c', []), APPEND), state, 'the state before');
    await StorageSteps.commit(storage, state, next);
  }
}

class ForeignFoldCase implements FileStorageCase {
  readonly name: string = 'fencing: a storage notices that another one folded the log that it knows';

  async run(factory: FileStorageFactory): Promise<void> {
    const disk: MemoryFileSystem = new MemoryFileSystem();
    const one: StateStorage = factory.open(disk, DIRECTORY, new TestOwner('a', []), APPEND);
    const state: AgentState = await StorageSteps.begin(one, 's', 'a');
    const parts: AgentStateParts = SampleStates.nextParts(state, 'b');
    parts.history = MessageList.of(state.history.slice(1));
    const folded: AgentState = await StorageSteps.commit(
      factory.open(disk, DIRECTORY, new TestOwner('b', []), APPEND), state, new AgentState(parts));
    Check.fails(await one.commit(SampleStates.commit(state, SampleStates.exchanged(state, 'a'))), ErrorCode.stateConflict,
      'a commit from before the fold');
    await StorageSteps.commit(one, folded, SampleStates.exchanged(folded, 'a'));
  }
}

class UnencodableCase implements FileStorageCase {
  readonly name: string = 'a state without JSON form is state_save_failed and changes nothing';

  async run(factory: FileStorageFactory): Promise<void> {
    const disk: MemoryFileSystem = new MemoryFileSystem();
    const storage: StateStorage = factory.open(disk, DIRECTORY, new TestOwner('a', []), APPEND);
    const state: AgentState = await StorageSteps.begin(storage, 's', 'a');
    const parts: AgentStateParts = SampleStates.nextParts(state, 'a');
    parts.updatedAtMs = Number.NaN;
    const outcome: Result<number, ArkAgentError> = await storage.commit(SampleStates.commit(state, new AgentState(parts)));
    Check.fails(outcome, ErrorCode.stateSaveFailed, 'commit');
    await StorageSteps.expectStored(storage, state, 'the state before');
  }
}

class CompactionCase implements FileStorageCase {
  readonly name: string = 'the log is folded before it outgrows its bound, and the generation before is kept with its log';

  async run(factory: FileStorageFactory): Promise<void> {
    const disk: MemoryFileSystem = new MemoryFileSystem();
    const bound: number = 4096;
    const storage: StateStorage = factory.open(disk, DIRECTORY, new TestOwner('a', []), bound);
    let state: AgentState = await StorageSteps.begin(storage, 's', 'a');
    for (let i: number = 0; i < 60; i++) {
      state = await StorageSteps.commit(storage, state, SampleStates.exchanged(state, 'a'));
      const snapshot: number = disk.bytes(`${DIRECTORY}/s.json`).length;
      for (const path of disk.paths()) {
        Check.that(!path.endsWith('.log') || disk.bytes(path).length <= Math.max(bound, snapshot), `a bounded log, ${path}`);
      }
    }
    const logs: string[] = disk.paths().filter((path: string): boolean => path.endsWith('.log'));
    Check.that(logs.length <= 2, `two logs at most, there are ${logs.length}`);
    Check.that(disk.bytes(`${DIRECTORY}/s.prev.json`).length > 0, 'the generation before');
    await StorageSteps.expectStored(factory.open(disk, DIRECTORY, new TestOwner('b', []), bound), state, 'after folding');
  }
}

/** Disks that refuse, and what a storage leaves on them. */
export class FileDiskCases {
  static cases(): ReadonlyArray<FileStorageCase> {
    return [new FullDiskCase(), new DeniedReadCase(), new AmbiguousCase(), new FailedFlushCase(),
      new ForeignFoldCase(), new UnencodableCase(), new CompactionCase()];
  }
}
