import { ArkAgentError } from '../../base/ArkAgentError';
import { CancellationSignal } from '../../base/Cancellation';
import { ErrorCode } from '../../base/ErrorCodes';
import { Result } from '../../base/Result';
import { JsonObject } from '../../json/JsonObject';
import { ToolCall } from '../../message/ToolCall';
import { Usage } from '../../message/Usage';
import { AuditStep } from '../../port/AuditSink';
import { Clock } from '../../port/Clock';
import { Scheduler } from '../../port/Scheduler';
import { CallResult } from '../../state/CallResult';
import { ChildResult } from '../../tool/ChildResult';
import { RegisteredTool } from '../../tool/RegisteredTool';
import { ToolCallScope } from '../../tool/ToolCallScope';
import { ToolContext } from '../../tool/ToolContext';
import { ToolResult } from '../../tool/ToolResult';
import { ToolCallStatus } from '../../tool/ToolResultEnvelope';
import { ResultBudget } from '../artifact/ResultBudget';
import { AuditDeciders } from '../audit/CallAudit';
import { AfterHooks, HookedResult } from './AfterHooks';
import { AnswerMaker } from './AnswerMaker';
import { CallContexts } from './CallContexts';
import { CallGates } from '../prepare/CallGates';
import { JournalAction, JournalVerdict } from '../seam/CallJournal';
import { CallNotes } from './CallNotes';
import { CallRejection } from '../prepare/CallRejection';
import { CallRun } from './CallRun';
import { EnvelopeFactory } from './EnvelopeFactory';
import { CallStop, ExecutedCall, ExecutedCallInit } from './ExecutedCall';
import { JobWay, wayOf } from './JobWay';
import { LateAnswers } from './LateAnswers';
import { PreparedCall } from '../prepare/PreparedCall';
import { Invocation, InvocationEnd, ToolInvoker } from './ToolInvoker';
import { CallPlace, CallSecrets } from '../vault/CallSecrets';

/** What a runner needs. */
export interface CallRunnerParts {
  clock: Clock;
  scheduler: Scheduler;
  invoker: ToolInvoker;
  contexts: CallContexts;
  answers: AnswerMaker;
  hooks: AfterHooks;
  gates: CallGates;
  /** Undefined = arguments are what they are. */
  secrets?: CallSecrets;
}

/** Phase 2 for one call (steps 4 to 10): gate 4, journal, executor, filters, journal, hooks, events. */
export class CallRunner {
  private readonly parts: CallRunnerParts;
  private readonly late: LateAnswers;

  constructor(parts: CallRunnerParts) {
    this.parts = parts;
    this.late = new LateAnswers(parts.answers, parts.hooks);
  }

  /** Runs a prepared call that is allowed. Never rejects. */
  async run(prepared: PreparedCall, run: CallRun): Promise<ExecutedCall> {
    const call: ToolCall = prepared.call;
    if (run.signal.cancelled) {
      return this.unstarted(prepared, run);
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
      if (noted.action === JournalAction.unanswered) {
        return this.unstarted(prepared, run);
      }
      if (noted.action === JournalAction.withheld) {
        return withheld();
      }
      if (noted.action !== JournalAction.proceed) {
        run.audit.note(call, AuditStep.journal, AuditDeciders.RUNTIME, 'not_started', noted.error?.code);
        return notStarted(noted);
      }
      if (run.signal.cancelled) {
        run.journal.withdrawn(call.index);
        return this.unstarted(prepared, run);
      }
    }
    run.audit.note(call, AuditStep.started, prepared.decider, 'run');
    run.reporter.callStarted(call, prepared.warnings, prepared.decider);
    if (run.signal.cancelled) {
      return this.withdrawn(prepared, run);
    }
    return await this.enter(prepared, run, args.value, startedAtMs);
  }

  /** A call whose child session was suspended or cut off: it is taken up, not started again (DEC-54). Never rejects. */
  async follow(prepared: PreparedCall, run: CallRun): Promise<ExecutedCall> {
    run.audit.note(prepared.call, AuditStep.started, AuditDeciders.RUNTIME, 'follow');
    // The child has its task already: a secret that is gone by now must not end it.
    const args: Result<JsonObject, ArkAgentError> | undefined =
      prepared.sealed ? await this.openArguments(prepared, run) : undefined;
    return await this.enter(prepared, run, args !== undefined && args.ok ? args.value : prepared.freshArgs(), this.parts.clock.nowMs());
  }

