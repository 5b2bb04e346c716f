import { describe, expect, it } from 'vitest';
import { ArkAgentError } from '@core/base/ArkAgentError';
import { AgentHookPipeline } from '@core/hook/AgentHookPipeline';
import type { AgentHook } from '@core/hook/AgentHook';
import { HookFailureMode } from '@core/hook/HookFailureMode';
import type { HookOutcomeBase } from '@core/hook/outcome/HookOutcomeBase';
import { ToolCallHookResult } from '@core/hook/result/ToolCallHookResult';
import { PersistReason } from '@core/state/PersistReason';
import { ModelChunkHookResult } from '@core/hook/result/ModelChunkHookResult';
import {
  HandScheduler, afterRunContext, callContext, chunkContext, completionContext, hook, modelContext, persistContext, resultContext, responseContext, runContext,
} from './support';

type Deciding = 'beforeRun' | 'beforeModelCall' | 'onModelChunk' | 'afterModelCall' | 'beforeToolCall' | 'afterToolCall' | 'onTurnCompletion' | 'beforePersistState';

const RUN: Record<Deciding, (pipeline: AgentHookPipeline) => Promise<HookOutcomeBase>> = {
  beforeRun: (pipeline) => pipeline.beforeRun(runContext('x')),
  beforeModelCall: (pipeline) => pipeline.beforeModelCall(modelContext()),
  onModelChunk: (pipeline) => pipeline.onModelChunk(chunkContext('x')),
  afterModelCall: (pipeline) => pipeline.afterModelCall(responseContext()),
  beforeToolCall: (pipeline) => pipeline.beforeToolCall(callContext()),
  afterToolCall: (pipeline) => pipeline.afterToolCall(resultContext()),
  onTurnCompletion: (pipeline) => pipeline.onTurnCompletion(completionContext()),
  beforePersistState: (pipeline) => pipeline.beforePersistState(persistContext(PersistReason.terminal)),
};
const SLOTS = Object.keys(RUN) as Deciding[];

const doing = (slot: string, act: (context: object) => unknown, failureMode: HookFailureMode, timeoutMs = 0): AgentHook =>
  hook('bad', { [slot]: act } as Partial<AgentHook>, { failureMode, timeoutMs });
const settle = async (): Promise<void> => { for (let i = 0; i < 20; i++) await Promise.resolve(); };

