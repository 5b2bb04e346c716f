import { ControllerEventTypes } from '../ControllerEventTypes';
import { AgentControllerEvent } from './AgentControllerEvent';
import { EventStamp } from './EventStamp';

/** A rate of a tool left its usual range; told once until it has come back. Holds no arguments. */
export class RateDepartedEvent extends AgentControllerEvent {
  /** A label of `MetricsSnapshot.tools`. */
  readonly tool: string;
  /** A value of `MetricRate`. */
  readonly rate: string;
  /** 0 to 1. */
  readonly recent: number;
  /** 0 to 1. */
  readonly usual: number;

  constructor(stamp: EventStamp, tool: string, rate: string, recent: number, usual: number) {
    super(stamp);
    this.tool = tool;
    this.rate = rate;
    this.recent = recent;
    this.usual = usual;
  }

  eventType(): string {
    return ControllerEventTypes.rateDeparted;
  }
}
