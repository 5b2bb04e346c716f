import { AgentEventType, type AgentEvent, type AgentStopReason, type ArkAgentError, type PendingApprovalItem } from 'agent_core';
import type { ApprovalCardModel } from '../../../entry/src/main/ets/viewmodel/ApprovalCardModel.ets';
import type { ArgumentRow } from '../../../entry/src/main/ets/viewmodel/ArgumentTable.ets';
import type { DemoOutput, DemoStart } from './DemoOutput';

/** Writes one JSON object per line; `type` says which. */
export class JsonOutput implements DemoOutput {
  constructor(private readonly write: (line: string) => void) {}

  start(start: DemoStart): void {
    this.line({ type: 'start', pid: process.pid, ...start });
  }

  message(text: string): void {
    this.line({ type: 'message', text });
  }

  event(event: AgentEvent): void {
    switch (event.type) {
      case AgentEventType.textDelta:
        return this.line({ type: 'text', text: event.text });
      case AgentEventType.toolCallStarted:
        return this.line({ type: 'tool', status: 'running', tool: event.call?.name, callId: event.call?.id });
      case AgentEventType.toolCallFinished:
        return this.line({ type: 'tool', status: event.envelope?.status, tool: event.call?.name, callId: event.call?.id, code: event.envelope?.code });
      case AgentEventType.statePersisted:
        return event.persisted ? undefined : this.line({ type: 'save_failed', reason: event.text });
      case AgentEventType.runStarted:
      case AgentEventType.runResumed:
      case AgentEventType.cancelRequested:
      case AgentEventType.modelRestarted:
        return this.line({ type: event.type, runId: event.runId });
      default:
        return undefined;
    }
  }

  card(card: ApprovalCardModel, revision: number): void {
    const rows = card.rows.map((row: ArgumentRow) => ({ name: row.name, value: row.value, proposed: row.proposed }));
    this.line({
      type: 'question', approvalId: card.approvalId, batchId: card.batchId, digest: card.digest, revision, tool: card.toolName,
      sentence: card.sentence, risk: card.riskText, retry: card.isRetry, arguments: rows,
    });
  }

  decided(item: PendingApprovalItem): void {
    this.line({
      type: 'decision', approvalId: item.approvalId, decision: item.decision, decidedBy: item.decidedBy, reason: item.denyReason,
      argumentsJson: item.toolCall.argumentsJson, proposedJson: item.proposedCall?.argumentsJson,
    });
  }

  refused(error: ArkAgentError): void {
    this.line({ type: 'refused', code: error.code, message: error.message });
  }

  failed(error: ArkAgentError): void {
    this.line({ type: 'failed', code: error.code, message: error.message });
  }

  ended(stopReason: AgentStopReason): void {
    this.line({ type: 'end', stopReason });
  }

  later(): void {
    this.line({ type: 'later' });
  }

  stopHint(): void {
    // The event cancel_requested says it to machines.
  }

  dying(): void {
    this.line({ type: 'dying', pid: process.pid });
  }

  private line(value: object): void {
    this.write(JSON.stringify(value));
  }
}
