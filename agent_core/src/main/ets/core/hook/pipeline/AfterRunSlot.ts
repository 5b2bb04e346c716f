import { AgentHook } from '../AgentHook';
import { AfterRunHookContext } from '../context/AfterRunHookContext';
import { HookDiagnostic } from '../HookDiagnostic';
import { HookSlot } from '../HookSlot';
import { HookCaller } from './HookCaller';
import { SlotLog } from './SlotLog';

/** Tells the afterRun hooks. */
export class AfterRunSlot {
  private readonly hooks: ReadonlyArray<AgentHook>;
  private readonly caller: HookCaller;

  constructor(hooks: ReadonlyArray<AgentHook>, caller: HookCaller) {
    this.hooks = hooks;
    this.caller = caller;
  }

  async run(told: AfterRunHookContext): Promise<ReadonlyArray<HookDiagnostic>> {
    const log: SlotLog = new SlotLog(HookSlot.afterRun);
    for (let at: number = 0; at < this.hooks.length; at++) {
      const hook: AgentHook = this.hooks[at];
      const seen: AfterRunHookContext = told.copy();
      await this.caller.tell(hook, log, (): Promise<void> => hook.afterRun(seen));
    }
    return log.diagnostics();
  }
}
