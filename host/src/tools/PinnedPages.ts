import * as http from 'node:http';
import * as https from 'node:https';
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net';
import { Result, type CancellationSignal, type NetworkTarget, type Scheduler } from 'agent_core';
import { isTextType, type Page, type PageLimits, type PageSource } from './PageSource';

/**
 * Pages over node:http, connected to the checked addresses: the name is not looked up a second time. No proxy, no shared
 * connection, no compression.
 */
export class PinnedPages implements PageSource {
  constructor(private readonly scheduler: Scheduler) {}

  get(target: NetworkTarget, limits: PageLimits, signal: CancellationSignal): Promise<Result<Page, string>> {
    if (target.addresses.length === 0) return Promise.resolve(fault('its addresses were not checked'));
    return new Promise((resolve) => {
      new Exchange(target, limits, this.scheduler, resolve).start(signal);
    });
  }
}

class Exchange {
  private readonly chunks: Uint8Array[] = [];
  private length = 0;
  private request: http.ClientRequest | undefined;
  private stopTimer: () => void = () => undefined;
  private stopListening: () => void = () => undefined;
  private ended = false;

  constructor(private readonly target: NetworkTarget, private readonly limits: PageLimits, private readonly scheduler: Scheduler,
    private readonly resolve: (answer: Result<Page, string>) => void) {}

  start(signal: CancellationSignal): void {
    if (signal.cancelled) {
      this.finish(fault('it was cancelled'));
      return;
    }
    const timer = this.scheduler.schedule(this.limits.totalMs, () => this.finish(fault(`no complete answer within ${this.limits.totalMs} ms`)));
    this.stopTimer = () => timer.cancel();
    this.stopListening = signal.onCancelled(() => this.finish(fault('it was cancelled')));
    try {
      this.send();
    } catch {
      this.finish(fault('the request could not be started'));
    }
  }

  private send(): void {
    const options: http.RequestOptions = {
      method: 'GET', agent: false, lookup: pinned(this.target.addresses),
      headers: { accept: 'text/*, application/json;q=0.9, application/xml;q=0.8', 'accept-encoding': 'identity', 'user-agent': 'arkagent-demo' },
    };
    this.request = this.target.scheme === 'https' ? https.request(this.target.url, options) : http.request(this.target.url, options);
    this.request.on('response', (response) => this.read(response));
    this.request.on('error', (error: NodeJS.ErrnoException) => this.finish(fault(`the connection failed: ${error.code ?? error.name}`)));
    this.request.end();
  }

  private read(response: http.IncomingMessage): void {
    if (!isOneOf(response.socket.remoteAddress, this.target.addresses)) {
      this.finish(fault('it led to another address'));
      return;
    }
    const encoding = response.headers['content-encoding'] ?? 'identity';
    const redirected = response.statusCode! >= 300 && response.statusCode! < 400;
    if (redirected || !isTextType(response.headers['content-type'] ?? '')) this.complete(response, false);
    else if (encoding !== 'identity') this.finish(fault('the answer is compressed'));
    else this.collect(response);
  }

  private collect(response: http.IncomingMessage): void {
    response.on('data', (chunk: Uint8Array) => {
      const room = this.limits.maxBytes - this.length;
      this.chunks.push(chunk.subarray(0, room));
      this.length += Math.min(room, chunk.length);
      if (chunk.length > room) this.complete(response, true);
    });
    response.on('end', () => this.complete(response, false));
    response.on('error', () => this.finish(fault('the connection broke')));
    response.on('close', () => this.finish(fault('the connection broke')));
  }

  private complete(response: http.IncomingMessage, cut: boolean): void {
    this.finish(Result.success<Page, string>({
      status: response.statusCode ?? 0, location: response.headers.location ?? '', contentType: response.headers['content-type'] ?? '',
      bytes: Buffer.concat(this.chunks), cut,
    }));
  }

  private finish(answer: Result<Page, string>): void {
    if (this.ended) return;
    this.ended = true;
    this.stopTimer();
    this.stopListening();
    this.request?.destroy();
    this.resolve(answer);
  }
}

function fault(reason: string): Result<Page, string> {
  return Result.failure<Page, string>(reason);
}

function pinned(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_host, options, answer) => {
    if (options.all === true) answer(null, all);
    else answer(null, all[0]!.address, all[0]!.family);
  };
}

/** Spellings of an IPv6 address differ; a list compares what they mean. */
function isOneOf(remote: string | undefined, addresses: readonly string[]): boolean {
  if (remote === undefined || isIP(remote) === 0) return false;
  const list = new BlockList();
  for (const address of addresses) list.addAddress(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  return list.check(remote, isIPv6(remote) ? 'ipv6' : 'ipv4');
}
