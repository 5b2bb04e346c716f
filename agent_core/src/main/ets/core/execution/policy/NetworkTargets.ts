import { ArkAgentError } from '../../base/ArkAgentError';
import { Result } from '../../base/Result';
import { HostLookupError, HostResolver } from '../../port/HostResolver';
import { ToolService } from '../../tool/ToolService';
import { AddressRanges } from './AddressRanges';
import { HostRules } from './HostRules';
import { IpAddress } from './IpAddress';
import { NetworkTarget } from './NetworkTarget';
import { PolicyDenial } from './PolicyDenial';
import { PortRules } from './PortRules';
import { RedirectUrl } from './RedirectUrl';
import { StrictUrl } from './StrictUrl';
import { UrlFault, urlSentence } from './UrlFault';

/** What may be reached. Every member is optional. */
export interface NetworkOptions {
  /** Default `https` alone. */
  schemes?: ReadonlyArray<string>;
  /** Hosts that may be reached: `example.com`, `*.example.com`, with `:port` for one port. Default: every public host. */
  hosts?: ReadonlyArray<string>;
  /** Hosts of the device or a local network that may be reached all the same, each with its port: `127.0.0.1:11434`. */
  privateHosts?: ReadonlyArray<string>;
  /** Default 80, 443 and those above 1023 without the ports of databases and the like. */
  ports?: ReadonlyArray<number>;
  /** Redirects that one request may follow; 0 to 20, default 5. */
  maxRedirects?: number;
}

/**
 * The hosts that tools may reach, and the one place that says where a URL leads. Register it as a tool service: an executor
 * requests `resolve(...).url`, connects to the addresses that come with it, follows no redirect by itself and asks
 * `checkRedirect` for each.
 */
export class NetworkTargets implements ToolService {
  static readonly SERVICE_ID: string = 'network.targets';
  /** What refusals name as `by`. */
  static readonly POLICY_NAME: string = 'network';
  static readonly DEFAULT_MAX_REDIRECTS: number = 5;
  static readonly MOST_REDIRECTS: number = 20;
  readonly serviceId: string = NetworkTargets.SERVICE_ID;
  private readonly resolver: HostResolver | undefined;
  private readonly schemes: ReadonlyArray<string>;
  private readonly hosts: HostRules | undefined;
  private readonly privateHosts: HostRules;
  private readonly ports: PortRules;
  private readonly maxRedirects: number;

  private constructor(resolver: HostResolver | undefined, hosts: HostRules | undefined, privateHosts: HostRules,
    options: NetworkOptions) {
    this.resolver = resolver;
    this.hosts = hosts;
    this.privateHosts = privateHosts;
    this.schemes = (options.schemes ?? ['https']).map<string>((scheme: string) => scheme.toLowerCase());
    this.ports = new PortRules(options.ports);
    this.maxRedirects = options.maxRedirects ?? NetworkTargets.DEFAULT_MAX_REDIRECTS;
  }

  /**
   * @param resolver undefined where addresses cannot be looked up: then names pass only by the list of hosts, with the trust that
   * these names lead where they say
   * Errors: config_invalid.
   */
  static create(resolver: HostResolver | undefined, options: NetworkOptions = {}): Result<NetworkTargets, ArkAgentError> {
    const redirects: number = options.maxRedirects ?? NetworkTargets.DEFAULT_MAX_REDIRECTS;
    if (!(Number.isInteger(redirects) && redirects >= 0 && redirects <= NetworkTargets.MOST_REDIRECTS)) {
      return Result.failure<NetworkTargets, ArkAgentError>(
        PolicyDenial.config(`maxRedirects must be a whole number from 0 to ${NetworkTargets.MOST_REDIRECTS}`));
    }
    const local: Result<HostRules, ArkAgentError> = HostRules.parse(options.privateHosts ?? [], true);
    if (!local.ok) {
      return local.recast<NetworkTargets>();
    }
    if (options.hosts === undefined) {
      return Result.success<NetworkTargets, ArkAgentError>(new NetworkTargets(resolver, undefined, local.value, options));
    }
    const hosts: Result<HostRules, ArkAgentError> = HostRules.parse(options.hosts, false);
    return hosts.ok
      ? Result.success<NetworkTargets, ArkAgentError>(new NetworkTargets(resolver, hosts.value, local.value, options))
      : hosts.recast<NetworkTargets>();
  }

  /**
   * Where a URL leads, when it may be requested.
   *
   * Errors: tool_denied with `by` and `rule` (a `UrlFault`) in the details; the message names neither host nor address. Never
   * rejects.
   */
  async resolve(url: string): Promise<Result<NetworkTarget, ArkAgentError>> {
    return answer(await this.check(url, []));
  }

