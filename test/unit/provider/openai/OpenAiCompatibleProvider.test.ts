import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ArkAgentError } from '@core/base/ArkAgentError';
import { CancellationController } from '@core/base/Cancellation';
import { ErrorCode } from '@core/base/ErrorCodes';
import { LogLevel, type Logger } from '@core/port/Logger';
import { OpenAiCompatibleProvider } from '@core/provider/openai/OpenAiCompatibleProvider';
import type { OpenAiOptions } from '@core/provider/openai/OpenAiOptions';
import { emptyRequest, RecordingObserver } from '../../../contract/provider/replay';
import { ManualScheduler, ManualTransport } from '../fakes';

const KEY = 'zz-9f3kq81-not-a-known-shape';

class Bench {
  readonly transport = new ManualTransport();
  readonly scheduler = new ManualScheduler();
  readonly observer = new RecordingObserver();
  readonly controller = new CancellationController();
  readonly logged: string[] = [];
  readonly provider: OpenAiCompatibleProvider;

  constructor(options: Partial<OpenAiOptions> = {}) {
    const logger: Logger = { log: (_level: LogLevel, _tag: string, message: string) => void this.logged.push(message) };
    this.provider = new OpenAiCompatibleProvider({ baseUrl: 'https://api.test/v1', apiKey: () => KEY, ...options },
      { transport: this.transport, scheduler: this.scheduler, ids: { nextId: () => '1' }, logger });
  }

  start(): Bench {
    this.provider.stream(emptyRequest(), this.observer, this.controller.signal);
    return this;
  }
}

const REFUSED = '{"error":{"message":"slow down","code":"rate_limit_exceeded"}}';

describe('OpenAiCompatibleProvider', () => {
  it('sends one POST with the key in the header', () => {
    const bench = new Bench({ headers: new Map([['X-App', 'a']]) }).start();
    const request = bench.transport.last().request;
    expect([request.method, request.url]).toEqual(['POST', 'https://api.test/v1/chat/completions']);
    expect([...request.headers].sort()).toEqual([['accept', 'text/event-stream'], ['authorization', `Bearer ${KEY}`], ['content-type', 'application/json'], ['x-app', 'a']]);
  });

  it('builds the address whatever the base looks like', () => {
    const urlOf = (baseUrl: string): string => new Bench({ baseUrl }).start().transport.last().request.url;
    expect(urlOf('https://h/v1/')).toBe('https://h/v1/chat/completions');
    expect(urlOf('https://h/v1/chat/completions')).toBe('https://h/v1/chat/completions');
    expect(urlOf('https://h/d?api-version=2')).toBe('https://h/d/chat/completions?api-version=2');
    for (const baseUrl of ['', 'h/v1', 'ftp://h', 'https://']) {
      const bench = new Bench({ baseUrl }).start();
      expect([bench.observer.error?.code, bench.transport.sent.length]).toEqual(['config_invalid', 0]);
    }
  });

  it('tells deltas, the whole answer and the end, then stops the request although the connection stays open', () => {
    const bench = new Bench().start();
    bench.transport.last().answer('Hi');
    expect(bench.observer.events.map((event) => event.type)).toEqual(['text_delta', 'model_complete']);
    expect([bench.observer.endings, bench.transport.last().signal.cancelled, bench.scheduler.waiting]).toEqual([1, true, 0]);
    bench.transport.last().delta('late');
    bench.transport.last().observer.onEnd(200);
    expect([bench.observer.endings, bench.observer.late, bench.observer.text]).toEqual([1, 0, 'Hi']);
  });

  it('cancels at once, tells so once, and ignores what still arrives', () => {
    const bench = new Bench().start();
    bench.transport.last().delta('Hi');
    bench.controller.cancel('user left');
    expect([bench.observer.error?.code, bench.observer.error?.message, bench.transport.last().signal.cancelled]).toEqual(['cancelled', 'user left', true]);
    bench.transport.last().delta('late').observer.onEnd(200);
    expect([bench.observer.text, bench.observer.endings]).toEqual(['Hi', 1]);
    const before = new Bench();
    before.controller.cancel('early');
    before.start();
    expect([before.observer.error?.code, before.transport.sent.length]).toEqual(['cancelled', 0]);
  });

  it('stops in the middle of a piece when the observer cancels', () => {
    const bench = new Bench();
    const onNext = bench.observer.onNext.bind(bench.observer);
    bench.observer.onNext = (event) => {
      onNext(event);
      bench.controller.cancel('enough');
    };
    bench.start().transport.last().bytes('data: {"choices":[{"delta":{"content":"a"}}]}\n\ndata: {"choices":[{"delta":{"content":"b"}}]}\n\n');
    expect([bench.observer.text, bench.observer.endings]).toEqual(['a', 1]);
  });

  it('after an error hands on the part that came, then the error', () => {
    const bench = new Bench().start();
    bench.transport.last().delta('Hel').observer.onError(ArkAgentError.of(ErrorCode.transportFailed, 'broke'));
    expect([bench.observer.response?.outcome, bench.observer.response?.text, bench.observer.error?.code]).toEqual(['incomplete', 'Hel', 'transport_failed']);
    const nothing = new Bench().start();
    nothing.transport.last().observer.onError(ArkAgentError.of(ErrorCode.transportFailed, 'broke'));
    expect([nothing.observer.response, nothing.observer.error?.code]).toEqual([undefined, 'transport_failed']);
  });

  it('counts a connection that breaks after the finish reason as complete', () => {
    const bench = new Bench().start();
    bench.transport.last().delta('Hi').bytes('data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\n').observer.onError(ArkAgentError.of(ErrorCode.transportTimeout, 'idle'));
    expect([bench.observer.error, bench.observer.response?.outcome]).toEqual([undefined, 'complete']);
  });

  it('reads on for a second after an error in the stream, because the usage may follow', () => {
    const bench = new Bench().start();
    bench.transport.last().delta('Hel').bytes('data: {"error":{"message":"gone","code":502}}\n\n');
    expect(bench.observer.endings).toBe(0);
    bench.transport.last().bytes('data: {"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2}}\n\n');
    bench.scheduler.advance(1_000);
    expect([bench.observer.endings, bench.observer.error?.code, bench.observer.response?.usage?.totalTokens]).toEqual([1, 'provider_stream_error', 3]);
    expect(bench.observer.response?.callsMayRun).toBe(false);
  });

  it('bounds the answer and one event', () => {
    for (const [options, text] of [[{ maxResponseBytes: 200 }, 'data: {"choices":[]}\n\n'.repeat(20)], [{ maxEventChars: 100 }, `data: ${'x'.repeat(200)}`]] as const) {
      const bench = new Bench(options).start();
      bench.transport.last().delta('Hi').bytes(text);
      expect([bench.observer.error?.code, bench.observer.response?.text, bench.transport.last().signal.cancelled]).toEqual(['provider_stream_too_large', 'Hi', true]);
    }
  });

  it('keeps a delta free of half a surrogate pair', () => {
    const bench = new Bench().start();
    const halves = ['a\\ud83d', '\\ude00b', 'c\\ud83d'];
    for (const half of halves) bench.transport.last().bytes(`data: {"choices":[{"delta":{"content":"${half}"}}]}\n\n`);
    bench.transport.last().bytes('data: [DONE]\n\n');
    expect(bench.observer.events.slice(0, -1).map((event) => event.text)).toEqual(['a', '😀b', 'c', '\uFFFD']);
    expect(bench.observer.response?.text).toBe('a😀bc\uFFFD');
  });

  it('goes on when the observer throws, and says so once without any content', () => {
    const bench = new Bench();
    bench.observer.onNext = () => {
      throw new Error('secret text');
    };
    bench.start().transport.last().answer('Hi');
    expect([bench.observer.endings, bench.logged.length]).toEqual([1, 1]);
    expect(bench.logged[0]).not.toContain('secret');
  });

  it('turns a transport that throws into transport_failed', () => {
    const bench = new Bench();
    bench.transport.thrown = new Error('no');
    bench.start();
    expect([bench.observer.error?.code, bench.observer.endings]).toEqual(['transport_failed', 1]);
  });
});

