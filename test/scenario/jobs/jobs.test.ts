import { describe, expect, it } from 'vitest';
import { CancellationController } from '@core/base/Cancellation';
import { ErrorCode } from '@core/base/ErrorCodes';
import { JobChangedEvent, JobProgressEvent } from '@core/control/event/JobEvents';
import { DefaultToolApprovalPolicy } from '@core/approval/ApprovalPolicy';
import { ToolPipeline } from '@core/execution/ToolPipeline';
import { AgentHook } from '@core/hook/AgentHook';
import { AgentHookPipeline } from '@core/hook/AgentHookPipeline';
import { ToolCallHookResult } from '@core/hook/result/ToolCallHookResult';
import { JobFeature, type JobOptions } from '@core/job/JobFeature';
import { ToolRiskLevel } from '@core/model/ToolDefinition';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import type { RecordingTool } from '@core/testing/RecordingTool';
import { CommitFault } from '@core/testing/StoppingStateStorage';
import { ToolCallScope } from '@core/tool/ToolCallScope';
import type { ToolContract } from '@core/tool/ToolContract';
import { ToolResult } from '@core/tool/ToolResult';
import { ToolServiceRegistry } from '@core/tool/ToolService';
import { World, type OpenOptions } from '../../support/World';
import type { Process } from '../../support/Process';
import { AllowAll, Gate, batch, idle } from '../parallel/Bench';
import { count, line, started, yard } from './Yard';

const status = (id = 'job-1'): ScriptedTurn => ScriptedTurn.call('s1', 'job_status', `{"jobId":"${id}"}`);

describe('a call that becomes a job', () => {
  it('is answered at once, ends later, and the model is told of that once before its next call', async () => {
    const made = yard();
    const { process, jobs } = await started(made);
    expect(line(process, 'tool c1')).toBe('tool c1: {"jobId":"job-1","status":"running"}');
    expect(jobs.list().map((job) => job.state)).toEqual(['running']);
    await made.gate.end(1, ToolResult.text('built'));
    expect(jobs.list().map((job) => `${job.state} ${job.answer}`)).toEqual(['finished built']);
    expect(await process.say('and?')).toBe('complete');
    expect(process.lastRequest().filter((text) => text.includes('[job ended]'))).toEqual(
      ['user: [job ended] The job job-1 (build, call c1) has ended well. Its answer: built']);
    await process.say('more');
    expect(count(process, '[job ended]')).toBe(1);
    expect(made.world.scheduler.pendingCount).toBe(0);
  });

  it('is told of in the run that is active when it ends, after the results of the batch', async () => {
    const made = yard();
    const slow = made.world.safe('slow');
    const second = new Gate(slow);
    const { process } = await made.open([batch('build', 'slow')]);
    const run = process.say('go');
    await idle();
    made.world.scheduler.advance(10000);
    await idle();
    await made.gate.end(1, ToolResult.error('no compiler'));
    await second.end(2);
    expect(await run).toBe('complete');
    expect(process.history().slice(2)).toEqual(['tool c1: {"jobId":"job-1","status":"running"}', 'tool c2: done 2',
      'user: [job ended] The job job-1 (build, call c1) has failed. Its answer: no compiler', 'assistant: ok']);
  });

  it('answers before jobAfterMs: an ordinary call', async () => {
    const made = yard({ jobs: { jobAfterMs: 500 } });
    const { process, jobs } = await made.open([batch('build')]);
    const run = process.say('go');
    await idle();
    made.world.scheduler.advance(499);
    await made.gate.end(1);
    expect(await run).toBe('complete');
    expect(line(process, 'tool c1')).toBe('tool c1: done 1');
    expect(jobs.list()).toEqual([]);
  });

  it('its executor asks for it, and its progress goes to the job', async () => {
    const made = yard({ jobs: { jobAfterMs: 0 } });
    let scope: ToolCallScope | undefined;
    let finish: (result: ToolResult) => void = () => undefined;
    made.build.work = (_args, context) => {
      scope = context.services.get(ToolServiceRegistry.CALL_SCOPE_ID) as ToolCallScope;
      scope.reportProgress('before');
      expect(scope.detach()).toBe(true);
      expect(scope.detach()).toBe(false);
      return new Promise((resolve) => { finish = resolve; });
    };
    const { process, jobs } = await made.open([batch('build'), ScriptedTurn.call('t', 'job_tail', '{"jobId":"job-1","lines":2}')]);
    const run = process.say('go');
    expect(await run).toBe('complete');
    scope?.reportProgress('a\nb\nc', 0.5);
    expect(jobs.tail('job-1', 2)).toEqual(['b', 'c']);
    expect(process.log.busEvents.filter((event) => event instanceof JobProgressEvent).map((event) => (event as JobProgressEvent).message)).toEqual(['a\nb\nc']);
    finish(ToolResult.text('x'));
    await idle();
    scope?.reportProgress('too late');
    expect(jobs.tail('job-1', 1)).toEqual(['c']);
    expect(process.log.busEvents.filter((event) => event instanceof JobChangedEvent).map((event) => (event as JobChangedEvent).state)).toEqual(['running', 'finished']);
  });

  it('nothing the model writes makes a job, and a tool whose contract does not say background never becomes one', async () => {
    const made = yard({ contract: { background: false } });
    const { process, jobs } = await made.open([new ScriptedTurn().call('c1', 'build', '{"n":1,"background":true,"detach":true}')]);
    const run = process.say('go');
    await idle();
    made.world.scheduler.advance(30000);
    await made.gate.end(1);
    expect(await run).toBe('complete');
    expect(jobs.list()).toEqual([]);
    expect(line(process, 'tool c1')).toBe('tool c1: done 1');
  });

  it('without room it stays an ordinary call with its time-out', async () => {
    const made = yard({ jobs: { maxRunning: 1 } });
    const { process, jobs } = await made.open([batch('build', 'build')]);
    const run = process.say('go');
    await idle();
    made.world.scheduler.advance(10000);
    await idle();
    made.world.scheduler.advance(62000);
    expect(await run).toBe('complete');
    expect(jobs.list()).toHaveLength(1);
    expect(line(process, 'tool c2')).toMatch(/tool_timeout/);
  });

  it('the time-out of the call is not the job\'s; a cancel of the run does not end it', async () => {
    const made = yard();
    const { process, jobs } = await started(made);
    const next = process.say('wait');
    await process.runtime.cancel('enough');
    await next;
    made.world.scheduler.advance(1000000);
    expect(made.gate.contexts.get(1)?.signal.cancelled).toBe(false);
    await made.gate.end(1);
    expect(jobs.list()[0].state).toBe('finished');
    await process.say('so?');
    expect(count(process, '[job ended]')).toBe(1);
  });
});

