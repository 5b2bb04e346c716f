import { describe, expect, it } from 'vitest';
import { ApprovalDecision, ApprovalKind } from '@core/approval/ApprovalModes';
import { PendingApprovalBatch } from '@core/approval/PendingApprovalBatch';
import { PendingApprovalItem, type PendingApprovalItemInit } from '@core/approval/PendingApprovalItem';
import { PendingPlanReview } from '@core/approval/PlanReview';
import { ArkAgentError } from '@core/base/ArkAgentError';
import { AgentController } from '@core/control/AgentController';
import type { AgentControllerEvent } from '@core/control/event/AgentControllerEvent';
import { EventStamper } from '@core/control/event/EventStamp';
import { RunAudit } from '@core/execution/audit/RunAudit';
import { EnvelopeFactory } from '@core/execution/run/EnvelopeFactory';
import { HookDiagnostic, HookDiagnosticCode } from '@core/hook/HookDiagnostic';
import { HookSlot } from '@core/hook/HookSlot';
import { JsonObject } from '@core/json/JsonObject';
import { LoopDetectorResult, LoopKind } from '@core/loop/LoopDetector';
import { AgentMessage } from '@core/message/AgentMessage';
import { MessageList } from '@core/message/MessageList';
import { ModelRequest } from '@core/model/ModelRequest';
import { ModelResponse } from '@core/model/ModelResponse';
import { ToolRiskLevel } from '@core/model/ToolDefinition';
import { ObserverOutlet } from '@core/runtime/report/ObserverOutlet';
import { RunReporter } from '@core/runtime/report/RunReporter';
import { AgentStopReason } from '@core/state/AgentStopReason';
import { CallResult } from '@core/state/CallResult';
import { PersistReason } from '@core/state/PersistReason';
import { CountingIdGenerator } from '@core/testing/CountingIdGenerator';
import { ManualClock } from '@core/testing/ManualClock';
import { ToolEffect } from '@core/tool/ToolContract';
import { ToolResult } from '@core/tool/ToolResult';
import { ToolCallStatus } from '@core/tool/ToolResultEnvelope';
import { ListLogger, LoggingObserver } from '../../scenario/run/harness';
import { call } from './support';

const item = (over: Partial<PendingApprovalItemInit> = {}): PendingApprovalItem => new PendingApprovalItem({
  approvalId: 'b:0:0', position: 0, round: 0, kind: ApprovalKind.call, toolCall: call(0), riskLevel: ToolRiskLevel.dangerous, effect: ToolEffect.irreversible, reason: '', createdAtMs: 1, decision: ApprovalDecision.pending, warnings: [], origin: [], ...over,
});
const batch = (...items: PendingApprovalItem[]): PendingApprovalBatch => new PendingApprovalBatch({ batchId: 'b', runId: 'r', items, modelMessage: AgentMessage.assistant(''), createdAtMs: 1, siblings: [] });
const error = ArkAgentError.tool('x', 'm');
const envelope = EnvelopeFactory.of(call(0), CallResult.of(ToolCallStatus.ok, '', ToolResult.text('r'), 1), 5);
const plan = new PendingPlanReview('p', 'r', new JsonObject().seal(), 1);

class Desk {
  readonly controller = new AgentController();
  readonly heard: AgentControllerEvent[] = [];
  readonly observer = new LoggingObserver([]);
  readonly logger = new ListLogger();
  readonly flushes: boolean[] = [];
  readonly reporter: RunReporter;

  constructor(types: readonly string[] = ['*'], controlled = true) {
    for (const type of types) this.controller.subscribe(type, (event) => this.heard.push(event));
    const clock = new ManualClock(7);
    const audit = new RunAudit({ record: () => undefined, flush: async (ending) => { this.flushes.push(ending); } }, clock, 's', 'r');
    this.reporter = new RunReporter(controlled ? this.controller : undefined, new EventStamper(clock, new CountingIdGenerator('e'), 's'), new ObserverOutlet(this.observer), this.logger, 's', 'r', audit);
    this.reporter.turn = 3;
  }
}

type Told = [name: string, tell: (reporter: RunReporter) => void, bus: string | undefined, onBus: object, observer: string | undefined, seen: object];

