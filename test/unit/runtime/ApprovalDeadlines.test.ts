import { describe, expect, it } from 'vitest';
import { ApprovalDecision, ApprovalKind } from '@core/approval/ApprovalModes';
import { PendingApprovalBatch } from '@core/approval/PendingApprovalBatch';
import { PendingApprovalItem } from '@core/approval/PendingApprovalItem';
import { AgentMessage } from '@core/message/AgentMessage';
import { ToolCall } from '@core/message/ToolCall';
import { ToolRiskLevel } from '@core/model/ToolDefinition';
import { ApprovalDeadlines } from '@core/runtime/consent/ApprovalDeadlines';
import { EffectiveClock } from '@core/runtime/store/EffectiveClock';
import type { SessionStore } from '@core/runtime/store/SessionStore';
import { ManualClock } from '@core/testing/ManualClock';
import { ToolEffect } from '@core/tool/ToolContract';

const item = (id: string, expiresAtMs?: number, decision = ApprovalDecision.pending): PendingApprovalItem => new PendingApprovalItem({
  approvalId: id, position: 0, round: 0, kind: ApprovalKind.call, toolCall: new ToolCall('c', 'pay', '{}', 0), riskLevel: ToolRiskLevel.dangerous, effect: ToolEffect.irreversible, reason: 'r', createdAtMs: 1, expiresAtMs, decision, warnings: [], origin: [],
});

/** Deadlines over questions that a test sets; a timer is only noted, and fires when the test says so. */
class Desk {
  readonly wall = new ManualClock(1000);
  readonly waits: number[] = [];
  readonly warned: string[] = [];
  expired = 0;
  /** Answers what an expiry leaves open; by default nothing. */
  onExpire: () => void = () => { this.questions = undefined; };
  questions: PendingApprovalBatch | undefined = undefined;
  readonly deadlines: ApprovalDeadlines;
  #task: (() => void) | undefined;

  constructor(warnBeforeMs = 0) {
    const store = { storedQuestions: () => this.questions } as unknown as SessionStore;
    const scheduler = {
      monotonicMs: () => 0,
      schedule: (delayMs: number, task: () => void) => {
        this.waits.push(delayMs);
        this.#task = task;
        return { cancel: () => { this.#task = this.#task === task ? undefined : this.#task; } };
      },
    };
    this.deadlines = new ApprovalDeadlines(store, new EffectiveClock(this.wall), scheduler, warnBeforeMs, {
      warn: (_batch, one) => { this.warned.push(one.approvalId); },
      expire: async () => { this.expired++; this.onExpire(); },
    });
  }

  ask(...items: PendingApprovalItem[]): this {
    this.questions = new PendingApprovalBatch({ batchId: 'b', runId: 'r', items, modelMessage: AgentMessage.assistant(''), createdAtMs: 1, siblings: [] });
    this.deadlines.watch();
    return this;
  }

  get waiting(): boolean {
    return this.#task !== undefined;
  }

  async fire(atMs: number): Promise<this> {
    this.wall.setTo(atMs);
    const task = this.#task;
    this.#task = undefined;
    task?.();
    for (let i = 0; i < 5; i++) await Promise.resolve();
    return this;
  }
}

describe('deadlines of questions', () => {
  it('DEC-50 waits for the earliest of the open questions, in whatever order they stand', () => {
    expect(new Desk().ask(item('a', 5000), item('b', 3000), item('c', 4000)).waits).toEqual([2000]);
    expect(new Desk().ask(item('a', 3000), item('b', 5000)).waits).toEqual([2000]);
  });

  it('waits for nothing where nothing is open, expires or is undecided', () => {
    expect(new Desk().ask().waits).toEqual([]);
    expect(new Desk().ask(item('a')).waits).toEqual([]);
    expect(new Desk().ask(item('a', 3000, ApprovalDecision.approved), item('b', 9000)).waits).toEqual([8000]);
    const none = new Desk();
    none.deadlines.watch();
    expect(none.waiting).toBe(false);
  });

  it('a wait longer than a timer can hold is taken in pieces', async () => {
    const desk = new Desk().ask(item('a', 1000 + 2147483647 + 500));
    expect(desk.waits).toEqual([2147483647]);
    await desk.fire(1000 + 2147483647);
    expect([desk.waits, desk.expired]).toEqual([[2147483647, 500], 0]);
  });

  it('DEC-50 expires at the very millisecond, not one before', async () => {
    const desk = new Desk().ask(item('a', 3000));
    await desk.fire(2999);
    expect([desk.expired, desk.waits]).toEqual([0, [2000, 1]]);
    await desk.fire(3000);
    expect([desk.expired, desk.waiting]).toEqual([1, false]);
  });

  it('an expiry that could not be stored is tried again after half a minute, also beside a question that still has time', async () => {
    const desk = new Desk().ask(item('a', 3000), item('b', 900000));
    desk.onExpire = (): void => undefined;
    await desk.fire(3000);
    expect([desk.expired, desk.waits]).toEqual([1, [2000, 30000]]);
    await desk.fire(33000);
    expect([desk.expired, desk.waits]).toEqual([2, [2000, 30000, 30000]]);
  });

  it('DEC-50 warns once, the agreed time before, and then waits for the end', async () => {
    const desk = new Desk(500).ask(item('a', 3000));
    expect(desk.waits).toEqual([1500]);
    await desk.fire(2499);
    expect([desk.warned, desk.waits]).toEqual([[], [1500, 1]]);
    await desk.fire(2500);
    expect([desk.warned, desk.waits]).toEqual([['a'], [1500, 1, 500]]);
    await desk.fire(2600);
    expect(desk.warned).toEqual(['a']);
    await desk.fire(3000);
    expect([desk.warned, desk.expired]).toEqual([['a'], 1]);
  });

  it('warns of a question whose time for that has come already at once, and of none that has expired', async () => {
    const desk = new Desk(5000).ask(item('a', 3000), item('b', 1000));
    expect(desk.waits).toEqual([30000]);
    await desk.fire(1000);
    expect([desk.warned, desk.expired]).toEqual([['a'], 1]);
    const fresh = new Desk(5000).ask(item('a', 3000));
    expect(fresh.waits).toEqual([0]);
  });

  it('no warning is configured: none is given', async () => {
    const desk = new Desk(0).ask(item('a', 3000));
    await desk.fire(3000);
    expect(desk.warned).toEqual([]);
  });

  it('looking again replaces the timer; after the end nothing is waited for any more', async () => {
    const desk = new Desk().ask(item('a', 3000)).ask(item('b', 2000));
    expect([desk.waits, desk.waiting]).toEqual([[2000, 1000], true]);
    desk.deadlines.stop();
    expect(desk.waiting).toBe(false);
    desk.deadlines.watch();
    expect([desk.waits, desk.waiting]).toEqual([[2000, 1000], false]);
  });

  it('a wake-up that comes when the question is gone changes nothing', async () => {
    const desk = new Desk(500).ask(item('a', 3000));
    desk.questions = undefined;
    await desk.fire(3000);
    expect([desk.warned, desk.expired, desk.waiting]).toEqual([[], 0, false]);
  });
});
