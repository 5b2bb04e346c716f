import { performance } from 'node:perf_hooks';
import { createHash, randomUUID } from 'node:crypto';
import * as core from '../../dist/core.mjs';

/** The ports of the measurements: real clock, real timers, real SHA-256. */
export const ports = {
  clock: { nowMs: () => Date.now() },
  scheduler: {
    monotonicMs: () => performance.now(),
    schedule: (delayMs, task) => {
      const handle = setTimeout(task, delayMs);
      return { cancel: () => clearTimeout(handle) };
    },
  },
  ids: { nextId: () => randomUUID() },
  digest: { sha256Hex: (text) => createHash('sha256').update(text).digest('hex') },
};

class Read extends core.BaseToolExecutor {
  async execute() {
    return core.ToolResult.text('ok');
  }
}

/** One pass-through hook in each of the ten slots. */
export class PassThrough extends core.AgentHook {
  constructor() {
    super('pass');
  }
  async beforeRun(context) { return core.BeforeRunHookResult.proceed(context.input); }
  async beforeModelCall(context) { return core.ModelCallHookResult.proceed(context.request); }
  async onModelChunk(context) { return core.ModelChunkHookResult.proceed(context.text, context.reasoning); }
  async afterModelCall(context) { return core.ModelResponseHookResult.proceed(context.response); }
  async beforeToolCall(context) { return core.ToolCallHookResult.proceed(context.call); }
  async afterToolCall(context) { return core.ToolResultHookResult.proceed(context.result); }
  async onTurnCompletion() { return core.TurnCompletionHookResult.accept(); }
  async beforePersistState() { return core.StatePersistenceHookResult.proceed(); }
  async afterPersistState() {}
  async afterRun() {}
}

/** Only the chunk slot. */
export class ChunkHook extends core.AgentHook {
  constructor() {
    super('chunk');
  }
  async onModelChunk(context) { return core.ModelChunkHookResult.proceed(context.text, context.reasoning); }
}

export function registry() {
  const schema = new core.JsonCodec()
    .parseObject('{"type":"object","properties":{"id":{"type":"string"},"n":{"type":"integer"}},"required":["id"]}').value;
  const tools = new core.ToolRegistry();
  const registered = tools.register(new core.ToolDefinition('read', 'Reads.', schema), new Read());
  if (!registered.ok) throw registered.error;
  return tools;
}

export async function open(config) {
  const opened = await core.AgentRuntime.open({ sessionId: 'bench', ports, limits: { maxTurns: 100000 }, ...config });
  if (!opened.ok) throw opened.error;
  return opened.value;
}

export async function run(runtime, observer = new core.BaseObserver()) {
  const outcome = await runtime.runStream([core.AgentMessage.user('go')], observer);
  if (!outcome.ok) throw outcome.error;
  return outcome.value;
}

export { core };
