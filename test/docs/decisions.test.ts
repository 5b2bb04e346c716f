import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  AgentHook, AgentHookPipeline, AgentMessage, AgentRuntime, ApprovalPolicyResult, ApprovalScope, AuthorizationResult, BaseObserver,
  BaseToolExecutor, BatchDenyMode, InMemoryStateStorage, JsonObject, PersistReason, PersistReasons, ScriptedProvider, ScriptedTurn,
  ToolCallHookResult, ToolDefinition, ToolPipeline, ToolRegistry, ToolResult, ToolRiskLevel, type AgentConfig, type AgentEvent,
  type AuthorizationPolicy, type ModelProvider, type StateCommit, type ToolCallHookContext, type ToolExecutor,
} from 'agent_core';
import { CountingIdGenerator, ManualClock, ManualScheduler, TestDigest } from '@core/testing';
import { CallRejection } from '@core/execution/prepare/CallRejection';
import { ArkAgentError } from '@core/base/ArkAgentError';
import { ErrorCode } from '@core/base/ErrorCodes';
import { ResolvedConfig } from '@core/runtime/config/ResolvedConfig';
import { ToolContext } from '@core/tool/ToolContext';
import { describe, expect, it } from 'vitest';
import { CORE, readSources, repositoryRoot, type SourceMap } from '../architecture/sources';
import { ORDER } from '../architecture/layers';

/*
 * Decisions that no other test would miss: each case fails when what a record under docs/adr says is no longer true.
 */

const core = readSources([CORE], /\.ts$/);
const publicSurface = readFileSync(join(repositoryRoot, 'agent_core/Index.ets'), 'utf8');

/** Core files whose code, comments left out, matches. */
function filesWith(pattern: RegExp, sources: SourceMap = core): string[] {
  return [...sources].filter(([, text]) => pattern.test(text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, ''))).map(([path]) => path.slice(CORE.length + 1));
}

function ports(): AgentConfig['ports'] {
  return { clock: new ManualClock(1000), scheduler: new ManualScheduler(), ids: new CountingIdGenerator('id'), digest: new TestDigest() };
}

function config(provider: ModelProvider): AgentConfig {
  return { sessionId: 's', provider, ports: ports() };
}

class Answering extends BaseToolExecutor {
  constructor(private readonly log: string[]) {
    super();
  }

  async execute(): Promise<ToolResult> {
    this.log.push('executor');
    return ToolResult.text('done');
  }
}

function registry(executor: ToolExecutor): ToolRegistry {
  const tools = new ToolRegistry();
  const read = new ToolDefinition('read', 'reads', new JsonObject().setString('type', 'object'), ToolRiskLevel.safe);
  expect(tools.register(read, executor).ok).toBe(true);
  return tools;
}

