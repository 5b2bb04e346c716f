import { ArkAgentError } from '../base/ArkAgentError';
import { CancellationSignal } from '../base/Cancellation';
import { ErrorCode } from '../base/ErrorCodes';
import { Result } from '../base/Result';
import { BaseObserver, StreamObserver } from '../base/StreamObserver';
import { BeforeRunHookContext } from '../hook/context/BeforeRunHookContext';
import { HookAbandoned } from '../hook/HookPatience';
import { HookSlot } from '../hook/HookSlot';
import { BeforeRunHookOutcome } from '../hook/outcome/BeforeRunHookOutcome';
import { AgentMessage } from '../message/AgentMessage';
import { AgentStopReason } from '../state/AgentStopReason';
import { OpenBatch } from '../state/OpenBatch';
import { CloseReason } from '../state/OpenCall';
import { PersistReason } from '../state/PersistReason';
import { RunRecord, RunRecordInit, RunStatus } from '../state/RunRecord';
import { AgentEvent } from './report/AgentEvent';
import { CallClosings } from './ledger/CallClosings';
import { ModelCaller } from './model/ModelCaller';
import { ObserverOutlet } from './report/ObserverOutlet';
import { RunContext } from './segment/RunContext';
import { RunEnd } from './segment/RunEnd';
import { saveRefusal } from './run/RunLoop';
import { RunOutcome } from './segment/RunOutcome';
import { RunReporter } from './report/RunReporter';
import { RuntimeParts } from './RuntimeParts';
import { PersistAction, PersistVerdict } from './store/StatePersister';

/** Runs that other owners may begin while a cancel is on its way before it gives up. */
const MAX_CANCEL_TRIES: number = 10;

/** Opens segments, one at a time, and sees to it that each of them reaches the terminal gate. */
export class SegmentRunner {
  private readonly parts: RuntimeParts;
  private readonly onIdle: () => void;
  private current: RunContext | undefined = undefined;
  private busy: boolean = false;
  private idle: Promise<void> = Promise.resolve();
  private signalIdle: () => void = (): void => {
  };

  /** @param onIdle called after each segment */
  constructor(parts: RuntimeParts, onIdle: () => void) {
    this.parts = parts;
    this.onIdle = onIdle;
  }

  get active(): boolean {
    return this.busy;
  }

  /** The active segment has its ending stored and is only told of; `untilIdle` waits for that. */
  get tearingDown(): boolean {
    return this.current !== undefined && this.current.over;
  }

  untilIdle(): Promise<void> {
    return this.idle;
  }

  /** A run that was not let in: no hook, no event, no write; the observer hears why (DEC-16). */
  refuse(observer: StreamObserver<AgentEvent>, error: ArkAgentError): Result<RunOutcome, ArkAgentError> {
    new ObserverOutlet(observer).finish(error);
    return Result.failure<RunOutcome, ArkAgentError>(error);
  }

  async start(given: ReadonlyArray<AgentMessage>, observer: StreamObserver<AgentEvent>,
    signal: CancellationSignal): Promise<Result<RunOutcome, ArkAgentError>> {
    const messages: ReadonlyArray<AgentMessage> = this.parts.redaction?.input(given) ?? given;
    const context: RunContext = this.enter(this.parts.config.ports.ids.nextId(), 0, observer);
    context.reporter.started(messages);
    context.follow(signal);
    return this.finish(context, await this.guarded(context, (): Promise<RunEnd> => this.runInput(context, messages)));
  }

