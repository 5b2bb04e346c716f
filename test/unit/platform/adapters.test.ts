import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { failWith } from './kit/AssetStoreKit';
import { AssetKeyStore } from '@platform/AssetKeyStore';
import { HttpFailure } from '@platform/HttpFailure';
import { OhosDigest } from '@platform/OhosDigest';
import { OhosIdGenerator } from '@platform/OhosIdGenerator';

describe('OhosDigest on a stand-in for the crypto kit', () => {
  it.each(['', 'abc', '法棍🥖', 'x'.repeat(100_000)])('hashes the UTF-8 bytes of %.10s', (text) => {
    expect(new OhosDigest().sha256Hex(text)).toBe(createHash('sha256').update(text).digest('hex'));
  });
});

describe('OhosIdGenerator', () => {
  it('makes ids of the allowed characters', () => {
    expect(new OhosIdGenerator().nextId()).toMatch(/^[A-Za-z0-9-]{1,64}$/);
  });
});

describe('AssetKeyStore on a stand-in for the asset store', () => {
  const store = new AssetKeyStore('test.');
  afterEach(() => failWith(undefined));

  it('tells a missing secret as a value', async () => {
    expect((await store.read('none')).value).toBeUndefined();
    expect((await store.remove('none')).value).toBe(false);
  });

  it('keeps, replaces and removes', async () => {
    await store.write('key', 'first');
    expect((await store.write('key', 'zweite, 二')).ok).toBe(true);
    expect((await store.read('key')).value).toBe('zweite, 二');
    expect((await store.remove('key')).value).toBe(true);
    expect((await store.read('key')).value).toBeUndefined();
  });

  it.each(['', '密'.repeat(342)])('refuses what the system cannot hold', async (secret) => {
    const written = await store.write('key', secret);
    expect([written.ok, written.error.code]).toEqual([false, 'secret_store_failed']);
    expect(written.error.message).not.toContain('密');
  });

  it('structures every other failure with the number only', async () => {
    failWith(24000005);
    for (const result of [await store.read('key'), await store.write('key', 'hush'), await store.remove('key')]) {
      expect(result.ok).toBe(false);
      expect(result.error.details?.get('platformCode')).toBe(24000005);
      expect(JSON.stringify(result.error) + result.error.message).not.toContain('hush');
    }
  });
});

describe('HttpFailure', () => {
  it.each([
    [2300006, 'transport_connect', 'afterDelay'],
    [2300007, 'transport_connect', 'afterDelay'],
    [2300060, 'transport_connect', 'never'],
    [2300028, 'transport_timeout', 'immediate'],
    [2300052, 'transport_failed', 'afterDelay'],
    [2300998, 'transport_failed', 'never'],
    [undefined, 'transport_failed', 'afterDelay'],
  ])('%s means %s, retry %s', (code, expected, retry) => {
    const error = HttpFailure.of(code, 'text');
    expect([error.code, error.retryability]).toEqual([expected, retry]);
  });
});
