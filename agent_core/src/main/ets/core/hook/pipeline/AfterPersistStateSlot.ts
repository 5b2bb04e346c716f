import { AgentHook } from '../AgentHook';
import { StatePersistenceHookContext } from '../context/StatePersistenceHookContext';
import { HookDiagnostic } from '../HookDiagnostic';
import { HookSlot } from '../HookSlot';
import { HookCaller } from './HookCaller';
import { SlotLog } from './SlotLog';

/** Tells the afterPersistState hooks. */
export class AfterPersistStateSlot {
  private readonly hooks: ReadonlyArray<AgentHook>;
  private readonly caller: HookCaller;

  constructor(hooks: ReadonlyArray<AgentHook>, caller: HookCaller) {
    this.hooks = hooks;
    this.caller = caller;
  }

  async run(told: StatePersistenceHookContext): Promise<ReadonlyArray<HookDiagnostic>> {
    const log: SlotLog = new SlotLog(HookSlot.afterPersistState);
    for (let at: number = 0; at < this.hooks.length; at++) {
      const hook: AgentHook = this.hooks[at];
      const seen: StatePersistenceHookContext = told.copy();
      await this.caller.tell(hook, log, (): Promise<void> => hook.afterPersistState(seen));
    }
    return log.diagnostics();
  }
}