  async resume(observer: StreamObserver<AgentEvent>,
    signal: CancellationSignal): Promise<Result<RunOutcome, ArkAgentError>> {
    const run: RunRecord = this.parts.store.draft.run as RunRecord;
    const context: RunContext = this.enter(run.runId, run.segment + 1, observer);
    const claim: PersistVerdict = await this.claim(context);
    if (claim.action === PersistAction.failed && !claim.conflict) {
      // Nothing has run, but the disk is not to be trusted with a batch: the run ends while it can (DEC-63).
      return this.finish(context, RunEnd.saveFailed(claim.error as ArkAgentError));
    }
    if (!claim.stored) {
      this.leave(context);
      context.reporter.finish(claim.error);
      return Result.failure<RunOutcome, ArkAgentError>(claim.error as ArkAgentError);
    }
    context.reporter.resumed(context.segment);
    context.follow(signal);
    return this.finish(context, await this.guarded(context, (): Promise<RunEnd> => this.parts.resumes.proceed(context)));
  }

  async suspend(reason: string): Promise<void> {
    this.current?.suspend(reason);
    await this.idle;
  }

  async cancel(reason: string): Promise<Result<boolean, ArkAgentError>> {
    const running: RunContext | undefined = this.current;
    if (running !== undefined) {
      running.cancel(reason);
      await this.idle;
    }
    // A run that was just being stored as suspended when the cancel came still waits; one that began since is another run.
    if (this.busy || !this.parts.guard.isOpen()) {
      return Result.success<boolean, ArkAgentError>(running !== undefined);
    }
    let ended: Result<RunOutcome, ArkAgentError> | undefined = await this.cancelWaiting(reason);
    // Another owner began a run meanwhile: the session is to come to its end, so that one is cancelled too (DEC-02).
    for (let tries: number = 1; tries < MAX_CANCEL_TRIES && isLost(ended) && !this.busy && this.parts.guard.isOpen(); tries++) {
      ended = await this.cancelWaiting(reason);
    }
    return ended === undefined || ended.ok ? Result.success<boolean, ArkAgentError>(true) : ended.recast<boolean>();
  }

  /** Runs the task when no segment is active; at once when none is. */
  whenIdle(task: () => void): void {
    this.idle.then(task);
  }

  /** The end of a run that waits: a segment of its own, without beforeRun (DEC-17). */
  private cancelWaiting(reason: string): Promise<Result<RunOutcome, ArkAgentError> | undefined> {
    const run: RunRecord = this.parts.store.draft.run as RunRecord;
    const context: RunContext = this.enter(run.runId, run.segment + 1, new BaseObserver<AgentEvent>());
    return this.parts.gate.cancelWaiting(context, reason, (): void => this.leave(context));
  }

  private async runInput(context: RunContext, messages: ReadonlyArray<AgentMessage>): Promise<RunEnd> {
    const record: RunRecordInit = { runId: context.runId, status: RunStatus.running, segment: 0, turn: 0 };
    let input: ReadonlyArray<AgentMessage> = messages;
    const cancelled: boolean = this.parts.store.draft.run?.stopReason === AgentStopReason.cancelled;
    const untold: RunReporter | undefined = this.closeEarlierRun();
    this.parts.store.draft.run = new RunRecord(record);
    if (this.parts.hooks.hasHooks(HookSlot.beforeRun)) {
      const outcome: BeforeRunHookOutcome | undefined = await this.askBeforeRun(context, messages);
      if (outcome === undefined) {
        // The input is not the session's before the hooks let it in, so there is nothing that a resume could go on with.
        return context.cancelled ? ModelCaller.interruption(context) : RunEnd.aborted(ArkAgentError.of(ErrorCode.hookFailed,
          'a beforeRun hook did not answer before the pause; the input was not taken'));
      }
      context.reporter.diagnostics(outcome.diagnostics);
      const misfit: ArkAgentError | undefined = this.parts.guard.misfit(outcome.input);
      if (outcome.abort !== undefined || misfit !== undefined) {
        return outcome.abort !== undefined ? RunEnd.aborted(outcome.abort.error) : RunEnd.failed(misfit as ArkAgentError);
      }
      input = outcome.input;
    }
    const closed: OpenBatch | undefined = this.parts.store.draft.openBatch;
    const verdict: PersistVerdict = await this.parts.store.exclusive(async (): Promise<PersistVerdict> => {
      this.parts.keeper.appendClosings(!cancelled);
      for (const message of input) {
        this.parts.keeper.append(message);
      }
      this.parts.store.draft.loopWindow = [];
      this.parts.consents.refusals.clear();
      return this.parts.persister.persist(PersistReason.afterUserInput, context);
    });
    if (verdict.stored && closed !== undefined) {
      if (untold !== undefined) {
        CallClosings.tell(this.parts.told, untold, closed, this.parts.keeper.messageOf(closed));
      }
      await this.parts.redaction?.release(closed);
    }
    return saveRefusal(verdict, context) ?? this.parts.loop.run(context);
  }

