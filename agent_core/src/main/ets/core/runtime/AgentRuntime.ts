import { ApprovalGrant } from '../approval/ApprovalGrant';
import { ApprovalDecisionRequest, ApprovalDecisionResult } from '../approval/ApprovalDecisionResult';
import { PendingApprovalBatch } from '../approval/PendingApprovalBatch';
import { PendingApprovalItem } from '../approval/PendingApprovalItem';
import { PendingPlanReview, PlanReviewDecision, PlanReviewDecisionResult } from '../approval/PlanReview';
import { ArkAgentError } from '../base/ArkAgentError';
import { CancellationController, CancellationSignal } from '../base/Cancellation';
import { ErrorCode } from '../base/ErrorCodes';
import { Result } from '../base/Result';
import { BaseObserver, StreamObserver } from '../base/StreamObserver';
import { ApprovalHost } from '../control/ApprovalHost';
import { GuardedAuditSink } from '../execution/audit/GuardedAuditSink';
import { AgentMessage } from '../message/AgentMessage';
import { ScheduledTask } from '../port/Scheduler';
import { AgentState } from '../state/AgentState';
import { StateStorage } from '../state/StateStorage';
import { AgentConfig } from './config/AgentConfig';
import { AgentEvent } from './report/AgentEvent';
import { ApprovalDeadlines, DeadlineActions } from './consent/ApprovalDeadlines';
import { ObserverOutlet } from './report/ObserverOutlet';
import { ResolvedConfig } from './config/ResolvedConfig';
import { RunOutcome } from './segment/RunOutcome';
import { RuntimeParts } from './RuntimeParts';
import { Machine, MachineKey, SealedMachine } from './SealedMachine';
import { SegmentRunner } from './SegmentRunner';

/**
 * An agent session: the only owner of its mutable state.
 *
 * A model only states intent here; every side effect goes through one pipeline, and what needs a person waits on the disk.
 * One active run per session. Nothing throws: expected failures are Results with stable codes.
 */
export class AgentRuntime implements ApprovalHost {
  /** The session was on the disk already. */
  readonly restored: boolean;
  private readonly sealed: SealedMachine;
  private readonly unbind: () => void;
  private attached: StreamObserver<AgentEvent> | undefined = undefined;
  private closed: boolean = false;
  /** A decision from before the app left does not continue the run after it. */
  private pauses: number = 0;
  private closing: Promise<void> | undefined = undefined;

  private constructor(parts: RuntimeParts, restored: boolean, unbind: (runtime: AgentRuntime) => () => void) {
    this.restored = restored;
    const deadlines: ApprovalDeadlines = watchDeadlines(parts, (): void => this.continueIfDecided());
    const machine: Machine = {
      parts: parts, deadlines: deadlines, segments: new SegmentRunner(parts, (): void => deadlines.watch())
    };
    this.sealed = new SealedMachine(machine);
    this.unbind = unbind(this);
  }

  /**
   * Loads or creates the session, denies expired questions and binds the controller. Announces nothing: a UI reads
   * `getPendingApprovalBatches` or the controller's list.
   *
   * Errors: config_invalid, approval_host_already_bound, session_id_invalid, state_corrupt, state_version_unsupported,
   * state_load_failed.
   */
  static async open(config: AgentConfig): Promise<Result<AgentRuntime, ArkAgentError>> {
    const resolved: Result<ResolvedConfig, ArkAgentError> = ResolvedConfig.of(config);
    if (!resolved.ok) {
      return resolved.recast<AgentRuntime>();
    }
    const loaded: Result<AgentState | undefined, ArkAgentError> =
      await AgentRuntime.load(resolved.value.storage, resolved.value.sessionId);
    if (!loaded.ok) {
      return loaded.recast<AgentRuntime>();
    }
    const parts: RuntimeParts = new RuntimeParts(resolved.value, loaded.value);
    let refused: ArkAgentError | undefined = undefined;
    const runtime: AgentRuntime = new AgentRuntime(parts, loaded.value !== undefined,
      (host: AgentRuntime): () => void => {
        const bound: Result<() => void, ArkAgentError> | undefined = parts.config.controller?.bindApprovalHost(host);
        if (bound !== undefined && !bound.ok) {
          refused = bound.error;
        }
        return bound !== undefined && bound.ok ? bound.value : (): void => {
        };
      });
    if (refused !== undefined) {
      return Result.failure<AgentRuntime, ArkAgentError>(refused);
    }
    for (const feature of parts.config.features) {
      feature.install(parts.features);
    }
    parts.features.onChildDecided = (): void => runtime.continueIfDecided();
    await parts.children.restore();
    await parts.store.exclusive((): Promise<void> => parts.decisions.sweepExpired());
    inside(runtime.sealed).deadlines.watch();
    return Result.success<AgentRuntime, ArkAgentError>(runtime);
  }

