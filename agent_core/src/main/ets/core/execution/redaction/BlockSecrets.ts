import { CharClass } from './CharClass';
import { Credential } from './Credential';
import { SecretScan } from './SecretMatch';

const PEM_OPENING: string = '-----BEGIN ';
const PEM_CLOSING: string = '-----END ';
const MAX_PEM_TITLE: number = 64;
const MAX_USERINFO: number = 512;
const HEX_HALF: number = 32;
const MIN_HALF: number = 16;
const MAX_HALF: number = 40;
const MIN_JWT_PART: number = 10;
const BOT_SECRET: number = 35;
const MIN_BEARER: number = 16;
/** Letters, digits, `_` and `-`, as in `CharClass.WORD`. */
const TOKEN_EXTRA: string = '._~+/=';
const URL_ENDS: string = '/?#"\'<>\\`|{}()[],;';

/** Secrets that their shape gives away. Each method gives the place where the scan goes on, or -1 when there is none. */
export class BlockSecrets {
  /** A private key between its two lines; without the second one as far as the block goes. */
  static pem(scan: SecretScan, start: number): number {
    const text: string = scan.text;
    if (!text.startsWith(PEM_OPENING, start)) {
      return -1;
    }
    const titleEnd: number = text.indexOf('-----', start + PEM_OPENING.length);
    if (titleEnd < 0 || titleEnd - start > MAX_PEM_TITLE) {
      if (!scan.final && text.length - start <= MAX_PEM_TITLE) {
        scan.hold(start);
      }
      return -1;
    }
    if (!text.substring(start, titleEnd).endsWith('PRIVATE KEY')) {
      return -1;
    }
    const bodyEnd: number = pemBodyEnd(text, titleEnd + 5);
    let end: number = bodyEnd;
    if (text.startsWith(PEM_CLOSING, bodyEnd)) {
      const closed: number = text.indexOf('-----', bodyEnd + PEM_CLOSING.length);
      end = closed < 0 || closed - bodyEnd > MAX_PEM_TITLE ? bodyEnd : closed + 5;
    }
    if (scan.growing(end) || (!scan.final && text.length - end < MAX_PEM_TITLE && end === bodyEnd)) {
      scan.hold(start);
      return text.length;
    }
    scan.add(start, end, 'private-key');
    return end;
  }

  /** The password of `scheme://user:password@host`. @param colon the place of `://` */
  static userinfo(scan: SecretScan, colon: number): number {
    const text: string = scan.text;
    const start: number = colon + 3;
    const limit: number = Math.min(text.length, start + MAX_USERINFO);
    let password: number = -1;
    let end: number = -1;
    let at: number = start;
    while (at < limit) {
      const code: number = text.charCodeAt(at);
      if (code <= 0x20 || code > 0x7e || URL_ENDS.includes(text.charAt(at))) {
        break;
      }
      if (code === 0x3a && password < 0) {
        password = at + 1;
      }
      if (code === 0x40) {
        end = at;
      }
      at++;
    }
    if (scan.growing(at) && password >= 0 && end < 0) {
      scan.hold(password);
      return -1;
    }
    if (password < 0 || end <= password || Credential.isReference(text, password, end)) {
      return -1;
    }
    scan.add(password, end, 'password');
    return end;
  }

  /** `header.body.signature`, each in base64url. @param wordEnd where the header ends */
  static jwt(scan: SecretScan, start: number, wordEnd: number): number {
    const text: string = scan.text;
    if (!text.startsWith('eyJ', start)) {
      return -1;
    }
    const bodyEnd: number = partEnd(text, wordEnd);
    const end: number = bodyEnd < 0 ? -1 : partEnd(text, bodyEnd);
    const reached: number = end >= 0 ? end : (bodyEnd >= 0 ? bodyEnd : wordEnd);
    if (scan.growing(reached) || scan.growing(reached + 1)) {
      scan.hold(start);
      return text.length;
    }
    const whole: boolean = end >= 0 && wordEnd - start >= MIN_JWT_PART && bodyEnd - wordEnd > MIN_JWT_PART &&
      end - bodyEnd > MIN_JWT_PART;
    if (!whole) {
      return -1;
    }
    scan.add(start, end, 'jwt');
    return end;
  }

