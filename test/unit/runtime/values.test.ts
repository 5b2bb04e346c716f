import { describe, expect, it } from 'vitest';
import { AgentEvent, AgentEventType } from '@core/runtime/report/AgentEvent';
import { AgentLimits, type AgentLimitsInit } from '@core/runtime/config/AgentLimits';

describe('events of a run', () => {
  const event = (over: object = {}): AgentEvent => new AgentEvent({ type: AgentEventType.toolProgress, sessionId: 's', runId: 'r', ...over });

  it('a member that an event does not have is empty, unknown or as usual', () => {
    expect([event().text, event().fraction, event().persisted]).toEqual(['', -1, true]);
    expect([event({ text: 't' }).text, event({ fraction: 0 }).fraction, event({ fraction: 0.5 }).fraction, event({ persisted: false }).persisted]).toEqual(['t', 0, 0.5, false]);
  });
});

describe('limits of a session', () => {
  const least: readonly (readonly [keyof AgentLimitsInit, number])[] = [
    ['maxTurns', 1], ['maxCallsPerBatch', 1], ['maxParallelCalls', 1], ['maxArgumentChars', 2], ['maxBatchResultChars', 0], ['maxInputChars', 1], ['maxResponseChars', 1],
    ['maxHistoryMessages', 1], ['maxModelRetries', 0], ['cancelGraceMs', 0], ['timeoutGraceMs', 0], ['authorizationTimeoutMs', 1],
  ];
  const problems = (name: string, value: number): string[] => new AgentLimits({ [name]: value }).problems();

  it.each(least)('%s may be %i, nothing below it and no fraction', (name, bound) => {
    const refused = [`limits.${name} must be a whole number of at least ${bound}`];
    expect([problems(name, bound), problems(name, bound - 1), problems(name, bound + 0.5), problems(name, Number.NaN)]).toEqual([[], refused, refused, refused]);
    expect(new AgentLimits({ [name]: bound })[name]).toBe(bound);
  });

  it.each(['cancelGraceMs', 'timeoutGraceMs', 'authorizationTimeoutMs'])('%s may be what a timer can hold, and no more', (name) => {
    expect([problems(name, 2147483647), problems(name, 2147483648)]).toEqual([[], [`limits.${name} must be at most 2147483647`]]);
  });

  it('what counts calls or characters may be as large as a whole number gets', () => {
    expect(problems('maxTurns', Number.MAX_SAFE_INTEGER)).toEqual([]);
  });

  it('defaults are those that the documentation names', () => {
    expect({ ...new AgentLimits() }).toEqual({
      maxTurns: 50, maxCallsPerBatch: 16, maxParallelCalls: 4, maxArgumentChars: 200000, maxBatchResultChars: 24000, maxInputChars: 200000, maxResponseChars: 4000000,
      maxHistoryMessages: 10000, maxModelRetries: 2, cancelGraceMs: 2000, timeoutGraceMs: 2000, authorizationTimeoutMs: 30000,
    });
  });
});
