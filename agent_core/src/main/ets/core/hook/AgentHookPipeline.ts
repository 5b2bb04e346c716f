import { Scheduler } from '../port/Scheduler';
import { AgentHook } from './AgentHook';
import { AfterRunHookContext } from './context/AfterRunHookContext';
import { BeforeRunHookContext } from './context/BeforeRunHookContext';
import { ModelCallHookContext } from './context/ModelCallHookContext';
import { ModelChunkHookContext } from './context/ModelChunkHookContext';
import { ModelResponseHookContext } from './context/ModelResponseHookContext';
import { StatePersistenceHookContext } from './context/StatePersistenceHookContext';
import { ToolCallHookContext } from './context/ToolCallHookContext';
import { ToolResultHookContext } from './context/ToolResultHookContext';
import { TurnCompletionHookContext } from './context/TurnCompletionHookContext';
import { HookDiagnostic } from './HookDiagnostic';
import { HookSlot } from './HookSlot';
import { BeforeRunHookOutcome } from './outcome/BeforeRunHookOutcome';
import { ModelCallHookOutcome } from './outcome/ModelCallHookOutcome';
import { ModelChunkHookOutcome } from './outcome/ModelChunkHookOutcome';
import { ModelResponseHookOutcome } from './outcome/ModelResponseHookOutcome';
import { StatePersistenceHookOutcome } from './outcome/StatePersistenceHookOutcome';
import { ToolCallHookOutcome } from './outcome/ToolCallHookOutcome';
import { ToolResultHookOutcome } from './outcome/ToolResultHookOutcome';
import { TurnCompletionHookOutcome } from './outcome/TurnCompletionHookOutcome';
import { AfterModelCallSlot } from './pipeline/AfterModelCallSlot';
import { AfterPersistStateSlot } from './pipeline/AfterPersistStateSlot';
import { AfterRunSlot } from './pipeline/AfterRunSlot';
import { AfterToolCallSlot } from './pipeline/AfterToolCallSlot';
import { BeforeModelCallSlot } from './pipeline/BeforeModelCallSlot';
import { BeforePersistStateSlot } from './pipeline/BeforePersistStateSlot';
import { BeforeRunSlot } from './pipeline/BeforeRunSlot';
import { BeforeToolCallSlot } from './pipeline/BeforeToolCallSlot';
import { HookCaller } from './pipeline/HookCaller';
import { HooksBySlot } from './pipeline/HooksBySlot';
import { ModelChunkSlot } from './pipeline/ModelChunkSlot';
import { TurnCompletionSlot } from './pipeline/TurnCompletionSlot';

/**
 * Runs hooks by the laws of chapter 04 and tells the runtime what they said. Keeps nothing between calls.
 *
 * Contract:
 * - Order: registration order, one after another, each awaited; the first short-circuit wins at once.
 * - Failure: no method rejects, whatever a hook does; an abort is in the outcome.
 * - Cancellation: the pipeline takes no signal and no outcome speaks of one. A hook that is pending when the run is
 *   cancelled ends whenever it ends, and its "proceed" must never be read as leave to go on: after each method the
 *   runtime looks at its signal before it acts on the outcome. A runtime that does not wait for the hook drops the
 *   promise; it never rejects.
 * - Nothing to say: a slot that no hook overrides gives back what it was asked about; `hasHooks` spares even that.
 */
export class AgentHookPipeline {
  /** Whether chunks have to be handed to onModelChunk at all: read once per stream. */
  readonly hasChunkHooks: boolean;
  private readonly bySlot: HooksBySlot;
  private readonly beforeRunSlot: BeforeRunSlot;
  private readonly beforeModelCallSlot: BeforeModelCallSlot;
  private readonly modelChunkSlot: ModelChunkSlot;
  private readonly afterModelCallSlot: AfterModelCallSlot;
  private readonly beforeToolCallSlot: BeforeToolCallSlot;
  private readonly afterToolCallSlot: AfterToolCallSlot;
  private readonly turnCompletionSlot: TurnCompletionSlot;
  private readonly beforePersistStateSlot: BeforePersistStateSlot;
  private readonly afterPersistStateSlot: AfterPersistStateSlot;
  private readonly afterRunSlot: AfterRunSlot;

