import fc from 'fast-check';

/** A secret that a case plants: `text` is what the model writes, no stretch of `core` may get out. */
export interface Planted {
  text: string;
  core: string;
}

const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const ALNUM = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';

/** A stretch that occurs nowhere by chance, with digits and both cases. */
function body(seed: number, length: number, alphabet = ALNUM): string {
  let state = (seed ^ 0x9e3779b9) >>> 0;
  let text = '';
  while (text.length < length) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    text += alphabet[(state >>> 8) % alphabet.length];
  }
  return `${text.slice(0, length - 2)}${alphabet.charAt(3)}7`;
}

const KINDS: ReadonlyArray<(seed: number) => Planted> = [
  (seed) => { const core = body(seed, 32); return { text: `sk-${core}`, core }; },
  (seed) => { const core = body(seed, 36); return { text: `ghp_${core}`, core }; },
  (seed) => { const core = body(seed, 16, UPPER); return { text: `AKIA${core}`, core }; },
  (seed) => { const core = body(seed, 30); return { text: `Bearer ${core}`, core }; },
  (seed) => { const core = body(seed, 43); return { text: `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIx${body(seed + 1, 20)}In0.${core}`, core }; },
  (seed) => { const core = body(seed, 32); return { text: `Authorization: Bearer ${core}`, core }; },
];

export const planted: fc.Arbitrary<Planted> = fc.tuple(fc.nat(KINDS.length - 1), fc.nat(0x7fffffff)).map(([kind, seed]) => KINDS[kind](seed));

/** Keys whose value is a secret whatever it is. */
export const TELLING_NAMES = ['password', 'api_key', 'client_secret', 'accessToken'];

const ATTACKS = [
  '', ' ', '../../etc/passwd', '..\\..\\windows\\system32', '/etc/shadow', 'file:///etc/passwd', 'a.txt', 'sub/b.txt', 'link/out.txt', './a.txt', '%2e%2e%2fsecret', '..%c0%af..', '～/x', 'C:\\x', '\\\\host\\share', 'a\0.txt', 'nul', 'a/../../b',
  'http://127.0.0.1/', 'https://example.com/', 'http://0x7f.1/', 'http://[::1]/', 'http://169.254.169.254/latest/meta-data', 'https://example.com@127.0.0.1/', 'javascript:alert(1)', 'http://example.com\\@evil', 'gopher://x', 'https://user:pw@example.com/',
  '__proto__', 'constructor', 'prototype', 'toString', '${jndi:ldap://x}', '{{7*7}}', "'; DROP TABLE x;--", '<script>alert(1)</script>', '\u001b[2J\u001b]0;x\u0007', '\u202egnp.exe', '\ufeff', '\u2028\u2029', '\u0000', '\r\nX: y',
  '[cut: 1 of 2 characters shown]', '{"jobId":"job-1"}', 'data: [DONE]\n\n', '\ud800', '\udfff\ud800', '😀', '\ud83d', 'ａ', 'e\u0301', '%s%n%x', '1e999', 'NaN', 'null', 'true',
];

const NUMBERS = ['0', '-0', '1', '-1', '3.0', '1.5', '1e3', '1e-400', '9007199254740993', '12345678901234567890123456789', '0.1', `0.${'0'.repeat(400)}1`];
const NO_NUMBERS = ['1E400', '-1e999', '9'.repeat(400), '01', '-', '1.', '.5', '+1', 'NaN', 'Infinity', '0x10', 'undefined', "'x'"];
const KEYS = ['path', 'url', 'n', 'items', 'name', 'text', 'extra', '__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__', 'length', 'then', 'toJSON', '0', '1', '01', '-1', '4294967295', '', ' ', 'PATH', '$ref', '\u0000', '\ud800', '键', 'k'.repeat(300)];

/** One node of an argument text, as it will be written. */
type Node = { raw: string } | { string: string } | { list: Node[] } | { members: [string, Node][] };

/** How strings are spelled: as they are, or with each character as an escape. */
export enum Spelling { plain, escaped, slashes }

function quoted(text: string, spelling: Spelling): string {
  switch (spelling) {
    case Spelling.escaped:
      return `"${[...Array(text.length).keys()].map((at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')}"`;
    case Spelling.slashes:
      return JSON.stringify(text).replaceAll('/', '\\/');
    default:
      return JSON.stringify(text);
  }
}

