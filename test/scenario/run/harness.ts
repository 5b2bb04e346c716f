import { ApprovalPolicyResult, DefaultToolApprovalPolicy } from '@core/approval/ApprovalPolicy';
import type { AgentControllerEvent } from '@core/control/event/AgentControllerEvent';
import { AgentController } from '@core/control/AgentController';
import { ArkAgentError } from '@core/base/ArkAgentError';
import { CancellationController, type CancellationSignal } from '@core/base/Cancellation';
import { Result } from '@core/base/Result';
import type { StreamObserver } from '@core/base/StreamObserver';
import { AgentHook, type AgentHookOptions } from '@core/hook/AgentHook';
import { JsonCodec } from '@core/json/JsonCodec';
import type { JsonObject } from '@core/json/JsonObject';
import { JsonValue } from '@core/json/JsonValue';
import { AgentMessage, MessageRole } from '@core/message/AgentMessage';
import { FinishReason, ModelResponse } from '@core/model/ModelResponse';
import { ToolCall } from '@core/message/ToolCall';
import type { ModelProvider } from '@core/model/ModelProvider';
import type { ModelRequest } from '@core/model/ModelRequest';
import { StreamingEvent } from '@core/model/StreamingEvent';
import { ToolDefinition, ToolRiskLevel } from '@core/model/ToolDefinition';
import type { LogLevel, Logger } from '@core/port/Logger';
import type { AgentConfig } from '@core/runtime/config/AgentConfig';
import { type AgentEvent, AgentEventType } from '@core/runtime/report/AgentEvent';
import { AgentRuntime } from '@core/runtime/AgentRuntime';
import type { RunOutcome } from '@core/runtime/segment/RunOutcome';
import type { AgentState } from '@core/state/AgentState';
import { StateCodec } from '@core/state/codec/StateCodec';
import { InMemoryStateStorage } from '@core/state/InMemoryStateStorage';
import { StateInvariants } from '@core/state/Invariants';
import type { StateCommit } from '@core/state/StateCommit';
import type { NotResumableMark } from '@core/state/StateStorage';
import { CountingIdGenerator } from '@core/testing/CountingIdGenerator';
import { ManualClock } from '@core/testing/ManualClock';
import { ManualScheduler } from '@core/testing/ManualScheduler';
import { RecordingObserver } from '@core/testing/RecordingObserver';
import { TestDigest } from '@core/testing/TestDigest';
import type { ToolContext } from '@core/tool/ToolContext';
import type { ToolContract } from '@core/tool/ToolContract';
import { BaseToolExecutor } from '@core/tool/ToolExecutor';
import { ToolRegistry, type ToolRegistryOptions } from '@core/tool/ToolRegistry';
import { ToolResult } from '@core/tool/ToolResult';

/** Lets everything that is ready run. */
export async function settle(rounds = 60): Promise<void> {
  for (let i = 0; i < rounds; i++) await Promise.resolve();
  await new Promise<void>((resolve) => setImmediate(resolve));
}

export const json = (value: object): JsonObject => new JsonCodec().parseObject(JSON.stringify(value)).value;
export const user = (text: string): AgentMessage => AgentMessage.user(text);

type Run = (args: JsonObject, context: ToolContext) => Promise<ToolResult> | ToolResult;

class FunctionExecutor extends BaseToolExecutor {
  constructor(private readonly run: Run) {
    super();
  }

  async execute(args: JsonObject, context: ToolContext): Promise<ToolResult> {
    return this.run(args, context);
  }
}

/** Tools that count their runs; `ran` holds `name:arguments` in order. */
export class Tools {
  readonly registry: ToolRegistry;
  readonly ran: string[] = [];

  constructor(options?: ToolRegistryOptions) {
    this.registry = new ToolRegistry(options);
  }

  add(name: string, options: { risk?: ToolRiskLevel; contract?: ToolContract; run?: Run; parameters?: object } = {}): this {
    const parameters = options.parameters ?? { type: 'object', properties: { n: { type: 'integer' } } };
    const run = options.run ?? ((): ToolResult => ToolResult.text(`${name} done`));
    const added = this.registry.register(new ToolDefinition(name, `does ${name}`, json(parameters), options.risk), new FunctionExecutor((args, context) => {
      this.ran.push(`${name}:${new JsonCodec().stringify(JsonValue.object(args)).value}`);
      return run(args, context);
    }), options.contract);
    if (!added.ok) throw added.error;
    return this;
  }

  count(name: string): number {
    return this.ran.filter((entry) => entry.startsWith(`${name}:`)).length;
  }
}

export type HookSlots = Partial<Omit<AgentHook, 'name' | 'timeoutMs' | 'failureMode'>>;

/** A hook of functions; slots that are not given are not overridden. */
export function hook(name: string, slots: HookSlots, options?: AgentHookOptions): AgentHook {
  const made = new AgentHook(name, options);
  Object.assign(made, slots);
  return made;
}

