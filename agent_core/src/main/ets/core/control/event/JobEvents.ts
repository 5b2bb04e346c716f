import { ControllerEventTypes } from '../ControllerEventTypes';
import { AgentControllerEvent } from './AgentControllerEvent';
import { EventStamp } from './EventStamp';

/** A job began, was told to stop, or ended. */
export class JobChangedEvent extends AgentControllerEvent {
  readonly jobId: string;
  readonly toolName: string;
  readonly callId: string;
  /** running, cancel_requested, finished, failed, cancelled or unknown. */
  readonly state: string;

  constructor(stamp: EventStamp, jobId: string, toolName: string, callId: string, state: string) {
    super(stamp);
    this.jobId = jobId;
    this.toolName = toolName;
    this.callId = callId;
    this.state = state;
  }

  eventType(): string {
    return ControllerEventTypes.jobChanged;
  }
}

/** What a running job says of itself; secrets in arguments are masked. */
export class JobProgressEvent extends AgentControllerEvent {
  readonly jobId: string;
  readonly message: string;
  /** 0 to 1, or -1 when it is not known. */
  readonly fraction: number;

  constructor(stamp: EventStamp, jobId: string, message: string, fraction: number) {
    super(stamp);
    this.jobId = jobId;
    this.message = message;
    this.fraction = fraction;
  }

  eventType(): string {
    return ControllerEventTypes.jobProgress;
  }
}
