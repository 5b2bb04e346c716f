import { ApprovalDeciders, ApprovalDecision, ApprovalKind, ApprovalScope } from '../../approval/ApprovalModes';
import { PendingApprovalBatch, PendingApprovalBatchInit } from '../../approval/PendingApprovalBatch';
import { PendingApprovalItem, PendingApprovalItemInit } from '../../approval/PendingApprovalItem';
import { PreparedCall } from '../../execution/prepare/PreparedCall';
import { ToolCall } from '../../message/ToolCall';
import { ApprovalSiblings } from '../../state/ApprovalSiblings';
import { CallStatus, OpenCall } from '../../state/OpenCall';
import { RegisteredTool } from '../../tool/RegisteredTool';
import { BatchWork } from '../ledger/BatchWork';
import { CallLedger } from '../ledger/CallLedger';
import { EffectiveClock } from '../store/EffectiveClock';
import { EffectRecovery } from '../ledger/EffectRecovery';

/** Turns a batch in which a call needs consent into the questions that a person sees. Changes the work, writes nothing. */
export class ApprovalFreezer {
  private readonly ledger: CallLedger;
  private readonly clock: EffectiveClock;
  /** Milliseconds; undefined = questions do not expire. */
  private readonly ttlMs: number | undefined;

  constructor(ledger: CallLedger, clock: EffectiveClock, ttlMs: number | undefined) {
    this.ledger = ledger;
    this.clock = clock;
    this.ttlMs = ttlMs;
  }

  /** @param earlier items of the batch that were asked before; a new question about the same call gets the next round */
  freeze(work: BatchWork, earlier: ReadonlyArray<PendingApprovalItem>): PendingApprovalBatch {
    const now: number = this.clock.nowMs();
    const items: PendingApprovalItem[] = earlier.slice();
    for (let position: number = 0; position < work.length; position++) {
      const prepared: PreparedCall | undefined = work.prepared[position];
      const reason: string | undefined = this.begin(work, position);
      const open: boolean = work.at(position).status === CallStatus.awaiting || work.at(position).status === CallStatus.allowed;
      if (prepared !== undefined && prepared.tool !== undefined && open) {
        if (work.scope === ApprovalScope.wholeBatch) {
          work.set(work.at(position).withStatus(CallStatus.awaiting));
        }
        work.set(this.ledger.bound(work.at(position), prepared, work.batchId));
        if (reason !== undefined || !isAnswered(items, position, work.at(position))) {
          items.push(this.item(work, position, prepared, prepared.tool, roundOf(items, position), now, reason));
        }
      }
    }
    items.sort((a: PendingApprovalItem, b: PendingApprovalItem) => a.position - b.position || a.round - b.round);
    const init: PendingApprovalBatchInit = {
      batchId: work.batchId, runId: work.runId, items: items, modelMessage: work.message, createdAtMs: now,
      siblings: ApprovalSiblings.of(work.toOpenBatch(), items)
    };
    return new PendingApprovalBatch(init);
  }

  /** A call to be repeated waits from here on. @returns what a person has to know of it; undefined for any other call */
  private begin(work: BatchWork, position: number): string | undefined {
    if (!work.repeats.delete(position)) {
      return undefined;
    }
    const call: OpenCall = work.at(position);
    work.set(EffectRecovery.repeated(call));
    const since: string = call.startedAtMs === undefined ? '' : ` (started ${new Date(call.startedAtMs).toISOString()})`;
    const known: string = work.prepared[position]?.tool?.contract.probe === undefined ? '' : ', and the tool could not find out';
    return `The app was closed while this call ran${since}: it may have happened already${known}. Approving repeats it.`;
  }

  private item(work: BatchWork, position: number, prepared: PreparedCall, tool: RegisteredTool, round: number,
    now: number, repeats: string | undefined): PendingApprovalItem {
    const entry: OpenCall = work.at(position);
    const asks: boolean = entry.status === CallStatus.awaiting;
    const original: ToolCall = prepared.original;
    const changed: boolean = entry.proposed !== undefined;
    const init: PendingApprovalItemInit = {
      approvalId: `${work.batchId}:${position}:${round}`, position: position, round: round,
      kind: repeats === undefined ? ApprovalKind.call : ApprovalKind.retry,
      toolCall: prepared.call, proposedCall: changed ? original : undefined, riskLevel: tool.definition.riskLevel,
      effect: tool.contract.effect, reason: repeats ?? reasonOf(prepared, asks), digest: entry.digest,
      definitionHash: entry.definitionHash, createdAtMs: now,
      expiresAtMs: asks && this.ttlMs !== undefined ? now + this.ttlMs : undefined,
      decision: asks ? ApprovalDecision.pending : ApprovalDecision.approved,
      decidedBy: asks ? undefined : prepared.decider, decidedAtMs: asks ? undefined : now,
      warnings: prepared.warnings, origin: [], predecessorUnknown: asks && prepared.predecessorUnknown
    };
    return new PendingApprovalItem(init);
  }
}

function reasonOf(prepared: PreparedCall, asks: boolean): string {
  if (prepared.reason !== '') {
    return prepared.reason;
  }
  return asks ? 'The whole batch is decided call by call' : `${prepared.tool?.definition.riskLevel ?? ''} tool`;
}

function roundOf(items: ReadonlyArray<PendingApprovalItem>, position: number): number {
  let next: number = 0;
  for (const item of items) {
    if (item.position === position && item.round >= next) {
      next = item.round + 1;
    }
  }
  return next;
}

/** The newest item about the call settles it: an approval still holds, and a call that only policy allowed asks nothing. */
function isAnswered(items: ReadonlyArray<PendingApprovalItem>, position: number, call: OpenCall): boolean {
  let latest: PendingApprovalItem | undefined = undefined;
  for (const item of items) {
    if (item.position === position && (latest === undefined || item.round > latest.round)) {
      latest = item;
    }
  }
  if (latest === undefined) {
    return false;
  }
  return call.status === CallStatus.allowed || !ApprovalDeciders.isAutomatic(latest.decidedBy);
}
