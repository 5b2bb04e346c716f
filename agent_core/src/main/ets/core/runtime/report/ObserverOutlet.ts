import { ArkAgentError } from '../../base/ArkAgentError';
import { StreamObserver } from '../../base/StreamObserver';
import { AgentEvent, AgentEventInit } from './AgentEvent';

/**
 * The way to a run's observer: whatever it throws is isolated and counted, it stays subscribed, and it hears exactly one
 * terminal call (DEC-27).
 */
export class ObserverOutlet {
  private readonly observer: StreamObserver<AgentEvent>;
  private closed: boolean = false;
  private faults: number = 0;

  constructor(observer: StreamObserver<AgentEvent>) {
    this.observer = observer;
  }

  /** How often the observer threw. */
  get faultCount(): number {
    return this.faults;
  }

  next(init: AgentEventInit): void {
    if (this.closed) {
      return;
    }
    try {
      this.observer.onNext(new AgentEvent(init));
    } catch (e) {
      this.faults++;
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
      this.faults++;
    }
  }
}
