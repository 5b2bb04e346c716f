import { describe, expect, it } from 'vitest';
import type { AgentHook } from '@core/hook/AgentHook';
import { HookDiagnosticCode } from '@core/hook/HookDiagnostic';
import { HookFailureMode } from '@core/hook/HookFailureMode';
import { BeforeRunHookResult } from '@core/hook/result/BeforeRunHookResult';
import { ModelCallHookResult } from '@core/hook/result/ModelCallHookResult';
import { ModelChunkHookResult } from '@core/hook/result/ModelChunkHookResult';
import { ModelResponseHookResult } from '@core/hook/result/ModelResponseHookResult';
import { StatePersistenceHookResult } from '@core/hook/result/StatePersistenceHookResult';
import { ToolCallHookResult } from '@core/hook/result/ToolCallHookResult';
import { ToolResultHookResult } from '@core/hook/result/ToolResultHookResult';
import { TurnCompletionHookResult } from '@core/hook/result/TurnCompletionHookResult';
import { AgentMessage, MessageRole } from '@core/message/AgentMessage';
import { ToolCall } from '@core/message/ToolCall';
import { ModelRequest } from '@core/model/ModelRequest';
import { ModelResponse } from '@core/model/ModelResponse';
import { PersistReason } from '@core/state/PersistReason';
import { ToolResult } from '@core/tool/ToolResult';
import {
  afterRunContext, call, callContext, chunkContext, completionContext, hook, modelContext, persistContext, pipelineOf, request, responseContext, resultContext, runContext,
} from './support';

const not = <T>(value: unknown): T => value as T;
const bad = (methods: Partial<AgentHook>, failureMode = HookFailureMode.failClosed): AgentHook => hook('bad', methods, { failureMode });
const throwing = (slot: keyof AgentHook): AgentHook => bad({ [slot]: async () => { throw new Error('x'); } } as Partial<AgentHook>, HookFailureMode.failOpen);

describe('an answer of the right class with a wrong value in it', () => {
  const shaped = (name: string, args: unknown): ToolCall => Object.assign(new ToolCall('c', 'n', '{}', 0), { name, argumentsJson: args });

  it.each([
    ['a call that is none', not<ToolCall>({ id: 'c', name: 'n', argumentsJson: '{}', index: 0 })], ['a name that is no text', shaped(not(1), '{}')], ['arguments that are no text', shaped('n', {})], ['nothing', not<ToolCall>(undefined)],
  ])('beforeToolCall: %s fails', async (_name, value) => {
    const outcome = await pipelineOf(bad({ beforeToolCall: async () => ToolCallHookResult.proceed(value) })).beforeToolCall(callContext());
    expect(outcome.abort?.error.code).toBe('hook_failed');
  });

  it.each([
    ['no result', not<ToolResult>({ contents: [] }), []], ['messages that are no list', ToolResult.text('r'), not<AgentMessage[]>('text')], ['a message that is none', ToolResult.text('r'), [AgentMessage.user('x'), not<AgentMessage>({ role: 'user' })]],
  ])('afterToolCall: %s fails', async (_name, result, injected) => {
    const outcome = await pipelineOf(bad({ afterToolCall: async () => ToolResultHookResult.proceed(result, injected) })).afterToolCall(resultContext());
    expect(outcome.abort?.error.code).toBe('hook_failed');
  });

  it('the others fail too', async () => {
    const codes = await Promise.all([
      pipelineOf(bad({ beforeRun: async () => BeforeRunHookResult.proceed(not('text')) })).beforeRun(runContext('x')),
      pipelineOf(bad({ beforeModelCall: async () => ModelCallHookResult.proceed(not<ModelRequest>({})) })).beforeModelCall(modelContext()),
      pipelineOf(bad({ beforeModelCall: async () => ModelCallHookResult.respond(not<ModelResponse>({})) })).beforeModelCall(modelContext()),
      pipelineOf(bad({ onModelChunk: async () => ModelChunkHookResult.proceed(not(1), '') })).onModelChunk(chunkContext('x')),
      pipelineOf(bad({ onModelChunk: async () => ModelChunkHookResult.proceed('', not(1)) })).onModelChunk(chunkContext('x')),
      pipelineOf(bad({ afterModelCall: async () => ModelResponseHookResult.proceed(not<ModelResponse>({})) })).afterModelCall(responseContext()),
      pipelineOf(bad({ onTurnCompletion: async () => TurnCompletionHookResult.continueRun(not('text')) })).onTurnCompletion(completionContext()),
    ]);
    expect(codes.map((outcome) => outcome.abort?.error.code)).toEqual(Array(7).fill('hook_failed'));
  });
});

