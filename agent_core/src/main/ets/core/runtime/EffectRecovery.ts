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
 * says idempotent, with the same key, or when its probe says that the effect did not happen.
 */
export class EffectRecovery {
  /** @returns true when the call may run again; otherwise it has its answer now */
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
    work.set(BatchMessages.close(call, CloseReason.processDied));
    return false;
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
