import { describe, expect, it } from 'vitest';
import { ApprovalDecisionResult } from '@core/approval/ApprovalDecisionResult';
import { ApprovalDecision } from '@core/approval/ApprovalModes';
import { PendingApprovalBatch } from '@core/approval/PendingApprovalBatch';
import type { AgentFeature, ChildQuestions } from '@core/control/AgentFeature';
import type { CallPipeline } from '@core/execution/CallPipeline';
import { AgentMessage } from '@core/message/AgentMessage';
import { Usage } from '@core/message/Usage';
import { ChildSessions } from '@core/runtime/session/ChildSessions';
import { CallResult } from '@core/state/CallResult';
import { CallStatus, CallTarget } from '@core/state/OpenCall';
import { ChildResult } from '@core/tool/ChildResult';
import type { RegisteredTool } from '@core/tool/RegisteredTool';
import { ToolCallStatus } from '@core/tool/ToolResultEnvelope';
import { open, tool } from './support';

const usage = new Usage(1, 2, 3);
const batchOf = (id: string): PendingApprovalBatch => new PendingApprovalBatch({ batchId: id, runId: 'r', items: [], modelMessage: AgentMessage.assistant(''), createdAtMs: 1, siblings: [] });

/** The children of one feature: it knows the ids that begin with its name. */
class Children implements ChildQuestions {
  constructor(readonly name: string, readonly log: string[], readonly waits = false, readonly ends: ChildResult | undefined = undefined) {}

  async restore(): Promise<void> { this.log.push(`${this.name} restore`); }
  openBatches(): ReadonlyArray<PendingApprovalBatch> { return [batchOf(`${this.name}1`), batchOf(`${this.name}2`)]; }
  anyWaiting(): boolean { return this.waits; }
  async close(): Promise<void> { this.log.push(`${this.name} close`); }

  decide(request: { approvalId: string }): Promise<ApprovalDecisionResult> | undefined {
    this.log.push(`${this.name} decide`);
    return request.approvalId.startsWith(this.name) ? Promise.resolve(ApprovalDecisionResult.standing(request.approvalId, ApprovalDecision.approved, true)) : undefined;
  }

  denyAll(batchId: string, reason: string | undefined): Promise<ApprovalDecisionResult> | undefined {
    this.log.push(`${this.name} deny ${reason}`);
    return batchId.startsWith(this.name) ? Promise.resolve(ApprovalDecisionResult.standing(batchId, ApprovalDecision.denied, true)) : undefined;
  }

  async end(): Promise<ChildResult | undefined> {
    this.log.push(`${this.name} end`);
    return this.ends;
  }
}

function sessions(...children: Array<Children | undefined>): ChildSessions {
  const features = children.map((one) => ({ children: () => one }) as unknown as AgentFeature);
  const pipeline = {
    gates: { find: (name: string): RegisteredTool | undefined => (name === 'pay' ? tool('pay') : undefined) },
    runner: { ofChild: (_tool: RegisteredTool, result: ChildResult, elapsedMs: number) => CallResult.of(result.status, result.code, result, elapsedMs) },
  };
  return new ChildSessions(features, pipeline as unknown as CallPipeline);
}

describe('the child sessions of all features', () => {
  it('are restored and closed, also beside features that have none', async () => {
    const log: string[] = [];
    const all = sessions(new Children('a', log), undefined, new Children('b', log));
    await all.restore();
    await all.close();
    expect(log).toEqual(['a restore', 'b restore', 'a close', 'b close']);
  });

  it('show all their questions, and wait when one of them waits', () => {
    const all = sessions(new Children('a', []), undefined, new Children('b', [], true));
    expect([all.openBatches().map((one) => one.batchId), all.waiting]).toEqual([['a1', 'a2', 'b1', 'b2'], true]);
    expect([sessions(new Children('a', [])).waiting, sessions(undefined).waiting, sessions().openBatches()]).toEqual([false, false, []]);
  });

  it('a decision goes to the first that knows the question, and to nobody else', async () => {
    const log: string[] = [];
    const all = sessions(new Children('a', log), new Children('b', log), new Children('c', log));
    expect((await all.decide({ approvalId: 'b1', approve: true }))?.approvalId).toBe('b1');
    expect((await all.denyAll('b1', 'why'))?.approvalId).toBe('b1');
    expect(log).toEqual(['a decide', 'b decide', 'a deny why', 'b deny why']);
    expect([all.decide({ approvalId: 'x', approve: true }), all.denyAll('x', undefined)]).toEqual([undefined, undefined]);
  });

  it('the call that waited for a child gets what the child came to, and its cost', async () => {
    const log: string[] = [];
    const waiting = open(0, CallStatus.waiting, { childSessionId: 'c' });
    const ended = async (result: ChildResult): Promise<string> => {
      const done = await sessions(new Children('a', log), new Children('b', log, false, result), new Children('c', log)).end(waiting, 'why');
      return `${done.call.status} ${done.call.result?.status} ${done.usage.promptTokens} ${done.usage.completionTokens}`;
    };
    expect(await ended(ChildResult.answered('well', usage))).toBe('finished ok 1 2');
    expect(await ended(new ChildResult(ToolCallStatus.unknown, 'x', 'who knows', usage))).toBe('unknown unknown 1 2');
    expect(log).toEqual(['a end', 'b end', 'a end', 'b end']);
  });

  it('where nobody can reach the child the call is closed; where it had begun nobody knows what it did', async () => {
    const log: string[] = [];
    const all = sessions(new Children('a', log));
    const closed = await all.end(open(0, CallStatus.waiting), 'why');
    const begun = await all.end(open(0, CallStatus.waiting, { startedAtMs: 5 }), 'why');
    expect([closed.call.status, closed.call.reason, closed.usage.promptTokens, begun.call.status]).toEqual(['closed', 'not_executed', 0, 'unknown']);
    log.length = 0;
    const gone = await sessions(new Children('a', log, false, ChildResult.answered('x', usage))).end(open(0, CallStatus.waiting, { effective: new CallTarget('gone', '{}') }), 'why');
    expect([gone.call.status, log], 'its tool is not there any more').toEqual(['closed', []]);
  });
});
