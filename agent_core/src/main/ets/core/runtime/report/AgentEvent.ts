import { PendingApprovalBatch } from '../../approval/PendingApprovalBatch';
import { PendingPlanReview } from '../../approval/PlanReview';
import { ArkAgentError } from '../../base/ArkAgentError';
import { ToolCall } from '../../message/ToolCall';
import { AgentStopReason } from '../../state/AgentStopReason';
import { ToolResultEnvelope } from '../../tool/ToolResultEnvelope';

/** What happens in a run, as its observer sees it. */
export enum AgentEventType {
  runStarted = 'run_started',
  runResumed = 'run_resumed',
  modelStarted = 'model_started',
  textDelta = 'text_delta',
  reasoningDelta = 'reasoning_delta',
  /** The turn's text that was shown does not count any more; a UI drops it. */
  modelRestarted = 'model_restarted',
  toolCallStarted = 'tool_call_started',
  toolProgress = 'tool_progress',
  toolCallFinished = 'tool_call_finished',
  statePersisted = 'state_persisted',
  approvalRequired = 'approval_required',
  planReviewRequired = 'plan_review_required',
  suspended = 'suspended',
  cancelRequested = 'cancel_requested',
  runCompleted = 'run_completed',
  runFailed = 'run_failed',
  runCancelled = 'run_cancelled'
}

/** The parts of an event. */
export interface AgentEventInit {
  type: AgentEventType;
  sessionId: string;
  runId: string;
  text?: string;
  fraction?: number;
  call?: ToolCall;
  envelope?: ToolResultEnvelope;
  batch?: PendingApprovalBatch;
  planReview?: PendingPlanReview;
  stopReason?: AgentStopReason;
  error?: ArkAgentError;
  persisted?: boolean;
}

/** One event of a run. Immutable; which members are set depends on `type`. */
export class AgentEvent {
  readonly type: AgentEventType;
  readonly sessionId: string;
  readonly runId: string;
  /** textDelta, reasoningDelta: the new text; toolProgress: the message; statePersisted: the reason; cancelRequested: the reason. */
  readonly text: string;
  /** toolProgress: 0 to 1, or -1 when it is not known. */
  readonly fraction: number;
  /** toolCallStarted, toolProgress, toolCallFinished. */
  readonly call: ToolCall | undefined;
  /** toolCallFinished. */
  readonly envelope: ToolResultEnvelope | undefined;
  /** approvalRequired. */
  readonly batch: PendingApprovalBatch | undefined;
  /** planReviewRequired. */
  readonly planReview: PendingPlanReview | undefined;
  /** suspended, runCompleted, runFailed, runCancelled. */
  readonly stopReason: AgentStopReason | undefined;
  /** runFailed. */
  readonly error: ArkAgentError | undefined;
  /** statePersisted: false when the save failed or was skipped. */
  readonly persisted: boolean;

  constructor(init: AgentEventInit) {
    this.type = init.type;
    this.sessionId = init.sessionId;
    this.runId = init.runId;
    this.text = init.text ?? '';
    this.fraction = init.fraction ?? -1;
    this.call = init.call;
    this.envelope = init.envelope;
    this.batch = init.batch;
    this.planReview = init.planReview;
    this.stopReason = init.stopReason;
    this.error = init.error;
    this.persisted = init.persisted ?? true;
  }
}