function written(node: Node, spelling: Spelling, gap: string): string {
  if ('raw' in node) return node.raw;
  if ('string' in node) return quoted(node.string, spelling);
  if ('list' in node) return `[${node.list.map((item) => written(item, spelling, gap)).join(`${gap},`)}]`;
  return `{${node.members.map(([key, value]) => `${gap}${quoted(key, spelling)}:${gap}${written(value, spelling, gap)}`).join(',')}}`;
}

const soup = fc.string({ unit: 'binary', maxLength: 12 });
const anyString = fc.oneof({ weight: 1, arbitrary: fc.constantFrom('[secret:api-key:1]', 'x [secret:password:2] y', '[secret:', '[secret:api-key:99999999999999999999]') }, { weight: 160, arbitrary: fc.constantFrom(...ATTACKS) }, { weight: 40, arbitrary: soup });
const key = fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...KEYS) }, { weight: 1, arbitrary: soup });
const leaf: fc.Arbitrary<Node> = fc.oneof(
  { weight: 40, arbitrary: anyString.map((string) => ({ string })) },
  { weight: 20, arbitrary: fc.constantFrom(...NUMBERS).map((raw) => ({ raw })) },
  { weight: 1, arbitrary: fc.constantFrom(...NO_NUMBERS).map((raw) => ({ raw })) },
  { weight: 10, arbitrary: fc.constantFrom('null', 'true', 'false', '{}', '[]', '[[]]').map((raw) => ({ raw })) },
);
const node: fc.Arbitrary<Node> = fc.letrec<{ node: Node }>((tie) => ({
  node: fc.oneof({ maxDepth: 3, withCrossShrink: true }, leaf,
    fc.array(tie('node'), { maxLength: 3 }).map((list) => ({ list })),
    fc.array(fc.tuple(key, tie('node')), { maxLength: 4 }).map((members) => ({ members }))),
})).node;

const good: Record<string, fc.Arbitrary<Node>> = {
  path: anyString.map((string) => ({ string })), url: anyString.map((string) => ({ string })), n: fc.constantFrom('0', '3.0', '-1', '7').map((raw) => ({ raw })), text: anyString.map((string) => ({ string })),
  items: fc.array(anyString.map((string): Node => ({ members: [['name', { string }]] })), { maxLength: 2 }).map((list) => ({ list })),
};
/** Members that the schemas of the tools want, so that many a call gets through. */
const fitting: fc.Arbitrary<[string, Node][]> = fc.record(good, { requiredKeys: ['path', 'n'] }).map((made) => Object.entries(made) as [string, Node][]);

/** Marks around a secret: it is a word of its own in them. */
const BEFORE = ['', ' ', '=', '?key=', ': ', '("', '\n', '\t', '\u0001', 'x ', '\ud800', '，', '{"a":"', 'https://h/', '[', '`'];
const AFTER = ['', ' ', '.', '"', '\n', '&b=1', '\u0000', ')', '\udc00', '。', '"}', ' x'];

const GIANTS: ReadonlyArray<(secret: string) => string> = [
  (secret) => `{"path":"${'x'.repeat(70_000)} ${secret}","n":1}`,
  (secret) => `{"path":"${secret} ${'é'.repeat(210_000)}","n":1}`,
  (secret) => `{${Array.from({ length: 10_000 }, (_, at) => `"k${at}":${at}`).join(',')},"path":"${secret}","n":1}`,
  (secret) => `{"path":"a","n":1,"extra":${'['.repeat(300)}"${secret}"${']'.repeat(300)}}`,
  (secret) => `${'{"a":'.repeat(50_000)}"${secret}"`,
  (secret) => `{"path":"${secret}","n":1,"extra":[${'0,'.repeat(20_000)}0]}`,
  (secret) => `{"path":"\\n${'\\u0041'.repeat(9000)} ${secret}","n":1}`,
];

const DAMAGE: ReadonlyArray<(text: string, at: number) => string> = [
  (text, at) => text.slice(0, at % (text.length + 1)), (text, at) => `${text}${'}]" x,'.charAt(at % 6)}`, (text) => `\ufeff${text}`, (text) => `// c\n${text}`, (text) => text.replaceAll('"', "'"), (text) => JSON.stringify(text),
  (text, at) => { const cut = at % (text.length + 1); return text.slice(0, cut) + '\u0000\ud800"{[,:'.charAt(at % 7) + text.slice(cut); }, (text) => `[${text}]`, (text) => ` \n${text}\r\n\t`,
];