describe('the tools that look after jobs', () => {
  it('job_status tells a job and lists all; an unknown id is job_not_found', async () => {
    const made = yard();
    const { process } = await started(made, [ScriptedTurn.text('ok'), status(), ScriptedTurn.call('s2', 'job_status', '{}'), status('job-9')]);
    await process.say('how is it?');
    expect(line(process, 'tool s1')).toBe('tool s1: {"jobId":"job-1","tool":"build","callId":"c1","status":"running","elapsedMs":0,"reportedLines":0}');
    expect(line(process, 'tool s2')).toContain('"jobs":[{"jobId":"job-1"');
    expect(process.history().filter((text) => text.includes(ErrorCode.jobNotFound))).toHaveLength(1);
  });

  it('polling job_status is no loop while the job goes on', async () => {
    const made = yard();
    const { process } = await made.open([], {
      responder: (_request, call) => {
        made.world.clock.advance(1000);
        return call === 0 ? batch('build') : call < 12 ? ScriptedTurn.call(`p${call}`, 'job_status', '{"jobId":"job-1"}') : ScriptedTurn.text('end');
      },
    });
    const run = process.say('go');
    await idle();
    made.world.scheduler.advance(10000);
    expect(await run).toBe('complete');
  });

  it('job_cancel needs no consent; cancel requested and cancelled are two states', async () => {
    const made = yard();
    const { process, jobs } = await started(made, [ScriptedTurn.text('ok'), ScriptedTurn.call('x', 'job_cancel', '{"jobId":"job-1"}')], { config: { approvalPolicy: new DefaultToolApprovalPolicy() } });
    expect(await process.say('stop it')).toBe('complete');
    expect(line(process, 'tool x')).toBe('tool x: {"jobId":"job-1","status":"cancel_requested"}');
    expect(made.gate.contexts.get(1)?.signal.cancelled).toBe(true);
    expect(jobs.list()[0].state).toBe('cancel_requested');
    await made.gate.fail(1, new Error('stopped'));
    expect(jobs.list()[0].state).toBe('cancelled');
    expect(jobs.cancel('job-1')).toBe(false);
  });

  it('a job that ends well although it was told to stop has ended well', async () => {
    const made = yard();
    const { jobs } = await started(made);
    expect(jobs.cancel('job-1', 'no need')).toBe(true);
    await made.gate.end(1);
    expect(jobs.list()[0].state).toBe('finished');
  });

  it('its result passes the limits like any result', async () => {
    const made = yard({ contract: { maxResultChars: 100 } });
    const { process } = await started(made);
    await made.gate.end(1, ToolResult.text('x'.repeat(5000)));
    await process.say('and?');
    expect(line(process, 'user: [job ended]').length).toBeLessThan(800);
  });
});

