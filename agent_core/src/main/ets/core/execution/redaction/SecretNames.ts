/** What the name of a header, member or variable says about its value. */
export enum NameMeaning {
  nothing = 'nothing',
  /** Any value is a secret: `password`, `client_secret`, `OPENAI_API_KEY`. */
  secret = 'secret',
  /** A value that looks like one is: `token`; `key` in a query. */
  maybe = 'maybe',
  /** `Authorization`: a scheme, then the credential. */
  authorization = 'authorization',
  /** `Cookie`, `Set-Cookie`: pairs. */
  cookie = 'cookie'
}

/** A meaning with the kind that the placeholder names. */
export interface NamedSecret {
  meaning: NameMeaning;
  kind: string;
}

function named(meaning: NameMeaning, kind: string): NamedSecret {
  const made: NamedSecret = { meaning: meaning, kind: kind };
  return made;
}

const NOTHING: NamedSecret = named(NameMeaning.nothing, '');
const PASSWORD: NamedSecret = named(NameMeaning.secret, 'password');
const API_KEY: NamedSecret = named(NameMeaning.secret, 'api-key');
const CLOUD_KEY: NamedSecret = named(NameMeaning.secret, 'cloud-key');
const TOKEN: NamedSecret = named(NameMeaning.secret, 'token');
const MAYBE_TOKEN: NamedSecret = named(NameMeaning.maybe, 'token');
const MAYBE_KEY: NamedSecret = named(NameMeaning.maybe, 'api-key');

/** Names without `_` and `-`, in lower case. */
const WHOLE: Map<string, NamedSecret> = new Map<string, NamedSecret>([
  ['authorization', named(NameMeaning.authorization, 'credential')],
  ['proxyauthorization', named(NameMeaning.authorization, 'credential')],
  ['cookie', named(NameMeaning.cookie, 'cookie')], ['setcookie', named(NameMeaning.cookie, 'cookie')],
  ['pwd', PASSWORD], ['passphrase', PASSWORD], ['passwort', PASSWORD], ['密码', PASSWORD], ['口令', PASSWORD],
  ['密钥', named(NameMeaning.maybe, 'secret')], ['秘钥', named(NameMeaning.maybe, 'secret')],
  ['令牌', named(NameMeaning.maybe, 'token')],
  ['ak', named(NameMeaning.maybe, 'cloud-key')], ['sk', named(NameMeaning.maybe, 'cloud-key')],
  ['secretid', named(NameMeaning.maybe, 'cloud-key')], ['accesskeyid', named(NameMeaning.maybe, 'cloud-key')]
]);

/** Endings of such names, the longer before those that they end with. */
const ENDINGS: ReadonlyArray<string> = ['pagetoken', 'synctoken', 'continuationtoken', 'nexttoken', 'cursortoken', 'accesstoken',
  'refreshtoken', 'idtoken', 'authtoken', 'sessiontoken', 'securitytoken', 'token', 'password', 'passwd', 'passcode', 'pwd',
  'secretaccesskey', 'accesskeysecret', 'secretkey', 'accesskey', 'accountkey', 'privatekey', 'signingkey', 'encryptionkey',
  'subscriptionkey', 'apikey',
  'secret'];

const ENDING_MEANINGS: ReadonlyArray<NamedSecret> = [NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, TOKEN,
  TOKEN, TOKEN, TOKEN, TOKEN, TOKEN, MAYBE_TOKEN, PASSWORD, PASSWORD, PASSWORD, PASSWORD,
  CLOUD_KEY, CLOUD_KEY, CLOUD_KEY, CLOUD_KEY, CLOUD_KEY, API_KEY, API_KEY, API_KEY, API_KEY, API_KEY,
  named(NameMeaning.secret, 'secret')];

/** UTF-16 code units; no longer name is looked at. */
const MAX_NAME: number = 64;
/** What every name above has in it: nearly all other names end here. */
const HINT: RegExp = new RegExp('tok|pass|pwd|key|secret|auth|cookie|^[as]k$|sig|[\u5bc6\u53e3\u79d8\u4ee4]', 'i');
const JOINERS: RegExp = new RegExp('[_-]', 'g');

/** Knows which names announce a secret. */
export class SecretNames {
  /** @param inQuery the name stands behind `?` or `&` */
  static meaning(name: string, inQuery: boolean): NamedSecret {
    if (name.length < 2 || name.length > MAX_NAME) {
      return NOTHING;
    }
    if (!HINT.test(name)) {
      return NOTHING;
    }
    const plain: string = name.replace(JOINERS, '').toLowerCase();
    const whole: NamedSecret | undefined = WHOLE.get(plain);
    if (whole !== undefined) {
      return whole;
    }
    if (inQuery && (plain === 'key' || plain === 'sig' || plain === 'signature')) {
      return MAYBE_KEY;
    }
    for (let at: number = 0; at < ENDINGS.length; at++) {
      if (plain.endsWith(ENDINGS[at])) {
        return ENDING_MEANINGS[at];
      }
    }
    return NOTHING;
  }
}
