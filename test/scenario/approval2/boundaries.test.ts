import { describe, expect, it } from 'vitest';
import { MessageRole } from '@core/message/AgentMessage';
import type { ScriptedResponder } from '@core/provider/ScriptedProvider';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import { CommitFault } from '@core/testing/StoppingStateStorage';
import type { RecordingTool } from '@core/testing/RecordingTool';
import type { Process } from '../../support/Process';
import { World } from '../../support/World';

type Wish = 'approve' | 'deny' | 'edit' | 'expire';

const WISHES: readonly Wish[] = ['approve', 'deny', 'edit', 'expire'];
const TTL_MS = 1000;
const EDITED = '{"n":100}';

/** A model that makes its calls once and then has its say; what it answers depends on the conversation alone. */
function model(calls: number): ScriptedResponder {
  return (request) => {
    const last = request.messages.last();
    if (last === undefined || last.role === MessageRole.user) {
      const turn = new ScriptedTurn();
      for (let n = 1; n <= calls; n++) {
        turn.call(`c${n}`, 'pay', `{"n":${n}}`);
      }
      return turn;
    }
    return ScriptedTurn.text('done');
  };
}

class Flow {
  readonly world = new World();
  readonly pay: RecordingTool;
  /** Decisions that were reported as stored, by position. */
  readonly reported: Map<number, string> = new Map();

  constructor(private readonly calls: number, private readonly wish: Wish) {
    this.pay = this.world.dangerous('pay');
  }

  open(): Promise<Process> {
    return this.world.open({ responder: model(this.calls), config: { approvalTtlMs: TTL_MS } });
  }

  /** The person answers whatever is asked: the first call as wished, the others with yes. */
  async decide(process: Process): Promise<void> {
    if (this.wish === 'expire' && process.questions().length > 0) {
      this.world.clock.advance(TTL_MS);
    }
    for (const item of process.controller.listPendingApprovals()) {
      const first = item.position === 0;
      const answer = await (first && this.wish === 'deny' ? process.controller.deny(item.approvalId, 'no')
        : first && this.wish === 'edit' ? process.controller.approveWithArguments(item.approvalId, EDITED)
          : process.controller.approve(item.approvalId));
      if (answer.ok) {
        this.reported.set(item.position, answer.decision);
      } else {
        expect(answer.error?.code).toBe('approval_expired');
      }
    }
  }

  /** Takes the session to its end, in one process. */
  async toTheEnd(process: Process): Promise<void> {
    for (let step = 0; step < 10; step++) {
      const run = process.runtime.snapshot().run;
      if (run?.status === 'finished') {
        return;
      }
      if (run === undefined) {
        await process.say('go');
      } else if (process.questions().length > 0) {
        await this.decide(process);
      } else {
        await process.resume();
      }
    }
    throw new Error('the session does not come to its end');
  }

  /** How often the call at a position ran, with the arguments that were consented to and with any. */
  runs(position: number): number {
    const wanted = position === 0 && this.wish === 'edit' ? EDITED : `{"n":${position + 1}}`;
    return this.pay.runs.filter((run) => run.argumentsJson === wanted).length;
  }

  mayRun(): boolean {
    return this.wish === 'approve' || this.wish === 'edit';
  }
}

async function commitsOf(calls: number, wish: Wish): Promise<readonly string[]> {
  const flow = new Flow(calls, wish);
  const process = await flow.open();
  await flow.toTheEnd(process);
  return process.storage.reasons;
}

const FLOWS = WISHES.flatMap((wish) => [1, 2, 3].map((calls) => [wish, calls] as const));

describe('S2 STA-05 a kill at every boundary of every decision', () => {
  it.each(FLOWS)('S2 %s × %i calls, undisturbed: each call runs once or not at all', async (wish, calls) => {
    const flow = new Flow(calls, wish);
    await flow.toTheEnd(await flow.open());
    expect(Array.from({ length: calls }, (_, at) => flow.runs(at))).toEqual(new Array(calls).fill(flow.mayRun() ? 1 : 0));
    expect(flow.pay.count).toBe(flow.mayRun() ? calls : 0);
  });

  it.each(FLOWS)('S2 STA-05 %s × %i calls: no effect twice, no decision lost, every call answered', async (wish, calls) => {
    const reasons = await commitsOf(calls, wish);
    expect(reasons.filter((reason) => reason === 'tool_effect')).toHaveLength(wish === 'approve' || wish === 'edit' ? 2 * calls : 0);
    for (let cut = 1; cut <= reasons.length; cut++) {
      for (const fault of [CommitFault.stopBefore, CommitFault.stopAfter]) {
        const where = `${wish} × ${calls}, cut at ${cut} (${reasons[cut - 1]}), ${fault}`;
        const flow = new Flow(calls, wish);
        const one = await flow.open();
        one.storage.plan(cut, fault);
        await Promise.race([flow.toTheEnd(one).catch(() => undefined), one.storage.whenStopped]);
        expect(one.storage.stopped, where).toBe(true);
        const promised = new Map(flow.reported);
        const two = await flow.open();
        const receiptsOrItems = JSON.stringify([two.runtime.snapshot().pendingApproval?.items, two.runtime.snapshot().receipts]);
        for (const decision of promised.values()) {
          expect(receiptsOrItems, `${where}: a reported decision is on the disk`).toContain(`"decision":"${decision}"`);
        }
        await flow.toTheEnd(two);
        const results = two.history().filter((text) => text.startsWith('tool '));
        expect(results, where).toHaveLength(calls);
        for (let at = 0; at < calls; at++) {
          const unknown = results[at].includes('tool_outcome_unknown');
          expect(flow.runs(at), `${where}: call ${at}`).toBeLessThanOrEqual(flow.mayRun() ? 1 : 0);
          expect(flow.runs(at) === 1 || unknown || !flow.mayRun(), `${where}: call ${at} ran, or nobody knows`).toBe(true);
          expect(results[at].startsWith(`tool c${at + 1}`), `${where}: results in the order of the calls`).toBe(true);
        }
        expect(flow.pay.count, `${where}: nothing ran with arguments that nobody consented to`)
          .toBe(Array.from({ length: calls }, (_, at) => flow.runs(at)).reduce((sum, runs) => sum + runs, 0));
        expect(two.runtime.snapshot().pendingApproval, where).toBeUndefined();
      }
    }
  }, 60000);
});