describe('effects as jobs', () => {
  it('started is stored before it runs, the job with its answer, the end when it comes', async () => {
    const made = yard({ risk: ToolRiskLevel.sensitive });
    const { process } = await started(made);
    expect(process.storage.reasons).toEqual(['after_user_input', 'after_model_text', 'tool_effect', 'tool_effect', 'after_tool_batch', 'after_model_text', 'terminal']);
    expect((await made.world.stored()).slices.get('jobs')?.json.getArray('jobs')).toHaveLength(1);
    await made.gate.end(1);
    expect(process.storage.reasons.at(-1)).toBe('tool_effect');
    expect((await made.world.stored()).slices.get('jobs')?.json.getArray('jobs')?.[0].asObject()?.getString('state')).toBe('finished');
  });

  it('S9 the same effect is not begun again unasked while the job runs, also in the same batch; afterwards it may be', async () => {
    const made = yard({ risk: ToolRiskLevel.sensitive });
    const { process } = await made.open([batch('build').call('c2', 'build', '{"n":1}')]);
    const run = process.say('go');
    await idle();
    made.world.scheduler.advance(10000);
    expect(await run).toBe('awaiting_approval');
    expect(made.build.count).toBe(1);
    await process.controller.denyAll(process.batch().batchId);
    await process.resume();
    await made.gate.end(1);
    const other = await made.open([batch('build')]);
    const again = other.process.say('again');
    await idle();
    expect(made.build.count).toBe(2);
    await made.gate.end(1);
    expect(await again).toBe('complete');
  });

  it.each([ToolRiskLevel.safe, ToolRiskLevel.sensitive])('a job of a %s tool that is lost to a kill is unknown after the reload, told once, and its effect not repeated unasked', async (risk) => {
    const made = yard({ risk });
    const { process } = await started(made);
    process.kill();
    const two = await made.open([batch('build')]);
    expect(two.jobs.list().map((job) => job.state)).toEqual(['unknown']);
    const run = two.process.say('go on');
    await idle();
    if (risk === ToolRiskLevel.sensitive) {
      expect(await run).toBe('awaiting_approval');
      expect(made.build.count).toBe(1);
    } else {
      await made.gate.end(1);
      await run;
    }
    expect(two.process.lastRequest().length).toBeGreaterThan(0);
    expect(count(two.process, '[job lost]')).toBe(1);
    const three = await made.open([]);
    expect(count(three.process, '[job lost]')).toBe(1);
    expect(three.jobs.list()[0].state).toBe('unknown');
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8].flatMap((at) => [[at, CommitFault.stopBefore], [at, CommitFault.stopAfter]] as const))(
    'S2 a kill at commit %i (%s) of an effect that becomes a job: never twice, and never forgotten', async (at, fault) => {
      const made = yard({ risk: ToolRiskLevel.sensitive });
      const one = await made.open([batch('build')]);
      one.process.storage.plan(at, fault);
      const run = one.process.say('go');
      await idle();
      made.world.scheduler.advance(10000);
      await idle();
      if (made.gate.running.length > 0) {
        await made.gate.end(1);
      }
      await Promise.race([run, one.process.storage.whenStopped]);
      expect(one.process.storage.stopped).toBe(true);
      const ran = made.build.count;
      const stored = (await made.world.disk.load('s')).value;
      if (stored === undefined || ran === 0) {
        return;
      }
      const two = await made.open([]);
      if (stored.run?.status === 'running') {
        await two.process.resume();
      }
      await two.process.say('go on');
      expect(made.build.count).toBe(1);
      const all = two.process.history().join('\n');
      expect(/tool_outcome_unknown|\[job lost\]|\[job ended\]/.test(all), all).toBe(true);
    });

  it('DEC-41 an effect that is given up at a cancel stays in sight: unknown, with the tool and the job to look at', async () => {
    const made = yard({ risk: ToolRiskLevel.sensitive, jobs: { jobAfterMs: 0 } });
    const { process, jobs } = await made.open([batch('build'), status()]);
    const run = process.say('go');
    await idle();
    const cancelled = process.runtime.cancel('enough');
    await idle();
    made.world.scheduler.advance(2000);
    await cancelled;
    expect(await run).toBe('cancelled');
    const call = (await made.world.stored()).openBatch?.calls[0];
    expect(call?.status).toBe('unknown');
    expect(call?.inspection).toEqual({ tool: 'job_status', jobId: 'job-1' });
    expect(jobs.list()[0].state).toBe('cancel_requested');
    await process.say('what happened?');
    expect(line(process, 'tool c1')).toContain('job_status tells of it under the jobId job-1');
    expect(line(process, 'tool s1')).toContain('"status":"cancel_requested"');
    await made.gate.end(1);
    expect(jobs.list()[0].state).toBe('finished');
    await process.say('and now?');
    expect(count(process, '[job ended]')).toBe(0);
  });

  it('EXE-12 after a time-out too; what it answers then is told once, as a late result', async () => {
    const made = yard({ risk: ToolRiskLevel.sensitive, contract: { timeoutMs: 1000 } });
    const { process, jobs } = await made.open([batch('build')]);
    const run = process.say('go');
    await idle();
    made.world.scheduler.advance(3000);
    expect(await run).toBe('complete');
    expect(line(process, 'tool c1')).toContain('tool_timeout');
    await made.gate.end(1);
    expect(jobs.list()[0].state).toBe('finished');
    await process.say('and?');
    expect([count(process, '[late result]'), count(process, '[job ended]')]).toEqual([1, 0]);
  });
});

