import { describe, expect, it } from 'vitest';
import { ArkAgentError } from '@core/base/ArkAgentError';
import { HookContextBase } from '@core/hook/context/HookContextBase';
import { ModelResponseHookContext } from '@core/hook/context/ModelResponseHookContext';
import { AfterRunHookContext } from '@core/hook/context/AfterRunHookContext';
import { BeforeRunHookContext } from '@core/hook/context/BeforeRunHookContext';
import { BeforeRunHookResult } from '@core/hook/result/BeforeRunHookResult';
import { ModelCallHookResult } from '@core/hook/result/ModelCallHookResult';
import { ModelChunkHookResult } from '@core/hook/result/ModelChunkHookResult';
import { ModelResponseHookResult } from '@core/hook/result/ModelResponseHookResult';
import { StatePersistenceHookResult } from '@core/hook/result/StatePersistenceHookResult';
import { ToolCallHookResult } from '@core/hook/result/ToolCallHookResult';
import { ToolResultHookResult } from '@core/hook/result/ToolResultHookResult';
import { TurnCompletionHookResult } from '@core/hook/result/TurnCompletionHookResult';
import { Snapshots } from '@core/hook/Snapshots';
import { JsonObject } from '@core/json/JsonObject';
import { JsonValue } from '@core/json/JsonValue';
import { AgentMessage, MessageRole } from '@core/message/AgentMessage';
import { ContentPart } from '@core/message/ContentPart';
import { ToolCall } from '@core/message/ToolCall';
import { ModelRequest } from '@core/model/ModelRequest';
import { ModelResponse } from '@core/model/ModelResponse';
import { ToolDefinition } from '@core/model/ToolDefinition';
import { AgentStopReason } from '@core/state/AgentStopReason';
import { PersistReason } from '@core/state/PersistReason';
import { ToolResult } from '@core/tool/ToolResult';
import { MessageList } from '@core/message/MessageList';
import {
  SESSION, callContext, chunkContext, completionContext, hook, modelContext, persistContext, pipelineOf, request, resultContext, state,
} from './support';

/** Writes to everything that can be reached, past all types: fields, arrays, maps, open JSON. History view, tool definitions and the state view are shared on purpose. */
function vandalize(value: unknown, seen = new Set<unknown>()): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return;
  if (value instanceof MessageList || value instanceof ToolDefinition || value === state) return;
  seen.add(value);
  if (value instanceof JsonObject) {
    if (!value.sealed) value.setString('vandal', 'was here');
    return;
  }
  if (value instanceof JsonValue) {
    vandalize(value.asObject(), seen);
    for (const item of value.asArray() ?? []) vandalize(item, seen);
    return;
  }
  if (value instanceof Map) value.set('vandal', 'was here');
  for (const key of Object.keys(value)) {
    const record = value as Record<string, unknown>;
    vandalize(record[key], seen);
    if (typeof record[key] === 'string') record[key] = 'vandal';
    if (typeof record[key] === 'boolean') record[key] = !record[key];
  }
  if (Array.isArray(value)) value.push('vandal');
}

const json = (): JsonObject => new JsonObject().setString('k', 'v');
const richParts = (): ContentPart[] => [ContentPart.text('a'), ContentPart.image('u', 'image/png'), ContentPart.audio('u', 'audio/x'), ContentPart.file('u', 'x/y'), ContentPart.json(JsonValue.object(json()))];
const richMessage = (): AgentMessage => new AgentMessage({ role: MessageRole.assistant, contents: richParts(), toolCalls: [new ToolCall('c', 'n', '{}', 0)], extras: json() });
const richResult = (): ToolResult => new ToolResult(richParts(), false, false, json());
const richResponse = (): ModelResponse => new ModelResponse({ text: 't', toolCalls: [new ToolCall('c', 'n', '{}', 0)], extras: json() });
const richError = (): ArkAgentError => ArkAgentError.tool('x', 'm', { details: new Map([['d', 'v']]) });

