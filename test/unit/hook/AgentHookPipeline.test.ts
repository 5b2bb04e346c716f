import { describe, expect, it } from 'vitest';
import { ArkAgentError } from '@core/base/ArkAgentError';
import { AgentHook } from '@core/hook/AgentHook';
import { HookFailureMode } from '@core/hook/HookFailureMode';
import { HookSlot } from '@core/hook/HookSlot';
import { ModelChunkHookContext } from '@core/hook/context/ModelChunkHookContext';
import { ToolEffectPhase } from '@core/hook/context/StatePersistenceHookContext';
import { BeforeRunHookResult } from '@core/hook/result/BeforeRunHookResult';
import { ModelCallHookResult } from '@core/hook/result/ModelCallHookResult';
import { ModelChunkHookResult } from '@core/hook/result/ModelChunkHookResult';
import { ModelResponseHookResult } from '@core/hook/result/ModelResponseHookResult';
import { StatePersistenceHookResult } from '@core/hook/result/StatePersistenceHookResult';
import { ToolCallHookResult } from '@core/hook/result/ToolCallHookResult';
import { ToolResultHookResult } from '@core/hook/result/ToolResultHookResult';
import { TurnCompletionHookResult } from '@core/hook/result/TurnCompletionHookResult';
import { AgentMessage } from '@core/message/AgentMessage';
import { ToolCall } from '@core/message/ToolCall';
import { ModelResponse } from '@core/model/ModelResponse';
import { PersistReason } from '@core/state/PersistReason';
import { ToolResult } from '@core/tool/ToolResult';
import {
  afterRunContext, call, callContext, chunkContext, completionContext, hook, modelContext, persistContext, pipelineOf,
  resultContext, responseContext, runContext,
} from './support';

const texts = (messages: ReadonlyArray<AgentMessage>): string[] => messages.map((message) => message.text());

