import { ArkAgentError } from '../base/ArkAgentError';
import { CancellationSignal } from '../base/Cancellation';
import { ErrorCode } from '../base/ErrorCodes';
import { BackgroundJob } from '../control/BackgroundDesk';
import { AgentHookPipeline } from '../hook/AgentHookPipeline';
import { HookPatience } from '../hook/HookPatience';
import { HookSlot } from '../hook/HookSlot';
import { ToolResultHookContext } from '../hook/context/ToolResultHookContext';
import { ToolResultHookOutcome } from '../hook/outcome/ToolResultHookOutcome';
import { Result } from '../base/Result';
import { JsonObject } from '../json/JsonObject';
import { AgentMessage } from '../message/AgentMessage';
import { ToolCall } from '../message/ToolCall';
import { Usage } from '../message/Usage';
import { AuditStep } from '../port/AuditSink';
import { Clock } from '../port/Clock';
import { Scheduler } from '../port/Scheduler';
import { CallResult } from '../state/CallResult';
import { ChildLink, ChildLinkInit } from '../tool/ChildLink';
import { ChildResult } from '../tool/ChildResult';
import { RegisteredTool } from '../tool/RegisteredTool';
import { ToolCallScope, ToolCallScopeInit } from '../tool/ToolCallScope';
import { ReadonlyAgentState, ToolContext } from '../tool/ToolContext';
import { ToolEffect } from '../tool/ToolContract';
import { ToolResult } from '../tool/ToolResult';
import { ToolCallStatus } from '../tool/ToolResultEnvelope';
import { ToolServiceRegistry } from '../tool/ToolService';
import { AuditDeciders, CallAudit } from './audit/CallAudit';
import { ResultBudget } from './artifact/ResultBudget';
import { ResultSizer } from './artifact/ResultSizer';
import { CallGates } from './CallGates';
import { CallJournal, JournalAction, JournalVerdict } from './CallJournal';
import { CallRejection } from './CallRejection';
import { CallNotes } from './CallNotes';
import { CallReporter } from './CallReporter';
import { EnvelopeFactory } from './EnvelopeFactory';
import { CallStop, ExecutedCall, ExecutedCallInit } from './ExecutedCall';
import { HookTurn } from './HookTurn';
import { CallJobs, JobCall, JobWay } from './JobWay';
import { PreparedCall } from './PreparedCall';
import { ResultFilters } from './ResultFilters';
import { Invocation, InvocationEnd, ToolInvoker } from './ToolInvoker';
import { CallPlace, CallSecrets } from './vault/CallSecrets';

/** The child session that works on a call. */
export interface CallChild {
  childSessionId: string;
  /** It has stored something. */
  begun: boolean;
  /** The run's signal fires for a pause, not for a cancel. */
  isPausing: () => boolean;
}

/** Where and how often a call runs. */
export interface CallRun {
  sessionId: string;
  state: ReadonlyAgentState;
  batchId: string;
  attempt: number;
  idempotencyKey: string;
  signal: CancellationSignal;
  journal: CallJournal;
  reporter: CallReporter;
  audit: CallAudit;
  /** Bounds the wait for hooks after a cancel; undefined = as long as it takes. */
  patience?: HookPatience;
  /** For a call that delegates. */
  child?: CallChild;
  /** For a call that runs beside others. */
  turn?: HookTurn;
  /** Where calls become jobs; undefined = they do not. */
  jobs?: CallJobs;
  /** What the batch may still bring into the conversation; undefined = what the tool may. */
  budget?: ResultBudget;
  /** Hears, once, what the call answered after it had been given up; redacted and limited. Must not throw. */
  onLate?: (result: CallResult) => void;
}

/** What a runner needs. */
export interface CallRunnerParts {
  clock: Clock;
  scheduler: Scheduler;
  invoker: ToolInvoker;
  hooks: AgentHookPipeline;
  /** Every filter and the size limit: for what is bounded but never kept elsewhere. */
  filters: ResultFilters;
  /** The filters without the size limit; `sizer` follows. */
  masks: ResultFilters;
  sizer: ResultSizer;
  services: ToolServiceRegistry;
  gates: CallGates;
  /** Undefined = arguments are what they are. */
  secrets?: CallSecrets;
}

/** Phase 2 for one call (steps 4 to 10): gate 4, journal, executor, filters, journal, hooks, events. */
export class CallRunner {
  private readonly parts: CallRunnerParts;

  constructor(parts: CallRunnerParts) {
    this.parts = parts;
  }

