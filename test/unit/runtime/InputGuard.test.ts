import { describe, expect, it } from 'vitest';
import { ApprovalDecision, ApprovalKind, ApprovalScope, BatchDenyMode } from '@core/approval/ApprovalModes';
import { PendingApprovalBatch } from '@core/approval/PendingApprovalBatch';
import { PendingApprovalItem, type PendingApprovalItemInit } from '@core/approval/PendingApprovalItem';
import { PendingPlanReview } from '@core/approval/PlanReview';
import { JsonObject } from '@core/json/JsonObject';
import { AgentMessage, MessageRole } from '@core/message/AgentMessage';
import { ToolRiskLevel } from '@core/model/ToolDefinition';
import type { ChildSessions } from '@core/runtime/session/ChildSessions';
import { InputGuard } from '@core/runtime/session/InputGuard';
import { AgentState, type AgentStateParts } from '@core/state/AgentState';
import { AgentStopReason } from '@core/state/AgentStopReason';
import { OpenBatch } from '@core/state/OpenBatch';
import { CallStatus } from '@core/state/OpenCall';
import { RunRecord, RunStatus } from '@core/state/RunRecord';
import { ToolEffect } from '@core/tool/ToolContract';
import { call, open } from './support';

const item = (over: Partial<PendingApprovalItemInit> = {}): PendingApprovalItem => new PendingApprovalItem({
  approvalId: 'b:0:0', position: 0, round: 0, kind: ApprovalKind.call, toolCall: call(0), riskLevel: ToolRiskLevel.dangerous, effect: ToolEffect.irreversible, reason: '', createdAtMs: 1, decision: ApprovalDecision.pending, warnings: [], origin: [], ...over,
});
const yes = { decision: ApprovalDecision.approved, decidedBy: 'person' };
const questions = (...items: PendingApprovalItem[]): PendingApprovalBatch => new PendingApprovalBatch({ batchId: 'b', runId: 'r', items, modelMessage: AgentMessage.assistant(''), createdAtMs: 1, siblings: [] });
const batch = (...statuses: CallStatus[]): OpenBatch => new OpenBatch({ batchId: 'b', runId: 'r', assistantMessageId: 'm', mode: BatchDenyMode.atomic, scope: ApprovalScope.flagged, visibleTools: [], calls: statuses.map((status, at) => open(at, status)) });
const run = (status: RunStatus, stopReason?: AgentStopReason): RunRecord => new RunRecord({ runId: 'r', status, segment: 0, turn: 1, stopReason });
const plan = new PendingPlanReview('p', 'r', new JsonObject().seal(), 1);
const running = run(RunStatus.running);
const paused = run(RunStatus.suspended, AgentStopReason.suspended);
const asking = run(RunStatus.suspended, AgentStopReason.awaitingApproval);
const planning = run(RunStatus.suspended, AgentStopReason.awaitingPlanReview);
const finished = run(RunStatus.finished, AgentStopReason.complete);

function guard(over: Partial<AgentStateParts>, childWaits = false, maxInputChars = 10): InputGuard {
  const draft = { ...AgentState.fresh('s', new JsonObject(), 1).toParts(), ...over };
  return new InputGuard(draft, { waiting: childWaits } as unknown as ChildSessions, maxInputChars);
}

const hi = [AgentMessage.user('hi')];

