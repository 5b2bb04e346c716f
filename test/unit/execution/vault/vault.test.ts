import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ArkAgentError } from '@core/base/ArkAgentError';
import { Result } from '@core/base/Result';
import { CallSecrets } from '@core/execution/vault/CallSecrets';
import { InMemorySecretVault } from '@core/execution/vault/InMemorySecretVault';
import type { SecretVault } from '@core/execution/vault/SecretVault';
import { StoredSecretVault } from '@core/execution/vault/StoredSecretVault';
import { Redactor } from '@core/execution/redaction/Redactor';
import { SecretBook } from '@core/execution/redaction/SecretBook';
import { JsonCodec } from '@core/json/JsonCodec';
import { ToolCall } from '@core/message/ToolCall';
import type { SecretStore } from '@core/port/SecretStore';

const digest = { sha256Hex: (text: string): string => createHash('sha256').update(text).digest('hex') };
const KEY = 'sk-abcdEFGH1234ijklMNOP5678qrst';

/** As the system's store: names and secrets have bounds. */
class Shelf implements SecretStore {
  readonly kept = new Map<string, string>();
  failing = false;

  async read(name: string): Promise<Result<string | undefined, ArkAgentError>> {
    return this.failing ? failure() : Result.success(this.kept.get(name));
  }

  async write(name: string, secret: string): Promise<Result<boolean, ArkAgentError>> {
    if (this.failing || name.length > 128 || Buffer.byteLength(secret) > 1024 || secret === '') return failure();
    this.kept.set(name, secret);
    return Result.success(true);
  }

  async remove(name: string): Promise<Result<boolean, ArkAgentError>> {
    return this.failing ? failure() : Result.success(this.kept.delete(name));
  }
}

function failure<T>(): Result<T, ArkAgentError> {
  return Result.failure(ArkAgentError.security('secret_store_failed', 'no'));
}

describe.each<[string, () => SecretVault]>([['in memory', () => new InMemorySecretVault()], ['stored', () => new StoredSecretVault(new Shelf(), digest)]])('a vault %s', (_name, make) => {
  it('gives back what was put, by session and reference, until it is removed', async () => {
    const vault = make();
    await vault.put('s', 'b:0:password:1', 'one');
    await vault.put('s', 'b:0:password:1', '🙂'.repeat(2000));
    expect((await vault.resolve('s', 'b:0:password:1')).value).toBe('🙂'.repeat(2000));
    expect([(await vault.resolve('t', 'b:0:password:1')).value, (await vault.resolve('s', 'b:1:password:1')).value]).toEqual([undefined, undefined]);
    expect([(await vault.remove('s', 'b:0:password:1')).value, (await vault.remove('s', 'b:0:password:1')).value]).toEqual([true, false]);
    expect((await vault.resolve('s', 'b:0:password:1')).value).toBeUndefined();
  });
});

describe('the stored vault', () => {
  it('names say nothing, a removed secret leaves nothing, a lost part is a lost secret', async () => {
    const shelf = new Shelf();
    const vault = new StoredSecretVault(shelf, digest);
    await vault.put('s'.repeat(200), 'b:0:password:1', 'x'.repeat(1000));
    expect([...shelf.kept.keys()].every((name) => /^call-[0-9a-f]{64}(-\d)?$/.test(name))).toBe(true);
    shelf.kept.delete([...shelf.kept.keys()].find((name) => name.endsWith('-2')) ?? '');
    expect((await vault.resolve('s'.repeat(200), 'b:0:password:1')).value).toBeUndefined();
    await vault.put('s', 'r', 'x'.repeat(1000));
    await vault.remove('s', 'r');
    expect((await vault.put('s', 'r', 'x'.repeat(100_000))).error.code).toBe('tool_argument_secret');
    shelf.failing = true;
    expect([(await vault.put('s', 'r', 'x')).error.code, (await vault.resolve('s', 'r')).error.code, (await vault.remove('s', 'r')).error.code]).toEqual(Array(3).fill('secret_store_failed'));
  });
});