  /**
   * Where the next request goes after a redirect; send no credentials on when `isSameOrigin` is false.
   *
   * Errors: as `resolve`, and for too many redirects, a circle, or a step from https to http.
   */
  async checkRedirect(from: NetworkTarget, location: string): Promise<Result<NetworkTarget, ArkAgentError>> {
    if (from.redirectedFrom.length >= this.maxRedirects) {
      return answer(fail(UrlFault.redirectLimit));
    }
    if (typeof location !== 'string') {
      return answer(fail(UrlFault.malformed));
    }
    const seen: string[] = from.redirectedFrom.concat([from.url]);
    const next: Result<NetworkTarget, UrlFault> = await this.check(RedirectUrl.resolve(from.url, location), seen);
    if (!next.ok) {
      return answer(next);
    }
    if (seen.includes(next.value.url)) {
      return answer(fail(UrlFault.redirectLoop));
    }
    const weaker: boolean = from.scheme !== next.value.scheme && (from.scheme === 'https' || from.scheme === 'wss');
    return answer(weaker ? fail(UrlFault.redirectDowngrade) : next);
  }

  /** As `resolve`; also takes a host with or without port, as with the first allowed scheme. @internal */
  checkHost(host: string): Promise<Result<NetworkTarget, UrlFault>> {
    const bare: boolean = typeof host === 'string' && !host.includes('/') && !host.includes('?') && !host.includes('#');
    return this.check(bare ? `${this.schemes[0] ?? ''}://${host}/` : host, []);
  }

  private async check(text: string, seen: ReadonlyArray<string>): Promise<Result<NetworkTarget, UrlFault>> {
    const parsed: Result<StrictUrl, UrlFault> = StrictUrl.parse(text);
    if (!parsed.ok) {
      return parsed.recast<NetworkTarget>();
    }
    const url: StrictUrl = parsed.value;
    const local: boolean = this.privateHosts.matches(url.host, url.port);
    const fault: UrlFault | undefined = this.faultOf(url, local);
    if (fault !== undefined) {
      return fail(fault);
    }
    if (url.host.address !== undefined) {
      return local || AddressRanges.isPublic(url.host.address)
        ? Result.success<NetworkTarget, UrlFault>(new NetworkTarget(url, [url.host.address], seen)) : fail(UrlFault.privateAddress);
    }
    if (this.resolver === undefined) {
      return local || this.hosts !== undefined
        ? Result.success<NetworkTarget, UrlFault>(new NetworkTarget(url, [], seen)) : fail(UrlFault.noResolver);
    }
    return this.lookUp(this.resolver, url, local, seen);
  }

  /** All that can be said without a look-up. */
  private faultOf(url: StrictUrl, local: boolean): UrlFault | undefined {
    if (!this.schemes.includes(url.scheme)) {
      return UrlFault.scheme;
    }
    if (local) {
      return undefined;
    }
    if (url.host.isSpecial) {
      return UrlFault.specialName;
    }
    if (url.host.address !== undefined && !AddressRanges.isPublic(url.host.address)) {
      return UrlFault.privateAddress;
    }
    if (!this.ports.allows(url.port)) {
      return UrlFault.port;
    }
    return this.hosts === undefined || this.hosts.matches(url.host, url.port) ? undefined : UrlFault.notListed;
  }

  private async lookUp(resolver: HostResolver, url: StrictUrl, local: boolean,
    seen: ReadonlyArray<string>): Promise<Result<NetworkTarget, UrlFault>> {
    const addresses: IpAddress[] = [];
    try {
      const answers: Result<ReadonlyArray<string>, HostLookupError> = await resolver.lookup(url.host.text);
      for (const text of answers.ok ? answers.value : []) {
        const address: IpAddress | undefined = IpAddress.parse(text);
        if (address === undefined || !(local || AddressRanges.isPublic(address))) {
          return fail(UrlFault.privateAddress);
        }
        addresses.push(address);
      }
    } catch (e) {
      return fail(UrlFault.unresolved);
    }
    return addresses.length === 0 ? fail(UrlFault.unresolved)
      : Result.success<NetworkTarget, UrlFault>(new NetworkTarget(url, addresses, seen));
  }
}

function fail(fault: UrlFault): Result<NetworkTarget, UrlFault> {
  return Result.failure<NetworkTarget, UrlFault>(fault);
}

function answer(checked: Result<NetworkTarget, UrlFault>): Result<NetworkTarget, ArkAgentError> {
  if (checked.ok) {
    return Result.success<NetworkTarget, ArkAgentError>(checked.value);
  }
  return Result.failure<NetworkTarget, ArkAgentError>(
    PolicyDenial.of(NetworkTargets.POLICY_NAME, checked.error, `the URL ${urlSentence(checked.error)}`));
}
