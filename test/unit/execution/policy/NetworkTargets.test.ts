import { describe, expect, it } from 'vitest';
import { Result } from '@core/base/Result';
import { AddressRanges } from '@core/execution/policy/AddressRanges';
import { IpAddress } from '@core/execution/policy/IpAddress';
import { NetworkTargets, type NetworkOptions } from '@core/execution/policy/NetworkTargets';
import { HostLookupError, type HostResolver } from '@core/port/HostResolver';

const PUBLIC = '93.184.215.14';

class Names implements HostResolver {
  readonly asked: string[] = [];
  constructor(private readonly answer: (host: string) => unknown = () => [PUBLIC]) {}

  async lookup(host: string): Promise<Result<readonly string[], HostLookupError>> {
    this.asked.push(host);
    const answer = this.answer(host);
    return Array.isArray(answer) ? Result.success<readonly string[], HostLookupError>(answer) : (answer as never);
  }
}

function guard(options: NetworkOptions = {}, names: HostResolver | undefined = new Names()): NetworkTargets {
  return NetworkTargets.create(names, options).value;
}

async function rule(targets: NetworkTargets, url: string): Promise<string> {
  const answer = await targets.resolve(url);
  return answer.ok ? answer.value.url : String(answer.error.details?.get('rule'));
}

describe('IpAddress and AddressRanges', () => {
  const open = ['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.0', '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '191.255.255.255',
    '192.0.1.0', '192.0.3.0', '192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0', '198.51.99.255', '203.0.114.0', '223.255.255.255', '168.63.129.15',
    '2606:4700:4700::1111', '2a00:1450:4001:81b::200e', '2001:4860:4860::8888', '::ffff:1.1.1.1', '::1.1.1.1', '64:ff9b::808:808', '2002:101:101::1', '2001:0:0808:0808:0:0:f7f7:f7f7', '3fff:1000::', '2400:3200::5efe:101:101'];
  it.each(open)('%s is public', (text) => {
    expect(AddressRanges.isPublic(IpAddress.parse(text)!)).toBe(true);
  });

  const closed = ['0.0.0.0', '0.255.255.255', '10.0.0.0', '10.255.255.255', '100.64.0.0', '100.100.100.200', '100.127.255.255', '127.0.0.1', '127.255.255.255', '168.63.129.16', '169.254.0.0', '169.254.169.254', '172.16.0.0', '172.31.255.255',
    '192.0.0.0', '192.0.0.255', '192.0.2.1', '192.88.99.1', '192.168.0.0', '192.168.255.255', '198.18.0.0', '198.19.255.255', '198.51.100.0', '203.0.113.255', '224.0.0.1', '239.255.255.255', '240.0.0.0', '255.255.255.255',
    '::', '::1', '::7f00:1', '::ffff:127.0.0.1', '::ffff:0:127.0.0.1', '::ffff:0:1.1.1.1', '64:ff9b::a00:1', '64:ff9b:1::1.1.1.1', '64:ff9b:0:1::1', '100::1', '2001:2::1', '2001:10::1', '2001:20::1', '2001:1ff::1', '2001:db8::1', '2002:7f00:1::', '2002:c0a8:101::',
    '2001:0:a00:1::f7f7:f7f7', '2001:0:808:808::f5ff:fffe', '2606:4700::5efe:a00:1', '2606:4700::200:5efe:7f00:1', '3fff::1', '3fff:fff::1', '5f00::1', '4000::1', 'fc00::1', 'fd00:ec2::254', 'fe80::1', 'febf::1', 'fec0::1', 'ff02::1', 'ffff::'];
  it.each(closed)('EXE-16 %s is not public', (text) => {
    expect(AddressRanges.isPublic(IpAddress.parse(text)!)).toBe(false);
  });

  it.each(['', '1', '1.1.1', '1.1.1.1.', '1.1.1.1.1', '01.1.1.1', '256.1.1.1', '1.1.1.1a', '0x1.1.1.1', '1e1.1.1.1', ' 1.1.1.1', '１.1.1.1', '-1.1.1.1', ':', ':::', '1::2::3', '1:2:3:4:5:6:7', '1:2:3:4:5:6:7:8:9', '1:2:3:4:5:6:7::8',
    '::1%eth0', '[::1]', '::g', '::12345', '1:2:3:4:5:6:7:', ':1:2:3:4:5:6:7', '::1.1.1', '1.1.1.1::', '::ffff:01.1.1.1', '0'.repeat(60)])('%j is no address', (text) => {
    expect(IpAddress.parse(text)).toBeUndefined();
  });
});

