import { ArkAgentError } from '../base/ArkAgentError';
import { CancellationSignal } from '../base/Cancellation';
import { ErrorCode } from '../base/ErrorCodes';
import { FlowSignal } from '../base/FlowControl';
import { HttpResponseObserver, HttpTimeouts } from './HttpTransport';
import { ScheduledTask, Scheduler } from './Scheduler';

/**
 * One streamed request in flight: keeps the order that `HttpResponseObserver` promises and the three time-outs that
 * platforms do not offer. A transport feeds it whatever its platform reports, late and repeated signals included.
 *
 * Contract:
 * - Order: `begin` once; start the request only when the exchange is not `over` then; afterwards any of `headers`, `bytes`,
 *   `end`, `fail` in any order.
 * - The first of end, fail, time-out and cancellation is final. `release` runs then, exactly once, before the observer is
 *   told; after a cancellation the observer is told nothing.
 * - Failure: what the observer or `release` throws reaches the caller; the exchange is over by then and stays it.
 */
export class HttpExchange {
  private readonly observer: HttpResponseObserver;
  private readonly timeouts: HttpTimeouts;
  private readonly scheduler: Scheduler;
  private readonly release: () => void;
  private totalTimer: ScheduledTask | undefined = undefined;
  private silenceTimer: ScheduledTask | undefined = undefined;
  private removeListener: () => void = () => {
  };
  private flow: FlowSignal | undefined = undefined;
  private removeFlowListener: (() => void) | undefined = undefined;
  private closed: boolean = false;
  private sawBytes: boolean = false;
  private lastBytesAtMs: number = 0;
  private heldHeaders: Map<string, string> | undefined = undefined;
  private heldStatus: number = 0;

  /** @param release frees what the platform holds for the request */
  constructor(observer: HttpResponseObserver, timeouts: HttpTimeouts, scheduler: Scheduler, release: () => void) {
    this.observer = observer;
    this.timeouts = timeouts;
    this.scheduler = scheduler;
    this.release = release;
  }

  /** Whether nothing will be reported any more. */
  get over(): boolean {
    return this.closed;
  }

  /**
   * Starts the time-outs and listens to the signal; a signal that is cancelled already closes the exchange.
   *
   * @param flow while it is paused nobody waits for bytes, so the time between two pieces is not limited
   */
  begin(signal: CancellationSignal, flow?: FlowSignal): void {
    if (this.closed) {
      return;
    }
    this.removeListener = signal.onCancelled((): void => {
      this.close();
    });
    if (this.closed) {
      return;
    }
    this.flow = flow;
    this.removeFlowListener = flow?.onChange((paused: boolean): void => {
      this.lastBytesAtMs = this.scheduler.monotonicMs();
    });
    this.totalTimer = this.arm(this.timeouts.totalMs, 'the whole request');
    this.silenceTimer = this.arm(this.timeouts.firstByteMs, 'the first byte');
  }

  /**
   * Kept until the body or the end arrives, so that the headers of a redirect are replaced by those of the real answer.
   *
   * @param status 0 while it is not known
   */
  headers(status: number, headers: Map<string, string>): void {
    if (this.closed || this.sawBytes) {
      return;
    }
    this.heldStatus = status;
    this.heldHeaders = headers;
  }

  bytes(bytes: Uint8Array): void {
    if (this.closed || bytes.length === 0) {
      return;
    }
    this.lastBytesAtMs = this.scheduler.monotonicMs();
    if (!this.sawBytes) {
      this.sawBytes = true;
      this.silenceTimer?.cancel();
      this.handOverHeaders();
      this.watchIdle(this.timeouts.idleMs);
    }
    if (!this.closed) {
      this.observer.onBytes(bytes);
    }
  }

  /** @param status the HTTP status */
  end(status: number): void {
    if (this.closed) {
      return;
    }
    this.handOverHeaders();
    if (this.close()) {
      this.observer.onEnd(status);
    }
  }

  fail(error: ArkAgentError): void {
    if (this.close()) {
      this.observer.onError(error);
    }
  }

  private handOverHeaders(): void {
    if (this.heldHeaders !== undefined) {
      const headers: Map<string, string> = this.heldHeaders;
      this.heldHeaders = undefined;
      this.observer.onHeaders(this.heldStatus, headers);
    }
  }

  private arm(delayMs: number, what: string): ScheduledTask | undefined {
    return delayMs > 0 ? this.scheduler.schedule(delayMs, (): void => this.timeOut(what, delayMs)) : undefined;
  }

  /** One timer that looks again, instead of a new one for every piece of the body. */
  private watchIdle(delayMs: number): void {
    if (this.timeouts.idleMs <= 0 || this.closed) {
      return;
    }
    this.silenceTimer = this.scheduler.schedule(delayMs, (): void => {
      const silentMs: number = this.flow?.paused === true ? 0 : this.scheduler.monotonicMs() - this.lastBytesAtMs;
      if (silentMs >= this.timeouts.idleMs) {
        this.timeOut('the next bytes', this.timeouts.idleMs);
      } else {
        this.watchIdle(this.timeouts.idleMs - silentMs);
      }
    });
  }

  private timeOut(what: string, limitMs: number): void {
    this.fail(ArkAgentError.of(ErrorCode.transportTimeout, `Waited ${limitMs} ms for ${what}`));
  }

  private close(): boolean {
    if (this.closed) {
      return false;
    }
    this.closed = true;
    this.totalTimer?.cancel();
    this.silenceTimer?.cancel();
    this.removeListener();
    this.removeFlowListener?.();
    this.release();
    return true;
  }
}
