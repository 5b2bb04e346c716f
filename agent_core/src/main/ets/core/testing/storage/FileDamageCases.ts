import { ArkAgentError } from '../../base/ArkAgentError';
import { ErrorCode } from '../../base/ErrorCodes';
import { Result } from '../../base/Result';
import { AgentState } from '../../state/AgentState';
import { StateStorage } from '../../state/StateStorage';
import { Check } from './Check';
import { MemoryFileSystem } from './MemoryFileSystem';
import { SampleStates } from './SampleStates';
import { FileStorageCase, FileStorageFactory } from './StorageCase';
import { StorageSteps } from './StorageSteps';
import { TestOwner } from './TestOwner';
import { Utf8Bytes } from './Utf8Bytes';

const DIRECTORY: string = '/state';
const SNAPSHOT: string = `${DIRECTORY}/s.json`;
const LOG: string = `${DIRECTORY}/s.1.log`;
const APPEND: number = 1024 * 1024;

/** A disk with a session of three commits: a snapshot and two records. */
class Damaged {
  readonly disk: MemoryFileSystem;
  readonly states: AgentState[];
  private readonly factory: FileStorageFactory;
  private opened: number = 0;

  constructor(factory: FileStorageFactory, disk: MemoryFileSystem, states: AgentState[]) {
    this.factory = factory;
    this.disk = disk;
    this.states = states;
  }

  /** The same on a disk of its own. */
  copy(): Damaged {
    return new Damaged(this.factory, this.disk.copy(), this.states);
  }

  static async of(factory: FileStorageFactory): Promise<Damaged> {
    const made: Damaged = new Damaged(factory, new MemoryFileSystem(), []);
    const storage: StateStorage = made.open();
    made.states.push(await StorageSteps.begin(storage, 's', 'setup'));
    made.states.push(await StorageSteps.commit(storage, made.states[0], SampleStates.exchanged(made.states[0], 'setup')));
    made.states.push(await StorageSteps.commit(storage, made.states[1], SampleStates.suspended(made.states[1], 'setup')));
    await storage.close();
    return made;
  }

  open(): StateStorage {
    this.opened++;
    return this.factory.open(this.disk, DIRECTORY, new TestOwner(`p${this.opened}`, []), APPEND);
  }

  /** Corrupt, set aside, kept byte by byte, and taking nothing until it is removed. */
  async expectQuarantine(broken: string, aside: string): Promise<void> {
    const bytes: string = Utf8Bytes.decode(this.disk.bytes(broken));
    const found: ArkAgentError = Check.fails(await this.open().load('s'), ErrorCode.stateCorrupt, 'load');
    Check.same(found.details?.get('file') as string, aside, 'details.file');
    Check.same(Utf8Bytes.decode(this.disk.bytes(aside)), bytes, 'the kept bytes');
    Check.fails(await this.open().load('s'), ErrorCode.stateCorrupt, 'load again');
    const fresh: AgentState = SampleStates.fresh('s');
    const storage: StateStorage = this.open();
    Check.fails(await storage.commit(SampleStates.commit(fresh, SampleStates.exchanged(fresh, 'x'))), ErrorCode.stateCorrupt,
      'a new session over it');
    Check.fails(await storage.commit(SampleStates.commit(this.states[2], SampleStates.approved(this.states[2], 'x'))),
      ErrorCode.stateCorrupt, 'a commit of the old one');
    Check.same((await StorageSteps.line(this.open(), 's'))?.resumable, false, 'resumable in the list');
    Check.same(Utf8Bytes.decode(this.disk.bytes(aside)), bytes, 'the kept bytes afterwards');
    Check.same(Check.value(await storage.remove('s'), 'remove'), true, 'removed');
    const again: AgentState = await StorageSteps.begin(storage, 's', 'again');
    await StorageSteps.expectStored(this.open(), again, 'a new session after the removal');
  }
}

class CutSnapshotCase implements FileStorageCase {
  readonly name: string = 'S12 a snapshot cut at any byte is state_corrupt, kept, and never replaced';

  async run(factory: FileStorageFactory): Promise<void> {
    const whole: Damaged = await Damaged.of(factory);
    const size: number = whole.disk.bytes(SNAPSHOT).length;
    for (let bytes: number = 0; bytes < size; bytes++) {
      const made: Damaged = whole.copy();
      made.disk.overwrite(SNAPSHOT, made.disk.bytes(SNAPSHOT).slice(0, bytes));
      await made.expectQuarantine(SNAPSHOT, `${DIRECTORY}/s.corrupt.json`);
    }
  }
}

class ZeroedSnapshotCase implements FileStorageCase {
  readonly name: string = 'S12 a snapshot full of zeros is state_corrupt, never an empty session';