describe('HookCaller', () => {
  const cause = new Error('broken');
  const faults: Array<[string, (context: object) => unknown, Error | undefined]> = [
    ['an async throw', async () => { throw cause; }, cause],
    ['a throw at once', () => { throw cause; }, cause],
    ['a thrown non-Error', async () => { throw 'text'; }, undefined],
    ['an answer of undefined', async () => undefined, undefined],
    ['a promise that is none', () => undefined, undefined],
    ['an answer of a foreign class', async () => ({ action: 'proceed' }), undefined],
    ['an answer of another slot', async (context) => ('text' in context ? ToolCallHookResult.defer('x') : ModelChunkHookResult.drop()), undefined],
    ['an answer without its value', async () => ToolCallHookResult.proceed(undefined as never), undefined],
  ];

  for (const slot of SLOTS) {
    for (const [name, act, expected] of faults) {
      it(`HOOK-11 failClosed, ${slot}: ${name} aborts with hook_failed and keeps the cause`, async () => {
        const outcome = await RUN[slot](new AgentHookPipeline([doing(slot, act, HookFailureMode.failClosed)], new HandScheduler()));
        expect(outcome.abort).toMatchObject({ hookName: 'bad', slot });
        expect(outcome.abort?.error).toMatchObject({ code: 'hook_failed', layer: 'security' });
        expect(outcome.abort?.error.cause).toBe(expected);
        expect(outcome.diagnostics).toEqual([]);
      });

      it(`HOOK-11 failOpen, ${slot}: ${name} is a diagnostic and the next hook goes on with the value so far`, async () => {
        let next = 0;
        const after = hook('next', { [slot]: async () => { next++; throw cause; } } as Partial<AgentHook>, { failureMode: HookFailureMode.failOpen });
        const outcome = await RUN[slot](new AgentHookPipeline([doing(slot, act, HookFailureMode.failOpen), after], new HandScheduler()));
        const plain = await RUN[slot](new AgentHookPipeline([], new HandScheduler()));
        expect(next).toBe(1);
        expect(outcome.diagnostics.map((entry) => [entry.hookName, entry.slot, entry.code])).toEqual([['bad', slot, 'hook_failed'], ['next', slot, 'hook_failed']]);
        expect({ ...outcome, diagnostics: [] }).toEqual({ ...plain, diagnostics: [] });
      });
    }

    it(`HOOK-11 ${slot}: a time-out fails closed or open; the late answer and the late throw are ignored`, async () => {
      for (const mode of [HookFailureMode.failClosed, HookFailureMode.failOpen]) {
        let release: (late: Error) => void = () => undefined;
        const scheduler = new HandScheduler();
        const never = (): Promise<unknown> => new Promise((_, reject) => { release = reject; });
        const pending = RUN[slot](new AgentHookPipeline([doing(slot, never, mode, 250)], scheduler));
        await settle();
        expect(scheduler.tasks.map((task) => task.delayMs)).toEqual([250]);
        scheduler.fireAll();
        const outcome = await pending;
        release(new Error('late'));
        await settle();
        if (mode === HookFailureMode.failClosed) {
          expect(outcome.abort?.error).toMatchObject({ code: 'hook_failed', message: `hook "bad" did not answer ${slot} within 250 ms` });
        } else {
          expect(outcome.abort).toBeUndefined();
          expect(outcome.diagnostics).toHaveLength(1);
        }
      }
    });
  }

  it('HOOK-11 an observing slot that takes too long is a diagnostic, in any failure mode', async () => {
    for (const mode of [HookFailureMode.failClosed, HookFailureMode.failOpen]) {
      const scheduler = new HandScheduler();
      const pipeline = new AgentHookPipeline([doing('afterRun', () => new Promise(() => undefined), mode, 5)], scheduler);
      const pending = pipeline.afterRun(afterRunContext());
      await settle();
      scheduler.fireAll();
      expect((await pending).map((entry) => entry.message)).toEqual(['hook "bad" did not answer afterRun within 5 ms']);
    }
  });

  it('HOOK-11 a late deny of a timed-out hook that fails open denies nothing', async () => {
    const scheduler = new HandScheduler();
    let answer: (late: ToolCallHookResult) => void = () => undefined;
    const late = hook('late', { beforeToolCall: () => new Promise((resolve) => { answer = resolve; }) }, { timeoutMs: 1, failureMode: HookFailureMode.failOpen });
    const pending = new AgentHookPipeline([late], scheduler).beforeToolCall(callContext());
    await settle();
    scheduler.fireAll();
    answer(ToolCallHookResult.deny());
    expect((await pending).denial).toBeUndefined();
  });

  it('a hook that answers in time leaves no timer behind, one without a time-out schedules none', async () => {
    const scheduler = new HandScheduler();
    const prompt = (timeoutMs: number): AgentHook =>
      hook('prompt', { onModelChunk: async (context) => ModelChunkHookResult.proceed(context.text, '') }, { timeoutMs });
    await new AgentHookPipeline([prompt(10)], scheduler).onModelChunk(chunkContext('x'));
    expect([scheduler.tasks.length, scheduler.open]).toEqual([1, 0]);
    const idle = new HandScheduler();
    await new AgentHookPipeline([prompt(0)], idle).onModelChunk(chunkContext('x'));
    expect(idle.tasks).toHaveLength(0);
  });

  it('a thrown ArkAgentError is still hook_failed, with the thrown one as cause', async () => {
    const own = ArkAgentError.tool('my_code', 'mine');
    const outcome = await RUN.beforeToolCall(new AgentHookPipeline([doing('beforeToolCall', () => { throw own; }, HookFailureMode.failClosed)], new HandScheduler()));
    expect(outcome.abort?.error.code).toBe('hook_failed');
    expect(outcome.abort?.error.cause).toBe(own);
  });
});
