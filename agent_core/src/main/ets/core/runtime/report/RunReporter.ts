import { ApprovalDecision } from '../../approval/ApprovalModes';
import { PendingApprovalBatch } from '../../approval/PendingApprovalBatch';
import { PendingApprovalItem } from '../../approval/PendingApprovalItem';
import { PendingPlanReview } from '../../approval/PlanReview';
import { ArkAgentError } from '../../base/ArkAgentError';
import { AgentController } from '../../control/AgentController';
import { ControllerEventTypes } from '../../control/ControllerEventTypes';
import { ApprovalExpiringEvent, ApprovalRequiredEvent, ApprovalResolution, ApprovalResolvedEvent } from '../../control/event/ApprovalEvents';
import { HookDiagnosticEvent, LoopDetectedEvent, LoopEvidence, PersistEnd, PersistEvent } from '../../control/event/DiagnosticEvents';
import { EventStamp, EventStamper } from '../../control/event/EventStamp';
import { LlmAfterEvent, LlmAnswerSummary, LlmBeforeEvent, LlmChunkEvent } from '../../control/event/ModelEvents';
import { PlanReviewRequiredEvent } from '../../control/event/PlanEvents';
import {
  AgentCancelRequestedEvent, AgentCancelledEvent, AgentFailedEvent, AgentResumedEvent, AgentStartedEvent,
  AgentSuccessEvent, AgentSuspendedEvent
} from '../../control/event/RunEvents';
import { ToolAfterEvent, ToolBeforeEvent, ToolProgressEvent } from '../../control/event/ToolEvents';
import { RunAudit } from '../../execution/audit/RunAudit';
import { CallReporter } from '../../execution/seam/CallReporter';
import { HookDiagnostic } from '../../hook/HookDiagnostic';
import { LoopDetectorResult } from '../../loop/LoopDetector';
import { AgentMessage } from '../../message/AgentMessage';
import { ToolCall } from '../../message/ToolCall';
import { ModelRequest } from '../../model/ModelRequest';
import { ModelResponse } from '../../model/ModelResponse';
import { PersistReason } from '../../state/PersistReason';
import { LogLevel, Logger } from '../../port/Logger';
import { AgentStopReason } from '../../state/AgentStopReason';
import { ToolResultEnvelope } from '../../tool/ToolResultEnvelope';
import { AgentEventInit, AgentEventType } from './AgentEvent';
import { ObserverOutlet } from './ObserverOutlet';

/** Tells the controller's listeners and the run's observer what happens, in this order; builds an event only for who listens. */
export class RunReporter implements CallReporter {
  /** Of the turn that runs; for the model events. */
  turn: number = 0;
  /** Where the steps of the run's calls are written down. */
  readonly audit: RunAudit;
  private readonly controller: AgentController | undefined;
  private readonly stamper: EventStamper;
  private readonly outlet: ObserverOutlet;
  private readonly logger: Logger;
  private readonly sessionId: string;
  private readonly runId: string;

  constructor(controller: AgentController | undefined, stamper: EventStamper, outlet: ObserverOutlet, logger: Logger,
    sessionId: string, runId: string, audit: RunAudit) {
    this.controller = controller;
    this.stamper = stamper;
    this.outlet = outlet;
    this.logger = logger;
    this.sessionId = sessionId;
    this.runId = runId;
    this.audit = audit;
  }

  started(input: ReadonlyArray<AgentMessage>): void {
    if (this.hears(ControllerEventTypes.agentStarted)) {
      this.controller?.publish(new AgentStartedEvent(this.stamp(), input));
    }
    this.outlet.next(this.event(AgentEventType.runStarted));
  }

  resumed(segment: number): void {
    if (this.hears(ControllerEventTypes.agentResumed)) {
      this.controller?.publish(new AgentResumedEvent(this.stamp(), segment));
    }
    this.outlet.next(this.event(AgentEventType.runResumed));
  }

  cancelRequested(reason: string): void {
    if (this.hears(ControllerEventTypes.agentCancelRequested)) {
      this.controller?.publish(new AgentCancelRequestedEvent(this.stamp(), reason));
    }
    this.outlet.next(this.textEvent(AgentEventType.cancelRequested, reason));
  }