describe('arguments on their way', () => {
  const place = { sessionId: 's', batchId: 'b', position: 0 };
  const make = (vault?: SecretVault): CallSecrets => { const book = new SecretBook(); return new CallSecrets(new Redactor(book), book, vault); };

  it('DEC-37 sealed and opened they are the same to the byte, with and without a new process', async () => {
    const vault = new InMemorySecretVault();
    const args = `{ "n": 1.0, "big":12345678901234567890, "password":"a\\u0062\\"c$&$1", "list":["Bearer abcdefgh12345678"], "${KEY}":true }`;
    const sealed = await make(vault).seal(place, new ToolCall('c', 't', args, 0));
    expect(sealed.argumentsJson).toBe('{ "n": 1.0, "big":12345678901234567890, "password":"[secret:password:1]", "list":["Bearer [secret:credential:2]"], "[secret:api-key:3]":true }');
    expect((await make(vault).open(place, sealed.argumentsJson)).value).toBe(args.replace('a\\u0062', 'ab'));
    expect((await make(vault).open({ ...place, position: 1 }, sealed.argumentsJson)).error.code).toBe('tool_argument_secret');
    expect((await make(vault).open({ ...place, sessionId: 't' }, sealed.argumentsJson)).error.code).toBe('tool_argument_secret');
    await make(vault).release(place, sealed.argumentsJson);
    expect(vault.size).toBe(0);
  });

  it('without a secret a call stays the object that it is', async () => {
    const call = new ToolCall('c', 't', '{"a":"b"}', 0);
    expect(await make().seal(place, call)).toBe(call);
    expect([make().isSealed(call.argumentsJson), (await make().open(place, call.argumentsJson)).value]).toEqual([false, call.argumentsJson]);
  });
});

describe('arguments that are no JSON', () => {
  it.each(['{"password":"a\u0000bcdef12345"}', '{"password":"a\\qbcdef12345"}', '{"text":"Authorization: Bearer tbzxm2L\u0000VyUoh47Yx57AEHS6W3JunTAD7"}', '{"text":"sk-abcdEFGH1234ijklMNOP5678qrst\u0001"}'])('EXE-02 stay none when they are sealed: %j', async (text) => {
    const book = new SecretBook();
    const secrets = new CallSecrets(new Redactor(book), book, new InMemorySecretVault());
    const place = { sessionId: 's', batchId: 'b', position: 0 };
    const sealed = await secrets.seal(place, new ToolCall('c', 'open', text, 0));
    const opened = await secrets.open(place, sealed.argumentsJson);
    expect(new JsonCodec().parse(sealed.argumentsJson).ok).toBe(false);
    expect(!opened.ok || !new JsonCodec().parse(opened.value).ok).toBe(true);
  });
});

describe('JSON inside of a string', () => {
  it('EXE-14 is masked as it reads, and is given back as it was', async () => {
    const book = new SecretBook();
    const secrets = new CallSecrets(new Redactor(book), book, new InMemorySecretVault());
    const place = { sessionId: 's', batchId: 'b', position: 0 };
    const inner = JSON.stringify({ password: 'correct "horse" 7', log: 'line\nsk-abcdEFGH1234ijklMNOP5678qrst' });
    const text = JSON.stringify({ body: inner, twice: JSON.stringify(inner) });
    const sealed = await secrets.seal(place, new ToolCall('c', 'open', text, 0));
    for (const part of ['horse', 'abcdEFGH']) expect(sealed.argumentsJson).not.toContain(part);
    expect(JSON.parse((await secrets.open(place, sealed.argumentsJson)).value)).toEqual(JSON.parse(text));
  });

  it('EXE-14 keeps the spelling of a string without escapes, down to half a surrogate pair', async () => {
    const book = new SecretBook();
    const secrets = new CallSecrets(new Redactor(book), book, new InMemorySecretVault());
    const place = { sessionId: 's', batchId: 'b', position: 0 };
    const text = JSON.stringify({ body: `{"inner":"${KEY} \ud800。/"}` }).replaceAll('\\ud800', '\ud800');
    const sealed = await secrets.seal(place, new ToolCall('c', 'open', text, 0));
    expect(sealed.argumentsJson).not.toContain('abcdEFGH');
    expect(JSON.parse((await secrets.open(place, sealed.argumentsJson)).value)).toEqual(JSON.parse(text));
  });

  it('EXE-14 a name with a secret is masked, and stays one that a model service takes', async () => {
    const book = new SecretBook();
    const secrets = new CallSecrets(new Redactor(book), book, undefined);
    const sealed = await secrets.seal({ sessionId: 's', batchId: 'b', position: 0 }, new ToolCall('c', 'sk-abcdEFGH1234ijklMNOP5678qrst', '{}', 0));
    expect(sealed.name).toBe('_secret_api-key_1_');
    expect((await secrets.seal({ sessionId: 's', batchId: 'b', position: 0 }, new ToolCall('c', 'read_text', '{}', 0))).name).toBe('read_text');
  });
});
