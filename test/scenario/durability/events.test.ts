import { describe, expect, it } from 'vitest';
import { ArkAgentError } from '@core/base/ArkAgentError';
import { ErrorCode } from '@core/base/ErrorCodes';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import { ToolResult } from '@core/tool/ToolResult';
import { EventLog } from '../../support/EventLog';
import { World } from '../../support/World';

const QUIET = /^(hook (before|after)PersistState|bus llm\.|run (text_delta|model_started))/;

function order(log: EventLog): string[] {
  return log.lines.filter((line) => !QUIET.test(line));
}

async function open(turns: ScriptedTurn[], world = new World()): Promise<{ world: World; log: EventLog; one: Awaited<ReturnType<World['open']>> }> {
  world.safe('read');
  world.dangerous('pay');
  const log = new EventLog();
  const one = await world.open({ turns, log, config: { hooks: [log.hook()] } });
  return { world, log, one };
}

describe('DEC-22 the order of what is told', () => {
  it('DEC-22 DEC-17 a run that completes: start, saves, ending, afterRun, terminal call', async () => {
    const { log, one } = await open([]);
    await one.say('hi');
    expect(order(log)).toEqual([
      'bus agent.started', 'run run_started', 'hook beforeRun',
      'bus state.persisted after_user_input', 'run state_persisted after_user_input',
      'bus state.persisted after_model_text', 'run state_persisted after_model_text',
      'bus state.persisted terminal', 'run state_persisted terminal',
      'bus agent.success', 'run run_completed', 'hook afterRun complete 0', 'run onComplete',
    ]);
  });

  it('DEC-22 a save: beforePersistState, afterPersistState, then the event', async () => {
    const { log, one } = await open([]);
    await one.say('hi');
    const at = log.lines.indexOf('hook beforePersistState terminal');
    expect(log.lines.slice(at, at + 4)).toEqual(['hook beforePersistState terminal', 'hook afterPersistState terminal',
      'bus state.persisted terminal', 'run state_persisted terminal']);
  });

  it('DEC-22 DEC-17 a question: saved, ApprovalRequired, AgentSuspended, afterRun, onComplete', async () => {
    const { log, one } = await open([ScriptedTurn.call('c1', 'pay', '{}')]);
    await one.say('go');
    expect(order(log).slice(-8)).toEqual([
      'bus state.persisted awaiting_approval', 'run state_persisted awaiting_approval',
      'bus approval.required', 'run approval_required', 'bus agent.suspended', 'run suspended',
      'hook afterRun awaiting_approval 0', 'run onComplete',
    ]);
    expect(one.observer.completions).toBe(1);
  });

  it('DEC-22 a decision: saved, then ApprovalResolved, then the answer', async () => {
    const { log, one } = await open([ScriptedTurn.call('c1', 'pay', '{}')]);
    await one.say('go');
    log.clear();
    await one.controller.approve(one.questions()[0]).then(() => log.note('answer'));
    expect(log.lines).toEqual(['hook beforePersistState approval_decision', 'hook afterPersistState approval_decision',
      'bus state.persisted approval_decision', 'bus approval.resolved approved all', 'answer']);
  });

  it('DEC-22 DEC-17 a resume: claim commit, AgentResumed, the calls, no beforeRun, same run id', async () => {
    const { log, one, world } = await open([new ScriptedTurn().call('c1', 'read', '{}').call('c2', 'pay', '{}')]);
    await one.say('go');
    const runId = one.batch().runId;
    await one.approveAll();
    log.clear();
    await one.resume();
    expect(order(log)).toEqual([
      'bus state.persisted resume_claim', 'run state_persisted resume_claim', 'bus agent.resumed', 'run run_resumed',
      'bus tool.before', 'run tool_call_started', 'bus tool.after', 'run tool_call_finished',
      'bus state.persisted tool_effect', 'run state_persisted tool_effect',
      'bus tool.before', 'run tool_call_started',
      'bus state.persisted tool_effect', 'run state_persisted tool_effect',
      'bus tool.after', 'run tool_call_finished',
      'bus state.persisted after_tool_batch', 'run state_persisted after_tool_batch',
      'bus state.persisted after_model_text', 'run state_persisted after_model_text',
      'bus state.persisted terminal', 'run state_persisted terminal',
      'bus agent.success', 'run run_completed', 'hook afterRun complete 1', 'run onComplete',
    ]);
    expect(new Set(log.busEvents.map((event) => event.runId))).toEqual(new Set([runId]));
    expect(new Set(log.busEvents.map((event) => event.sessionId))).toEqual(new Set([world.sessionId]));
    expect((await world.stored()).run?.runId).toBe(runId);
  });

  it('DEC-22 a failure: AgentFailed, runFailed, afterRun, onError with the same error', async () => {
    const { log, one } = await open([ScriptedTurn.fail(ArkAgentError.of(ErrorCode.providerServerError, 'down'))]);
    expect(await one.say('go')).toBe('provider_server_error');
    expect(order(log).slice(-6)).toEqual(['bus state.persisted terminal', 'run state_persisted terminal', 'bus agent.failed', 'run run_failed',
      'hook afterRun error 0', 'run onError provider_server_error']);
    expect(one.observer.errors[0]).toBe(one.result?.error);
  });

  it('DEC-22 DEC-19 a cancel: requested at once, then stored, then cancelled; nothing is fed back', async () => {
    const { log, one, world } = await open([new ScriptedTurn().call('c1', 'slow', '{}').call('c2', 'read', '{}')], (() => {
      const made = new World();
      made.safe('slow').work = () => new Promise(() => undefined);
      return made;
    })());
    const run = one.say('go');
    while (log.count('bus tool.before') === 0) await Promise.resolve();
    const cancelled = one.runtime.cancel('enough');
    expect(order(log).slice(-2)).toEqual(['bus agent.cancel_requested', 'run cancel_requested']);
    expect(one.runtime.running).toBe(true);
    world.scheduler.advance(2000);
    await cancelled;
    expect(await run).toBe('cancelled');
    expect(order(log).slice(-10)).toEqual(['bus tool.after', 'run tool_call_finished', 'bus state.persisted terminal', 'run state_persisted terminal',
      'bus tool.after', 'run tool_call_finished', 'bus agent.cancelled', 'run run_cancelled', 'hook afterRun cancelled 0', 'run onComplete']);
    expect(one.provider.calls).toBe(1);
    expect(log.count('bus tool.before')).toBe(1);
  });

  it('DEC-16 a denied batch is a completed run, and every segment ends its observer exactly once', async () => {
    const { one } = await open([ScriptedTurn.call('c1', 'pay', '{}')]);
    await one.say('go');
    const first = one.observer;
    await one.controller.denyAll(one.batch().batchId);
    expect(await one.resume()).toBe('complete');
    expect([first.terminals, one.observer.terminals]).toEqual([1, 1]);
    expect(one.result?.value.kind).toBe('completed');
    expect(one.result?.value.runId).toBe(one.runtime.snapshot().run?.runId);
  });

  it('DEC-43 refused calls get ToolAfter and no ToolBefore', async () => {
    const { log, one } = await open([ScriptedTurn.call('c1', 'ghost', '{}')]);
    await one.say('go');
    expect([log.count('bus tool.before'), log.count('bus tool.after')]).toEqual([0, 1]);
  });

  it('DEC-17 afterRun comes once per segment over question, kill and cancel', async () => {
    const world = new World();
    world.dangerous('pay').work = async () => ToolResult.text('paid');
    const log = new EventLog();
    const config = { hooks: [log.hook()] };
    const one = await world.open({ turns: [ScriptedTurn.call('c1', 'pay', '{}')], log, config });
    await one.say('go');
    one.kill();
    const two = await world.open({ turns: [ScriptedTurn.call('c2', 'pay', '{}')], log, config });
    await two.approveAll();
    expect(await two.resume()).toBe('awaiting_approval');
    await two.runtime.cancel('no');
    expect(log.of('hook').filter((line) => line.startsWith('afterRun'))).toEqual(
      ['afterRun awaiting_approval 0', 'afterRun awaiting_approval 1', 'afterRun cancelled 2']);
    expect(log.count('hook beforeRun')).toBe(1);
  });
});