  /** Runs a prepared call that is allowed. Never rejects. */
  async run(prepared: PreparedCall, run: CallRun): Promise<ExecutedCall> {
    const call: ToolCall = prepared.call;
    if (run.signal.cancelled) {
      return this.answered(prepared, run, cancelledBeforeStart(run.signal.reason), 0);
    }
    const args: Result<JsonObject, ArkAgentError> =
      prepared.sealed ? await this.openArguments(prepared, run) : Result.success<JsonObject, ArkAgentError>(prepared.freshArgs());
    if (!args.ok) {
      return this.unopened(prepared, run, args.error);
    }
    const startedAtMs: number = this.parts.clock.nowMs();
    if (prepared.hasEffect) {
      const noted: JournalVerdict = prepared.delegates ?
        await run.journal.delegated(call.index, run.child?.childSessionId ?? '') :
        await run.journal.started(call.index, startedAtMs);
      if (noted.action !== JournalAction.proceed) {
        run.audit.note(call, AuditStep.journal, AuditDeciders.RUNTIME, 'not_started', noted.error?.code);
        return notStarted(noted);
      }
      if (run.signal.cancelled) {
        return this.withdrawn(prepared, run);
      }
    }
    run.audit.note(call, AuditStep.started, prepared.decider, 'run');
    run.reporter.callStarted(call, prepared.warnings, prepared.decider);
    if (run.signal.cancelled) {
      return this.withdrawn(prepared, run);
    }
    return this.enter(prepared, run, args.value, startedAtMs);
  }

  /** A call whose child session was suspended or cut off: it is taken up, not started again (DEC-54). Never rejects. */
  async follow(prepared: PreparedCall, run: CallRun): Promise<ExecutedCall> {
    run.audit.note(prepared.call, AuditStep.started, AuditDeciders.RUNTIME, 'follow');
    // The child has its task already: a secret that is gone by now must not end it.
    const args: Result<JsonObject, ArkAgentError> | undefined =
      prepared.sealed ? await this.openArguments(prepared, run) : undefined;
    return this.enter(prepared, run, args !== undefined && args.ok ? args.value : prepared.freshArgs(), this.parts.clock.nowMs());
  }

  /** The one place where placeholders become secrets again. Errors: tool_argument_secret. */
  private async openArguments(prepared: PreparedCall, run: CallRun): Promise<Result<JsonObject, ArkAgentError>> {
    const place: CallPlace = { sessionId: run.sessionId, batchId: run.batchId, position: prepared.call.index };
    const secrets: CallSecrets = this.parts.secrets as CallSecrets;
    const text: Result<string, ArkAgentError> = await secrets.open(place, prepared.call.argumentsJson);
    return text.ok ? this.parts.gates.settled(prepared.tool as RegisteredTool, text.value) : text.recast<JsonObject>();
  }

  /** Between the checks and now the secret went away: nothing was started. */
  private unopened(prepared: PreparedCall, run: CallRun, error: ArkAgentError): ExecutedCall {
    const result: CallResult = CallRejection.of(error);
    run.audit.note(prepared.call, AuditStep.rejected, AuditDeciders.RUNTIME, 'rejected', error.code);
    this.report(prepared, run, result, 0);
    const init: ExecutedCallInit = { result: result };
    return new ExecutedCall(init);
  }

  /** What a child came to, as the result of its call: redacted and limited like any other. */
  ofChild(tool: RegisteredTool, result: ChildResult, elapsedMs: number, changes?: string[]): CallResult {
    const safe: CallResult = this.parts.filters.applyToAnswer(result, tool, elapsedMs, changes);
    return result.status === ToolCallStatus.ok ? safe : safe.withStatus(result.status, result.code);
  }