  modelStarted(request: ModelRequest): void {
    if (this.hears(ControllerEventTypes.beforeCallLlm)) {
      this.controller?.publish(
        new LlmBeforeEvent(this.stamp(), this.turn, request.messages.length, request.tools.length));
    }
    this.outlet.next(this.event(AgentEventType.modelStarted));
  }

  textDelta(text: string): void {
    if (this.hears(ControllerEventTypes.llmChunk)) {
      this.controller?.publish(new LlmChunkEvent(this.stamp(), text));
    }
    this.outlet.next(this.textEvent(AgentEventType.textDelta, text));
  }

  reasoningDelta(text: string): void {
    if (this.hears(ControllerEventTypes.llmChunk)) {
      this.controller?.publish(new LlmChunkEvent(this.stamp(), '', text));
    }
    this.outlet.next(this.textEvent(AgentEventType.reasoningDelta, text));
  }

  modelRestarted(): void {
    this.outlet.next(this.event(AgentEventType.modelRestarted));
  }

  modelFinished(response: ModelResponse): void {
    if (this.hears(ControllerEventTypes.afterCallLlm)) {
      const answer: LlmAnswerSummary = {
        turn: this.turn, text: response.text, toolCallCount: response.toolCalls.length,
        finishReason: response.finishReason, usage: response.usage
      };
      this.controller?.publish(new LlmAfterEvent(this.stamp(), answer));
    }
  }

  callStarted(call: ToolCall, warnings: ReadonlyArray<string>, decidedBy: string): void {
    if (this.hears(ControllerEventTypes.beforeToolCall)) {
      this.controller?.publish(new ToolBeforeEvent(this.stamp(), call, warnings, decidedBy));
    }
    this.outlet.next(this.callEvent(AgentEventType.toolCallStarted, call));
  }

  callProgress(call: ToolCall, message: string, fraction: number): void {
    if (this.hears(ControllerEventTypes.toolProgress)) {
      this.controller?.publish(new ToolProgressEvent(this.stamp(), call, message, fraction));
    }
    const init: AgentEventInit = this.callEvent(AgentEventType.toolProgress, call);
    init.text = message;
    init.fraction = fraction;
    this.outlet.next(init);
  }

  callFinished(call: ToolCall, envelope: ToolResultEnvelope, warnings: ReadonlyArray<string>): void {
    if (this.hears(ControllerEventTypes.afterToolCall)) {
      this.controller?.publish(new ToolAfterEvent(this.stamp(), call, envelope, warnings));
    }
    const init: AgentEventInit = this.callEvent(AgentEventType.toolCallFinished, call);
    init.envelope = envelope;
    this.outlet.next(init);
  }

  diagnostics(notes: ReadonlyArray<HookDiagnostic>): void {
    for (const note of notes) {
      if (this.hears(ControllerEventTypes.hookDiagnostic)) {
        this.controller?.publish(new HookDiagnosticEvent(this.stamp(), note));
      }
    }
  }

  persisted(reason: PersistReason, skipped: boolean, error: ArkAgentError | undefined): void {
    if (this.hears(ControllerEventTypes.statePersisted)) {
      const end: PersistEnd = { skipped: skipped, error: error };
      this.controller?.publish(new PersistEvent(this.stamp(), reason, end));
    }
    const init: AgentEventInit = this.textEvent(AgentEventType.statePersisted, reason);
    init.persisted = !skipped && error === undefined;
    this.outlet.next(init);
    if (init.persisted) {
      this.audit.commit(false);
    }
  }

  loopDetected(found: LoopDetectorResult, evidence: LoopEvidence): void {
    if (this.hears(ControllerEventTypes.loopDetected)) {
      this.controller?.publish(new LoopDetectedEvent(this.stamp(), found.reason, found.kind, evidence.signature, evidence));
    }
  }

  approvalRequired(batch: PendingApprovalBatch, durable: boolean): void {
    if (this.hears(ControllerEventTypes.approvalRequired)) {
      this.controller?.publish(new ApprovalRequiredEvent(this.stamp(), batch.clone(), durable));
    }
    const init: AgentEventInit = this.event(AgentEventType.approvalRequired);
    init.batch = batch.clone();
    this.outlet.next(init);
  }

