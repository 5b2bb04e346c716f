import { describe, expect, it } from 'vitest';
import { ApprovalScope, BatchDenyMode } from '@core/approval/ApprovalModes';
import { AgentHook } from '@core/hook/AgentHook';
import type { ToolCallHookContext } from '@core/hook/context/ToolCallHookContext';
import { ToolCallHookResult } from '@core/hook/result/ToolCallHookResult';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import { CommitFault } from '@core/testing/StoppingStateStorage';
import type { Process } from '../../support/Process';
import { World } from '../../support/World';

const { flagged, wholeBatch } = ApprovalScope;
const { atomic, independent } = BatchDenyMode;

class DenySend extends AgentHook {
  override async beforeToolCall(context: ToolCallHookContext): Promise<ToolCallHookResult> {
    return context.call.name === 'send' ? ToolCallHookResult.deny(undefined, 'no mail') : ToolCallHookResult.proceed(context.call);
  }
}

/** [gone: no such tool, send: a hook denies it, read: safe, pay A, pay B, note without its argument]. */
const MIXTURE = (): ScriptedTurn => new ScriptedTurn().call('c0', 'gone', '{}').call('c1', 'send', '{}').call('c2', 'read', '{}')
  .call('c3', 'pay', '{"n":1}').call('c4', 'pay', '{"n":2}').call('c5', 'note', '{}');

interface Setting {
  world: World;
  one: Process;
  ran: string[];
}

async function frozen(approvalScope: ApprovalScope, batchDenyMode: BatchDenyMode): Promise<Setting> {
  const world = new World();
  const ran: string[] = [];
  const tools = [world.safe('read'), world.dangerous('pay'), world.dangerous('send'),
    world.tool('note', undefined, undefined, '{"type":"object","properties":{"t":{"type":"string"}},"required":["t"]}')];
  tools.forEach((tool, at) => {
    const run = tool.execute.bind(tool);
    tool.execute = async (args, context) => {
      const result = await run(args, context);
      ran.push(`${['read', 'pay', 'send', 'note'][at]} ${tool.runs.at(-1)?.argumentsJson}`);
      return result;
    };
  });
  const one = await world.open({ turns: [MIXTURE()], config: { approvalScope, batchDenyMode, hooks: [new DenySend('mail')] } });
  expect(await one.say('go')).toBe('awaiting_approval');
  expect(ran).toEqual([]);
  return { world, one, ran };
}

/** The code of each call's answer, `done` where it ran. */
function codes(process: Process): string[] {
  return process.history().filter((text) => text.startsWith('tool ')).map((text) => text.split(': ')[1]);
}

async function answer(process: Process, denied: readonly string[]): Promise<void> {
  for (const item of process.controller.listPendingApprovals()) {
    await (denied.includes(item.toolCall.id) ? process.controller.deny(item.approvalId) : process.controller.approve(item.approvalId));
  }
}

const KEPT = ['tool_not_found', 'tool_denied'];
const LAST = 'tool_argument_required';
const OFF = 'tool_batch_not_executed';
const ALL = ['read {}', 'pay {"n":1}', 'pay {"n":2}'];