  get sessionId(): string {
    return inside(this.sealed).parts.config.sessionId;
  }

  /** A run is active in this process. */
  get running(): boolean {
    return inside(this.sealed).segments.active;
  }

  /** The newest state as an immutable value; O(1). */
  snapshot(): AgentState {
    return inside(this.sealed).parts.store.snapshot();
  }

  /**
   * Takes input and runs until the run ends or waits for a person. An empty list resumes what is open.
   *
   * Completed, suspended and cancelled runs are successes and end with onComplete; everything else is a failure and ends with
   * onError and the same error. Refused input opens no run: run_already_active, pending_approval_blocks_input,
   * pending_plan_review_blocks_input, resume_required, session_not_resumable, input_empty, input_invalid, input_too_large,
   * runtime_closed.
   */
  async runStream(messages: ReadonlyArray<AgentMessage>, observer: StreamObserver<AgentEvent>,
    signal: CancellationSignal = CancellationController.never()): Promise<Result<RunOutcome, ArkAgentError>> {
    if (messages.length === 0) {
      return inside(this.sealed).parts.guard.isOpen() ? this.resume(observer, signal) :
        this.refuse(observer, this.unavailable() ?? ArkAgentError.of(ErrorCode.inputEmpty, 'there is no input'));
    }
    const refusal: ArkAgentError | undefined = this.unavailable() ?? inside(this.sealed).parts.guard.refuseInput(messages);
    return refusal !== undefined ? this.refuse(observer, refusal) : inside(this.sealed).segments.start(messages, observer, signal);
  }

  /**
   * Continues a run that is decided, suspended, or was cut off by the death of its process.
   * A segment that is only being announced, and a decision that is being stored, are waited for, so a listener may decide and
   * resume; a hook must not await this.
   * Errors: awaiting_approval, awaiting_plan_review, resume_nothing_pending, state_conflict, and those of runStream.
   */
  async resume(observer: StreamObserver<AgentEvent>,
    signal: CancellationSignal = CancellationController.never()): Promise<Result<RunOutcome, ArkAgentError>> {
    if (inside(this.sealed).segments.tearingDown) {
      await inside(this.sealed).segments.untilIdle();
    }
    if (this.unavailable() === undefined && inside(this.sealed).parts.store.writing) {
      // A decision that is being stored may yet be refused: a run goes on only with what the disk has.
      await inside(this.sealed).parts.store.quiet();
    }
    const refusal: ArkAgentError | undefined = this.unavailable() ?? inside(this.sealed).parts.guard.refuseResume();
    return refusal !== undefined ? this.refuse(observer, refusal) : inside(this.sealed).segments.resume(observer, signal);
  }

  /** From now on the last decision continues the run by itself and reports to this observer. @returns stops that */
  attach(observer: StreamObserver<AgentEvent>): () => void {
    this.attached = observer;
    return (): void => {
      if (this.attached === observer) {
        this.attached = undefined;
      }
    };
  }

