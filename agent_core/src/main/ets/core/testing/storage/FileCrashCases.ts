import { ArkAgentError } from '../../base/ArkAgentError';
import { Result } from '../../base/Result';
import { FileErrorKind } from '../../port/FileSystem';
import { AgentState } from '../../state/AgentState';
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
const FOLD: number = 0;

/** A disk with a session of two commits, and the third one that a case lets go wrong. */
class Scene {
  readonly disk: MemoryFileSystem;
  readonly before: AgentState;
  readonly after: AgentState;

  constructor(disk: MemoryFileSystem, before: AgentState) {
    this.disk = disk;
    this.before = before;
    this.after = SampleStates.suspended(before, 'crash');
  }

  static async of(factory: FileStorageFactory): Promise<Scene> {
    const disk: MemoryFileSystem = new MemoryFileSystem();
    const storage: StateStorage = factory.open(disk, DIRECTORY, new TestOwner('setup', []), APPEND);
    const first: AgentState = await StorageSteps.begin(storage, '烘焙', 'setup');
    const second: AgentState = await StorageSteps.commit(storage, first, SampleStates.exchanged(first, 'setup'));
    await storage.close();
    return new Scene(disk, second);
  }

  /** Commits over a copy of the disk that fails as planned, then looks with a storage of a later process. */
  async crash(factory: FileStorageFactory, plan: CrashPlan, minLogBytes: number): Promise<CrashingFileSystem> {
    const copy: MemoryFileSystem = this.disk.copy();
    const failing: CrashingFileSystem = new CrashingFileSystem(copy, plan);
    const victim: StateStorage = factory.open(failing, DIRECTORY, new TestOwner('victim', []), minLogBytes);
    const outcome: Result<number, ArkAgentError> = await victim.commit(SampleStates.commit(this.before, this.after));
    await this.inspect(factory, copy, outcome.ok, `operation ${plan.at}, ${plan.keptBytes} bytes`);
    return failing;
  }

  /** Either state may be there, the new one must be when it was acknowledged, and the session goes on from it. */
  async inspect(factory: FileStorageFactory, disk: MemoryFileSystem, acknowledged: boolean, where: string): Promise<void> {
    const heir: StateStorage = factory.open(disk, DIRECTORY, new TestOwner('heir', ['victim']), APPEND);
    const found: AgentState | undefined = await StorageSteps.load(heir, this.before.sessionId);
    Check.that(found !== undefined, `a state after ${where}`);
    const text: string = StorageSteps.text(found as AgentState);
    const isNew: boolean = text === StorageSteps.text(this.after);
    Check.that(isNew || text === StorageSteps.text(this.before), `one of the two states after ${where}`);
    Check.that(isNew || !acknowledged, `what was acknowledged, after ${where}`);
    const standing: AgentState = found as AgentState;
    const next: AgentState = await StorageSteps.commit(heir, standing, isNew ? SampleStates.approved(standing, 'heir') :
      SampleStates.exchanged(standing, 'heir'));
    await StorageSteps.expectStored(heir, next, `going on after ${where}`);
  }
}

class CrashEverywhereCase implements FileStorageCase {
  readonly name: string;
  private readonly minLogBytes: number;

  constructor(how: string, minLogBytes: number) {
    this.name = `S12 a crash at every operation of a commit, before, after and at every byte of a write: ${how}`;
    this.minLogBytes = minLogBytes;
  }

  async run(factory: FileStorageFactory): Promise<void> {
    const scene: Scene = await Scene.of(factory);
    let at: number = 0;
    let finished: boolean = false;
    while (!finished) {
      const whole: CrashingFileSystem = await scene.crash(factory, CrashEverywhereCase.plan(at, -1), this.minLogBytes);
      await scene.crash(factory, CrashEverywhereCase.plan(at, 0), this.minLogBytes);
      for (let bytes: number = 1; bytes < whole.failedBytes; bytes++) {
        await scene.crash(factory, CrashEverywhereCase.plan(at, bytes), this.minLogBytes);
      }
      finished = whole.operations <= at;
      at++;
    }
    Check.that(at > 5, 'several operations in a commit');
  }

  private static plan(at: number, keptBytes: number): CrashPlan {
    const plan: CrashPlan = { at: at, keptBytes: keptBytes, kind: FileErrorKind.io, dies: true };
    return plan;
  }
}

class FailEverywhereCase implements FileStorageCase {
  readonly name: string;
  private readonly kind: FileErrorKind;
  private readonly minLogBytes: number;

  constructor(kind: FileErrorKind, how: string, minLogBytes: number) {
    this.name = `${kind} at every operation of a commit leaves a session that goes on: ${how}`;
    this.kind = kind;
    this.minLogBytes = minLogBytes;
  }

  /** The same storage tries again, as a runtime does after an ordinary failed save. */
  async run(factory: FileStorageFactory): Promise<void> {
    const scene: Scene = await Scene.of(factory);
    let reached: boolean = true;
    for (let at: number = 0; reached; at++) {
      const copy: MemoryFileSystem = scene.disk.copy();
      const plan: CrashPlan = { at: at, keptBytes: 7, kind: this.kind, dies: false };
      const failing: CrashingFileSystem = new CrashingFileSystem(copy, plan);
      const storage: StateStorage = factory.open(failing, DIRECTORY, new TestOwner('victim', []), this.minLogBytes);
      const first: Result<number, ArkAgentError> = await storage.commit(SampleStates.commit(scene.before, scene.after));
      if (!first.ok) {
        await StorageSteps.expectStored(storage, scene.before, `the old state after operation ${at}`);
        await StorageSteps.commit(storage, scene.before, scene.after);
      }
      await StorageSteps.expectStored(storage, scene.after, `the new state after operation ${at}`);
      await scene.inspect(factory, copy, true, `operation ${at}`);
      reached = failing.operations > at;
    }
  }
}

