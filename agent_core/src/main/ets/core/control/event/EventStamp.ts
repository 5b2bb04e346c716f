import { Clock } from '../../port/Clock';
import { IdGenerator } from '../../port/IdGenerator';

/** What every event says about its origin. Immutable. */
export class EventStamp {
  /** Unique. */
  readonly eventId: string;
  /** Milliseconds since the epoch. */
  readonly timestampMs: number;
  readonly sessionId: string;
  /** Empty for an event that belongs to no run. */
  readonly runId: string;

  constructor(eventId: string, timestampMs: number, sessionId: string, runId: string) {
    this.eventId = eventId;
    this.timestampMs = timestampMs;
    this.sessionId = sessionId;
    this.runId = runId;
  }
}

/** Makes the stamps of one session: one random prefix, then a counter, so that an event costs no random id (DEC-27). */
export class EventStamper {
  private readonly clock: Clock;
  private readonly sessionId: string;
  private readonly prefix: string;
  private count: number = 0;

  constructor(clock: Clock, ids: IdGenerator, sessionId: string) {
    this.clock = clock;
    this.sessionId = sessionId;
    this.prefix = ids.nextId();
  }

  stamp(runId: string): EventStamp {
    this.count++;
    return new EventStamp(`${this.prefix}-${this.count}`, this.clock.nowMs(), this.sessionId, runId);
  }
}
