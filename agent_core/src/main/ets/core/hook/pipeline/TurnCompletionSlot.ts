import { AgentHook } from '../AgentHook';
import { TurnCompletionHookContext } from '../context/TurnCompletionHookContext';
import { HookAbort } from '../HookAbort';
import { HookSlot } from '../HookSlot';
import { HookContinuation, TurnCompletionHookOutcome } from '../outcome/TurnCompletionHookOutcome';
import { TurnCompletionHookAction, TurnCompletionHookResult } from '../result/TurnCompletionHookResult';
import { Snapshots } from '../Snapshots';
import { HookCaller } from './HookCaller';
import { InjectedMessages } from './InjectedMessages';
import { SlotLog } from './SlotLog';

function fits(answer: TurnCompletionHookResult): boolean {
  return answer instanceof TurnCompletionHookResult && InjectedMessages.areList(answer.messages);
}

/** Runs the onTurnCompletion hooks. */
export class TurnCompletionSlot {
  private readonly hooks: ReadonlyArray<AgentHook>;
  private readonly caller: HookCaller;

  constructor(hooks: ReadonlyArray<AgentHook>, caller: HookCaller) {
    this.hooks = hooks;
    this.caller = caller;
  }

  async run(asked: TurnCompletionHookContext): Promise<TurnCompletionHookOutcome> {
    const log: SlotLog = new SlotLog(HookSlot.onTurnCompletion);
    for (let at: number = 0; at < this.hooks.length; at++) {
      const hook: AgentHook = this.hooks[at];
      const seen: TurnCompletionHookContext =
        new TurnCompletionHookContext(asked.sessionId, asked.state, Snapshots.message(asked.message));
      const answer: TurnCompletionHookResult | HookAbort | undefined =
        await this.caller.ask<TurnCompletionHookResult>(hook, log,
          (): Promise<TurnCompletionHookResult> => hook.onTurnCompletion(seen), fits);
      if (answer instanceof HookAbort) {
        return new TurnCompletionHookOutcome(undefined, answer, log.diagnostics());
      }
      if (answer !== undefined && answer.action === TurnCompletionHookAction.continueRun) {
        const continuation: HookContinuation = {
          hookName: hook.name, messages: InjectedMessages.accept(hook.name, answer.messages, log)
        };
        return new TurnCompletionHookOutcome(continuation, undefined, log.diagnostics());
      }
    }
    return new TurnCompletionHookOutcome(undefined, undefined, log.diagnostics());
  }
}