class PowerLossCase implements FileStorageCase {
  readonly name: string;
  private readonly minLogBytes: number;

  constructor(how: string, minLogBytes: number) {
    this.name = `a commit that resolved survives a loss of power: ${how}`;
    this.minLogBytes = minLogBytes;
  }

  async run(factory: FileStorageFactory): Promise<void> {
    const disk: MemoryFileSystem = new MemoryFileSystem();
    const fresh: AgentState = SampleStates.fresh('s');
    let state: AgentState = fresh;
    for (let i: number = 0; i < 6; i++) {
      const storage: StateStorage = factory.open(disk, DIRECTORY, new TestOwner(`p${i}`, [`p${i - 1}`]), this.minLogBytes);
      await StorageSteps.load(storage, 's');
      state = await StorageSteps.commit(storage, state, SampleStates.exchanged(state, 'a'));
      disk.losePower();
      await StorageSteps.expectStored(storage, state, `commit ${i}`);
    }
  }
}

class RemovalCrashCase implements FileStorageCase {
  readonly name: string = 'a crash at every operation of a removal leaves the session or none, and a new life without traces of the old';

  async run(factory: FileStorageFactory): Promise<void> {
    const scene: Scene = await Scene.of(factory);
    let reached: boolean = true;
    for (let at: number = 0; reached; at++) {
      const copy: MemoryFileSystem = scene.disk.copy();
      const plan: CrashPlan = { at: at, keptBytes: 0, kind: FileErrorKind.io, dies: true };
      const failing: CrashingFileSystem = new CrashingFileSystem(copy, plan);
      await factory.open(failing, DIRECTORY, new TestOwner('victim', []), APPEND).remove(scene.before.sessionId);
      const heir: StateStorage = factory.open(copy, DIRECTORY, new TestOwner('heir', ['victim']), APPEND);
      const left: string = await StorageSteps.stored(heir, scene.before.sessionId);
      Check.that(left === '' || left === StorageSteps.text(scene.before), `the session or none after operation ${at}`);
      if (left === '') {
        let again: AgentState = await StorageSteps.begin(heir, scene.before.sessionId, 'heir');
        again = await StorageSteps.commit(heir, again, SampleStates.exchanged(again, 'heir'));
        await StorageSteps.expectStored(heir, again, `a new life after operation ${at}`);
      }
      reached = failing.operations > at;
    }
  }
}

class LeftoversCase implements FileStorageCase {
  readonly name: string = 'temporaries and claims of dead processes are removed on start, those of living ones are not';

  async run(factory: FileStorageFactory): Promise<void> {
    const scene: Scene = await Scene.of(factory);
    for (const owner of ['dead', 'alive']) {
      await scene.disk.writeNew(`${DIRECTORY}/a.tmp-${owner}`, 'half', true);
      await scene.disk.makeDirectory(`${DIRECTORY}/.claim-${owner}-0`);
      await scene.disk.writeNew(`${DIRECTORY}/.claim-${owner}-0/${owner}`, '', true);
    }
    await StorageSteps.load(factory.open(scene.disk, DIRECTORY, new TestOwner('new', ['dead']), APPEND), 'other');
    const left: string = scene.disk.paths().filter((path: string): boolean => path.includes('dead') || path.includes('alive')).join(' ');
    Check.same(left, `${DIRECTORY}/a.tmp-alive ${DIRECTORY}/.claim-alive-0/alive`, 'what is left');
  }
}

class StaleClaimCase implements FileStorageCase {
  readonly name: string = 'the claim of a dead owner is broken, that of a living one is state_conflict after the patience';

  async run(factory: FileStorageFactory): Promise<void> {
    const scene: Scene = await Scene.of(factory);
    const claim: string = `${DIRECTORY}/${StaleClaimCase.STEM}.lock`;
    await scene.disk.makeDirectory(claim);
    await scene.disk.writeNew(`${claim}/other`, '', true);
    const patient: StateStorage = factory.open(scene.disk, DIRECTORY, new TestOwner('p', []), APPEND);
    const refused: Result<number, ArkAgentError> = await patient.commit(SampleStates.commit(scene.before, scene.after));
    Check.same(refused.ok ? 'ok' : refused.error.code, 'state_conflict', 'a commit against a living owner');
    const heir: StateStorage = factory.open(scene.disk, DIRECTORY, new TestOwner('q', ['other']), APPEND);
    await StorageSteps.commit(heir, scene.before, scene.after);
  }

  private static readonly STEM: string = '%e7%83%98%e7%84%99';
}

/** Processes and power that end in the middle. */
export class FileCrashCases {
  static cases(): ReadonlyArray<FileStorageCase> {
    return [
      new CrashEverywhereCase('appending', APPEND), new CrashEverywhereCase('folding', FOLD),
      new FailEverywhereCase(FileErrorKind.noSpace, 'appending', APPEND),
      new FailEverywhereCase(FileErrorKind.noSpace, 'folding', FOLD),
      new FailEverywhereCase(FileErrorKind.denied, 'appending', APPEND),
      new FailEverywhereCase(FileErrorKind.io, 'folding', FOLD),
      new PowerLossCase('appending', APPEND), new PowerLossCase('folding', FOLD), new RemovalCrashCase(), new LeftoversCase(), new StaleClaimCase()
    ];
  }
}
