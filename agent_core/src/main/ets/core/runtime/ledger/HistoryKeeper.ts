import { DecisionReceipt, ReceiptEntry } from '../../approval/DecisionReceipt';
import { PendingApprovalBatch } from '../../approval/PendingApprovalBatch';
import { CallSignatures, PolledResult } from '../../loop/CallSignatures';
import { AgentMessage, AgentMessageInit, MessageRole } from '../../message/AgentMessage';
import { ToolCall } from '../../message/ToolCall';
import { ApprovalScope, BatchDenyMode } from '../../approval/ApprovalModes';
import { CallResult } from '../../state/CallResult';
import { OpenBatch, OpenBatchInit } from '../../state/OpenBatch';
import { CallStatus, CallTarget, CloseReason, OpenCall, OpenCallInit } from '../../state/OpenCall';
import { BatchMessages } from './BatchMessages';
import { BatchWork } from './BatchWork';
import { EffectiveClock } from '../store/EffectiveClock';
import { LateResults } from './LateResults';
import { SessionStore } from '../store/SessionStore';
import { UnknownEffects } from './UnknownEffects';

/** Appends to the conversation so that every call has its one result, in the model's order. Changes the draft, writes nothing. */
export class HistoryKeeper {
  private readonly store: SessionStore;
  private readonly clock: EffectiveClock;
  private readonly effects: UnknownEffects;
  private readonly late: LateResults;

  constructor(store: SessionStore, clock: EffectiveClock, effects: UnknownEffects, late: LateResults) {
    this.store = store;
    this.clock = clock;
    this.effects = effects;
    this.late = late;
  }

  /** The message as stored: with an id that is unique in the session and a time. */
  append(message: AgentMessage): AgentMessage {
    const init: AgentMessageInit = message.toInit();
    if (message.id === '' || OWN_ID.test(message.id)) {
      init.id = `m${this.store.draft.history.length + 1}`;
    }
    init.createdAtMs = message.createdAtMs === 0 ? this.clock.nowMs() : message.createdAtMs;
    const stored: AgentMessage = new AgentMessage(init);
    this.store.append(stored);
    return stored;
  }

  /** A batch whose calls all have an answer: results in call order, then what hooks injected; the journal is closed. */
  completeBatch(work: BatchWork, signatures: CallSignatures): void {
    for (let position: number = 0; position < work.length; position++) {
      this.appendResult(work.message.toolCalls[position], work.at(position));
    }
    for (let position: number = 0; position < work.length; position++) {
      for (const injected of work.at(position).injected) {
        this.append(injected);
      }
    }
    this.leaveJournal(work.message, work.toOpenBatch(), true);
    this.closeApproval('');
    this.rememberSignatures(work, signatures);
  }

  /** Marks every call that is still open as closed for the reason; a started effect stays unknown (DEC-20). */
  closeOpenCalls(work: BatchWork | undefined, reason: CloseReason): void {
    const batch: OpenBatch | undefined = work?.toOpenBatch() ?? this.store.draft.openBatch ?? this.unansweredTail();
    if (batch === undefined) {
      return;
    }
    const calls: OpenCall[] = batch.calls.map<OpenCall>((call: OpenCall) => closedCall(call, reason));
    this.store.draft.openBatch = batch.withCalls(calls);
  }

  /**
   * The closing tool messages of a batch that ended without completing; before new input (DEC-20).
   * @param tellLate false after a cancel: what came late is only recorded
   */
  appendClosings(tellLate: boolean): void {
    const batch: OpenBatch | undefined = this.store.draft.openBatch;
    if (batch === undefined) {
      return;
    }
    const message: AgentMessage | undefined = this.messageOf(batch);
    if (message !== undefined) {
      for (const call of batch.calls) {
        this.appendResult(message.toolCalls[call.position], call);
      }
    }
    this.leaveJournal(message, batch, tellLate);
  }

  /** What was late is told before the next model call; each note once. */
  appendLateNotes(): void {
    for (const note of this.late.takeNotes()) {
      this.append(note);
    }
  }

  /** Removes the questions and keeps their answers for repeated decisions (DEC-49). Gives the batch that was closed. */
  closeApproval(closedBy: string): PendingApprovalBatch | undefined {
    const pending: PendingApprovalBatch | undefined = this.store.draft.pendingApproval;
    if (pending === undefined) {
      return undefined;
    }
    const entries: ReceiptEntry[] = [];
    for (const item of pending.items) {
      const entry: ReceiptEntry = {
        approvalId: item.approvalId, decision: item.decision, decidedBy: item.decidedBy ?? '',
        decidedAtMs: item.decidedAtMs ?? 0
      };
      entries.push(entry);
    }
    const kept: DecisionReceipt[] = this.store.draft.receipts.slice(-(DecisionReceipt.KEPT - 1));
    kept.push(new DecisionReceipt(pending.batchId, closedBy, entries));
    this.store.draft.receipts = kept;
    this.store.draft.pendingApproval = undefined;
    return pending;
  }