describe('S1 scope × deny mode in a batch with a gate failure and a hook denial', () => {
  it.each([[flagged, ['c3', 'c4']], [wholeBatch, ['c2', 'c3', 'c4']]] as const)('APP-04 with scope %s the questions are %s', async (scope, asked) => {
    const { one } = await frozen(scope, atomic);
    expect(one.controller.listPendingApprovals().map((item) => item.toolCall.id)).toEqual(asked);
    const lines = one.batch().siblings.map((line) => `${line.position} ${line.status} ${line.reason ?? ''}`.trim());
    expect(lines).toEqual(['0 refused tool_not_found', '1 refused tool_denied', ...(scope === flagged ? ['2 will_run'] : []), '5 refused tool_argument_required']);
    expect(one.log.count('bus approval.required')).toBe(1);
  });

  const table: [ApprovalScope, BatchDenyMode, string[], string[], string[]][] = [];
  for (const scope of [flagged, wholeBatch]) {
    for (const mode of [atomic, independent]) {
      table.push([scope, mode, [], ['done', 'done', 'done'], ALL]);
      table.push([scope, mode, ['c4'], mode === atomic ? [OFF, OFF, 'tool_denied'] : ['done', 'done', 'tool_denied'], mode === atomic ? [] : ALL.slice(0, 2)]);
      table.push([scope, mode, ['c3', 'c4'], [mode === atomic ? OFF : 'done', 'tool_denied', 'tool_denied'], mode === atomic ? [] : ALL.slice(0, 1)]);
    }
  }
  table.push([wholeBatch, atomic, ['c2'], ['tool_denied', OFF, OFF], []], [wholeBatch, independent, ['c2'], ['tool_denied', 'done', 'done'], ALL.slice(1)]);

  it.each(table)('S1 DEC-31 DEC-32 %s, %s, denied %j: the calls come to %j', async (scope, mode, denied, outcome, runs) => {
    const { one, ran } = await frozen(scope, mode);
    await answer(one, denied);
    expect(await one.resume()).toBe('complete');
    expect(codes(one)).toEqual([...KEPT, ...outcome, LAST]);
    expect(ran, 'each once, in the order of the model').toEqual(runs);
  });

  it.each(table)('S1 %s, %s, denied %j: the same after a kill before the claim', async (scope, mode, denied, outcome, runs) => {
    const { world, one, ran } = await frozen(scope, mode);
    await answer(one, denied);
    one.kill();
    const two = await world.open();
    expect(await two.resume()).toBe('complete');
    expect(codes(two)).toEqual([...KEPT, ...outcome, LAST]);
    expect(ran).toEqual(runs);
  });

  it('an expired question is a denial: nothing of an atomic batch runs, an independent one runs what was approved', async () => {
    for (const mode of [atomic, independent]) {
      const world = new World();
      const pay = world.dangerous('pay');
      const one = await world.open({ turns: [new ScriptedTurn().call('a', 'pay', '{"n":1}').call('b', 'pay', '{"n":2}')], config: { batchDenyMode: mode, approvalTtlMs: 50 } });
      await one.say('go');
      await one.controller.approve(one.questions()[0]);
      world.clock.advance(50);
      world.scheduler.advance(50);
      await one.controller.approve(one.questions()[0] ?? '');
      expect(await one.resume()).toBe('complete');
      expect(pay.runs.map((run) => run.argumentsJson)).toEqual(mode === atomic ? [] : ['{"n":1}']);
    }
  });

  it('wholeBatch is about frozen batches: safe calls alone ask nobody', async () => {
    const world = new World();
    const read = world.safe('read');
    const one = await world.open({ turns: [new ScriptedTurn().call('a', 'read', '{}').call('b', 'read', '{}')], config: { approvalScope: wholeBatch } });
    expect(await one.say('go')).toBe('complete');
    expect(read.count).toBe(2);
  });

  it.each([[flagged, atomic], [flagged, independent], [wholeBatch, atomic], [wholeBatch, independent]])(
    'DEC-31 %s, %s: in a batch that has begun a denied second question stops only its call', async (approvalScope, batchDenyMode) => {
      const world = new World();
      const pay = world.dangerous('pay');
      const config = { approvalScope, batchDenyMode };
      const one = await world.open({ turns: [new ScriptedTurn().call('a', 'pay', '{"n":1}').call('b', 'pay', '{"n":2}').call('c', 'pay', '{"n":3}')], config });
      await one.say('go');
      await one.approveAll();
      one.storage.plan(3, CommitFault.stopBefore);
      expect(await one.resume()).toBe('stopped');
      const { UnknownOutcomePolicy } = await import('@core/approval/ApprovalModes');
      const two = await world.open({ config: { ...config, unknownOutcomePolicy: UnknownOutcomePolicy.ask } });
      expect(await two.resume()).toBe('awaiting_approval');
      expect(two.controller.listPendingApprovals().map((item) => [item.toolCall.id, item.kind])).toEqual([['a', 'retry']]);
      await two.controller.deny(two.questions()[0]);
      expect(await two.resume()).toBe('complete');
      expect(pay.runs.map((run) => run.argumentsJson)).toEqual(['{"n":1}', '{"n":2}', '{"n":3}']);
      expect(codes(two)).toEqual(['tool_outcome_unknown', 'done', 'done']);
    });
});
