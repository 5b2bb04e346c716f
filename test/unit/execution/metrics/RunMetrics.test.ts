import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AgentController } from '@core/control/AgentController';
import type { RateDepartedEvent } from '@core/control/event/MetricEvents';
import { ToolAfterEvent } from '@core/control/event/ToolEvents';
import { LatencyHistogram } from '@core/execution/metrics/LatencyHistogram';
import { RateWatch } from '@core/execution/metrics/RateWatch';
import { RunMetrics, type RateDeparture } from '@core/execution/metrics/RunMetrics';
import { JsonObject } from '@core/json/JsonObject';
import { ToolCall } from '@core/message/ToolCall';
import { ToolResult } from '@core/tool/ToolResult';
import { ToolCallStatus, ToolResultEnvelope } from '@core/tool/ToolResultEnvelope';

function envelope(part: { tool?: string; status?: ToolCallStatus; code?: string; ms?: number; by?: string; artifact?: boolean } = {}): ToolResultEnvelope {
  const status = part.status ?? ToolCallStatus.ok;
  const metadata = part.by === undefined ? undefined : new JsonObject().setString('by', part.by);
  return new ToolResultEnvelope({
    callId: 'c', tool: part.tool ?? 'read', status, code: part.code, summary: 'SECRET', result: new ToolResult([], false, false, metadata),
    artifact: part.artifact === true ? { file: 'f', chars: 1, sha256: '' } : undefined,
    timing: { startedAtMs: status === ToolCallStatus.rejected ? 0 : 1, elapsedMs: part.ms ?? 0 },
  });
}

describe('LatencyHistogram', () => {
  const values = fc.array(fc.oneof(fc.nat(100), fc.nat(100_000), fc.nat(2_147_483_647)), { minLength: 1, maxLength: 200 });

  it('a percentile is the nearest-rank value or at most a sixteenth above it', () => {
    fc.assert(fc.property(values, fc.double({ min: 0, max: 100, noNaN: true }), (all, percent) => {
      const histogram = new LatencyHistogram();
      for (const one of all) histogram.add(one);
      const exact = [...all].sort((a, b) => a - b)[Math.max(1, Math.ceil(percent / 100 * all.length)) - 1]!;
      const found = histogram.percentileMs(percent);
      expect(found).toBeGreaterThanOrEqual(exact);
      expect(found).toBeLessThanOrEqual(exact < 32 ? exact : exact * (1 + 1 / 16));
    }));
  });

  it('order does not matter, percentiles never fall, and the last one is the maximum', () => {
    fc.assert(fc.property(values, (all) => {
      const [one, two] = [new LatencyHistogram(), new LatencyHistogram()];
      for (const value of all) one.add(value);
      for (const value of [...all].reverse()) two.add(value);
      const steps = [0, 10, 50, 90, 99, 100].map((percent) => one.percentileMs(percent));
      expect(steps).toEqual([0, 10, 50, 90, 99, 100].map((percent) => two.percentileMs(percent)));
      expect(steps).toEqual([...steps].sort((a, b) => a - b));
      expect([steps.at(-1), one.maxMs, one.minMs]).toEqual([Math.max(...all), Math.max(...all), Math.min(...all)]);
      expect(one.meanMs).toBeCloseTo(all.reduce((sum, value) => sum + value, 0) / all.length, 6);
    }));
  });

  it('takes what no duration should be', () => {
    const histogram = new LatencyHistogram();
    for (const odd of [-5, Number.NaN, Number.POSITIVE_INFINITY, 1e15]) histogram.add(odd);
    expect([histogram.count, histogram.minMs, histogram.maxMs, histogram.percentileMs(50), histogram.percentileMs(100)]).toEqual([4, 0, 2_147_483_647, 0, 2_147_483_647]);
    expect(new LatencyHistogram().percentileMs(99)).toBe(0);
  });
});

describe('RateWatch', () => {
  it('says nothing before there are enough samples, nor about a rate that stays as it is', () => {
    fc.assert(fc.property(fc.integer({ min: 2, max: 12 }), (every) => {
      const watch = new RateWatch();
      for (let i = 0; i < 2000; i++) expect(watch.add(i % every === 0)).toBe(false);
      expect(watch.usual).toBeCloseTo(1 / every, 1);
    }), { numRuns: 12 });
    const early = new RateWatch({ minSamples: 50 });
    for (let i = 0; i < 50; i++) expect(early.add(i >= 40)).toBe(false);
  });

  it('one single failure of a tool that never failed is no departure; a series is one, once, until it is over', () => {
    const watch = new RateWatch();
    const left: number[] = [];
    const feed = (happened: boolean, times: number): void => {
      for (let i = 0; i < times; i++) if (watch.add(happened)) left.push(i);
    };
    feed(false, 100);
    feed(true, 1);
    feed(false, 100);
    expect(left).toEqual([]);
    feed(true, 20);
    expect(left).toHaveLength(1);
    expect([watch.unusual, watch.recent > watch.usual]).toEqual([true, true]);
    feed(false, 200);
    expect(watch.unusual).toBe(false);
    feed(true, 20);
    expect(left).toHaveLength(2);
  });

  it('a fall is a departure too, and rates stay between 0 and 1', () => {
    const watch = new RateWatch();
    for (let i = 0; i < 200; i++) watch.add(i % 10 !== 0);
    expect(Array.from({ length: 20 }, () => watch.add(false)).filter(Boolean)).toHaveLength(1);
    fc.assert(fc.property(fc.array(fc.boolean(), { maxLength: 300 }), (all) => {
      const any = new RateWatch();
      for (const one of all) any.add(one);
      return [any.recent, any.usual].every((rate) => rate >= 0 && rate <= 1);
    }));
  });
});