  /** The steps after the journal again, for a result that was stored before the process died (DEC-36). */
  async replay(prepared: PreparedCall, run: CallRun, result: CallResult, startedAtMs: number): Promise<ExecutedCall> {
    return await this.settled(prepared, run, result, startedAtMs, false);
  }

  /** What a child came to, as the result of its call: redacted and limited like any other. */
  ofChild(tool: RegisteredTool, result: ChildResult, elapsedMs: number): CallResult {
    return this.parts.answers.cutChild(tool, result, elapsedMs);
  }

  /** The one place where placeholders become secrets again. Errors: tool_argument_secret. */
  private async openArguments(prepared: PreparedCall, run: CallRun): Promise<Result<JsonObject, ArkAgentError>> {
    const place: CallPlace = { sessionId: run.sessionId, batchId: run.batchId, position: prepared.call.index };
    const secrets: CallSecrets = this.parts.secrets as CallSecrets;
    const text: Result<string, ArkAgentError> = await secrets.open(place, prepared.call.argumentsJson);
    return text.ok ? this.parts.gates.settled(prepared.tool as RegisteredTool, text.value) : text.recast<JsonObject>();
  }

  private async enter(prepared: PreparedCall, run: CallRun, args: JsonObject, startedAtMs: number): Promise<ExecutedCall> {
    const tool: RegisteredTool = prepared.tool as RegisteredTool;
    const begun: number = this.parts.scheduler.monotonicMs();
    const way: JobWay | undefined = wayOf(prepared, run.jobs, run.batchId, startedAtMs);
    const scope: ToolCallScope = this.parts.contexts.scope(prepared, run, startedAtMs, way);
    const invocation: Invocation = await this.parts.invoker.invoke(tool, args, run.signal,
      (signal: CancellationSignal): ToolContext => this.parts.contexts.of(prepared, run, scope, signal),
      (late: Invocation): void => {
        if (!late.isGivenUp) {
          scope.close();
        }
        this.late.settled(prepared, run, late, this.elapsedMs(begun), way);
      }, way);
    if (invocation.end === InvocationEnd.detached && way?.job !== undefined) {
      run.audit.note(prepared.call, AuditStep.finished, AuditDeciders.RUNTIME, 'job');
      return await this.complete(prepared, run, jobBegun(way.job.jobId, this.elapsedMs(begun)), startedAtMs, invocation);
    }
    const inspection: string | undefined = prepared.hasEffect && invocation.isGivenUp ? way?.giveUp() : undefined;
    if (inspection === undefined) {
      scope.close();
    }
    const answer: ToolResult | undefined = invocation.result;
    if (tool.delegates && answer instanceof ChildResult && answer.waiting) {
      run.audit.note(prepared.call, AuditStep.waiting, AuditDeciders.RUNTIME, 'child');
      return stillWaiting(startedAtMs);
    }
    const changes: string[] = [];
    const child: ChildResult | undefined = tool.delegates && answer instanceof ChildResult ? answer : undefined;
    const masked: CallResult = child === undefined ?
      this.parts.answers.masked(tool, invocation, this.elapsedMs(begun), changes) :
      this.parts.answers.maskedChild(tool, child, this.elapsedMs(begun), changes);
    const budget: ResultBudget = run.budget ?? ResultBudget.unlimited();
    const sized: CallResult = this.parts.answers.fits(tool, masked, budget) ? masked :
      await this.parts.answers.fitted(run.sessionId, tool, masked, budget, changes);
    const result: CallResult = inspection === undefined ? sized :
      sized.withToolResult(ToolResult.error(`${sized.toToolResult().text()}; ${inspection}`));
    CallNotes.outcome(prepared.call, run.audit, result, invocation.end, changes);
    return await this.complete(prepared, run, result, startedAtMs, invocation, child?.usage);
  }

  private elapsedMs(begun: number): number {
    return Math.max(0, Math.round(this.parts.scheduler.monotonicMs() - begun));
  }