/** Arguments as a hostile or broken model may write them, with a secret somewhere in them. */
export interface HostileText {
  text: string;
  secrets: Planted[];
}

const place = fc.tuple(planted, fc.constantFrom(...BEFORE), fc.constantFrom(...AFTER));
/** Where the secret goes: a value, a name, an element, deep inside, JSON inside of JSON, the value of a telling name. */
const PLACES: ReadonlyArray<(members: [string, Node][], secret: string, before: string, after: string, seed: number) => [string, Node][]> = [
  (members, secret, before, after) => [...members, ['text', { string: `${before}${secret}${after}` }]],
  (members, secret, before, after) => members.map(([name, value]) => (name === 'path' ? [name, { string: `${before}${secret}${after}` }] : [name, value])),
  (members, secret, before, after) => [...members, [`${before}${secret}${after}`, { raw: '1' }]],
  (members, secret, before, after) => [...members, ['items', { list: [{ members: [['name', { string: `${before}${secret}${after}` }]] }] }]],
  (members, secret, before, after) => [...members, ['extra', { list: [{ list: [{ members: [['__proto__', { members: [['polluted', { string: `${before}${secret}${after}` }]] }]] }] }] }]],
  (members, secret, before, after) => [...members, ['extra', { string: JSON.stringify({ inner: `${before}${secret}${after}` }) }]],
  (members, secret) => [['path', { string: secret }], ...members],
  (members, secret, _before, _after, seed) => [...members, [TELLING_NAMES[seed % TELLING_NAMES.length], { string: secret }]],
];

const times = (text: string, part: string): number => text.split(part).length - 1;
/** It is a word of its own, behind something that is none or behind an escape. */
const standsAlone = (text: string, secret: string): boolean => text.split(secret).slice(0, -1).every((before) => /(?:^|[^A-Za-z0-9_-]|\\[nrtbf]|\\u[0-9a-fA-F]{4})$/.test(before)) && text.includes(secret);
const whole = (text: string): string => text;
/** What a broken text spells with escapes, nobody reads: only whole ones are spelled so. */
const style: fc.Arbitrary<[Spelling, (text: string, at: number) => string]> = fc.oneof(
  { weight: 7, arbitrary: fc.constantFrom(Spelling.plain, Spelling.plain, Spelling.escaped, Spelling.slashes).map((spelling): [Spelling, typeof whole] => [spelling, whole]) },
  { weight: 3, arbitrary: fc.tuple(fc.constantFrom(Spelling.plain, Spelling.slashes), fc.constantFrom(...DAMAGE)) });

const usual: fc.Arbitrary<HostileText> = fc.tuple(fitting, fc.array(fc.tuple(key, node), { maxLength: 3 }), fc.option(place, { freq: 2 }), fc.nat(PLACES.length - 1), fc.nat(1_000_000), style, fc.constantFrom('', '', '', ' ', '\n\t'), fc.constantFrom(1, 1, 0))
  .map(([base, extra, secret, where, at, [spelling, damage], gap, order]) => {
    const members: [string, Node][] = order === 1 ? [...extra, ...base] : [...base, ...extra];
    const all = secret === null ? members : PLACES[where](members, secret[0].text, secret[1], secret[2], at);
    const text = damage(written({ members: all }, spelling, gap), at);
    // What the damage cut or tore apart is no secret any more.
    const isWhole = secret !== null && (spelling === Spelling.escaped || (standsAlone(text, secret[0].text) && times(text, secret[0].core) === times(text, secret[0].text)));
    return { text, secrets: isWhole ? [secret[0]] : [] };
  });
const wild: fc.Arbitrary<HostileText> = fc.tuple(fc.oneof(node.map((one) => written(one, Spelling.plain, '')), soup, fc.constantFrom('', ' ', 'null', '[]', '{', '}', '"', '{"a"}', '{a:1}', '{"a":1,}', '{}{}', '0', '\0')), planted).map(([text, secret]) => ({ text: `${text} ${secret.text}`, secrets: [secret] }));
const giant: fc.Arbitrary<HostileText> = fc.tuple(fc.constantFrom(...GIANTS), planted).map(([make, secret]) => ({ text: make(secret.text), secrets: [secret] }));

export const hostileText: fc.Arbitrary<HostileText> = fc.oneof({ weight: 270, arbitrary: usual }, { weight: 30, arbitrary: wild }, { weight: 1, arbitrary: giant });
