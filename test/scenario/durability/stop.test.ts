import { describe, expect, it } from 'vitest';
import type { AgentHook } from '@core/hook/AgentHook';
import { ToolResultHookResult } from '@core/hook/result/ToolResultHookResult';
import { TurnCompletionHookResult } from '@core/hook/result/TurnCompletionHookResult';
import { AgentMessage } from '@core/message/AgentMessage';
import { ContentPart } from '@core/message/ContentPart';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import { CommitFault } from '@core/testing/StoppingStateStorage';
import { ToolResult } from '@core/tool/ToolResult';
import type { Process } from '../../support/Process';
import { World } from '../../support/World';
import { hook } from '../run/harness';

/** Commits of the run: after_user_input, after_model_text, after_tool_batch, terminal. */
const AFTER_BATCH = 3;

const stops = hook('stops', { afterToolCall: async (context) => ToolResultHookResult.stop(context.result, [], 'enough') });
const goesOn = (words: string): AgentHook => hook('on', { onTurnCompletion: async (context) => (context.message.toolCalls.length > 0 ? TurnCompletionHookResult.continueRun([AgentMessage.user(words)]) : TurnCompletionHookResult.accept()) });

function world(): World {
  const made = new World();
  made.safe('bye').work = async () => new ToolResult([ContentPart.text('bye')], false, true);
  made.safe('read');
  return made;
}

const turn = (name: string): ScriptedTurn => new ScriptedTurn().call('c1', name, '{}').call('c2', 'read', '{}');

/** Dies at a commit of the run, then goes on in another process. */
async function goOn(made: World, name: string, at: number, fault: CommitFault, hooks: AgentHook[]): Promise<{ ending: string; two: Process }> {
  const one = await made.open({ turns: [turn(name)], config: { hooks } });
  one.storage.plan(at, fault);
  expect(await one.say('go')).toBe('stopped');
  const two = await made.open({ turns: [ScriptedTurn.text('never asked for')], config: { hooks } });
  return { ending: await two.resume(), two };
}

describe('DEC-24 a stop', () => {
  const kinds: [string, string, AgentHook[], string][] = [['of a tool', 'bye', [], 'tool_stop'], ['of a hook', 'read', [stops], 'hook_stop']];

  it.each(kinds.flatMap((kind) => ([[AFTER_BATCH, CommitFault.stopAfter], [AFTER_BATCH + 1, CommitFault.stopBefore]] as const).map((cut) => [...kind, ...cut] as const)))(
    'DEC-24 %s holds when the process dies between the batch and the end (%s, %j, %s, commit %i %s)', async (_kind, name, hooks, reason, at, fault) => {
      const made = world();
      const { ending, two } = await goOn(made, name, at, fault, hooks);
      expect([ending, two.provider.calls]).toEqual([reason, 0]);
      expect((await made.stored()).run?.pendingStop).toBeUndefined();
      expect(two.history().slice(2)).toEqual([`tool c1: ${name === 'bye' ? 'bye' : 'done'}`, 'tool c2: done']);
    });

  it('DEC-24 onTurnCompletion may go on after a tool\'s stop, not after a hook\'s, as in one process', async () => {
    const tool = await goOn(world(), 'bye', AFTER_BATCH, CommitFault.stopAfter, [goesOn('one more thing')]);
    expect([tool.ending, tool.two.provider.calls]).toEqual(['complete', 1]);
    expect(tool.two.lastRequest().at(-1)).toBe('user: one more thing');
    const other = await goOn(world(), 'read', AFTER_BATCH, CommitFault.stopAfter, [stops, goesOn('one more thing')]);
    expect([other.ending, other.two.provider.calls]).toEqual(['hook_stop', 0]);
  });

  it('DEC-24 a pause at that moment changes nothing, and new input forgets the stop', async () => {
    for (const then of ['resume', 'input']) {
      const made = world();
      const waits = hook('waits', { onTurnCompletion: () => new Promise<TurnCompletionHookResult>(() => undefined) });
      const one = await made.open({ turns: [turn('bye')], config: { hooks: [waits] } });
      const run = one.say('go');
      while (one.log.count('run state_persisted after_tool_batch') === 0) await new Promise<void>((resolve) => setImmediate(resolve));
      void one.runtime.suspend('background');
      made.scheduler.advance(5000);
      expect(await run).toBe('suspended');
      expect((await made.stored()).run?.pendingStop).toBe('tool_stop');
      const two = await made.open({});
      if (then === 'resume') {
        expect([await two.resume(), two.provider.calls]).toEqual(['tool_stop', 0]);
      } else {
        await two.runtime.cancel();
        expect([await two.say('more'), two.provider.calls]).toEqual(['complete', 1]);
      }
    }
  });
});
