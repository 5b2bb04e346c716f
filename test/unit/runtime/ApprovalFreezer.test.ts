import { describe, expect, it } from 'vitest';
import { ApprovalDecision, ApprovalKind, ApprovalScope } from '@core/approval/ApprovalModes';
import { PendingApprovalItem, type PendingApprovalItemInit } from '@core/approval/PendingApprovalItem';
import { PreparedCall, PreparedVerdict } from '@core/execution/prepare/PreparedCall';
import { ToolRiskLevel } from '@core/model/ToolDefinition';
import { ApprovalFreezer } from '@core/runtime/consent/ApprovalFreezer';
import { CallLedger } from '@core/runtime/ledger/CallLedger';
import { EffectiveClock } from '@core/runtime/store/EffectiveClock';
import { CallRejection } from '@core/execution/prepare/CallRejection';
import { ArkAgentError } from '@core/base/ArkAgentError';
import { ErrorCode } from '@core/base/ErrorCodes';
import { CallStatus, CallTarget } from '@core/state/OpenCall';
import { ManualClock } from '@core/testing/ManualClock';
import { TestDigest } from '@core/testing/TestDigest';
import { ProbeOutcome, ToolEffect } from '@core/tool/ToolContract';
import { call, effectful, open, prepared, tool, work } from './support';

const NOW = 1000;
const freezer = (ttlMs?: number): ApprovalFreezer => new ApprovalFreezer(new CallLedger(new TestDigest()), new EffectiveClock(new ManualClock(NOW)), ttlMs);
const item = (position: number, round: number, over: Partial<PendingApprovalItemInit> = {}): PendingApprovalItem => new PendingApprovalItem({
  approvalId: `b:${position}:${round}`, position, round, kind: ApprovalKind.call, toolCall: call(position), riskLevel: ToolRiskLevel.dangerous, effect: ToolEffect.irreversible, reason: 'r', createdAtMs: 1, decision: ApprovalDecision.pending, warnings: [], origin: [], ...over,
});
const rejected = (position: number): PreparedCall => PreparedCall.rejected(call(position), call(position), CallRejection.of(ArkAgentError.of(ErrorCode.toolNotFound, 'x')));

describe('freezing a batch', () => {
  it('DEC-47 a call that needs consent becomes a question with everything that binds the answer', () => {
    const job = work([open(0, CallStatus.awaiting)], [prepared(0, { reason: 'why', warnings: ['careful'], predecessorUnknown: true })]);
    const [asked] = freezer(500).freeze(job, []).items;
    expect(asked).toMatchObject({
      approvalId: 'b:0:0', position: 0, round: 0, kind: 'call', reason: 'why', riskLevel: 'dangerous', effect: 'irreversible', createdAtMs: NOW, expiresAtMs: NOW + 500, decision: 'pending', decidedBy: undefined, decidedAtMs: undefined,
      proposedCall: undefined, warnings: ['careful'], origin: [], predecessorUnknown: true,
    });
    expect([asked.digest, asked.definitionHash]).toEqual([job.at(0).digest, job.at(0).definitionHash]);
    expect(asked.digest).toMatch(/^v1:sha256:/);
    expect(freezer().freeze(job, []).items[0].expiresAtMs).toBeUndefined();
  });

  it('a call that the policy lets through is an item that is decided already, without a time to expire', () => {
    const job = work([open(0, CallStatus.awaiting), open(1, CallStatus.allowed)], [prepared(0), prepared(1, { verdict: PreparedVerdict.allowed, predecessorUnknown: true })]);
    const [, allowed] = freezer(500).freeze(job, []).items;
    expect(allowed).toMatchObject({ decision: 'approved', decidedBy: 'policy', decidedAtMs: NOW, expiresAtMs: undefined, predecessorUnknown: false, reason: 'dangerous tool' });
  });

  it('the whole batch is asked about where that is agreed, and only what is open', () => {
    const calls = [open(0, CallStatus.awaiting), open(1, CallStatus.allowed), open(2, CallStatus.rejected), open(3, CallStatus.finished)];
    const job = work(calls, [prepared(0), prepared(1, { verdict: PreparedVerdict.allowed }), rejected(2), prepared(3)], ApprovalScope.wholeBatch);
    const batch = freezer().freeze(job, []);
    expect(batch.items.map((one) => [one.position, one.decision, one.reason])).toEqual([[0, 'pending', 'The whole batch is decided call by call'], [1, 'pending', 'The whole batch is decided call by call']]);
    expect([0, 1, 2, 3].map((position) => job.at(position).status)).toEqual(['awaiting', 'awaiting', 'rejected', 'finished']);
    expect(batch.siblings.map((one) => [one.position, one.status])).toEqual([[2, 'refused']]);
  });

  it('what was refused, has run or is not known any more is no item', () => {
    const job = work([open(0, CallStatus.finished), open(1, CallStatus.awaiting), open(2, CallStatus.rejected), open(3, CallStatus.closed), open(4, CallStatus.awaiting)], [prepared(0), prepared(1), rejected(2), prepared(3), undefined]);
    expect(freezer().freeze(job, []).items.map((one) => one.position)).toEqual([1]);
    expect([job.at(0).digest, job.at(3).definitionHash, job.at(4).digest]).toEqual([undefined, undefined, undefined]);
  });

  it('a changed call shows what was proposed', () => {
    const job = work([open(0, CallStatus.awaiting, { proposed: new CallTarget('old', '{"a":1}') })], [prepared(0, { original: call(0, 'old', '{"a":1}') })]);
    expect(freezer().freeze(job, []).items[0].proposedCall?.name).toBe('old');
  });
});

