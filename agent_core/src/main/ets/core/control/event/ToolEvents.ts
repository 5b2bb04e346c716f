import { ApprovalDeciders } from '../../approval/ApprovalModes';
import { Snapshots } from '../../hook/Snapshots';
import { ToolCall } from '../../message/ToolCall';
import { ToolResultEnvelope } from '../../tool/ToolResultEnvelope';
import { ControllerEventTypes } from '../ControllerEventTypes';
import { AgentControllerEvent } from './AgentControllerEvent';
import { EventStamp } from './EventStamp';

/** A call is about to execute (DEC-43). */
export class ToolBeforeEvent extends AgentControllerEvent {
  /** With masked arguments. */
  readonly call: ToolCall;
  /** Notes of beforeToolCall hooks. */
  readonly warnings: ReadonlyArray<string>;
  /** Who lets it run: policy, `grant:<id>`, or who approved it. */
  readonly decidedBy: string;

  constructor(stamp: EventStamp, call: ToolCall, warnings: ReadonlyArray<string>,
    decidedBy: string = ApprovalDeciders.POLICY) {
    super(stamp);
    this.call = Snapshots.call(call);
    this.warnings = warnings.slice();
    this.decidedBy = decidedBy;
  }

  eventType(): string {
    return ControllerEventTypes.beforeToolCall;
  }
}

/** A call has its answer; also for calls that were rejected and never ran. */
export class ToolAfterEvent extends AgentControllerEvent {
  /** With masked arguments. */
  readonly call: ToolCall;
  /** Redacted and limited. */
  readonly envelope: ToolResultEnvelope;
  /** Notes of beforeToolCall hooks. */
  readonly warnings: ReadonlyArray<string>;

  constructor(stamp: EventStamp, call: ToolCall, envelope: ToolResultEnvelope, warnings: ReadonlyArray<string>) {
    super(stamp);
    this.call = Snapshots.call(call);
    this.envelope = Snapshots.envelope(envelope);
    this.warnings = warnings.slice();
  }

  eventType(): string {
    return ControllerEventTypes.afterToolCall;
  }
}

/** A running call reports how far it is. */
export class ToolProgressEvent extends AgentControllerEvent {
  /** With masked arguments. */
  readonly call: ToolCall;
  readonly message: string;
  /** 0 to 1, or -1 when it is not known. */
  readonly fraction: number;

  constructor(stamp: EventStamp, call: ToolCall, message: string, fraction: number) {
    super(stamp);
    this.call = Snapshots.call(call);
    this.message = message;
    this.fraction = fraction;
  }

  eventType(): string {
    return ControllerEventTypes.toolProgress;
  }
}
