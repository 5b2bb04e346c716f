import { AgentHook } from '../AgentHook';
import { ModelChunkHookContext } from '../context/ModelChunkHookContext';
import { HookAbort } from '../HookAbort';
import { HookSlot } from '../HookSlot';
import { ModelChunkHookOutcome } from '../outcome/ModelChunkHookOutcome';
import { ModelChunkHookAction, ModelChunkHookResult } from '../result/ModelChunkHookResult';
import { HookCaller } from './HookCaller';
import { HookFaults } from './HookFaults';
import { SlotLog } from './SlotLog';

function fits(answer: ModelChunkHookResult): boolean {
  return answer instanceof ModelChunkHookResult && typeof answer.text === 'string' && typeof answer.reasoning === 'string';
}

/** Runs the onModelChunk hooks. Calls them directly instead of through `HookCaller.ask`: it is run per chunk. */
export class ModelChunkSlot {
  private readonly hooks: ReadonlyArray<AgentHook>;
  private readonly caller: HookCaller;

  constructor(hooks: ReadonlyArray<AgentHook>, caller: HookCaller) {
    this.hooks = hooks;
    this.caller = caller;
  }

  async run(asked: ModelChunkHookContext): Promise<ModelChunkHookOutcome> {
    const log: SlotLog = new SlotLog(HookSlot.onModelChunk);
    let text: string = asked.text;
    let reasoning: string = asked.reasoning;
    for (let at: number = 0; at < this.hooks.length; at++) {
      const hook: AgentHook = this.hooks[at];
      const seen: ModelChunkHookContext = asked.copyWith(text, reasoning);
      let answer: ModelChunkHookResult | HookAbort | undefined = undefined;
      try {
        const pending: Promise<ModelChunkHookResult> = hook.onModelChunk(seen);
        const given: ModelChunkHookResult =
          hook.timeoutMs > 0 ? await this.caller.limited<ModelChunkHookResult>(hook, pending) : await pending;
        answer = this.caller.judge<ModelChunkHookResult>(hook, log, given, fits);
      } catch (e) {
        answer = this.caller.fault(hook, log, HookFaults.failed(hook, HookSlot.onModelChunk, e as Object));
      }
      if (answer instanceof HookAbort) {
        return new ModelChunkHookOutcome('', '', false, answer, log.diagnostics());
      }
      if (answer !== undefined && answer.action === ModelChunkHookAction.drop) {
        return new ModelChunkHookOutcome('', '', true, undefined, log.diagnostics());
      }
      text = answer?.text ?? text;
      reasoning = answer?.reasoning ?? reasoning;
    }
    return new ModelChunkHookOutcome(text, reasoning, false, undefined, log.diagnostics());
  }
}
