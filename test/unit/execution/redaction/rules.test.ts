import { describe, expect, it } from 'vitest';
import { RedactingChunkFilter } from '@core/execution/redaction/RedactingChunkFilter';
import { Redactor } from '@core/execution/redaction/Redactor';
import { SecretBook } from '@core/execution/redaction/SecretBook';
import { PatternSecretRule } from '@core/execution/redaction/SecretRule';
import { ArkAgentError } from '@core/base/ArkAgentError';
import { ErrorCode } from '@core/base/ErrorCodes';

const KEY = 'sk-abcdEFGH1234ijklMNOP5678qrst';
const PEM = '-----BEGIN';
const OTHER = 'gsk_ZYXWvuts9876rqpoNMLK5432jihg';

function masked(text: string): string {
  return new Redactor(new SecretBook()).text(text);
}

describe('what is a secret', () => {
  it.each([
    ['postgres://app:Pa55word@db.example/app', 'postgres://app:[secret:password:1]@db.example/app'],
    ['redis://:Pa55word@cache:6379', 'redis://:[secret:password:1]@cache:6379'],
    ['<password>hunter2</password>', '<password>[secret:password:1]</password>'],
    ['tool --api-key abc123def --verbose', 'tool --api-key [secret:api-key:1] --verbose'],
    ['password=correcthorse; host=db', 'password=[secret:password:1]; host=db'],
    ['DB_PASSWORD: hunter22', 'DB_PASSWORD: [secret:password:1]'],
    ['我的密码是abc12345。', '我的密码是[secret:password:1]。'],
    ['SG.abcdefghij1234567890ab.ABCDEFGHIJ1234567890abcdefghij1234567890abc', '[secret:api-key:1]'],
    ['bot 123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsawE.', 'bot [secret:token:1].'],
    [`log\\n${PEM} PRIVATE KEY-----\\nMIIE\\n-----END PRIVATE KEY-----\\nend`, 'log\\n[secret:private-key:1]\\nend'],
    [`${PEM} OPENSSH PRIVATE KEY-----\nb3BlbnNza`, '[secret:private-key:1]'],
    ['"secret":"a\\"b"', '"secret":"[secret:secret:1]"'],
    [String.raw`{"args":"{\"password\":\"pa ss\"}"}`, String.raw`{"args":"{\"password\":\"[secret:password:1]\"}"}`],
  ])('masks %s', (text, expected) => {
    expect(masked(text)).toBe(expected);
  });

  it.each(['PWD=/home/li/project1', '{"next_page_token":"CAUQAA1234567890abcdef"}', 'password=getPassword()', '{"password":""}', 'token: number', 'http://localhost:8080/a@b',
    '{"type":"object","properties":{"password":{"type":"string"}}}', 'the secret: never give up', '[secret:api-key:1]', 'password: [secret:password:3]',
  ])('leaves %s', (text) => {
    expect(masked(text)).toBe(text);
  });
});

describe('placeholders', () => {
  it('EXE-14 the same secret has the same placeholder, another one another, in order of first sight', () => {
    const redactor = new Redactor(new SecretBook());
    expect(redactor.text(`a ${KEY} b ${OTHER} c ${KEY}`)).toBe('a [secret:api-key:1] b [secret:api-key:2] c [secret:api-key:1]');
    expect(redactor.text(`x=${OTHER}`)).toBe('x=[secret:api-key:2]');
    expect(redactor.text('{"password":"hunter2"}')).toBe('{"password":"[secret:password:3]"}');
  });

  it('EXE-14 what was met once is found where no rule would see it, also escaped or in a URL', () => {
    const redactor = new Redactor(new SecretBook());
    redactor.argumentsJson('{"password":"pä s/1\\"x"}');
    expect(redactor.text('logged in with pä s/1"x!')).toBe('logged in with [secret:password:1]!');
    expect(redactor.text(`at /login?p=${encodeURIComponent('pä s/1"x')}&x`)).toBe('at /login?p=[secret:password:1]&x');
    redactor.argumentsJson('{"password":"secret"}');
    expect(redactor.text('a secret place'), 'a plain word is not hunted').toBe('a secret place');
    redactor.argumentsJson('{"password":"123456"}');
    expect(redactor.text('pin 123456, id 91234567')).toBe('pin [secret:password:3], id 91234567');
  });

  it('EXE-14 numbers go on above those of an earlier process', () => {
    const told: number[] = [];
    const book = new SecretBook(7, (next) => told.push(next));
    expect(new Redactor(book).text(KEY)).toBe('[secret:api-key:7]');
    expect(told).toEqual([8]);
    book.know('api-key:30', OTHER);
    expect(new Redactor(book).text(`${OTHER} sk-zzzzEFGH1234ijklMNOP5678qrst`)).toBe('[secret:api-key:30] [secret:api-key:31]');
    expect([book.valueOf('api-key:30'), book.valueOf('api-key:99')]).toEqual([OTHER, undefined]);
  });
});

