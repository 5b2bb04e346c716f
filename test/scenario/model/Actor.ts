import { AgentController } from '@core/control/AgentController';
import type { CancellationSignal } from '@core/base/Cancellation';
import type { StreamObserver } from '@core/base/StreamObserver';
import type { AgentControllerEvent } from '@core/control/event/AgentControllerEvent';
import { LlmChunkEvent } from '@core/control/event/ModelEvents';
import { AgentFailedEvent, AgentResumedEvent } from '@core/control/event/RunEvents';
import { AgentHook } from '@core/hook/AgentHook';
import type { AfterRunHookContext } from '@core/hook/context/AfterRunHookContext';
import type { ModelProvider } from '@core/model/ModelProvider';
import type { ModelRequest } from '@core/model/ModelRequest';
import { StreamingEvent, StreamingEventType } from '@core/model/StreamingEvent';
import { ScriptedDelivery, ScriptedProvider, type ScriptedResponder } from '@core/provider/ScriptedProvider';
import { ManualScheduler } from '@core/testing/ManualScheduler';
import type { Ending, Process } from '../../support/Process';
import { EventLog, type LoggingObserver } from '../../support/EventLog';

/** A segment that somebody asked for: `ending` is set when its promise has resolved. */
export interface Segment {
  /** Commits of other processes when it began; -1 when this one knew an old state. */
  others: number;
  observer: LoggingObserver;
  ending: Ending | undefined;
}

/** A tool that was entered and has not answered. */
export interface OpenGate {
  key: string;
  open: () => void;
}

/** A model whose pieces come one per `deliver`, and that notes what it has told. */
class Wire implements ModelProvider {
  readonly scheduler = new ManualScheduler();
  told = '';
  private readonly script: ScriptedProvider;

  constructor(responder: ScriptedResponder) {
    this.script = ScriptedProvider.answering(responder, { delivery: ScriptedDelivery.scheduled, scheduler: this.scheduler, delayMs: 1 });
  }

  stream(request: ModelRequest, observer: StreamObserver<StreamingEvent>, signal: CancellationSignal): void {
    this.script.stream(request, {
      onNext: (event: StreamingEvent): void => {
        if (event.type === StreamingEventType.textDelta) this.told += event.text;
        observer.onNext(event);
      },
      onError: (error): void => observer.onError(error),
      onComplete: (): void => observer.onComplete(),
    }, signal);
  }
}

/** One process of the world with all that it told the outside. */
export class Actor {
  readonly wire: Wire;
  /** Time-outs and deadlines of this process alone: those of a dead one must not fire. */
  readonly timers = new ManualScheduler();
  readonly controller = new AgentController();
  readonly log = new EventLog();
  readonly segments: Segment[] = [];
  readonly gates: OpenGate[] = [];
  /** `run segment` of each afterRun. */
  readonly afterRuns: string[] = [];
  /** Promises other than segments that have not resolved. */
  waiting = 0;
  closing = false;
  process!: Process;

  constructor(readonly pid: number, responder: ScriptedResponder) {
    this.wire = new Wire(responder);
  }

  get alive(): boolean {
    return !this.process.storage.stopped && !this.closing;
  }

  get busy(): boolean {
    return this.process.runtime.running;
  }

  hook(): AgentHook {
    return new CountsEndings(this.afterRuns);
  }

  /** Text that the bus and the observers were told, in order. */
  heard(): string {
    return this.events(LlmChunkEvent).map((event) => event.text).join('');
  }

  observed(): string {
    return this.log.runEvents.filter((event) => event.type === 'text_delta').map((event) => event.text).join('');
  }

  /** `run segment` of each start and resume that was announced. */
  begun(): string[] {
    return this.log.busEvents.filter((event) => ['agent.started', 'agent.resumed'].includes(event.eventType()))
      .map((event) => `${event.runId} ${event instanceof AgentResumedEvent ? event.segment : 0}`);
  }

  /** Endings and suspensions that were announced, as `type run`. */
  endings(): string[] {
    return this.log.busEvents.filter((event) => ['agent.success', 'agent.cancelled', 'agent.failed', 'agent.suspended'].includes(event.eventType()))
      .map((event) => `${isLoss(event) ? 'lost' : event.eventType()} ${event.runId}`);
  }

  private events<T extends AgentControllerEvent>(type: new (...args: never[]) => T): T[] {
    return this.log.busEvents.filter((event): event is T => event instanceof type);
  }
}

/** The session went on elsewhere. */
function isLoss(event: AgentControllerEvent): boolean {
  return event instanceof AgentFailedEvent && event.error.code === 'state_conflict';
}

class CountsEndings extends AgentHook {
  constructor(private readonly lines: string[]) {
    super('counts');
  }

  override async afterRun(context: AfterRunHookContext): Promise<void> {
    this.lines.push(`${context.runId} ${context.segment}`);
  }
}
