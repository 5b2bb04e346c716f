import { ApprovalDecision, ApprovalKind } from '@core/approval/ApprovalModes';
import type { ArkAgentError } from '@core/base/ArkAgentError';
import { Result } from '@core/base/Result';
import type { ApprovalGrant } from '@core/approval/ApprovalGrant';
import { type ApprovalDecisionRequest, ApprovalDecisionResult } from '@core/approval/ApprovalDecisionResult';
import { PendingApprovalBatch, SiblingStatus } from '@core/approval/PendingApprovalBatch';
import { PendingApprovalItem } from '@core/approval/PendingApprovalItem';
import { PendingPlanReview, type PlanReviewDecision, PlanReviewDecisionResult } from '@core/approval/PlanReview';
import type { ApprovalHost } from '@core/control/ApprovalHost';
import { AgentControllerEvent } from '@core/control/event/AgentControllerEvent';
import { EventStamp } from '@core/control/event/EventStamp';
import { JsonObject } from '@core/json/JsonObject';
import { AgentMessage, MessageRole } from '@core/message/AgentMessage';
import { ToolCall } from '@core/message/ToolCall';
import { ToolRiskLevel } from '@core/model/ToolDefinition';
import { ToolEffect } from '@core/tool/ToolContract';

export const STAMP = new EventStamp('e-1', 7, 'session', 'run');

export class NoteEvent extends AgentControllerEvent {
  constructor(readonly note: string = '', private readonly type: string = 'note') {
    super(STAMP);
  }

  eventType(): string {
    return this.type;
  }
}

export function item(position: number, decision = ApprovalDecision.pending, decidedBy?: string): PendingApprovalItem {
  return new PendingApprovalItem({
    approvalId: `b:${position}:0`, position, round: 0, kind: ApprovalKind.call, toolCall: new ToolCall(`c${position}`, 'erase', '{}', position),
    proposedCall: new ToolCall(`c${position}`, 'erase', '{"old":1}', position),
    riskLevel: ToolRiskLevel.dangerous, effect: ToolEffect.irreversible, reason: 'risk', createdAtMs: 1, decision, decidedBy, warnings: ['w'], origin: [],
  });
}

export const batchOf = (...items: PendingApprovalItem[]): PendingApprovalBatch => new PendingApprovalBatch({
  batchId: 'b', runId: 'run', items, createdAtMs: 1, siblings: [{ position: 9, toolName: 'read', status: SiblingStatus.willRun }],
  modelMessage: new AgentMessage({ role: MessageRole.assistant, toolCalls: items.map((entry) => entry.toolCall) }),
});

/** A host that records what it is asked. */
export class RecordingHost implements ApprovalHost {
  batches: PendingApprovalBatch[] = [];
  plan: PendingPlanReview | undefined = new PendingPlanReview('p', 'run', new JsonObject().setString('title', 'x').seal(), 1);
  readonly requests: ApprovalDecisionRequest[] = [];
  readonly others: unknown[] = [];
  readonly secretState = { key: 'sk-secret' };

  getPendingApprovalBatches(): ReadonlyArray<PendingApprovalBatch> {
    return this.batches;
  }

  getPendingApprovalBatch(): PendingApprovalBatch | undefined {
    return this.batches[0];
  }

  async applyApprovalDecision(request: ApprovalDecisionRequest): Promise<ApprovalDecisionResult> {
    this.requests.push(request);
    return ApprovalDecisionResult.standing(request.approvalId, request.approve ? ApprovalDecision.approved : ApprovalDecision.denied, true);
  }

  async denyAll(batchId: string, reason?: string): Promise<ApprovalDecisionResult> {
    this.others.push([batchId, reason]);
    return ApprovalDecisionResult.standing(batchId, ApprovalDecision.denied, true);
  }

  grants: ApprovalGrant[] = [];

  listGrants(): ReadonlyArray<ApprovalGrant> {
    return this.grants;
  }

  async revokeGrant(grantId: string): Promise<Result<boolean, ArkAgentError>> {
    this.others.push(['revoke', grantId]);
    return Result.success(true);
  }

  getPendingPlanReview(): PendingPlanReview | undefined {
    return this.plan;
  }

  async applyPlanReviewDecision(decision: PlanReviewDecision, reviewId?: string): Promise<PlanReviewDecisionResult> {
    this.others.push([decision.action, decision.text, reviewId]);
    return new PlanReviewDecisionResult(true, 'p');
  }
}
