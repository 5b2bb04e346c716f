/** UTF-8 for test doubles that have to cut texts at any byte. */
export class Utf8Bytes {
  static encode(text: string): Uint8Array {
    const bytes: number[] = [];
    for (const character of text) {
      Utf8Bytes.push(bytes, character.codePointAt(0) as number);
    }
    return Uint8Array.from(bytes);
  }

  /** Ill-formed bytes become U+FFFD. */
  static decode(bytes: Uint8Array): string {
    const pieces: string[] = [];
    let at: number = 0;
    while (at < bytes.length) {
      const length: number = Utf8Bytes.sequence(bytes, at);
      pieces.push(length === 0 ? '\ufffd' : String.fromCodePoint(Utf8Bytes.point(bytes, at, length)));
      at += Math.max(length, 1);
    }
    return pieces.join('');
  }

  private static push(bytes: number[], point: number): void {
    const scalar: number = point >= 0xd800 && point <= 0xdfff ? 0xfffd : point;
    if (scalar < 0x80) {
      bytes.push(scalar);
    } else if (scalar < 0x800) {
      bytes.push(0xc0 | (scalar >> 6), 0x80 | (scalar & 0x3f));
    } else if (scalar < 0x10000) {
      bytes.push(0xe0 | (scalar >> 12), 0x80 | ((scalar >> 6) & 0x3f), 0x80 | (scalar & 0x3f));
    } else {
      bytes.push(0xf0 | (scalar >> 18), 0x80 | ((scalar >> 12) & 0x3f), 0x80 | ((scalar >> 6) & 0x3f), 0x80 | (scalar & 0x3f));
    }
  }

  /** @returns bytes of the sequence that begins here, 0 when it is ill-formed */
  private static sequence(bytes: Uint8Array, at: number): number {
    const lead: number = bytes[at];
    const length: number = lead < 0x80 ? 1 : lead >= 0xf0 && lead < 0xf5 ? 4 : lead >= 0xe0 && lead < 0xf0 ? 3 : lead >= 0xc2 && lead < 0xe0 ? 2 : 0;
    for (let i: number = 1; i < length; i++) {
      if (at + i >= bytes.length || (bytes[at + i] & 0xc0) !== 0x80) {
        return 0;
      }
    }
    return length;
  }

  private static point(bytes: Uint8Array, at: number, length: number): number {
    let point: number = length === 1 ? bytes[at] : bytes[at] & (0xff >> (length + 1));
    for (let i: number = 1; i < length; i++) {
      point = (point << 6) | (bytes[at + i] & 0x3f);
    }
    return point;
  }
}
