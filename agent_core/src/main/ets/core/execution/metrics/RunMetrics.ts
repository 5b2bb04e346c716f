import { ErrorCode } from '../../base/ErrorCodes';
import { AgentController } from '../../control/AgentController';
import { AgentControllerEvent } from '../../control/event/AgentControllerEvent';
import { EventStamp } from '../../control/event/EventStamp';
import { RateDepartedEvent } from '../../control/event/MetricEvents';
import { ToolAfterEvent } from '../../control/event/ToolEvents';
import { ControllerEventTypes } from '../../control/ControllerEventTypes';
import { HookDiagnostic } from '../../hook/HookDiagnostic';
import { ToolCall } from '../../message/ToolCall';
import { ToolResultEnvelope } from '../../tool/ToolResultEnvelope';
import { CallReporter } from '../seam/CallReporter';
import { RateRules, RateWatch } from './RateWatch';
import { MetricRate, ToolCounts, ToolMetrics } from './ToolCounts';

/** A rate that left its usual range. */
export interface RateDeparture {
  /** A label of the snapshot. */
  tool: string;
  rate: MetricRate;
  /** 0 to 1. */
  recent: number;
  /** 0 to 1. */
  usual: number;
}

export interface RunMetricsOptions {
  /** Tools with numbers of their own; the others share `(other)`. Default 64. */
  maxTools?: number;
  rates?: RateRules;
  /** Called when a rate leaves its usual range, once until it has come back. A throw is isolated and counted. */
  onDeparture?: (departure: RateDeparture) => void;
}

/** All numbers at one moment. */
export interface MetricsSnapshot {
  total: ToolMetrics;
  /** By label. */
  tools: ReadonlyArray<ToolMetrics>;
}

/**
 * Counts what becomes of calls, per tool, with bounded memory. Labels are names of registered tools and nothing else: no
 * arguments, and no name that a model invented.
 *
 * Fed by a controller (`attach`), or as the reporter of a `ToolPipeline` for direct calls.
 */
export class RunMetrics implements CallReporter {
  /** Calls of names that are not registered or not visible. */
  static readonly UNKNOWN_TOOL: string = '(unknown)';
  static readonly OTHER_TOOLS: string = '(other)';
  private readonly options: RunMetricsOptions;
  private readonly maxTools: number;
  private readonly tools: Map<string, ToolCounts> = new Map<string, ToolCounts>();
  private total: ToolCounts;
  private faults: number = 0;

  constructor(options?: RunMetricsOptions) {
    this.options = options ?? {};
    this.maxTools = options?.maxTools ?? 64;
    this.total = new ToolCounts('', this.options.rates);
  }

  /** Counts the calls of every session of a controller, and publishes a `RateDepartedEvent` there. @returns stops that */
  attach(controller: AgentController): () => void {
    return controller.subscribe(ControllerEventTypes.afterToolCall, (event: AgentControllerEvent): void => {
      if (event instanceof ToolAfterEvent) {
        for (const gone of this.countDepartures(event.envelope)) {
          const stamp: EventStamp =
            new EventStamp(`${event.eventId}-${gone.rate}`, event.timestampMs, event.sessionId, event.runId);
          controller.publish(new RateDepartedEvent(stamp, gone.tool, gone.rate, gone.recent, gone.usual));
        }
      }
    });
  }

  /** How often `onDeparture` threw. */
  get faultCount(): number {
    return this.faults;
  }

  count(envelope: ToolResultEnvelope): void {
    this.countDepartures(envelope);
  }

  snapshot(): MetricsSnapshot {
    const labels: string[] = Array.from(this.tools.keys()).sort();
    const snapshot: MetricsSnapshot = {
      total: this.total.snapshot(),
      tools: labels.map<ToolMetrics>((label: string) => (this.tools.get(label) as ToolCounts).snapshot())
    };
    return snapshot;
  }

  /** Forgets everything. */
  reset(): void {
    this.tools.clear();
    this.total = new ToolCounts('', this.options.rates);
  }

  callStarted(call: ToolCall, warnings: ReadonlyArray<string>, decidedBy: string): void {
  }

  callProgress(call: ToolCall, message: string, fraction: number): void {
  }

  callFinished(call: ToolCall, envelope: ToolResultEnvelope, warnings: ReadonlyArray<string>): void {
    this.count(envelope);
  }

  diagnostics(notes: ReadonlyArray<HookDiagnostic>): void {
  }

  private countDepartures(envelope: ToolResultEnvelope): ReadonlyArray<RateDeparture> {
    const label: string = this.labelOf(envelope);
    this.total.add(envelope);
    const counts: ToolCounts = this.countsOf(label);
    const found: RateDeparture[] = [];
    for (const rate of counts.add(envelope)) {
      const watch: RateWatch = counts.watch(rate);
      const departure: RateDeparture = { tool: label, rate: rate, recent: watch.recent, usual: watch.usual };
      found.push(departure);
      this.tell(departure);
    }
    return found;
  }

  private labelOf(envelope: ToolResultEnvelope): string {
    if (envelope.code === ErrorCode.toolNotFound || envelope.code === ErrorCode.toolNotVisible) {
      return RunMetrics.UNKNOWN_TOOL;
    }
    return this.tools.has(envelope.tool) || this.tools.size < this.maxTools ? envelope.tool : RunMetrics.OTHER_TOOLS;
  }

  private countsOf(label: string): ToolCounts {
    let counts: ToolCounts | undefined = this.tools.get(label);
    if (counts === undefined) {
      counts = new ToolCounts(label, this.options.rates);
      this.tools.set(label, counts);
    }
    return counts;
  }

  private tell(departure: RateDeparture): void {
    try {
      this.options.onDeparture?.(departure);
    } catch (e) {
      this.faults++;
    }
  }
}
