import { AgentFeature } from '../control/AgentFeature';
import { BackgroundDesk } from '../control/BackgroundDesk';
import { EventStamper } from '../control/event/EventStamp';
import { CallPipeline, ToolPipelineParts } from '../execution/CallPipeline';
import { RunAudit } from '../execution/audit/RunAudit';
import { AgentHookPipeline } from '../hook/AgentHookPipeline';
import { BaseObserver } from '../base/StreamObserver';
import { RedactingLogger } from '../execution/redaction/RedactingLogger';
import { Logger } from '../port/Logger';
import { CallSignatures } from '../loop/CallSignatures';
import { AgentState } from '../state/AgentState';
import { ReadonlyAgentState } from '../tool/ToolContext';
import { AgentEvent } from './report/AgentEvent';
import { ApprovalFreezer } from './consent/ApprovalFreezer';
import { BatchSettings } from './batch/BatchSettings';
import { CallLedger } from './ledger/CallLedger';
import { ChildSessions } from './session/ChildSessions';
import { ConsentBooks } from './consent/ConsentBooks';
import { DecisionRecorder, DecisionRecorderParts } from './consent/DecisionRecorder';
import { EditReview } from './consent/EditReview';
import { EffectiveClock } from './store/EffectiveClock';
import { EndingWriter, EndingWriterParts } from './run/EndingWriter';
import { EffectRecovery } from './ledger/EffectRecovery';
import { FeatureLink, FeatureLinkParts } from './session/FeatureLink';
import { GrantRevocations, GrantRevocationsParts } from './consent/GrantRevocations';
import { HistoryKeeper } from './ledger/HistoryKeeper';
import { InputGuard } from './session/InputGuard';
import { LoopGuard, LoopGuardParts } from './run/LoopGuard';
import { LateArrivals, LateArrivalsParts } from './batch/LateArrivals';
import { LateResults } from './ledger/LateResults';
import { ModelCaller } from './model/ModelCaller';
import { ObserverOutlet } from './report/ObserverOutlet';
import { PlanReceipts } from './consent/PlanReceipts';
import { PlanReviews, PlanReviewsParts } from './consent/PlanReviews';
import { ResolvedConfig } from './config/ResolvedConfig';
import { ResumeCoordinator, ResumeCoordinatorParts } from './run/ResumeCoordinator';
import { RunLoop, RunLoopParts } from './run/RunLoop';
import { RunReporter } from './report/RunReporter';
import { SessionArtifacts } from './store/SessionArtifacts';
import { SessionRedaction } from './session/SessionRedaction';
import { SessionStore } from './store/SessionStore';
import { PersistScope, StatePersister } from './store/StatePersister';
import { StoreSlices } from './store/StoreSlices';
import { TerminalGate, TerminalGateParts } from './run/TerminalGate';
import { ToldCalls } from './ledger/ToldCalls';
import { ToolBatchRunner, ToolBatchRunnerParts } from './batch/ToolBatchRunner';
import { TurnPreparer } from './model/TurnPreparer';
import { VisibleTools } from './model/VisibleTools';

/** Builds a session's machine: every part once, in the order in which they need each other. */
export class RuntimeParts {
  readonly config: ResolvedConfig;
  readonly clock: EffectiveClock;
  readonly store: SessionStore;
  readonly hooks: AgentHookPipeline;
  readonly stamper: EventStamper;
  readonly state: ReadonlyAgentState;
  readonly persister: StatePersister;
  readonly keeper: HistoryKeeper;
  readonly guard: InputGuard;
  readonly loop: RunLoop;
  readonly gate: TerminalGate;
  readonly resumes: ResumeCoordinator;
  readonly decisions: DecisionRecorder;
  readonly plans: PlanReviews;
  readonly features: FeatureLink;
  readonly consents: ConsentBooks;
  readonly late: LateArrivals;
  readonly told: ToldCalls = new ToldCalls();
  readonly revocations: GrantRevocations;
  private readonly logger: Logger;
  readonly children: ChildSessions;
  /** Undefined when no feature runs anything in the background. */
  readonly desk: BackgroundDesk | undefined;
  /** Undefined when the app switched it off. */
  readonly redaction: SessionRedaction | undefined;
  readonly artifacts: SessionArtifacts;

