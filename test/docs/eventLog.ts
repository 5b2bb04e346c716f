import {
  AgentController, AgentEvent, AgentHook, AgentMessage, AgentRuntime, ArkAgentError, BaseObserver, BaseToolExecutor, HookSlot,
  InMemoryStateStorage, JsonObject, Result, ScriptedProvider, ScriptedTurn, StateCommit, ToolDefinition, ToolRegistry, ToolResult,
  ToolRiskLevel, type ModelProvider,
} from 'agent_core';
import { CountingIdGenerator, ManualClock, ManualScheduler, TestDigest } from '@core/testing';

/** Runs small conversations and writes down everything that a hook, the bus, the observer and the storage hear, in order. */
export class EventLog {
  readonly lines: string[] = [];
  readonly controller = new AgentController();
  readonly observer = new LoggingObserver(this.lines);
  private runtime: AgentRuntime | undefined;

  static async open(turns: readonly ScriptedTurn[]): Promise<EventLog> {
    const log = new EventLog();
    log.controller.subscribeAll((event) => log.lines.push(`bus ${event.eventType()}`));
    const opened = await AgentRuntime.open({
      sessionId: 's', provider: provider(turns), toolRegistry: tools(), controller: log.controller, hooks: [new LoggingHook(log.lines)],
      stateStorage: new LoggingStorage(log.lines),
      ports: { clock: new ManualClock(1000), scheduler: new ManualScheduler(), ids: new CountingIdGenerator('id'), digest: new TestDigest() },
    });
    log.runtime = opened.value;
    return log;
  }

  say(text: string): Promise<unknown> {
    return this.runtime!.runStream([AgentMessage.user(text)], this.observer);
  }

  resume(): Promise<unknown> {
    return this.runtime!.resume(this.observer);
  }

  /** What was heard since the last call. */
  take(): string[] {
    return this.lines.splice(0);
  }
}

function provider(turns: readonly ScriptedTurn[]): ModelProvider {
  return new ScriptedProvider(turns);
}

function tools(): ToolRegistry {
  const registry = new ToolRegistry();
  const parameters = new JsonObject().setString('type', 'object');
  for (const risk of [ToolRiskLevel.safe, ToolRiskLevel.dangerous]) {
    expectOk(registry.register(new ToolDefinition(risk, `a ${risk} tool`, parameters, risk), new Answering()));
  }
  return registry;
}

function expectOk(result: Result<boolean, ArkAgentError>): void {
  if (!result.ok) throw result.error;
}

class Answering extends BaseToolExecutor {
  async execute(): Promise<ToolResult> {
    return ToolResult.text('done');
  }
}

class LoggingObserver extends BaseObserver<AgentEvent> {
  constructor(private readonly lines: string[]) {
    super();
  }

  override onNext(event: AgentEvent): void {
    this.lines.push(`observer ${event.type}`);
  }

  override onError(): void {
    this.lines.push('observer onError');
  }

  override onComplete(): void {
    this.lines.push('observer onComplete');
  }
}

class LoggingStorage extends InMemoryStateStorage {
  constructor(private readonly lines: string[]) {
    super();
  }

  override async commit(commit: StateCommit): Promise<Result<number, ArkAgentError>> {
    this.lines.push(`commit ${commit.reason}`);
    return super.commit(commit);
  }
}

/** Every slot of the base class, wrapped, so that a new slot shows up by itself. */
class LoggingHook extends AgentHook {
  constructor(lines: string[]) {
    super('log');
    for (const slot of Object.values(HookSlot)) {
      const passOn = AgentHook.prototype[slot] as (context: object) => Promise<unknown>;
      Object.assign(this, {
        [slot]: async (context: object): Promise<unknown> => {
          lines.push(`hook ${slot}`);
          return passOn.call(this, context);
        },
      });
    }
  }
}