/** A provider made of functions, one per call; the last one serves all further calls. */
export type Answer = (observer: StreamObserver<StreamingEvent>, signal: CancellationSignal, request: ModelRequest) => void;

export class FunctionProvider implements ModelProvider {
  readonly requests: ModelRequest[] = [];
  readonly signals: CancellationSignal[] = [];
  private readonly answers: Answer[];

  constructor(...answers: Answer[]) {
    this.answers = answers;
  }

  get calls(): number {
    return this.requests.length;
  }

  stream(request: ModelRequest, observer: StreamObserver<StreamingEvent>, signal: CancellationSignal): void {
    const answer = this.answers[Math.min(this.requests.length, this.answers.length - 1)];
    this.requests.push(request);
    this.signals.push(signal);
    answer(observer, signal, request);
  }
}

export const call = (id: string, name: string, args: object | string = {}, index = 0): ToolCall =>
  new ToolCall(id, name, typeof args === 'string' ? args : JSON.stringify(args), index);

/** An answer in one go. */
export function answers(response: ModelResponse, ...deltas: string[]): Answer {
  return (observer) => {
    for (const delta of deltas) observer.onNext(StreamingEvent.textDelta(delta));
    observer.onNext(StreamingEvent.modelComplete(response));
    observer.onComplete();
  };
}

export const says = (...deltas: string[]): Answer => answers(ModelResponse.text(deltas.join('')), ...deltas);
export const calls = (...list: ToolCall[]): Answer =>
  answers(new ModelResponse({ toolCalls: list.map((one, at) => new ToolCall(one.id, one.name, one.argumentsJson, at)), finishReason: FinishReason.toolCalls }));

/** In memory, with every commit as the text that a file would hold, checked against the invariants. */
export class WatchedStorage extends InMemoryStateStorage {
  readonly reasons: string[] = [];
  readonly texts: string[] = [];
  readonly states: AgentState[] = [];
  readonly marks: NotResumableMark[] = [];
  private readonly codec = new StateCodec();

  /** @param fault decides per commit (reason, count from 1): an error to answer with */
  constructor(private readonly fault?: (reason: string, count: number) => ArkAgentError | Error | undefined,
    private readonly log?: (entry: string) => void, private readonly markFault?: () => ArkAgentError | undefined) {
    super();
  }

  override async commit(commit: StateCommit): Promise<Result<number, ArkAgentError>> {
    const fault = this.fault?.(commit.reason, this.reasons.length + 1);
    if (fault instanceof ArkAgentError) return Result.failure<number, ArkAgentError>(fault);
    if (fault !== undefined) throw fault;
    const checked = StateInvariants.check(commit.next);
    if (!checked.ok) throw new Error(`a broken state is written (${commit.reason}): ${checked.error.message} ${JSON.stringify([...checked.error.details ?? []])}`);
    const text = this.codec.encode(commit.next).value;
    const back = this.codec.decode(text);
    if (!back.ok) throw new Error(`what is written cannot be read (${commit.reason}): ${back.error.message}`);
    const written = await super.commit(commit);
    if (written.ok) {
      this.log?.(`commit ${commit.reason}`);
      this.reasons.push(commit.reason);
      this.texts.push(text);
      this.states.push(back.value);
    }
    return written;
  }

  override async markNotResumable(mark: NotResumableMark): Promise<Result<boolean, ArkAgentError>> {
    this.marks.push(mark);
    const fault = this.markFault?.();
    return fault === undefined ? super.markNotResumable(mark) : Result.failure<boolean, ArkAgentError>(fault);
  }

  get last(): AgentState {
    return this.states[this.states.length - 1];
  }

  /** A storage that holds what this one held after `count` commits, as after a kill. */
  static after(texts: readonly string[], count: number): WatchedStorage {
    const made = new WatchedStorage();
    if (count > 0) {
      const state = new StateCodec().decode(texts[count - 1]).value;
      (made as unknown as { sessions: Map<string, AgentState> }).sessions.set(state.sessionId, state);
    }
    return made;
  }
}

export class ListLogger implements Logger {
  readonly lines: string[] = [];

  log(level: LogLevel, _tag: string, message: string): void {
    this.lines.push(`${level} ${message}`);
  }
}

/** A runtime with everything around it under the test's hands. */
export class Session {
  readonly log: string[] = [];
  readonly clock = new ManualClock();
  readonly scheduler = new ManualScheduler();
  readonly logger = new ListLogger();
  readonly controller = new AgentController();
  readonly bus: AgentControllerEvent[] = [];
  readonly afterRuns: string[] = [];
  observer = new LoggingObserver(this.log);
  runtime!: AgentRuntime;
  storage!: WatchedStorage;

