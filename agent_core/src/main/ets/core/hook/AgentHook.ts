import { AfterRunHookContext } from './context/AfterRunHookContext';
import { BeforeRunHookContext } from './context/BeforeRunHookContext';
import { ModelCallHookContext } from './context/ModelCallHookContext';
import { ModelChunkHookContext } from './context/ModelChunkHookContext';
import { ModelResponseHookContext } from './context/ModelResponseHookContext';
import { StatePersistenceHookContext } from './context/StatePersistenceHookContext';
import { ToolCallHookContext } from './context/ToolCallHookContext';
import { ToolResultHookContext } from './context/ToolResultHookContext';
import { TurnCompletionHookContext } from './context/TurnCompletionHookContext';
import { HookFailureMode } from './HookFailureMode';
import { BeforeRunHookResult } from './result/BeforeRunHookResult';
import { ModelCallHookResult } from './result/ModelCallHookResult';
import { ModelChunkHookResult } from './result/ModelChunkHookResult';
import { ModelResponseHookResult } from './result/ModelResponseHookResult';
import { StatePersistenceHookResult } from './result/StatePersistenceHookResult';
import { ToolCallHookResult } from './result/ToolCallHookResult';
import { ToolResultHookResult } from './result/ToolResultHookResult';
import { TurnCompletionHookResult } from './result/TurnCompletionHookResult';

/** How a hook is run; a member left out takes the default named at its line. */
export interface AgentHookOptions {
  /** Milliseconds for one call of one slot; default 0: no time-out. */
  timeoutMs?: number;
  /** Default failClosed. */
  failureMode?: HookFailureMode;
}

/**
 * Observes and steers a run. Extend it and override the slots that are needed; the others pass everything through and
 * are never called.
 *
 * Contract of every slot:
 * - Order: hooks run in the order of registration, one after another, each awaited. The next hook sees the value that
 *   this one returned; the first answer that is no proceed ends the chain (a defer of beforeToolCall excepted).
 * - Failure: a throw, a time-out or an answer of a wrong class is treated as `failureMode` says; in the observing slots
 *   (afterPersistState, afterRun) it is a diagnostic and changes nothing.
 * - Ownership: the context is a snapshot, and what a result holds is copied when it is taken over: a change happens by
 *   returning a new value and by nothing else.
 * - Overrides are async, and are methods or fields that exist when the runtime is opened; later replacements are not seen.
 * - Safety decisions about tools belong in beforeToolCall: a chunk rule is not made up for by afterModelCall.
 */
export class AgentHook {
  /** Shown in diagnostics, errors and the audit. */
  readonly name: string;
  readonly timeoutMs: number;
  readonly failureMode: HookFailureMode;

  constructor(name: string, options?: AgentHookOptions) {
    this.name = name;
    this.timeoutMs = options?.timeoutMs ?? 0;
    this.failureMode = options?.failureMode ?? HookFailureMode.failClosed;
  }

  /** Once per run, before its input is stored; not on resume. Nothing to say: `proceed(context.input)`. */
  async beforeRun(context: BeforeRunHookContext): Promise<BeforeRunHookResult> {
    return BeforeRunHookResult.proceed(context.input);
  }

  /** Before each request to the model. Nothing to say: `proceed(context.request)`. */
  async beforeModelCall(context: ModelCallHookContext): Promise<ModelCallHookResult> {
    return ModelCallHookResult.proceed(context.request);
  }

  /**
   * For each piece of a streamed answer, and once more with `final` before its completion. What is returned is what
   * observers, events, history and disk get. Nothing to say: `proceed(context.text, context.reasoning)`.
   */
  async onModelChunk(context: ModelChunkHookContext): Promise<ModelChunkHookResult> {
    return ModelChunkHookResult.proceed(context.text, context.reasoning);
  }

  /** After each complete answer, before it is stored. Nothing to say: `proceed(context.response)`. */
  async afterModelCall(context: ModelResponseHookContext): Promise<ModelResponseHookResult> {
    return ModelResponseHookResult.proceed(context.response);
  }

  /**
   * Once per version of each tool call, before gates, authorization and policy; a rewritten call is checked like any
   * other. Nothing to say: `proceed(context.call)`.
   */
  async beforeToolCall(context: ToolCallHookContext): Promise<ToolCallHookResult> {
    return ToolCallHookResult.proceed(context.call);
  }

  /**
   * For calls that ran. Its result is journalled before, so after a kill it may be asked again for the same call.
   * Nothing to say: `proceed(context.result)`.
   */
  async afterToolCall(context: ToolResultHookContext): Promise<ToolResultHookResult> {
    return ToolResultHookResult.proceed(context.result);
  }

  /** When an answer has no calls. Nothing to say: `accept()`. */
  async onTurnCompletion(context: TurnCompletionHookContext): Promise<TurnCompletionHookResult> {
    return TurnCompletionHookResult.accept();
  }

  /**
   * Before each write of the state, which waits for it, as every other write does: a decision or an edit that the hook makes
   * through the controller is stored after this write, so start it here and never await it. Nothing to say: `proceed()`.
   */
  async beforePersistState(context: StatePersistenceHookContext): Promise<StatePersistenceHookResult> {
    return StatePersistenceHookResult.proceed();
  }

  /** After each successful write, before the next one; observes. A decision may be started here, not awaited, as before. */
  async afterPersistState(context: StatePersistenceHookContext): Promise<void> {
  }

  /** Exactly once per segment of a run, whichever path ended it; observes. */
  async afterRun(context: AfterRunHookContext): Promise<void> {
  }
}