describe('RunMetrics', () => {
  const { rejected, failed, unknown, cancelled } = ToolCallStatus;

  it('counts each kind of ending once, for the tool and for all', () => {
    const metrics = new RunMetrics();
    for (const one of [
      envelope({ ms: 10 }), envelope({ ms: 30, artifact: true }), envelope({ status: rejected, code: 'json_syntax' }), envelope({ status: rejected, code: 'tool_argument_required' }),
      envelope({ status: rejected, code: 'tool_arguments_too_large' }), envelope({ status: rejected, code: 'tool_denied', by: 'policy' }), envelope({ status: rejected, code: 'tool_denied', by: 'hook' }),
      envelope({ status: rejected, code: 'hook_escalation_denied' }), envelope({ status: rejected, code: 'tool_denied', by: 'person' }), envelope({ status: rejected, code: 'tool_denied', by: 'expiry' }),
      envelope({ status: rejected, code: 'tool_batch_not_executed' }), envelope({ status: failed, code: 'tool_timeout', ms: 1000 }), envelope({ status: failed, code: 'tool_execution_failed', ms: 5 }),
      envelope({ status: unknown, code: 'tool_timeout', ms: 1000 }), envelope({ status: cancelled, code: 'tool_cancelled', ms: 2 }),
    ]) metrics.count(one);
    const { total, tools } = metrics.snapshot();
    expect(total).toMatchObject({
      calls: 15, ok: 2, rejected: 9, failed: 2, unknown: 1, cancelled: 1, argumentRejections: 3, policyRejections: 3, consentRejections: 2, timeouts: 2, offloads: 1,
      latency: { count: 6, minMs: 2, maxMs: 1000, p50Ms: 10, p99Ms: 1000 },
    });
    expect(tools).toEqual([{ ...total, tool: 'read' }]);
    metrics.reset();
    expect(metrics.snapshot()).toMatchObject({ total: { calls: 0 }, tools: [] });
  });

  it('has a bounded number of labels, none of them made by a model, and no arguments or results', () => {
    const metrics = new RunMetrics({ maxTools: 3 });
    for (let i = 0; i < 10; i++) metrics.count(envelope({ tool: `t${i}` }));
    for (let i = 0; i < 10; i++) metrics.count(envelope({ tool: `/home/anna/${i}`, status: rejected, code: i % 2 === 0 ? 'tool_not_found' : 'tool_not_visible' }));
    expect(metrics.snapshot().tools.map(({ tool, calls }) => [tool, calls])).toEqual([['(other)', 7], ['(unknown)', 10], ['t0', 1], ['t1', 1], ['t2', 1]]);
    expect(JSON.stringify(metrics.snapshot())).not.toMatch(/SECRET|anna/);
  });

  it('tells of a departure once, with the tool and the rate; a throw there is counted', () => {
    const told: RateDeparture[] = [];
    const metrics = new RunMetrics({ onDeparture: (departure) => { told.push(departure); throw new Error('x'); } });
    for (let i = 0; i < 60; i++) metrics.count(envelope());
    for (let i = 0; i < 10; i++) metrics.count(envelope({ status: failed, code: 'tool_timeout' }));
    expect(told.map(({ tool, rate }) => `${tool} ${rate}`)).toEqual(['read failures', 'read timeouts']);
    expect(told[0]!.recent).toBeGreaterThan(told[0]!.usual);
    expect(metrics.faultCount).toBe(2);
  });

  it('publishes a departure where it listens, once, with the origin of the call that made it', () => {
    const controller = new AgentController();
    const told: RateDepartedEvent[] = [];
    controller.subscribe('metrics.departed', (event) => told.push(event as RateDepartedEvent));
    new RunMetrics().attach(controller);
    const say = (at: number, one: ToolResultEnvelope): void => controller.publish(new ToolAfterEvent({ eventId: `e${at}`, timestampMs: at, sessionId: 's', runId: 'r' } as never, new ToolCall('c', 'read', '{"secret":1}', 0), one, []));
    for (let i = 0; i < 60; i++) say(i, envelope());
    for (let i = 60; i < 70; i++) say(i, envelope({ status: failed, code: 'tool_timeout' }));
    expect(told.map((event) => `${event.tool} ${event.rate} ${event.sessionId} ${event.runId}`)).toEqual(['read failures s r', 'read timeouts s r']);
    expect(new Set(told.map((event) => event.eventId)).size).toBe(2);
    expect(JSON.stringify(told)).not.toContain('secret');
  });

  it('hears the calls of a controller until it is detached', () => {
    const controller = new AgentController();
    const metrics = new RunMetrics();
    const stop = metrics.attach(controller);
    const event = new ToolAfterEvent({ eventId: 'e', timestampMs: 1, sessionId: 's', runId: 'r' } as never, new ToolCall('c', 'read', '{}', 0), envelope(), []);
    controller.publish(event);
    stop();
    controller.publish(event);
    expect(metrics.snapshot().total.calls).toBe(1);
  });
});