describe('an answer that is taken over', () => {
  it('after a hook that failed open the value so far goes on', async () => {
    const input = [AgentMessage.user('changed')];
    const first = hook('first', {
      beforeRun: async () => BeforeRunHookResult.proceed(input), beforeModelCall: async () => ModelCallHookResult.proceed(request('changed')), onModelChunk: async () => ModelChunkHookResult.proceed('changed', 'why'),
      afterModelCall: async () => ModelResponseHookResult.proceed(ModelResponse.text('changed')), afterToolCall: async () => ToolResultHookResult.proceed(ToolResult.text('changed')),
      beforeToolCall: async () => ToolCallHookResult.proceed(call('{"b":2}')),
    });
    const after = (slot: keyof AgentHook): ReturnType<typeof pipelineOf> => pipelineOf(first, throwing(slot));
    expect((await after('beforeRun').beforeRun(runContext('x'))).input.map((one) => one.text())).toEqual(['changed']);
    expect((await after('beforeModelCall').beforeModelCall(modelContext())).request.systemPrompt).toBe('changed');
    expect(await after('onModelChunk').onModelChunk(chunkContext('x'))).toMatchObject({ text: 'changed', reasoning: 'why', dropped: false });
    expect((await after('afterModelCall').afterModelCall(responseContext())).response.text).toBe('changed');
    expect((await after('afterToolCall').afterToolCall(resultContext())).result.text()).toBe('changed');
    expect((await after('beforeToolCall').beforeToolCall(callContext())).call.argumentsJson).toBe('{"b":2}');
    const skipping = hook('skips', { beforePersistState: async () => StatePersistenceHookResult.skip() });
    expect((await pipelineOf(throwing('beforePersistState'), skipping).beforePersistState(persistContext(PersistReason.afterModelText))).skip).toBe(true);
  });

  it('an unchanged value is the very one that was asked about', async () => {
    const same = hook('same', {
      beforeRun: async (context) => BeforeRunHookResult.proceed(context.input), beforeModelCall: async (context) => ModelCallHookResult.proceed(context.request),
      afterModelCall: async (context) => ModelResponseHookResult.proceed(context.response), afterToolCall: async (context) => ToolResultHookResult.proceed(context.result), beforeToolCall: async (context) => ToolCallHookResult.proceed(context.call),
    });
    const pipeline = pipelineOf(same);
    const [run, model, response, result, asked] = [runContext('x'), modelContext(), responseContext(), resultContext(), callContext()];
    expect([(await pipeline.beforeRun(run)).input === run.input, (await pipeline.beforeModelCall(model)).request === model.request, (await pipeline.afterModelCall(response)).response === response.response,
      (await pipeline.afterToolCall(result)).result === result.result, (await pipeline.beforeToolCall(asked)).call === asked.call]).toEqual([true, true, true, true, true]);
  });

  it('marks say who did what to a call, and an empty note is none', async () => {
    const marks = async (...answers: ToolCallHookResult[]): Promise<string[]> => {
      const outcome = await pipelineOf(...answers.map((answer, at) => hook(`h${at}`, { beforeToolCall: async () => answer }))).beforeToolCall(callContext());
      return outcome.marks.map((mark) => `${mark.hookName} ${mark.kind}`).concat(outcome.warnings, `${outcome.rewritten}`);
    };
    expect(await marks(ToolCallHookResult.proceed(call('{"b":2}'), 'careful'), ToolCallHookResult.defer('why'), ToolCallHookResult.deny())).toEqual(['h0 warning', 'h0 rewrite', 'h1 defer', 'h2 deny', 'careful', 'true']);
    expect(await marks(ToolCallHookResult.proceed(call(undefined, 'other'), ''), ToolCallHookResult.abort('x'))).toEqual(['h0 rewrite', 'h1 abort', 'true']);
    const quiet = await pipelineOf(hook('h', { beforeToolCall: async (context) => ToolCallHookResult.proceed(context.call, '') })).beforeToolCall(callContext());
    expect([quiet.marks, quiet.warnings, quiet.rewritten, quiet.deferred]).toEqual([[], [], false, false]);
  });

  it('marks say who did what to a result; what may not be injected is left out and said', async () => {
    const marks = async (...answers: ToolResultHookResult[]): Promise<string[]> => {
      const outcome = await pipelineOf(...answers.map((answer, at) => hook(`h${at}`, { afterToolCall: async () => answer }))).afterToolCall(resultContext());
      return outcome.marks.map((mark) => `${mark.hookName} ${mark.kind}`);
    };
    const other = ToolResult.text('other');
    expect(await marks(ToolResultHookResult.proceed(other, [AgentMessage.user('x')]), ToolResultHookResult.stop(other, [AgentMessage.system('y')], 'enough'))).toEqual(['h0 inject', 'h0 rewrite', 'h1 inject', 'h1 rewrite', 'h1 stop']);
    expect(await marks(ToolResultHookResult.proceed(other), ToolResultHookResult.abort('x'))).toEqual(['h0 rewrite', 'h1 abort']);
    const dropped = await pipelineOf(hook('h', { afterToolCall: async (context) => ToolResultHookResult.proceed(context.result, [new AgentMessage({ role: MessageRole.assistant })]) })).afterToolCall(resultContext());
    expect([dropped.marks, dropped.injected, dropped.diagnostics.map((one) => [one.hookName, one.slot, one.code])]).toEqual([[], [], [['h', 'afterToolCall', HookDiagnosticCode.messageDropped]]]);
  });

  it('observing slots hear everything and are asked in order', async () => {
    const heard: string[] = [];
    const listener = (name: string): AgentHook => hook(name, { afterRun: async (context) => { heard.push(`${name} ${context.runId} ${context.stopReason}`); }, afterPersistState: async (context) => { heard.push(`${name} ${context.reason}`); } });
    const pipeline = pipelineOf(listener('a'), listener('b'));
    await pipeline.afterPersistState(persistContext(PersistReason.terminal));
    await pipeline.afterRun(afterRunContext());
    expect(heard).toEqual(['a terminal', 'b terminal', 'a run complete', 'b run complete']);
  });

  it('an abort has the hook\'s own error, or one with its reason, its name and its slot', async () => {
    const error = (await pipelineOf(hook('h', { onModelChunk: async () => ModelChunkHookResult.abort('why') })).onModelChunk(chunkContext('x'))).abort?.error;
    expect([error?.code, error?.message, error?.details?.get('hook'), error?.details?.get('slot')]).toEqual(['hook_abort', 'why', 'h', 'onModelChunk']);
    const nameless = (await pipelineOf(hook('h', { onModelChunk: async () => ModelChunkHookResult.abort('') })).onModelChunk(chunkContext('x'))).abort?.error;
    expect(nameless?.message).toBe('hook "h" aborted the run in onModelChunk');
    const failed = (await pipelineOf(bad({ onModelChunk: async () => { throw new Error('x'); } })).onModelChunk(chunkContext('x'))).abort?.error;
    expect([failed?.message, failed?.details?.get('hook'), failed?.details?.get('slot')]).toEqual(['hook "bad" threw in onModelChunk', 'bad', 'onModelChunk']);
    const open = await pipelineOf(throwing('onModelChunk')).onModelChunk(chunkContext('x'));
    expect(open.diagnostics.map((one) => one.message)).toEqual(['hook "bad" threw in onModelChunk: x']);
  });
});
