import { describe, expect, it } from 'vitest';
import {
  AgentHook, AgentMessage, AgentRuntime, BaseObserver, BaseToolExecutor, FinishReason, InMemoryStateStorage, JsonCodec, ModelResponse,
  ModelResponseHookResult, PersistReason, RunStatus, ScriptedProvider, ScriptedTurn, ToolDefinition, ToolRegistry, ToolResult,
  type AgentConfig, type AgentEvent, type ModelResponseHookContext, type StateCommit,
} from 'agent_core';
import { ArkAgentError, ErrorCode, Result } from 'agent_core';
import { CountingIdGenerator, ManualClock, ManualScheduler, TestDigest } from '@core/testing';

class Count extends BaseToolExecutor {
  runs = 0;
  async execute(): Promise<ToolResult> {
    this.runs++;
    return ToolResult.text('ok');
  }
}

function registry(tool: Count): ToolRegistry {
  const tools = new ToolRegistry();
  tools.register(new ToolDefinition('read', 'Reads.', new JsonCodec().parseObject('{"type":"object"}').value), tool);
  return tools;
}

async function open(config: Partial<AgentConfig>): Promise<AgentRuntime> {
  const opened = await AgentRuntime.open({
    sessionId: 's', provider: new ScriptedProvider([]),
    ports: { clock: new ManualClock(), scheduler: new ManualScheduler(), ids: new CountingIdGenerator(), digest: new TestDigest() },
    ...config,
  });
  return opened.value;
}

class Rewrite extends AgentHook {
  constructor(private readonly answer: (context: ModelResponseHookContext, call: number) => ModelResponseHookResult) {
    super('rewrite');
  }
  private calls = 0;
  override async afterModelCall(context: ModelResponseHookContext): Promise<ModelResponseHookResult> {
    return this.answer(context, this.calls++);
  }
}

describe('what an answer costs and what it may not become', () => {
  it('DEC-25 a hook cannot make the calls of a cut answer run by rewriting the finish reason', async () => {
    const tool = new Count();
    const runtime = await open({
      toolRegistry: registry(tool),
      provider: new ScriptedProvider([ScriptedTurn.call('c', 'read', '{}').finish(FinishReason.length), ScriptedTurn.text('done')]),
      hooks: [new Rewrite((context) => {
        const init = context.response.toInit();
        init.finishReason = FinishReason.stop;
        return ModelResponseHookResult.proceed(new ModelResponse(init));
      })],
    });
    const outcome = await runtime.runStream([AgentMessage.user('go')], new BaseObserver<AgentEvent>());
    expect(outcome.ok).toBe(true);
    expect(tool.runs).toBe(0);
    expect(runtime.snapshot().history.toArray().some((message) => message.text().startsWith('tool_call_truncated'))).toBe(true);
  });

  it('counts the tokens of answers that a hook had asked again', async () => {
    const runtime = await open({
      provider: new ScriptedProvider([ScriptedTurn.text('a').usage(10, 1), ScriptedTurn.text('b').usage(20, 2)]),
      hooks: [new Rewrite((context, call) => (call === 0 ? ModelResponseHookResult.retry('again') : ModelResponseHookResult.proceed(context.response)))],
    });
    await runtime.runStream([AgentMessage.user('go')], new BaseObserver<AgentEvent>());
    expect(runtime.snapshot().usage.totalTokens).toBe(33);
  });

  it('DEC-21 a suspension that could not be saved leaves the stored session resumable', async () => {
    class NoSuspend extends InMemoryStateStorage {
      override async commit(commit: StateCommit): Promise<Result<number, ArkAgentError>> {
        return commit.reason === PersistReason.suspend ?
          Result.failure<number, ArkAgentError>(ArkAgentError.of(ErrorCode.stateSaveFailed, 'disk full')) : super.commit(commit);
      }
    }
    const storage = new NoSuspend();
    const runtime = await open({ stateStorage: storage, provider: new ScriptedProvider([ScriptedTurn.hang()]) });
    const run = runtime.runStream([AgentMessage.user('go')], new BaseObserver<AgentEvent>());
    await runtime.suspend('background');
    const outcome = await run;
    expect(outcome.ok ? '' : outcome.error.code).toBe('state_save_failed');
    const again = await open({ stateStorage: storage, provider: new ScriptedProvider([ScriptedTurn.text('done')]) });
    expect(again.snapshot().resumable).toBe(true);
    expect(again.snapshot().run?.status).toBe(RunStatus.running);
    expect((await again.resume(new BaseObserver<AgentEvent>())).ok).toBe(true);
  });
});