  /** The assistant message that a batch belongs to. */
  messageOf(batch: OpenBatch): AgentMessage | undefined {
    for (let at: number = this.store.draft.history.length - 1; at >= 0; at--) {
      const message: AgentMessage | undefined = this.store.draft.history.at(at);
      if (message !== undefined && message.id === batch.assistantMessageId) {
        return message;
      }
    }
    return undefined;
  }

  /** The newest message of the model. */
  lastAnswer(): AgentMessage | undefined {
    for (let at: number = this.store.draft.history.length - 1; at >= 0; at--) {
      const message: AgentMessage | undefined = this.store.draft.history.at(at);
      if (message !== undefined && message.role === MessageRole.assistant) {
        return message;
      }
    }
    return undefined;
  }

  /** The last message, when it is the model's and its calls have no results. */
  unansweredMessage(): AgentMessage | undefined {
    const last: AgentMessage | undefined = this.store.draft.history.last();
    const unanswered: boolean = last !== undefined && last.role === MessageRole.assistant && last.toolCalls.length > 0;
    return unanswered ? last : undefined;
  }

  /** What nobody knows about its calls, and what came late, outlives the batch. */
  private leaveJournal(message: AgentMessage | undefined, batch: OpenBatch, tell: boolean): void {
    this.effects.collect(batch.batchId, batch.calls);
    this.late.collect(batch.batchId, (message?.toolCalls ?? []).map<string>((call: ToolCall) => call.id), batch.calls, tell);
    this.store.draft.openBatch = undefined;
  }

  private unansweredTail(): OpenBatch | undefined {
    const message: AgentMessage | undefined = this.unansweredMessage();
    if (message === undefined) {
      return undefined;
    }
    const runId: string = this.store.draft.run?.runId ?? '';
    const calls: OpenCall[] = message.toolCalls.map<OpenCall>((call: ToolCall, position: number) => {
      const init: OpenCallInit = {
        position: position, status: CallStatus.allowed, attempt: 0,
        effective: new CallTarget(call.name, call.argumentsJson)
      };
      return new OpenCall(init);
    });
    const init: OpenBatchInit = {
      batchId: `${runId}.${this.store.draft.run?.turn ?? 0}`, runId: runId, assistantMessageId: message.id,
      mode: BatchDenyMode.atomic, scope: ApprovalScope.flagged, visibleTools: [], calls: calls
    };
    return new OpenBatch(init);
  }

  private appendResult(call: ToolCall, entry: OpenCall): void {
    const id: string = `m${this.store.draft.history.length + 1}`;
    this.store.append(BatchMessages.toolMessage(call.id, entry.result ?? BatchMessages.closing(entry), id,
      this.clock.nowMs()));
  }

  private rememberSignatures(work: BatchWork, signatures: CallSignatures): void {
    const window: string[] = this.store.draft.loopWindow.slice();
    for (let position: number = 0; position < work.length; position++) {
      window.push(signatures.of(work.message.toolCalls[position], polledResult(work, position)));
    }
    this.store.draft.loopWindow = window.slice(-signatures.windowSize);
  }
}

/** Ids of this form are the runtime's own; an input that brings one gets a new one. */
const OWN_ID: RegExp = new RegExp('^m[0-9]+$');

/** undefined for a call of a tool that is not polled. */
function polledResult(work: BatchWork, position: number): PolledResult | undefined {
  const result: CallResult | undefined = work.at(position).result;
  if (result === undefined || work.prepared[position]?.tool?.contract.pollable !== true) {
    return undefined;
  }
  const text: string = result.artifact === undefined ? result.toToolResult().text() : result.artifact.sha256;
  const polled: PolledResult = { text: text, isError: result.isError };
  return polled;
}

function closedCall(call: OpenCall, reason: CloseReason): OpenCall {
  switch (call.status) {
    case CallStatus.allowed:
    case CallStatus.awaiting:
    case CallStatus.planned:
      return call.mayHaveHappened ? BatchMessages.close(call, reason) : call.closed(reason);
    case CallStatus.started:
    case CallStatus.waiting:
      return BatchMessages.close(call, reason);
    default:
      return call;
  }
}