describe('AgentHookPipeline', () => {
  it('HOOK-01 hooks run in registration order, each awaited before the next, never in parallel', async () => {
    const trace: string[] = [];
    const slow = (name: string, turns: number): AgentHook => hook(name, {
      beforeToolCall: async (context) => {
        trace.push(`${name} in`);
        for (let i = 0; i < turns; i++) await Promise.resolve();
        trace.push(`${name} out`);
        return ToolCallHookResult.proceed(context.call);
      },
    });
    await pipelineOf(slow('a', 9), slow('b', 3), slow('c', 0)).beforeToolCall(callContext());
    expect(trace).toEqual(['a in', 'a out', 'b in', 'b out', 'c in', 'c out']);
  });

  it('HOOK-02 each hook sees what the one before it made, in every slot that rewrites', async () => {
    const pipeline = pipelineOf(...['1', '2'].map((mark) => hook(mark, {
      beforeRun: async (context) => BeforeRunHookResult.proceed([...context.input, AgentMessage.user(`${context.input.length}`)]),
      beforeModelCall: async (context) => ModelCallHookResult.proceed(context.request.withSystemPrompt(context.request.systemPrompt + mark)),
      onModelChunk: async (context) => ModelChunkHookResult.proceed(context.text + mark, context.reasoning + mark),
      afterModelCall: async (context) => ModelResponseHookResult.proceed(ModelResponse.text(context.response.text + mark)),
      beforeToolCall: async (context) => ToolCallHookResult.proceed(context.call.withArguments(context.call.argumentsJson + mark)),
      afterToolCall: async (context) => ToolResultHookResult.proceed(ToolResult.text(context.result.text() + mark)),
    })));
    expect(texts((await pipeline.beforeRun(runContext('in'))).input)).toEqual(['in', '1', '2']);
    expect((await pipeline.beforeModelCall(modelContext())).request.systemPrompt).toBe('p12');
    expect(await pipeline.onModelChunk(chunkContext('t', 'r'))).toMatchObject({ text: 't12', reasoning: 'r12', dropped: false });
    expect((await pipeline.afterModelCall(responseContext())).response.text).toBe('t12');
    const outcome = await pipeline.beforeToolCall(callContext());
    expect(outcome.call.argumentsJson).toBe('{"a":1}12');
    expect(outcome.rewritten).toBe(true);
    expect((await pipeline.afterToolCall(resultContext())).result.text()).toBe('r12');
  });

  it('HOOK-04 a rewritten call keeps id and index whatever the hooks put there', async () => {
    const seen: string[] = [];
    const outcome = await pipelineOf(
      hook('a', { beforeToolCall: async () => ToolCallHookResult.proceed(new ToolCall('forged', 'other', '{}', 99)) }),
      hook('b', {
        beforeToolCall: async (context) => {
          seen.push(`${context.call.id}/${context.call.index}`);
          return ToolCallHookResult.proceed(context.call.withId('again'));
        },
      }),
    ).beforeToolCall(callContext());
    expect(seen).toEqual(['call_1/3']);
    expect(outcome.call).toEqual(new ToolCall('call_1', 'other', '{}', 3));
  });

  it('HOOK-05 injected messages accumulate in hook order, also on stop; foreign roles are dropped with a diagnostic', async () => {
    const outcome = await pipelineOf(
      hook('a', { afterToolCall: async (context) => ToolResultHookResult.proceed(context.result, [AgentMessage.user('1'), AgentMessage.assistant('x')]) }),
      hook('b', { afterToolCall: async (context) => ToolResultHookResult.stop(context.result, [AgentMessage.system('2')], 'enough') }),
      hook('c', { afterToolCall: async (context) => ToolResultHookResult.proceed(context.result, [AgentMessage.user('never')]) }),
    ).afterToolCall(resultContext());
    expect(texts(outcome.injected)).toEqual(['1', '2']);
    expect(outcome.stop).toEqual({ hookName: 'b', reason: 'enough' });
    expect(outcome.diagnostics.map((entry) => [entry.hookName, entry.slot, entry.code])).toEqual([['a', 'afterToolCall', 'hook_message_dropped']]);
  });

  it('HOOK-08 afterRun and afterPersistState: a throw is a diagnostic, the others still hear it', async () => {
    const told: string[] = [];
    const pipeline = pipelineOf(
      hook('sync', { afterRun: () => { throw new Error('at once'); }, afterPersistState: () => { throw new Error('at once'); } }),
      hook('async', { afterRun: async () => { throw new Error('later'); }, afterPersistState: async () => { throw new Error('later'); } }),
      hook('good', { afterRun: async () => { told.push('run'); }, afterPersistState: async () => { told.push('persist'); } }),
    );
    const afterRun = await pipeline.afterRun(afterRunContext());
    const afterPersist = await pipeline.afterPersistState(persistContext(PersistReason.terminal));
    expect(told).toEqual(['run', 'persist']);
    expect(afterRun.map((entry) => [entry.hookName, entry.slot, entry.code])).toEqual([['sync', 'afterRun', 'hook_failed'], ['async', 'afterRun', 'hook_failed']]);
    expect(afterPersist.map((entry) => entry.message)).toEqual(['hook "sync" threw in afterPersistState: at once', 'hook "async" threw in afterPersistState: later']);
  });

  it('HOOK-10 respond gives the response and asks nobody else; retry and continueRun reach the runtime', async () => {
    const later: string[] = [];
    const pipeline = pipelineOf(
      hook('a', {
        beforeModelCall: async () => ModelCallHookResult.respond(ModelResponse.text('cached')),
        afterModelCall: async () => ModelResponseHookResult.retry('empty'),
        onTurnCompletion: async () => TurnCompletionHookResult.continueRun([AgentMessage.user('go on'), AgentMessage.toolResult('x', [], false)]),
      }),
      hook('b', {
        beforeModelCall: async (context) => { later.push('model'); return ModelCallHookResult.proceed(context.request); },
        afterModelCall: async (context) => { later.push('response'); return ModelResponseHookResult.proceed(context.response); },
        onTurnCompletion: async () => { later.push('turn'); return TurnCompletionHookResult.accept(); },
      }),
    );
    expect((await pipeline.beforeModelCall(modelContext())).response?.text).toBe('cached');
    expect((await pipeline.afterModelCall(responseContext())).retry).toEqual({ hookName: 'a', reason: 'empty' });
    const completion = await pipeline.onTurnCompletion(completionContext());
    expect(completion.continuation?.hookName).toBe('a');
    expect(texts(completion.continuation?.messages ?? [])).toEqual(['go on']);
    expect(completion.diagnostics).toHaveLength(1);
    expect(later).toEqual([]);
  });

  it('HOOK-12 skip is honoured for ordinary writes, ignored for mandatory ones; abort is honoured in both', async () => {
    const asked: string[] = [];
    const skipping = pipelineOf(
      hook('skip', { beforePersistState: async () => StatePersistenceHookResult.skip('slow') }),
      hook('next', { beforePersistState: async (context) => { asked.push(context.reason); return StatePersistenceHookResult.proceed(); } }),
    );
    const aborting = pipelineOf(hook('stop', { beforePersistState: async () => StatePersistenceHookResult.abort('no') }));
    const mandatory = [PersistReason.awaitingApproval, PersistReason.approvalDecision, PersistReason.toolEffect, PersistReason.resumeClaim, PersistReason.suspend, PersistReason.terminal];
    for (const reason of Object.values(PersistReason)) {
      const isMandatory = mandatory.includes(reason);
      const context = persistContext(reason);
      expect(context.mandatory).toBe(isMandatory);
      expect((await skipping.beforePersistState(context)).skip).toBe(!isMandatory);
      expect((await aborting.beforePersistState(context)).abort?.error.code).toBe('hook_abort');
    }
    expect(asked).toEqual(mandatory);
  });

  it('persistence contexts carry phase, call and run error', async () => {
    const error = ArkAgentError.runtime('loop_detected', 'x');
    const seen: Array<string | undefined> = [];
    await pipelineOf(hook('a', {
      beforePersistState: async (context) => {
        seen.push(context.effectPhase, context.callId, context.runError?.code);
        return StatePersistenceHookResult.proceed();
      },
    })).beforePersistState(persistContext(PersistReason.toolEffect, { effectPhase: ToolEffectPhase.started, callId: 'c', runError: error }));
    expect(seen).toEqual(['started', 'c', 'loop_detected']);
  });

  it('knows which slots are overridden, by subclass or by field, and calls only those', async () => {
    class Plain extends AgentHook {}
    class Chunky extends Plain {
      override async onModelChunk(context: ModelChunkHookContext): Promise<ModelChunkHookResult> {
        return super.onModelChunk(context);
      }
    }
    const none = pipelineOf(new Plain('a'), new AgentHook('b'));
    for (const slot of Object.values(HookSlot)) expect(none.hasHooks(slot)).toBe(false);
    expect(none.hasChunkHooks).toBe(false);
    const chunky = pipelineOf(new Plain('a'), new Chunky('c'));
    expect(Object.values(HookSlot).filter((slot) => chunky.hasHooks(slot))).toEqual([HookSlot.onModelChunk]);
    expect(chunky.hasChunkHooks).toBe(true);
    expect(await chunky.onModelChunk(chunkContext('', '', true))).toMatchObject({ text: '', dropped: false });
  });

  it('a plain hook proceeds with everything', async () => {
    const plain = new AgentHook('plain');
    expect([plain.timeoutMs, plain.failureMode]).toEqual([0, HookFailureMode.failClosed]);
    const run = runContext('x');
    expect((await plain.beforeRun(run)).input).toBe(run.input);
    const model = modelContext();
    expect((await plain.beforeModelCall(model)).request).toBe(model.request);
    const response = responseContext();
    expect((await plain.afterModelCall(response)).response).toBe(response.response);
    const tool = callContext();
    expect((await plain.beforeToolCall(tool)).call).toBe(tool.call);
    const result = resultContext();
    expect((await plain.afterToolCall(result)).result).toBe(result.result);
    expect((await plain.onTurnCompletion(completionContext())).action).toBe('accept');
    expect((await plain.beforePersistState(persistContext(PersistReason.terminal))).action).toBe('proceed');
    await plain.afterPersistState(persistContext(PersistReason.terminal));
    await plain.afterRun(afterRunContext());
  });

  it('without hooks gives back the very values it was asked about', async () => {
    const pipeline = pipelineOf();
    const run = runContext('x');
    expect((await pipeline.beforeRun(run)).input).toBe(run.input);
    const model = modelContext();
    expect((await pipeline.beforeModelCall(model)).request).toBe(model.request);
    const wanted = call();
    expect(await pipeline.beforeToolCall(callContext(wanted))).toMatchObject({ call: wanted, rewritten: false, deferred: false, warnings: [], diagnostics: [] });
    expect(await pipeline.afterRun(afterRunContext())).toEqual([]);
  });
});