describe('OpenAiCompatibleProvider: sending again', () => {
  it('waits as long as the provider asks, then sends the same request', () => {
    const bench = new Bench().start();
    bench.transport.last().refuse(429, REFUSED, [['retry-after', '5']]);
    bench.scheduler.advance(4_999);
    expect(bench.transport.sent.length).toBe(1);
    bench.scheduler.advance(1);
    expect(bench.transport.sent.length).toBe(2);
    expect(bench.transport.sent[1].request.body).toBe(bench.transport.sent[0].request.body);
    bench.transport.last().answer('Hi');
    expect([bench.observer.text, bench.observer.error]).toEqual(['Hi', undefined]);
  });

  it('doubles its own delay and gives up after the allowed number', () => {
    const bench = new Bench({ retry: { maxRetries: 2, baseDelayMs: 100, maxDelayMs: 1_000 } }).start();
    for (const delayMs of [100, 200]) {
      bench.transport.last().refuse(503, 'busy');
      bench.scheduler.advance(delayMs - 1);
      const before = bench.transport.sent.length;
      bench.scheduler.advance(1);
      expect(bench.transport.sent.length).toBe(before + 1);
    }
    bench.transport.last().refuse(503, 'busy');
    expect([bench.observer.error?.code, bench.transport.sent.length, bench.scheduler.waiting]).toEqual(['provider_server_error', 3, 0]);
  });

  it('never repeats what was used up, refused for good, may have been accepted, or was shown', () => {
    const stopped: ((bench: Bench) => void)[] = [
      (bench) => bench.transport.last().refuse(429, '{"error":{"code":"insufficient_quota","message":"x"}}', [['retry-after', '3600']]),
      (bench) => bench.transport.last().refuse(429, REFUSED, [['retry-after', '3600']]),
      (bench) => bench.transport.last().refuse(401, '{}'),
      (bench) => bench.transport.last().refuse(500, '{"error":{"message":"tools param requires --jinja flag"}}'),
      (bench) => bench.transport.last().observer.onError(ArkAgentError.of(ErrorCode.transportTimeout, 'x')),
      (bench) => bench.transport.last().observer.onError(ArkAgentError.of(ErrorCode.transportFailed, 'x')),
      (bench) => bench.transport.last().delta('Hi').observer.onError(ArkAgentError.of(ErrorCode.transportConnect, 'x')),
      (bench) => bench.transport.last().observer.onEnd(200),
    ];
    for (const happen of stopped) {
      const bench = new Bench().start();
      happen(bench);
      expect([bench.observer.endings, bench.scheduler.waiting, bench.transport.sent.length]).toEqual([1, 0, 1]);
    }
  });

  it('repeats a request that never reached the service', () => {
    const bench = new Bench().start();
    bench.transport.last().observer.onError(ArkAgentError.of(ErrorCode.transportConnect, 'x'));
    bench.scheduler.advance(500);
    expect(bench.transport.sent.length).toBe(2);
  });

  it('can be cancelled while it waits', () => {
    const bench = new Bench().start();
    bench.transport.last().refuse(429, REFUSED);
    bench.controller.cancel('stop');
    expect([bench.observer.error?.code, bench.scheduler.waiting]).toEqual(['cancelled', 0]);
    bench.scheduler.advance(60_000);
    expect(bench.transport.sent.length).toBe(1);
  });

  it('caps the wait that an error hands on', () => {
    const bench = new Bench().start();
    bench.transport.last().refuse(429, REFUSED, [['retry-after', '3600']]);
    expect(bench.observer.error?.retryAfterMs).toBe(60_000);
  });
});

