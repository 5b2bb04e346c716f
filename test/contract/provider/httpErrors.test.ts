import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ErrorRetryability } from '@core/base/ErrorCodes';
import { CHUNK_SIZES, dataFolder, replay } from './replay';

interface ErrorCase {
  id: string;
  status: number;
  headers: Record<string, string>;
  body: string;
  expect: { class: string; message: string; code: string | number | null; type: string | null; retryable: boolean | string };
}

const CODE_OF_CLASS: Record<string, string> = {
  auth: 'provider_auth',
  permission: 'provider_permission',
  not_found: 'provider_not_found',
  bad_request: 'provider_bad_request',
  context_length: 'provider_context_length',
  rate_limit: 'provider_rate_limited',
  server: 'provider_server_error',
};

const folder = dataFolder('http-errors');
const cases: ErrorCase[] = folder === '' ? [] : JSON.parse(readFileSync(`${folder}/errors.json`, 'utf8'));

describe.skipIf(folder === '')('recorded refusals (needs ../shared/data)', () => {
  for (const one of cases) {
    it(`${one.id} (${one.status}, ${one.expect.class}) becomes its error`, () => {
      const answers = [
        { bytes: new TextEncoder().encode(one.body), status: one.status, headers: new Map(Object.entries(one.headers)) },
        { bytes: new TextEncoder().encode(one.body), status: one.status, lateStatus: true },
        ...CHUNK_SIZES.map((chunkSize) => ({ bytes: new TextEncoder().encode(one.body), status: one.status, chunkSize })),
      ];
      for (const answer of answers) {
        const seen = replay(answer);
        expect(seen.endings).toBe(1);
        expect(seen.response).toBeUndefined();
        expect(seen.error?.code).toBe(CODE_OF_CLASS[one.expect.class]);
        expect(seen.error?.message).toBe(one.expect.message);
        expect(seen.error?.details?.get('status')).toBe(one.status);
        expect(seen.error?.details?.get('providerCode') ?? null).toBe(one.expect.code);
        expect(seen.error?.details?.get('providerType') ?? null).toBe(one.expect.type);
        expect(seen.error?.retryability !== ErrorRetryability.never).toBe(one.expect.retryable === true);
      }
    });
  }
});
