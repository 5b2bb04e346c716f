import { Result } from '../../base/Result';
import { IpAddress } from './IpAddress';
import { UrlFault } from './UrlFault';

const LABEL: RegExp = new RegExp('^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?$');
/** What the URL standard takes for a part of an IPv4 address. */
const NUMBER_LABEL: RegExp = new RegExp('^([0-9]+|0x[0-9a-f]*)$');
/** Zones that never belong to the public internet, by standard or by custom. */
const SPECIAL_ZONES: ReadonlyArray<string> = [
  'localhost', 'localdomain', 'local', 'internal', 'intranet', 'lan', 'home', 'home.arpa', 'corp', 'private', 'svc',
  'cluster.local', 'test', 'invalid', 'onion', 'alt', 'in-addr.arpa', 'ip6.arpa'
];

/** The host of a URL: a name or an address, in one spelling. Immutable. */
export class HostName {
  /** Lower case, without a dot at the end; an IPv6 address without brackets. */
  readonly text: string;
  readonly address: IpAddress | undefined;

  private constructor(text: string, address: IpAddress | undefined) {
    this.text = text;
    this.address = address;
  }

  /** As it stands in a URL. */
  get authority(): string {
    return this.text.includes(':') ? `[${this.text}]` : this.text;
  }

  /** A name without a dot or in a zone of local networks. */
  get isSpecial(): boolean {
    if (this.address !== undefined) {
      return false;
    }
    return !this.text.includes('.') || SPECIAL_ZONES.some((zone: string) => this.text.endsWith(`.${zone}`));
  }

  /** @param text as in a URL, IPv6 in brackets */
  static parse(text: string): Result<HostName, UrlFault> {
    if (text.startsWith('[')) {
      const inside: IpAddress | undefined = text.endsWith(']') && text.includes(':')
        ? IpAddress.parse(text.substring(1, text.length - 1)) : undefined;
      return inside === undefined ? fail(UrlFault.addressForm)
        : Result.success<HostName, UrlFault>(new HostName(inside.text, inside));
    }
    const lower: string = text.toLowerCase();
    const name: string = lower.endsWith('.') ? lower.substring(0, lower.length - 1) : lower;
    if (name === '' || name.length > 253) {
      return fail(UrlFault.host);
    }
    const labels: string[] = name.split('.');
    if (NUMBER_LABEL.test(labels[labels.length - 1])) {
      const address: IpAddress | undefined = IpAddress.parse(lower);
      return address === undefined ? fail(UrlFault.addressForm)
        : Result.success<HostName, UrlFault>(new HostName(address.text, address));
    }
    return labels.every(isLabel) ? Result.success<HostName, UrlFault>(new HostName(name, undefined)) : fail(UrlFault.host);
  }
}

/** Letters, digits and inner hyphens; that also refuses an `xn--` label that stands for plain letters, such as `xn--localhost-`. */
function isLabel(label: string): boolean {
  return label.length <= 63 && LABEL.test(label);
}

function fail(fault: UrlFault): Result<HostName, UrlFault> {
  return Result.failure<HostName, UrlFault>(fault);
}