  /** @param scheduler for the time-outs of hooks that have one */
  constructor(hooks: ReadonlyArray<AgentHook>, scheduler: Scheduler) {
    const bySlot: HooksBySlot = new HooksBySlot(hooks);
    const caller: HookCaller = new HookCaller(scheduler);
    this.bySlot = bySlot;
    this.hasChunkHooks = bySlot.has(HookSlot.onModelChunk);
    this.beforeRunSlot = new BeforeRunSlot(bySlot.of(HookSlot.beforeRun), caller);
    this.beforeModelCallSlot = new BeforeModelCallSlot(bySlot.of(HookSlot.beforeModelCall), caller);
    this.modelChunkSlot = new ModelChunkSlot(bySlot.of(HookSlot.onModelChunk), caller);
    this.afterModelCallSlot = new AfterModelCallSlot(bySlot.of(HookSlot.afterModelCall), caller);
    this.beforeToolCallSlot = new BeforeToolCallSlot(bySlot.of(HookSlot.beforeToolCall), caller);
    this.afterToolCallSlot = new AfterToolCallSlot(bySlot.of(HookSlot.afterToolCall), caller);
    this.turnCompletionSlot = new TurnCompletionSlot(bySlot.of(HookSlot.onTurnCompletion), caller);
    this.beforePersistStateSlot = new BeforePersistStateSlot(bySlot.of(HookSlot.beforePersistState), caller);
    this.afterPersistStateSlot = new AfterPersistStateSlot(bySlot.of(HookSlot.afterPersistState), caller);
    this.afterRunSlot = new AfterRunSlot(bySlot.of(HookSlot.afterRun), caller);
  }

  /** Whether any hook overrides the slot; when not, its method need not be called and no context need be made. */
  hasHooks(slot: HookSlot): boolean {
    return this.bySlot.has(slot);
  }

  beforeRun(context: BeforeRunHookContext): Promise<BeforeRunHookOutcome> {
    return this.beforeRunSlot.run(context);
  }

  beforeModelCall(context: ModelCallHookContext): Promise<ModelCallHookOutcome> {
    return this.beforeModelCallSlot.run(context);
  }

  /** One piece of a stream; await it before the next one, so that a drop or abort always precedes the completion. */
  onModelChunk(context: ModelChunkHookContext): Promise<ModelChunkHookOutcome> {
    return this.modelChunkSlot.run(context);
  }

  afterModelCall(context: ModelResponseHookContext): Promise<ModelResponseHookOutcome> {
    return this.afterModelCallSlot.run(context);
  }

  beforeToolCall(context: ToolCallHookContext): Promise<ToolCallHookOutcome> {
    return this.beforeToolCallSlot.run(context);
  }

  afterToolCall(context: ToolResultHookContext): Promise<ToolResultHookOutcome> {
    return this.afterToolCallSlot.run(context);
  }

  onTurnCompletion(context: TurnCompletionHookContext): Promise<TurnCompletionHookOutcome> {
    return this.turnCompletionSlot.run(context);
  }

  beforePersistState(context: StatePersistenceHookContext): Promise<StatePersistenceHookOutcome> {
    return this.beforePersistStateSlot.run(context);
  }

  afterPersistState(context: StatePersistenceHookContext): Promise<ReadonlyArray<HookDiagnostic>> {
    return this.afterPersistStateSlot.run(context);
  }

  /** The caller sees to it that this happens exactly once per segment (law 7). */
  afterRun(context: AfterRunHookContext): Promise<ReadonlyArray<HookDiagnostic>> {
    return this.afterRunSlot.run(context);
  }
}
