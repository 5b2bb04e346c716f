import { afterEach, expect } from 'vitest';
import type { AgentState } from '@core/state/AgentState';
import { StateCodec } from '@core/state/codec/StateCodec';
import { InMemoryStateStorage } from '@core/state/InMemoryStateStorage';
import { StateInvariants } from '@core/state/Invariants';
import type { StateCommit } from '@core/state/StateCommit';
import type { StateStorage } from '@core/state/StateStorage';
import { JsonCodec } from '@core/json/JsonCodec';
import { ToolDefinition, ToolRiskLevel } from '@core/model/ToolDefinition';
import { ScriptedProvider, type ScriptedResponder } from '@core/provider/ScriptedProvider';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import type { AgentConfig } from '@core/runtime/config/AgentConfig';
import { AgentRuntime } from '@core/runtime/AgentRuntime';
import { AgentController } from '@core/control/AgentController';
import { CountingIdGenerator } from '@core/testing/CountingIdGenerator';
import { ManualClock } from '@core/testing/ManualClock';
import { ManualScheduler } from '@core/testing/ManualScheduler';
import { RecordingTool } from '@core/testing/RecordingTool';
import { StoppingStateStorage } from '@core/testing/StoppingStateStorage';
import { TestDigest } from '@core/testing/TestDigest';
import type { ToolContract } from '@core/tool/ToolContract';
import { ToolRegistry } from '@core/tool/ToolRegistry';
import { EventLog } from './EventLog';
import { Process } from './Process';

/** A tool of the world: its name says its risk unless `risk` does. */
export interface WorldTool {
  name: string;
  risk: ToolRiskLevel;
  tool: RecordingTool;
  contract?: ToolContract;
  /** JSON text of the schema; default: any object. */
  schema?: string;
}

/** How a process is started. */
export interface OpenOptions {
  /** What the model answers in this process, call by call; after the last one it answers "ok". */
  turns?: ReadonlyArray<ScriptedTurn>;
  responder?: ScriptedResponder;
  /** Anything of the configuration; wins over what the world would set. */
  config?: Partial<AgentConfig>;
  /** Told to the runtime; default true, so that the storage counts as one that survives. */
  durable?: boolean;
  /** Names of tools that this process does not have. */
  without?: ReadonlyArray<string>;
  log?: EventLog;
  controller?: AgentController;
}

const worlds: World[] = [];

afterEach(() => {
  const broken = worlds.splice(0).flatMap((world) => world.violations);
  expect(broken, 'a commit broke an invariant of the state').toEqual([]);
});

/**
 * What survives a process: the disk, the clock, the tools and their effects. `open` starts a process on it.
 *
 * Every commit of every process is checked: the invariants hold, and the state written as text and read back is the same.
 */
export class World {
  readonly disk: StateStorage;
  readonly clock = new ManualClock();
  readonly scheduler = new ManualScheduler();
  readonly ids = new CountingIdGenerator();
  readonly sessionId: string;
  readonly violations: string[] = [];
  /** Hears of every commit that reached the disk, whichever process made it. */
  onCommit: ((commit: StateCommit) => void) | undefined = undefined;
  private readonly tools: Map<string, WorldTool> = new Map();

  private readonly openDisk: () => StateStorage;

  /** @param options openDisk: gives each process, and the world itself, a storage of its own over the same medium */
  constructor(options: { sessionId?: string; disk?: StateStorage; openDisk?: () => StateStorage } = {}) {
    this.sessionId = options.sessionId ?? 's';
    const disk = options.disk ?? options.openDisk?.() ?? new InMemoryStateStorage();
    this.disk = disk;
    this.openDisk = options.openDisk ?? (() => disk);
    worlds.push(this);
  }

  /** Adds a tool whose runs are counted. */
  tool(name: string, risk: ToolRiskLevel = ToolRiskLevel.safe, contract?: ToolContract, schema?: string): RecordingTool {
    const tool = new RecordingTool();
    this.tools.set(name, { name, risk, tool, contract, schema });
    return tool;
  }

  safe(name: string, contract?: ToolContract): RecordingTool {
    return this.tool(name, ToolRiskLevel.safe, contract);
  }

  dangerous(name: string, contract?: ToolContract): RecordingTool {
    return this.tool(name, ToolRiskLevel.dangerous, contract);
  }

  sensitive(name: string, contract?: ToolContract): RecordingTool {
    return this.tool(name, ToolRiskLevel.sensitive, contract);
  }

  /** A registry with the world's tools, as each process makes its own. */
  registry(without: ReadonlyArray<string> = []): ToolRegistry {
    const registry = new ToolRegistry();
    for (const entry of this.tools.values()) {
      if (!without.includes(entry.name)) {
        register(registry, entry);
      }
    }
    return registry;
  }

  /** Starts a process; throws when the session cannot be opened. */
  async open(options: OpenOptions = {}): Promise<Process> {
    const turns = options.turns ?? [];
    const provider = ScriptedProvider.answering(options.responder ??
      ((_request, call) => turns[call] ?? ScriptedTurn.text('ok')));
    const storage = new StoppingStateStorage(this.openDisk(), options.durable ?? true, (commit) => this.check(commit));
    const controller = options.controller ?? new AgentController();
    const log = options.log ?? new EventLog();
    log.listen(controller);
    const registry = this.registry(options.without);
    const config: AgentConfig = {
      sessionId: this.sessionId, provider, toolRegistry: registry, stateStorage: storage, controller,
      ports: { clock: this.clock, scheduler: this.scheduler, ids: this.ids, digest: new TestDigest() },
      ...options.config,
    };
    const opened = await AgentRuntime.open(config);
    if (!opened.ok) {
      throw opened.error;
    }
    return new Process({ runtime: opened.value, controller, provider, storage, log, registry, world: this });
  }

  /** What is on the disk; fails the test when there is nothing. */
  async stored(): Promise<AgentState> {
    const state = (await this.disk.load(this.sessionId)).value;
    if (state === undefined) {
      throw new Error('nothing is stored');
    }
    return state;
  }

  /** The stored state as the text that a file would hold. */
  async storedText(): Promise<string> {
    return encoded(await this.stored());
  }

  private check(commit: StateCommit): void {
    this.onCommit?.(commit);
    const sound = StateInvariants.check(commit.next);
    if (!sound.ok) {
      this.violations.push(`${commit.reason}: ${sound.error.message}`);
      return;
    }
    const text = encoded(commit.next);
    const decoded = new StateCodec().decode(text);
    if (!decoded.ok || encoded(decoded.value) !== text) {
      this.violations.push(`${commit.reason}: the state does not survive its text form`);
    }
  }
}

/** A state as its JSON text. */
export function encoded(state: AgentState): string {
  return new StateCodec().encode(state).value;
}

function register(registry: ToolRegistry, entry: WorldTool): void {
  const parameters = new JsonCodec().parseObject(entry.schema ?? '{"type":"object"}').value;
  const definition = new ToolDefinition(entry.name, `The tool ${entry.name}.`, parameters, entry.risk);
  const done = registry.register(definition, entry.tool, entry.contract);
  if (!done.ok) {
    throw done.error;
  }
}