  private complete(prepared: PreparedCall, run: CallRun, result: CallResult, startedAtMs: number,
    invocation: Invocation, usage?: Usage): ExecutedCall | Promise<ExecutedCall> {
    const stillRunning: boolean = invocation.end === InvocationEnd.timedOut;
    return prepared.hasEffect ? this.completeEffect(prepared, run, result, startedAtMs, stillRunning, usage) :
      this.settled(prepared, run, result, startedAtMs, stillRunning);
  }

  private async completeEffect(prepared: PreparedCall, run: CallRun, result: CallResult, startedAtMs: number,
    stillRunning: boolean, usage: Usage | undefined): Promise<ExecutedCall> {
    const noted: JournalVerdict = await run.journal.finished(prepared.call.index, result, usage);
    if (noted.action === JournalAction.proceed) {
      return await this.settled(prepared, run, result, startedAtMs, stillRunning);
    }
    run.audit.note(prepared.call, AuditStep.journal, AuditDeciders.RUNTIME, 'not_stored', noted.error?.code);
    this.report(prepared, run, result, startedAtMs);
    const failed: boolean = noted.action === JournalAction.failed;
    const init: ExecutedCallInit = {
      result: result, startedAtMs: startedAtMs, journalError: failed ? noted.error : undefined,
      abort: failed ? undefined : noted.error
    };
    return new ExecutedCall(init);
  }

  /** The result is a fact: what is left is to ask the hooks and to tell. At once where there is no hook. */
  private settled(prepared: PreparedCall, run: CallRun, result: CallResult, startedAtMs: number,
    stillRunning: boolean): ExecutedCall | Promise<ExecutedCall> {
    if (run.signal.cancelled) {
      return this.answered(prepared, run, result, startedAtMs);
    }
    if (!this.parts.hooks.any || prepared.tool === undefined) {
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
    const asked: ToolResult = result.toToolResult();
    const hooked: HookedResult =
      this.parts.hooks.hooked(prepared, run, result, asked, await this.parts.hooks.ask(prepared, run, asked));
    this.report(prepared, run, hooked.result, startedAtMs);
    const init: ExecutedCallInit = {
      result: hooked.result, stop: hooked.stops ? CallStop.hook : stopOf(hooked.result), abort: hooked.abort,
      injected: hooked.injected, stillRunning: stillRunning, startedAtMs: startedAtMs
    };
    return new ExecutedCall(init);
  }

  /** Cancelled before the executor was entered and before anybody was told of a start. A pause leaves it for the resume. */
  private unstarted(prepared: PreparedCall, run: CallRun): ExecutedCall {
    const result: CallResult = cancelledBeforeStart(run.signal.reason);
    if (run.isPausing !== undefined && run.isPausing()) {
      const init: ExecutedCallInit = { result: result, cancelled: true };
      return new ExecutedCall(init);
    }
    return this.answered(prepared, run, result, 0);
  }

  /** Cancelled while the start was told: the executor was not entered, and the journal has to say so. */
  private withdrawn(prepared: PreparedCall, run: CallRun): ExecutedCall {
    if (prepared.hasEffect) {
      run.journal.withdrawn(prepared.call.index);
    }
    return this.answered(prepared, run, cancelledBeforeStart(run.signal.reason), 0);
  }

  /** Between the checks and now the secret went away: nothing was started. */
  private unopened(prepared: PreparedCall, run: CallRun, error: ArkAgentError): ExecutedCall {
    const result: CallResult = CallRejection.of(error);
    run.audit.note(prepared.call, AuditStep.rejected, AuditDeciders.RUNTIME, 'rejected', error.code);
    this.report(prepared, run, result, 0);
    const init: ExecutedCallInit = { result: result };
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

function stopOf(result: CallResult): CallStop {
  return result.stopFlag ? CallStop.tool : CallStop.none;
}

/** What a call is answered with while its work goes on. */
function jobBegun(jobId: string, elapsedMs: number): CallResult {
  return CallResult.of(ToolCallStatus.ok, '', ToolResult.text(`{"jobId":"${jobId}","status":"running"}`), elapsedMs);
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

function withheld(): ExecutedCall {
  const init: ExecutedCallInit = { result: CallResult.of(ToolCallStatus.ok, '', new ToolResult([]), 0), withheld: true };
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
