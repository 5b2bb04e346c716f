import { describe, expect, it } from 'vitest';
import { ArkAgentError } from '@core/base/ArkAgentError';
import { ErrorLayer } from '@core/base/ErrorCodes';
import type { AgentHook } from '@core/hook/AgentHook';
import { ToolCallHookResult } from '@core/hook/result/ToolCallHookResult';
import { ToolResult } from '@core/tool/ToolResult';
import { call, callContext, hook, pipelineOf } from './support';

const answers = (name: string, make: (from: ReturnType<typeof callContext>) => ToolCallHookResult): AgentHook =>
  hook(name, { beforeToolCall: async (context) => make(context) });
const mustNotRun = (name: string): AgentHook => answers(name, () => { throw new Error(`${name} was asked`); });

describe('BeforeToolCallSlot', () => {
  it('HOOK-03 the first deny wins, later hooks are not called', async () => {
    const outcome = await pipelineOf(
      answers('a', (context) => ToolCallHookResult.proceed(context.call, 'careful')),
      answers('b', () => ToolCallHookResult.deny(undefined, 'not today')),
      mustNotRun('c'),
    ).beforeToolCall(callContext());
    expect(outcome.abort).toBeUndefined();
    expect(outcome.denial).toMatchObject({ hookName: 'b', reason: 'not today', syntheticResult: undefined });
    expect(outcome.warnings).toEqual(['careful']);
  });

  it('HOOK-03 the first abort wins, later hooks are not called', async () => {
    const outcome = await pipelineOf(answers('a', () => ToolCallHookResult.abort('stop')), mustNotRun('b')).beforeToolCall(callContext());
    expect(outcome.denial).toBeUndefined();
    expect(outcome.abort).toMatchObject({ hookName: 'a', slot: 'beforeToolCall' });
    expect(outcome.abort?.error).toMatchObject({ code: 'hook_abort', layer: ErrorLayer.security, message: 'stop' });
  });

  it('HOOK-03 a defer is recorded and cannot be undone; later hooks may rewrite', async () => {
    const outcome = await pipelineOf(
      answers('a', () => ToolCallHookResult.defer('first')),
      answers('b', (context) => ToolCallHookResult.proceed(context.call.withArguments('{"b":2}'), 'note')),
      answers('c', () => ToolCallHookResult.defer('second')),
      answers('d', (context) => ToolCallHookResult.proceed(context.call)),
    ).beforeToolCall(callContext());
    expect(outcome.deferred).toBe(true);
    expect(outcome.deferReasons).toEqual(['first', 'second']);
    expect(outcome.call.argumentsJson).toBe('{"b":2}');
    expect(outcome.warnings).toEqual(['note']);
    expect([outcome.denial, outcome.abort]).toEqual([undefined, undefined]);
  });

  it('HOOK-03 a later deny or abort beats a defer', async () => {
    const defer = answers('a', () => ToolCallHookResult.defer('ask'));
    const denied = await pipelineOf(defer, answers('b', () => ToolCallHookResult.deny())).beforeToolCall(callContext());
    expect(denied.denial?.hookName).toBe('b');
    const aborted = await pipelineOf(defer, answers('b', () => ToolCallHookResult.abort('x'))).beforeToolCall(callContext());
    expect(aborted.abort?.hookName).toBe('b');
  });

  it('HOOK-09 a deny without a synthetic result still answers the call', async () => {
    const bare = await pipelineOf(answers('guard', () => ToolCallHookResult.deny())).beforeToolCall(callContext());
    expect(bare.denial?.toResult()).toMatchObject({ isError: true });
    expect(bare.denial?.toResult().text()).toBe('tool_denied: the call was refused by a safety rule');
    expect(bare.denial?.toError()).toMatchObject({ code: 'tool_denied', layer: ErrorLayer.security });
    expect(Array.from(bare.denial?.toError().details?.entries() ?? [])).toEqual([['by', 'hook'], ['hook', 'guard']]);
    const synthetic = await pipelineOf(answers('guard', () => ToolCallHookResult.deny(ToolResult.text('cached')))).beforeToolCall(callContext());
    expect(synthetic.denial?.toResult().text()).toBe('cached');
  });

  it("an abort keeps the hook's own error with its code and layer", async () => {
    const own = new ArkAgentError(ErrorLayer.tool, 'my_rule', 'rule 7');
    const outcome = await pipelineOf(answers('a', () => ToolCallHookResult.abort('x', own))).beforeToolCall(callContext());
    expect(outcome.abort?.error).toBe(own);
  });

  it('an answer that only repeats the call is no rewrite', async () => {
    const outcome = await pipelineOf(answers('a', (context) => ToolCallHookResult.proceed(context.call.withId('y')))).beforeToolCall(callContext());
    expect(outcome.rewritten).toBe(false);
    expect(outcome.call).toEqual(call());
  });
});
