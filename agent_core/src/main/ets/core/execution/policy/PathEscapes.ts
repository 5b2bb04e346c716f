const PERCENT: number = 0x25;

/** Full-width and other forms of dot, slash and backslash. */
const LOOK_ALIKES: ReadonlySet<number> = new Set<number>([
  0x2024, 0x2025, 0x2044, 0x2215, 0x2216, 0x29f5, 0x29f8, 0x29f9, 0xfe52, 0xfe68, 0xff0e, 0xff0f, 0xff3c
]);

/**
 * Percent escapes in a path. They are never decoded for use; they are read so that a name which another program could decode into
 * a dot, separator or control character is refused, also as over-long UTF-8 or encoded twice.
 */
export class PathEscapes {
  static isSuspicious(path: string): boolean {
    let i: number = path.indexOf('%');
    while (i >= 0) {
      const end: number = runEnd(path, i);
      if (end > i) {
        if (hidesSomething(bytesOf(path, i, end))) {
          return true;
        }
      } else if (isUnicodeEscape(path, i)) {
        return true;
      }
      i = path.indexOf('%', Math.max(end, i + 1));
    }
    return false;
  }
}

/** The end of a run of `%XX`. */
function runEnd(path: string, start: number): number {
  let i: number = start;
  while (path.charCodeAt(i) === PERCENT && hex(path, i + 1) >= 0 && hex(path, i + 2) >= 0) {
    i += 3;
  }
  return i;
}

function bytesOf(path: string, start: number, end: number): number[] {
  const bytes: number[] = [];
  for (let i: number = start; i < end; i += 3) {
    bytes.push(hex(path, i + 1) * 16 + hex(path, i + 2));
  }
  return bytes;
}

/** `%uXXXX`, a form of old servers. */
function isUnicodeEscape(path: string, at: number): boolean {
  const mark: string = path.charAt(at + 1);
  return (mark === 'u' || mark === 'U') && hex(path, at + 2) >= 0 && hex(path, at + 3) >= 0;
}

function hex(text: string, at: number): number {
  const code: number = text.charCodeAt(at);
  if (code >= 0x30 && code <= 0x39) {
    return code - 0x30;
  }
  const lower: number = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

/** Ill-formed bytes, over-long forms, and characters that mean something in a path. */
function hidesSomething(bytes: ReadonlyArray<number>): boolean {
  let i: number = 0;
  while (i < bytes.length) {
    const lead: number = bytes[i];
    const more: number = lead < 0x80 ? 0 : lead < 0xc2 ? -1 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : lead < 0xf5 ? 3 : -1;
    if (more < 0 || i + more >= bytes.length) {
      return true;
    }
    let point: number = more === 0 ? lead : lead & (0x3f >> more);
    for (let k: number = 1; k <= more; k++) {
      if ((bytes[i + k] & 0xc0) !== 0x80) {
        return true;
      }
      point = point * 64 + (bytes[i + k] & 0x3f);
    }
    if (!isCodePoint(point, more) || meansSomething(point)) {
      return true;
    }
    i += more + 1;
  }
  return false;
}

/** In its shortest form, no surrogate, in range. */
function isCodePoint(point: number, more: number): boolean {
  if (more === 2) {
    return point >= 0x800 && (point < 0xd800 || point > 0xdfff);
  }
  return more !== 3 || (point >= 0x10000 && point <= 0x10ffff);
}

function meansSomething(point: number): boolean {
  if (point < 0x20 || (point >= 0x7f && point < 0xa0)) {
    return true;
  }
  if (point < 0x80) {
    return '%./\\:~$'.includes(String.fromCharCode(point));
  }
  return LOOK_ALIKES.has(point);
}
