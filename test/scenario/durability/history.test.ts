import { describe, expect, it } from 'vitest';
import { ArkAgentError } from '@core/base/ArkAgentError';
import { ErrorCode } from '@core/base/ErrorCodes';
import { AgentHook } from '@core/hook/AgentHook';
import { BeforeRunHookResult } from '@core/hook/result/BeforeRunHookResult';
import { StatePersistenceHookResult } from '@core/hook/result/StatePersistenceHookResult';
import type { StatePersistenceHookContext } from '@core/hook/context/StatePersistenceHookContext';
import { ToolResultHookResult } from '@core/hook/result/ToolResultHookResult';
import { ToolCallHookResult } from '@core/hook/result/ToolCallHookResult';
import type { ToolCallHookContext } from '@core/hook/context/ToolCallHookContext';
import { type AgentMessage, MessageRole } from '@core/message/AgentMessage';
import { ModelOutcome } from '@core/model/ModelResponse';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import { PersistReason } from '@core/state/PersistReason';
import { CommitFault } from '@core/testing/StoppingStateStorage';
import { ToolResult } from '@core/tool/ToolResult';
import type { Process } from '../../support/Process';
import { World } from '../../support/World';

const BATCH = (): ScriptedTurn => new ScriptedTurn().call('c1', 'pay', '{"n":1}').call('c2', 'pay', '{"n":2}');
const READS = (): ScriptedTurn => new ScriptedTurn().call('c1', 'read', '{}').call('c2', 'read', '{}');

/** Every call of every assistant message is followed by exactly one result, in the order of the calls; nothing else is a result. */
function expectPairs(messages: ReadonlyArray<AgentMessage>): void {
  let at = 0;
  while (at < messages.length) {
    const head = messages[at];
    expect(head.role, `message ${at} answers nothing`).not.toBe(MessageRole.tool);
    for (const call of head.toolCalls) {
      at++;
      expect(messages[at]?.role).toBe(MessageRole.tool);
      expect(messages[at]?.toolCallId).toBe(call.id);
    }
    at++;
  }
}

/** Says something new and looks at what the model got: complete pairs, and the results of the first batch. */
async function results(process: Process): Promise<string[]> {
  expect(await process.say('and now?')).toBe('complete');
  for (const request of process.provider.requests()) {
    expectPairs(request.messages.toArray());
  }
  expectPairs(process.runtime.snapshot().history.toArray());
  return process.lastRequest().filter((line) => line.startsWith('tool ')).map((line) => line.replace(/^tool \S+( error)?: /, '').split(':')[0]);
}

class Aborting extends AgentHook {
  runs = 0;

  constructor(private readonly slot: 'beforeToolCall' | 'afterToolCall' | 'beforeRun') {
    super('abort');
  }

  override async beforeRun(context: Parameters<AgentHook['beforeRun']>[0]): Promise<BeforeRunHookResult> {
    this.runs++;
    return this.slot === 'beforeRun' && this.runs === 2 ? BeforeRunHookResult.abort('not today') : BeforeRunHookResult.proceed(context.input);
  }

  override async beforeToolCall(context: ToolCallHookContext): Promise<ToolCallHookResult> {
    return this.slot === 'beforeToolCall' && this.runs === 1 && context.call.id === 'c2' ? ToolCallHookResult.abort('stop') : ToolCallHookResult.proceed(context.call);
  }

  override async afterToolCall(context: Parameters<AgentHook['afterToolCall']>[0]): Promise<ToolResultHookResult> {
    return this.slot === 'afterToolCall' && this.runs === 1 ? ToolResultHookResult.abort('stop') : ToolResultHookResult.proceed(context.result);
  }
}

class Skipping extends AgentHook {
  override async beforePersistState(_context: StatePersistenceHookContext): Promise<StatePersistenceHookResult> {
    return StatePersistenceHookResult.skip();
  }
}

function bank(): World {
  const world = new World();
  world.safe('read');
  world.dangerous('pay');
  return world;
}

