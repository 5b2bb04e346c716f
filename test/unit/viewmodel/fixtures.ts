import {
  AgentEvent, AgentEventType, AgentMessage, ApprovalDecision, ApprovalKind, MessageRole, PendingApprovalBatch,
  PendingApprovalItem, ScheduledTask, Scheduler, SiblingStatus, ToolCall, ToolCallStatus, ToolEffect, ToolResult,
  ToolResultEnvelope, ToolRiskLevel,
  type AgentEventInit, type ApprovalSibling, type PendingApprovalItemInit,
} from 'agent_core';

export const T0 = new Date(2026, 10, 30, 14, 5).getTime();

export function item(change: Partial<PendingApprovalItemInit> = {}): PendingApprovalItem {
  return new PendingApprovalItem({
    approvalId: 'b-1:0:0', position: 0, round: 0, kind: ApprovalKind.call,
    toolCall: new ToolCall('c1', 'clear_baking_cache', '{"confirm":"yes"}', 0), riskLevel: ToolRiskLevel.dangerous,
    effect: ToolEffect.irreversible, reason: 'Dangerous tool "clear_baking_cache" requires confirmation', createdAtMs: T0,
    decision: ApprovalDecision.pending, warnings: [], origin: [], digest: 'v1:sha256:aa', ...change,
  });
}

export function batchOf(items: PendingApprovalItem[], siblings: ApprovalSibling[] = [], calls?: ToolCall[]): PendingApprovalBatch {
  const modelMessage = new AgentMessage({ role: MessageRole.assistant, toolCalls: calls ?? items.map((one) => one.toolCall) });
  return new PendingApprovalBatch({ batchId: 'b-1', runId: 'r-1', items, modelMessage, createdAtMs: T0, siblings });
}

export function event(type: AgentEventType, change: Partial<AgentEventInit> = {}): AgentEvent {
  return new AgentEvent({ type, sessionId: 's', runId: 'r-1', ...change });
}

export function envelope(call: ToolCall, status: ToolCallStatus, code = ''): ToolResultEnvelope {
  return new ToolResultEnvelope({
    callId: call.id, tool: call.name, status, code, summary: `${call.name} ${status}`, result: ToolResult.text('x'),
    timing: { startedAtMs: T0, elapsedMs: 1 },
  });
}

export const refused = SiblingStatus.refused;

/** Timers that run when the test says so. */
export class HandScheduler implements Scheduler {
  now = 0;
  private tasks: { at: number; run: () => void }[] = [];

  monotonicMs(): number {
    return this.now;
  }

  schedule(delayMs: number, run: () => void): ScheduledTask {
    const task = { at: this.now + delayMs, run };
    this.tasks.push(task);
    return { cancel: () => { this.tasks = this.tasks.filter((other) => other !== task); } };
  }

  advance(ms: number): void {
    this.now += ms;
    for (;;) {
      const due = this.tasks.filter((task) => task.at <= this.now).sort((a, b) => a.at - b.at)[0];
      if (due === undefined) return;
      this.tasks = this.tasks.filter((other) => other !== due);
      due.run();
    }
  }

  get waiting(): number {
    return this.tasks.length;
  }
}
