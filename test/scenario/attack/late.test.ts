import { describe, expect, it } from 'vitest';
import type { AgentControllerEvent } from '@core/control/event/AgentControllerEvent';
import { ControllerEventTypes } from '@core/control/ControllerEventTypes';
import { JobChangedEvent } from '@core/control/event/JobEvents';
import { JobFeature } from '@core/job/JobFeature';
import { ToolRiskLevel } from '@core/model/ToolDefinition';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import { ToolCallScope } from '@core/tool/ToolCallScope';
import { ToolResult } from '@core/tool/ToolResult';
import { ToolServiceRegistry } from '@core/tool/ToolService';
import { World } from '../../support/World';
import { AllowAll, batch, idle } from '../parallel/Bench';

describe('an effect that a pause gave up', () => {
  it('DEC-36 S9 answers while the resumed run works on the same batch: kept, told once, settled', async () => {
    const world = new World();
    const pay = world.sensitive('pay');
    const read = world.safe('read');
    let answer: (result: ToolResult) => void = () => undefined;
    let shown: (result: ToolResult) => void = () => undefined;
    pay.work = () => new Promise<ToolResult>((resolve) => { answer = resolve; });
    read.work = () => new Promise<ToolResult>((resolve) => { shown = resolve; });
    const one = await world.open({ turns: [batch('pay', 'read')], config: { approvalPolicy: new AllowAll() } });
    const run = one.say('go');
    await idle();
    const paused = one.runtime.suspend('the app leaves');
    await idle();
    world.scheduler.advance(2000);
    await paused;
    expect(await run).toBe('suspended');
    const resumed = one.resume();
    await idle();
    answer(ToolResult.text('paid after all'));
    await idle();
    shown(ToolResult.text('read'));
    expect([await resumed, pay.count, read.count]).toEqual(['complete', 1, 1]);
    expect(one.history().filter((text) => text.includes('[late result]') && text.includes('paid after all'))).toHaveLength(1);
    expect([...(await world.stored()).slices.keys()]).not.toContain('openEffects');
  });
});

describe('a job that is stopped by who hears of its beginning', () => {
  it('EXE-12 the work is told', async () => {
    const world = new World();
    const build = world.tool('build', ToolRiskLevel.safe, { background: true });
    const reasons: string[] = [];
    build.work = async (_args, context) => {
      context.signal.onCancelled((reason) => reasons.push(reason));
      (context.services.get(ToolServiceRegistry.CALL_SCOPE_ID) as ToolCallScope).detach();
      return new Promise<ToolResult>(() => undefined);
    };
    const jobs = new JobFeature();
    const registry = world.registry();
    jobs.register(registry);
    const one = await world.open({ turns: [batch('build')], config: { toolRegistry: registry, features: [jobs] } });
    const asked: boolean[] = [];
    one.controller.subscribe(ControllerEventTypes.jobChanged, (event: AgentControllerEvent) => {
      if (event instanceof JobChangedEvent && asked.length === 0) {
        asked.push(jobs.cancel(event.jobId, 'not now'));
      }
    });
    expect(await one.say('go')).toBe('complete');
    expect([asked[0], reasons, jobs.list().map((job) => job.state)]).toEqual([true, ['not now'], ['cancel_requested']]);
  });
});

describe('a storage that cannot let go', () => {
  it('DEC-15 close ends all the same', async () => {
    const world = new World();
    const one = await world.open({ turns: [ScriptedTurn.text('hello')] });
    await one.say('go');
    one.storage.close = () => { throw new Error('busy'); };
    await expect(one.runtime.close()).resolves.toBeUndefined();
  });
});
