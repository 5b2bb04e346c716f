import { ApprovalDecision, ApprovalDeciders, ApprovalKind, ApprovalScope, BatchDenyMode } from '../../approval/ApprovalModes';
import { PendingApprovalBatch, PendingApprovalBatchInit } from '../../approval/PendingApprovalBatch';
import { PendingApprovalItem, PendingApprovalItemInit } from '../../approval/PendingApprovalItem';
import { JsonObject } from '../../json/JsonObject';
import { AgentMessage, AgentMessageInit, MessageRole } from '../../message/AgentMessage';
import { ContentPart } from '../../message/ContentPart';
import { MessageList } from '../../message/MessageList';
import { ToolCall } from '../../message/ToolCall';
import { Usage } from '../../message/Usage';
import { ToolRiskLevel } from '../../model/ToolDefinition';
import { AgentState, AgentStateParts } from '../../state/AgentState';
import { AgentStopReason } from '../../state/AgentStopReason';
import { ApprovalSiblings } from '../../state/ApprovalSiblings';
import { OpenBatch, OpenBatchInit } from '../../state/OpenBatch';
import { CallStatus, CallTarget, OpenCall, OpenCallInit } from '../../state/OpenCall';
import { PersistReason } from '../../state/PersistReason';
import { RunRecord, RunRecordInit, RunStatus } from '../../state/RunRecord';
import { StateCommit } from '../../state/StateCommit';
import { ToolEffect } from '../../tool/ToolContract';

/** States for tests, each made from the one before it as a runtime would. */
export class SampleStates {
  static readonly START_MS: number = 1752300000000;

  static fresh(sessionId: string): AgentState {
    return AgentState.fresh(sessionId, new JsonObject().setString('locale', 'zh-CN'), SampleStates.START_MS);
  }

  /** The parts of the next state; the caller changes them further. */
  static nextParts(state: AgentState, writer: string): AgentStateParts {
    const parts: AgentStateParts = state.toParts();
    parts.revision = state.revision + 1;
    parts.incarnation = state.incarnation === '' ? `life-${writer}` : state.incarnation;
    parts.commitId = `${writer}-${parts.revision}`;
    parts.updatedAtMs = state.updatedAtMs + 1000;
    return parts;
  }

  /** One exchange of user and assistant added, and the run over. */
  static exchanged(state: AgentState, writer: string): AgentState {
    const at: number = state.history.length;
    const messages: AgentMessage[] = [
      AgentMessage.user(`第 ${at} 问 from ${writer}`).stamped(`m${at}`, state.updatedAtMs + 1),
      AgentMessage.assistant(`answer 🥖 ${at}`).stamped(`m${at + 1}`, state.updatedAtMs + 2)
    ];
    return SampleStates.appended(state, writer, messages);
  }

  static appended(state: AgentState, writer: string, messages: ReadonlyArray<AgentMessage>): AgentState {
    const parts: AgentStateParts = SampleStates.nextParts(state, writer);
    const history: AgentMessage[] = state.history.toArray().concat(messages);
    parts.history = new MessageList(history, history.length);
    parts.usage = state.usage.plus(new Usage(10, 2, 12));
    const run: RunRecordInit = {
      runId: `run-${parts.revision}`, status: RunStatus.finished, segment: 0, turn: 1, stopReason: AgentStopReason.complete
    };
    parts.run = new RunRecord(run);
    return new AgentState(parts);
  }

  /** A batch of two calls added and frozen: one free to run, one waiting for a person. */
  static suspended(state: AgentState, writer: string): AgentState {
    const calls: ToolCall[] = [
      new ToolCall('call_1', 'read_baking_records', '{"recordId":"r1"}', 0),
      new ToolCall('call_2', 'clear_baking_cache', '{"confirm":"yes"}', 1)
    ];
    const init: AgentMessageInit = {
      role: MessageRole.assistant, id: `m${state.history.length + 1}`, toolCalls: calls, createdAtMs: state.updatedAtMs + 2
    };
    const model: AgentMessage = new AgentMessage(init);
    const user: AgentMessage = AgentMessage.user('清空缓存').stamped(`m${state.history.length}`, state.updatedAtMs + 1);
    const parts: AgentStateParts = SampleStates.appended(state, writer, [user, model]).toParts();
    const run: RunRecordInit = {
      runId: 'run-2', status: RunStatus.suspended, segment: 0, turn: 1, stopReason: AgentStopReason.awaitingApproval
    };
    parts.run = new RunRecord(run);
    const openBatch: OpenBatch = SampleStates.openBatch(model);
    parts.openBatch = openBatch;
    parts.pendingApproval = SampleStates.pending(model, openBatch, parts.updatedAtMs);
    return new AgentState(parts);
  }