  async run(factory: FileStorageFactory): Promise<void> {
    const made: Damaged = await Damaged.of(factory);
    made.disk.overwrite(SNAPSHOT, new Uint8Array(made.disk.bytes(SNAPSHOT).length));
    await made.expectQuarantine(SNAPSHOT, `${DIRECTORY}/s.corrupt.json`);
  }
}

class FlippedByteCase implements FileStorageCase {
  readonly name: string = 'S12 one changed byte anywhere in snapshot or log is noticed';

  async run(factory: FileStorageFactory): Promise<void> {
    const whole: Damaged = await Damaged.of(factory);
    for (const path of [SNAPSHOT, LOG]) {
      const size: number = whole.disk.bytes(path).length;
      for (let at: number = 0; at < size - 1; at++) {
        const made: Damaged = whole.copy();
        const bytes: Uint8Array = made.disk.bytes(path).slice();
        bytes[at] = bytes[at] === 0x30 ? 0x31 : 0x30;
        made.disk.overwrite(path, bytes);
        const loaded: Result<AgentState | undefined, ArkAgentError> = await made.open().load('s');
        Check.that(!loaded.ok, `byte ${at} of ${path} is noticed`);
        Check.that(loaded.error.code === ErrorCode.stateCorrupt || loaded.error.code === ErrorCode.stateVersionUnsupported,
          `byte ${at} of ${path} is reported as damage, not ${loaded.error.code}`);
      }
    }
  }
}

class BrokenMiddleCase implements FileStorageCase {
  readonly name: string = 'S12 a broken record in the middle of the log is state_corrupt, not the end of the session';

  async run(factory: FileStorageFactory): Promise<void> {
    const made: Damaged = await Damaged.of(factory);
    const bytes: Uint8Array = made.disk.bytes(LOG).slice();
    bytes[300] = bytes[300] === 0x30 ? 0x31 : 0x30;
    made.disk.overwrite(LOG, bytes);
    await made.expectQuarantine(LOG, `${DIRECTORY}/s.corrupt.log`);
  }
}

class MissingRecordCase implements FileStorageCase {
  readonly name: string = 'S12 a log that lost a record, or belongs to another life, is state_corrupt';

  async run(factory: FileStorageFactory): Promise<void> {
    const made: Damaged = await Damaged.of(factory);
    const text: string = Utf8Bytes.decode(made.disk.bytes(LOG));
    made.disk.overwrite(LOG, Utf8Bytes.encode(text.slice(text.indexOf('\n') + 1)));
    await made.expectQuarantine(LOG, `${DIRECTORY}/s.corrupt.log`);
  }
}

class TornTailCase implements FileStorageCase {
  readonly name: string = 'torn tails: the begin of a record, or one with holes, is dropped and the session goes on';

  async run(factory: FileStorageFactory): Promise<void> {
    const whole: Damaged = await Damaged.of(factory);
    const log: Uint8Array = whole.disk.bytes(LOG);
    const first: number = log.indexOf(0x0a) + 1;
    for (let bytes: number = first; bytes < log.length; bytes++) {
      await this.expectEarlier(whole.copy(), log.slice(0, bytes), `${bytes} bytes`);
    }
    const holes: Uint8Array = log.slice();
    holes.fill(0, first, log.length - 20);
    await this.expectEarlier(whole.copy(), holes, 'a hole before the end');
    holes.fill(0, first);
    await this.expectEarlier(whole.copy(), holes, 'nothing but a hole');
  }

  private async expectEarlier(made: Damaged, bytes: Uint8Array, what: string): Promise<void> {
    made.disk.overwrite(LOG, bytes);
    const storage: StateStorage = made.open();
    await StorageSteps.expectStored(storage, made.states[1], what);
    const next: AgentState = await StorageSteps.commit(storage, made.states[1], SampleStates.exchanged(made.states[1], 'next'));
    await StorageSteps.expectStored(made.open(), next, `going on after ${what}`);
  }
}

class ForeignSessionCase implements FileStorageCase {
  readonly name: string = 'a file that holds another session is state_corrupt';

  async run(factory: FileStorageFactory): Promise<void> {
    const made: Damaged = await Damaged.of(factory);
    made.disk.overwrite(`${DIRECTORY}/t.json`, made.disk.bytes(SNAPSHOT));
    Check.fails(await made.open().load('t'), ErrorCode.stateCorrupt, 'load');
  }
}

/** Bytes that are not what was written. */
export class FileDamageCases {
  static cases(): ReadonlyArray<FileStorageCase> {
    return [
      new CutSnapshotCase(), new ZeroedSnapshotCase(), new FlippedByteCase(), new BrokenMiddleCase(), new MissingRecordCase(),
      new TornTailCase(), new ForeignSessionCase()
    ];
  }
}