const ALL: readonly Told[] = [
  ['started', (to) => to.started([AgentMessage.user('hi')]), 'agent.started', {}, 'run_started', {}],
  ['resumed', (to) => to.resumed(2), 'agent.resumed', { segment: 2 }, 'run_resumed', {}],
  ['a wish to cancel', (to) => to.cancelRequested('why'), 'agent.cancel_requested', { reason: 'why' }, 'cancel_requested', { text: 'why' }],
  ['a model call', (to) => to.modelStarted(new ModelRequest('', MessageList.of([AgentMessage.user('hi')]), [], {})), 'llm.before', { turn: 3, messageCount: 1, toolCount: 0 }, 'model_started', {}],
  ['text', (to) => to.textDelta('t'), 'llm.chunk', { text: 't', reasoning: '' }, 'text_delta', { text: 't' }],
  ['reasoning', (to) => to.reasoningDelta('t'), 'llm.chunk', { text: '', reasoning: 't' }, 'reasoning_delta', { text: 't' }],
  ['text that is taken back', (to) => to.modelRestarted(), undefined, {}, 'model_restarted', {}],
  ['an answer', (to) => to.modelFinished(ModelResponse.text('t')), 'llm.after', { turn: 3, text: 't', toolCallCount: 0, finishReason: 'stop' }, undefined, {}],
  ['a call that starts', (to) => to.callStarted(call(0), ['careful'], 'person'), 'tool.before', { call: call(0), warnings: ['careful'], decidedBy: 'person' }, 'tool_call_started', { call: call(0) }],
  ['progress', (to) => to.callProgress(call(0), 'half', 0.5), 'tool.progress', { call: call(0), message: 'half', fraction: 0.5 }, 'tool_progress', { call: call(0), text: 'half', fraction: 0.5 }],
  ['a call that ends', (to) => to.callFinished(call(0), envelope, ['careful']), 'tool.after', { call: call(0), warnings: ['careful'] }, 'tool_call_finished', { call: call(0), envelope }],
  ['a note about a hook', (to) => to.diagnostics([new HookDiagnostic('h', HookSlot.afterRun, 'm', HookDiagnosticCode.hookFailed)]), 'hook.diagnostic', { hookName: 'h', slot: 'afterRun', message: 'm', code: 'hook_failed' }, undefined, {}],
  ['a save', (to) => to.persisted(PersistReason.terminal, false, undefined), 'state.persisted', { reason: 'terminal', skipped: false, failed: false }, 'state_persisted', { text: 'terminal', persisted: true }],
  ['a save that a hook skipped', (to) => to.persisted(PersistReason.terminal, true, undefined), 'state.persisted', { skipped: true, failed: false }, 'state_persisted', { persisted: false }],
  ['a save that failed', (to) => to.persisted(PersistReason.terminal, false, error), 'state.persisted', { skipped: false, failed: true }, 'state_persisted', { persisted: false }],
  ['a loop', (to) => to.loopDetected(LoopDetectorResult.loop('why', LoopKind.llm), { signature: 'sig', window: ['sig'], turn: 3, nudged: true }), 'loop.detected', { reason: 'why', kind: 'llm', signature: 'sig', window: ['sig'], turn: 3, nudged: true }, undefined, {}],
  ['a question', (to) => to.approvalRequired(batch(item()), true), 'approval.required', { durable: true, batch: { batchId: 'b' } }, 'approval_required', { batch: { batchId: 'b' } }],
  ['a plan', (to) => to.planReviewRequired(plan, true), 'plan.review_required', { durable: true, review: { reviewId: 'p' } }, 'plan_review_required', { planReview: plan }],
  ['a deadline', (to) => to.approvalExpiring(batch(item()), item({ expiresAtMs: 9 })), 'approval.expiring', { batchId: 'b', approvalId: 'b:0:0', expiresAtMs: 9 }, undefined, {}],
  ['a pause', (to) => to.suspended(AgentStopReason.suspended), 'agent.suspended', { stopReason: 'suspended' }, 'suspended', { stopReason: 'suspended' }],
  ['success', (to) => to.completed(AgentStopReason.complete, AgentMessage.assistant('bye')), 'agent.success', { stopReason: 'complete' }, 'run_completed', { stopReason: 'complete' }],
  ['a failure', (to) => to.failed(AgentStopReason.error, error), 'agent.failed', { stopReason: 'error', error: { code: 'x' } }, 'run_failed', { stopReason: 'error', error }],
  ['a cancel', (to) => to.cancelled('why'), 'agent.cancelled', { reason: 'why' }, 'run_cancelled', { stopReason: 'cancelled', text: 'why' }],
];