describe('decisions', () => {
  it('ADR-0003 the core hands values on by callbacks: no iterator protocol anywhere', () => {
    expect(filesWith(/\bAsyncIterable|\bAsyncIterator|\bIterableIterator|\bReadableStream|\bfor await\b/)).toEqual([]);
    expect(filesWith(/\bfor await\b/, new Map([[`${CORE}/a.ts`, 'for await (const x of y) {}']]))).toEqual(['a.ts']);
  });

  it('ADR-0004 one loop calls the model, one gate ends a segment and tells of a question', () => {
    expect(filesWith(/\.provider\.stream\(/).filter((path) => !path.startsWith('provider/'))).toEqual(['runtime/model/ModelCaller.ts']);
    expect(filesWith(/\.hooks\.afterRun\(/)).toEqual(['runtime/run/TerminalGate.ts']);
    expect(filesWith(/\breporter\.(approvalRequired|suspended|completed|failed|cancelled)\(/)).toEqual(['runtime/run/TerminalGate.ts']);
    expect(filesWith(/\.storage\.commit\(/)).toEqual(['runtime/store/SessionStore.ts']);
  });

  it('ADR-0005 an executor is entered in one place, opened in one place, and a context has five members', () => {
    expect(filesWith(/\.execute\(/)).toEqual(['execution/run/ToolInvoker.ts']);
    expect(filesWith(/new PipelineToken\(/)).toEqual(['execution/prepare/CallGates.ts']);
    expect(publicSurface).not.toMatch(/PipelineToken|RegisteredTool|SealedTool/);
    const context = Reflect.construct(ToolContext, []) as object;
    expect(Object.keys(context)).toEqual(['sessionId', 'state', 'batchCallId', 'signal', 'services']);
  });

  it('ADR-0006 there is one error class, and its details are read by name', () => {
    // HookTimeout and HookAbandoned only carry a time-out and a cancel to their catch inside the runtime; nobody outside sees them.
    expect(filesWith(/extends Error\b/)).toEqual(['base/ArkAgentError.ts', 'hook/HookPatience.ts', 'hook/pipeline/HookFaults.ts']);
    expect(publicSurface).not.toMatch(/HookTimeout|HookAbandoned/);
    const error = ArkAgentError.of(ErrorCode.toolDenied, 'no').withDetail('by', 'policy');
    expect(error.details?.get('by')).toBe('policy');
  });

  it('ADR-0007 hooks, then gates, then authorization, then approval policy, then the executor', async () => {
    const log: string[] = [];
    const run = (argumentsJson: string): Promise<string> => pipeline(log).call('read', argumentsJson).then((envelope) => envelope.code);
    expect(await run('{}')).toBe('');
    expect(log.splice(0)).toEqual(['hook', 'authorization', 'policy', 'executor']);
    expect(await run('not json')).toBe('json_syntax');
    expect(log).toEqual(['hook']);
  });

  it('ADR-0008 a run is a Result whatever fails below it', async () => {
    const throwing: ModelProvider = { stream: (): void => { throw new Error('provider'); } };
    const failed = (await AgentRuntime.open(config(throwing))).value;
    const outcome = await failed.runStream([AgentMessage.user('x')], new BaseObserver<AgentEvent>());
    expect(outcome.ok ? '' : outcome.error.code).toBe('provider_failed');
    const silent = config(new ScriptedProvider([ScriptedTurn.text('Hi')]));
    silent.stateStorage = new ThrowingStorage();
    const lost = await (await AgentRuntime.open(silent)).value.runStream([AgentMessage.user('x')], new ThrowingObserver());
    expect(lost.ok ? '' : lost.error.code).toBe('state_save_failed');
  });

  it('ADR-0009 only what needs consent waits for a person, and one denial stops the batch', () => {
    const resolved = ResolvedConfig.of(config(new ScriptedProvider([]))).value;
    expect([resolved.approvalScope, resolved.batchDenyMode]).toEqual([ApprovalScope.flagged, BatchDenyMode.atomic]);
  });

  it('ADR-0010 the folders of the core are those of the table, and a time says its unit', () => {
    const folders = new Set([...core.keys()].map((path) => path.slice(CORE.length + 1).split('/')).filter((parts) => parts.length > 1).map(([folder]) => folder));
    for (const folder of ORDER) expect(folders.has(folder), folder).toBe(true);
    expect(filesWith(/^\s*(readonly )?(startedAt|createdAt|updatedAt|expiresAt|timestamp)\??:/m)).toEqual([]);
  });

  it('ADR-0011 a hook may skip three kinds of writes and no other', () => {
    const optional = Object.values(PersistReason).filter((reason) => !PersistReasons.isMandatory(reason));
    expect(optional).toEqual(['after_user_input', 'after_model_text', 'after_tool_batch']);
  });

  it('ADR-0014 what the model reads of an error is its code and its message', () => {
    const result = CallRejection.of(ArkAgentError.of(ErrorCode.toolNotFound, 'Tool not found: x'));
    expect([result.isError, result.contents[0]!.asText()]).toEqual([true, 'tool_not_found: Tool not found: x']);
  });
});

function pipeline(log: string[]): ToolPipeline {
  const authorization: AuthorizationPolicy = {
    name: 'log', authorize: async () => {
      log.push('authorization');
      return AuthorizationResult.allow();
    },
  };
  return new ToolPipeline({
    registry: registry(new Answering(log)), hooks: new AgentHookPipeline([new LoggingHook(log)], new ManualScheduler()),
    approvalPolicy: { decide: () => {
      log.push('policy');
      return ApprovalPolicyResult.allow();
    } },
    authorizationPolicy: authorization, clock: new ManualClock(1000), scheduler: new ManualScheduler(), maxArgumentChars: 1000,
    grace: { cancelGraceMs: 0, timeoutGraceMs: 0 },
  });
}

class LoggingHook extends AgentHook {
  constructor(private readonly log: string[]) {
    super('log');
  }

  override async beforeToolCall(context: ToolCallHookContext): Promise<ToolCallHookResult> {
    this.log.push('hook');
    return ToolCallHookResult.proceed(context.call);
  }
}

class ThrowingStorage extends InMemoryStateStorage {
  override async commit(_commit: StateCommit): Promise<never> {
    throw new Error('disk');
  }
}

class ThrowingObserver extends BaseObserver<AgentEvent> {
  override onNext(): void {
    throw new Error('observer');
  }
}
