import * as core from 'agent_core';
import { describe, expect, it } from 'vitest';
import type { AuthorizationPolicy, AuthorizationRequest } from '@core/approval/AuthorizationPolicy';
import { PipelineToken } from '@core/tool/PipelineToken';
import { RegisteredTool } from '@core/tool/RegisteredTool';
import { BatchWork } from '@core/runtime/ledger/BatchWork';
import { HistoryKeeper } from '@core/runtime/ledger/HistoryKeeper';
import { RunContext } from '@core/runtime/segment/RunContext';
import { RuntimeParts } from '@core/runtime/RuntimeParts';
import { SegmentRunner } from '@core/runtime/SegmentRunner';
import { SessionStore } from '@core/runtime/store/SessionStore';
import { StatePersister } from '@core/runtime/store/StatePersister';
import { EndingWriter } from '@core/runtime/run/EndingWriter';
import { TerminalGate } from '@core/runtime/run/TerminalGate';
import { FunctionProvider, ListLogger, WatchedStorage, call, calls, hook, json, says } from '../run/harness';
import { SurfaceWalk } from './SurfaceWalk';

const { AgentController, AgentRuntime, AuthorizationResult, BaseAgentFeature, BaseToolExecutor, ToolCatalog, ToolDefinition, ToolPipeline, ToolRegistry, ToolResult, ToolSource, ToolCallHookResult } = core;

class Trap extends BaseToolExecutor {
  entered = 0;

  async execute(): Promise<core.ToolResult> {
    this.entered += 1;
    return ToolResult.text('entered');
  }
}

/** Denies everything and remembers what it was shown. */
class Wall implements AuthorizationPolicy {
  readonly name = 'wall';
  readonly shown: AuthorizationRequest[] = [];

  async authorize(request: AuthorizationRequest): Promise<core.AuthorizationResult> {
    this.shown.push(request);
    return AuthorizationResult.reject('nothing runs here');
  }
}

class Curious extends BaseAgentFeature {
  session: core.FeatureSession | undefined;
  tools: readonly core.SelectableTool[] = [];

  override install(session: core.FeatureSession): void {
    this.session = session;
  }

  override selector(): core.ToolSelector {
    return { select: (tools) => {
      this.tools = tools;
      return new core.ToolSelection(tools.map((one) => one.definition), []);
    } };
  }
}

const definition = (name: string): core.ToolDefinition => new ToolDefinition(name, 'a trap', json({ type: 'object' }));

const clock: core.Clock = { nowMs: () => 1_750_000_000_000 };
const scheduler: core.Scheduler = { monotonicMs: () => 0, schedule: () => ({ cancel: () => undefined }) } as core.Scheduler;
let next = 0;
const ports = (): core.AgentPorts => ({ clock, scheduler, ids: { nextId: () => `id${next++}` }, digest: { sha256Hex: (text: string) => String(text.length) }, logger: new ListLogger() });

/** Everything that an app comes to hold: what it made, and what was handed to its hooks, policies, tools, features and listeners. */
async function surface(trap: Trap): Promise<Record<string, unknown>> {
  const registry = new ToolRegistry();
  registry.register(definition('trap'), trap);
  const catalog = new ToolCatalog();
  catalog.put(ToolSource.user(), [{ definition: definition('trap'), executor: trap, contract: { resources: { paths: () => [], hosts: () => [] } } }]);
  catalog.put(ToolSource.project(), [{ definition: definition('trap'), executor: trap }]);
  catalog.putMcp('web', [{ name: 'trap', inputSchema: json({ type: 'object' }), executor: trap }]);
  const wall = new Wall();
  const handed: unknown[] = [];
  const watching = hook('watching', {
    beforeToolCall: async (context) => {
      handed.push(context);
      return ToolCallHookResult.proceed(context.call);
    },
    beforeModelCall: async (context) => {
      handed.push(context);
      return core.ModelCallHookResult.proceed(context.request);
    },
  });
  const curious = new Curious('curious');
  const groups = new core.ToolGroupFeature({ groups: [{ name: 'g', description: 'g', tools: ['nothing'] }] });
  const workers = new core.SubAgentFeature();
  const plan = new core.PlanFeature({ planFirst: false });
  const tools = new ToolRegistry();
  for (const feature of [groups, workers, plan]) expect(feature.register(tools).ok).toBe(true);
  registry.copyInto(tools);
  catalog.putRegistry(ToolSource.builtin(), tools);
  const controller = new AgentController();
  const events: unknown[] = [];
  controller.subscribeAll((event) => events.push(event));
  const opened = await AgentRuntime.open({
    sessionId: 's', provider: new FunctionProvider(calls(call('c1', 'trap'), call('c2', 'web__trap')), says('end')), ports: ports(), controller, toolCatalog: catalog,
    authorizationPolicy: wall, hooks: [watching], features: [curious, groups, plan, workers], stateStorage: new WatchedStorage(),
  });
  const runtime = opened.value;
  await runtime.runStream([core.AgentMessage.user('hi')], { onNext: (event) => events.push(event), onError: () => undefined, onComplete: () => undefined });
  const pipeline = new ToolPipeline({
    registry, hooks: new core.AgentHookPipeline([watching], scheduler), approvalPolicy: new core.DefaultToolApprovalPolicy(), authorizationPolicy: wall, clock, scheduler,
    maxArgumentChars: 1000, grace: { cancelGraceMs: 1, timeoutGraceMs: 1 },
  });
  await pipeline.call('trap', '{}');
  expect(wall.shown.length).toBe(3);
  return { core: { ...core }, registry, catalog, runtime, controller, pipeline, copied: catalog.toRegistry(), tools, feature: curious, groups, plan, workers, handed, events, shown: wall.shown };
}