  private async enter(prepared: PreparedCall, run: CallRun, args: JsonObject, startedAtMs: number): Promise<ExecutedCall> {
    const tool: RegisteredTool = prepared.tool as RegisteredTool;
    const begun: number = this.parts.scheduler.monotonicMs();
    const way: JobWay | undefined = wayOf(prepared, run, startedAtMs);
    const scope: ToolCallScope = this.scope(prepared, run, startedAtMs, way);
    const invocation: Invocation = await this.invoke(prepared, run, args, scope, begun, way);
    if (invocation.end === InvocationEnd.detached && way?.job !== undefined) {
      return this.complete(prepared, run, this.ofJob(prepared, run, way.job.jobId, this.elapsedMs(begun)), startedAtMs, invocation);
    }
    const inspection: string | undefined = isLost(prepared, invocation) ? way?.giveUp() : undefined;
    if (inspection === undefined) {
      scope.close();
    }
    const answer: ToolResult | undefined = invocation.result;
    const changes: string[] = [];
    if (tool.delegates && answer instanceof ChildResult) {
      if (answer.waiting) {
        run.audit.note(prepared.call, AuditStep.waiting, AuditDeciders.RUNTIME, 'child');
        return stillWaiting(startedAtMs);
      }
      const ofChild: CallResult = await this.sized(tool, run, this.maskedChild(tool, answer, this.elapsedMs(begun), changes), changes);
      CallNotes.outcome(prepared.call, run.audit, ofChild, invocation.end, changes);
      return this.complete(prepared, run, ofChild, startedAtMs, invocation, answer.usage);
    }
    const masked: CallResult = this.toResult(tool, invocation, this.elapsedMs(begun), this.parts.masks, changes);
    const sized: CallResult = await this.sized(tool, run, masked, changes);
    const result: CallResult = inspection === undefined ? sized :
      sized.withToolResult(ToolResult.error(`${sized.toToolResult().text()}; ${inspection}`));
    CallNotes.outcome(prepared.call, run.audit, result, invocation.end, changes);
    return this.complete(prepared, run, result, startedAtMs, invocation);
  }

  private maskedChild(tool: RegisteredTool, result: ChildResult, elapsedMs: number, changes: string[]): CallResult {
    const safe: CallResult = this.parts.masks.applyToAnswer(result, tool, elapsedMs, changes);
    return result.status === ToolCallStatus.ok ? safe : safe.withStatus(result.status, result.code);
  }

  /** What the call is answered with while its work goes on. */
  private ofJob(prepared: PreparedCall, run: CallRun, jobId: string, elapsedMs: number): CallResult {
    run.audit.note(prepared.call, AuditStep.finished, AuditDeciders.RUNTIME, 'job');
    return CallResult.of(ToolCallStatus.ok, '', ToolResult.text(`{"jobId":"${jobId}","status":"running"}`), elapsedMs);
  }

  private async sized(tool: RegisteredTool, run: CallRun, result: CallResult, changes: string[],
    budget: ResultBudget = run.budget ?? ResultBudget.unlimited()): Promise<CallResult> {
    try {
      return this.parts.sizer.fits(result, tool, budget) ? result :
        await this.parts.sizer.fit(run.sessionId, result, tool, budget, changes);
    } catch (e) {
      // What cannot be measured is no result; the filters withhold it.
      return this.parts.filters.applyToAnswer(result.toToolResult(), tool, result.elapsedMs, changes);
    }
  }

  /** The steps after the journal again, for a result that was stored before the process died (DEC-36). */
  async replay(prepared: PreparedCall, run: CallRun, result: CallResult, startedAtMs: number): Promise<ExecutedCall> {
    return this.afterHooks(prepared, run, result, startedAtMs, false);
  }

  /** Cancelled while the start was noted or told: the executor was not entered, and the journal has to say so. */
  private withdrawn(prepared: PreparedCall, run: CallRun): ExecutedCall {
    if (prepared.hasEffect) {
      run.journal.withdrawn(prepared.call.index);
    }
    return this.answered(prepared, run, cancelledBeforeStart(run.signal.reason), 0);
  }

  private scope(prepared: PreparedCall, run: CallRun, startedAtMs: number, way: JobWay | undefined): ToolCallScope {
    const timeoutMs: number = (prepared.tool as RegisteredTool).contract.timeoutMs;
    const init: ToolCallScopeInit = {
      callId: prepared.call.id, attempt: run.attempt, idempotencyKey: run.idempotencyKey,
      deadlineMs: timeoutMs > 0 ? startedAtMs + timeoutMs : 0,
      onProgress: (message: string, fraction: number): void => {
        const masked: string = this.parts.secrets?.text(message) ?? message;
        if (way?.job === undefined) {
          run.reporter.callProgress(prepared.call, masked, fraction);
        } else {
          way.job.progress(masked, fraction);
        }
      },
      onDetach: way === undefined ? undefined : (): boolean => way.detach()
    };
    return new ToolCallScope(init);
  }

  private elapsedMs(begun: number): number {
    return Math.max(0, Math.round(this.parts.scheduler.monotonicMs() - begun));
  }

  private invoke(prepared: PreparedCall, run: CallRun, args: JsonObject, scope: ToolCallScope,
    begun: number, way: JobWay | undefined): Promise<Invocation> {
    return this.parts.invoker.invoke(prepared.tool as RegisteredTool, args, run.signal,
      (signal: CancellationSignal): ToolContext => {
        const services: ToolServiceRegistry = new ToolServiceRegistry(this.parts.services);
        services.register(scope);
        this.registerChild(services, prepared, run);
        return new ToolContext(run.sessionId, run.state, run.batchId, signal, services);
      }, (late: Invocation): void => {
        scope.close();
        this.settledLate(prepared, run, late, this.elapsedMs(begun), way);
      }, way);
  }