describe('new input', () => {
  const refused = (over: Partial<AgentStateParts>, childWaits = false): string => {
    const error = guard(over, childWaits).refuseInput(hi);
    return error === undefined ? 'taken' : `${error.code}${error.details?.get('resumeRequired') === true ? ' resume' : ''}`;
  };

  it('DEC-04 is taken where nothing is open, also after a run whose process died', () => {
    expect([refused({}), refused({ run: finished }), refused({ run: running }), refused({ run: running, openBatch: batch(CallStatus.allowed) })]).toEqual(Array(4).fill('taken'));
  });

  it('DEC-02 is never taken by a session whose last ending was lost', () => {
    expect(refused({ resumable: false })).toBe('session_not_resumable');
    expect(refused({ resumable: false, pendingPlanReview: plan })).toBe('session_not_resumable');
  });

  it('waits for a run that the app paused', () => {
    expect(refused({ run: paused })).toBe('resume_required');
  });

  it('waits for the plan, and for the run after it was decided', () => {
    expect([refused({ run: planning, pendingPlanReview: plan }), refused({ run: planning }), refused({ run: running, pendingPlanReview: plan })]).toEqual(
      ['pending_plan_review_blocks_input', 'pending_plan_review_blocks_input resume', 'pending_plan_review_blocks_input']);
  });

  it('waits for a child that asks, and for one that has not ended', () => {
    const open = { run: asking, openBatch: batch(CallStatus.finished, CallStatus.waiting) };
    expect([refused(open, true), refused(open, false)]).toEqual(['pending_approval_blocks_input', 'pending_approval_blocks_input resume']);
    expect(refused({ ...open, run: finished }), 'a run that has ended waits for nothing').toBe('taken');
    expect(refused({ ...open, run: undefined })).toBe('taken');
  });

  it('DEC-04 waits for a question, and after it for the resume', () => {
    expect([refused({ run: asking, pendingApproval: questions(item()) }), refused({ run: asking, pendingApproval: questions(item(yes)) })]).toEqual(['pending_approval_blocks_input', 'pending_approval_blocks_input resume']);
    expect(refused({ run: asking, pendingApproval: questions(item(yes), item({ approvalId: 'b:1:0', position: 1 })) })).toBe('pending_approval_blocks_input');
  });

  it('DEC-05 after a kill it is taken, unless a person said yes to a call that has not begun', () => {
    const killed = (status: CallStatus, answer: Partial<PendingApprovalItemInit>): string => refused({ run: running, openBatch: batch(status), pendingApproval: questions(item(answer)) });
    expect([killed(CallStatus.planned, yes), killed(CallStatus.awaiting, yes), killed(CallStatus.allowed, yes)]).toEqual(Array(3).fill('pending_approval_blocks_input resume'));
    expect([killed(CallStatus.finished, yes), killed(CallStatus.started, yes), killed(CallStatus.planned, { decision: ApprovalDecision.denied, decidedBy: 'person' }), killed(CallStatus.planned, { ...yes, decidedBy: 'policy' })]).toEqual(Array(4).fill('taken'));
    expect(refused({ run: running, pendingApproval: questions(item(yes)) })).toBe('taken');
    expect(refused({ run: running, openBatch: batch(CallStatus.finished, CallStatus.planned), pendingApproval: questions(item(yes)) }), 'the other call was not asked about').toBe('taken');
  });

  it('holds no calls and no results, and is not too long', () => {
    const code = (...messages: AgentMessage[]): string | undefined => guard({}).refuseInput(messages)?.code;
    expect([code(new AgentMessage({ role: MessageRole.tool, toolCallId: 'c' })), code(AgentMessage.user('x'), new AgentMessage({ role: MessageRole.assistant, toolCalls: [call(0)] }))]).toEqual(['input_invalid', 'input_invalid']);
    expect([code(AgentMessage.user('12345'), AgentMessage.user('67890')), code(AgentMessage.user('12345'), AgentMessage.user('678901')), code(AgentMessage.user('12345678901'))]).toEqual([undefined, 'input_too_large', 'input_too_large']);
  });
});

describe('a resume', () => {
  const refused = (over: Partial<AgentStateParts>, childWaits = false): string | undefined => guard(over, childWaits).refuseResume()?.code;

  it('goes on with what is suspended or was cut off, and with nothing else', () => {
    expect([refused({ run: paused }), refused({ run: running }), refused({ run: asking, pendingApproval: questions(item(yes)) }), refused({ run: planning })]).toEqual(Array(4).fill(undefined));
    expect([refused({}), refused({ run: finished })]).toEqual(['resume_nothing_pending', 'resume_nothing_pending']);
  });

  it('waits for what is open', () => {
    expect([refused({ run: asking, pendingApproval: questions(item()) }), refused({ run: planning, pendingPlanReview: plan }), refused({ run: paused, resumable: false })]).toEqual(['awaiting_approval', 'awaiting_plan_review', 'session_not_resumable']);
    const child = { run: asking, openBatch: batch(CallStatus.waiting) };
    expect([refused(child, true), refused(child, false), refused({ run: asking, openBatch: batch(CallStatus.planned) }, true)]).toEqual(['awaiting_approval', undefined, undefined]);
  });
});

describe('what a decision continues by itself', () => {
  const decided = (over: Partial<AgentStateParts>, stored?: PendingApprovalBatch, childWaits = false): boolean => guard(over, childWaits).decided(stored);

  it('DEC-18 is a run that waited for the decision', () => {
    expect([decided({ run: asking }, questions(item(yes))), decided({ run: asking }, questions(item())), decided({ run: planning }), decided({ run: planning, pendingPlanReview: plan })]).toEqual([true, false, true, false]);
  });

  it('is not one that the app paused, or that was cut off', () => {
    expect([decided({ run: paused }, questions(item(yes))), decided({ run: running }, questions(item(yes))), decided({ run: finished }, questions(item(yes))), decided({}, questions(item(yes)))]).toEqual(Array(4).fill(false));
  });

  it('is one whose child has been answered', () => {
    const child = { run: asking, openBatch: batch(CallStatus.waiting) };
    expect([decided(child), decided(child, undefined, true), decided({ run: asking, openBatch: batch(CallStatus.finished) }), decided({ run: asking })]).toEqual([true, false, false, false]);
  });

  it('only a run that has not ended is open', () => {
    expect([running, paused, asking, finished].map((one) => guard({ run: one }).isOpen())).toEqual([true, true, true, false]);
    expect(guard({}).isOpen()).toBe(false);
  });
});
