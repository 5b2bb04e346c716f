import { CharClass } from './CharClass';
import { Credential } from './Credential';
import { SecretScan } from './SecretMatch';
import { NameMeaning, NamedSecret, SecretNames } from './SecretNames';

/** The colon of Chinese texts, and `is` and `equals` after a Chinese name. */
const COLONS: string = ':\uFF1A\u662F\u4E3A';
const MAX_GAP: number = 8;
const MAX_QUOTE_ESCAPES: number = 7;
/** UTF-16 code units of a value that are looked at. */
const MAX_VALUE: number = 16384;
const QUOTES: string = '"\'`';
const VALUE_ENDS: string = ',;"\'<>()]}`\\';
const MIN_OPAQUE: number = 16;
const MIN_LOOSE: number = 6;
const MIN_CREDENTIAL: number = 8;

/** How a name and its value are written. */
class Binding {
  /** First code unit of the value. */
  start: number = 0;
  /** Undefined when the value is not quoted. */
  quote: string = '';
  /** Backslashes before each quote: JSON within JSON. */
  escapes: number = 0;
  /** `name=value`, without blanks. */
  tight: boolean = false;
  colon: boolean = false;
  /** The name is an element beside the value: `["authorization", "…"]`. */
  pair: boolean = false;
}

/**
 * Secrets that only their name gives away: headers, JSON members, settings, query parameters, also inside of texts that were
 * escaped once more.
 */
export class NamedValues {
  /**
   * @param start where the name starts @param end behind it
   * @returns where to go on; `end` when the name says nothing
   */
  static scan(scan: SecretScan, start: number, end: number): number {
    const before: string = start > 0 ? scan.text.charAt(start - 1) : '';
    const name: string = scan.text.substring(start, Math.min(end, start + 80));
    const found: NamedSecret = SecretNames.meaning(name, before === '?' || before === '&');
    if (found.meaning === NameMeaning.nothing) {
      return end;
    }
    const binding: Binding | undefined = before === '<' ? element(scan.text, end) :
      bind(scan.text, end, before, scan.text.startsWith('--', start - 2));
    if (binding === undefined) {
      return end;
    }
    switch (found.meaning) {
      case NameMeaning.authorization:
        return NamedValues.authorization(scan, binding, found.kind, end);
      case NameMeaning.cookie:
        return binding.colon || binding.quote !== '' ? NamedValues.cookies(scan, binding, end) : end;
      default:
        return binding.pair && !name.toLowerCase().startsWith('x-') ? end :
          NamedValues.plain(scan, binding, found, before === '?' || before === '&', end, name);
    }
  }

  private static plain(scan: SecretScan, binding: Binding, found: NamedSecret, inQuery: boolean, nameEnd: number, name: string): number {
    const text: string = scan.text;
    const quoted: boolean = binding.quote !== '';
    const end: number = quoted ? quotedEnd(text, binding) : bareEnd(scan, binding.start, inQuery);
    if (scan.growing(end) && end - binding.start < MAX_VALUE) {
      scan.hold(binding.start);
      return end;
    }
    if (end <= binding.start || Credential.isReference(text, binding.start, end)) {
      return nameEnd;
    }
    const chars: number = end - binding.start;
    const mixed: boolean = Credential.isMixed(text, binding.start, end);
    const isCall: boolean = !quoted && text.charAt(end) === '(';
    let counts: boolean = false;
    if (found.meaning === NameMeaning.maybe) {
      counts = chars >= MIN_OPAQUE && mixed;
    } else if (quoted) {
      counts = true;
    } else {
      counts = binding.tight ? chars >= 4 : chars >= MIN_LOOSE && mixed;
    }
    if (!counts || isCall || (!quoted && name.toLowerCase().endsWith('pwd') && text.charAt(binding.start) === '/')) {
      return nameEnd;
    }
    scan.add(binding.start, end, found.kind);
    return end;
  }

  /** A scheme and a credential, or the credential alone. */
  private static authorization(scan: SecretScan, binding: Binding, kind: string, nameEnd: number): number {
    const text: string = scan.text;
    let start: number = binding.start;
    const schemeEnd: number = CharClass.runEnd(text, start, CharClass.WORD);
    const next: number = CharClass.runEnd(text, schemeEnd, CharClass.BLANK);
    if (schemeEnd > start && schemeEnd - start <= 24 && next > schemeEnd && next - schemeEnd <= MAX_GAP) {
      start = next;
    }
    const end: number = bareEnd(scan, start, false);
    if (scan.growing(end) && end - start < MAX_VALUE) {
      scan.hold(start);
      return end;
    }
    const counts: boolean = end - start >= MIN_CREDENTIAL && !Credential.isReference(text, start, end) &&
      Credential.isOpaque(text, start, end);
    if (!counts) {
      return nameEnd;
    }
    scan.add(start, end, kind);
    return end;
  }

