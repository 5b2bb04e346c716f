import type { ArkAgentError } from '@core/base/ArkAgentError';
import type { CancellationSignal } from '@core/base/Cancellation';
import type { HttpRequest, HttpResponseObserver, HttpTransport } from '@core/port/HttpTransport';
import type { ScheduledTask, Scheduler } from '@core/port/Scheduler';

/** Time that moves only when the test says so. */
export class ManualScheduler implements Scheduler {
  now = 0;
  private tasks: { at: number; task: () => void }[] = [];

  monotonicMs(): number {
    return this.now;
  }

  schedule(delayMs: number, task: () => void): ScheduledTask {
    const entry = { at: this.now + delayMs, task };
    this.tasks.push(entry);
    return { cancel: () => void (this.tasks = this.tasks.filter((other) => other !== entry)) };
  }

  get waiting(): number {
    return this.tasks.length;
  }

  advance(ms: number): void {
    this.now += ms;
    for (const due of this.tasks.filter((entry) => entry.at <= this.now)) {
      this.tasks = this.tasks.filter((entry) => entry !== due);
      due.task();
    }
  }
}

/** One request that the test answers step by step. */
export class SentRequest {
  readonly request: HttpRequest;
  readonly observer: HttpResponseObserver;
  readonly signal: CancellationSignal;

  constructor(request: HttpRequest, observer: HttpResponseObserver, signal: CancellationSignal) {
    this.request = request;
    this.observer = observer;
    this.signal = signal;
  }

  bytes(text: string): SentRequest {
    this.observer.onBytes(new TextEncoder().encode(text));
    return this;
  }

  delta(content: string): SentRequest {
    return this.bytes(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`);
  }

  refuse(status: number, body: string, headers: [string, string][] = []): void {
    this.observer.onHeaders(status, new Map(headers));
    this.bytes(body);
    this.observer.onEnd(status);
  }

  answer(content: string): void {
    this.observer.onHeaders(200, new Map());
    this.delta(content).bytes('data: [DONE]\n\n');
  }
}

export class ManualTransport implements HttpTransport {
  readonly sent: SentRequest[] = [];
  thrown: ArkAgentError | Error | undefined = undefined;

  send(request: HttpRequest, observer: HttpResponseObserver, signal: CancellationSignal): void {
    this.sent.push(new SentRequest(request, observer, signal));
    if (this.thrown !== undefined) throw this.thrown;
  }

  last(): SentRequest {
    return this.sent[this.sent.length - 1];
  }
}
