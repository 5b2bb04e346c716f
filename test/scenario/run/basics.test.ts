import { describe, expect, it } from 'vitest';
import { FunctionProvider, Session, Tools, call, calls, says } from './harness';

describe('a run', () => {
  it('DEC-22 tells everything in one order: persist, afterPersistState, bus, observer, afterRun, terminal call', async () => {
    const tools = new Tools().add('look');
    const session = await Session.open({ provider: new FunctionProvider(calls(call('c1', 'look')), says('do', 'ne')), toolRegistry: tools.registry });
    const result = await session.run();
    expect(result.value.kind).toBe('completed');
    expect(session.log).toEqual([
      'bus agent.started', 'obs run_started', 'commit after_user_input', 'bus state.persisted', 'obs state_persisted',
      'bus llm.before', 'obs model_started', 'bus llm.after', 'commit after_model_text', 'bus state.persisted', 'obs state_persisted',
      'bus tool.before', 'obs tool_call_started', 'bus tool.after', 'obs tool_call_finished',
      'commit after_tool_batch', 'bus state.persisted', 'obs state_persisted',
      'bus llm.before', 'obs model_started', 'bus llm.chunk', 'obs text_delta', 'bus llm.chunk', 'obs text_delta',
      'bus llm.after', 'commit after_model_text', 'bus state.persisted', 'obs state_persisted',
      'commit terminal', 'bus state.persisted', 'obs state_persisted', 'bus agent.success', 'obs run_completed', 'afterRun', 'obs onComplete',
    ]);
    expect(session.history).toEqual(['user hi', 'assistant  [c1=look({})]', 'tool c1 look done', 'assistant done']);
    expect(session.problems()).toEqual([]);
  });
});
