import { describe, expect, it } from 'vitest';
import { HookDiagnosticEvent } from '@core/control/event/DiagnosticEvents';
import type { AgentHook } from '@core/hook/AgentHook';
import { ToolResultHookResult } from '@core/hook/result/ToolResultHookResult';
import { JobFeature } from '@core/job/JobFeature';
import { AgentMessage } from '@core/message/AgentMessage';
import { ToolRiskLevel } from '@core/model/ToolDefinition';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import { ToolRegistry } from '@core/tool/ToolRegistry';
import { ToolResult } from '@core/tool/ToolResult';
import type { Process } from '../../support/Process';
import { batch, idle } from '../parallel/Bench';
import { hook } from '../run/harness';
import { Lines } from '../secrets/desk';
import { count, started, yard, type Yard } from './Yard';

const KEY = 'sk-abcdEFGH1234ijklMNOP5678qrst';
/** Hooks that hear of answers, not of the call's first one. */
const after = (work: (text: string) => ToolResultHookResult | Promise<ToolResultHookResult> | undefined): AgentHook =>
  hook('after', { afterToolCall: async (context) => (await work(context.result.text())) ?? ToolResultHookResult.proceed(context.result) });
const notes = (process: Process): string[] => process.history().filter((text) => text.startsWith('user: ['));
const diagnostics = (process: Process): string[] => process.log.busEvents.flatMap((event) => (event instanceof HookDiagnosticEvent ? [event.code] : []));

/** Both ways in which an answer comes after the call was answered; `end` lets it come. */
const WAYS: [string, (hooks: AgentHook[], config?: object) => Promise<{ made: Yard; process: Process; end: (result: ToolResult) => Promise<void> }>][] = [
  ['the end of a job', async (hooks, config) => {
    const made = yard();
    const { process } = await started(made, [], { config: { hooks, ...config } });
    return { made, process, end: (result) => made.gate.end(1, result) };
  }],
  ['a late answer', async (hooks, config) => {
    const made = yard({ contract: { background: false, timeoutMs: 100 } });
    const { process } = await made.open([batch('build')], { config: { hooks, ...config } });
    const run = process.say('go');
    await idle();
    made.world.scheduler.advance(5000);
    await run;
    return { made, process, end: (result) => made.gate.end(1, result) };
  }],
];

describe.each(WAYS)('%s', (_way, begin) => {
  it('is put before the afterToolCall hooks: the model is told what they made of it, masked again', async () => {
    const seen: string[] = [];
    const { process, end } = await begin([after((text) => {
      seen.push(text);
      return text === 'built' ? ToolResultHookResult.proceed(ToolResult.text(`checked ${KEY}`)) : undefined;
    })]);
    await end(ToolResult.text('built'));
    await process.say('and?');
    expect(seen.at(-1)).toBe('built');
    expect(notes(process)).toHaveLength(1);
    expect(notes(process)[0]).toMatch(/Its answer: checked \[secret:api-key:1\]$/);
  });

  it('is withheld when a hook aborts, throws or does not answer in time', async () => {
    for (const kind of ['abort', 'throw', 'silence']) {
      const guard = hook('guard', { afterToolCall: async (context) => {
        if (!context.result.text().includes('classified')) return ToolResultHookResult.proceed(context.result);
        if (kind === 'abort') return ToolResultHookResult.abort('no');
        if (kind === 'throw') throw new Error('broken');
        return new Promise(() => undefined);
      } }, { timeoutMs: 50 });
      const { process, end, made } = await begin([guard]);
      await end(ToolResult.text('classified words'));
      made.world.scheduler.advance(50);
      await idle();
      await process.say('and?');
      expect(notes(process), kind).toHaveLength(1);
      expect(notes(process)[0], kind).toContain('the result is withheld by a safety rule');
      expect(await made.world.storedText(), kind).not.toContain('classified');
    }
  });

  it('comes too late for a stop and for messages: a diagnostic, and the result is told', async () => {
    const { process, end } = await begin([after((text) => (text === 'built' ? ToolResultHookResult.stop(ToolResult.text('built'), [AgentMessage.user('psst')], 'enough') : undefined))]);
    await end(ToolResult.text('built'));
    expect(await process.say('and?')).toBe('complete');
    expect(notes(process)[0]).toMatch(/Its answer: built$/);
    expect(count(process, 'psst')).toBe(0);
    expect(diagnostics(process)).toEqual(['hook_late_ignored']);
  });

  it('leaves its steps in the records: what was masked, what the hooks did, what came of it', async () => {
    const lines = new Lines();
    const { process, end } = await begin([after((text) => (text.startsWith('built') ? ToolResultHookResult.proceed(ToolResult.text('checked')) : undefined))], { auditSink: lines });
    lines.lines.length = 0;
    await end(ToolResult.text(`built with ${KEY}`));
    await idle();
    await process.runtime.close();
    const steps = lines.lines.map((text) => JSON.parse(text) as { step: string; decision: string; callId: string }).filter((record) => record.callId === 'c1').map((record) => `${record.step} ${record.decision}`);
    expect(steps).toEqual(['filtered redacted', 'hook_after rewrite', 'late ok']);
    expect(lines.lines.join()).not.toContain('abcdEFGH');
  });

  it('is for nobody once the session is closed: no hook is asked', async () => {
    let asked = 0;
    const { process, end } = await begin([after(() => { asked++; return undefined; })]);
    await process.runtime.close();
    const before = asked;
    await end(ToolResult.text('built'));
    expect(asked).toBe(before);
  });
});

