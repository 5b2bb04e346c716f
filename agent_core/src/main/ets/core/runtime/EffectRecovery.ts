import { ApprovalKind, UnknownOutcomePolicy } from '../approval/ApprovalModes';
import { PendingApprovalItem } from '../approval/PendingApprovalItem';
import { CallResult } from '../state/CallResult';
import { CallStatus, CloseReason, OpenCall, OpenCallInit } from '../state/OpenCall';
import { ProbeOutcome } from '../tool/ToolContract';
import { RegisteredTool } from '../tool/RegisteredTool';
import { ToolResult } from '../tool/ToolResult';
import { ToolCallStatus } from '../tool/ToolResultEnvelope';
import { BatchMessages } from './BatchMessages';
import { BatchWork } from './BatchWork';

/**
 * What became of a call that was started when the process died. It is never silently run again (S2): only when its contract
 * says idempotent, with the same key, when its probe says that the effect did not happen, or when a person says so.
 */
export class EffectRecovery {
  private readonly policy: UnknownOutcomePolicy;

  constructor(policy: UnknownOutcomePolicy) {
    this.policy = policy;
  }

  /** @returns true when the call may run again, with a person's consent where it `needsConsent`; otherwise it has its answer now */
  async recover(work: BatchWork, call: OpenCall, tool: RegisteredTool | undefined): Promise<boolean> {
    if (tool !== undefined && tool.contract.idempotent) {
      work.set(again(call, call.attempt + 1));
      return true;
    }
    const outcome: ProbeOutcome = await this.ask(call, tool);
    if (outcome === ProbeOutcome.notHappened) {
      work.set(again(call, 0));
      return true;
    }
    if (outcome === ProbeOutcome.happened) {
      work.set(call.withResult(CallStatus.finished, CallResult.of(ToolCallStatus.ok, '', ToolResult.text(
        'The effect happened before the app was closed; its answer was lost.'), 0)));
      return false;
    }
    if (this.policy === UnknownOutcomePolicy.ask) {
      work.set(again(call, call.attempt + 1));
      return true;
    }
    work.set(BatchMessages.close(call, CloseReason.processDied));
    return false;
  }

  /** A repetition that only a person can allow; each one anew. */
  static needsConsent(call: OpenCall, tool: RegisteredTool, questions: ReadonlyArray<PendingApprovalItem>): boolean {
    return !tool.contract.idempotent && call.attempt > EffectRecovery.repetitionsAsked(call.position, questions);
  }

  /** How often a person was asked whether to repeat the call at a position. */
  static repetitionsAsked(position: number, questions: ReadonlyArray<PendingApprovalItem>): number {
    return questions.filter((item: PendingApprovalItem) =>
      item.position === position && item.kind === ApprovalKind.retry).length;
  }

  private async ask(call: OpenCall, tool: RegisteredTool | undefined): Promise<ProbeOutcome> {
    if (tool === undefined || tool.contract.probe === undefined || call.idempotencyKey === undefined) {
      return ProbeOutcome.cannotTell;
    }
    try {
      return await tool.contract.probe.probe(call.idempotencyKey);
    } catch (e) {
      return ProbeOutcome.cannotTell;
    }
  }
}

/** @param attempt above 0: the effect may have happened before */
function again(call: OpenCall, attempt: number): OpenCall {
  const init: OpenCallInit = call.toInit();
  init.status = CallStatus.planned;
  init.attempt = attempt;
  init.startedAtMs = undefined;
  return new OpenCall(init);
}