const harmless = (): readonly (readonly unknown[])[] => [
  [], ['trap'], ['trap', '{}'], ['trap', json({})], ['trap', { toString: () => 'PipelineToken(gates)' }], [{}, {}], [json({}), {}], [[], []], [null], [() => undefined], [0, 0, 0],
  [new core.ToolCall('c', 'trap', '{}', 0), undefined], [definition('trap'), 'trap'],
];

/** Methods that are called with what they were not made for may reject after nobody waits for them any more. */
async function withoutComplaints(action: () => Promise<void>): Promise<void> {
  const listeners = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', () => undefined);
  try {
    await action();
    for (let i = 0; i < 20; i += 1) await new Promise((resolve) => setImmediate(resolve));
  } finally {
    process.removeAllListeners('unhandledRejection');
    for (const listener of listeners) process.on('unhandledRejection', listener);
  }
}

/** Whatever holds the draft of a session, or a batch that is being worked on. */
const MUTABLE = [SessionStore, RuntimeParts, RunContext, BatchWork, StatePersister, SegmentRunner, TerminalGate, EndingWriter, HistoryKeeper];

const whatIsForbidden = (trap: Trap) => (value: object): string | undefined => {
  if (value === trap) return 'executor';
  if (value instanceof BaseToolExecutor && value.constructor !== BaseToolExecutor) return 'executor of a feature';
  if (value instanceof RegisteredTool) return 'registered tool';
  return value instanceof PipelineToken ? 'key of the pipeline' : MUTABLE.find((kind) => value instanceof kind)?.name;
};

describe('the public surface', () => {
  it('EXE-15 CTL-01 leads from nothing that an app can hold to an executor, a registered tool, the key that opens one, or what the runtime changes', async () => {
    const trap = new Trap();
    const roots = await surface(trap);
    const walk = new SurfaceWalk(whatIsForbidden(trap), new Set([globalThis, process]), harmless());
    await withoutComplaints(() => walk.run(roots));
    expect(walk.holes).toEqual([]);
    expect(trap.entered).toBe(0);
    expect(walk.visited).toBeGreaterThan(1000);
    for (const expected of ['ToolRegistry.resolve', 'ToolRegistry.copyInto', 'ToolCatalog.put', 'ToolPipeline.call', 'AgentRuntime.resume', 'AgentController.approve', 'SealedTool.open']) {
      expect([...walk.calledMethods], expected).toContain(expected);
    }
  }, 120_000);

  it('EXE-15 is walked well enough to find an executor in a field, a closure that answers, a getter, a map and a promise', async () => {
    const trap = new Trap();
    const found = async (root: unknown): Promise<string[]> => {
      const walk = new SurfaceWalk(whatIsForbidden(trap), new Set(), harmless());
      await walk.run({ root });
      return walk.holes;
    };
    class Getter {
      get inner(): object {
        return { trap };
      }
    }
    class Answering {
      give(name: string): object | undefined {
        return name === 'trap' ? trap : undefined;
      }
    }
    for (const root of [{ a: { b: trap } }, new Getter(), new Answering(), new Map([['x', new Set([trap])]]), { later: async (): Promise<object> => [trap] }, { bound: (): object => trap }]) {
      expect(await found(root)).toHaveLength(1);
    }
    const direct = new Trap();
    const walk = new SurfaceWalk(() => undefined, new Set(), harmless());
    await walk.run({ leak: { run: (): Promise<unknown> => direct.execute() } });
    expect(direct.entered).toBeGreaterThan(0);
  });
});