  /** The waiting question approved. */
  static approved(state: AgentState, writer: string): AgentState {
    const parts: AgentStateParts = SampleStates.nextParts(state, writer);
    const pending: PendingApprovalBatch = state.pendingApproval as PendingApprovalBatch;
    parts.pendingApproval = pending.withItem(pending.items[1].approved(ApprovalDeciders.PERSON, parts.updatedAtMs));
    return new AgentState(parts);
  }

  /** The batch run to its end: results in the history, nothing open. */
  static carriedOut(state: AgentState, writer: string): AgentState {
    const results: AgentMessage[] = [
      AgentMessage.toolResult('call_1', [ContentPart.text('法棍 500g')], false).stamped(`m${state.history.length}`, 1),
      AgentMessage.toolResult('call_2', [ContentPart.text('cleared')], false).stamped(`m${state.history.length + 1}`, 2),
      AgentMessage.assistant('Done.').stamped(`m${state.history.length + 2}`, 3)
    ];
    const parts: AgentStateParts = SampleStates.appended(state, writer, results).toParts();
    parts.openBatch = undefined;
    parts.pendingApproval = undefined;
    return new AgentState(parts);
  }

  static commit(stored: AgentState, next: AgentState): StateCommit {
    return new StateCommit(stored, next, PersistReason.afterToolBatch);
  }

  private static openBatch(model: AgentMessage): OpenBatch {
    const calls: OpenCall[] = [];
    for (const call of model.toolCalls) {
      const init: OpenCallInit = {
        position: call.index, status: call.index === 0 ? CallStatus.allowed : CallStatus.awaiting, attempt: 0,
        effective: new CallTarget(call.name, call.argumentsJson), definitionHash: `v1:sha256:${call.index}`
      };
      if (call.index === 1) {
        init.digest = 'v1:sha256:cd';
        init.idempotencyKey = 'b-3:1';
      }
      calls.push(new OpenCall(init));
    }
    const batch: OpenBatchInit = {
      batchId: 'b-3', runId: 'run-2', assistantMessageId: model.id, mode: BatchDenyMode.atomic,
      scope: ApprovalScope.flagged, visibleTools: ['read_baking_records', 'clear_baking_cache'], calls: calls
    };
    return new OpenBatch(batch);
  }

  private static pending(model: AgentMessage, openBatch: OpenBatch, atMs: number): PendingApprovalBatch {
    const items: PendingApprovalItem[] = [
      SampleStates.item(model.toolCalls[0], ToolRiskLevel.safe, ToolEffect.none, atMs).approved(ApprovalDeciders.POLICY, atMs),
      SampleStates.item(model.toolCalls[1], ToolRiskLevel.dangerous, ToolEffect.irreversible, atMs)
    ];
    const init: PendingApprovalBatchInit = {
      batchId: 'b-3', runId: 'run-2', items: items, modelMessage: model, createdAtMs: atMs,
      siblings: ApprovalSiblings.of(openBatch, items)
    };
    return new PendingApprovalBatch(init);
  }

  private static item(call: ToolCall, risk: ToolRiskLevel, effect: ToolEffect, atMs: number): PendingApprovalItem {
    const init: PendingApprovalItemInit = {
      approvalId: `b-3:${call.index}:0`, position: call.index, round: 0, kind: ApprovalKind.call, toolCall: call,
      riskLevel: risk, effect: effect, reason: `${risk} tool`, createdAtMs: atMs, decision: ApprovalDecision.pending,
      warnings: [], origin: []
    };
    if (effect !== ToolEffect.none) {
      init.digest = 'v1:sha256:cd';
    }
    return new PendingApprovalItem(init);
  }
}
