import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgentHook } from '@core/hook/AgentHook';
import { AgentHookPipeline } from '@core/hook/AgentHookPipeline';
import { HookFailureMode } from '@core/hook/HookFailureMode';
import { ModelChunkHookResult } from '@core/hook/result/ModelChunkHookResult';
import { ToolCallHookResult } from '@core/hook/result/ToolCallHookResult';
import { ToolResultHookResult } from '@core/hook/result/ToolResultHookResult';
import { AgentMessage } from '@core/message/AgentMessage';
import { ToolCall } from '@core/message/ToolCall';
import { ToolResult } from '@core/tool/ToolResult';
import { HandScheduler, callContext, chunkContext, hook, resultContext } from './support';

interface Behaviour { act: string; delay: number; open: boolean; skips: boolean }

const behaviours = (...acts: string[]): fc.Arbitrary<Behaviour[]> =>
  fc.array(fc.record({ act: fc.constantFrom(...acts), delay: fc.nat(4), open: fc.boolean(), skips: fc.boolean() }), { maxLength: 8 });

interface Seen { order: number[]; inside: number; parallel: boolean; values: string[] }

/** Hooks that do what is asked, and note who ran, with what, and whether two ever ran at once. */
function make(list: Behaviour[], slot: keyof AgentHook, seen: Seen, act: (behaviour: Behaviour, context: never, at: number) => unknown, value: (context: never) => string): AgentHookPipeline {
  return new AgentHookPipeline(list.map((behaviour, at) => behaviour.skips ? hook(`h${at}`, {}) : hook(`h${at}`, {
    [slot]: async (context: never) => {
      seen.parallel ||= seen.inside > 0;
      seen.inside++;
      seen.order.push(at);
      seen.values.push(value(context));
      for (let i = 0; i < behaviour.delay; i++) await Promise.resolve();
      seen.inside--;
      if (behaviour.act === 'throw') throw new Error('x');
      return behaviour.act === 'nothing' ? undefined : act(behaviour, context, at);
    },
  } as Partial<AgentHook>, { failureMode: behaviour.open ? HookFailureMode.failOpen : HookFailureMode.failClosed })), new HandScheduler());
}

const fails = (behaviour: Behaviour): boolean => behaviour.act === 'throw' || behaviour.act === 'nothing';
const fresh = (): Seen => ({ order: [], inside: 0, parallel: false, values: [] });

