import { BlockSecrets } from './BlockSecrets';
import { CharClass } from './CharClass';
import { KeyPrefix, KeyPrefixes } from './KeyPrefixes';
import { NamedValues } from './NamedValues';
import { Placeholder } from './Placeholder';
import { SecretScan } from './SecretMatch';

const CHINESE_NAMES: ReadonlySet<string> = new Set<string>(['密码', '口令', '密钥', '秘钥', '令牌']);
const MAX_WORD: number = 16384;
const KEY_LINE: string = '-----BEGIN';

/**
 * The shipped rules as one pass from left to right. Written by hand rather than as patterns: its time is linear for every input,
 * on every engine, and it can tell what at the end of a text is not decided yet.
 */
export class SecretScanner {
  /** Adds what it finds to the scan, in order. */
  run(scan: SecretScan): void {
    const text: string = scan.text;
    const length: number = text.length;
    let at: number = 0;
    while (at < length) {
      const code: number = text.charCodeAt(at);
      if (code === 0x20) {
        at++;
      } else if ((CharClass.of(code) & CharClass.ALNUM) !== 0) {
        at = this.word(scan, at);
      } else {
        at = this.mark(scan, at, code);
      }
    }
  }

  /** What may begin with a character that is neither letter nor digit. */
  private mark(scan: SecretScan, at: number, code: number): number {
    const text: string = scan.text;
    if (code === 0x5b) {
      return text.startsWith(Placeholder.OPENING, at) ? Math.max(at + 1, Placeholder.endAround(text, at)) : at + 1;
    }
    if (code === 0x2d) {
      return this.dashes(scan, at);
    }
    if (code === 0x3a && text.charCodeAt(at + 1) === 0x2f && text.charCodeAt(at + 2) === 0x2f) {
      const behind: number = BlockSecrets.userinfo(scan, at);
      return behind < 0 ? at + 3 : behind;
    }
    if (code === 0x5c) {
      return this.escape(scan, at);
    }
    if (code >= 0x4ee4 && CHINESE_NAMES.has(text.substring(at, at + 2))) {
      return NamedValues.scan(scan, at, at + 2);
    }
    return at + 1;
  }

  /**
   * In a text that was escaped once more, `\\nsk-…` is a line feed and a key, not a word that begins with n: the word behind the
   * escape counts too.
   */
  private escape(scan: SecretScan, at: number): number {
    const text: string = scan.text;
    let letter: number = at + 1;
    while (text.charCodeAt(letter) === 0x5c) {
      letter++;
    }
    const behind: number = escapeEnd(text, letter);
    if (behind === letter || (CharClass.of(text.charCodeAt(behind)) & CharClass.ALNUM) === 0) {
      return letter;
    }
    const known: number = scan.matches.length;
    const end: number = this.word(scan, behind);
    return scan.matches.length > known ? end : letter;
  }

  private dashes(scan: SecretScan, at: number): number {
    const end: number = CharClass.runEnd(scan.text, at, CharClass.JOINER);
    const behind: number = end - at < 5 ? -1 : BlockSecrets.pem(scan, end - 5);
    return behind < 0 ? end : behind;
  }

  private word(scan: SecretScan, start: number): number {
    const text: string = scan.text;
    let end: number = CharClass.runEnd(text, start, CharClass.WORD);
    if (end - start > KEY_LINE.length && text.charCodeAt(end) === 0x20 && text.startsWith(KEY_LINE, end - KEY_LINE.length)) {
      // The line of a key file in a text that was escaped: `\\n-----BEGIN …`.
      end -= KEY_LINE.length;
    }
    const found: number = end - start > MAX_WORD ? -1 : this.shaped(scan, start, end);
    if (found >= 0) {
      return found;
    }
    if (!mayBind(text, start, end)) {
      return end;
    }
    return NamedValues.scan(scan, start, end);
  }

  private shaped(scan: SecretScan, start: number, end: number): number {
    const text: string = scan.text;
    const prefix: KeyPrefix | undefined = KeyPrefixes.at(text, start);
    if (prefix !== undefined) {
      const keyEnd: number = KeyPrefixes.reach(text, start, prefix);
      if (scan.growing(keyEnd) || (prefix.dotted && scan.growing(keyEnd + 1))) {
        scan.hold(start);
        return text.length;
      }
      if (KeyPrefixes.isKey(text, start, keyEnd, end, prefix)) {
        scan.add(start, keyEnd, prefix.kind);
        return keyEnd;
      }
    }
    const chars: number = end - start;
    const first: number = text.charCodeAt(start);
    if (chars === 6 && (first | 0x20) === 0x62 && text.substring(start, end).toLowerCase() === 'bearer') {
      return BlockSecrets.bearer(scan, end);
    }
    if (chars >= 8 && chars <= 10 && text.charCodeAt(end) === 0x3a) {
      return BlockSecrets.botToken(scan, start, end);
    }
    if (first === 0x65) {
      const token: number = BlockSecrets.jwt(scan, start, end);
      if (token >= 0) {
        return token;
      }
    }
    return chars < 8 || chars > 32 ? -1 : BlockSecrets.idAndSecret(scan, start, end);
  }
}

/** Behind an escape whose letter stands here; the same place when it is none. */
function escapeEnd(text: string, letter: number): number {
  switch (text.charCodeAt(letter)) {
    case 0x6e:
    case 0x72:
    case 0x74:
    case 0x62:
    case 0x66:
      return letter + 1;
    case 0x75:
      return letter + 5 <= text.length && CharClass.isHex(text, letter + 1, letter + 5) ? letter + 5 : letter;
    default:
      return letter;
  }
}

/** Whether something that binds a value may follow a word: a quote, a separator, or one behind a few blanks. */
function mayBind(text: string, start: number, end: number): boolean {
  let at: number = end;
  while (at - end < 8 && text.charCodeAt(at) === 0x20) {
    at++;
  }
  const code: number = text.charCodeAt(at);
  if (code === 0x3a || code === 0x3d || code === 0xff1a || code === 0x662f || code === 0x4e3a) {
    return true;
  }
  if (at === end) {
    return code === 0x22 || code === 0x27 || code === 0x60 || code === 0x5c || code === 0x3e;
  }
  return text.startsWith('--', start - 2);
}