  /** The app leaves: the active run stops at its next safe point and is stored; `resume` continues it. */
  async suspend(reason: string): Promise<void> {
    this.pauses++;
    await inside(this.sealed).segments.suspend(reason);
  }

  /**
   * Ends the run for good, also one that is suspended; open calls are closed as cancelled_by_user.
   * @returns false when there was nothing to cancel; resolves when the ending is stored
   */
  async cancel(reason: string = ''): Promise<Result<boolean, ArkAgentError>> {
    if (this.closed) {
      return Result.failure<boolean, ArkAgentError>(closedError());
    }
    return inside(this.sealed).segments.cancel(reason);
  }

  /** Suspends what runs, lets the controller go and releases the storage. The session can be opened again. */
  close(): Promise<void> {
    this.closing = this.closing ?? this.shutDown();
    return this.closing;
  }

  getPendingApprovalBatches(): ReadonlyArray<PendingApprovalBatch> {
    const batch: PendingApprovalBatch | undefined = inside(this.sealed).parts.store.storedQuestions();
    const own: ReadonlyArray<PendingApprovalBatch> = batch === undefined ? [] : [batch.clone()];
    return own.concat(inside(this.sealed).parts.children.openBatches());
  }

  getPendingApprovalBatch(): PendingApprovalBatch | undefined {
    return this.getPendingApprovalBatches()[0];
  }

  /** Resolves after the decision is stored. The last one continues the run only when an observer is attached (DEC-18). */
  async applyApprovalDecision(request: ApprovalDecisionRequest): Promise<ApprovalDecisionResult> {
    if (this.closed) {
      return ApprovalDecisionResult.failed(request.approvalId, closedError());
    }
    const result: ApprovalDecisionResult = await (inside(this.sealed).parts.children.decide(request) ??
      inside(this.sealed).parts.decisions.decide(request));
    this.continueIfDecided();
    return result;
  }

  async denyAll(batchId: string, reason?: string): Promise<ApprovalDecisionResult> {
    if (this.closed) {
      return ApprovalDecisionResult.failed(batchId, closedError());
    }
    const result: ApprovalDecisionResult = await (inside(this.sealed).parts.children.denyAll(batchId, reason) ??
      inside(this.sealed).parts.decisions.denyAll(batchId, reason));
    this.continueIfDecided();
    return result;
  }

  /** How often the audit sink failed; 0 without one. */
  get auditFaultCount(): number {
    return inside(this.sealed).parts.config.auditSink?.faultCount ?? 0;
  }

  /** What was remembered with a yes and still counts, oldest first. */
  listGrants(): ReadonlyArray<ApprovalGrant> {
    return inside(this.sealed).parts.consents.grants.list();
  }

  /**
   * Later calls ask again, also those of a batch that has begun. Resolves when it is stored; false when there is no such
   * grant. Errors: runtime_closed, hook_abort, state_save_failed, state_conflict.
   */
  async revokeGrant(grantId: string): Promise<Result<boolean, ArkAgentError>> {
    return this.closed ? Result.failure<boolean, ArkAgentError>(closedError()) : inside(this.sealed).parts.revocations.revoke(grantId);
  }

  getPendingPlanReview(): PendingPlanReview | undefined {
    return inside(this.sealed).parts.store.draft.pendingPlanReview;
  }

  async applyPlanReviewDecision(decision: PlanReviewDecision, reviewId?: string): Promise<PlanReviewDecisionResult> {
    if (this.closed) {
      return new PlanReviewDecisionResult(false, reviewId ?? '', closedError());
    }
    const result: PlanReviewDecisionResult = await inside(this.sealed).parts.plans.decide(decision, reviewId,
      (): boolean => inside(this.sealed).segments.active);
    this.continueIfDecided();
    return result;
  }

