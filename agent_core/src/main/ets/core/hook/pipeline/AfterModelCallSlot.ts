import { ModelResponse } from '../../model/ModelResponse';
import { AgentHook } from '../AgentHook';
import { ModelResponseHookContext } from '../context/ModelResponseHookContext';
import { HookAbort } from '../HookAbort';
import { HookSlot } from '../HookSlot';
import { HookRetry, ModelResponseHookOutcome } from '../outcome/ModelResponseHookOutcome';
import { ModelResponseHookAction, ModelResponseHookResult } from '../result/ModelResponseHookResult';
import { Snapshots } from '../Snapshots';
import { HookCaller } from './HookCaller';
import { SlotLog } from './SlotLog';

function fits(answer: ModelResponseHookResult): boolean {
  return answer instanceof ModelResponseHookResult &&
    (answer.action !== ModelResponseHookAction.proceed || answer.response instanceof ModelResponse);
}

/** Runs the afterModelCall hooks. */
export class AfterModelCallSlot {
  private readonly hooks: ReadonlyArray<AgentHook>;
  private readonly caller: HookCaller;

  constructor(hooks: ReadonlyArray<AgentHook>, caller: HookCaller) {
    this.hooks = hooks;
    this.caller = caller;
  }

  async run(asked: ModelResponseHookContext): Promise<ModelResponseHookOutcome> {
    const log: SlotLog = new SlotLog(HookSlot.afterModelCall);
    let response: ModelResponse = asked.response;
    for (let at: number = 0; at < this.hooks.length; at++) {
      const hook: AgentHook = this.hooks[at];
      const seen: ModelResponseHookContext = asked.copyWith(Snapshots.response(response));
      const answer: ModelResponseHookResult | HookAbort | undefined =
        await this.caller.ask<ModelResponseHookResult>(hook, log,
          (): Promise<ModelResponseHookResult> => hook.afterModelCall(seen), fits);
      if (answer instanceof HookAbort) {
        return new ModelResponseHookOutcome(response, undefined, answer, log.diagnostics());
      }
      if (answer !== undefined && answer.action === ModelResponseHookAction.retry) {
        const retry: HookRetry = { hookName: hook.name, reason: answer.reason };
        return new ModelResponseHookOutcome(response, retry, undefined, log.diagnostics());
      }
      if (answer !== undefined && answer.response !== undefined && answer.response !== seen.response) {
        response = Snapshots.response(answer.response);
      }
    }
    return new ModelResponseHookOutcome(response, undefined, undefined, log.diagnostics());
  }
}