describe('NetworkTargets', () => {
  it('gives one spelling, the addresses to connect to, and the host to name', async () => {
    const names = new Names(() => [PUBLIC, '2606:2800:21F::1']);
    const target = (await guard({}, names).resolve('HTTPS://Example.COM.:443/a?q=你好，世界#part')).value;
    expect([target.url, target.scheme, target.host, target.port, target.addresses]).toEqual(['https://example.com/a?q=你好，世界', 'https', 'example.com', 443, [PUBLIC, '2606:2800:21f::1']]);
    expect(names.asked).toEqual(['example.com']);
    expect(await rule(guard(), 'https://example.com?x')).toBe('https://example.com/?x');
    expect(await rule(guard(), 'https://[2606:4700:4700::1111]:8443')).toBe('https://[2606:4700:4700::1111]:8443/');
    expect(await rule(guard(), 'https://example.com/@name?u=a@b')).toBe('https://example.com/@name?u=a@b');
  });

  const refused: Array<[string, string]> = [
    ['http://example.com/', 'url_scheme'], ['ftp://example.com/', 'url_scheme'], ['', 'url_malformed'], ['example.com', 'url_malformed'], ['https:example.com', 'url_malformed'], ['https:/example.com', 'url_malformed'],
    ['https:///x', 'url_malformed'], ['https://:443/', 'url_malformed'], ['//example.com/', 'url_malformed'], ['https://a@example.com/', 'url_credentials'], ['https://@example.com/', 'url_credentials'], ['https://example.com#@127.0.0.1/', 'url_credentials'],
    ['https://example.com?@127.0.0.1/', 'url_credentials'], ['https://example.com\\@a/', 'url_character'], ['https://example.com/ x', 'url_character'], ['https://example.com/\r\nHost: a', 'url_character'], ['https://example.com/\u202e', 'url_character'],
    ['https://example.com/\ud800', 'url_character'], ['https://example.com/\udc00', 'url_character'], [' https://example.com/', 'url_character'], ['https://еxample.com/', 'url_host'], ['https://127。0。0。1/', 'url_host'], ['https://%65xample.com/', 'url_host'], ['https://\u212aey.com/', 'url_host'],
    ['https://a..com/', 'url_host'], ['https://.a.com/', 'url_host'], ['https://a.com../', 'url_host'], ['https://-a.com/', 'url_host'], [`https://${'a'.repeat(64)}.com/`, 'url_host'], [`https://${'a.'.repeat(130)}com/`, 'url_host'],
    ['https://xn--localhost-/', 'url_host'], ['https://a*b.com/', 'url_host'], ['https://2130706433/', 'url_address_form'], ['https://0x7f000001/', 'url_address_form'], ['https://017700000001/', 'url_address_form'], ['https://127.1/', 'url_address_form'],
    ['https://1.1.1.1./', 'url_address_form'], ['https://1.1.1.01/', 'url_address_form'], ['https://0X7F.0.0.1/', 'url_address_form'], ['https://a.0x/', 'url_address_form'], ['https://[::1%25lo]/', 'url_address_form'], ['https://[::1/', 'url_address_form'],
    ['https://[::1]x/', 'url_address_form'], ['https://[1.1.1.1]/', 'url_address_form'], ['https://example.com:/', 'url_port'], ['https://example.com:0/', 'url_port'], ['https://example.com:0443/', 'url_port'], ['https://example.com:65536/', 'url_port'],
    ['https://example.com:22/', 'url_port'], ['https://example.com:6379/', 'url_port'], ['https://example.com:8a/', 'url_port'], ['https://example.com:80:80/', 'url_port'], ['https://localhost/', 'url_special_name'], ['https://a.localhost./', 'url_special_name'],
    ['https://printer/', 'url_special_name'], ['https://a.home.arpa/', 'url_special_name'], ['https://127.0.0.1/', 'url_private_address'], ['https://[::ffff:7f00:1]/', 'url_private_address'],
  ];
  it.each(refused)('EXE-16 refuses %j as %s without a look-up', async (url, expected) => {
    const names = new Names();
    expect(await rule(guard({}, names), url)).toBe(expected);
    expect(names.asked).toEqual([]);
  });

  it('keeps to the list of hosts, with and without ports, and its names must still lead to public addresses', async () => {
    const listed = guard({ hosts: ['example.com', '*.cdn.net', 'api.org:8443', '8.8.8.8', '[2606:4700::1]'] });
    for (const url of ['https://[2606:4700:0::1]/', 'https://example.com/', 'https://EXAMPLE.com.:8443/', 'https://a.b.cdn.net/', 'https://api.org:8443/', 'https://8.8.8.8/']) expect((await listed.resolve(url)).ok, url).toBe(true);
    for (const url of ['https://www.example.com/', 'https://cdn.net/', 'https://evilcdn.net/', 'https://api.org/', 'https://example.com.evil.org/', 'https://1.1.1.1/']) expect(await rule(listed, url), url).toBe('url_not_listed');
    expect(await rule(guard({ hosts: ['example.com'] }, new Names(() => ['10.0.0.1'])), 'https://example.com/')).toBe('url_private_address');
    expect(await rule(guard({ hosts: [] }), 'https://example.com/')).toBe('url_not_listed');
  });

  it('opens local hosts only by an entry with a port, also by name', async () => {
    const local = guard({ schemes: ['http'], privateHosts: ['localhost:11434', 'nas.lan:8080', '[::1]:9000'] }, new Names(() => ['192.168.1.5']));
    expect((await local.resolve('http://nas.lan:8080/')).value.addresses).toEqual(['192.168.1.5']);
    expect((await local.resolve('http://[::1]:9000/')).ok).toBe(true);
    for (const url of ['http://nas.lan/', 'http://localhost:22/', 'http://[::1]/', 'http://127.0.0.1:11434/']) expect((await local.resolve(url)).ok, url).toBe(false);
  });

  it('passes a name without a resolver only by the list of hosts', async () => {
    const alone = NetworkTargets.create(undefined, { hosts: ['example.com'] }).value;
    expect((await alone.resolve('https://example.com/')).value.addresses).toEqual([]);
    expect(await rule(NetworkTargets.create(undefined).value, 'https://example.com/')).toBe('url_no_resolver');
  });

  it('refuses settings that mean nothing', () => {
    const bad: NetworkOptions[] = [{ hosts: ['*'] }, { hosts: ['https://a.com'] }, { hosts: ['*.1.1.1.1'] }, { hosts: ['a.com:0'] }, { hosts: ['127.1'] }, { hosts: [5 as never] }, { hosts: ['127.0.0.1:11434'] }, { hosts: ['[::1]'] }, { hosts: ['localhost'] }, { hosts: ['*.lan'] }, { privateHosts: ['localhost'] }, { privateHosts: ['*.lan:80'] }, { maxRedirects: -1 }, { maxRedirects: NaN }, { maxRedirects: 1.5 }];
    for (const options of bad) expect(NetworkTargets.create(undefined, options).error.code, JSON.stringify(options)).toBe('config_invalid');
  });

  it('fails closed when the resolver fails, throws or answers nonsense', async () => {
    const answers = [() => [], () => { throw new Error('x'); }, () => undefined, () => 'x', () => [undefined], () => ['x'], () => ['fe80::1%eth0'], () => [PUBLIC, '127.0.0.1'], () => ['0x7f.1'], () => Result.failure(new HostLookupError('no')), () => Result.success('1.1.1.1')];
    for (const answer of answers) {
      const refusal = await guard({}, new Names(answer)).resolve('https://example.com/');
      expect([refusal.ok, refusal.ok ? '' : refusal.error.code], String(answer)).toEqual([false, 'tool_denied']);
    }
  });

  it('EXE-16 asks again at the time of use, so that a name that moved to a local address is refused', async () => {
    const rounds = [[PUBLIC], ['127.0.0.1']];
    const moving = guard({}, new Names(() => rounds.shift()));
    const first = (await moving.resolve('https://rebind.example.com/')).value;
    expect(first.addresses).toEqual([PUBLIC]);
    expect(await rule(moving, first.url)).toBe('url_private_address');
  });
});