describe('OpenAiCompatibleProvider: the key', () => {
  const echo = `{"error":{"message":"Incorrect API key provided: ${KEY} (Bearer ${KEY})","code":"${KEY}","type":"${KEY}"}}`;

  function told(bench: Bench): string {
    const error = bench.observer.error as ArkAgentError;
    return [inspect(error, { depth: 9 }), JSON.stringify(error), error.stack, inspect(bench.observer.events, { depth: 9 }), ...bench.logged].join('\n');
  }

  it('APP-15 is never in an error, an event or a log line, whatever the provider repeats', () => {
    const ways: ((bench: Bench) => void)[] = [
      (bench) => bench.transport.last().refuse(401, echo),
      (bench) => bench.transport.last().refuse(400, `<html>${KEY}</html>`),
      (bench) => bench.transport.last().refuse(502, `proxy said: ${KEY}`),
      (bench) => bench.transport.last().bytes(`data: ${echo}\n\n`).observer.onEnd(200),
      (bench) => bench.transport.last().bytes(`data: key ${KEY}\n\n`),
      (bench) => bench.transport.last().bytes(`what is ${KEY}\n`).observer.onEnd(200),
      (bench) => bench.transport.last().observer.onError(ArkAgentError.of(ErrorCode.transportFailed, `header authorization: Bearer ${KEY}`)),
    ];
    for (const happen of ways) {
      const bench = new Bench({ retry: { maxRetries: 0, baseDelayMs: 0, maxDelayMs: 0 } }).start();
      happen(bench);
      expect(bench.observer.endings).toBe(1);
      expect(told(bench)).not.toContain(KEY);
    }
  });

  it('APP-15 is not reachable by walking the provider, before and after a request', () => {
    const bench = new Bench();
    expect(JSON.stringify(bench.provider) + inspect(bench.provider, { depth: 20 })).not.toContain(KEY);
    bench.start().transport.last().answer('Hi');
    bench.transport.sent.length = 0;
    expect(JSON.stringify(bench.provider) + inspect(bench.provider, { depth: 20, showHidden: true })).not.toContain(KEY);
  });

  it('APP-15 masks keys of other owners and headers that carry secrets', () => {
    const bench = new Bench({ headers: new Map([['X-Gateway-Token', 'Token gw-123456']]) }).start();
    bench.transport.last().refuse(400, '{"error":{"message":"gw-123456 sk-proj-abcdefghijklmnop1234 AIzaSyA1234567890abcdefghijkl Bearer abcdefghijklmnopqrst"}}');
    expect(bench.observer.error?.message).toBe('*** *** *** Bearer ***');
  });

  it('may come later, may be empty, may fail', async () => {
    const later = new Bench({ apiKey: () => Promise.resolve(` ${KEY}\n`) }).start();
    await Promise.resolve();
    expect(later.transport.last().request.headers.get('authorization')).toBe(`Bearer ${KEY}`);
    expect(new Bench({ apiKey: () => '' }).start().transport.last().request.headers.has('authorization')).toBe(false);
    const failing = new Bench({ apiKey: () => Promise.reject(new Error(KEY)) }).start();
    await Promise.resolve();
    await Promise.resolve();
    const throwing = new Bench({ apiKey: () => { throw new Error(KEY); } }).start();
    const unusable = new Bench({ apiKey: () => 'a\nb: c' }).start();
    for (const bench of [failing, throwing, unusable]) {
      expect([bench.observer.error?.code, bench.observer.endings, bench.transport.sent.length]).toEqual(['provider_auth', 1, 0]);
      expect(told(bench)).not.toContain(KEY);
    }
  });
});
