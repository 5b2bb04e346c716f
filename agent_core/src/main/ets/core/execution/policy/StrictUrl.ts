import { Result } from '../../base/Result';
import { HostName } from './HostName';
import { UrlFault } from './UrlFault';

const MAX_CHARS: number = 8192;
const SCHEME: RegExp = new RegExp('^[a-z][a-z0-9+.-]*$');
const PORT: RegExp = new RegExp('^[1-9][0-9]{0,4}$');

/**
 * An absolute URL of the form `scheme://host[:port][/path][?query][#fragment]`, in the part of the grammar that every program reads
 * alike. The device has no URL class; and where two parsers could see two hosts, refusing is the only safe reading. Immutable.
 */
export class StrictUrl {
  /** Lower case. */
  readonly scheme: string;
  readonly host: HostName;
  /** With the scheme's default; 0 where the scheme has none and the URL names none. */
  readonly port: number;
  /** Path and query, starting with `/`; the fragment never goes to a server. */
  readonly target: string;

  private constructor(scheme: string, host: HostName, port: number, target: string) {
    this.scheme = scheme;
    this.host = host;
    this.port = port;
    this.target = target;
  }

  /** `scheme://host:port`, the port only where it is not the default. */
  get origin(): string {
    const port: string = this.port === StrictUrl.defaultPort(this.scheme) || this.port === 0 ? '' : `:${this.port}`;
    return `${this.scheme}://${this.host.authority}${port}`;
  }

  /** The URL in one spelling; request this one. */
  get href(): string {
    return `${this.origin}${this.target}`;
  }

  static parse(text: string): Result<StrictUrl, UrlFault> {
    if (typeof text !== 'string' || text === '' || text.length > MAX_CHARS) {
      return fail(UrlFault.malformed);
    }
    const fault: UrlFault | undefined = checkCharacters(text);
    if (fault !== undefined) {
      return fail(fault);
    }
    const mark: number = text.indexOf('://');
    const scheme: string = text.substring(0, Math.max(mark, 0)).toLowerCase();
    if (!SCHEME.test(scheme)) {
      return fail(UrlFault.malformed);
    }
    const start: number = mark + 3;
    const end: number = authorityEnd(text, start);
    const after: string = text.substring(end);
    if (text.lastIndexOf('@', end - 1) >= start || (!after.startsWith('/') && after.includes('@'))) {
      return fail(UrlFault.credentials);
    }
    return StrictUrl.assemble(scheme, text.substring(start, end), after);
  }

  /** 0 for a scheme that is not known. */
  static defaultPort(scheme: string): number {
    switch (scheme) {
      case 'https':
      case 'wss':
        return 443;
      case 'http':
      case 'ws':
        return 80;
      default:
        return 0;
    }
  }

  private static assemble(scheme: string, authority: string, after: string): Result<StrictUrl, UrlFault> {
    const split: number = portMark(authority);
    const hostText: string = split < 0 ? authority : authority.substring(0, split);
    if (hostText === '') {
      return fail(UrlFault.malformed);
    }
    const host: Result<HostName, UrlFault> = HostName.parse(hostText);
    if (!host.ok) {
      return host.recast<StrictUrl>();
    }
    let port: number = StrictUrl.defaultPort(scheme);
    if (split >= 0) {
      const digits: string = authority.substring(split + 1);
      if (!PORT.test(digits) || Number(digits) > 65535) {
        return fail(UrlFault.port);
      }
      port = Number(digits);
    }
    return Result.success<StrictUrl, UrlFault>(new StrictUrl(scheme, host.value, port, targetOf(after)));
  }
}

/** Visible characters without the backslash, which some parsers take for a slash; beyond ASCII only after the host. */
function checkCharacters(text: string): UrlFault | undefined {
  const hostEnd: number = authorityEnd(text, text.indexOf('://') + 3);
  for (let i: number = 0; i < text.length; i++) {
    const code: number = text.charCodeAt(i);
    if (code <= 0x20 || code === 0x5c || (code >= 0x7f && code < 0xa1)) {
      return UrlFault.character;
    }
    if (code > 0x7f && (i < hostEnd || isDoubtful(text, i, code))) {
      return i < hostEnd ? UrlFault.host : UrlFault.character;
    }
  }
  return undefined;
}

/** Half a surrogate pair, a separator, a mark of direction or of byte order. */
function isDoubtful(text: string, at: number, code: number): boolean {
  if (code >= 0xd800 && code <= 0xdbff) {
    const next: number = text.charCodeAt(at + 1);
    return !(next >= 0xdc00 && next <= 0xdfff);
  }
  if (code >= 0xdc00 && code <= 0xdfff) {
    const before: number = text.charCodeAt(at - 1);
    return !(before >= 0xd800 && before <= 0xdbff);
  }
  return (code >= 0x2000 && code <= 0x200f) || (code >= 0x2028 && code <= 0x202f) || (code >= 0x2060 && code <= 0x206f) ||
    code === 0x3000 || code === 0xfeff || code >= 0xfff0;
}

/** Where the host part ends: at the first `/`, `?` or `#`. */
function authorityEnd(text: string, start: number): number {
  for (let i: number = start; i < text.length; i++) {
    const character: string = text.charAt(i);
    if (character === '/' || character === '?' || character === '#') {
      return i;
    }
  }
  return text.length;
}

/** The colon before the port; -1 when there is none. */
function portMark(authority: string): number {
  return authority.indexOf(':', authority.startsWith('[') ? authority.indexOf(']') + 1 : 0);
}

function targetOf(after: string): string {
  const hash: number = after.indexOf('#');
  const target: string = hash < 0 ? after : after.substring(0, hash);
  return target.startsWith('/') ? target : `/${target}`;
}

function fail(fault: UrlFault): Result<StrictUrl, UrlFault> {
  return Result.failure<StrictUrl, UrlFault>(fault);
}