describe('freezing a batch again', () => {
  it('a person\'s answer still holds, one of the policy does not, and a new question has the next round', () => {
    const earlier = [item(0, 0, { decision: ApprovalDecision.approved, decidedBy: 'person' }), item(1, 0, { decision: ApprovalDecision.approved, decidedBy: 'policy' }), item(2, 1), item(2, 0)];
    const job = work([0, 1, 2].map((position) => open(position, CallStatus.awaiting)), [0, 1, 2].map((position) => prepared(position)));
    const batch = freezer().freeze(job, earlier);
    expect(batch.items.map((one) => one.approvalId)).toEqual(['b:0:0', 'b:1:0', 'b:1:1', 'b:2:0', 'b:2:1']);
    expect(earlier, 'the list that was given stays as it is').toHaveLength(4);
  });

  it('of several rounds the newest counts, in whatever order they stand', () => {
    const yes = { decision: ApprovalDecision.approved, decidedBy: 'person' };
    const policy = { decision: ApprovalDecision.approved, decidedBy: 'policy' };
    const rounds = (...earlier: PendingApprovalItem[]): string[] => freezer().freeze(work([open(0, CallStatus.awaiting)], [prepared(0)]), earlier).items.map((one) => one.approvalId);
    expect(rounds(item(0, 0, policy), item(0, 1, yes))).toEqual(['b:0:0', 'b:0:1']);
    expect(rounds(item(0, 1, yes), item(0, 0, policy))).toEqual(['b:0:0', 'b:0:1']);
    expect(rounds(item(0, 1, policy), item(0, 0, yes))).toEqual(['b:0:0', 'b:0:1', 'b:0:2']);
    expect(rounds(item(0, 0, yes), item(0, 1, policy))).toEqual(['b:0:0', 'b:0:1', 'b:0:2']);
    expect(rounds(item(1, 5, yes)), 'another call\'s answer is none').toEqual(['b:0:0', 'b:1:5']);
  });

  it('a call that only the policy allowed asks nothing again', () => {
    const job = work([open(0, CallStatus.allowed)], [prepared(0, { verdict: PreparedVerdict.allowed })]);
    expect(freezer().freeze(job, [item(0, 0, { decision: ApprovalDecision.approved, decidedBy: 'policy' })]).items).toHaveLength(1);
  });

  it('S2 a call that was begun is asked about anew, whatever was said before, and says since when', () => {
    const yes = item(0, 0, { decision: ApprovalDecision.approved, decidedBy: 'person' });
    const begun = (startedAtMs: number | undefined, contract = effectful): PendingApprovalItem => {
      const job = work([open(0, CallStatus.started, { startedAtMs, attempt: 1 })], [prepared(0, { tool: tool('pay', contract) })]);
      job.repeats.add(0);
      const batch = freezer().freeze(job, [yes]);
      expect([job.repeats.size, job.at(0).status, job.at(0).attempt, job.at(0).startedAtMs]).toEqual([0, 'awaiting', 2, undefined]);
      expect(batch.items.map((one) => one.approvalId)).toEqual(['b:0:0', 'b:0:1']);
      return batch.items[1];
    };
    expect(begun(0)).toMatchObject({ kind: 'retry', decision: 'pending', reason: 'The app was closed while this call ran (started 1970-01-01T00:00:00.000Z): it may have happened already. Approving repeats it.' });
    expect(begun(undefined).reason).toBe('The app was closed while this call ran: it may have happened already. Approving repeats it.');
    const probed = begun(undefined, { effect: ToolEffect.irreversible, probe: { probe: async () => ProbeOutcome.cannotTell } });
    expect(probed.reason).toBe('The app was closed while this call ran: it may have happened already, and the tool could not find out. Approving repeats it.');
  });
});