  static async open(config: Partial<AgentConfig> & { provider: ModelProvider }, storage?: WatchedStorage): Promise<Session> {
    const session = new Session();
    session.storage = storage ?? new WatchedStorage(undefined, (entry) => session.log.push(entry));
    session.controller.subscribeAll((event) => {
      session.bus.push(event);
      session.log.push(`bus ${event.eventType()}`);
    });
    const counting = hook('counting', {
      afterRun: async (context) => {
        session.log.push('afterRun');
        session.afterRuns.push(`${context.segment} ${context.stopReason} ${context.error?.code ?? '-'}`);
      },
    });
    const opened = await AgentRuntime.open({
      sessionId: 's', stateStorage: session.storage, controller: session.controller,
      ports: { clock: session.clock, scheduler: session.scheduler, ids: new CountingIdGenerator(`i${nextPrefix++}`), digest: new TestDigest(), logger: session.logger },
      ...config, hooks: [counting, ...(config.hooks ?? [])],
    });
    if (!opened.ok) throw opened.error;
    session.runtime = opened.value;
    return session;
  }

  run(text = 'hi', signal: CancellationSignal = CancellationController.never()): Promise<Result<RunOutcome, ArkAgentError>> {
    this.observer = new LoggingObserver(this.log, this.observer.onEvent);
    return this.runtime.runStream([user(text)], this.observer, signal);
  }

  resume(): Promise<Result<RunOutcome, ArkAgentError>> {
    this.observer = new LoggingObserver(this.log, this.observer.onEvent);
    return this.runtime.resume(this.observer);
  }

  /** Runs and lets time pass until the end. */
  async finish(pending: Promise<Result<RunOutcome, ArkAgentError>>, stepMs = 1000, steps = 200): Promise<Result<RunOutcome, ArkAgentError>> {
    let done: Result<RunOutcome, ArkAgentError> | undefined;
    void pending.then((value) => { done = value; });
    for (let i = 0; i < steps && done === undefined; i++) {
      await settle();
      if (done === undefined) this.scheduler.advance(stepMs);
    }
    if (done === undefined) throw new Error(`the run did not end: ${this.log.join(', ')}`);
    return done;
  }

  get history(): string[] {
    return this.runtime.snapshot().history.toArray().map(describeMessage);
  }

  busTypes(): string[] {
    return this.bus.map((event) => event.eventType());
  }

  /** Errors that the observer and the model saw are the same as what the disk has; nothing is open, one terminal call. */
  problems(): string[] {
    const found: string[] = [];
    if (this.observer.terminalCount !== 1) found.push(`${this.observer.terminalCount} terminal calls`);
    const checked = StateInvariants.check(this.runtime.snapshot());
    if (!checked.ok) found.push(`${checked.error.message} ${JSON.stringify([...checked.error.details ?? []])}`);
    if (this.scheduler.pendingCount !== 0) found.push(`${this.scheduler.pendingCount} timers left`);
    return found;
  }
}

let nextPrefix = 0;

export function describeMessage(message: AgentMessage): string {
  const called = message.toolCalls.map((one) => `${one.id}=${one.name}(${one.argumentsJson})`).join(',');
  const mark = message.interrupted ? '~' : '';
  if (message.role === MessageRole.tool) return `tool ${message.toolCallId}${message.isError ? ' !' : ' '}${message.text()}`;
  return `${message.role}${mark} ${message.text()}${called === '' ? '' : ` [${called}]`}`;
}

export class LoggingObserver extends RecordingObserver<AgentEvent> {
  constructor(private readonly log: string[], public onEvent?: (event: AgentEvent, index: number) => void) {
    super();
  }

  override onNext(event: AgentEvent): void {
    super.onNext(event);
    this.log.push(`obs ${event.type}`);
    this.onEvent?.(event, this.values.length - 1);
  }

  override onError(error: ArkAgentError): void {
    super.onError(error);
    this.log.push(`obs onError ${error.code}`);
  }

  override onComplete(): void {
    super.onComplete();
    this.log.push('obs onComplete');
  }

  get types(): string[] {
    return this.values.map((event) => event.type);
  }

  get text(): string {
    return this.values.filter((event) => event.type === AgentEventType.textDelta).map((event) => event.text).join('');
  }

  envelope(callId: string): AgentEvent['envelope'] {
    return this.values.find((event) => event.type === AgentEventType.toolCallFinished && event.call?.id === callId)?.envelope;
  }
}

export const { safe, sensitive, dangerous } = { safe: ToolRiskLevel.safe, sensitive: ToolRiskLevel.sensitive, dangerous: ToolRiskLevel.dangerous };

/** Sensitive tools run unasked, so that effects can be looked at without a person. */
export class OnlyDangerousAsks extends DefaultToolApprovalPolicy {
  override decide(one: ToolCall, definition?: ToolDefinition): ApprovalPolicyResult {
    return definition?.riskLevel === ToolRiskLevel.sensitive ? ApprovalPolicyResult.allow() : super.decide(one, definition);
  }
}
