import { describe, expect, it } from 'vitest';
import { ArkAgentError } from '@core/base/ArkAgentError';
import { AgentHook } from '@core/hook/AgentHook';
import { StatePersistenceHookContext, ToolEffectPhase } from '@core/hook/context/StatePersistenceHookContext';
import { HookDiagnostic, HookDiagnosticCode } from '@core/hook/HookDiagnostic';
import { HookFailureMode } from '@core/hook/HookFailureMode';
import { HookSlot } from '@core/hook/HookSlot';
import { ToolCallHookOutcome } from '@core/hook/outcome/ToolCallHookOutcome';
import { ToolResultHookOutcome } from '@core/hook/outcome/ToolResultHookOutcome';
import { BeforeRunHookResult } from '@core/hook/result/BeforeRunHookResult';
import { ModelCallHookResult } from '@core/hook/result/ModelCallHookResult';
import { ModelChunkHookResult } from '@core/hook/result/ModelChunkHookResult';
import { ModelResponseHookResult } from '@core/hook/result/ModelResponseHookResult';
import { StatePersistenceHookResult } from '@core/hook/result/StatePersistenceHookResult';
import { ToolCallHookResult } from '@core/hook/result/ToolCallHookResult';
import { ToolResultHookResult } from '@core/hook/result/ToolResultHookResult';
import { TurnCompletionHookResult } from '@core/hook/result/TurnCompletionHookResult';
import { Snapshots } from '@core/hook/Snapshots';
import { ModelResponse } from '@core/model/ModelResponse';
import { PersistReason } from '@core/state/PersistReason';
import { ToolResult } from '@core/tool/ToolResult';
import { ToolCallStatus, ToolResultEnvelope } from '@core/tool/ToolResultEnvelope';
import { SESSION, call, callContext, chunkContext, hook, modelContext, persistContext, pipelineOf, request, resultContext, state } from './support';

describe('what hooks are made of', () => {
  it('a hook has no time-out and fails closed unless it says otherwise', () => {
    const [usual, own] = [new AgentHook('h'), new AgentHook('h', { timeoutMs: 5, failureMode: HookFailureMode.failOpen })];
    expect([usual.timeoutMs, usual.failureMode, own.timeoutMs, own.failureMode]).toEqual([0, 'fail_closed', 5, 'fail_open']);
  });

  it('a pipeline knows the slots that some hook overrides, and no others', () => {
    const pipeline = pipelineOf(hook('a', { afterRun: async () => undefined }), hook('b', {}));
    expect([pipeline.hasHooks(HookSlot.afterRun), pipeline.hasHooks(HookSlot.beforeRun), pipeline.hasChunkHooks]).toEqual([true, false, false]);
  });

  it('a diagnostic keeps 500 characters of a message', () => {
    const kept = (length: number): number => new HookDiagnostic('h', HookSlot.afterRun, 'x'.repeat(length), HookDiagnosticCode.hookFailed).message.length;
    expect([kept(0), kept(499), kept(500), kept(501), kept(5000)]).toEqual([0, 499, 500, 500, 500]);
  });

  it.each([callContext(), chunkContext('t'), modelContext(), resultContext(), persistContext(PersistReason.terminal)])('a context names its session and shows its state', (context) => {
    expect([context.sessionId, context.state === state]).toEqual([SESSION, true]);
  });

  it('a copy of what is known of a write has all of it, with an error of its own', () => {
    const error = ArkAgentError.tool('x', 'm');
    const whole = new StatePersistenceHookContext(SESSION, state, PersistReason.toolEffect, { effectPhase: ToolEffectPhase.finished, callId: 'c', runError: error });
    const copy = whole.copy();
    expect([copy.reason, copy.mandatory, copy.effectPhase, copy.callId, copy.runError?.message, copy.runError === error]).toEqual(['tool_effect', true, 'finished', 'c', 'm', false]);
    expect(persistContext(PersistReason.afterModelText).copy()).toMatchObject({ mandatory: false, effectPhase: undefined, callId: undefined, runError: undefined });
  });

  it('an answer has no reason unless it gives one, and no text unless it lets it pass', () => {
    const quiet = [
      BeforeRunHookResult.proceed([]), ModelCallHookResult.proceed(request()), ModelCallHookResult.respond(ModelResponse.text('t')), ModelChunkHookResult.proceed('t', ''), ModelChunkHookResult.drop(),
      ModelResponseHookResult.proceed(ModelResponse.text('t')), ModelResponseHookResult.retry(), StatePersistenceHookResult.proceed(), StatePersistenceHookResult.skip(), ToolCallHookResult.proceed(call()), ToolCallHookResult.deny(),
      ToolResultHookResult.proceed(ToolResult.text('r')), ToolResultHookResult.stop(ToolResult.text('r')), TurnCompletionHookResult.accept(),
    ];
    expect(quiet.map((one) => one.reason).filter((reason) => reason !== '')).toEqual([]);
    expect(quiet.some((one) => one.aborts)).toBe(false);
    const given = [ModelResponseHookResult.retry('why'), StatePersistenceHookResult.skip('why'), ToolCallHookResult.deny(undefined, 'why'), ToolResultHookResult.stop(ToolResult.text('r'), [], 'why'), ModelChunkHookResult.abort('why')];
    expect(given.map((one) => one.reason)).toEqual(Array(5).fill('why'));
    for (const one of [ModelChunkHookResult.drop(), ModelChunkHookResult.abort('why')]) expect([one.text, one.reasoning]).toEqual(['', '']);
    expect([ToolResultHookResult.stop(ToolResult.text('r')).injected, ToolResultHookResult.abort('why').injected]).toEqual([[], []]);
  });

  it('an outcome without marks has none', () => {
    expect(new ToolCallHookOutcome({ call: call(), rewritten: false, deferReasons: [], warnings: [], diagnostics: [] }).marks).toEqual([]);
    expect(new ToolResultHookOutcome(ToolResult.text('r'), [], undefined, undefined, []).marks).toEqual([]);
  });

  it('a copy of an envelope has its times, artifact and advice about a retry', () => {
    const envelope = new ToolResultEnvelope({
      callId: 'c', tool: 'erase', status: ToolCallStatus.failed, code: 'x', summary: 's', result: ToolResult.text('r'), timing: { startedAtMs: 3, elapsedMs: 4 },
      artifact: { file: 'f', chars: 9, sha256: 'h' }, retry: { allowed: true, afterMs: 7, requiresInspection: true },
    });
    const copy = Snapshots.envelope(envelope);
    expect([copy.timing, copy.artifact, copy.retry]).toEqual([envelope.timing, envelope.artifact, envelope.retry]);
    expect([copy.timing === envelope.timing, copy.artifact === envelope.artifact, copy.retry === envelope.retry]).toEqual([false, false, false]);
  });
});