describe('Snapshots', () => {
  it('HOOK-06 mutating whatever a context reaches changes nothing, also when the mutated value is handed back', async () => {
    const vandal = (context: HookContextBase): void => vandalize(context);
    const pipeline = pipelineOf(hook('vandal', {
      beforeRun: async (context) => { vandal(context); return BeforeRunHookResult.proceed(context.input); },
      beforeModelCall: async (context) => { vandal(context); return ModelCallHookResult.proceed(context.request); },
      onModelChunk: async (context) => { const text = context.text; vandal(context); return ModelChunkHookResult.proceed(text, ''); },
      afterModelCall: async (context) => { vandal(context); return ModelResponseHookResult.proceed(context.response); },
      beforeToolCall: async (context) => { vandal(context); return ToolCallHookResult.proceed(context.call); },
      afterToolCall: async (context) => { vandal(context); return ToolResultHookResult.proceed(context.result); },
      onTurnCompletion: async (context) => { vandal(context); return TurnCompletionHookResult.accept(); },
      beforePersistState: async (context) => { vandal(context); return StatePersistenceHookResult.proceed(); },
      afterPersistState: async (context) => vandal(context),
      afterRun: async (context) => vandal(context),
    }));
    const untouched = async (make: () => HookContextBase, run: (context: never) => Promise<unknown>): Promise<void> => {
      const context = make();
      const outcome = await run(context as never);
      expect(context).toEqual(make());
      expect(JSON.stringify(outcome)).not.toContain('vandal');
    };
    const stack = richError().stack;
    const error = (): ArkAgentError => { const made = richError(); made.stack = stack; return made; };
    await untouched(() => new BeforeRunHookContext(SESSION, state, [richMessage()]), (context) => pipeline.beforeRun(context));
    await untouched(modelContext, (context) => pipeline.beforeModelCall(context));
    await untouched(() => chunkContext('t'), (context) => pipeline.onModelChunk(context));
    await untouched(() => new ModelResponseHookContext(SESSION, state, richResponse()), (context) => pipeline.afterModelCall(context));
    await untouched(callContext, (context) => pipeline.beforeToolCall(context));
    await untouched(() => resultContext(richResult()), (context) => pipeline.afterToolCall(context));
    await untouched(completionContext, (context) => pipeline.onTurnCompletion(context));
    await untouched(() => persistContext(PersistReason.terminal, { runError: error() }), (context) => pipeline.beforePersistState(context));
    await untouched(() => persistContext(PersistReason.terminal, { runError: error() }), (context) => pipeline.afterPersistState(context));
    await untouched(() => new AfterRunHookContext(SESSION, state, { runId: 'r', segment: 0, stopReason: AgentStopReason.error, error: error() }),
      (context) => pipeline.afterRun(context));
  });

  it('HOOK-06 what one hook does to its context is not seen by the next', async () => {
    let seen = '';
    await pipelineOf(
      hook('a', { beforeToolCall: async (context) => { vandalize(context); return ToolCallHookResult.proceed(callContext().call); } }),
      hook('b', { beforeToolCall: async (context) => { seen = JSON.stringify(context); return ToolCallHookResult.proceed(context.call); } }),
    ).beforeToolCall(callContext());
    expect(seen).not.toContain('vandal');
    expect(seen).toBe(JSON.stringify(callContext()));
  });

  it('HOOK-06 a value that a hook keeps in hand after returning it is not what the runtime works with', async () => {
    const kept = { result: richResult(), injected: AgentMessage.user('note'), response: richResponse(), input: [richMessage()] };
    const pipeline = pipelineOf(hook('keeper', {
      beforeRun: async () => BeforeRunHookResult.proceed(kept.input),
      afterModelCall: async () => ModelResponseHookResult.proceed(kept.response),
      afterToolCall: async () => ToolResultHookResult.proceed(kept.result, [kept.injected]),
      beforeToolCall: async () => ToolCallHookResult.deny(kept.result),
    }));
    const outcomes = [
      await pipeline.beforeRun(new BeforeRunHookContext(SESSION, state, [])), await pipeline.afterModelCall(new ModelResponseHookContext(SESSION, state, richResponse())),
      await pipeline.afterToolCall(resultContext()), await pipeline.beforeToolCall(callContext()),
    ];
    vandalize(kept);
    expect(JSON.stringify(outcomes)).not.toContain('vandal');
    expect((outcomes[0] as { input: unknown }).input).toEqual([Snapshots.message(richMessage())]);
    expect((outcomes[2] as { result: ToolResult }).result).toEqual(richResult());
  });

  it('HOOK-06 metadata of the state is an open copy', async () => {
    await pipelineOf(hook('a', {
      beforeToolCall: async (context) => { context.state.metadata().setString('owner', 'thief'); return ToolCallHookResult.proceed(context.call); },
    })).beforeToolCall(callContext());
    expect(state.metadata().getString('owner')).toBe('me');
  });

  it('copies are complete', () => {
    expect(Snapshots.message(richMessage())).toEqual(new AgentMessage({ ...richMessage().toInit(), extras: json().seal() }));
    expect(Snapshots.response(richResponse())).toEqual(new ModelResponse({ ...richResponse().toInit(), extras: json().seal() }));
    expect(Snapshots.result(richResult())).toEqual(richResult());
    const original: ModelRequest = request();
    expect(Snapshots.request(original)).toEqual(new ModelRequest('p', original.messages, original.tools,
      { model: undefined, topP: undefined, maxOutputTokens: undefined, ...original.options }));
    const error = richError();
    expect({ ...Snapshots.error(error), stack: error.stack }).toEqual({ ...error, stack: error.stack });
  });

  it('an untouched request comes back as the same object, a rewritten one as a copy', async () => {
    const context = modelContext();
    const plain = await pipelineOf(hook('a', { beforeModelCall: async (c) => ModelCallHookResult.proceed(c.request) })).beforeModelCall(context);
    expect(plain.request).toBe(context.request);
  });
});
