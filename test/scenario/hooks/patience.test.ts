import { describe, expect, it } from 'vitest';
import {
  AgentHook, AgentMessage, AgentRuntime, AgentStopReason, BaseToolExecutor, InMemoryStateStorage, JsonCodec, RunStatus, ScriptedProvider,
  ScriptedTurn, ToolDefinition, ToolRegistry, ToolResult, type AgentEvent, type RunOutcome,
} from 'agent_core';
import { CountingIdGenerator, ManualClock, ManualScheduler, RecordingObserver, TestDigest } from '@core/testing';

class Read extends BaseToolExecutor {
  async execute(): Promise<ToolResult> {
    return ToolResult.text('ok');
  }
}

const SLOTS = [
  'beforeRun', 'beforeModelCall', 'afterModelCall', 'beforeToolCall', 'afterToolCall', 'onTurnCompletion', 'beforePersistState', 'afterPersistState', 'afterRun',
] as const;

/** A hook that never answers in one slot. */
function hanging(slot: string): AgentHook {
  const hook = new (class extends AgentHook {})('hanging');
  const reached = { count: 0 };
  Object.defineProperty(hook, slot, { value: () => { reached.count++; return new Promise(() => undefined); } });
  Object.defineProperty(hook, 'reached', { value: reached });
  return hook;
}

async function untilReached(hook: AgentHook): Promise<void> {
  const reached = (hook as unknown as { reached: { count: number } }).reached;
  for (let i = 0; i < 1000 && reached.count === 0; i++) await Promise.resolve();
  expect(reached.count).toBe(1);
}

describe('a cancel does not wait for a hook that never answers (DEC-19)', () => {
  for (const slot of SLOTS) {
    it(`HOOK-11 ${slot} hangs without a time-out: cancelled after the grace, stored, afterwards usable`, async () => {
      const scheduler = new ManualScheduler();
      const tools = new ToolRegistry();
      tools.register(new ToolDefinition('read', 'Reads.', new JsonCodec().parseObject('{"type":"object"}').value), new Read());
      const storage = new InMemoryStateStorage();
      const hook = hanging(slot);
      const opened = await AgentRuntime.open({
        sessionId: 's', stateStorage: storage, toolRegistry: tools, hooks: [hook], limits: { cancelGraceMs: 500 },
        provider: ScriptedProvider.answering((_, call) => (call === 0 ? ScriptedTurn.call('c', 'read', '{}') : ScriptedTurn.text('done'))),
        ports: { clock: new ManualClock(), scheduler, ids: new CountingIdGenerator(), digest: new TestDigest() },
      });
      const runtime = opened.value;
      const observer = new RecordingObserver<AgentEvent>();
      let outcome: RunOutcome | undefined;
      const run = runtime.runStream([AgentMessage.user('go')], observer).then((result) => { outcome = result.ok ? result.value : undefined; return result; });
      await untilReached(hook);
      const cancelled = runtime.cancel('enough');
      for (let i = 0; i < 100; i++) await Promise.resolve();
      expect(outcome, 'it waits for the grace').toBeUndefined();
      for (let i = 0; i < 8; i++) {
        scheduler.advance(500);
        for (let j = 0; j < 100; j++) await Promise.resolve();
      }
      const result = await run;
      await cancelled;
      const stopReason = result.ok ? result.value.stopReason : undefined;
      // A hook that hangs while the ending is stored or told about cannot change an ending that stood already.
      expect(slot === 'afterRun' ? [AgentStopReason.complete] : [AgentStopReason.cancelled, AgentStopReason.aborted]).toContain(stopReason ?? AgentStopReason.aborted);
      expect(observer.terminalCount).toBe(1);
      const stored = (await storage.load('s')).value;
      expect(stored?.run?.status).toBe(RunStatus.finished);
    });
  }
});
