import { AgentMessage } from '../../message/AgentMessage';
import { ToolResult } from '../../tool/ToolResult';
import { AgentHook } from '../AgentHook';
import { ToolResultHookContext } from '../context/ToolResultHookContext';
import { HookAbort } from '../HookAbort';
import { HookSlot } from '../HookSlot';
import { HookMark, HookMarkKind } from '../outcome/HookMark';
import { HookStop, ToolResultHookOutcome } from '../outcome/ToolResultHookOutcome';
import { ToolResultHookAction, ToolResultHookResult } from '../result/ToolResultHookResult';
import { Snapshots } from '../Snapshots';
import { HookCaller } from './HookCaller';
import { InjectedMessages } from './InjectedMessages';
import { SlotLog } from './SlotLog';

function fits(answer: ToolResultHookResult): boolean {
  return answer instanceof ToolResultHookResult &&
    (answer.aborts || answer.result instanceof ToolResult && InjectedMessages.areList(answer.injected));
}

/** Runs the afterToolCall hooks. */
export class AfterToolCallSlot {
  private readonly hooks: ReadonlyArray<AgentHook>;
  private readonly caller: HookCaller;

  constructor(hooks: ReadonlyArray<AgentHook>, caller: HookCaller) {
    this.hooks = hooks;
    this.caller = caller;
  }

  async run(asked: ToolResultHookContext): Promise<ToolResultHookOutcome> {
    const log: SlotLog = new SlotLog(HookSlot.afterToolCall);
    const injected: AgentMessage[] = [];
    const marks: HookMark[] = [];
    let result: ToolResult = asked.result;
    for (let at: number = 0; at < this.hooks.length; at++) {
      const hook: AgentHook = this.hooks[at];
      const seen: ToolResultHookContext = new ToolResultHookContext(asked.sessionId, asked.state,
        Snapshots.call(asked.call), Snapshots.result(result));
      const answer: ToolResultHookResult | HookAbort | undefined = await this.caller.ask<ToolResultHookResult>(hook, log,
        (): Promise<ToolResultHookResult> => hook.afterToolCall(seen), fits);
      if (answer instanceof HookAbort) {
        return new ToolResultHookOutcome(result, injected, undefined, answer, log.diagnostics(),
          marks.concat([markOf(hook, HookMarkKind.abort)]));
      }
      if (answer === undefined || answer.result === undefined) {
        continue;
      }
      const accepted: ReadonlyArray<AgentMessage> = InjectedMessages.accept(hook.name, answer.injected, log);
      if (accepted.length > 0) {
        marks.push(markOf(hook, HookMarkKind.inject));
      }
      if (answer.result !== seen.result) {
        marks.push(markOf(hook, HookMarkKind.rewrite));
      }
      injected.push(...accepted);
      result = answer.result === seen.result ? result : Snapshots.result(answer.result);
      if (answer.action === ToolResultHookAction.stop) {
        const stop: HookStop = { hookName: hook.name, reason: answer.reason };
        return new ToolResultHookOutcome(result, injected, stop, undefined, log.diagnostics(),
          marks.concat([markOf(hook, HookMarkKind.stop)]));
      }
    }
    return new ToolResultHookOutcome(result, injected, undefined, undefined, log.diagnostics(), marks);
  }
}

function markOf(hook: AgentHook, kind: HookMarkKind): HookMark {
  const mark: HookMark = { hookName: hook.name, kind: kind };
  return mark;
}