describe('laws of the pipeline', () => {
  it('HOOK-01 HOOK-02 HOOK-03 HOOK-04 any list of beforeToolCall hooks ends as the laws say', async () => {
    await fc.assert(fc.asyncProperty(behaviours('pass', 'rewrite', 'warn', 'defer', 'deny', 'abort', 'throw', 'nothing'), async (list) => {
      const seen = fresh();
      const pipeline = make(list, 'beforeToolCall', seen, ({ act }, context: ReturnType<typeof callContext>, at) => {
        if (act === 'rewrite') return ToolCallHookResult.proceed(new ToolCall(`forged${at}`, 'erase', `${context.call.argumentsJson},${at}`, at + 50));
        if (act === 'warn') return ToolCallHookResult.proceed(context.call, `w${at}`);
        if (act === 'defer') return ToolCallHookResult.defer(`d${at}`);
        if (act === 'deny') return ToolCallHookResult.deny(undefined, `n${at}`);
        return act === 'abort' ? ToolCallHookResult.abort(`a${at}`) : ToolCallHookResult.proceed(context.call);
      }, (context: ReturnType<typeof callContext>) => context.call.argumentsJson);
      const outcome = await pipeline.beforeToolCall(callContext());

      let text = callContext().call.argumentsJson;
      const expected = { order: [] as number[], values: [] as string[], defers: [] as string[], warnings: [] as string[], diagnostics: 0, denial: undefined as string | undefined, abort: undefined as string | undefined };
      for (const [at, behaviour] of list.entries()) {
        if (behaviour.skips) continue;
        expected.order.push(at);
        expected.values.push(text);
        if (fails(behaviour) && !behaviour.open) expected.abort = 'hook_failed';
        if (behaviour.act === 'abort') expected.abort = 'hook_abort';
        if (behaviour.act === 'deny') expected.denial = `n${at}`;
        if (expected.abort !== undefined || expected.denial !== undefined) break;
        if (fails(behaviour)) expected.diagnostics++;
        if (behaviour.act === 'rewrite') text = `${text},${at}`;
        if (behaviour.act === 'warn') expected.warnings.push(`w${at}`);
        if (behaviour.act === 'defer') expected.defers.push(`d${at}`);
      }
      expect(seen.parallel).toBe(false);
      expect({ order: seen.order, values: seen.values }).toEqual({ order: expected.order, values: expected.values });
      expect(outcome.call).toEqual(new ToolCall('call_1', 'erase', text, 3));
      expect([outcome.deferReasons, outcome.warnings, outcome.diagnostics.length]).toEqual([expected.defers, expected.warnings, expected.diagnostics]);
      expect([outcome.denial?.reason, outcome.abort?.error.code]).toEqual([expected.denial, expected.abort]);
    }), { numRuns: 400 });
  });

  it('HOOK-05 any list of afterToolCall hooks injects in hook order, up to the one that stops', async () => {
    await fc.assert(fc.asyncProperty(behaviours('pass', 'inject', 'stop', 'abort', 'throw', 'nothing'), async (list) => {
      const seen = fresh();
      const pipeline = make(list, 'afterToolCall', seen, ({ act }, context: ReturnType<typeof resultContext>, at) => {
        if (act === 'inject') return ToolResultHookResult.proceed(ToolResult.text(`${context.result.text()}${at}`), [AgentMessage.user(`${at}`)]);
        if (act === 'stop') return ToolResultHookResult.stop(context.result, [AgentMessage.system(`${at}`)], `s${at}`);
        return act === 'abort' ? ToolResultHookResult.abort('a') : ToolResultHookResult.proceed(context.result);
      }, (context: ReturnType<typeof resultContext>) => context.result.text());
      const outcome = await pipeline.afterToolCall(resultContext());
      const active = list.map((behaviour, at) => ({ ...behaviour, at })).filter((entry) => !entry.skips);
      const end = active.findIndex((entry) => entry.act === 'stop' || entry.act === 'abort' || (fails(entry) && !entry.open));
      const ran = end < 0 ? active : active.slice(0, end + 1);
      const injecting = ran.filter((entry) => entry.act === 'inject' || entry.act === 'stop');
      const last = end < 0 ? undefined : active[end];
      expect(seen.order).toEqual(ran.map((entry) => entry.at));
      expect(outcome.injected.map((message) => message.text())).toEqual(injecting.map((entry) => `${entry.at}`));
      expect(outcome.result.text()).toBe(`r${ran.filter((entry) => entry.act === 'inject').map((entry) => entry.at).join('')}`);
      expect(outcome.stop?.reason).toBe(last?.act === 'stop' ? `s${last.at}` : undefined);
      expect(outcome.abort !== undefined).toBe(last !== undefined && last.act !== 'stop');
    }), { numRuns: 300 });
  });

  it('HOOK-03 any list of chunk hooks: text flows until the first drop or abort, which nobody can undo', async () => {
    await fc.assert(fc.asyncProperty(behaviours('pass', 'add', 'drop', 'abort', 'throw', 'nothing'), async (list) => {
      const seen = fresh();
      const pipeline = make(list, 'onModelChunk', seen, ({ act }, context: ReturnType<typeof chunkContext>, at) => {
        if (act === 'drop') return ModelChunkHookResult.drop();
        if (act === 'abort') return ModelChunkHookResult.abort('a');
        return ModelChunkHookResult.proceed(act === 'add' ? `${context.text}${at}` : context.text, context.reasoning);
      }, (context: ReturnType<typeof chunkContext>) => context.text);
      const outcome = await pipeline.onModelChunk(chunkContext('t', 'r'));
      const active = list.map((behaviour, at) => ({ ...behaviour, at })).filter((entry) => !entry.skips);
      const end = active.findIndex((entry) => entry.act === 'drop' || entry.act === 'abort' || (fails(entry) && !entry.open));
      const ran = end < 0 ? active : active.slice(0, end + 1);
      const text = `t${active.filter((entry) => entry.act === 'add').map((entry) => entry.at).join('')}`;
      expect(seen.order).toEqual(ran.map((entry) => entry.at));
      expect([outcome.text, outcome.reasoning]).toEqual(end < 0 ? [text, 'r'] : ['', '']);
      expect(outcome.dropped).toBe(end >= 0 && active[end]!.act === 'drop');
      expect(outcome.abort !== undefined).toBe(end >= 0 && active[end]!.act !== 'drop');
    }), { numRuns: 300 });
  });
});
