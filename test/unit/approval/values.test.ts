import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApprovalDecisionResult } from '@core/approval/ApprovalDecisionResult';
import { ApprovalDecision, ApprovalKind } from '@core/approval/ApprovalModes';
import { ApprovalPolicyResult, DefaultToolApprovalPolicy, StrictestToolApprovalPolicy, type ToolApprovalPolicy } from '@core/approval/ApprovalPolicy';
import { AuthorizationResult } from '@core/approval/AuthorizationPolicy';
import { CallDigest } from '@core/approval/CallDigest';
import { DecisionReceipt, type ReceiptEntry } from '@core/approval/DecisionReceipt';
import { type ApprovalSibling, PendingApprovalBatch, SiblingStatus } from '@core/approval/PendingApprovalBatch';
import { PendingApprovalItem } from '@core/approval/PendingApprovalItem';
import { PlanReviewDecision } from '@core/approval/PlanReview';
import { ApprovalGrant } from '@core/approval/ApprovalGrant';
import { JsonObject } from '@core/json/JsonObject';
import { JsonValue } from '@core/json/JsonValue';
import { JsonCodec } from '@core/json/JsonCodec';
import { AgentMessage } from '@core/message/AgentMessage';
import { ToolCall } from '@core/message/ToolCall';
import { ToolDefinition, ToolRiskLevel } from '@core/model/ToolDefinition';
import { ToolEffect } from '@core/tool/ToolContract';

const codec = new JsonCodec();
const call = new ToolCall('c', 'erase', '{}', 0);
const item = (id: string, round = 0): PendingApprovalItem => new PendingApprovalItem({
  approvalId: id, position: 0, round, kind: ApprovalKind.call, toolCall: call, riskLevel: ToolRiskLevel.dangerous, effect: ToolEffect.irreversible, reason: 'r', createdAtMs: 1, decision: ApprovalDecision.pending, warnings: [], origin: [],
});

describe('what approvals are made of', () => {
  it('S4 a digest is taken over name, arguments and definition in canonical JSON', () => {
    const seen: string[] = [];
    const digest = { sha256Hex: (text: string): string => { seen.push(text); return 'abc'; } };
    expect(CallDigest.of(digest, codec, 'erase', codec.parseObject('{"b":1,"a":2}').value, 'd1').value).toBe('v1:sha256:abc');
    expect(seen).toEqual(['{"arguments":{"a":2,"b":1},"definition":"d1","name":"erase"}']);
  });

  it('S4 the canonical text of the arguments gives the same digest as the arguments', () => {
    const seen: string[] = [];
    const digest = { sha256Hex: (text: string): string => { seen.push(text); return 'abc'; } };
    fc.assert(fc.property(fc.json(), fc.string({ unit: 'binary-ascii' }), (json, name) => {
      const args = new JsonObject().set('v', codec.parse(json).value);
      CallDigest.of(digest, codec, name, args, 'v1:sha256:ab');
      CallDigest.ofCanonical(digest, codec, name, codec.canonicalize(JsonValue.object(args)).value, 'v1:sha256:ab');
      const [one, two] = seen.splice(0);
      return one !== undefined && one === two;
    }), { numRuns: 300 });
  });

  it('S4 arguments that have no canonical form have no digest', () => {
    const digest = { sha256Hex: (): string => 'abc' };
    const of = CallDigest.of(digest, new JsonCodec({ maxDepth: 3, maxChars: 1000 }), 'erase', codec.parseObject('{"a":{"a":{"a":{}}}}').value, 'd1');
    expect(of.ok).toBe(false);
  });

  it('a policy names the risk it asks about', () => {
    const asked = (risk: ToolRiskLevel): string => new DefaultToolApprovalPolicy().decide(call, new ToolDefinition('erase', 'd', codec.parseObject('{"type":"object"}').value, risk)).reason;
    expect([asked(ToolRiskLevel.dangerous), asked(ToolRiskLevel.sensitive)]).toEqual(['Dangerous tool "erase" requires confirmation', 'Sensitive tool "erase" requires confirmation']);
  });

  it('DEC-46 of two policies that ask the first gives the reason, and the list of policies is closed', () => {
    const asking = (reason: string): ToolApprovalPolicy => ({ decide: () => ApprovalPolicyResult.requireConfirmation(reason) });
    const policies = [asking('first'), asking('second')];
    const strictest = new StrictestToolApprovalPolicy(policies);
    policies.length = 0;
    expect(strictest.decide(call).reason).toBe('first');
  });

  it('an authorization says the same in another name', () => {
    const said = AuthorizationResult.reject('outside').saidBy('paths');
    expect([said.action, said.reason, said.by, AuthorizationResult.reject('outside').by]).toEqual(['reject', 'outside', 'paths', '']);
    expect([AuthorizationResult.allow().reason, PlanReviewDecision.approve().text]).toEqual(['', '']);
  });

  it('a result keeps what was remembered under the name that a parent gives it', () => {
    const kept = ApprovalDecisionResult.remembered('a', ApprovalDecision.approved, true, { grantId: 'g', refusal: 'too wide' }).named('parent/a');
    expect(kept).toMatchObject({ approvalId: 'parent/a', ok: true, decision: 'approved', allDecided: true, grantId: 'g', notRemembered: 'too wide' });
    expect(ApprovalDecisionResult.standing('a', ApprovalDecision.denied, false).notRemembered).toBe('');
  });

  it('questions, siblings and receipts do not change with the lists they were made of', () => {
    const items = [item('b:0:0')];
    const siblings: ApprovalSibling[] = [{ position: 1, toolName: 'note', status: SiblingStatus.willRun }];
    const entries: ReceiptEntry[] = [{ approvalId: 'b:0:0', decision: ApprovalDecision.approved, decidedBy: 'me', decidedAtMs: 1 }];
    const batch = new PendingApprovalBatch({ batchId: 'b', runId: 'r', items, modelMessage: AgentMessage.assistant(''), createdAtMs: 1, siblings });
    const receipt = new DecisionReceipt('b', '', entries);
    items.length = siblings.length = entries.length = 0;
    expect([batch.items.length, batch.siblings.length, receipt.entries.length]).toEqual([1, 1, 1]);
  });

  it('of two questions of one round the first counts; a predecessor is not unknown unless that is said', () => {
    const batch = new PendingApprovalBatch({ batchId: 'b', runId: 'r', items: [item('one'), item('two')], modelMessage: AgentMessage.assistant(''), createdAtMs: 1, siblings: [] });
    expect(batch.latestAt(0)?.approvalId).toBe('one');
    expect(item('one').predecessorUnknown).toBe(false);
  });

  it('a stored grant without a name of its giver has an empty one', () => {
    const stored = '{"grantId":"g","toolName":"note","scope":"tool","definitionHash":"v1:d","createdAtMs":5}';
    expect(ApprovalGrant.fromJson(codec.parseObject(stored).value)?.grantedBy).toBe('');
  });
});
