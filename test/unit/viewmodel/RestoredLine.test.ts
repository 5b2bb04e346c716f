import { AgentState, ApprovalDecision, JsonObject, PendingPlanReview, RunRecord, RunStatus } from 'agent_core';
import { describe, expect, it } from 'vitest';
import { RestoredLine } from '../../../entry/src/main/ets/viewmodel/RestoredLine.ets';
import { LocalTimeText } from '../../../entry/src/main/ets/viewmodel/TimeText.ets';
import { Words } from '../../../entry/src/main/ets/viewmodel/Words.ets';
import { T0, batchOf, item } from './fixtures';

function line(change: object, language = 'en', restored = true): string {
  const parts = AgentState.fresh('s', new JsonObject(), T0).toParts();
  return RestoredLine.of(new AgentState({ ...parts, ...change }), restored, new Words(language), new LocalTimeText(), T0 + 1000);
}

describe('RestoredLine', () => {
  it('says from when and how many questions wait', () => {
    expect(line({ pendingApproval: batchOf([item()]) })).toBe('Continued from 14:05; one question is waiting.');
    expect(line({ pendingApproval: batchOf([item(), item(), item()]) })).toBe('Continued from 14:05; 3 questions are waiting.');
    expect(line({ pendingApproval: batchOf([item()]) }, 'zh-CN')).toBe('从 14:05 继续；有一个问题等待回答。');
  });

  it('tells decided, killed and planned work apart from questions', () => {
    expect(line({ pendingApproval: batchOf([item({ decision: ApprovalDecision.approved })]) })).toContain('not carried out yet');
    const run = new RunRecord({ runId: 'r', status: RunStatus.running, segment: 0, turn: 1 });
    expect(line({ run })).toContain('while the assistant was working');
    expect(line({ run, pendingApproval: batchOf([item({ decision: ApprovalDecision.approved })]) })).toContain('while the assistant was working');
    expect(line({ pendingPlanReview: new PendingPlanReview('p', 'r', new JsonObject(), T0) })).toContain('a plan is waiting');
    expect(line({})).toBe('Continued from 14:05.');
  });

  it('is silent for a session that was not restored', () => {
    expect(line({ pendingApproval: batchOf([item()]) }, 'en', false)).toBe('');
  });
});
