import { ModelRequest } from '../../model/ModelRequest';
import { ModelResponse } from '../../model/ModelResponse';
import { AgentHook } from '../AgentHook';
import { ModelCallHookContext } from '../context/ModelCallHookContext';
import { HookAbort } from '../HookAbort';
import { HookSlot } from '../HookSlot';
import { ModelCallHookOutcome } from '../outcome/ModelCallHookOutcome';
import { ModelCallHookResult } from '../result/ModelCallHookResult';
import { Snapshots } from '../Snapshots';
import { HookCaller } from './HookCaller';
import { SlotLog } from './SlotLog';

function fits(answer: ModelCallHookResult): boolean {
  return answer instanceof ModelCallHookResult &&
    (answer.aborts || answer.request instanceof ModelRequest || answer.response instanceof ModelResponse);
}

/** Runs the beforeModelCall hooks. */
export class BeforeModelCallSlot {
  private readonly hooks: ReadonlyArray<AgentHook>;
  private readonly caller: HookCaller;

  constructor(hooks: ReadonlyArray<AgentHook>, caller: HookCaller) {
    this.hooks = hooks;
    this.caller = caller;
  }

  async run(asked: ModelCallHookContext): Promise<ModelCallHookOutcome> {
    const log: SlotLog = new SlotLog(HookSlot.beforeModelCall);
    let request: ModelRequest = asked.request;
    for (let at: number = 0; at < this.hooks.length; at++) {
      const hook: AgentHook = this.hooks[at];
      const seen: ModelCallHookContext = asked.copyWith(Snapshots.request(request));
      const answer: ModelCallHookResult | HookAbort | undefined = await this.caller.ask<ModelCallHookResult>(hook, log,
        (): Promise<ModelCallHookResult> => hook.beforeModelCall(seen), fits);
      if (answer instanceof HookAbort) {
        return new ModelCallHookOutcome(request, undefined, answer, log.diagnostics());
      }
      if (answer !== undefined && answer.response !== undefined) {
        return new ModelCallHookOutcome(request, Snapshots.response(answer.response), undefined, log.diagnostics());
      }
      if (answer !== undefined && answer.request !== undefined && answer.request !== seen.request) {
        request = Snapshots.request(answer.request);
      }
    }
    return new ModelCallHookOutcome(request, undefined, undefined, log.diagnostics());
  }
}
