import { IpAddress } from './IpAddress';

/** A block of IPv4 addresses: base and the number of leading bits that count. */
interface V4Block {
  base: number;
  bits: number;
}

/** Special-purpose blocks after the IANA registry, and what clouds use for their machines' own data. */
const V4_SPECIAL: ReadonlyArray<V4Block> = [
  block(0, 0, 0, 0, 8), block(10, 0, 0, 0, 8), block(100, 64, 0, 0, 10), block(127, 0, 0, 0, 8), block(168, 63, 129, 16, 32),
  block(169, 254, 0, 0, 16), block(172, 16, 0, 0, 12), block(192, 0, 0, 0, 24), block(192, 0, 2, 0, 24),
  block(192, 88, 99, 0, 24), block(192, 168, 0, 0, 16), block(198, 18, 0, 0, 15), block(198, 51, 100, 0, 24),
  block(203, 0, 113, 0, 24), block(224, 0, 0, 0, 3)
];

/** Which addresses belong to the public internet. */
export class AddressRanges {
  /** False for every private, local, reserved or special address; an IPv4 address inside an IPv6 one is judged as itself. */
  static isPublic(address: IpAddress): boolean {
    return address.isV4 ? isPublicV4(v4Number(address.parts)) : isPublicV6(address.parts);
  }
}

function block(a: number, b: number, c: number, d: number, bits: number): V4Block {
  return { base: v4Number([a, b, c, d]), bits: bits };
}

function v4Number(bytes: ReadonlyArray<number>): number {
  return ((bytes[0] * 256 + bytes[1]) * 256 + bytes[2]) * 256 + bytes[3];
}

function isPublicV4(address: number): boolean {
  for (const special of V4_SPECIAL) {
    const size: number = Math.pow(2, 32 - special.bits);
    if (address >= special.base && address < special.base + size) {
      return false;
    }
  }
  return true;
}

function inner(high: number, low: number): boolean {
  return isPublicV4(high * 65536 + low);
}

function isPublicV6(g: ReadonlyArray<number>): boolean {
  if (allZero(g, 0, 5) && (g[5] === 0xffff || g[5] === 0)) {
    // Mapped and compatible; :: and ::1 are 0.0.0.0 and 0.0.0.1 here, which are special as well.
    return inner(g[6], g[7]);
  }
  if (g[0] === 0x64 && g[1] === 0xff9b) {
    // NAT64: the well-known prefix is judged by what is inside, the local one is local.
    return allZero(g, 2, 6) && inner(g[6], g[7]);
  }
  if ((g[0] & 0xe000) !== 0x2000) {
    return false;
  }
  if ((g[4] & 0xfdff) === 0 && g[5] === 0x5efe && !inner(g[6], g[7])) {
    // ISATAP carries an IPv4 address of the site in any prefix.
    return false;
  }
  if (g[0] === 0x2002) {
    return inner(g[1], g[2]);
  }
  if (g[0] === 0x2001 && g[1] === 0) {
    // Teredo: the server as it is, the client with all bits inverted.
    return inner(g[2], g[3]) && inner(g[6] ^ 0xffff, g[7] ^ 0xffff);
  }
  const special: boolean = (g[0] === 0x2001 && (g[1] < 0x200 || g[1] === 0xdb8)) || (g[0] === 0x3fff && g[1] < 0x1000);
  return !special;
}

function allZero(g: ReadonlyArray<number>, from: number, to: number): boolean {
  for (let i: number = from; i < to; i++) {
    if (g[i] !== 0) {
      return false;
    }
  }
  return true;
}