describe('json', () => {
  it('EXE-14 in arguments only strings change: numbers, order, blanks and spelling stay', () => {
    const text = `{ "n": 12345678901234567890, "f":1.0,"api_key" : "${KEY}",  "deep":[{"authorization":["Bearer abcdefgh12345678"]}], "e":"\\u0041" }`;
    expect(new Redactor(new SecretBook()).argumentsJson(text)).toBe(text.replace(KEY, '[secret:api-key:1]').replace('abcdefgh12345678', '[secret:credential:2]'));
    const plain = '{"a":"\\u0041 b","max_tokens":1}';
    expect(new Redactor(new SecretBook()).argumentsJson(plain)).toBe(plain);
  });

  it('EXE-14 a secret that is spelled with escapes, or is a name, is one all the same', () => {
    const spelled = [...KEY].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
    expect(new Redactor(new SecretBook()).argumentsJson(`{"x":"${spelled}"}`)).toBe('{"x":"[secret:api-key:1]"}');
    expect(new Redactor(new SecretBook()).argumentsJson(`{"${KEY}":1}`)).toBe('{"[secret:api-key:1]":1}');
    expect(new Redactor(new SecretBook()).argumentsJson(`{"x":"${KEY}"`), 'cut').toBe('{"x":"[secret:api-key:1]"');
    expect(new Redactor(new SecretBook()).argumentsJson(`{"x":"${KEY}`), 'in mid-string').toBe('{"x":"[secret:api-key:1]');
  });

  it('personal data in arguments stays: the person has to see whom a call is for', () => {
    const redactor = new Redactor(new SecretBook(), { personal: true });
    expect(redactor.argumentsJson('{"to":"13800138000"}')).toBe('{"to":"13800138000"}');
    expect(redactor.text('{"to":"13800138000"}')).toBe('{"to":"[secret:phone:1]"}');
  });
});

describe('other sinks', () => {
  it('rules of the app count beside the shipped ones', () => {
    const redactor = new Redactor(new SecretBook(), { rules: [new PatternSecretRule('badge', 'B[0-9]{6}', (found) => found !== 'B000000')] });
    expect(redactor.text(`B123456 B000000 AB123456 ${KEY}`)).toBe('[secret:badge:1] B000000 AB123456 [secret:api-key:2]');
  });

  it('an error keeps everything but the secret and the cause that names it', () => {
    const redactor = new Redactor(new SecretBook());
    const clean = ArkAgentError.of(ErrorCode.providerAuth, 'refused', { cause: new Error('401') });
    expect(redactor.error(clean)).toBe(clean);
    const error = redactor.error(ArkAgentError.of(ErrorCode.providerAuth, `key ${KEY}`, { retryAfterMs: 5, cause: new Error(KEY) }).withDetail('problems', [KEY]));
    expect([error.code, error.message, error.retryAfterMs, error.cause, error.details?.get('problems')]).toEqual(
      ['provider_auth', 'key [secret:api-key:1]', 5, undefined, ['[secret:api-key:1]']]);
  });
});

describe('a stream', () => {
  it('holds back only what may be a secret; everything else goes on at once', () => {
    const filter = new RedactingChunkFilter(new Redactor(new SecretBook()));
    expect(['Hel', 'lo ', 'a', 's', 'k', ' me'].map((piece) => filter.push(piece))).toEqual(['Hel', 'lo ', 'a', 's', 'k', ' me']);
    expect(['the key is sk-', KEY.slice(3, 10), `${KEY.slice(10)}`, ', keep'].map((piece) => filter.push(piece))).toEqual(['the key is ', '', '', '[secret:api-key:1], keep']);
    expect([filter.push(' it'), filter.flush(), filter.push('again'), filter.flush()]).toEqual([' it', '', 'again', '']);
  });

  it('masks a known secret that comes in pieces, all but the first few characters', () => {
    const redactor = new Redactor(new SecretBook());
    redactor.argumentsJson('{"password":"correct-horse"}');
    const filter = new RedactingChunkFilter(redactor);
    expect(['it is cor', 'rect', '-ho', 'rse.', 'x'].map((piece) => filter.push(piece)).join('') + filter.flush()).toBe('it is cor[secret:password:1].x');
  });
});

describe('hostile texts', () => {
  const size = 200_000;
  const cpuMs = (): number => process.cpuUsage().user / 1000;
  const repeated = (unit: string): string => unit.repeat(Math.ceil(size / unit.length)).slice(0, size);
  it.each(['a', '0', 'sk-', 'eyJa.', 'eyJ', 'token=', 'token="', 'password:', "password='", 'password: "\\"', 'api_key=\\"', `${PEM} RSA PRIVATE KEY-----`, `${PEM} `, '-', '://', '://a:', '://a:b', 'Bearer ',
    'Bearer a', 'authorization:', 'authorization: a ', 'cookie: a=', 'cookie: a=b;', '{"a":', '[', '"', '\\', '\\"', '[secret:', 'deadbeef', '密码', '密码:', '<secret>', '--token ', '1380013', '13800138000', 'a@', 'AKIA', 'SG.a.', '123456789:',
  ])('EXE-14 a long text of %j takes bounded time', (unit) => {
    const text = repeated(unit);
    const started = cpuMs();
    const redactor = new Redactor(new SecretBook(), { personal: true });
    const once = redactor.text(text);
    const took = cpuMs() - started;
    expect(redactor.text(once) === once).toBe(true);
    expect(took).toBeLessThan(2000);
  }, 60_000);

  it('EXE-14 a megabyte of everything takes bounded time', () => {
    const units = ['eyJa.', 'token=', 'password:\\"', `${PEM} `, '://a:', 'Bearer a', 'cookie: a=b;', '{"a":[', '[secret:', 'deadbeef', '密码:', '13800138000 ', 'SG.a.', KEY];
    let text = '';
    for (let at = 0; text.length < 1_000_000; at++) text += units[(at * 7 + (at >> 3)) % units.length];
    const started = cpuMs();
    const redactor = new Redactor(new SecretBook(), { personal: true });
    const once = redactor.text(text);
    expect(cpuMs() - started).toBeLessThan(8000);
    expect(once).not.toContain(KEY);
  }, 60_000);
});