describe('hooks about late answers', () => {
  it('HOOK-01 are asked about one after another, also of different batches', async () => {
    let running = 0;
    let most = 0;
    const slow = hook('slow', { afterToolCall: async (context) => {
      if (context.result.text().startsWith('{')) return ToolResultHookResult.proceed(context.result);
      most = Math.max(most, ++running);
      await idle();
      running--;
      return ToolResultHookResult.proceed(context.result);
    } });
    const made = yard();
    const { process } = await started(made, [ScriptedTurn.text('ok'), ScriptedTurn.call('c1', 'build', '{"n":2}')], { config: { hooks: [slow] } });
    const next = process.say('again');
    await idle();
    made.world.scheduler.advance(10000);
    await next;
    await Promise.all([made.gate.end(1), made.gate.end(2)]);
    await idle();
    await idle();
    await process.say('so?');
    expect([most, count(process, '[job ended]')]).toEqual([1, 2]);
  });
});

describe('the time of a job', () => {
  it.each([[ToolRiskLevel.safe, 'failed'], [ToolRiskLevel.sensitive, 'unknown']] as const)('EXE-12 a job of a %s tool that does not end in time is told to stop, then %s', async (risk, state) => {
    const made = yard({ risk, jobs: { jobTimeoutMs: 30000 } });
    const { process, jobs } = await started(made);
    made.world.scheduler.advance(29999);
    expect(made.gate.contexts.get(1)?.signal.cancelled).toBe(false);
    made.world.scheduler.advance(1);
    expect(made.gate.contexts.get(1)?.signal.cancelled).toBe(true);
    expect(jobs.list()[0].state).toBe('running');
    made.world.scheduler.advance(2000);
    await idle();
    expect(jobs.list()[0].state).toBe(state);
    await process.say('and?');
    expect(notes(process)[0]).toContain(state === 'failed' ? 'has failed. Its answer: tool_timeout: the job did not end within 30000 ms' :
      'did not end in time, and nobody knows what it did. Its answer: tool_timeout: the job did not end within 30000 ms; it may or may not have happened, do not repeat it');
    expect(made.world.scheduler.pendingCount).toBe(0);
    const before = notes(process).length;
    await made.gate.end(1, ToolResult.text('after all'));
    await process.say('news?');
    expect(notes(process).slice(before).map((text) => text.replace(/^user: /, ''))).toEqual([expect.stringMatching(/^\[late result\] .*has ended well after all.*Its answer: after all$/)]);
    expect(jobs.list()[0].state, 'what was told stays').toBe(state);
  });

  it('S9 the effect of a job that ran out of time is not begun again unasked', async () => {
    const made = yard({ risk: ToolRiskLevel.sensitive, jobs: { jobTimeoutMs: 30000 } });
    const { process } = await started(made, [ScriptedTurn.text('ok'), batch('build')]);
    made.world.scheduler.advance(32000);
    await idle();
    expect(await process.say('again')).toBe('awaiting_approval');
    expect(made.build.count).toBe(1);
  });

  it('a job that ends within the grace ends as it does, and 0 is no bound', async () => {
    const made = yard({ jobs: { jobTimeoutMs: 30000 } });
    const { jobs } = await started(made);
    made.world.scheduler.advance(31000);
    await made.gate.end(1);
    made.world.scheduler.advance(100000);
    expect(jobs.list()[0].state).toBe('finished');
    const endless = yard({ jobs: { jobTimeoutMs: 0 } });
    const other = await started(endless);
    endless.world.scheduler.advance(2147483647);
    expect(other.jobs.list()[0].state).toBe('running');
  });
});

describe('a job and its run', () => {
  it('with outlivesRun false it is told to stop when its run ends, however that is', async () => {
    for (const ending of ['complete', 'cancelled', 'failed']) {
      const made = yard({ jobs: { outlivesRun: false } });
      const { process, jobs } = await made.open([batch('build'), ending === 'complete' ? ScriptedTurn.text('ok') : ending === 'cancelled' ? ScriptedTurn.hang() : ScriptedTurn.text('')]);
      const run = process.say('go');
      await idle();
      made.world.scheduler.advance(10000);
      await idle();
      if (ending === 'cancelled') void process.runtime.cancel('enough');
      await run;
      expect(jobs.list()[0].state, ending).toBe('cancel_requested');
      expect(made.gate.contexts.get(1)?.signal.cancelled).toBe(true);
    }
  });

  it('with outlivesRun false neither a question nor another run\'s end stops it', async () => {
    const made = yard({ jobs: { outlivesRun: false } });
    made.world.dangerous('pay');
    const { process, jobs } = await made.open([batch('build'), ScriptedTurn.call('p', 'pay', '{}')], { config: { approvalPolicy: undefined } });
    const run = process.say('go');
    await idle();
    made.world.scheduler.advance(10000);
    expect(await run).toBe('awaiting_approval');
    expect(jobs.list()[0].state).toBe('running');
    await process.approveAll();
    expect(await process.resume()).toBe('complete');
    expect(jobs.list()[0].state).toBe('cancel_requested');
  });

  it('is told to stop when the session is closed, and is lost to the next process', async () => {
    const made = yard();
    const { process } = await started(made);
    await process.runtime.close();
    expect(made.gate.contexts.get(1)?.signal.cancelled).toBe(true);
    await made.gate.end(1);
    const two = await made.open([]);
    expect(two.jobs.list().map((job) => job.state)).toEqual(['unknown']);
  });

  it('refuses times that are none', () => {
    for (const jobTimeoutMs of [-1, 1.5, Number.NaN, 2147483648]) {
      expect(new JobFeature({ jobTimeoutMs }).register(new ToolRegistry()).error.code).toBe('config_invalid');
    }
  });
});