describe('what a run tells', () => {
  it.each(ALL)('%s: controller and observer hear the same facts', (_name, tell, bus, onBus, observer, seen) => {
    const desk = new Desk();
    tell(desk.reporter);
    expect(desk.heard.map((event) => event.eventType())).toEqual(bus === undefined ? [] : [bus]);
    if (bus !== undefined) expect(desk.heard[0]).toMatchObject({ eventId: 'e-1-1', sessionId: 's', runId: 'r', timestampMs: 7, ...onBus });
    expect(desk.observer.types).toEqual(observer === undefined ? [] : [observer]);
    if (observer !== undefined) expect(desk.observer.values[0]).toMatchObject({ sessionId: 's', runId: 'r', ...seen });
  });

  it.each(ALL)('DEC-27 %s: no event is built where nobody listens for it, and the observer hears it all the same', (_name, tell, bus, _onBus, observer) => {
    const alone = new Desk([], false);
    tell(alone.reporter);
    const desk = new Desk(['another.type']);
    tell(desk.reporter);
    expect([desk.heard.length, desk.observer.types, alone.observer.types]).toEqual([0, observer === undefined ? [] : [observer], observer === undefined ? [] : [observer]]);
    desk.controller.subscribe('*', (event) => desk.heard.push(event));
    tell(desk.reporter);
    expect(desk.heard.map((event) => event.eventId), 'the first one that was built').toEqual(bus === undefined ? [] : ['e-1-1']);
  });

  it('DEC-49 decisions are told with who and why; a reason only of a no, and all are decided when the batch is closed', () => {
    const desk = new Desk();
    const yes = item({ decision: ApprovalDecision.approved, decidedBy: 'ada', denyReason: 'leftover' });
    const no = item({ approvalId: 'b:1:0', position: 1, decision: ApprovalDecision.denied, decidedBy: 'ada', denyReason: 'no' });
    const open = item({ approvalId: 'b:2:0', position: 2 });
    desk.reporter.approvalResolved(batch(yes, no, open), [yes, no, open], '');
    desk.reporter.approvalResolved(batch(yes, no), [no], '');
    desk.reporter.approvalResolved(batch(open), [open], 'cancel');
    expect(desk.heard).toMatchObject([
      { batchId: 'b', allDecided: false, closedBy: '', decisions: [{ approvalId: 'b:0:0', decision: 'approved', decidedBy: 'ada', denyReason: undefined }, { approvalId: 'b:1:0', decision: 'denied', denyReason: 'no' }, { decision: 'pending', decidedBy: '' }] },
      { allDecided: true, closedBy: '' }, { allDecided: true, closedBy: 'cancel' },
    ]);
    const quiet = new Desk(['another.type']);
    quiet.reporter.approvalResolved(batch(no), [no], '');
    quiet.controller.subscribe('*', (event) => quiet.heard.push(event));
    quiet.reporter.approvalResolved(batch(no), [no], '');
    expect(quiet.heard.map((event) => event.eventId)).toEqual(['e-1-1']);
  });

  it('a question without a deadline expires at no time, and a batch that is handed out is a copy', () => {
    const desk = new Desk();
    const given = batch(item());
    desk.reporter.approvalExpiring(given, item());
    desk.reporter.approvalRequired(given, false);
    expect(desk.heard[0]).toMatchObject({ expiresAtMs: 0 });
    expect(desk.observer.values[0].batch === given).toBe(false);
  });

  it('records are written with what is stored, and at the end; what was not stored is not', () => {
    const desk = new Desk();
    desk.reporter.persisted(PersistReason.terminal, true, undefined);
    desk.reporter.persisted(PersistReason.terminal, false, error);
    expect(desk.flushes).toEqual([]);
    desk.reporter.persisted(PersistReason.terminal, false, undefined);
    desk.reporter.finish(undefined);
    expect([desk.flushes, desk.observer.completions, desk.observer.errors, desk.logger.lines]).toEqual([[false, true], 1, [], []]);
  });

  it('a failed run ends with its error; an observer that throws is told of in the log, and only then', () => {
    const desk = new Desk();
    desk.reporter.finish(error);
    expect([desk.observer.completions, desk.observer.errors]).toEqual([0, [error]]);
    const angry = new Desk();
    angry.observer.onEvent = () => { throw new Error('x'); };
    angry.reporter.textDelta('a');
    angry.reporter.textDelta('b');
    angry.reporter.finish(undefined);
    expect(angry.logger.lines).toEqual(['warn the observer of run r threw 2 times']);
  });
});
