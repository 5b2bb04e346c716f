import { once } from 'node:events';
import * as http from 'node:http';
import * as net from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { ArkAgentError } from '@core/base/ArkAgentError';
import { CancellationController, type CancellationSignal } from '@core/base/Cancellation';
import type { HttpRequest, HttpResponseObserver, HttpTimeouts } from '@core/port/HttpTransport';
import type { ScheduledTask, Scheduler } from '@core/port/Scheduler';
import { OpenAiCompatibleProvider } from '@core/provider/openai/OpenAiCompatibleProvider';
import { NodeHttpTransport } from '../../../host/src/http/NodeHttpTransport';
import { emptyRequest, RecordingObserver } from './replay';

class RealScheduler implements Scheduler {
  monotonicMs(): number {
    return performance.now();
  }

  schedule(delayMs: number, task: () => void): ScheduledTask {
    const timer = setTimeout(task, delayMs);
    return { cancel: () => clearTimeout(timer) };
  }
}

class Heard implements HttpResponseObserver {
  status = -1;
  headers = new Map<string, string>();
  pieces: Uint8Array[] = [];
  error: ArkAgentError | undefined = undefined;
  endings = 0;
  readonly over: Promise<void>;
  readonly started: Promise<void>;
  private finish: () => void = () => undefined;
  private begin: () => void = () => undefined;

  constructor() {
    this.over = new Promise((resolve) => (this.finish = resolve));
    this.started = new Promise((resolve) => (this.begin = resolve));
  }

  onHeaders(status: number, headers: Map<string, string>): void {
    this.status = status;
    this.headers = headers;
  }

  onBytes(bytes: Uint8Array): void {
    this.pieces.push(bytes);
    this.begin();
  }

  onEnd(status: number): void {
    this.status = status;
    this.endings++;
    this.finish();
  }

  onError(error: ArkAgentError): void {
    this.error = error;
    this.endings++;
    this.finish();
  }

  text(): string {
    return Buffer.concat(this.pieces).toString('utf8');
  }
}

const NO_LIMITS: HttpTimeouts = { connectMs: 0, firstByteMs: 0, idleMs: 0, totalMs: 0 };
const servers: (http.Server | net.Server)[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    if (server instanceof http.Server) server.closeAllConnections();
    server.close();
  }
});

