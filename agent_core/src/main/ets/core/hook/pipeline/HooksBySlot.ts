import { AgentHook } from '../AgentHook';
import { HookSlot } from '../HookSlot';

const NONE: ReadonlyArray<AgentHook> = [];

/** For each slot the hooks that override it, in the order of registration. */
export class HooksBySlot {
  private readonly overriding: Map<HookSlot, AgentHook[]> = new Map<HookSlot, AgentHook[]>();

  constructor(hooks: ReadonlyArray<AgentHook>) {
    const plain: AgentHook = new AgentHook('');
    for (const hook of hooks) {
      this.addIf(hook.beforeRun !== plain.beforeRun, HookSlot.beforeRun, hook);
      this.addIf(hook.beforeModelCall !== plain.beforeModelCall, HookSlot.beforeModelCall, hook);
      this.addIf(hook.onModelChunk !== plain.onModelChunk, HookSlot.onModelChunk, hook);
      this.addIf(hook.afterModelCall !== plain.afterModelCall, HookSlot.afterModelCall, hook);
      this.addIf(hook.beforeToolCall !== plain.beforeToolCall, HookSlot.beforeToolCall, hook);
      this.addIf(hook.afterToolCall !== plain.afterToolCall, HookSlot.afterToolCall, hook);
      this.addIf(hook.onTurnCompletion !== plain.onTurnCompletion, HookSlot.onTurnCompletion, hook);
      this.addIf(hook.beforePersistState !== plain.beforePersistState, HookSlot.beforePersistState, hook);
      this.addIf(hook.afterPersistState !== plain.afterPersistState, HookSlot.afterPersistState, hook);
      this.addIf(hook.afterRun !== plain.afterRun, HookSlot.afterRun, hook);
    }
  }

  has(slot: HookSlot): boolean {
    return this.overriding.has(slot);
  }

  of(slot: HookSlot): ReadonlyArray<AgentHook> {
    return this.overriding.get(slot) ?? NONE;
  }

  private addIf(overrides: boolean, slot: HookSlot, hook: AgentHook): void {
    if (!overrides) {
      return;
    }
    const known: AgentHook[] | undefined = this.overriding.get(slot);
    if (known === undefined) {
      this.overriding.set(slot, [hook]);
    } else {
      known.push(hook);
    }
  }
}
