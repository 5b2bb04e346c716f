import { EventStamp } from './EventStamp';

/** Something that happened. Immutable; extend it for events of an app's own. */
export abstract class AgentControllerEvent {
  readonly eventId: string;
  /** Milliseconds since the epoch. */
  readonly timestampMs: number;
  readonly sessionId: string;
  /** Empty for an event that belongs to no run. */
  readonly runId: string;

  constructor(stamp: EventStamp) {
    this.eventId = stamp.eventId;
    this.timestampMs = stamp.timestampMs;
    this.sessionId = stamp.sessionId;
    this.runId = stamp.runId;
  }

  /** The key under which listeners subscribe: stable, the same for all events of a class. */
  abstract eventType(): string;
}
