import { describe, expect, it } from 'vitest';
import { ApprovalDecision } from '@core/approval/ApprovalModes';
import { PendingPlanReview } from '@core/approval/PlanReview';
import { ArkAgentError } from '@core/base/ArkAgentError';
import { ControllerEventTypes } from '@core/control/ControllerEventTypes';
import type { AgentControllerEvent } from '@core/control/event/AgentControllerEvent';
import { ApprovalExpiringEvent, ApprovalRequiredEvent, ApprovalResolvedEvent } from '@core/control/event/ApprovalEvents';
import { HookDiagnosticEvent, LoopDetectedEvent, PersistEvent } from '@core/control/event/DiagnosticEvents';
import { EventStamper } from '@core/control/event/EventStamp';
import { JobChangedEvent, JobProgressEvent } from '@core/control/event/JobEvents';
import { LlmAfterEvent, LlmBeforeEvent, LlmChunkEvent } from '@core/control/event/ModelEvents';
import { RateDepartedEvent } from '@core/control/event/MetricEvents';
import { PlanChangedEvent, PlanReviewRequiredEvent } from '@core/control/event/PlanEvents';
import {
  AgentCancelRequestedEvent, AgentCancelledEvent, AgentFailedEvent, AgentResumedEvent, AgentStartedEvent, AgentSuccessEvent, AgentSuspendedEvent,
} from '@core/control/event/RunEvents';
import { ToolAfterEvent, ToolBeforeEvent, ToolProgressEvent } from '@core/control/event/ToolEvents';
import { HookDiagnostic, HookDiagnosticCode } from '@core/hook/HookDiagnostic';
import { HookSlot } from '@core/hook/HookSlot';
import { JsonObject } from '@core/json/JsonObject';
import { AgentMessage } from '@core/message/AgentMessage';
import { ToolCall } from '@core/message/ToolCall';
import { FinishReason } from '@core/model/ModelResponse';
import { AgentStopReason } from '@core/state/AgentStopReason';
import { PersistReason } from '@core/state/PersistReason';
import { ToolResult } from '@core/tool/ToolResult';
import { ToolCallStatus, ToolResultEnvelope } from '@core/tool/ToolResultEnvelope';
import { STAMP, batchOf, item } from './support';

const call = new ToolCall('c', 'erase', '{}', 0);
const plan = new JsonObject().setString('title', 'x');
const envelope = new ToolResultEnvelope({
  callId: 'c', tool: 'erase', status: ToolCallStatus.ok, summary: 's', result: ToolResult.text('r'), data: new JsonObject().setNumber('n', 1),
  artifact: { file: 'f', chars: 1, sha256: 'h' }, retry: { allowed: false, afterMs: 2, requiresInspection: true }, timing: { startedAtMs: 1, elapsedMs: 2 },
});
const batch = batchOf(item(0));
const error = ArkAgentError.runtime('x', 'm');

