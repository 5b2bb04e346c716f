import { ToolCall } from '../../message/ToolCall';
import { AgentHook } from '../AgentHook';
import { ToolCallHookContext } from '../context/ToolCallHookContext';
import { HookAbort } from '../HookAbort';
import { HookDenial } from '../HookDenial';
import { HookSlot } from '../HookSlot';
import { HookMark, HookMarkKind } from '../outcome/HookMark';
import { ToolCallHookOutcome, ToolCallHookOutcomeInit } from '../outcome/ToolCallHookOutcome';
import { ToolCallHookAction, ToolCallHookResult } from '../result/ToolCallHookResult';
import { Snapshots } from '../Snapshots';
import { HookCaller } from './HookCaller';
import { SlotLog } from './SlotLog';

function fits(answer: ToolCallHookResult): boolean {
  return answer instanceof ToolCallHookResult && (answer.action !== ToolCallHookAction.proceed || isCall(answer.call));
}

function isCall(call: ToolCall | undefined): boolean {
  return call instanceof ToolCall && typeof call.name === 'string' && typeof call.argumentsJson === 'string';
}

/** What the hooks asked so far said about one call. */
class CallVerdict {
  readonly log: SlotLog = new SlotLog(HookSlot.beforeToolCall);
  call: ToolCall;
  private readonly original: ToolCall;
  private readonly warnings: string[] = [];
  private readonly deferReasons: string[] = [];
  private readonly marks: HookMark[] = [];

  constructor(original: ToolCall) {
    this.original = original;
    this.call = original;
  }

  mark(hookName: string, kind: HookMarkKind): void {
    const mark: HookMark = { hookName: hookName, kind: kind };
    this.marks.push(mark);
  }

  /** Takes over name and arguments and nothing else: the id is what pairs call, question and result. */
  rewrite(wanted: ToolCall): void {
    this.call = new ToolCall(this.original.id, wanted.name, wanted.argumentsJson, this.original.index);
  }

  warn(warning: string | undefined): void {
    if (warning !== undefined && warning !== '') {
      this.warnings.push(warning);
    }
  }

  defer(reason: string): void {
    this.deferReasons.push(reason);
  }

  outcome(denial: HookDenial | undefined, abort: HookAbort | undefined): ToolCallHookOutcome {
    const init: ToolCallHookOutcomeInit = {
      call: this.call, denial: denial, abort: abort, deferReasons: this.deferReasons, warnings: this.warnings,
      rewritten: this.call.name !== this.original.name || this.call.argumentsJson !== this.original.argumentsJson,
      diagnostics: this.log.diagnostics(), marks: this.marks
    };
    return new ToolCallHookOutcome(init);
  }
}

/** Runs the beforeToolCall hooks: deny and abort end the chain, a defer is recorded and cannot be undone (DEC-32). */
export class BeforeToolCallSlot {
  private readonly hooks: ReadonlyArray<AgentHook>;
  private readonly caller: HookCaller;

  constructor(hooks: ReadonlyArray<AgentHook>, caller: HookCaller) {
    this.hooks = hooks;
    this.caller = caller;
  }

  async run(asked: ToolCallHookContext): Promise<ToolCallHookOutcome> {
    const verdict: CallVerdict = new CallVerdict(asked.call);
    for (let at: number = 0; at < this.hooks.length; at++) {
      const hook: AgentHook = this.hooks[at];
      const seen: ToolCallHookContext = this.snapshot(asked, verdict.call);
      const answer: ToolCallHookResult | HookAbort | undefined =
        await this.caller.ask<ToolCallHookResult>(hook, verdict.log,
          (): Promise<ToolCallHookResult> => hook.beforeToolCall(seen), fits);
      if (answer instanceof HookAbort) {
        verdict.mark(hook.name, HookMarkKind.abort);
        return verdict.outcome(undefined, answer);
      }
      if (answer === undefined) {
        continue;
      }
      if (answer.action === ToolCallHookAction.deny) {
        verdict.mark(hook.name, HookMarkKind.deny);
        return verdict.outcome(this.denial(hook, answer), undefined);
      }
      if (answer.action === ToolCallHookAction.defer) {
        verdict.mark(hook.name, HookMarkKind.defer);
        verdict.defer(answer.reason);
      } else if (answer.call !== undefined) {
        if (answer.warning !== undefined && answer.warning !== '') {
          verdict.mark(hook.name, HookMarkKind.warning);
        }
        verdict.warn(answer.warning);
        if (answer.call !== seen.call) {
          verdict.mark(hook.name, HookMarkKind.rewrite);
          verdict.rewrite(answer.call);
        }
      }
    }
    return verdict.outcome(undefined, undefined);
  }

  private snapshot(asked: ToolCallHookContext, call: ToolCall): ToolCallHookContext {
    return new ToolCallHookContext(asked.sessionId, asked.state, Snapshots.call(call),
      Snapshots.message(asked.modelMessage), asked.availableTools.slice());
  }

  private denial(hook: AgentHook, answer: ToolCallHookResult): HookDenial {
    return new HookDenial(hook.name, answer.reason,
      answer.syntheticResult === undefined ? undefined : Snapshots.result(answer.syntheticResult));
  }
}