async function serve(handler: http.RequestListener): Promise<string> {
  const server = http.createServer(handler);
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

function send(url: string, timeouts: Partial<HttpTimeouts> = {}, signal: CancellationSignal = CancellationController.never()): Heard {
  const heard = new Heard();
  const request: HttpRequest = {
    method: 'POST', url, headers: new Map([['content-type', 'application/json']]), body: '{"a":"ü"}', timeouts: { ...NO_LIMITS, ...timeouts },
  };
  new NodeHttpTransport(new RealScheduler()).send(request, heard, signal);
  return heard;
}

describe('NodeHttpTransport', () => {
  it('sends the body and hands on status, headers and bytes', async () => {
    let body = '';
    const url = await serve((request, response) => {
      request.on('data', (piece) => (body += piece));
      request.on('end', () => {
        response.writeHead(201, { 'X-Thing': 'a' });
        response.end('hello');
      });
    });
    const heard = send(url);
    await heard.over;
    expect(body).toBe('{"a":"ü"}');
    expect([heard.status, heard.headers.get('x-thing'), heard.text(), heard.endings]).toEqual([201, 'a', 'hello', 1]);
  });

  it('hands on a refusal like any other answer, with its headers', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(429, { 'retry-after': '7' });
      response.end('{"error":"slow down"}');
    });
    const heard = send(url);
    await heard.over;
    expect([heard.status, heard.headers.get('retry-after'), heard.text()]).toEqual([429, '7', '{"error":"slow down"}']);
  });

  it('does not follow a redirect', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(307, { location: '/elsewhere' });
      response.end();
    });
    const heard = send(url);
    await heard.over;
    expect([heard.status, heard.error]).toEqual([307, undefined]);
  });

  it('reports a refused connection as transport_connect', async () => {
    const probe = net.createServer();
    probe.listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const port = (probe.address() as AddressInfo).port;
    await new Promise((resolve) => probe.close(resolve));
    const heard = send(`http://127.0.0.1:${port}/`);
    await heard.over;
    expect([heard.error?.code, heard.error?.details?.get('reason')]).toEqual(['transport_connect', 'ECONNREFUSED']);
  });

  it('reports an address that is none as transport_connect', async () => {
    const heard = send('not an address');
    await heard.over;
    expect(heard.error?.code).toBe('transport_connect');
  });

  it('times connecting by itself, the handshake included', async () => {
    const mute = net.createServer((socket) => socket.resume());
    servers.push(mute);
    mute.listen(0, '127.0.0.1');
    await once(mute, 'listening');
    const heard = send(`https://127.0.0.1:${(mute.address() as AddressInfo).port}/`, { connectMs: 40, firstByteMs: 20_000 });
    await heard.over;
    expect([heard.error?.code, heard.error?.details?.get('reason'), heard.endings]).toEqual(['transport_connect', 'ETIMEDOUT', 1]);
  });

  it('reports a reset in mid-body as transport_failed, after the bytes that came', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200);
      response.write('part', () => response.socket?.destroy());
    });
    const heard = send(url);
    await heard.over;
    expect([heard.error?.code, heard.text(), heard.endings]).toEqual(['transport_failed', 'part', 1]);
  });

  it('times the first byte, the pause between bytes and the whole by themselves', async () => {
    const silent = await serve(() => undefined);
    const stalling = await serve((_request, response) => {
      response.writeHead(200);
      response.write('x');
    });
    const dripping = await serve((_request, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('x'), 5);
      response.on('close', () => clearInterval(timer));
    });
    const first = send(silent, { firstByteMs: 40 });
    const idle = send(stalling, { idleMs: 40 });
    const total = send(dripping, { idleMs: 2_000, totalMs: 80 });
    await Promise.all([first.over, idle.over, total.over]);
    expect([first, idle, total].map((heard) => heard.error?.code)).toEqual(Array(3).fill('transport_timeout'));
    expect(first.pieces.length).toBe(0);
    expect(idle.text()).toBe('x');
    expect(total.pieces.length).toBeGreaterThan(0);
  });

  it('after a cancellation closes the connection and tells nothing more', async () => {
    const closed = new Promise<void>((resolve) => {
      void serve((_request, response) => {
        response.writeHead(200);
        response.write('x');
        response.on('close', resolve);
      }).then((url) => {
        const controller = new CancellationController();
        const heard = send(url, {}, controller.signal);
        void heard.started.then(() => {
          controller.cancel('enough');
          expect(heard.endings).toBe(0);
        });
      });
    });
    await closed;
  });

  it('S8 brings a character that the network cut to the model client in one piece', async () => {
    const event = Buffer.from('data: {"choices":[{"index":0,"delta":{"content":"中😀"},"finish_reason":"stop"}]}\r\n\r\ndata: [DONE]\r\n\r\n');
    const url = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      let at = 0;
      const next = (): void => {
        if (at < event.length) response.write(event.subarray(at, ++at), () => setImmediate(next));
      };
      next();
    });
    const observer = new RecordingObserver();
    const finished = new Promise<void>((resolve) => {
      observer.onComplete = () => resolve();
      observer.onError = () => resolve();
    });
    const scheduler = new RealScheduler();
    const provider = new OpenAiCompatibleProvider({ baseUrl: url },
      { transport: new NodeHttpTransport(scheduler), scheduler, ids: { nextId: () => '1' } });
    provider.stream(emptyRequest(), observer, CancellationController.never());
    await finished;
    expect(observer.response?.text).toBe('中😀');
  });
});
