import { AgentHook } from '../AgentHook';
import { StatePersistenceHookContext } from '../context/StatePersistenceHookContext';
import { HookAbort } from '../HookAbort';
import { HookSlot } from '../HookSlot';
import { StatePersistenceHookOutcome } from '../outcome/StatePersistenceHookOutcome';
import { StatePersistenceHookAction, StatePersistenceHookResult } from '../result/StatePersistenceHookResult';
import { HookCaller } from './HookCaller';
import { SlotLog } from './SlotLog';

function fits(answer: StatePersistenceHookResult): boolean {
  return answer instanceof StatePersistenceHookResult;
}

/** Runs the beforePersistState hooks. A skip of a mandatory write counts as proceed: the next hooks are asked too. */
export class BeforePersistStateSlot {
  private readonly hooks: ReadonlyArray<AgentHook>;
  private readonly caller: HookCaller;

  constructor(hooks: ReadonlyArray<AgentHook>, caller: HookCaller) {
    this.hooks = hooks;
    this.caller = caller;
  }

  async run(asked: StatePersistenceHookContext): Promise<StatePersistenceHookOutcome> {
    const log: SlotLog = new SlotLog(HookSlot.beforePersistState);
    const mandatory: boolean = asked.mandatory;
    for (let at: number = 0; at < this.hooks.length; at++) {
      const hook: AgentHook = this.hooks[at];
      const seen: StatePersistenceHookContext = asked.copy();
      const answer: StatePersistenceHookResult | HookAbort | undefined =
        await this.caller.ask<StatePersistenceHookResult>(hook, log,
          (): Promise<StatePersistenceHookResult> => hook.beforePersistState(seen), fits);
      if (answer instanceof HookAbort) {
        return new StatePersistenceHookOutcome(false, answer, log.diagnostics());
      }
      if (answer !== undefined && answer.action === StatePersistenceHookAction.skip && !mandatory) {
        return new StatePersistenceHookOutcome(true, undefined, log.diagnostics());
      }
    }
    return new StatePersistenceHookOutcome(false, undefined, log.diagnostics());
  }
}
