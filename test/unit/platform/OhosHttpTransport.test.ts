import { ArkAgentError } from '@core/base/ArkAgentError';
import { CancellationController } from '@core/base/Cancellation';
import { HttpRequest, HttpResponseObserver } from '@core/port/HttpTransport';
import { beforeEach, describe, expect, it } from 'vitest';
import { BusinessError } from './kit/BasicServicesKit';
import { FakeHttpRequest } from './kit/NetworkKit';
import { OhosHttpTransport } from '@platform/OhosHttpTransport';
import { OhosScheduler } from '@platform/OhosScheduler';

class Recorder implements HttpResponseObserver {
  readonly seen: string[] = [];

  onHeaders(status: number, headers: Map<string, string>): void {
    this.seen.push(`headers ${status} ${JSON.stringify([...headers])}`);
  }

  onBytes(bytes: Uint8Array): void {
    this.seen.push(`bytes ${Buffer.from(bytes).toString()}`);
  }

  onEnd(status: number): void {
    this.seen.push(`end ${status}`);
  }

  onError(error: ArkAgentError): void {
    this.seen.push(`error ${error.code} ${error.details?.get('platformCode') ?? ''}`.trim());
  }
}

function request(body = '{}'): HttpRequest {
  return {
    method: 'POST',
    url: 'https://example.com/v1/chat/completions',
    headers: new Map([['Authorization', 'Bearer x']]),
    body,
    timeouts: { connectMs: 15000, firstByteMs: 60, idleMs: 60, totalMs: 0 },
  };
}

function sent(body?: string) {
  const observer = new Recorder();
  const controller = new CancellationController();
  new OhosHttpTransport(new OhosScheduler()).send(request(body), observer, controller.signal);
  return { observer, controller, client: FakeHttpRequest.made.at(-1)! };
}

function bytesOf(text: string): ArrayBuffer {
  return new Uint8Array(Buffer.from(text)).buffer;
}

const turns = async () => {
  for (let i = 0; i < 5; i++) await Promise.resolve();
};

describe('OhosHttpTransport on a stand-in for the network kit', () => {
  beforeEach(() => {
    FakeHttpRequest.made.length = 0;
    FakeHttpRequest.createFails = undefined;
  });

  it('asks for a stream without the limit on the whole transfer', () => {
    const { client } = sent();
    expect(client.options).toEqual({
      method: 'POST',
      header: { Authorization: 'Bearer x' },
      usingCache: false,
      connectTimeout: 15000,
      readTimeout: 0,
      extraData: '{}',
    });
  });

  it('sends no empty body', () => {
    expect(Object.keys(sent('').client.options)).not.toContain('extraData');
  });

  it('tells the status at the end and lets everything go', async () => {
    const { observer, client } = sent();
    client.emit('headersReceive', { 'Content-Type': 'text/event-stream', 'HTTP/2 200': '' });
    client.emit('dataReceive', bytesOf('data: a'));
    client.emit('dataReceive', bytesOf('\n\n'));
    client.settle(200);
    await turns();
    expect(observer.seen).toEqual(['headers 0 [["content-type","text/event-stream"]]', 'bytes data: a', 'bytes \n\n', 'end 200']);
    expect([client.listening, client.destroyed]).toEqual([0, 1]);
  });

  it('maps a failed transfer and reports it once', async () => {
    const { observer, client } = sent();
    client.emit('dataReceive', bytesOf('half'));
    client.reject(new BusinessError(2300056));
    await turns();
    expect(observer.seen).toEqual(['bytes half', 'error transport_failed 2300056']);
    expect(client.destroyed).toBe(1);
  });

  it('ends a silent request itself and ignores what the system reports afterwards', async () => {
    const { observer, client } = sent();
    await expect.poll(() => observer.seen.length, { timeout: 2000 }).toBe(1);
    client.reject(new BusinessError(2300023));
    await turns();
    expect(observer.seen).toEqual(['error transport_timeout']);
    expect(client.destroyed).toBe(1);
  });

  it('destroys at a cancellation and says nothing any more', async () => {
    const { observer, controller, client } = sent();
    client.emit('dataReceive', bytesOf('a'));
    controller.cancel('user');
    client.emit('dataReceive', bytesOf('b'));
    client.reject(new BusinessError(2300023));
    await turns();
    expect(observer.seen).toEqual(['bytes a']);
    expect([client.listening, client.destroyed]).toEqual([0, 1]);
  });

  it('makes no request for a signal that was cancelled before', () => {
    const controller = new CancellationController();
    controller.cancel('before');
    new OhosHttpTransport(new OhosScheduler()).send(request(), new Recorder(), controller.signal);
    expect(FakeHttpRequest.made).toHaveLength(0);
  });

  it('reports what the system throws at once, such as a missing permission', () => {
    FakeHttpRequest.createFails = new BusinessError(201);
    const observer = new Recorder();
    new OhosHttpTransport(new OhosScheduler()).send(request(), observer, CancellationController.never());
    expect(observer.seen).toEqual(['error transport_failed 201']);
  });
});