describe('no way round', () => {
  class Blocking extends AgentHook {
    constructor() {
      super('blocking');
    }

    override async beforeToolCall(): Promise<ToolCallHookResult> {
      return ToolCallHookResult.deny(undefined, 'not here');
    }
  }

  it('EXE-15 a blocking hook stops the tool also where it would become a job, and by a direct call', async () => {
    const made = yard({ jobs: { jobAfterMs: 1 } });
    const { process, jobs } = await made.open([batch('build')], { config: { hooks: [new Blocking()] } });
    expect(await process.say('go')).toBe('complete');
    expect(made.build.count).toBe(0);
    expect(jobs.list()).toEqual([]);
    expect(line(process, 'tool c1')).toContain('tool_denied');
    const pipeline = new ToolPipeline({
      registry: process.registry, hooks: new AgentHookPipeline([new Blocking()], made.world.scheduler), approvalPolicy: new AllowAll(),
      clock: made.world.clock, scheduler: made.world.scheduler, maxArgumentChars: 1000, grace: { cancelGraceMs: 1, timeoutGraceMs: 1 },
    });
    expect((await pipeline.call('build', '{}', 's', CancellationController.never())).code).toBe('tool_denied');
    expect(made.build.count).toBe(0);
  });

  it('a closed session tells its jobs to stop and records nothing more', async () => {
    const made = yard();
    const { process, jobs } = await started(made);
    const before = await made.world.storedText();
    await process.runtime.close();
    expect(made.gate.contexts.get(1)?.signal.cancelled).toBe(true);
    await made.gate.end(1);
    expect(await made.world.storedText()).toBe(before);
    expect(jobs.cancel('job-1')).toBe(false);
    const { jobs: later } = await made.open([]);
    expect(later.list()[0].state).toBe('unknown');
  });
});
