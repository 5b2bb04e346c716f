import { ArkAgentError } from '@core/base/ArkAgentError';
import { CancellationController } from '@core/base/Cancellation';
import { ErrorCode } from '@core/base/ErrorCodes';
import { HttpExchange } from '@core/port/HttpExchange';
import { HttpResponseObserver, HttpTimeouts } from '@core/port/HttpTransport';
import { ScheduledTask, Scheduler } from '@core/port/Scheduler';
import { describe, expect, it } from 'vitest';

class HandTurnedScheduler implements Scheduler {
  now = 0;
  private waiting: { at: number; task: () => void }[] = [];

  monotonicMs(): number {
    return this.now;
  }

  schedule(delayMs: number, task: () => void): ScheduledTask {
    const entry = { at: this.now + delayMs, task };
    this.waiting.push(entry);
    return { cancel: () => void (this.waiting = this.waiting.filter((other) => other !== entry)) };
  }

  get pending(): number {
    return this.waiting.length;
  }

  advance(ms: number): void {
    const until = this.now + ms;
    for (;;) {
      const next = this.waiting.filter((entry) => entry.at <= until).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.waiting = this.waiting.filter((other) => other !== next);
      this.now = next.at;
      next.task();
    }
    this.now = until;
  }
}

class Recorder implements HttpResponseObserver {
  readonly seen: string[] = [];

  onHeaders(status: number, headers: Map<string, string>): void {
    this.seen.push(`headers ${status} ${[...headers].join(';')}`);
  }

  onBytes(bytes: Uint8Array): void {
    this.seen.push(`bytes ${bytes.length}`);
  }

  onEnd(status: number): void {
    this.seen.push(`end ${status}`);
  }

  onError(error: ArkAgentError): void {
    this.seen.push(`error ${error.code}`);
  }
}

const LIMITS: HttpTimeouts = { connectMs: 10, firstByteMs: 100, idleMs: 50, totalMs: 1000 };

function started(timeouts: HttpTimeouts = LIMITS) {
  const scheduler = new HandTurnedScheduler();
  const observer = new Recorder();
  const controller = new CancellationController();
  const released: string[] = [];
  const exchange = new HttpExchange(observer, timeouts, scheduler, () => void released.push([...observer.seen].join(',')));
  exchange.begin(controller.signal);
  return { scheduler, observer, controller, released, exchange };
}

describe('HttpExchange', () => {
  it('hands over headers before the first bytes, then bytes, then one end, and leaves no timer', () => {
    const { exchange, observer, released, scheduler } = started();
    exchange.headers(0, new Map([['content-type', 'text/event-stream']]));
    exchange.bytes(new Uint8Array(3));
    exchange.bytes(new Uint8Array(0));
    exchange.bytes(new Uint8Array(2));
    exchange.end(200);
    exchange.end(500);
    exchange.fail(ArkAgentError.of(ErrorCode.transportFailed, 'late'));
    exchange.bytes(new Uint8Array(9));
    expect(observer.seen).toEqual(['headers 0 content-type,text/event-stream', 'bytes 3', 'bytes 2', 'end 200']);
    expect(released).toHaveLength(1);
    expect(scheduler.pending).toBe(0);
  });

  it('tells the headers of an answer without a body too, and only the last ones', () => {
    const { exchange, observer } = started();
    exchange.headers(301, new Map([['location', 'x']]));
    exchange.headers(204, new Map());
    exchange.end(204);
    expect(observer.seen).toEqual(['headers 204 ', 'end 204']);
  });

  it('waits for the first byte no longer than told', () => {
    const { exchange, observer, scheduler } = started();
    exchange.headers(0, new Map());
    scheduler.advance(99);
    expect(observer.seen).toEqual([]);
    scheduler.advance(1);
    expect(observer.seen).toEqual(['error transport_timeout']);
    expect(exchange.over).toBe(true);
  });

  it('measures idle time from the last bytes, not from the last look', () => {
    const { exchange, observer, scheduler } = started();
    exchange.bytes(new Uint8Array(1));
    scheduler.advance(40);
    exchange.bytes(new Uint8Array(1));
    scheduler.advance(49);
    expect(exchange.over).toBe(false);
    scheduler.advance(1);
    expect(observer.seen.at(-1)).toBe('error transport_timeout');
  });

  it('limits the whole request although bytes keep coming', () => {
    const { exchange, observer, scheduler } = started();
    for (let i = 0; i < 30 && !exchange.over; i++) {
      exchange.bytes(new Uint8Array(1));
      scheduler.advance(40);
    }
    expect(scheduler.now).toBe(1000);
    expect(observer.seen.at(-1)).toBe('error transport_timeout');
  });

  it('sets no timer for a limit of 0', () => {
    const { exchange, scheduler } = started({ connectMs: 0, firstByteMs: 0, idleMs: 0, totalMs: 0 });
    exchange.bytes(new Uint8Array(1));
    expect(scheduler.pending).toBe(0);
  });

  it('tells nothing after a cancellation and releases at once', () => {
    const { exchange, observer, controller, released, scheduler } = started();
    exchange.headers(0, new Map());
    controller.cancel('user');
    exchange.bytes(new Uint8Array(1));
    exchange.end(200);
    expect(observer.seen).toEqual([]);
    expect(released).toEqual(['']);
    expect(scheduler.pending).toBe(0);
  });

  it('is over before it began when the signal was cancelled already', () => {
    const controller = new CancellationController();
    controller.cancel('before');
    const scheduler = new HandTurnedScheduler();
    const exchange = new HttpExchange(new Recorder(), LIMITS, scheduler, () => {});
    exchange.begin(controller.signal);
    expect(exchange.over).toBe(true);
    expect(scheduler.pending).toBe(0);
  });

  it('stops at a cancellation made inside onHeaders', () => {
    const { exchange, observer, controller } = started();
    observer.onHeaders = () => void controller.cancel('unwanted');
    exchange.headers(0, new Map());
    exchange.bytes(new Uint8Array(1));
    expect(observer.seen).toEqual([]);
  });

  it('releases before the observer hears of the end', () => {
    const { exchange, released } = started();
    exchange.bytes(new Uint8Array(1));
    exchange.end(200);
    expect(released).toEqual(['bytes 1']);
  });
});