  /** An answer after the call was answered: a job's end, or what a call that was given up came to. */
  private settledLate(prepared: PreparedCall, run: CallRun, late: Invocation, elapsedMs: number, way: JobWay | undefined): void {
    const tool: RegisteredTool = prepared.tool as RegisteredTool;
    const job: BackgroundJob | undefined = way?.job;
    if (job !== undefined && way !== undefined && !way.givenUp) {
      this.sized(tool, run, this.toResult(tool, late, elapsedMs, this.parts.masks), [], ResultBudget.unlimited())
        .then((result: CallResult): void => job.ended(result));
      return;
    }
    const result: CallResult = this.toResult(tool, late, elapsedMs, this.parts.filters);
    job?.ended(result);
    if (run.onLate !== undefined) {
      run.onLate(result);
    }
  }

  private registerChild(services: ToolServiceRegistry, prepared: PreparedCall, run: CallRun): void {
    if (!prepared.delegates || run.child === undefined) {
      return;
    }
    const init: ChildLinkInit = {
      childSessionId: run.child.childSessionId, begun: run.child.begun, isPausing: run.child.isPausing,
      markBegun: (): Promise<boolean> => run.journal.childBegun(prepared.call.index, this.parts.clock.nowMs())
    };
    services.register(new ChildLink(init));
  }

  private toResult(tool: RegisteredTool, invocation: Invocation, elapsedMs: number, filters: ResultFilters,
    changes?: string[]): CallResult {
    if (invocation.result !== undefined) {
      return filters.applyToAnswer(invocation.result, tool, elapsedMs, changes);
    }
    const error: ArkAgentError = invocation.error as ArkAgentError;
    const hasEffect: boolean = tool.contract.effect !== ToolEffect.none;
    if (invocation.end === InvocationEnd.threw && !tool.delegates) {
      return filters.applyToError(error, tool, ToolCallStatus.failed, elapsedMs, changes);
    }
    if (hasEffect) {
      const told: ArkAgentError = ArkAgentError.of(
        invocation.end === InvocationEnd.timedOut ? ErrorCode.toolTimeout : ErrorCode.toolOutcomeUnknown,
        `${error.message}; it may or may not have happened, do not repeat it`);
      return CallRejection.withStatus(ToolCallStatus.unknown, told, elapsedMs);
    }
    const status: ToolCallStatus =
      invocation.end === InvocationEnd.timedOut ? ToolCallStatus.failed : ToolCallStatus.cancelled;
    return CallRejection.withStatus(status, error, elapsedMs);
  }

  private async complete(prepared: PreparedCall, run: CallRun, result: CallResult, startedAtMs: number,
    invocation: Invocation, usage?: Usage): Promise<ExecutedCall> {
    let failure: ExecutedCallInit | undefined = undefined;
    if (prepared.hasEffect) {
      const noted: JournalVerdict = await run.journal.finished(prepared.call.index, result, usage);
      if (noted.action !== JournalAction.proceed) {
        run.audit.note(prepared.call, AuditStep.journal, AuditDeciders.RUNTIME, 'not_stored', noted.error?.code);
      }
      if (noted.action === JournalAction.failed) {
        failure = { result: result, journalError: noted.error, startedAtMs: startedAtMs };
      } else if (noted.action === JournalAction.abort) {
        failure = { result: result, abort: noted.error, startedAtMs: startedAtMs };
      }
    }
    if (failure !== undefined) {
      this.report(prepared, run, result, startedAtMs);
      return new ExecutedCall(failure);
    }
    if (run.signal.cancelled) {
      return this.answered(prepared, run, result, startedAtMs);
    }
    return this.afterHooks(prepared, run, result, startedAtMs, invocation.end === InvocationEnd.timedOut);
  }

  private async afterHooks(prepared: PreparedCall, run: CallRun, result: CallResult, startedAtMs: number,
    stillRunning: boolean): Promise<ExecutedCall> {
    if (!this.parts.hooks.hasHooks(HookSlot.afterToolCall) || prepared.tool === undefined) {
      this.report(prepared, run, result, startedAtMs);
      const plain: ExecutedCallInit = {
        result: result, stop: stopOf(result), stillRunning: stillRunning, startedAtMs: startedAtMs
      };
      return new ExecutedCall(plain);
    }
    const ask: () => Promise<ExecutedCall> = (): Promise<ExecutedCall> =>
      this.askHooks(prepared, run, result, startedAtMs, stillRunning);
    return run.turn === undefined ? ask() : run.turn.take<ExecutedCall>(async (): Promise<ExecutedCall> =>
      run.signal.cancelled ? this.answered(prepared, run, result, startedAtMs) : ask());
  }