const EVENTS: Array<[string, AgentControllerEvent]> = [
  ['agent.started', new AgentStartedEvent(STAMP, [AgentMessage.user('hi')])],
  ['agent.resumed', new AgentResumedEvent(STAMP, 1)],
  ['agent.success', new AgentSuccessEvent(STAMP, AgentStopReason.complete, AgentMessage.assistant('done'))],
  ['agent.suspended', new AgentSuspendedEvent(STAMP, AgentStopReason.awaitingApproval)],
  ['agent.failed', new AgentFailedEvent(STAMP, AgentStopReason.error, error)],
  ['agent.cancelled', new AgentCancelledEvent(STAMP, 'user')],
  ['agent.cancel_requested', new AgentCancelRequestedEvent(STAMP, 'user')],
  ['llm.before', new LlmBeforeEvent(STAMP, 1, 2, 3)],
  ['llm.after', new LlmAfterEvent(STAMP, { turn: 1, text: 't', toolCallCount: 0, finishReason: FinishReason.stop })],
  ['llm.chunk', new LlmChunkEvent(STAMP, 't')],
  ['tool.before', new ToolBeforeEvent(STAMP, call, ['w'])],
  ['tool.after', new ToolAfterEvent(STAMP, call, envelope, [])],
  ['tool.progress', new ToolProgressEvent(STAMP, call, 'half', 0.5)],
  ['job.changed', new JobChangedEvent(STAMP, 'j', 'erase', 'c', 'running')],
  ['job.progress', new JobProgressEvent(STAMP, 'j', 'half', 0.5)],
  ['metrics.departed', new RateDepartedEvent(STAMP, 'erase', 'timeouts', 0.5, 0.1)],
  ['approval.required', new ApprovalRequiredEvent(STAMP, batch, true)],
  ['approval.expiring', new ApprovalExpiringEvent(STAMP, 'b', 'b:0:0', 9)],
  ['approval.resolved', new ApprovalResolvedEvent(STAMP, 'b', [{ approvalId: 'b:0:0', decision: ApprovalDecision.approved, decidedBy: 'person' }], true)],
  ['plan.changed', new PlanChangedEvent(STAMP, plan)],
  ['plan.review_required', new PlanReviewRequiredEvent(STAMP, new PendingPlanReview('p', 'run', plan, 1), true)],
  ['loop.detected', new LoopDetectedEvent(STAMP, 'five equal calls', 'tool_signature', 'erase:{}')],
  ['state.persisted', new PersistEvent(STAMP, PersistReason.terminal, { skipped: false, error })],
  ['hook.diagnostic', new HookDiagnosticEvent(STAMP, new HookDiagnostic('h', HookSlot.afterRun, 'm', HookDiagnosticCode.hookFailed))],
];

describe('controller events', () => {
  it('there is one event for each key, and each carries its stamp', () => {
    for (const [key, event] of EVENTS) {
      expect(event.eventType()).toBe(key);
      expect([event.eventId, event.timestampMs, event.sessionId, event.runId]).toEqual(['e-1', 7, 'session', 'run']);
    }
    const keys = Object.values(ControllerEventTypes).filter((key) => key !== '*');
    expect(EVENTS.map((entry) => entry[0]).sort()).toEqual(keys.sort());
  });

  it('events hold copies of what they tell of', () => {
    const required = EVENTS.find((entry) => entry[0] === 'approval.required')?.[1] as ApprovalRequiredEvent;
    expect(required.batch).toEqual(batch);
    expect(required.batch).not.toBe(batch);
    expect(required.batch.siblings[0]).not.toBe(batch.siblings[0]);
    const after = EVENTS.find((entry) => entry[0] === 'tool.after')?.[1] as ToolAfterEvent;
    expect(after.envelope).toEqual(envelope);
    expect(after.envelope.data).not.toBe(envelope.data);
    const changed = EVENTS.find((entry) => entry[0] === 'plan.changed')?.[1] as PlanChangedEvent;
    expect([changed.plan.sealed, plan.sealed]).toEqual([true, false]);
  });

  it('a persist event says skipped and failed apart', () => {
    expect(new PersistEvent(STAMP, PersistReason.afterModelText, { skipped: true })).toMatchObject({ skipped: true, failed: false, error: undefined });
    expect(new PersistEvent(STAMP, PersistReason.terminal, { skipped: false, error })).toMatchObject({ skipped: false, failed: true, error: { code: 'x' } });
  });

  it('a stamper takes one random id and counts from there', () => {
    let made = 0;
    let now = 100;
    const stamper = new EventStamper({ nowMs: () => now++ }, { nextId: () => `id${made++}` }, 's');
    expect([stamper.stamp('r'), stamper.stamp('')]).toMatchObject([
      { eventId: 'id0-1', timestampMs: 100, sessionId: 's', runId: 'r' }, { eventId: 'id0-2', timestampMs: 101, sessionId: 's', runId: '' },
    ]);
    expect(made).toBe(1);
  });
});
