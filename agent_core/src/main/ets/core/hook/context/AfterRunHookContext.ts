import { ArkAgentError } from '../../base/ArkAgentError';
import { AgentStopReason } from '../../state/AgentStopReason';
import { ReadonlyAgentState } from '../../tool/ToolContext';
import { Snapshots } from '../Snapshots';
import { HookContextBase } from './HookContextBase';

/** How a segment of a run ended. */
export interface SegmentEnd {
  runId: string;
  /** From 0; +1 with each resume. */
  segment: number;
  stopReason: AgentStopReason;
  error?: ArkAgentError;
}

/** After a segment of a run ended, whichever path ended it. */
export class AfterRunHookContext extends HookContextBase {
  readonly runId: string;
  readonly segment: number;
  readonly stopReason: AgentStopReason;
  readonly error: ArkAgentError | undefined;

  constructor(sessionId: string, state: ReadonlyAgentState, end: SegmentEnd) {
    super(sessionId, state);
    this.runId = end.runId;
    this.segment = end.segment;
    this.stopReason = end.stopReason;
    this.error = end.error;
  }

  /** The same facts for another hook, sharing nothing that could be changed. @internal */
  copy(): AfterRunHookContext {
    const end: SegmentEnd = {
      runId: this.runId, segment: this.segment, stopReason: this.stopReason,
      error: this.error === undefined ? undefined : Snapshots.error(this.error)
    };
    return new AfterRunHookContext(this.sessionId, this.state, end);
  }
}
