import { ArkAgentError } from '../../base/ArkAgentError';
import { Snapshots } from '../../hook/Snapshots';
import { AgentMessage } from '../../message/AgentMessage';
import { AgentStopReason } from '../../state/AgentStopReason';
import { ControllerEventTypes } from '../ControllerEventTypes';
import { AgentControllerEvent } from './AgentControllerEvent';
import { EventStamp } from './EventStamp';

/** New input was accepted; before the beforeRun hooks. */
export class AgentStartedEvent extends AgentControllerEvent {
  readonly input: ReadonlyArray<AgentMessage>;

  constructor(stamp: EventStamp, input: ReadonlyArray<AgentMessage>) {
    super(stamp);
    this.input = Snapshots.messages(input);
  }

  eventType(): string {
    return ControllerEventTypes.agentStarted;
  }
}

/** The claim of a resume is on disk. */
export class AgentResumedEvent extends AgentControllerEvent {
  /** At least 1. */
  readonly segment: number;

  constructor(stamp: EventStamp, segment: number) {
    super(stamp);
    this.segment = segment;
  }

  eventType(): string {
    return ControllerEventTypes.agentResumed;
  }
}

/** The run ended as it should: complete, tool_stop or hook_stop. */
export class AgentSuccessEvent extends AgentControllerEvent {
  readonly stopReason: AgentStopReason;
  /** The last message of the history. */
  readonly message: AgentMessage | undefined;

  constructor(stamp: EventStamp, stopReason: AgentStopReason, message?: AgentMessage) {
    super(stamp);
    this.stopReason = stopReason;
    this.message = message === undefined ? undefined : Snapshots.message(message);
  }

  eventType(): string {
    return ControllerEventTypes.agentSuccess;
  }
}

/** The run waits for a person, or the app's life cycle stopped it. */
export class AgentSuspendedEvent extends AgentControllerEvent {
  readonly stopReason: AgentStopReason;

  constructor(stamp: EventStamp, stopReason: AgentStopReason) {
    super(stamp);
    this.stopReason = stopReason;
  }

  eventType(): string {
    return ControllerEventTypes.agentSuspended;
  }
}

/** The run ended with error, loop_detected, max_turns or aborted. */
export class AgentFailedEvent extends AgentControllerEvent {
  readonly stopReason: AgentStopReason;
  readonly error: ArkAgentError;

  constructor(stamp: EventStamp, stopReason: AgentStopReason, error: ArkAgentError) {
    super(stamp);
    this.stopReason = stopReason;
    this.error = Snapshots.error(error);
  }

  eventType(): string {
    return ControllerEventTypes.agentFailed;
  }
}

/** The person asked for a cancel; running calls may still be ending. */
export class AgentCancelRequestedEvent extends AgentControllerEvent {
  readonly reason: string;

  constructor(stamp: EventStamp, reason: string) {
    super(stamp);
    this.reason = reason;
  }

  eventType(): string {
    return ControllerEventTypes.agentCancelRequested;
  }
}

/** The person's cancel is done and stored. */
export class AgentCancelledEvent extends AgentControllerEvent {
  readonly reason: string;

  constructor(stamp: EventStamp, reason: string) {
    super(stamp);
    this.reason = reason;
  }

  eventType(): string {
    return ControllerEventTypes.agentCancelled;
  }
}