  constructor(config: ResolvedConfig, loaded: AgentState | undefined) {
    this.config = config;
    this.desk = deskOf(config.features);
    this.clock = new EffectiveClock(config.ports.clock);
    if (loaded !== undefined) {
      this.clock.observe(loaded.updatedAtMs);
    }
    const initial: AgentState = loaded ?? AgentState.fresh(config.sessionId, config.metadata, this.clock.nowMs());
    this.store = new SessionStore(config.storage, config.ports.ids, this.clock, initial);
    this.state = initial.snapshot();
    this.hooks = new AgentHookPipeline(config.hooks, config.ports.scheduler);
    this.stamper = new EventStamper(this.clock, config.ports.ids, config.sessionId);
    this.persister = new StatePersister(this.store, this.hooks);
    const slices: StoreSlices = new StoreSlices(this.store);
    this.redaction = config.redaction.enabled === false ? undefined :
      new SessionRedaction(config.sessionId, config.redaction, config.secretVault, slices);
    this.logger = this.redaction === undefined ? config.logger : new RedactingLogger(config.logger, this.redaction.redactor);
    this.artifacts = new SessionArtifacts(config.artifactStore, config.registry, this.logger, slices);
    const ledger: CallLedger = new CallLedger(config.ports.digest);
    this.consents = new ConsentBooks(this.store, this.clock, config.ports.ids, ledger, config.grants);
    const late: LateResults = new LateResults(slices);
    this.keeper = new HistoryKeeper(this.store, this.clock, this.consents.effects, late);
    const reporterFor: (runId: string) => RunReporter = (runId: string): RunReporter =>
      this.reporter(runId, new ObserverOutlet(new BaseObserver<AgentEvent>()));
    const lateParts: LateArrivalsParts = {
      store: this.store, persister: this.persister, results: late, effects: this.consents.effects, state: this.state,
      reporterFor: reporterFor
    };
    this.late = new LateArrivals(lateParts);
    const pipeline: CallPipeline = this.buildPipeline();
    this.children = new ChildSessions(config.features, pipeline);
    this.guard = new InputGuard(this.store.draft, this.children, config.limits.maxInputChars);
    const planParts: PlanReviewsParts = {
      store: this.store, persister: this.persister, keeper: this.keeper, features: config.features, state: this.state,
      receipts: new PlanReceipts(slices, config.ports.digest), reporterFor: reporterFor
    };
    this.plans = new PlanReviews(planParts);
    const writerParts: EndingWriterParts = {
      store: this.store, persister: this.persister, keeper: this.keeper, children: this.children, plans: this.plans
    };
    const gateParts: TerminalGateParts = {
      store: this.store, writer: new EndingWriter(writerParts), keeper: this.keeper, hooks: this.hooks, children: this.children,
      told: this.told, durable: config.storage.durable
    };
    this.gate = new TerminalGate(gateParts);
    const visible: VisibleTools = new VisibleTools(config.registry, pipeline.gates,
      this.artifacts.selector === undefined ? config.selectors : config.selectors.concat([this.artifacts.selector]));
    const link: FeatureLinkParts = {
      store: this.store, clock: this.clock, ids: config.ports.ids, stamper: this.stamper, controller: config.controller,
      config: config, persister: this.persister, results: late, effects: this.consents.effects,
      scopeFor: (runId: string): PersistScope => {
        const scope: PersistScope = { state: this.state, reporter: reporterFor(runId) };
        return scope;
      }
    };
    this.features = new FeatureLink(link);
    const batchParts: ToolBatchRunnerParts = {
      pipeline: pipeline, ledger: ledger, freezer: new ApprovalFreezer(ledger, this.clock, config.approvalTtlMs),
      store: this.store, persister: this.persister,
      rules: new BatchSettings(config.batchDenyMode, config.approvalScope, config.limits.maxCallsPerBatch),
      consents: this.consents, late: this.late, told: this.told, scheduler: config.ports.scheduler, maxParallel: config.limits.maxParallelCalls,
      desk: this.desk
    };
    const batches: ToolBatchRunner = new ToolBatchRunner(batchParts);
    this.loop = this.buildLoop(batches, visible);
    const resumeParts: ResumeCoordinatorParts = {
      store: this.store, persister: this.persister, keeper: this.keeper, pipeline: pipeline, registry: config.registry, visible: visible,
      ledger: ledger, recovery: new EffectRecovery(config.unknownOutcomePolicy), batches: batches, loop: this.loop,
      consents: this.consents
    };
    this.resumes = new ResumeCoordinator(resumeParts);
    const decisionParts: DecisionRecorderParts = {
      store: this.store, persister: this.persister, clock: this.clock, state: this.state,
      edits: new EditReview(pipeline.preparer, ledger, config.registry, this.store, this.state, this.redaction?.secrets),
      reporterFor: reporterFor, consents: this.consents
    };
    this.decisions = new DecisionRecorder(decisionParts);
    const revocationParts: GrantRevocationsParts = {
      store: this.store, persister: this.persister, grants: this.consents.grants, state: this.state, reporterFor: reporterFor
    };
    this.revocations = new GrantRevocations(revocationParts);
  }