  /** The last decision, also that of the clock, carries on where an observer is attached. */
  private continueIfDecided(): void {
    inside(this.sealed).deadlines.watch();
    const observer: StreamObserver<AgentEvent> | undefined = this.attached;
    if (observer === undefined) {
      return;
    }
    const pauses: number = this.pauses;
    inside(this.sealed).segments.whenIdle(async (): Promise<void> => {
      if (inside(this.sealed).parts.store.writing) {
        await inside(this.sealed).parts.store.quiet();
      }
      const decided: boolean = inside(this.sealed).parts.guard.decided(inside(this.sealed).parts.store.storedQuestions());
      if (decided && this.pauses === pauses && this.attached === observer && this.unavailable() === undefined &&
        inside(this.sealed).parts.guard.refuseResume() === undefined) {
        this.resume(observer);
      }
    });
  }

  private async shutDown(): Promise<void> {
    this.closed = true;
    this.attached = undefined;
    inside(this.sealed).deadlines.stop();
    inside(this.sealed).parts.late.stop();
    inside(this.sealed).parts.features.stop();
    inside(this.sealed).parts.desk?.close();
    await inside(this.sealed).segments.suspend('closed');
    this.unbind();
    await inside(this.sealed).parts.children.close();
    await this.closeStorage();
    await this.flushAudit();
  }

  private async closeStorage(): Promise<void> {
    try {
      await inside(this.sealed).parts.store.exclusive((): Promise<void> => inside(this.sealed).parts.config.storage.close());
    } catch (e) {
      // Everything that counts is stored by now; a storage that cannot let go says so when it is opened again.
    }
  }

  /** Bounded: a sink that never answers does not keep a session from closing. */
  private flushAudit(): Promise<void> {
    const sink: GuardedAuditSink | undefined = inside(this.sealed).parts.config.auditSink;
    if (sink === undefined) {
      return Promise.resolve();
    }
    return new Promise<void>((resolve: () => void): void => {
      const late: ScheduledTask = inside(this.sealed).parts.config.ports.scheduler.schedule(
        inside(this.sealed).parts.config.limits.cancelGraceMs, resolve);
      sink.flush(true).then((): void => {
        late.cancel();
        resolve();
      });
    });
  }

  private unavailable(): ArkAgentError | undefined {
    if (this.closed) {
      return closedError();
    }
    return inside(this.sealed).segments.active ? ArkAgentError.of(ErrorCode.runAlreadyActive, 'a run of this session is active') : undefined;
  }

  private refuse(observer: StreamObserver<AgentEvent>, error: ArkAgentError): Result<RunOutcome, ArkAgentError> {
    return inside(this.sealed).segments.refuse(observer, error);
  }

  private static async load(storage: StateStorage, sessionId: string): Promise<Result<AgentState | undefined, ArkAgentError>> {
    try {
      return await storage.load(sessionId);
    } catch (e) {
      return Result.failure<AgentState | undefined, ArkAgentError>(
        ArkAgentError.wrap(ErrorCode.stateLoadFailed, e as Object, 'the storage failed'));
    }
  }
}

function closedError(): ArkAgentError {
  return ArkAgentError.of(ErrorCode.runtimeClosed, 'this runtime was closed; open the session again');
}

function inside(sealed: SealedMachine): Machine {
  return sealed.open(new MachineKey());
}

function watchDeadlines(parts: RuntimeParts, onExpired: () => void): ApprovalDeadlines {
  const actions: DeadlineActions = {
    warn: (batch: PendingApprovalBatch, item: PendingApprovalItem): void =>
      parts.reporter(batch.runId, new ObserverOutlet(new BaseObserver<AgentEvent>())).approvalExpiring(batch, item),
    expire: async (): Promise<void> => {
      await parts.store.exclusive((): Promise<void> => parts.decisions.sweepExpired());
      onExpired();
    }
  };
  return new ApprovalDeadlines(parts.store, parts.clock, parts.config.ports.scheduler, parts.config.approvalWarnBeforeMs, actions);
}