describe('redirects', () => {
  async function hops(targets: NetworkTargets, start: string, ...locations: string[]): Promise<string> {
    let at = await targets.resolve(start);
    for (const location of locations) if (at.ok) at = await targets.checkRedirect(at.value, location);
    return at.ok ? at.value.url : String(at.error.details?.get('rule'));
  }

  it.each([
    ['/next', 'https://example.com:8443/next'], ['next', 'https://example.com:8443/a/next'], ['?x=1', 'https://example.com:8443/a/b?x=1'], ['//other.org/x', 'https://other.org/x'], ['https://other.org', 'https://other.org/'],
    ['#top', 'url_redirect_loop'], ['', 'url_redirect_loop'], ['../up', 'https://example.com:8443/a/../up'], ['/@127.0.0.1/', 'https://example.com:8443/@127.0.0.1/'], ['a:b', 'url_malformed'], ['//127.0.0.1/', 'url_private_address'],
    ['/\\127.0.0.1/', 'url_character'], ['https:/127.0.0.1', 'url_malformed'], ['javascript:alert(1)', 'url_malformed'], ['http://example.com/', 'url_redirect_downgrade'],
  ])('%j leads to %s', async (location, expected) => {
    expect(await hops(guard({ schemes: ['https', 'http'] }), 'https://example.com:8443/a/b?q=1', location)).toBe(expected);
  });

  it('counts hops and sees circles', async () => {
    expect(await hops(guard({ maxRedirects: 2 }), 'https://a.com/0', '/1', '/2')).toBe('https://a.com/2');
    expect(await hops(guard({ maxRedirects: 2 }), 'https://a.com/0', '/1', '/2', '/3')).toBe('url_redirect_limit');
    expect(await hops(guard({ maxRedirects: 0 }), 'https://a.com/0', '/1')).toBe('url_redirect_limit');
    expect(await hops(guard(), 'https://a.com/0', 'https://b.com/', 'https://a.com/0')).toBe('url_redirect_loop');
    expect(await hops(guard({ hosts: ['a.com'] }), 'https://a.com/', 'https://b.com/')).toBe('url_not_listed');
    expect(await hops(guard(), 'https://a.com/', undefined as never)).toBe('url_malformed');
  });

  it('tells the same origin from another', async () => {
    const targets = guard();
    const start = (await targets.resolve('https://a.com/')).value;
    expect(start.isSameOrigin((await targets.checkRedirect(start, '/x')).value)).toBe(true);
    expect(start.isSameOrigin((await targets.checkRedirect(start, 'https://a.com:8443/x')).value)).toBe(false);
    expect((await targets.checkRedirect(start, 'https://b.com/')).value.redirectedFrom).toEqual(['https://a.com/']);
  });
});
