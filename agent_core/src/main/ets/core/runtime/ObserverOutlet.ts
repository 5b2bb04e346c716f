import { ArkAgentError } from '../base/ArkAgentError';
import { StreamObserver } from '../base/StreamObserver';
import { AgentEvent, AgentEventInit } from './AgentEvent';

/**
 * The way to a run's observer: whatever it throws is isolated and counted, it stays subscribed, and it hears exactly one
 * terminal call (DEC-27).
 */
export class ObserverOutlet {
  private readonly observer: StreamObserver<AgentEvent>;
  private closed: boolean = false;
  private faults: number = 0;
  private firstFault: string = '';

  constructor(observer: StreamObserver<AgentEvent>) {
    this.observer = observer;
  }

  /** How often the observer threw. */
  get faultCount(): number {
    return this.faults;
  }

  /** What it threw first; empty when it never did. */
  get fault(): string {
    return this.firstFault;
  }

  next(init: AgentEventInit): void {
    if (this.closed) {
      return;
    }
    try {
      this.observer.onNext(new AgentEvent(init));
    } catch (e) {
      this.note(e as Object);
    }
  }

  /** onError when there is an error, otherwise onComplete; only the first call counts. */
  finish(error: ArkAgentError | undefined): void {
    if (this.closed) {
      return;
    }
    this.closed = true;
    try {
      if (error !== undefined) {
        this.observer.onError(error);
      } else {
        this.observer.onComplete();
      }
    } catch (e) {
      this.note(e as Object);
    }
  }

  private note(thrown: Object): void {
    this.faults++;
    if (this.faults === 1) {
      this.firstFault = thrown instanceof Error ? thrown.message : 'a value that is no Error';
    }
  }
}
