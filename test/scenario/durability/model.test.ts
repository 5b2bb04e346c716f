import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UnknownOutcomePolicy } from '@core/approval/ApprovalModes';
import { FileStateStorage } from '@core/state/file/FileStateStorage';
import type { StateStorage } from '@core/state/StateStorage';
import { MemoryFileSystem } from '@core/testing/storage/MemoryFileSystem';
import { TestOwner } from '@core/testing/storage/TestOwner';
import { TestDigest } from '@core/testing/TestDigest';
import { NodeScheduler } from '../../../host/src/ports/NodeScheduler';
import { Session, type Step, STEP_KINDS } from './session';

/** Sequences per run of the suite; more with ARKAGENT_SEQUENCES. */
const SEQUENCES = Number(process.env.ARKAGENT_SEQUENCES ?? 500);

/** The model keeps nothing: what must hold is held against the session's own books after every step. */
class Command implements fc.AsyncCommand<object, Session> {
  constructor(private readonly step: Step) {}

  check(): boolean {
    return true;
  }

  async run(_model: object, session: Session): Promise<void> {
    await session.take(this.step);
  }

  toString(): string {
    return `${this.step.kind}(${this.step.a},${this.step.b})`;
  }
}

const command = fc.record({ kind: fc.constantFrom(...STEP_KINDS), a: fc.nat(7), b: fc.nat(7) }).map((step) => new Command(step));
const policy = fc.constantFrom(UnknownOutcomePolicy.report, UnknownOutcomePolicy.ask);

/** What the sequences of a test came to. */
class Tally {
  commits = 0;
  effects = 0;
  readonly endings = new Set<string>();

  /** Runs the sequences; each on a disk of its own. */
  async over(sequences: number, medium: () => (() => StateStorage) | undefined): Promise<void> {
    await fc.assert(fc.asyncProperty(policy, fc.commands([command], { maxCommands: 24, size: 'max' }), async (asks, commands) => {
      const session = new Session(asks, medium());
      await session.begin();
      await fc.asyncModelRun(() => ({ model: {}, real: session }), commands);
      await session.settle();
      this.commits += session.commits;
      this.effects += session.effects;
      session.endings.forEach((ending) => this.endings.add(ending));
    }), { numRuns: sequences });
  }
}

/** Files on a disk in memory; every process has a storage of its own. */
function files(): () => StateStorage {
  const fs = new MemoryFileSystem();
  let owners = 0;
  return () => new FileStateStorage(fs, new TestDigest(), '/state', { owner: new TestOwner(`p${++owners}`, []), scheduler: new NodeScheduler() });
}

describe('STA-01 any sequence of operations', () => {
  it(`STA-01 keeps every invariant over ${SEQUENCES} sequences of input, decisions, resumes, cancels, kills and a second owner`, async () => {
    const tally = new Tally();
    await tally.over(SEQUENCES, () => undefined);
    expect(tally.commits).toBeGreaterThan(SEQUENCES * 10);
    expect(tally.effects).toBeGreaterThan(SEQUENCES / 2);
    for (const ending of ['complete', 'awaiting_approval', 'cancelled', 'suspended', 'state_conflict', 'pending_approval_blocks_input', 'state_save_failed', 'stopped']) {
      expect(tally.endings, 'the sequences are worth something').toContain(ending);
    }
  }, 120_000 + SEQUENCES * 100);

  it('STA-01 does so on files, read back by every process', async () => {
    const sequences = Math.ceil(SEQUENCES / 10);
    const tally = new Tally();
    await tally.over(sequences, files);
    expect(tally.effects).toBeGreaterThan(sequences / 2);
  }, 120_000 + SEQUENCES * 100);
});