describe('S6 a history that every provider accepts, whatever cut the run', () => {
  it('S6 killed after the assistant message', async () => {
    const world = bank();
    const one = await world.open({ turns: [BATCH()] });
    one.storage.plan(2, CommitFault.stopAfter);
    await one.say('go');
    expect(await results(await world.open())).toEqual(['process_died', 'process_died']);
  });

  it('S6 killed after the question was announced, then cancelled', async () => {
    const world = bank();
    const one = await world.open({ turns: [BATCH()] });
    await one.say('go');
    one.kill();
    const two = await world.open();
    await two.runtime.cancel('no');
    expect(await results(two)).toEqual(['tool_cancelled', 'tool_cancelled']);
    expect(two.lastRequest()[2]).toContain('cancelled_by_user');
  });

  it('S6 killed after 1 of 2 results', async () => {
    const world = bank();
    const one = await world.open({ turns: [BATCH()] });
    await one.say('go');
    await one.approveAll();
    one.storage.plan(4, CommitFault.stopAfter);
    await one.resume();
    const two = await world.open();
    expect(await results(two)).toEqual(['done', 'tool_outcome_unknown']);
  });

  it.each([
    ['beforeToolCall' as const, ['hook_abort', 'hook_abort']],
    ['afterToolCall' as const, ['done', 'hook_abort']],
  ])('S6 DEC-33 a hook aborts in %s', async (slot, expected) => {
    const one = await bank().open({ turns: [READS()], config: { hooks: [new Aborting(slot)] } });
    expect(await one.say('go')).toBe('hook_abort');
    expect(await results(one)).toEqual(expected);
  });

  it('S6 DEC-20 a beforeRun abort only delays the closing messages', async () => {
    const world = bank();
    const one = await world.open({ turns: [BATCH()], config: { hooks: [new Aborting('beforeRun')] } });
    await one.say('go');
    await one.runtime.cancel('no');
    expect(await one.say('first try')).toBe('hook_abort');
    expect(one.history().filter((line) => line.startsWith('user'))).toEqual(['user: go']);
    expect(await results(one)).toEqual(['tool_cancelled', 'tool_cancelled']);
  });

  it('S6 DEC-25 the stream breaks off: text stays, marked, without calls', async () => {
    const failure = ArkAgentError.of(ErrorCode.providerStreamIncomplete, 'cut');
    const one = await bank().open({ turns: [BATCH().text('I will').fail(failure, ModelOutcome.incomplete)] });
    expect(await one.say('go')).toBe('provider_stream_incomplete');
    expect(one.history()).toEqual(['user: go', 'assistant: I will']);
    expect(one.runtime.snapshot().history.last()?.interrupted).toBe(true);
    expect(await results(one)).toEqual([]);
  });

  it('S6 the person cancels while a call runs', async () => {
    const world = bank();
    const slow = world.safe('slow');
    slow.work = () => new Promise(() => undefined);
    const one = await world.open({ turns: [new ScriptedTurn().call('c1', 'read', '{}').call('c2', 'slow', '{}').call('c3', 'read', '{}')] });
    const run = one.say('go');
    while (slow.count === 0) await Promise.resolve();
    void one.runtime.cancel('enough');
    world.scheduler.advance(2000);
    expect(await run).toBe('cancelled');
    expect(await results(one)).toEqual(['done', 'tool_cancelled', 'tool_cancelled']);
  });

  it('S6 not executed and changed calls name their reasons', async () => {
    const world = bank();
    const denied = await world.open({ turns: [BATCH()] });
    await denied.say('go');
    await denied.controller.deny(denied.questions()[0], 'no');
    await denied.controller.approve(denied.questions()[0]);
    await denied.resume();
    expect(denied.history().slice(2, 4)).toEqual([expect.stringContaining('tool_denied'), expect.stringMatching(/tool_batch_not_executed.*not_executed/)]);
    const gone = bank();
    const one = await gone.open({ turns: [BATCH()] });
    await one.say('go');
    await one.approveAll();
    one.kill();
    const two = await gone.open({ without: ['pay'] });
    await two.resume();
    expect(two.history().slice(2, 4)).toEqual([expect.stringContaining('tool_changed'), expect.stringMatching(/tool_batch_not_executed.*not_executed/)]);
    expect(await results(two)).toEqual(['tool_changed', 'tool_batch_not_executed']);
  });

  it('S6 denied and expired calls name their reasons', async () => {
    const world = bank();
    const one = await world.open({ turns: [BATCH()], config: { approvalTtlMs: 10 } });
    await one.say('go');
    await one.controller.deny(one.questions()[0], 'no');
    world.clock.advance(10);
    await one.controller.approve(one.questions()[0]);
    await one.resume();
    expect(one.history()[2]).toContain('tool_denied');
    expect(one.history()[3]).toContain('expired');
    expect(await results(one)).toEqual(['tool_denied', 'tool_denied']);
  });

  it('S6 a hook that skips every ordinary save changes nothing of it', async () => {
    const world = bank();
    const one = await world.open({ turns: [READS()], config: { hooks: [new Skipping('skip')] } });
    one.storage.plan(1, CommitFault.stopBefore);
    expect(await one.say('go')).toBe('stopped');
    const two = await world.open({ turns: [READS()], config: { hooks: [new Skipping('skip')] } });
    expect(two.runtime.restored).toBe(false);
    expect(await two.say('go')).toBe('complete');
    expect(await results(two)).toEqual(['done', 'done']);
    expect((await world.stored()).history.length).toBe(7);
  });

  it('DEC-20 the closing messages stand before the new input, and are part of its commit', async () => {
    const world = bank();
    const one = await world.open({ turns: [BATCH()] });
    await one.say('go');
    await one.runtime.cancel('no');
    const stored = await world.stored();
    expect(stored.history.length).toBe(2);
    expect(stored.openBatch?.calls.map((call) => call.status)).toEqual(['closed', 'closed']);
    await one.say('next');
    const commit = one.storage.commits.find((made, at) => made.reason === PersistReason.afterUserInput && at > 0);
    expect(commit?.next.history.toArray().map((message) => message.role)).toEqual(['user', 'assistant', 'tool', 'tool', 'user']);
    expect(commit?.next.openBatch).toBeUndefined();
  });

  it('DEC-47 ids that a provider repeats over turns pair by message and position', async () => {
    const world = bank();
    const read = world.safe('read');
    let count = 0;
    read.work = async () => ToolResult.text(`answer ${++count}`);
    const one = await world.open({ turns: [ScriptedTurn.call('call_0', 'read', '{"a":1}'), ScriptedTurn.call('call_0', 'read', '{"a":2}')] });
    expect(await one.say('go')).toBe('complete');
    expect(one.history().filter((line) => line.startsWith('tool'))).toEqual(['tool call_0: answer 1', 'tool call_0: answer 2']);
    expectPairs(one.runtime.snapshot().history.toArray());
  });
});
