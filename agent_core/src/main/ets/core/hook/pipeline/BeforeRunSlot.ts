import { AgentMessage } from '../../message/AgentMessage';
import { AgentHook } from '../AgentHook';
import { BeforeRunHookContext } from '../context/BeforeRunHookContext';
import { HookAbort } from '../HookAbort';
import { HookSlot } from '../HookSlot';
import { BeforeRunHookOutcome } from '../outcome/BeforeRunHookOutcome';
import { BeforeRunHookResult } from '../result/BeforeRunHookResult';
import { Snapshots } from '../Snapshots';
import { HookCaller } from './HookCaller';
import { SlotLog } from './SlotLog';

function fits(answer: BeforeRunHookResult): boolean {
  return answer instanceof BeforeRunHookResult && (answer.aborts || Array.isArray(answer.input));
}

/** Runs the beforeRun hooks. */
export class BeforeRunSlot {
  private readonly hooks: ReadonlyArray<AgentHook>;
  private readonly caller: HookCaller;

  constructor(hooks: ReadonlyArray<AgentHook>, caller: HookCaller) {
    this.hooks = hooks;
    this.caller = caller;
  }

  async run(asked: BeforeRunHookContext): Promise<BeforeRunHookOutcome> {
    const log: SlotLog = new SlotLog(HookSlot.beforeRun);
    let input: ReadonlyArray<AgentMessage> = asked.input;
    for (let at: number = 0; at < this.hooks.length; at++) {
      const hook: AgentHook = this.hooks[at];
      const seen: BeforeRunHookContext = asked.copyWith(Snapshots.messages(input));
      const answer: BeforeRunHookResult | HookAbort | undefined = await this.caller.ask<BeforeRunHookResult>(hook, log,
        (): Promise<BeforeRunHookResult> => hook.beforeRun(seen), fits);
      if (answer instanceof HookAbort) {
        return new BeforeRunHookOutcome(input, answer, log.diagnostics());
      }
      if (answer !== undefined && answer.input !== undefined && answer.input !== seen.input) {
        input = Snapshots.messages(answer.input);
      }
    }
    return new BeforeRunHookOutcome(input, undefined, log.diagnostics());
  }
}
