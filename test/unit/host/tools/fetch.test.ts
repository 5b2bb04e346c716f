import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CancellationController, Result, type HostLookupError, type HostResolver } from 'agent_core';
import { NodeScheduler } from '../../../../host/src/ports/NodeScheduler';
import { FetchUrlTool } from '../../../../host/src/tools/FetchUrlTool';
import { PinnedPages } from '../../../../host/src/tools/PinnedPages';
import { ToolBench } from './bench';

/** Names that exist for these tests only; counts how often each was asked for. */
class Names implements HostResolver {
  readonly asked: string[] = [];

  constructor(private readonly addresses: Readonly<Record<string, string[]>>) {}

  async lookup(host: string): Promise<Result<readonly string[], HostLookupError>> {
    this.asked.push(host);
    return Result.success<readonly string[], HostLookupError>(this.addresses[host] ?? ['10.1.2.3']);
  }
}

let bench: ToolBench;
let server: Server;
let port: number;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
const requests: IncomingMessage[] = [];
const say = (headers: Record<string, string>, body: string | Buffer, status = 200) => (_request: IncomingMessage, response: ServerResponse): void => {
  response.writeHead(status, headers);
  response.end(body);
};
const redirect = (location: string): typeof answer => say({ location }, '', 302);

beforeEach(async () => {
  requests.length = 0;
  server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
  bench = new ToolBench();
});
afterEach(async () => {
  bench.dispose();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** One local server plays the host that is allowed: `page.local` leads to it by the checked address alone. */
async function open(names = new Names({ 'page.local': ['127.0.0.1'] }), more: { maxRedirects?: number } = {}): Promise<Names> {
  await bench.open({ hostResolver: names, network: { schemes: ['http'], privateHosts: [`page.local:${port}`, `127.0.0.1:${port}`], ...more } });
  return names;
}
const fetched = (path = '/', host = 'page.local'): Promise<string> => bench.told('fetch_url', { url: `http://${host}:${port}${path}` });

describe('fetch_url', () => {
  it('gets text from the checked address, under the host\'s own name, without asking for the name again', async () => {
    const names = await open();
    answer = say({ 'content-type': 'text/plain; charset=utf-8' }, 'Grüße');
    expect(await fetched('/a')).toBe(`http://page.local:${port}/a (text/plain, 7 bytes)\n\nGrüße`);
    expect(requests[0].headers.host).toBe(`page.local:${port}`);
    expect(requests[0].headers['authorization']).toBeUndefined();
    // Once for the policy, once for the tool; connecting asks nobody.
    expect(names.asked).toEqual(['page.local', 'page.local']);
    expect(await fetched('/a', '127.0.0.1')).toContain('Grüße');
  });

  it('EXE-16 refuses private addresses, other hosts, schemes and credentials before anything is sent', async () => {
    await open();
    answer = say({}, 'never');
    const urls = ['http://10.0.0.1/', `http://[::1]:${port}/`, `http://0x7f000001:${port}/`, `http://other.example:${port}/`, 'file:///etc/passwd', `https://page.local:${port}/`, `http://u:p@page.local:${port}/`, 'http://page.local/', 'x', ''];
    for (const url of urls) {
      const told = await bench.told('fetch_url', { url });
      expect(told, url).toMatch(/^!tool_denied: /);
      expect(told).not.toContain('other.example');
    }
    expect(requests).toHaveLength(0);
  });

  it('EXE-16 checks every hop of a redirect, its number and its circles', async () => {
    await open(undefined, { maxRedirects: 3 });
    answer = (request, response) => (request.url === '/end' ? say({ 'content-type': 'text/plain' }, 'there')(request, response) : redirect('/end')(request, response));
    expect(await fetched('/start')).toBe(`http://page.local:${port}/end (text/plain, 5 bytes)\n\nthere`);
    for (const location of ['http://169.254.169.254/latest/', '//10.0.0.1/', 'http://other.example/', 'file:///etc/passwd', 'http://u:p@page.local/']) {
      answer = redirect(location);
      expect(await fetched('/x'), location).toMatch(/^!tool_denied: /);
    }
    requests.length = 0;
    answer = redirect('/start');
    expect(await fetched('/start')).toMatch(/^!tool_denied: /);
    expect(requests).toHaveLength(1);
    requests.length = 0;
    answer = (request, response) => redirect(`/${requests.length}`)(request, response);
    expect(await fetched('/0')).toMatch(/^!tool_denied: /);
    expect(requests).toHaveLength(4);
  });

  it('EXE-16 does not follow a name that changes its address between question and connection', async () => {
    let asked = 0;
    const turning: HostResolver = { lookup: async () => Result.success<readonly string[], HostLookupError>([(asked += 1) === 1 ? '93.184.216.34' : '10.0.0.7']) };
    await bench.open({ hostResolver: turning, hosts: ['turning.example'], network: { schemes: ['http'] } });
    expect(await bench.told('fetch_url', { url: 'http://turning.example/' })).toMatch(/^!tool_denied: /);
    expect(asked).toBe(2);
    await bench.open({ hostResolver: { lookup: async () => Result.success<readonly string[], HostLookupError>(['93.184.216.34', '10.0.0.7']) }, hosts: ['mixed.example'], network: { schemes: ['http'] } });
    expect(await bench.told('fetch_url', { url: 'http://mixed.example/' })).toMatch(/^!tool_denied: /);
  });

  it('takes text only, by its type and by its bytes', async () => {
    await open();
    const cases: [Record<string, string>, Buffer | string, RegExp][] = [
      [{ 'content-type': 'application/json' }, '{"a":1}', /\{"a":1\}$/], [{ 'content-type': 'application/problem+json' }, '{}', /\{\}$/], [{}, 'bare', /no type, 4 bytes\)\n\nbare$/],
      [{ 'content-type': 'text/plain; charset="iso-8859-1"' }, Buffer.from([0x47, 0xfc]), /Gü$/],
      [{ 'content-type': 'image/png' }, 'x', /^!the answer is no text$/], [{ 'content-type': 'application/octet-stream' }, 'x', /^!the answer is no text$/],
      [{ 'content-type': 'text/plain' }, Buffer.from([0x61, 0, 0x62]), /^!the answer is no text that can be read$/], [{ 'content-type': 'text/plain' }, Buffer.from([0xff, 0xfe]), /^!the answer is no text that can be read$/],
      [{ 'content-type': 'text/plain; charset=made-up' }, 'x', /^!the answer is no text that can be read$/], [{ 'content-type': 'text/plain', 'content-encoding': 'gzip' }, 'x', /^!the page cannot be read: the answer is compressed$/],
    ];
    for (const [headers, body, expected] of cases) {
      answer = say(headers, body);
      expect(await fetched(), JSON.stringify(headers)).toMatch(expected);
    }
    answer = say({ 'content-type': 'text/plain' }, 'gone', 404);
    expect(await fetched()).toBe('!the server answered with status 404');
  });

  it('reads no more than the limit, and says so', async () => {
    await open();
    let sent = 0;
    answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      const more = (): void => {
        while (!response.destroyed && sent < 200_000_000) {
          sent += 65_536;
          if (!response.write('世'.repeat(21_845) + 'x')) {
            response.once('drain', more);
            return;
          }
        }
      };
      more();
    };
    const envelope = await bench.call('fetch_url', { url: `http://page.local:${port}/` });
    expect(envelope.result.isError).toBe(false);
    expect(envelope.result.text()).toContain('the first 204800 bytes');
    expect(sent).toBeLessThan(50_000_000);
  });

  it('ends at its time limit, at a broken connection and at a cancellation, naming no host', async () => {
    const names = await open();
    answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '100' });
      response.write('half');
      setImmediate(() => response.destroy());
    };
    const broken = await fetched();
    expect(broken).toMatch(/^!the page cannot be read: the connection (broke|failed: ECONNRESET)$/);
    answer = () => undefined;
    const scheduler = new NodeScheduler();
    const pages = new PinnedPages(scheduler);
    const { NetworkTargets } = await import('agent_core');
    const target = (await NetworkTargets.create(names, { schemes: ['http'], privateHosts: [`page.local:${port}`] }).value.resolve(`http://page.local:${port}/`)).value;
    expect((await pages.get(target, { totalMs: 30, maxBytes: 10 }, CancellationController.never())).error).toBe('no complete answer within 30 ms');
    const control = new CancellationController();
    const waiting = pages.get(target, { totalMs: 60_000, maxBytes: 10 }, control.signal);
    control.cancel('enough');
    expect((await waiting).error).toBe('it was cancelled');
    expect((await pages.get(target, { totalMs: 60_000, maxBytes: 10 }, control.signal)).error).toBe('it was cancelled');
    expect(FetchUrlTool.LIMITS.totalMs).toBeGreaterThan(0);
  });

  it('is not offered where no host is named', async () => {
    await bench.open();
    expect(await bench.told('fetch_url', { url: 'https://example.com/' })).toMatch(/^!tool_not_found/);
  });
});
