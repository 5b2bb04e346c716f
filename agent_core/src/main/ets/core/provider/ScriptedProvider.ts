import { ArkAgentError } from '../base/ArkAgentError';
import { CancellationSignal } from '../base/Cancellation';
import { ErrorCode } from '../base/ErrorCodes';
import { StreamObserver } from '../base/StreamObserver';
import { ModelProvider } from '../model/ModelProvider';
import { ModelRequest } from '../model/ModelRequest';
import { ModelResponse } from '../model/ModelResponse';
import { StreamingEvent } from '../model/StreamingEvent';
import { ScheduledTask, Scheduler } from '../port/Scheduler';
import { ScriptedEnding, ScriptedTurn } from './ScriptedTurn';

/** When a scripted model tells its events. */
export enum ScriptedDelivery {
  /** All of them inside `stream`. */
  synchronous = 'synchronous',
  /** All of them in one microtask after `stream` returned. */
  microtask = 'microtask',
  /** One per timer of the scheduler. */
  scheduled = 'scheduled'
}

export interface ScriptedOptions {
  /** synchronous. */
  delivery?: ScriptedDelivery;
  /** Needed for `scheduled`. */
  scheduler?: Scheduler;
  /** Milliseconds before each event of a `scheduled` delivery; 0. */
  delayMs?: number;
}

/** Chooses a turn by the request; `call` counts from 0. */
export type ScriptedResponder = (request: ModelRequest, call: number) => ScriptedTurn;

/**
 * A model that follows a script: one turn per call, in order. Deterministic, without network, for tests and demonstrations.
 *
 * Failure: a call beyond the script ends with provider_failed, which names the call.
 */
export class ScriptedProvider implements ModelProvider {
  private readonly turns: ReadonlyArray<ScriptedTurn>;
  private readonly options: ScriptedOptions;
  private readonly responder: ScriptedResponder | undefined;
  private readonly seen: ModelRequest[] = [];

  constructor(turns: ReadonlyArray<ScriptedTurn>, options?: ScriptedOptions, responder?: ScriptedResponder) {
    this.turns = turns.slice();
    this.options = options ?? {};
    this.responder = responder;
  }

  /** A model whose turns are chosen when they are needed. */
  static answering(responder: ScriptedResponder, options?: ScriptedOptions): ScriptedProvider {
    return new ScriptedProvider([], options, responder);
  }

  /** The requests so far, oldest first. */
  requests(): ReadonlyArray<ModelRequest> {
    return this.seen.slice();
  }

  /** How often the model was called. */
  get calls(): number {
    return this.seen.length;
  }

  stream(request: ModelRequest, observer: StreamObserver<StreamingEvent>, signal: CancellationSignal): void {
    const call: number = this.seen.length;
    this.seen.push(request);
    const telling: ScriptedTelling = new ScriptedTelling(this.turnFor(request, call), observer, signal);
    if (this.options.delivery === ScriptedDelivery.microtask) {
      Promise.resolve().then((): void => telling.tellAll());
    } else if (this.options.delivery === ScriptedDelivery.scheduled && this.options.scheduler !== undefined) {
      telling.tellByTimer(this.options.scheduler, this.options.delayMs ?? 0);
    } else {
      telling.tellAll();
    }
  }

  private turnFor(request: ModelRequest, call: number): ScriptedTurn {
    if (this.responder !== undefined) {
      return this.responder(request, call);
    }
    if (call < this.turns.length) {
      return this.turns[call];
    }
    return ScriptedTurn.fail(ArkAgentError.of(ErrorCode.providerFailed,
      `the scripted model has ${this.turns.length} turns and was called for turn ${call + 1}`));
  }
}

/** One turn being told. */
class ScriptedTelling {
  private readonly turn: ScriptedTurn;
  private readonly observer: StreamObserver<StreamingEvent>;
  private removeListener: () => void = () => {
  };
  private timer: ScheduledTask | undefined = undefined;
  private next: number = 0;
  private over: boolean = false;

  constructor(turn: ScriptedTurn, observer: StreamObserver<StreamingEvent>, signal: CancellationSignal) {
    this.turn = turn;
    this.observer = observer;
    this.removeListener = signal.onCancelled((reason: string): void => {
      this.cancel(reason);
    });
  }

  tellAll(): void {
    while (this.tellNext()) {
    }
  }

  tellByTimer(scheduler: Scheduler, delayMs: number): void {
    if (!this.over) {
      this.timer = scheduler.schedule(delayMs, (): void => {
        if (this.tellNext()) {
          this.tellByTimer(scheduler, delayMs);
        }
      });
    }
  }

  /** @returns whether there is more to tell */
  private tellNext(): boolean {
    if (this.over) {
      return false;
    }
    const events: ReadonlyArray<StreamingEvent> = this.turn.events();
    if (this.next < events.length) {
      this.next++;
      this.observer.onNext(events[this.next - 1]);
      return !this.over;
    }
    if (this.turn.ending !== ScriptedEnding.hang) {
      this.end();
    }
    return false;
  }

  private end(): void {
    const response: ModelResponse | undefined = this.turn.response();
    if (response !== undefined) {
      this.observer.onNext(StreamingEvent.modelComplete(response));
    }
    if (this.over) {
      return;
    }
    this.close();
    const error: ArkAgentError | undefined = this.turn.error();
    if (error !== undefined) {
      this.observer.onError(error);
    } else {
      this.observer.onComplete();
    }
  }

  private cancel(reason: string): void {
    if (!this.over) {
      this.close();
      this.observer.onError(ArkAgentError.of(ErrorCode.cancelled, reason === '' ? 'cancelled' : reason));
    }
  }

  private close(): void {
    this.over = true;
    this.timer?.cancel();
    this.removeListener();
  }
}
