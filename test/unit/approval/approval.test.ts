import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ApprovalDecision, ApprovalKind } from '@core/approval/ApprovalModes';
import { ApprovalPolicyAsk, ApprovalPolicyResult, DefaultToolApprovalPolicy, StrictestToolApprovalPolicy, type ToolApprovalPolicy } from '@core/approval/ApprovalPolicy';
import { CallDigest } from '@core/approval/CallDigest';
import { PendingApprovalBatch } from '@core/approval/PendingApprovalBatch';
import { PendingApprovalItem } from '@core/approval/PendingApprovalItem';
import { JsonCodec } from '@core/json/JsonCodec';
import { AgentMessage } from '@core/message/AgentMessage';
import { ToolCall } from '@core/message/ToolCall';
import { ToolDefinition, ToolRiskLevel } from '@core/model/ToolDefinition';
import { ToolEffect } from '@core/tool/ToolContract';

const codec = new JsonCodec();
const call = new ToolCall('c', 'erase', '{}', 0);
const tool = (risk: ToolRiskLevel): ToolDefinition => new ToolDefinition('erase', 'd', codec.parseObject('{"type":"object"}').value, risk);
const saying = (answer: unknown): ToolApprovalPolicy => ({ decide: () => { if (answer instanceof Error) throw answer; return answer as ApprovalPolicyResult; } });
const allow = ApprovalPolicyResult.allow();
const deny = ApprovalPolicyResult.deny('no');
const ask = ApprovalPolicyResult.requireConfirmation('sure?');

describe('approval policies', () => {
  it('APP-01 safe runs by itself, sensitive and dangerous ask', () => {
    const policy = new DefaultToolApprovalPolicy();
    expect([ToolRiskLevel.safe, ToolRiskLevel.sensitive, ToolRiskLevel.dangerous].map((risk) => policy.decide(call, tool(risk)).action)).toEqual(['allow', 'require_confirmation', 'require_confirmation']);
    expect(policy.decide(call, tool(ToolRiskLevel.dangerous)).reason).toBe('Dangerous tool "erase" requires confirmation');
    expect(policy.decide(call, tool('unheard of' as ToolRiskLevel)).action).toBe('require_confirmation');
  });

  it('APP-02 a tool that does not exist never asks', () => {
    expect(new DefaultToolApprovalPolicy().decide(call).action).toBe('allow');
  });

  it('DEC-46 the strictest answer wins, in any order, with its own reason', () => {
    const strictest = (...answers: unknown[]): string => { const result = new StrictestToolApprovalPolicy(answers.map(saying)).decide(call); return `${result.action} ${result.reason}`; };
    expect([strictest(), strictest(allow), strictest(allow, ask), strictest(ask, allow), strictest(ask, deny, allow), strictest(deny, ask)]).toEqual(['allow ', 'allow ', 'require_confirmation sure?', 'require_confirmation sure?', 'deny no', 'deny no']);
    expect(strictest(allow, new Error('x'))).toContain('require_confirmation');
  });

  it.each([['a throw', new Error('x')], ['a promise', Promise.resolve(allow)], ['nothing', undefined], ['null', null], ['a word', 'allow'], ['a look-alike', { action: 'allow', reason: '' }]])(
    'S13 %s is no answer: a person is asked', (_name, answer) => {
      expect(ApprovalPolicyAsk.decide(saying(answer), call).action).toBe('require_confirmation');
      expect(new StrictestToolApprovalPolicy([saying(allow), saying(answer)]).decide(call).action).toBe('require_confirmation');
    });
});

describe('digests', () => {
  const sha = { sha256Hex: (text: string): string => createHash('sha256').update(text).digest('hex') };
  const of = (args: string, name = 'erase', definition = 'd1'): string => CallDigest.of(sha, codec, name, codec.parseObject(args).value, definition).value;

  it('S4 key order and number spelling do not matter; types, values, names and definitions do', () => {
    expect(of('{"a":1,"b":2}')).toBe(of('{"b":2,"a":1.0}'));
    expect(of('{"a":1}')).toMatch(/^v1:sha256:[0-9a-f]{64}$/);
    const all = [of('{"a":1}'), of('{"a":"1"}'), of('{"a":2}'), of('{"a":[1]}'), of('{}'), of('{"a":1}', 'other'), of('{"a":1}', 'erase', 'd2'), of('{"a":null}'), of('{"a":true}')];
    expect(new Set(all).size).toBe(all.length);
  });
});

describe('questions', () => {
  const item = (id: string, position = 0, round = 0): PendingApprovalItem => new PendingApprovalItem({
    approvalId: id, position, round, kind: ApprovalKind.call, toolCall: call, riskLevel: ToolRiskLevel.dangerous, effect: ToolEffect.irreversible, reason: 'r', createdAtMs: 1, decision: ApprovalDecision.pending, warnings: [], origin: [],
  });
  const batch = (...items: PendingApprovalItem[]): PendingApprovalBatch => new PendingApprovalBatch({ batchId: 'b', runId: 'r', items, modelMessage: AgentMessage.assistant(''), createdAtMs: 1, siblings: [] });

  it('a decision makes a new item and says who and when; the old one stays', () => {
    const open = item('b:0:0');
    const denied = open.denied('me', 9, 'too much');
    expect([open.isPending(), denied.isPending(), denied.decision, denied.decidedBy, denied.decidedAtMs, denied.denyReason]).toEqual([true, false, 'denied', 'me', 9, 'too much']);
    expect(open.approved('me', 9).denyReason).toBeUndefined();
  });

  it('DEC-49 allDecided is literal, and the newest question about a call counts', () => {
    const two = batch(item('b:0:0'), item('b:1:0', 1));
    const one = two.withItem(item('b:0:0').denied('me', 1));
    expect([two.allDecided(), one.allDecided(), one.anyDenied(), two.anyDenied()]).toEqual([false, false, true, false]);
    expect(one.withItem(item('b:1:0', 1).approved('me', 1)).allDecided()).toBe(true);
    expect(batch(item('b:0:1', 0, 1), item('b:0:0', 0, 0)).latestAt(0)?.approvalId).toBe('b:0:1');
    expect([two.latestAt(7), two.find('nothing'), two.find('b:1:0')?.position]).toEqual([undefined, undefined, 1]);
  });
});
