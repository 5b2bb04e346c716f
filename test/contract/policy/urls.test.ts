import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { Result } from '@core/base/Result';
import type { ArkAgentError } from '@core/base/ArkAgentError';
import { AddressRanges } from '@core/execution/policy/AddressRanges';
import { IpAddress } from '@core/execution/policy/IpAddress';
import type { NetworkTarget } from '@core/execution/policy/NetworkTarget';
import { NetworkTargets, type NetworkOptions } from '@core/execution/policy/NetworkTargets';
import { HostLookupError, type HostResolver } from '@core/port/HostResolver';

interface UrlCase {
  id: string;
  url: string;
  verdict: 'allow' | 'deny' | 'either';
  kind: string;
  why: string;
  resolvesTo?: string[];
  redirects?: string[];
}

const FILE = fileURLToPath(new URL('../../../../shared/data/policy/urls.json', import.meta.url));
const cases: UrlCase[] = existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : [];
const SCHEMES = ['https', 'http'];

/** Answers in turn; the last one stays. */
class Answers implements HostResolver {
  constructor(private readonly rounds: string[][]) {}

  async lookup(): Promise<Result<readonly string[], HostLookupError>> {
    const answer = this.rounds.length > 1 ? this.rounds.shift() : this.rounds[0];
    return answer === undefined || answer.length === 0
      ? Result.failure<readonly string[], HostLookupError>(new HostLookupError('lookup: none')) : Result.success<readonly string[], HostLookupError>(answer);
  }
}

function targets(one: UrlCase, options: NetworkOptions = {}): NetworkTargets {
  const rounds = [one.resolvesTo ?? []];
  if (one.id === 'dns-rebind') rounds.push(['127.0.0.1']);
  return NetworkTargets.create(new Answers(rounds), { schemes: SCHEMES, ...options }).value;
}

/** What policy, executor and its redirects do together: the question, the look-up before the connection, each hop. */
async function request(guard: NetworkTargets, one: UrlCase): Promise<Result<NetworkTarget, ArkAgentError>> {
  let at = await guard.resolve(one.url);
  if (at.ok) at = await guard.resolve(one.url);
  for (const location of one.redirects ?? []) if (at.ok) at = await guard.checkRedirect(at.value, location);
  return at;
}

describe.skipIf(cases.length === 0)('EXE-16 attack URLs (needs ../shared/data)', () => {
  it.each(cases.map((one) => [one.id, one.verdict, one] as const))('%s: %s', async (_id, verdict, one) => {
    const answer = await request(targets(one), one);
    if (verdict === 'deny') expect(answer.ok, one.why).toBe(false);
    if (verdict === 'allow') expect(answer.ok, one.why).toBe(true);
    if (!answer.ok) {
      expect(answer.error.code).toBe('tool_denied');
      if (one.url.length > 8) expect(answer.error.message).not.toContain(one.url);
      return;
    }
    expect(answer.value.addresses.length).toBeGreaterThan(0);
    expect(answer.value.addresses.every((text) => AddressRanges.isPublic(IpAddress.parse(text)!)), one.why).toBe(true);
    // What is handed on must mean the same host to the parser of the platform.
    const seen = new URL(answer.value.url);
    expect(seen.hostname.replace(/^\[|\]$/g, '')).toBe(answer.value.host);
    expect([seen.protocol, seen.username, Number(seen.port || 0)]).toEqual([`${answer.value.scheme}:`, '', [80, 443].includes(answer.value.port) ? 0 : answer.value.port]);
  });

  it('allow-local: only the entry with its port opens a local address', async () => {
    const one = cases.find((candidate) => candidate.id === 'allow-local')!;
    const guard = targets(one, { privateHosts: ['127.0.0.1:11434'] });
    expect((await guard.resolve(one.url)).ok).toBe(true);
    expect((await guard.resolve('http://127.0.0.1:22/')).ok).toBe(false);
    expect((await guard.resolve('http://127.0.0.1/')).ok).toBe(false);
  });
});