  /** `sid=…; Path=/`: each value that looks like one, to the end of the line. */
  private static cookies(scan: SecretScan, binding: Binding, nameEnd: number): number {
    const text: string = scan.text;
    let at: number = binding.start;
    let last: number = nameEnd;
    while (at < text.length) {
      const nameStop: number = CharClass.runEnd(text, at, CharClass.WORD);
      if (text.charAt(nameStop) !== '=') {
        return last;
      }
      const end: number = bareEnd(scan, nameStop + 1, false);
      if (scan.growing(end)) {
        scan.hold(nameStop + 1);
        return end;
      }
      if (end - nameStop > MIN_CREDENTIAL && Credential.isMixed(text, nameStop + 1, end) &&
        !Credential.isReference(text, nameStop + 1, end)) {
        scan.add(nameStop + 1, end, 'cookie');
        last = end;
      }
      if (text.charAt(end) !== ';') {
        return last;
      }
      at = end + 1;
      while (text.charAt(at) === ' ') {
        at++;
      }
    }
    return last;
  }
}

/** `<password>…</password>` */
function element(text: string, nameEnd: number): Binding | undefined {
  if (text.charAt(nameEnd) !== '>') {
    return undefined;
  }
  const binding: Binding = new Binding();
  binding.start = nameEnd + 1;
  binding.tight = true;
  return binding;
}

/** Finds the value that belongs to a name which ends here; undefined when there is none. */
function bind(text: string, nameEnd: number, before: string, isOption: boolean): Binding | undefined {
  const binding: Binding = new Binding();
  let at: number = afterQuote(text, nameEnd);
  const nameQuoted: boolean = at > nameEnd && QUOTES.includes(before);
  if (at > nameEnd && !nameQuoted) {
    return undefined;
  }
  const gapStart: number = at;
  at = afterBlanks(text, at);
  const separator: string = text.charAt(at);
  if (separator === ',') {
    binding.pair = nameQuoted;
  } else if (COLONS.includes(separator) && separator !== '') {
    binding.colon = true;
  } else if (isOption && at > nameEnd && separator !== '=') {
    return open(text, at, binding);
  } else if (separator !== '=') {
    return undefined;
  }
  if (separator === ',' && !binding.pair) {
    return undefined;
  }
  binding.tight = separator === '=' && at === gapStart;
  at++;
  if (separator === '=' && text.charAt(at) === '>') {
    at++;
  }
  const valueGap: number = at;
  at = afterBlanks(text, at);
  binding.tight = binding.tight && at === valueGap;
  if (text.charAt(at) === '[') {
    const inner: number = afterBlanks(text, at + 1);
    at = afterQuote(text, inner) > inner ? inner : at;
  }
  return open(text, at, binding);
}

/** Steps over the opening quote of a value. */
function open(text: string, at: number, binding: Binding): Binding | undefined {
  const behind: number = afterQuote(text, at);
  if (behind > at) {
    binding.quote = text.charAt(behind - 1);
    binding.escapes = behind - 1 - at;
  } else if (binding.pair) {
    return undefined;
  }
  binding.start = behind;
  return binding;
}

/** Behind a quote and the backslashes before it; the same place when there is none. */
function afterQuote(text: string, at: number): number {
  let quote: number = at;
  while (quote - at < MAX_QUOTE_ESCAPES && text.charCodeAt(quote) === 0x5c) {
    quote++;
  }
  return quote < text.length && QUOTES.includes(text.charAt(quote)) ? quote + 1 : at;
}

function afterBlanks(text: string, from: number): number {
  let at: number = from;
  while (at - from < MAX_GAP && (text.charCodeAt(at) === 0x20 || text.charCodeAt(at) === 0x09)) {
    at++;
  }
  return at;
}

/** Where a quoted value ends: at its quote, escaped as often as the opening one, or at the end of the line. */
function quotedEnd(text: string, binding: Binding): number {
  const limit: number = Math.min(text.length, binding.start + MAX_VALUE);
  let at: number = binding.start;
  while (at < limit) {
    const code: number = text.charCodeAt(at);
    if (code === 0x0a || code === 0x0d) {
      return at;
    }
    let slashes: number = at;
    while (slashes < limit && text.charCodeAt(slashes) === 0x5c) {
      slashes++;
    }
    if (text.charAt(slashes) === binding.quote) {
      if (slashes - at <= binding.escapes) {
        return at;
      }
      slashes++;
    }
    at = Math.max(slashes, at + 1);
  }
  return limit;
}

/** Where a value without quotes ends; in a query also at `&` and `#`. */
function bareEnd(scan: SecretScan, start: number, inQuery: boolean): number {
  const known: number = inQuery ? -1 : scan.knownBareEnd(start);
  if (known >= 0) {
    return known;
  }
  const text: string = scan.text;
  let at: number = start;
  while (at < text.length && !endsValue(text, at, inQuery)) {
    at++;
  }
  if (!inQuery) {
    scan.rememberBare(start, at);
  }
  return at;
}

function endsValue(text: string, at: number, inQuery: boolean): boolean {
  const code: number = text.charCodeAt(at);
  const classes: number = CharClass.of(code);
  if ((classes & CharClass.WORD) !== 0) {
    return false;
  }
  return (classes & CharClass.BLANK) !== 0 || code > 0x7e || VALUE_ENDS.includes(text.charAt(at)) ||
    (inQuery && (code === 0x26 || code === 0x23));
}