  /** undefined: a hook did not answer after a cancel or a pause */
  private async askBeforeRun(context: RunContext, messages: ReadonlyArray<AgentMessage>): Promise<BeforeRunHookOutcome | undefined> {
    try {
      return await context.patience.wait(this.parts.hooks.beforeRun(
        new BeforeRunHookContext(context.sessionId, this.parts.state, messages)));
    } catch (e) {
      return undefined;
    }
  }

  /**
   * Whatever an earlier run left open, because its process died, will not run any more (DEC-05).
   * @returns who tells of that, once it is stored; undefined when there was nothing
   */
  private closeEarlierRun(): RunReporter | undefined {
    if (!this.parts.guard.isOpen()) {
      return undefined;
    }
    this.parts.keeper.closeOpenCalls(undefined, CloseReason.processDied);
    const batch: OpenBatch | undefined = this.parts.store.draft.openBatch;
    const reporter: RunReporter | undefined = batch === undefined ? undefined :
      this.parts.reporter(batch.runId, new ObserverOutlet(new BaseObserver<AgentEvent>()));
    if (batch !== undefined && reporter !== undefined) {
      CallClosings.note(reporter.audit.inBatch(batch.batchId), batch, this.parts.keeper.messageOf(batch));
    }
    this.parts.keeper.closeApproval('new_input');
    return reporter;
  }

  private async claim(context: RunContext): Promise<PersistVerdict> {
    try {
      return await this.parts.resumes.claim(context);
    } catch (e) {
      return new PersistVerdict(PersistAction.aborted, ArkAgentError.wrap(ErrorCode.internalError, e as Object, 'the claim failed'));
    }
  }

  /** The one try of a run: a fault of the runtime itself becomes an ending like any other. */
  private async guarded(context: RunContext, work: () => Promise<RunEnd>): Promise<RunEnd> {
    try {
      return await work();
    } catch (e) {
      if (e instanceof HookAbandoned) {
        return ModelCaller.interruption(context);
      }
      return RunEnd.failed(ArkAgentError.wrap(ErrorCode.internalError, e as Object, 'the runtime failed'));
    }
  }

  private enter(runId: string, segment: number, observer: StreamObserver<AgentEvent>): RunContext {
    this.busy = true;
    this.idle = new Promise<void>((resolve: () => void): void => {
      this.signalIdle = resolve;
    });
    const reporter: RunReporter = this.parts.reporter(runId, new ObserverOutlet(observer));
    const context: RunContext = new RunContext(runId, segment, reporter, this.parts.state,
      this.parts.config.ports.scheduler, this.parts.config.limits.cancelGraceMs);
    this.current = context;
    this.parts.late.follow(context);
    return context;
  }

  private leave(context: RunContext): void {
    context.dispose();
    this.current = undefined;
    this.busy = false;
    this.onIdle();
    this.signalIdle();
  }

  private finish(context: RunContext, end: RunEnd): Promise<Result<RunOutcome, ArkAgentError>> {
    return this.parts.gate.finish(context, this.parts.redaction?.end(end) ?? end, (): void => this.leave(context));
  }
}

function isLost(ended: Result<RunOutcome, ArkAgentError> | undefined): boolean {
  return ended !== undefined && !ended.ok && ended.error.code === ErrorCode.stateConflict;
}
