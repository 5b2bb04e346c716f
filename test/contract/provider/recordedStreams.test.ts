import { describe, expect, it } from 'vitest';
import { ErrorRetryability } from '@core/base/ErrorCodes';
import { FinishReason, ModelOutcome } from '@core/model/ModelResponse';
import { CHUNK_SIZES, dataFolder, readCases, replay, type RecordingObserver, type StreamCase } from './replay';

const recorded = dataFolder('sse-recorded');
const quirks = dataFolder('sse-quirks');

/** Where more than one result is defensible, the one this client documents (docs/providers.md). */
const OWN_CHOICE: Record<string, { outcome?: 'complete'; text?: string; finishReason?: string; usage?: object; error?: null }> = {
  'json-plus-done': {
    outcome: 'complete', text: 'Hello', finishReason: 'stop', usage: { promptTokens: 10, completionTokens: 5, totalTokens: 15 }, error: null,
  },
};

function check(streamCase: StreamCase, seen: RecordingObserver): void {
  const wanted = { ...streamCase.expect, ...OWN_CHOICE[streamCase.name] };
  const response = seen.response;
  expect(seen.endings, 'exactly one ending').toBe(1);
  expect(seen.late, 'nothing after modelComplete').toBe(0);
  expect(response?.outcome ?? 'error').toBe(wanted.outcome);
  expect(response?.text ?? '').toBe(wanted.text);
  expect(response?.reasoning ?? '').toBe(wanted.reasoning);
  expect(seen.text, 'deltas add up').toBe(wanted.text);
  expect(seen.reasoning, 'reasoning deltas add up').toBe(wanted.reasoning);
  expect(response?.rawFinishReason ?? null).toBe(wanted.finishReason);
  expect(response?.usage === undefined ? null : { ...response.usage }).toEqual(wanted.usage);
  checkCalls(streamCase, seen);
  if (wanted.outcome === 'complete') expect(seen.error).toBeUndefined();
  else checkError(streamCase, seen);
}

function checkCalls(streamCase: StreamCase, seen: RecordingObserver): void {
  const calls = seen.response?.toolCalls ?? [];
  const wanted = streamCase.expect.toolCalls;
  expect(calls.map((call) => [call.name, call.argumentsJson])).toEqual(wanted.map((call) => [call.name, call.arguments]));
  expect(new Set(calls.map((call) => call.id)).size, 'ids are unique').toBe(calls.length);
  wanted.forEach((call, at) => {
    expect(calls[at].index).toBe(at);
    if (call.idMustBeGenerated) expect(calls[at].id).not.toBe('');
    else if (call.idMustBeMadeUnique) expect(calls[at].id).toBe(`${call.id}#2`);
    else expect(calls[at].id).toBe(call.id);
    if (call.mustNotRun) expect(seen.response?.callsMayRun).toBe(false);
    else expect(seen.response?.callsMayRun).toBe(true);
  });
}

function checkError(streamCase: StreamCase, seen: RecordingObserver): void {
  const wanted = streamCase.expect;
  const error = seen.error;
  expect(error).toBeDefined();
  if (wanted.outcome === 'incomplete') expect(error?.code).toBe('provider_stream_incomplete');
  if (wanted.error?.kind === 'protocol') expect(error?.code).toBe('provider_protocol');
  if (wanted.error?.code != null) expect(error?.details?.get('providerCode')).toBe(wanted.error.code);
  if (wanted.error?.message !== undefined) expect(error?.message).toBe(wanted.error.message);
  if (wanted.error?.status !== undefined) expect(error?.details?.get('status')).toBe(wanted.error.status);
  if (wanted.retryable !== undefined) expect(error?.retryability !== ErrorRetryability.never).toBe(wanted.retryable);
  if (typeof wanted.retryAfterMs === 'number') expect(error?.retryAfterMs).toBe(wanted.retryAfterMs);
  if (wanted.retryAfterMs === '0 to 1000') expect(error?.retryAfterMs).toBe(1000);
}

function checkAllSizes(streamCase: StreamCase): void {
  for (const chunkSize of CHUNK_SIZES) {
    check(streamCase, replay({ ...streamCase, chunkSize }));
  }
  check(streamCase, replay({ ...streamCase }));
  check(streamCase, replay({ ...streamCase, lateStatus: true, chunkSize: 64 }));
}

describe.skipIf(recorded === '')('recorded streams (needs ../shared/data)', () => {
  for (const streamCase of readCases(recorded)) {
    it(`STR-05 ${streamCase.name} gives its expected result in pieces of every size`, () => checkAllSizes(streamCase));
  }
});

describe.skipIf(quirks === '')('provider quirks (needs ../shared/data)', () => {
  for (const streamCase of readCases(quirks)) {
    it(`STR-05 S8 ${streamCase.name} gives its expected result in pieces of every size`, () => checkAllSizes(streamCase));
  }

  it('STR-05 a stream that lingers after [DONE] ends at [DONE]', () => {
    const lingering = readCases(quirks).find((entry) => entry.name === 'sse-lingering-after-done') as StreamCase;
    const seen = replay({ ...lingering, neverEnds: true, chunkSize: 7 });
    expect(seen.endings).toBe(1);
    expect(seen.response?.outcome).toBe(ModelOutcome.complete);
    expect(seen.response?.finishReason).toBe(FinishReason.stop);
  });
});
