import type { ArkAgentError } from '@core/base/ArkAgentError';
import type { StreamObserver } from '@core/base/StreamObserver';
import type { AgentController } from '@core/control/AgentController';
import type { AgentControllerEvent } from '@core/control/event/AgentControllerEvent';
import { ApprovalResolvedEvent } from '@core/control/event/ApprovalEvents';
import { HookDiagnosticEvent, PersistEvent } from '@core/control/event/DiagnosticEvents';
import { AgentHook } from '@core/hook/AgentHook';
import type { AfterRunHookContext } from '@core/hook/context/AfterRunHookContext';
import { BeforeRunHookContext } from '@core/hook/context/BeforeRunHookContext';
import type { StatePersistenceHookContext } from '@core/hook/context/StatePersistenceHookContext';
import { BeforeRunHookResult } from '@core/hook/result/BeforeRunHookResult';
import { StatePersistenceHookResult } from '@core/hook/result/StatePersistenceHookResult';
import { AgentEvent, AgentEventType } from '@core/runtime/report/AgentEvent';

/**
 * What a session told the outside, in one list: `bus agent.started` from the controller, `run run_started` from the run's
 * observer (terminal calls as `run onComplete`, `run onError <code>`), `hook afterRun complete` from `hook()`.
 */
export class EventLog {
  readonly lines: string[] = [];
  readonly busEvents: AgentControllerEvent[] = [];
  readonly runEvents: AgentEvent[] = [];

  note(line: string): void {
    this.lines.push(line);
  }

  listen(controller: AgentController): void {
    controller.subscribeAll((event) => {
      this.busEvents.push(event);
      this.lines.push(`bus ${event.eventType()}${busDetail(event)}`);
    });
  }

  observer(): LoggingObserver {
    return new LoggingObserver(this);
  }

  /** A hook that changes nothing and notes beforeRun, the two persistence slots and afterRun. */
  hook(): AgentHook {
    return new LoggingHook(this);
  }

  /** The lines of one kind, without the prefix. */
  of(kind: 'bus' | 'run' | 'hook' | 'commit'): string[] {
    return this.lines.filter((line) => line.startsWith(`${kind} `)).map((line) => line.substring(kind.length + 1));
  }

  count(line: string): number {
    return this.lines.filter((known) => known === line).length;
  }

  clear(): void {
    this.lines.length = 0;
    this.busEvents.length = 0;
    this.runEvents.length = 0;
  }
}

function busDetail(event: AgentControllerEvent): string {
  if (event instanceof PersistEvent) {
    return ` ${event.reason}${event.skipped ? ' skipped' : ''}${event.failed ? ' failed' : ''}`;
  }
  if (event instanceof ApprovalResolvedEvent) {
    const decisions = event.decisions.map((line) => ` ${line.decision}`).join('');
    return `${decisions}${event.allDecided ? ' all' : ''}${event.closedBy === '' ? '' : ` by ${event.closedBy}`}`;
  }
  return event instanceof HookDiagnosticEvent ? ` ${event.code}` : '';
}

/** An observer that writes into a log and can be asked how its stream ended. */
export class LoggingObserver implements StreamObserver<AgentEvent> {
  readonly events: AgentEvent[] = [];
  readonly errors: ArkAgentError[] = [];
  completions = 0;
  /** Called with every event after it is noted. */
  onEvent: ((event: AgentEvent) => void) | undefined = undefined;

  constructor(private readonly log: EventLog) {}

  /** onError and onComplete calls: 1 after every stream that keeps its contract. */
  get terminals(): number {
    return this.errors.length + this.completions;
  }

  get text(): string {
    return this.events.filter((event) => event.type === AgentEventType.textDelta).map((event) => event.text).join('');
  }

  onNext(event: AgentEvent): void {
    this.events.push(event);
    this.log.runEvents.push(event);
    this.log.note(`run ${event.type}${event.type === AgentEventType.statePersisted ? ` ${event.text}` : ''}`);
    this.onEvent?.(event);
  }

  onError(error: ArkAgentError): void {
    this.errors.push(error);
    this.log.note(`run onError ${error.code}`);
  }

  onComplete(): void {
    this.completions++;
    this.log.note('run onComplete');
  }
}

class LoggingHook extends AgentHook {
  constructor(private readonly log: EventLog) {
    super('log');
  }

  override async beforeRun(context: BeforeRunHookContext): Promise<BeforeRunHookResult> {
    this.log.note('hook beforeRun');
    return BeforeRunHookResult.proceed(context.input);
  }

  override async beforePersistState(context: StatePersistenceHookContext): Promise<StatePersistenceHookResult> {
    this.log.note(`hook beforePersistState ${context.reason}`);
    return StatePersistenceHookResult.proceed();
  }

  override async afterPersistState(context: StatePersistenceHookContext): Promise<void> {
    this.log.note(`hook afterPersistState ${context.reason}`);
  }

  override async afterRun(context: AfterRunHookContext): Promise<void> {
    this.log.note(`hook afterRun ${context.stopReason} ${context.segment}`);
  }
}
