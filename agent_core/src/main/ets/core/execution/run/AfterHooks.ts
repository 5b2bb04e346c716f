import { ArkAgentError } from '../../base/ArkAgentError';
import { ErrorCode } from '../../base/ErrorCodes';
import { AgentHookPipeline } from '../../hook/AgentHookPipeline';
import { ToolResultHookContext } from '../../hook/context/ToolResultHookContext';
import { HookDiagnostic, HookDiagnosticCode } from '../../hook/HookDiagnostic';
import { HookSlot } from '../../hook/HookSlot';
import { ToolResultHookOutcome } from '../../hook/outcome/ToolResultHookOutcome';
import { AgentMessage } from '../../message/AgentMessage';
import { CallResult } from '../../state/CallResult';
import { RegisteredTool } from '../../tool/RegisteredTool';
import { ToolResult } from '../../tool/ToolResult';
import { CallNotes } from './CallNotes';
import { CallRun } from './CallRun';
import { PreparedCall } from '../prepare/PreparedCall';
import { ResultFilters } from '../filter/ResultFilters';

/** What afterToolCall hooks made of a result. */
export interface HookedResult {
  /** Filtered again where a hook changed it. */
  result: CallResult;
  /** A hook stops the loop after the batch. */
  stops: boolean;
  abort: ArkAgentError | undefined;
  injected: ReadonlyArray<AgentMessage>;
}

/** Asks the afterToolCall hooks about results (step 8). */
export class AfterHooks {
  private readonly hooks: AgentHookPipeline;
  private readonly filters: ResultFilters;

  constructor(hooks: AgentHookPipeline, filters: ResultFilters) {
    this.hooks = hooks;
    this.filters = filters;
  }

  /** There is somebody to ask. */
  get any(): boolean {
    return this.hooks.hasHooks(HookSlot.afterToolCall);
  }

  /** The question; `hooked` takes the answer. Two steps, so that no promise is made beside that of the hooks. */
  ask(prepared: PreparedCall, run: CallRun, asked: ToolResult): Promise<ToolResultHookOutcome> {
    const answer: Promise<ToolResultHookOutcome> =
      this.hooks.afterToolCall(new ToolResultHookContext(run.sessionId, run.state, prepared.call, asked));
    return run.patience === undefined ? answer : run.patience.wait(answer);
  }

  /** @param asked the result as the hooks were asked about it */
  hooked(prepared: PreparedCall, run: CallRun, result: CallResult, asked: ToolResult,
    outcome: ToolResultHookOutcome): HookedResult {
    const tool: RegisteredTool = prepared.tool as RegisteredTool;
    run.reporter.diagnostics(outcome.diagnostics);
    CallNotes.hooks(prepared.call, run.audit, outcome);
    const hooked: HookedResult = {
      result: outcome.result === asked ? result : result.withToolResult(this.filters.apply(outcome.result, tool)),
      stops: outcome.stop !== undefined, abort: outcome.abort?.error,
      injected: outcome.injected.map<AgentMessage>((message: AgentMessage) => this.filters.applyToMessage(message, tool))
    };
    return hooked;
  }

  /**
   * For what came after the call had been answered. A hook that changes it is heard; an abort, which has no run to end any more,
   * withholds it; a stop and messages come too late.
   */
  async askLate(prepared: PreparedCall, run: CallRun, result: CallResult): Promise<CallResult> {
    const asked: ToolResult = result.toToolResult();
    const outcome: ToolResultHookOutcome = await this.hooks.afterToolCall(
      new ToolResultHookContext(run.sessionId, run.state, prepared.call, asked));
    const hooked: HookedResult = this.hooked(prepared, run, result, asked, outcome);
    if (hooked.stops || hooked.injected.length > 0) {
      run.reporter.diagnostics([new HookDiagnostic(outcome.stop?.hookName ?? outcome.marks[0]?.hookName ?? '', HookSlot.afterToolCall,
        'a stop or a message for a result that came after its call had been answered is not honoured', HookDiagnosticCode.lateIgnored)]);
    }
    return hooked.abort === undefined ? hooked.result :
      result.withToolResult(ToolResult.error(`${ErrorCode.hookAbort}: the result is withheld by a safety rule`));
  }
}
