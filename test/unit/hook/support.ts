import { AgentHook, type AgentHookOptions } from '@core/hook/AgentHook';
import { AgentHookPipeline } from '@core/hook/AgentHookPipeline';
import { JsonObject } from '@core/json/JsonObject';
import { AgentMessage, MessageRole } from '@core/message/AgentMessage';
import { MessageList } from '@core/message/MessageList';
import { ToolCall } from '@core/message/ToolCall';
import { ModelRequest } from '@core/model/ModelRequest';
import { ModelResponse } from '@core/model/ModelResponse';
import { ToolDefinition } from '@core/model/ToolDefinition';
import { BeforeRunHookContext } from '@core/hook/context/BeforeRunHookContext';
import { ModelCallHookContext } from '@core/hook/context/ModelCallHookContext';
import { ModelChunkHookContext } from '@core/hook/context/ModelChunkHookContext';
import { ModelResponseHookContext } from '@core/hook/context/ModelResponseHookContext';
import { StatePersistenceHookContext, type StatePersistenceDetails } from '@core/hook/context/StatePersistenceHookContext';
import { AfterRunHookContext } from '@core/hook/context/AfterRunHookContext';
import { ToolCallHookContext } from '@core/hook/context/ToolCallHookContext';
import { ToolResultHookContext } from '@core/hook/context/ToolResultHookContext';
import { TurnCompletionHookContext } from '@core/hook/context/TurnCompletionHookContext';
import type { ScheduledTask, Scheduler } from '@core/port/Scheduler';
import { AgentState } from '@core/state/AgentState';
import { AgentStopReason } from '@core/state/AgentStopReason';
import type { PersistReason } from '@core/state/PersistReason';
import { ToolResult } from '@core/tool/ToolResult';

/** A scheduler whose timers fire when the test says so. */
export class HandScheduler implements Scheduler {
  readonly tasks: Array<{ delayMs: number; task: () => void; cancelled: boolean }> = [];

  monotonicMs(): number {
    return 0;
  }

  schedule(delayMs: number, task: () => void): ScheduledTask {
    const entry = { delayMs, task, cancelled: false };
    this.tasks.push(entry);
    return { cancel: () => { entry.cancelled = true; } };
  }

  fireAll(): void {
    for (const entry of this.tasks.splice(0)) {
      if (!entry.cancelled) entry.task();
    }
  }

  get open(): number {
    return this.tasks.filter((entry) => !entry.cancelled).length;
  }
}

export const SESSION = 'session';
export const state = AgentState.fresh(SESSION, new JsonObject().setString('owner', 'me'), 1).snapshot();

export const call = (args = '{"a":1}', name = 'erase'): ToolCall => new ToolCall('call_1', name, args, 3);
export const tools = (): ToolDefinition[] => [new ToolDefinition('erase', 'Erases', new JsonObject().setString('type', 'object').seal())];
export const modelMessage = (): AgentMessage => new AgentMessage({ role: MessageRole.assistant, toolCalls: [call()] });
export const request = (prompt = 'p'): ModelRequest =>
  new ModelRequest(prompt, MessageList.of([AgentMessage.user('hi')]), tools(), { temperature: 0.5, stop: ['x'], extra: new JsonObject().setNumber('k', 1) });

export const runContext = (...texts: string[]): BeforeRunHookContext =>
  new BeforeRunHookContext(SESSION, state, texts.map((text) => AgentMessage.user(text)));
export const modelContext = (): ModelCallHookContext => new ModelCallHookContext(SESSION, state, request());
export const chunkContext = (text: string, reasoning = '', final = false): ModelChunkHookContext =>
  new ModelChunkHookContext(SESSION, state, text, reasoning, final);
export const responseContext = (response = ModelResponse.text('t')): ModelResponseHookContext => new ModelResponseHookContext(SESSION, state, response);
export const callContext = (wanted = call()): ToolCallHookContext => new ToolCallHookContext(SESSION, state, wanted, modelMessage(), tools());
export const resultContext = (result = ToolResult.text('r')): ToolResultHookContext => new ToolResultHookContext(SESSION, state, call(), result);
export const completionContext = (): TurnCompletionHookContext => new TurnCompletionHookContext(SESSION, state, AgentMessage.assistant('done'));
export const persistContext = (reason: PersistReason, details?: StatePersistenceDetails): StatePersistenceHookContext =>
  new StatePersistenceHookContext(SESSION, state, reason, details);
export const afterRunContext = (): AfterRunHookContext =>
  new AfterRunHookContext(SESSION, state, { runId: 'run', segment: 0, stopReason: AgentStopReason.complete });

export const pipelineOf = (...hooks: AgentHook[]): AgentHookPipeline => new AgentHookPipeline(hooks, new HandScheduler());

/** A hook with the given methods; what is not given is not overridden. */
export function hook(name: string, methods: Partial<AgentHook>, options?: AgentHookOptions): AgentHook {
  return Object.assign(new AgentHook(name, options), methods);
}