  private async askHooks(prepared: PreparedCall, run: CallRun, result: CallResult, startedAtMs: number,
    stillRunning: boolean): Promise<ExecutedCall> {
    const tool: RegisteredTool = prepared.tool as RegisteredTool;
    const asked: ToolResult = result.toToolResult();
    const answer: Promise<ToolResultHookOutcome> = this.parts.hooks.afterToolCall(
      new ToolResultHookContext(run.sessionId, run.state, prepared.call, asked));
    const outcome: ToolResultHookOutcome = run.patience === undefined ? await answer : await run.patience.wait(answer);
    run.reporter.diagnostics(outcome.diagnostics);
    CallNotes.hooks(prepared.call, run.audit, outcome);
    const final: CallResult =
      outcome.result === asked ? result : result.withToolResult(this.parts.filters.apply(outcome.result, tool));
    this.report(prepared, run, final, startedAtMs);
    const init: ExecutedCallInit = {
      result: final, stop: outcome.stop !== undefined ? CallStop.hook : stopOf(final), abort: outcome.abort?.error,
      injected: outcome.injected.map<AgentMessage>((message: AgentMessage) => this.parts.filters.applyToMessage(message, tool)),
      stillRunning: stillRunning, startedAtMs: startedAtMs
    };
    return new ExecutedCall(init);
  }

  private answered(prepared: PreparedCall, run: CallRun, result: CallResult, startedAtMs: number): ExecutedCall {
    if (startedAtMs === 0) {
      run.audit.note(prepared.call, AuditStep.cancelled, AuditDeciders.RUNTIME, result.status, result.code);
    }
    this.report(prepared, run, result, startedAtMs);
    const init: ExecutedCallInit = { result: result, cancelled: true, startedAtMs: startedAtMs };
    return new ExecutedCall(init);
  }

  private report(prepared: PreparedCall, run: CallRun, result: CallResult, startedAtMs: number): void {
    run.audit.closed(prepared.call, result.status, result.code);
    run.reporter.callFinished(prepared.call, EnvelopeFactory.of(prepared.call, result, startedAtMs), prepared.warnings);
  }
}

/** The way into the background of a call that may take one. */
function wayOf(prepared: PreparedCall, run: CallRun, startedAtMs: number): JobWay | undefined {
  if (run.jobs === undefined || prepared.tool?.contract.background !== true || prepared.delegates) {
    return undefined;
  }
  const call: JobCall = {
    batchId: run.batchId, position: prepared.call.index, callId: prepared.call.id, toolName: prepared.call.name,
    hasEffect: prepared.hasEffect, startedAtMs: startedAtMs
  };
  return new JobWay(run.jobs, call);
}

/** Nobody waits any more for an effect that may yet happen. */
function isLost(prepared: PreparedCall, invocation: Invocation): boolean {
  return prepared.hasEffect && (invocation.end === InvocationEnd.timedOut || invocation.end === InvocationEnd.cancelled);
}

function stopOf(result: CallResult): CallStop {
  return result.stopFlag ? CallStop.tool : CallStop.none;
}

function cancelledBeforeStart(reason: string): CallResult {
  return CallRejection.withStatus(ToolCallStatus.cancelled,
    ArkAgentError.of(ErrorCode.toolCancelled, reason === '' ? 'Tool cancelled' : reason), 0);
}

function stillWaiting(startedAtMs: number): ExecutedCall {
  const init: ExecutedCallInit = {
    result: CallResult.of(ToolCallStatus.ok, '', new ToolResult([]), 0), waiting: true, startedAtMs: startedAtMs
  };
  return new ExecutedCall(init);
}

function notStarted(verdict: JournalVerdict): ExecutedCall {
  const error: ArkAgentError = verdict.error as ArkAgentError;
  const init: ExecutedCallInit = {
    result: CallRejection.of(ArkAgentError.of(ErrorCode.toolBatchNotExecuted, 'the call was not started')),
    abort: verdict.action === JournalAction.abort ? error : undefined,
    journalError: verdict.action === JournalAction.failed ? error : undefined
  };
  return new ExecutedCall(init);
}
