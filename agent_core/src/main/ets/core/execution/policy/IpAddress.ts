const V4_PART: RegExp = new RegExp('^(0|[1-9][0-9]{0,2})$');
const V6_GROUP: RegExp = new RegExp('^[0-9a-f]{1,4}$');

/**
 * An IP address in its plain spelling. Everything else is refused rather than understood: no octal, hexadecimal, short or decimal
 * IPv4, no zone, because programs differ in how they read those. Immutable.
 */
export class IpAddress {
  /** Four bytes for IPv4, eight groups of 16 bits for IPv6. */
  readonly parts: ReadonlyArray<number>;
  /** The one spelling that RFC 5952 gives an address (an IPv4 address inside an IPv6 one in hexadecimal); no brackets. */
  readonly text: string;

  private constructor(parts: ReadonlyArray<number>, text: string) {
    this.parts = parts;
    this.text = text;
  }

  get isV4(): boolean {
    return this.parts.length === 4;
  }

  /** @returns undefined for anything that is no address in plain spelling. */
  static parse(text: string): IpAddress | undefined {
    if (typeof text !== 'string' || text.length > 45) {
      return undefined;
    }
    const lower: string = text.toLowerCase();
    const parts: number[] | undefined = lower.includes(':') ? parseV6(lower) : parseV4(lower);
    if (parts === undefined) {
      return undefined;
    }
    return new IpAddress(parts, parts.length === 4 ? lower : textOfV6(parts));
  }
}

function parseV4(text: string): number[] | undefined {
  const pieces: string[] = text.split('.');
  if (pieces.length !== 4) {
    return undefined;
  }
  const bytes: number[] = [];
  for (const piece of pieces) {
    if (!V4_PART.test(piece) || Number(piece) > 255) {
      return undefined;
    }
    bytes.push(Number(piece));
  }
  return bytes;
}

function parseV6(text: string): number[] | undefined {
  const gap: number = text.indexOf('::');
  if (gap < 0) {
    const all: number[] | undefined = groups(text, true);
    return all !== undefined && all.length === 8 ? all : undefined;
  }
  const head: number[] | undefined = groups(text.substring(0, gap), false);
  const tail: number[] | undefined = groups(text.substring(gap + 2), true);
  if (head === undefined || tail === undefined || head.length + tail.length > 7) {
    return undefined;
  }
  const zeros: number[] = new Array<number>(8 - head.length - tail.length).fill(0);
  return head.concat(zeros, tail);
}

/** The longest run of zeros, the first of equals, becomes `::`; a single zero stays. */
function textOfV6(parts: ReadonlyArray<number>): string {
  let start: number = -1;
  let length: number = 1;
  for (let i: number = 0; i < 8; i++) {
    let end: number = i;
    while (end < 8 && parts[end] === 0) {
      end++;
    }
    if (end - i > length) {
      start = i;
      length = end - i;
    }
  }
  const hex: string[] = parts.map<string>((part: number) => part.toString(16));
  return start < 0 ? hex.join(':') : `${hex.slice(0, start).join(':')}::${hex.slice(start + length).join(':')}`;
}

/** @param last whether the end may be an IPv4 address */
function groups(text: string, last: boolean): number[] | undefined {
  if (text === '') {
    return [];
  }
  const found: number[] = [];
  const pieces: string[] = text.split(':');
  for (let i: number = 0; i < pieces.length; i++) {
    if (V6_GROUP.test(pieces[i])) {
      found.push(parseInt(pieces[i], 16));
      continue;
    }
    const v4: number[] | undefined = last && i === pieces.length - 1 ? parseV4(pieces[i]) : undefined;
    if (v4 === undefined) {
      return undefined;
    }
    found.push(v4[0] * 256 + v4[1], v4[2] * 256 + v4[3]);
  }
  return found;
}
