import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UnknownOutcomePolicy } from '@core/approval/ApprovalModes';
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

describe('STA-01 any sequence of operations', () => {
  it(`STA-01 keeps every invariant over ${SEQUENCES} sequences of input, decisions, resumes, cancels, kills and a second owner`, async () => {
    let commits = 0;
    let effects = 0;
    const reached = new Set<string>();
    await fc.assert(fc.asyncProperty(policy, fc.commands([command], { maxCommands: 24, size: 'max' }), async (asks, commands) => {
      const session = new Session(asks);
      await session.begin();
      await fc.asyncModelRun(() => ({ model: {}, real: session }), commands);
      await session.settle();
      commits += session.commits;
      effects += session.effects;
      session.endings.forEach((ending) => reached.add(ending));
    }), { numRuns: SEQUENCES });
    expect(commits).toBeGreaterThan(SEQUENCES * 10);
    expect(effects).toBeGreaterThan(SEQUENCES / 2);
    for (const ending of ['complete', 'awaiting_approval', 'cancelled', 'suspended', 'state_conflict', 'pending_approval_blocks_input', 'state_save_failed', 'stopped']) {
      expect(reached, 'the sequences are worth something').toContain(ending);
    }
  }, 120_000 + SEQUENCES * 100);
});
