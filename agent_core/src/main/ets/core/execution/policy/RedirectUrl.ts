/** Where a Location value leads, as text that `StrictUrl` checks. */
export class RedirectUrl {
  /** @param from a URL in the spelling of `StrictUrl.href` */
  static resolve(from: string, location: string): string {
    if (location.startsWith('//')) {
      return `${from.substring(0, from.indexOf(':'))}:${location}`;
    }
    const originEnd: number = from.indexOf('/', from.indexOf('://') + 3);
    const origin: string = from.substring(0, originEnd);
    if (location.startsWith('/')) {
      return `${origin}${location}`;
    }
    if (hasScheme(location)) {
      return location;
    }
    const query: number = from.indexOf('?');
    const path: string = from.substring(originEnd, query < 0 ? from.length : query);
    if (location === '' || location.startsWith('#')) {
      return from;
    }
    return location.startsWith('?') ? `${origin}${path}${location}` : `${origin}${path.substring(0, path.lastIndexOf('/') + 1)}${location}`;
  }
}

/** A colon before any slash, question mark or hash. */
function hasScheme(location: string): boolean {
  for (let i: number = 0; i < location.length; i++) {
    const character: string = location.charAt(i);
    if (character === ':') {
      return true;
    }
    if (character === '/' || character === '?' || character === '#') {
      return false;
    }
  }
  return false;
}
