import { ErrorCode } from '../../base/ErrorCodes';
import { ToolCallStatus, ToolResultEnvelope } from '../../tool/ToolResultEnvelope';
import { LatencyHistogram } from './LatencyHistogram';
import { RateRules, RateWatch } from './RateWatch';

/** What of a tool is watched; the strings are stable. */
export enum MetricRate {
  argumentRejections = 'argument_rejections',
  policyRejections = 'policy_rejections',
  failures = 'failures',
  timeouts = 'timeouts',
  unknowns = 'unknowns'
}

/** Durations of calls that were started, in milliseconds. */
export interface LatencySummary {
  count: number;
  minMs: number;
  maxMs: number;
  meanMs: number;
  p50Ms: number;
  p90Ms: number;
  p99Ms: number;
}

/** The numbers of one tool, or of all. */
export interface ToolMetrics {
  tool: string;
  calls: number;
  ok: number;
  failed: number;
  rejected: number;
  cancelled: number;
  unknown: number;
  /** Of the rejected: arguments that do not parse or do not fit. */
  argumentRejections: number;
  /** Of the rejected: by hook, policy or authorization. */
  policyRejections: number;
  /** Of the rejected: by a person, or because nobody answered in time. */
  consentRejections: number;
  timeouts: number;
  /** Results that went to an artifact. */
  offloads: number;
  latency: LatencySummary;
}

/** Counts of one tool. */
export class ToolCounts {
  private readonly tool: string;
  private readonly latency: LatencyHistogram = new LatencyHistogram();
  private readonly watches: Map<MetricRate, RateWatch> = new Map<MetricRate, RateWatch>();
  private readonly byStatus: Map<ToolCallStatus, number> = new Map<ToolCallStatus, number>();
  private calls: number = 0;
  private argumentRejections: number = 0;
  private policyRejections: number = 0;
  private consentRejections: number = 0;
  private timeouts: number = 0;
  private offloads: number = 0;

  constructor(tool: string, rules: RateRules | undefined) {
    this.tool = tool;
    for (const rate of [MetricRate.argumentRejections, MetricRate.policyRejections, MetricRate.failures, MetricRate.timeouts,
      MetricRate.unknowns]) {
      this.watches.set(rate, new RateWatch(rules));
    }
  }

  watch(rate: MetricRate): RateWatch {
    return this.watches.get(rate) as RateWatch;
  }

  /** @returns rates that leave their usual range with this call */
  add(envelope: ToolResultEnvelope): ReadonlyArray<MetricRate> {
    this.calls++;
    this.byStatus.set(envelope.status, this.of(envelope.status) + 1);
    const rejected: boolean = envelope.status === ToolCallStatus.rejected;
    const byArguments: boolean = rejected && isArgumentCode(envelope.code);
    const byConsent: boolean = rejected && isConsent(envelope);
    const byPolicy: boolean = rejected && !byConsent &&
      (envelope.code === ErrorCode.toolDenied || envelope.code === ErrorCode.hookEscalationDenied);
    const timedOut: boolean = envelope.code === ErrorCode.toolTimeout;
    this.argumentRejections += byArguments ? 1 : 0;
    this.consentRejections += byConsent ? 1 : 0;
    this.policyRejections += byPolicy ? 1 : 0;
    this.timeouts += timedOut ? 1 : 0;
    this.offloads += envelope.artifact === undefined ? 0 : 1;
    if (envelope.timing.startedAtMs > 0) {
      this.latency.add(envelope.timing.elapsedMs);
    }
    const left: MetricRate[] = [];
    this.check(left, MetricRate.argumentRejections, byArguments);
    this.check(left, MetricRate.policyRejections, byPolicy);
    this.check(left, MetricRate.failures, envelope.status === ToolCallStatus.failed);
    this.check(left, MetricRate.timeouts, timedOut);
    this.check(left, MetricRate.unknowns, envelope.status === ToolCallStatus.unknown);
    return left;
  }

  snapshot(): ToolMetrics {
    const latency: LatencySummary = {
      count: this.latency.count, minMs: this.latency.minMs, maxMs: this.latency.maxMs, meanMs: this.latency.meanMs,
      p50Ms: this.latency.percentileMs(50), p90Ms: this.latency.percentileMs(90), p99Ms: this.latency.percentileMs(99)
    };
    const metrics: ToolMetrics = {
      tool: this.tool, calls: this.calls, ok: this.of(ToolCallStatus.ok), failed: this.of(ToolCallStatus.failed),
      rejected: this.of(ToolCallStatus.rejected), cancelled: this.of(ToolCallStatus.cancelled),
      unknown: this.of(ToolCallStatus.unknown), argumentRejections: this.argumentRejections,
      policyRejections: this.policyRejections, consentRejections: this.consentRejections, timeouts: this.timeouts,
      offloads: this.offloads, latency: latency
    };
    return metrics;
  }

  private of(status: ToolCallStatus): number {
    return this.byStatus.get(status) ?? 0;
  }

  private check(left: MetricRate[], rate: MetricRate, happened: boolean): void {
    if (this.watch(rate).add(happened)) {
      left.push(rate);
    }
  }
}

function isArgumentCode(code: string): boolean {
  return code.startsWith('json_') || code.startsWith('tool_argument');
}

function isConsent(envelope: ToolResultEnvelope): boolean {
  const by: string | undefined = envelope.result.metadata?.getString('by');
  return envelope.code === ErrorCode.toolDenied && (by === 'person' || by === 'expiry');
}
