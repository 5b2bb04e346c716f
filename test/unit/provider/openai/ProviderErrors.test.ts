import { describe, expect, it } from 'vitest';
import { ErrorRetryability } from '@core/base/ErrorCodes';
import { ProviderErrors } from '@core/provider/openai/ProviderErrors';
import { RetryAfter } from '@core/provider/openai/RetryAfter';
import { SecretMask } from '@core/provider/openai/SecretMask';
import { WireFault } from '@core/provider/openai/WireFault';

const NONE = new Map<string, string>();

function ofStatus(status: number, body: string, headers: ReadonlyMap<string, string> = NONE): [string, string, boolean] {
  const error = ProviderErrors.ofStatus(status, headers, body, new SecretMask());
  return [error.code, error.message, error.retryability !== ErrorRetryability.never];
}

const REFUSALS: [string, number, string, string, string, boolean][] = [
  ['an error object', 400, '{"error":{"message":"m","type":"invalid_request_error"}}', 'provider_bad_request', 'm', false],
  ['an error text', 400, '{"error":"m"}', 'provider_bad_request', 'm', false],
  ['a detail text', 401, '{"detail":"m"}', 'provider_auth', 'm', false],
  ['a list of details', 422, '{"detail":[{"loc":["body"],"msg":"m"}]}', 'provider_bad_request', 'm', false],
  ['a bare message', 403, '{"message":"m"}', 'provider_permission', 'm', false],
  ['a list of errors', 404, '{"errors":[{"message":"m"}]}', 'provider_not_found', 'm', false],
  ['a list around the error', 400, '[{"error":{"code":400,"message":"m","status":"INVALID_ARGUMENT"}}]', 'provider_bad_request', 'm', false],
  ['an event stream', 429, 'data: {"error":{"message":"m"}}\n\n', 'provider_rate_limited', 'm', true],
  ['a JSON text', 500, '"m"', 'provider_server_error', 'm', true],
  ['plain text', 503, 'm\n', 'provider_server_error', 'm', true],
  ['a web page', 502, '<html>x</html>', 'provider_server_error', 'the provider answered with HTTP status 502 and no readable reason', true],
  ['nothing', 529, '', 'provider_server_error', 'the provider answered with HTTP status 529 and no readable reason', true],
  ['a request time-out', 408, '', 'provider_server_error', 'the provider answered with HTTP status 408 and no readable reason', true],
  ['a redirect', 307, '', 'provider_http_error', 'the provider answered with HTTP status 307 and no readable reason', false],
  ['payment required', 402, '{"error":{"message":"Insufficient Balance"}}', 'provider_quota_exceeded', 'Insufficient Balance', false],
  ['a used-up quota', 429, '{"error":{"message":"m","code":"insufficient_quota"}}', 'provider_quota_exceeded', 'm', false],
  ['arrears', 400, '{"error":{"message":"m","code":"Arrearage"}}', 'provider_quota_exceeded', 'm', false],
  ['a quota per minute', 429, '{"error":{"message":"Quota exceeded for requests per minute","status":"RESOURCE_EXHAUSTED"}}', 'provider_rate_limited', 'Quota exceeded for requests per minute', true],
  ['too large for the tokens per minute', 413, '{"error":{"message":"Request too large","code":"rate_limit_exceeded"}}', 'provider_rate_limited', 'Request too large', true],
  ['a context overflow', 400, '{"error":{"message":"m","code":"context_length_exceeded"}}', 'provider_context_length', 'm', false],
  ['a prompt that is too long', 413, '{"error":{"message":"prompt is too long: 9 tokens > 8 maximum"}}', 'provider_context_length', 'prompt is too long: 9 tokens > 8 maximum', false],
  ['a key refused with 400', 400, '{"error":{"message":"API key not valid."}}', 'provider_auth', 'API key not valid.', false],
  ['a server that cannot do it', 500, '{"error":{"message":"tools param requires --jinja flag"}}', 'provider_server_error', 'tools param requires --jinja flag', false],
];

describe('ProviderErrors', () => {
  for (const [name, status, body, code, message, retryable] of REFUSALS) {
    it(`reads ${name}`, () => expect(ofStatus(status, body)).toEqual([code, message, retryable]));
  }

  const inStream: [string, string, string][] = [
    ['{"error":{"message":"m","code":502}}', 'provider_stream_error', 'm'],
    ['{"error":{"message":"Rate limit reached","code":"rate_limit_exceeded"}}', 'provider_rate_limited', 'Rate limit reached'],
    ['{"error":{"message":"m","type":"insufficient_quota"}}', 'provider_quota_exceeded', 'm'],
    ['{"object":"error","message":"Context length exceeded","code":"3051"}', 'provider_context_length', 'Context length exceeded'],
    ['{"error":{"message":"m","type":"overloaded_error"}}', 'provider_stream_error', 'm'],
    ['{"error":{"message":"m","type":"invalid_request_error"}}', 'provider_bad_request', 'm'],
    ['{"error":"m"}', 'provider_stream_error', 'm'],
    ['{"choices":null,"base_resp":{"status_code":1008,"status_msg":"insufficient balance"}}', 'provider_quota_exceeded', 'insufficient balance'],
  ];
  for (const [chunk, code, message] of inStream) {
    it(`reads ${chunk} in a stream`, () => {
      const error = ProviderErrors.ofFault(WireFault.ofChunk(JSON.parse(chunk)) as WireFault, 200, NONE, new SecretMask());
      expect([error.code, error.message]).toEqual([code, message]);
    });
  }

  it('takes no ordinary chunk for an error', () => {
    for (const chunk of ['{}', '{"choices":[]}', '{"choices":[],"message":"x","code":"y"}', '{"error":null}', '{"error":""}', '{"usage":{}}', '{"base_resp":{"status_code":0}}', '{"id":"x","message":"hi"}']) {
      expect([chunk, WireFault.ofChunk(JSON.parse(chunk))]).toEqual([chunk, undefined]);
    }
  });

  it('keeps a long message short and a pair of surrogates whole', () => {
    const [, message] = ofStatus(400, JSON.stringify({ error: { message: `${'x'.repeat(499)}😀tail` } }));
    expect(message).toBe(`${'x'.repeat(499)}…`);
  });
});

describe('RetryAfter', () => {
  const cases: [string, Record<string, string>, number | undefined][] = [
    ['seconds', { 'retry-after': '5' }, 5_000],
    ['milliseconds', { 'retry-after-ms': '250' }, 250],
    ['both: the longer one', { 'retry-after': '1', 'retry-after-ms': '0' }, 1_000],
    ['a date against the answer\'s own date', { 'retry-after': 'Wed, 21 Oct 2026 07:28:10 GMT', date: 'Wed, 21 Oct 2026 07:28:00 GMT' }, 10_000],
    ['a date in the past', { 'retry-after': 'Wed, 21 Oct 2026 07:27:00 GMT', date: 'Wed, 21 Oct 2026 07:28:00 GMT' }, 0],
    ['a date and nothing to compare with', { 'retry-after': 'Wed, 21 Oct 2026 07:28:10 GMT' }, undefined],
    ['nonsense', { 'retry-after': 'soon', 'retry-after-ms': '-4' }, undefined],
    ['nothing', {}, undefined],
  ];
  for (const [name, headers, expected] of cases) {
    it(`reads ${name}`, () => expect(RetryAfter.of(new Map(Object.entries(headers))).askedMs).toBe(expected));
  }
});
