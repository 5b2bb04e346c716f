import { describe, expect, it } from 'vitest';
import { CallResult } from '@core/state/CallResult';
import { EnvelopeFactory } from '@core/execution/run/EnvelopeFactory';
import { SilentCallReporter } from '@core/execution/seam/CallReporter';
import type { ToolCall } from '@core/message/ToolCall';
import { StatePersistenceHookResult } from '@core/hook/result/StatePersistenceHookResult';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import { ToldCalls } from '@core/runtime/ledger/ToldCalls';
import { CommitFault } from '@core/testing/StoppingStateStorage';
import { ToolResult } from '@core/tool/ToolResult';
import { ToolCallStatus } from '@core/tool/ToolResultEnvelope';
import type { Process } from '../../support/Process';
import { World } from '../../support/World';
import { hook } from '../../scenario/run/harness';
import { call } from './support';

describe('the end of a segment', () => {
  async function asked(config: object = {}): Promise<{ world: World; one: Process; id: string }> {
    const world = new World();
    world.dangerous('pay');
    const one = await world.open({ turns: [new ScriptedTurn().call('c1', 'pay', '{"n":1}').call('c2', 'pay', '{"n":2}')], config });
    await one.say('go');
    return { world, one, id: one.questions()[0] };
  }
  const closedBy = async (world: World): Promise<string[]> => (await world.stored()).receipts.map((receipt) => `${receipt.closedBy}: ${receipt.entries.map((entry) => entry.decision).join(' ')}`);

  it('DEC-17 a cancel closes the questions, and says so before it says that the run is cancelled', async () => {
    const { world, one } = await asked();
    one.log.clear();
    await one.runtime.cancel('enough');
    expect(one.log.of('bus').filter((line) => !line.startsWith('state.') && !line.startsWith('tool.'))).toEqual(['approval.resolved pending pending all by cancel', 'agent.cancelled']);
    expect([await closedBy(world), (await world.stored()).run?.stopReason, (await world.stored()).run?.status]).toEqual([['cancel: pending pending'], 'cancelled', 'finished']);
  });

  it('an abort of the write that claims a batch leaves it as it is; one of the next writes closes it in its name', async () => {
    let abort: string | undefined;
    const aborting = hook('aborting', { beforePersistState: async (context) => (context.reason === abort ? StatePersistenceHookResult.abort('not now') : StatePersistenceHookResult.proceed()) });
    const { world, one } = await asked({ hooks: [aborting] });
    await one.approveAll();
    abort = 'resume_claim';
    expect([await one.resume(), await closedBy(world)]).toEqual(['hook_abort', []]);
    abort = 'tool_effect';
    expect([await one.resume(), await closedBy(world), (await world.stored()).run?.stopReason]).toEqual(['hook_abort', ['abort: approved approved'], 'aborted']);
  });

  it('announces only what waits: no question after a pause, none that is decided', async () => {
    const { one } = await asked();
    const announced = (): string[] => one.log.of('bus').filter((line) => /^(approval\.required|agent\.suspended|plan\.review_required)/.test(line));
    expect(announced()).toEqual(['approval.required', 'agent.suspended']);
    await one.controller.approve(one.questions()[0]);
    one.log.clear();
    expect([await one.resume(), announced()]).toEqual(['awaiting_approval', []]);
    const world = new World();
    const two = await world.open({ turns: [ScriptedTurn.text('a long answer')] });
    two.controller.subscribe('llm.before', () => { void two.runtime.suspend('app'); });
    expect([await two.say('go'), two.log.of('bus').filter((line) => /^(approval|agent\.suspended|plan)/.test(line))]).toEqual(['suspended', ['agent.suspended']]);
  });

  it('DEC-23 an ending that cannot be stored marks the session, and the error says how the run would have ended', async () => {
    const world = new World();
    const one = await world.open({ turns: [ScriptedTurn.text('bye')] });
    one.storage.plan(3, CommitFault.failBefore);
    expect([await one.say('go'), (await world.stored()).resumable]).toEqual(['state_save_failed', false]);
    const error = one.result?.ok === false ? one.result.error : undefined;
    expect([error?.details?.get('original'), error?.details?.get('marked'), error?.cause !== undefined, one.observer.errors[0] === error]).toEqual(['complete', true, true, true]);
    expect(await one.say('more')).toBe('session_not_resumable');
  });

  it('a question that cannot be stored is announced to nobody, and the run ends', async () => {
    const world = new World();
    world.dangerous('pay');
    const one = await world.open({ turns: [ScriptedTurn.call('c1', 'pay', '{}')] });
    one.storage.plan(3, CommitFault.failBefore);
    expect([await one.say('go'), one.questions(), one.log.of('bus').filter((line) => line.startsWith('approval.')), (await world.stored()).run?.status]).toEqual(['state_save_failed', [], [], 'finished']);
  });
});

describe('DEC-43 which ends of calls have been told', () => {
  class Listener extends SilentCallReporter {
    readonly told: string[] = [];

    override callFinished(one: ToolCall): void { this.told.push(one.id); }
    override callStarted(one: ToolCall): void { this.told.push(`${one.id} starts`); }
    override callProgress(one: ToolCall): void { this.told.push(`${one.id} goes on`); }
    override diagnostics(): void { this.told.push('notes'); }
  }

  const envelope = EnvelopeFactory.of(call(0), CallResult.of(ToolCallStatus.ok, '', ToolResult.text('x'), 0), 0);

  it('each end of a call of a batch is told once; of the next batch anew', () => {
    const told = new ToldCalls();
    const listener = new Listener();
    const first = told.reporterOf('b1', listener);
    first.callFinished(call(0), envelope, []);
    first.callFinished(call(0), envelope, []);
    first.callFinished(call(1), envelope, []);
    expect([listener.told, told.has('b1', 0), told.has('b1', 2), told.has('b2', 0), told.has('', 0)]).toEqual([['c0', 'c1'], true, false, false, false]);
    told.reporterOf('b2', listener).callFinished(call(0), envelope, []);
    expect([listener.told, told.has('b1', 0), told.has('b2', 0), told.has('b2', 1)]).toEqual([['c0', 'c1', 'c0'], false, true, false]);
  });

  it('a call that begins again has another end; one of another batch begins nothing here', () => {
    const told = new ToldCalls();
    const listener = new Listener();
    const first = told.reporterOf('b1', listener);
    first.callFinished(call(0), envelope, []);
    told.begins('b2', 0);
    expect(told.has('b1', 0)).toBe(true);
    first.callStarted(call(0), [], 'policy');
    first.callProgress(call(0), 'm', 0.5);
    first.diagnostics([]);
    first.callFinished(call(0), envelope, []);
    expect(listener.told).toEqual(['c0', 'c0 starts', 'c0 goes on', 'notes', 'c0']);
  });
});
