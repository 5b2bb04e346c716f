import { IpAddress } from './IpAddress';
import { StrictUrl } from './StrictUrl';

/** A URL that was checked, with the addresses that were checked for it. Immutable. */
export class NetworkTarget {
  /** The URL in one spelling, without fragment: what the executor requests. */
  readonly url: string;
  readonly scheme: string;
  /** Lower case, without brackets. */
  readonly host: string;
  readonly port: number;
  /**
   * Connect to one of these and to nothing else, with `host` as the server's name: a second look-up could give another answer.
   * Empty when there was no resolver to ask; then the connection is as safe as the name service.
   */
  readonly addresses: ReadonlyArray<string>;
  /** The URLs before this one, from the first; empty when nothing was redirected. */
  readonly redirectedFrom: ReadonlyArray<string>;
  private readonly origin: string;

  constructor(url: StrictUrl, addresses: ReadonlyArray<IpAddress>, redirectedFrom: ReadonlyArray<string>) {
    this.url = url.href;
    this.scheme = url.scheme;
    this.host = url.host.text;
    this.port = url.port;
    this.origin = url.origin;
    this.addresses = addresses.map<string>((address: IpAddress) => address.text);
    this.redirectedFrom = redirectedFrom;
  }

  /** False: credentials and cookies of the other one must not be sent here. */
  isSameOrigin(other: NetworkTarget): boolean {
    return this.origin === other.origin;
  }
}
