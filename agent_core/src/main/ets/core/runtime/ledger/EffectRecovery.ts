import { ApprovalDeciders, ApprovalDecision, ApprovalKind, UnknownOutcomePolicy } from '../../approval/ApprovalModes';
import { PendingApprovalItem } from '../../approval/PendingApprovalItem';
import { CallResult } from '../../state/CallResult';
import { CallStatus, CloseReason, OpenCall, OpenCallInit } from '../../state/OpenCall';
import { ProbeOutcome } from '../../tool/ToolContract';
import { RegisteredTool } from '../../tool/RegisteredTool';
import { ToolResult } from '../../tool/ToolResult';
import { ToolCallStatus } from '../../tool/ToolResultEnvelope';
import { BatchMessages } from './BatchMessages';
import { BatchWork } from './BatchWork';

/** What is to be done about a call that was started when the process died. */
export enum Recovery {
  /** It may run again. */
  again = 'again',
  /** Only a person can let it run again; until the question is stored the call stays as it is. */
  ask = 'ask',
  /** It has its answer. */
  answered = 'answered'
}

/**
 * What became of a call that was started when the process died. It is never silently run again (S2): only when its contract
 * says idempotent, with the same key, when its probe says that the effect did not happen, or when a person says so.
 */
export class EffectRecovery {
  private readonly policy: UnknownOutcomePolicy;

  constructor(policy: UnknownOutcomePolicy) {
    this.policy = policy;
  }

  async recover(work: BatchWork, call: OpenCall, tool: RegisteredTool | undefined): Promise<Recovery> {
    if (tool !== undefined && tool.contract.idempotent) {
      work.set(again(call, call.attempt + 1));
      return Recovery.again;
    }
    const outcome: ProbeOutcome = await this.ask(call, tool);
    if (outcome === ProbeOutcome.notHappened) {
      work.set(again(call, 0));
      return Recovery.again;
    }
    if (outcome === ProbeOutcome.happened) {
      work.set(call.withResult(CallStatus.finished, CallResult.of(ToolCallStatus.ok, '', ToolResult.text(
        'The effect happened before the app was closed; its answer was lost.'), 0)));
      return Recovery.answered;
    }
    if (this.policy === UnknownOutcomePolicy.ask) {
      return Recovery.ask;
    }
    work.set(BatchMessages.close(call, CloseReason.processDied));
    return Recovery.answered;
  }

  /** A call that is about to be repeated, although neither its contract nor a person's answer to that very question allows it. */
  static isUnsettled(call: OpenCall, tool: RegisteredTool | undefined, question: PendingApprovalItem | undefined): boolean {
    const allowed: boolean = question !== undefined && question.kind === ApprovalKind.retry &&
      question.decision === ApprovalDecision.approved && !ApprovalDeciders.isAutomatic(question.decidedBy);
    return call.mayHaveHappened && !allowed && tool !== undefined && !tool.contract.idempotent;
  }

  /** The call as it waits for the answer whether to repeat it; stored together with the question. */
  static repeated(call: OpenCall): OpenCall {
    return again(call, call.attempt + 1).withStatus(CallStatus.awaiting);
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
