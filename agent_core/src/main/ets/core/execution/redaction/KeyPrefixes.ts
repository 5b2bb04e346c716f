import { CharClass } from './CharClass';

/** A key that its issuer marks with a prefix. */
export interface KeyPrefix {
  prefix: string;
  kind: string;
  /** Characters after the prefix, at least. */
  minChars: number;
  /** Letters and digits in a row, at least: `sk-fading-circle` is a class of a style sheet. */
  minRun: number;
  /** Classes that the rest may consist of. */
  classes: number;
  /** Ends after this many characters; 0 = wherever the run ends. */
  exactly: number;
  /** Goes on behind single dots and slashes. */
  dotted: boolean;
}

const API_KEY: string = 'api-key';
const CLOUD_KEY: string = 'cloud-key';
const UPPER_DIGIT: number = 5;
const MAX_PARTS: number = 4;

function key(prefix: string, minChars: number, minRun: number): KeyPrefix {
  const made: KeyPrefix = {
    prefix: prefix, kind: API_KEY, minChars: minChars, minRun: minRun, classes: CharClass.WORD, exactly: 0, dotted: false
  };
  return made;
}

function cloud(prefix: string, minChars: number, exactly: number, classes: number): KeyPrefix {
  const made: KeyPrefix = {
    prefix: prefix, kind: CLOUD_KEY, minChars: minChars, minRun: minChars, classes: classes, exactly: exactly, dotted: false
  };
  return made;
}

function dotted(prefix: string, minChars: number): KeyPrefix {
  const made: KeyPrefix = {
    prefix: prefix, kind: API_KEY, minChars: minChars, minRun: 8, classes: CharClass.WORD, exactly: 0, dotted: true
  };
  return made;
}

const PREFIXES: ReadonlyArray<KeyPrefix> = [
  // Model services.
  key('sk-', 20, 12), key('gsk_', 20, 12), key('xai-', 20, 12), key('AIza', 30, 0), key('hf_', 20, 12), key('r8_', 20, 12),
  key('pplx-', 20, 12), key('nvapi-', 20, 12), key('tgp_v1_', 20, 12), key('csk-', 20, 12), key('fw_', 20, 16), key('ark-', 24, 8),
  // Development, chat, payment.
  key('ghp_', 20, 12), key('gho_', 20, 12), key('ghu_', 20, 12), key('ghs_', 20, 12), key('ghr_', 20, 12), key('github_pat_', 20, 12),
  key('glpat-', 20, 8), key('gldt-', 20, 8), key('glrt-', 20, 8), key('npm_', 20, 12), key('pypi-', 20, 12), key('xoxb-', 20, 8),
  key('xoxp-', 20, 8), key('xoxa-', 20, 8), key('xoxr-', 20, 8), key('xoxs-', 20, 8), key('xapp-', 20, 8), key('sk_live_', 16, 12),
  key('sk_test_', 16, 12), key('rk_live_', 16, 12), key('rk_test_', 16, 12), key('whsec_', 20, 12), key('shpat_', 20, 12),
  key('dop_v1_', 20, 12), key('lin_api_', 20, 12), key('ntn_', 20, 12), key('figd_', 20, 8), key('dapi', 30, 30),
  key('sbp_', 20, 12), key('AGE-SECRET-KEY-', 20, 12), key('GOCSPX-', 20, 8), dotted('SG.', 30),
  // Clouds.
  cloud('AKIA', 16, 16, UPPER_DIGIT), cloud('ASIA', 16, 16, UPPER_DIGIT), cloud('AKID', 32, 0, CharClass.ALNUM),
  cloud('LTAI', 12, 0, CharClass.ALNUM), dotted('ya29.', 20), dotted('bce-v3/', 30)
];

/** By character code of the first character. */
const BY_FIRST: ReadonlyArray<ReadonlyArray<KeyPrefix> | undefined> = byFirst();

function byFirst(): Array<KeyPrefix[] | undefined> {
  const table: Array<KeyPrefix[] | undefined> = [];
  for (let code: number = 0; code < 128; code++) {
    table.push(undefined);
  }
  for (const one of PREFIXES) {
    const code: number = one.prefix.charCodeAt(0);
    const known: KeyPrefix[] | undefined = table[code];
    if (known === undefined) {
      table[code] = [one];
    } else {
      known.push(one);
    }
  }
  return table;
}

/** The shipped prefixes, found by their first character. */
export class KeyPrefixes {
  /** The prefix that a word starts with. */
  static at(text: string, start: number): KeyPrefix | undefined {
    const candidates: ReadonlyArray<KeyPrefix> | undefined = BY_FIRST[text.charCodeAt(start)];
    if (candidates === undefined) {
      return undefined;
    }
    for (const one of candidates) {
      // Two characters are compared before the search is called: nearly every word ends here.
      if (text.charCodeAt(start + 1) === one.prefix.charCodeAt(1) && text.startsWith(one.prefix, start)) {
        return one;
      }
    }
    return undefined;
  }

  /** How far the characters of a key go that may start here. */
  static reach(text: string, start: number, one: KeyPrefix): number {
    let end: number = CharClass.runEnd(text, start + one.prefix.length, one.classes);
    for (let parts: number = 0; one.dotted && parts < MAX_PARTS && '/.'.includes(text.charAt(end)) && end + 1 < text.length &&
      (CharClass.of(text.charCodeAt(end + 1)) & one.classes) !== 0; parts++) {
      end = CharClass.runEnd(text, end + 1, one.classes);
    }
    return end;
  }

  /** Whether the stretch is a key with this prefix. @param wordEnd where the word ends that it starts with */
  static isKey(text: string, start: number, end: number, wordEnd: number, one: KeyPrefix): boolean {
    const body: number = start + one.prefix.length;
    const chars: number = end - body;
    if (end < wordEnd || chars < one.minChars || (one.exactly > 0 && chars !== one.exactly)) {
      return false;
    }
    const hasDigit: boolean = one.exactly > 0 || (CharClass.seen(text, body, end) & CharClass.DIGIT) !== 0;
    return hasDigit && CharClass.longestRun(text, body, end) >= one.minRun;
  }
}
