import { ArkAgentError } from '../../base/ArkAgentError';
import { ErrorCode } from '../../base/ErrorCodes';
import { Result } from '../../base/Result';
import { AgentHookPipeline } from '../../hook/AgentHookPipeline';
import { HookPatience } from '../../hook/HookPatience';
import { StatePersistenceDetails, StatePersistenceHookContext } from '../../hook/context/StatePersistenceHookContext';
import { HookSlot } from '../../hook/HookSlot';
import { HookDiagnostic } from '../../hook/HookDiagnostic';
import { StatePersistenceHookOutcome } from '../../hook/outcome/StatePersistenceHookOutcome';
import { PersistReason } from '../../state/PersistReason';
import { ReadonlyAgentState } from '../../tool/ToolContext';
import { RunReporter } from '../report/RunReporter';
import { SessionStore } from './SessionStore';

export enum PersistAction {
  /** It is on the disk. */
  stored = 'stored',
  /** A hook skipped it; the next write carries the changes. */
  skipped = 'skipped',
  /** A hook aborted; nothing was written. */
  aborted = 'aborted',
  /** The storage refused; `error` is state_save_failed or state_conflict. */
  failed = 'failed'
}

/** What became of a write. Immutable. */
export class PersistVerdict {
  readonly action: PersistAction;
  readonly error: ArkAgentError | undefined;
  /** Nobody aborted: after a cancel or a pause a hook did not answer in time, and nothing was written. */
  readonly abandoned: boolean;

  constructor(action: PersistAction, error?: ArkAgentError, abandoned: boolean = false) {
    this.action = action;
    this.error = error;
    this.abandoned = abandoned;
  }

  get stored(): boolean {
    return this.action === PersistAction.stored;
  }

  get conflict(): boolean {
    return this.action === PersistAction.failed && this.error !== undefined && this.error.code === ErrorCode.stateConflict;
  }
}

/** On whose behalf a write is made. */
export interface PersistScope {
  readonly state: ReadonlyAgentState;
  readonly reporter: RunReporter;
  /** Bounds the wait for hooks after a cancel; undefined = as long as it takes. */
  readonly patience?: HookPatience;
}

/** The only road from the draft to the storage: hooks, commit, hooks, event. Call it inside `store.exclusive`. */
export class StatePersister {
  private readonly store: SessionStore;
  private readonly hooks: AgentHookPipeline;

  constructor(store: SessionStore, hooks: AgentHookPipeline) {
    this.store = store;
    this.hooks = hooks;
  }

  async persist(reason: PersistReason, scope: PersistScope, details?: StatePersistenceDetails): Promise<PersistVerdict> {
    if (this.hooks.hasHooks(HookSlot.beforePersistState)) {
      const asked: Promise<StatePersistenceHookOutcome> = this.hooks.beforePersistState(
        new StatePersistenceHookContext(scope.state.sessionId, scope.state, reason, details));
      let outcome: StatePersistenceHookOutcome;
      try {
        outcome = scope.patience === undefined ? await asked : await scope.patience.wait(asked);
      } catch (e) {
        return new PersistVerdict(PersistAction.aborted,
          ArkAgentError.of(ErrorCode.hookFailed, 'a beforePersistState hook did not answer after the cancel'), true);
      }
      scope.reporter.diagnostics(outcome.diagnostics);
      if (outcome.abort !== undefined) {
        return new PersistVerdict(PersistAction.aborted, outcome.abort.error);
      }
      if (outcome.skip) {
        scope.reporter.persisted(reason, true, undefined);
        return new PersistVerdict(PersistAction.skipped);
      }
    }
    return await this.write(reason, scope, details);
  }

  /** Writes without asking the hooks: a fact that has happened, or an ending that a hook has changed already (DEC-34). */
  async write(reason: PersistReason, scope: PersistScope, details?: StatePersistenceDetails): Promise<PersistVerdict> {
    const written: Result<number, ArkAgentError> = await this.store.commit(reason);
    if (!written.ok) {
      scope.reporter.persisted(reason, false, written.error);
      return new PersistVerdict(PersistAction.failed, written.error);
    }
    if (this.hooks.hasHooks(HookSlot.afterPersistState)) {
      const told: Promise<ReadonlyArray<HookDiagnostic>> = this.hooks.afterPersistState(
        new StatePersistenceHookContext(scope.state.sessionId, scope.state, reason, details));
      try {
        scope.reporter.diagnostics(scope.patience === undefined ? await told : await scope.patience.wait(told));
      } catch (e) {
        // Abandoned: observing hooks change nothing, also not by keeping the run waiting after a cancel.
      }
    }
    scope.reporter.persisted(reason, false, undefined);
    return new PersistVerdict(PersistAction.stored);
  }
}