  reporter(runId: string, outlet: ObserverOutlet): RunReporter {
    const config: ResolvedConfig = this.config;
    return new RunReporter(config.controller, this.stamper, outlet, this.logger, config.sessionId, runId,
      new RunAudit(config.auditSink, this.clock, config.sessionId, runId));
  }

  private buildPipeline(): CallPipeline {
    const config: ResolvedConfig = this.config;
    const parts: ToolPipelineParts = {
      registry: config.registry, hooks: this.hooks, approvalPolicy: config.approvalPolicy,
      authorizationPolicy: config.authorizationPolicy, authorizationTimeoutMs: config.limits.authorizationTimeoutMs,
      clock: this.clock, scheduler: config.ports.scheduler,
      services: config.services, maxArgumentChars: config.limits.maxArgumentChars,
      maxBatchResultChars: config.limits.maxBatchResultChars, redactor: this.redaction?.redactor,
      secrets: this.redaction?.secrets, sizer: this.artifacts.sizer,
      grace: { cancelGraceMs: config.limits.cancelGraceMs, timeoutGraceMs: config.limits.timeoutGraceMs }
    };
    return new CallPipeline(parts);
  }

  private buildLoop(batches: ToolBatchRunner, visible: VisibleTools): RunLoop {
    const config: ResolvedConfig = this.config;
    const preparer: TurnPreparer =
      new TurnPreparer(config.systemPrompt, config.modelOptions, visible, this.store);
    const guardParts: LoopGuardParts = {
      store: this.store, keeper: this.keeper, slices: this.features, detector: config.detector, nudge: config.loopNudge
    };
    const parts: RunLoopParts = {
      store: this.store, persister: this.persister, keeper: this.keeper, batches: batches, hooks: this.hooks,
      caller: new ModelCaller(config.provider, this.hooks, preparer, this.store, config.limits, this.redaction),
      signatures: new CallSignatures(config.detector, config.ports.digest), loops: new LoopGuard(guardParts),
      features: this.features, redaction: this.redaction, limits: config.limits
    };
    return new RunLoop(parts);
  }
}

function deskOf(features: ReadonlyArray<AgentFeature>): BackgroundDesk | undefined {
  for (const feature of features) {
    const desk: BackgroundDesk | undefined = feature.background();
    if (desk !== undefined) {
      return desk;
    }
  }
  return undefined;
}
