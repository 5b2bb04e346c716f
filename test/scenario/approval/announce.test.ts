import { describe, expect, it } from 'vitest';
import { ApprovalRequiredEvent } from '@core/control/event/ApprovalEvents';
import { ControllerEventTypes } from '@core/control/ControllerEventTypes';
import { AgentHook } from '@core/hook/AgentHook';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import { CommitFault } from '@core/testing/StoppingStateStorage';
import { ToolResult } from '@core/tool/ToolResult';
import { World } from '../../support/World';

class SlowAfterRun extends AgentHook {
  constructor(private readonly until: Promise<void>) {
    super('slow');
  }

  override async afterRun(): Promise<void> {
    await this.until;
  }
}

const PAY = (): ScriptedTurn => ScriptedTurn.call('c1', 'pay', '{"sum":5}');

describe('S5 a question is announced only when it is on the disk', () => {
  it('APP-04 a failing save announces nothing, and the run fails with state_save_failed', async () => {
    const world = new World();
    const pay = world.dangerous('pay');
    const one = await world.open({ turns: [PAY()] });
    one.storage.plan(3, CommitFault.failBefore);
    expect(await one.say('go')).toBe('state_save_failed');
    expect(one.storage.reasons.slice(2)).toEqual(['awaiting_approval', 'terminal']);
    expect(one.log.of('bus').filter((line) => line.startsWith('approval') || line === 'agent.suspended')).toEqual([]);
    expect(one.log.of('run').filter((line) => line === 'approval_required' || line === 'suspended')).toEqual([]);
    expect(one.questions()).toEqual([]);
    expect(pay.count).toBe(0);
  });

  it('S5 nothing is listed and nobody can decide while the save is under way', async () => {
    const world = new World();
    world.dangerous('pay');
    const seen: string[][] = [];
    const one = await world.open({ turns: [PAY()] });
    const commit = one.storage.commit.bind(one.storage);
    one.storage.commit = async (request) => {
      seen.push(one.questions());
      return commit(request);
    };
    expect(await one.say('go')).toBe('awaiting_approval');
    expect(seen).toEqual([[], [], []]);
    expect(one.questions()).toHaveLength(1);
  });

  it('S5 the event carries the batch that is on the disk, and says whether it is durable', async () => {
    for (const durable of [true, false]) {
      const world = new World();
      world.dangerous('pay');
      const one = await world.open({ turns: [PAY()], durable });
      let onDisk = '';
      one.controller.subscribe(ControllerEventTypes.approvalRequired, () => {
        onDisk = one.storage.commits.at(-1)?.next.pendingApproval?.batchId ?? '';
      });
      await one.say('go');
      const event = one.log.busEvents.find((found) => found instanceof ApprovalRequiredEvent) as ApprovalRequiredEvent;
      expect(event.batch.batchId).toBe(onDisk);
      expect(event.durable).toBe(durable);
    }
  });

  it('S5 DEC-18 a listener that approves inside the callback is accepted, and resume works when the segment has ended', async () => {
    const world = new World();
    const pay = world.dangerous('pay');
    const one = await world.open({ turns: [PAY()] });
    const answers: string[] = [];
    one.controller.subscribe(ControllerEventTypes.approvalRequired, (event) => {
      const id = (event as ApprovalRequiredEvent).batch.items[0].approvalId;
      void one.controller.approve(id).then((result) => answers.push(result.decision));
    });
    expect(await one.say('go')).toBe('awaiting_approval');
    expect(await one.resume()).toBe('complete');
    expect(answers).toEqual(['approved']);
    expect(pay.count).toBe(1);
  });

  it('DEC-18 resume during the tear-down waits for the end of the segment', async () => {
    const world = new World();
    const pay = world.dangerous('pay');
    let release: () => void = () => undefined;
    const slow = new SlowAfterRun(new Promise<void>((resolve) => { release = resolve; }));
    const one = await world.open({ turns: [PAY()], config: { hooks: [slow] } });
    const resumed = new Promise<string>((resolve) => {
      one.controller.subscribe(ControllerEventTypes.agentSuspended, async () => {
        await one.controller.approve(one.questions()[0]);
        resolve(one.ended(one.runtime.resume(one.log.observer())));
        release();
      });
    });
    expect(await one.say('go')).toBe('awaiting_approval');
    expect(await resumed).toBe('complete');
    expect(pay.count).toBe(1);
  });

  it('DEC-16 resume while a run is still working is run_already_active', async () => {
    const world = new World();
    const read = world.safe('read');
    const one = await world.open({ turns: [ScriptedTurn.call('c1', 'read', '{}')] });
    let during = '';
    read.work = async () => {
      during = await one.ended(one.runtime.resume(one.log.observer()));
      return ToolResult.text('done');
    };
    expect(await one.say('go')).toBe('complete');
    expect(during).toBe('run_already_active');
  });

  it('DEC-18 attach continues the run by itself when a listener approves inside the callback', async () => {
    const world = new World();
    const pay = world.dangerous('pay');
    const one = await world.open({ turns: [PAY()] });
    const observer = one.log.observer();
    const ended = new Promise<void>((resolve) => {
      one.controller.subscribe(ControllerEventTypes.agentSuccess, () => resolve());
    });
    one.runtime.attach(observer);
    one.controller.subscribe(ControllerEventTypes.approvalRequired, () => {
      void one.controller.approve(one.questions()[0]);
    });
    expect(await one.say('go')).toBe('awaiting_approval');
    await ended;
    await one.runtime.close();
    expect(pay.count).toBe(1);
    expect([observer.completions, observer.errors.length]).toEqual([1, 0]);
  });

  it('S5 a kill right after the event: the next process lists the same batch, digest and revision', async () => {
    const world = new World();
    const pay = world.dangerous('pay');
    const one = await world.open({ turns: [PAY()] });
    one.controller.subscribe(ControllerEventTypes.approvalRequired, () => one.kill());
    await one.say('go');
    const event = one.log.busEvents.find((found) => found instanceof ApprovalRequiredEvent) as ApprovalRequiredEvent;
    const two = await world.open();
    expect(two.log.of('bus')).toEqual([]);
    expect(two.batch().batchId).toBe(event.batch.batchId);
    expect(two.batch().items[0].digest).toBe(event.batch.items[0].digest);
    expect(two.batch().items[0].digest).toMatch(/^v1:sha256:[0-9a-f]{64}$/);
    expect(two.runtime.snapshot().revision).toBe(one.runtime.snapshot().revision);
    await two.approveAll();
    expect(await two.resume()).toBe('complete');
    expect(pay.count).toBe(1);
  });
});