  planReviewRequired(review: PendingPlanReview, durable: boolean): void {
    if (this.hears(ControllerEventTypes.planReviewRequired)) {
      this.controller?.publish(new PlanReviewRequiredEvent(this.stamp(), review, durable));
    }
    const init: AgentEventInit = this.event(AgentEventType.planReviewRequired);
    init.planReview = review;
    this.outlet.next(init);
  }

  approvalResolved(batch: PendingApprovalBatch, items: ReadonlyArray<PendingApprovalItem>, closedBy: string): void {
    if (!this.hears(ControllerEventTypes.approvalResolved)) {
      return;
    }
    const decisions: ApprovalResolution[] = items.map<ApprovalResolution>((item: PendingApprovalItem) => {
      const line: ApprovalResolution = {
        approvalId: item.approvalId, decision: item.decision, decidedBy: item.decidedBy ?? '',
        denyReason: item.decision === ApprovalDecision.denied ? item.denyReason : undefined
      };
      return line;
    });
    this.controller?.publish(
      new ApprovalResolvedEvent(this.stamp(), batch.batchId, decisions, closedBy !== '' || batch.allDecided(), closedBy));
  }

  approvalExpiring(batch: PendingApprovalBatch, item: PendingApprovalItem): void {
    if (this.hears(ControllerEventTypes.approvalExpiring)) {
      this.controller?.publish(
        new ApprovalExpiringEvent(this.stamp(), batch.batchId, item.approvalId, item.expiresAtMs ?? 0));
    }
  }

  suspended(stopReason: AgentStopReason): void {
    if (this.hears(ControllerEventTypes.agentSuspended)) {
      this.controller?.publish(new AgentSuspendedEvent(this.stamp(), stopReason));
    }
    this.outlet.next(this.endEvent(AgentEventType.suspended, stopReason));
  }

  completed(stopReason: AgentStopReason, message: AgentMessage | undefined): void {
    if (this.hears(ControllerEventTypes.agentSuccess)) {
      this.controller?.publish(new AgentSuccessEvent(this.stamp(), stopReason, message));
    }
    this.outlet.next(this.endEvent(AgentEventType.runCompleted, stopReason));
  }

  failed(stopReason: AgentStopReason, error: ArkAgentError): void {
    if (this.hears(ControllerEventTypes.agentFailed)) {
      this.controller?.publish(new AgentFailedEvent(this.stamp(), stopReason, error));
    }
    const init: AgentEventInit = this.endEvent(AgentEventType.runFailed, stopReason);
    init.error = error;
    this.outlet.next(init);
  }

  cancelled(reason: string): void {
    if (this.hears(ControllerEventTypes.agentCancelled)) {
      this.controller?.publish(new AgentCancelledEvent(this.stamp(), reason));
    }
    const init: AgentEventInit = this.endEvent(AgentEventType.runCancelled, AgentStopReason.cancelled);
    init.text = reason;
    this.outlet.next(init);
  }

  /** The terminal call of the observer; everything before it has been told. */
  finish(error: ArkAgentError | undefined): void {
    this.audit.commit(true);
    this.outlet.finish(error);
    if (this.outlet.faultCount > 0) {
      this.logger.log(LogLevel.warn, 'arkagent', `the observer of run ${this.runId} threw ${this.outlet.faultCount} times`);
    }
  }

  private hears(type: string): boolean {
    return this.controller !== undefined && this.controller.hasSubscribers(type);
  }

  private stamp(): EventStamp {
    return this.stamper.stamp(this.runId);
  }

  private event(type: AgentEventType): AgentEventInit {
    const init: AgentEventInit = { type: type, sessionId: this.sessionId, runId: this.runId };
    return init;
  }

  private textEvent(type: AgentEventType, text: string): AgentEventInit {
    const init: AgentEventInit = { type: type, sessionId: this.sessionId, runId: this.runId, text: text };
    return init;
  }

  private callEvent(type: AgentEventType, call: ToolCall): AgentEventInit {
    const init: AgentEventInit = { type: type, sessionId: this.sessionId, runId: this.runId, call: call };
    return init;
  }

  private endEvent(type: AgentEventType, stopReason: AgentStopReason): AgentEventInit {
    const init: AgentEventInit = { type: type, sessionId: this.sessionId, runId: this.runId, stopReason: stopReason };
    return init;
  }
}