  /** 32 hexadecimal digits, a dot and 16 or more letters and digits: an id with its secret. */
  static idAndSecret(scan: SecretScan, start: number, wordEnd: number): number {
    const text: string = scan.text;
    const chars: number = wordEnd - start;
    if (chars > HEX_HALF || !CharClass.isHex(text, start, wordEnd)) {
      return -1;
    }
    if (chars < HEX_HALF || text.charAt(wordEnd) !== '.') {
      if (scan.growing(wordEnd) && chars >= 8 && Credential.isMixed(text, start, wordEnd)) {
        scan.hold(start);
      }
      return -1;
    }
    const end: number = CharClass.runEnd(text, wordEnd + 1, CharClass.ALNUM);
    if (scan.growing(end)) {
      scan.hold(start);
      return text.length;
    }
    const half: number = end - wordEnd - 1;
    if (half < MIN_HALF || half > MAX_HALF) {
      return -1;
    }
    scan.add(start, end, 'api-key');
    return end;
  }

  /** A number of 8 to 10 digits, a colon and 35 characters: the token of a chat bot. */
  static botToken(scan: SecretScan, start: number, wordEnd: number): number {
    const text: string = scan.text;
    if (CharClass.runEnd(text, start, CharClass.DIGIT) !== wordEnd) {
      return -1;
    }
    const end: number = CharClass.runEnd(text, wordEnd + 1, CharClass.WORD);
    if (scan.growing(end) && end - wordEnd <= BOT_SECRET + 1) {
      scan.hold(start);
      return text.length;
    }
    if (end - wordEnd !== BOT_SECRET + 1) {
      return -1;
    }
    scan.add(start, end, 'token');
    return end;
  }

  /** `Bearer` and an opaque token, without the header around it. @param wordEnd behind `Bearer` */
  static bearer(scan: SecretScan, wordEnd: number): number {
    const text: string = scan.text;
    if (text.charCodeAt(wordEnd) !== 0x20) {
      return -1;
    }
    const start: number = wordEnd + 1;
    let end: number = start;
    while (end < text.length && ((CharClass.of(text.charCodeAt(end)) & CharClass.WORD) !== 0 ||
      TOKEN_EXTRA.includes(text.charAt(end)))) {
      end++;
    }
    if (scan.growing(end)) {
      scan.hold(start);
      return -1;
    }
    while (end > start && text.charCodeAt(end - 1) === 0x2e) {
      end--;
    }
    if (end - start < MIN_BEARER || !Credential.isMixed(text, start, end)) {
      return -1;
    }
    scan.add(start, end, 'credential');
    return end;
  }
}

/** Behind `.` and a base64url part; -1 when there is none. */
function partEnd(text: string, dot: number): number {
  if (text.charCodeAt(dot) !== 0x2e) {
    return -1;
  }
  const end: number = CharClass.runEnd(text, dot + 1, CharClass.WORD);
  return end > dot + 1 ? end : -1;
}

/** Base64, line ends (also escaped ones) and the header lines of old key files. */
function pemBodyEnd(text: string, from: number): number {
  let at: number = from;
  while (at < text.length) {
    const code: number = text.charCodeAt(at);
    const classes: number = CharClass.of(code);
    const isBody: boolean = (classes & (CharClass.ALNUM | CharClass.BLANK)) !== 0 || '+/=\\:,'.includes(text.charAt(at)) ||
      (code === 0x2d && !text.startsWith('-----', at));
    if (!isBody) {
      return at;
    }
    at++;
  }
  return at;
}
