import * as http from 'node:http';
import * as https from 'node:https';
import {
  ArkAgentError, ErrorCode, HttpExchange, type ArkAgentErrorOptions, type CancellationSignal, type ErrorDetail, type FlowSignal,
  type HttpRequest, type HttpResponseObserver, type HttpTransport, type Scheduler,
} from 'agent_core';

/**
 * Streaming HTTP over `node:http` and `node:https`.
 *
 * Not over `fetch`: that neither tells when a connection stands, so that connecting cannot be timed by itself, nor lets its own
 * time-outs of five minutes be changed without another package. Redirects are answers like any other (a key must not follow one
 * to another host), proxy variables of the environment are not read, compressed bodies are not asked for.
 *
 * Errors: transport_connect (nothing was sent), transport_timeout, transport_failed; `details.reason` is the system's word.
 */
export class NodeHttpTransport implements HttpTransport {
  private readonly scheduler: Scheduler;

  /** @param scheduler times the request */
  constructor(scheduler: Scheduler) {
    this.scheduler = scheduler;
  }

  send(request: HttpRequest, observer: HttpResponseObserver, signal: CancellationSignal, flow?: FlowSignal): void {
    const sent = new SentRequest(request, observer, this.scheduler, flow);
    sent.start(signal);
  }
}

/** One request in flight. */
class SentRequest {
  private readonly request: HttpRequest;
  private readonly scheduler: Scheduler;
  private readonly exchange: HttpExchange;
  private socketRequest: http.ClientRequest | undefined = undefined;
  private stopConnectTimer: () => void = () => undefined;
  private stopFlow: () => void = () => undefined;
  private connected = false;

  constructor(request: HttpRequest, observer: HttpResponseObserver, scheduler: Scheduler, private readonly flow: FlowSignal | undefined) {
    this.request = request;
    this.scheduler = scheduler;
    this.exchange = new HttpExchange(observer, request.timeouts, scheduler, () => this.release());
  }

  start(signal: CancellationSignal): void {
    this.exchange.begin(signal, this.flow);
    if (this.exchange.over) return;
    try {
      this.open(new URL(this.request.url));
    } catch (e) {
      this.fail(ErrorCode.transportConnect, 'The request could not be started', e as Error);
    }
  }

  private open(url: URL): void {
    const options = {
      method: this.request.method,
      headers: { 'accept-encoding': 'identity', ...Object.fromEntries(this.request.headers) },
    };
    const sent = url.protocol === 'https:' ? https.request(url, options) : http.request(url, options);
    this.socketRequest = sent;
    this.watchConnect();
    sent.on('socket', (socket) => {
      if (!socket.connecting) this.onConnected();
      else socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => this.onConnected());
    });
    sent.on('response', (response) => this.read(response));
    sent.on('error', (error) => this.onFault(error));
    sent.end(this.request.body);
  }

  private watchConnect(): void {
    const limitMs = this.request.timeouts.connectMs;
    if (limitMs <= 0) return;
    const timer = this.scheduler.schedule(limitMs, () => {
      this.exchange.fail(failure(ErrorCode.transportConnect, `Waited ${limitMs} ms for a connection`, 'ETIMEDOUT', undefined));
    });
    this.stopConnectTimer = () => timer.cancel();
  }

  private onConnected(): void {
    this.connected = true;
    this.stopConnectTimer();
  }

  private read(response: http.IncomingMessage): void {
    this.onConnected();
    const status = response.statusCode ?? 0;
    this.exchange.headers(status, headersOf(response));
    this.follow(response);
    response.on('data', (bytes: Buffer) => this.exchange.bytes(bytes));
    response.on('end', () => this.exchange.end(status));
    response.on('error', (error) => this.onFault(error));
    response.on('close', () => {
      if (!response.complete) this.onFault(new Error('the connection was closed in mid-body'));
    });
  }

  /** While the reader is behind, nothing is read from the socket, and the sender stops by itself. */
  private follow(response: http.IncomingMessage): void {
    if (this.flow === undefined) return;
    this.stopFlow = this.flow.onChange((paused) => {
      if (paused) response.pause();
      else response.resume();
    });
    if (this.flow.paused) response.pause();
  }

  private onFault(error: Error): void {
    if (this.connected) this.fail(ErrorCode.transportFailed, 'The connection broke', error);
    else this.fail(ErrorCode.transportConnect, 'No connection', error);
  }

  private fail(code: ErrorCode, what: string, error: Error): void {
    const reason = (error as NodeJS.ErrnoException).code ?? error.name;
    this.exchange.fail(failure(code, `${what}: ${reason}`, reason, error));
  }

  private release(): void {
    this.stopConnectTimer();
    this.stopFlow();
    this.socketRequest?.destroy();
  }
}

function failure(code: ErrorCode, message: string, reason: string, cause: Error | undefined): ArkAgentError {
  const options: ArkAgentErrorOptions = { details: new Map<string, ErrorDetail>([['reason', reason]]), cause };
  return ArkAgentError.of(code, message, options);
}

function headersOf(response: http.IncomingMessage): Map<string, string> {
  const headers = new Map<string, string>();
  for (const [name, value] of Object.entries(response.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  return headers;
}
