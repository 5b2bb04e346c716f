import { ApprovalDeciders } from '../../approval/ApprovalModes';
import { ConsentMemory } from '../../approval/ConsentMemory';
import { ArkAgentError, ArkAgentErrorOptions, ErrorDetail } from '../../base/ArkAgentError';
import { ErrorCode } from '../../base/ErrorCodes';
import { Result } from '../../base/Result';
import { ToolCallHookContext } from '../../hook/context/ToolCallHookContext';
import { AgentHookPipeline } from '../../hook/AgentHookPipeline';
import { HookAbort } from '../../hook/HookAbort';
import { HookPatience } from '../../hook/HookPatience';
import { HookSlot } from '../../hook/HookSlot';
import { HookDenial } from '../../hook/HookDenial';
import { HookMarkKind } from '../../hook/outcome/HookMark';
import { ToolCallHookOutcome } from '../../hook/outcome/ToolCallHookOutcome';
import { JsonObject } from '../../json/JsonObject';
import { AgentMessage } from '../../message/AgentMessage';
import { ToolCall } from '../../message/ToolCall';
import { ToolDefinition, ToolRiskLevel } from '../../model/ToolDefinition';
import { AuditStep } from '../../port/AuditSink';
import { RegisteredTool } from '../../tool/RegisteredTool';
import { ReadonlyAgentState } from '../../tool/ToolContext';
import { ToolEffect } from '../../tool/ToolContract';
import { AuditDeciders, CallAudit } from '../audit/CallAudit';
import { CallGates, GatedCall } from './CallGates';
import { CallRejection } from './CallRejection';
import { CallReporter } from '../seam/CallReporter';
import { HookWords } from './HookWords';
import { ConsentAction, ConsentCheck, ConsentVerdict } from './ConsentCheck';
import { PreparedCall, PreparedCallInit, PreparedVerdict } from './PreparedCall';
import { ResultFilters } from '../filter/ResultFilters';
import { CallPlace, CallSecrets } from '../vault/CallSecrets';

/** What phase 1 may look at. */
export interface PreparationScope {
  sessionId: string;
  /** The calls' secrets are kept under it. */
  batchId: string;
  state: ReadonlyAgentState;
  /** The assistant message as the model wrote it. */
  modelMessage: AgentMessage;
  /** What the model saw. */
  availableTools: ReadonlyArray<ToolDefinition>;
  visible: ReadonlySet<string>;
  reporter: CallReporter;
  audit: CallAudit;
  /** What the session remembers about consent; undefined = nothing. */
  memory?: ConsentMemory;
  /** Bounds the wait for hooks after a cancel; undefined = as long as it takes. */
  patience?: HookPatience;
}

/** A prepared call, or the abort of a hook. Immutable. */
export class Preparation {
  readonly call: PreparedCall | undefined;
  readonly abort: HookAbort | undefined;

  constructor(call: PreparedCall | undefined, abort: HookAbort | undefined) {
    this.call = call;
    this.abort = abort;
  }
}

/** Phase 1 for one call: hooks, gates, authorization and policy (steps 1 to 3). No side effects. */
export class CallPreparer {
  private readonly hooks: AgentHookPipeline;
  private readonly gates: CallGates;
  private readonly consent: ConsentCheck;
  private readonly secrets: CallSecrets | undefined;
  private readonly words: HookWords;

  /**
   * @param secrets undefined = arguments are taken as they are
   * @param filters for the results that hooks bring
   */
  constructor(hooks: AgentHookPipeline, gates: CallGates, consent: ConsentCheck, secrets: CallSecrets | undefined,
    filters: ResultFilters) {
    this.hooks = hooks;
    this.gates = gates;
    this.consent = consent;
    this.secrets = secrets;
    this.words = new HookWords(secrets, filters);
  }

  async prepare(original: ToolCall, scope: PreparationScope): Promise<Preparation> {
    scope.audit.proposed(original);
    const step: Preparation = await this.ask(original, scope);
    noteRejection(step.call, scope.audit);
    return step;
  }

  private async ask(original: ToolCall, scope: PreparationScope): Promise<Preparation> {
    if (!this.hooks.hasHooks(HookSlot.beforeToolCall)) {
      return new Preparation(await this.judge(original, original, scope, [], []), undefined);
    }
    const asked: Promise<ToolCallHookOutcome> = this.hooks.beforeToolCall(new ToolCallHookContext(
      scope.sessionId, scope.state, original, scope.modelMessage, scope.availableTools));
    const outcome: ToolCallHookOutcome = scope.patience === undefined ? await asked : await scope.patience.wait(asked);
    scope.reporter.diagnostics(outcome.diagnostics);
    noteHooks(outcome, scope.audit);
    const call: ToolCall = outcome.rewritten ? await this.sealedAgain(original, outcome.call, scope) : outcome.call;
    if (outcome.abort !== undefined) {
      return new Preparation(undefined, outcome.abort);
    }
    const denial: HookDenial | undefined = outcome.denial;
    if (denial !== undefined) {
      return new Preparation(PreparedCall.rejected(original, call, this.words.denied(denial, this.gates.find(call.name))), undefined);
    }
    if (outcome.rewritten && this.escalates(original, call, scope)) {
      scope.audit.note(call, AuditStep.gate, AuditDeciders.RUNTIME, 'refuse', ErrorCode.hookEscalationDenied);
      const refused: ArkAgentError = ArkAgentError.of(ErrorCode.hookEscalationDenied,
        'a rewrite may only lead to a visible tool of no higher risk');
      return new Preparation(PreparedCall.rejected(original, call, CallRejection.of(refused)), undefined);
    }
    return new Preparation(
      await this.judge(original, call, scope, this.words.texts(outcome.deferReasons), this.words.texts(outcome.warnings)), undefined);
  }

  /** A hook may have put a secret of the app into the arguments; what it left of the call's own stays valid. */
  private sealedAgain(original: ToolCall, call: ToolCall, scope: PreparationScope): Promise<ToolCall> {
    const secrets: CallSecrets | undefined = this.secrets;
    return secrets === undefined ? Promise.resolve(call) :
      secrets.seal(placeOf(scope, call), call, secrets.marks(original.argumentsJson));
  }

  /**
   * Gates, authorization and policy again for a call that was settled before: at the claim and for an edit (DEC-51, 52).
   * Hooks are not asked: they run once per version of a call.
   */
  async recheck(original: ToolCall, call: ToolCall, scope: PreparationScope): Promise<PreparedCall> {
    const prepared: PreparedCall = await this.judge(original, call, scope, [], []);
    noteRejection(prepared, scope.audit);
    return prepared;
  }

  /**
   * Gates and the policy's answer. Schema and authorization look at what would really run; everything that is kept or shown has
   * the placeholders.
   */
  private async judge(original: ToolCall, call: ToolCall, scope: PreparationScope,
    deferReasons: ReadonlyArray<string>, warnings: ReadonlyArray<string>): Promise<PreparedCall> {
    const sealed: boolean = this.secrets !== undefined && this.secrets.isSealed(call.argumentsJson);
    const opened: Result<GatedCall, ArkAgentError> =
      sealed ? await this.openAndCheck(call, scope) : this.gates.check(call, scope.visible);
    if (!opened.ok) {
      scope.audit.note(call, AuditStep.gate, AuditDeciders.RUNTIME, 'refuse', opened.error.code);
      return PreparedCall.rejected(original, call, CallRejection.of(opened.error));
    }
    scope.audit.note(call, AuditStep.gate, AuditDeciders.RUNTIME, 'ok');
    const tool: RegisteredTool = opened.value.tool;
    const verdict: ConsentVerdict =
      this.said(await this.consent.decide(scope.sessionId, call, tool, opened.value.args, scope.audit));
    if (verdict.action === ConsentAction.refuse) {
      return PreparedCall.rejected(original, call, CallRejection.of(deniedBy(verdict)));
    }
    const gated: Result<GatedCall, ArkAgentError> = sealed ? this.shown(tool, call) : opened;
    if (!gated.ok) {
      return PreparedCall.rejected(original, call, CallRejection.of(gated.error));
    }
    const asks: boolean = verdict.action === ConsentAction.ask || deferReasons.length > 0;
    const bound: Result<string, ArkAgentError> | undefined =
      asks || tool.contract.effect !== ToolEffect.none ? this.gates.bindable(call.argumentsJson, gated.value.args) : undefined;
    if (bound !== undefined && !bound.ok) {
      scope.audit.note(call, AuditStep.gate, AuditDeciders.RUNTIME, 'refuse', bound.error.code);
      return PreparedCall.rejected(original, call, CallRejection.of(bound.error));
    }
    if (scope.memory?.refused(call, tool, gated.value.args) === true) {
      scope.audit.note(call, AuditStep.memory, AuditDeciders.PERSON, 'refuse', ErrorCode.toolDenied);
      return PreparedCall.rejected(original, call, CallRejection.of(refusedBefore()));
    }
    const init: PreparedCallInit = {
      original: original, call: call, verdict: asks ? PreparedVerdict.ask : PreparedVerdict.allowed, tool: tool,
      args: gated.value.args, canonical: bound?.value, sealed: sealed, warnings: warnings,
      reason: verdict.action === ConsentAction.ask ? verdict.reason : deferReasons.join('; ')
    };
    recall(init, gated.value, scope.memory, verdict.grantable && deferReasons.length === 0);
    const prepared: PreparedCall = new PreparedCall(init);
    if (prepared.predecessorUnknown) {
      scope.audit.note(call, AuditStep.memory, AuditDeciders.RUNTIME, 'ask', ErrorCode.toolOutcomeUnknown);
    } else if (prepared.grantId !== undefined) {
      scope.audit.note(call, AuditStep.grant, prepared.decider, 'allow');
    }
    return prepared;
  }

  private async openAndCheck(call: ToolCall, scope: PreparationScope): Promise<Result<GatedCall, ArkAgentError>> {
    const secrets: CallSecrets = this.secrets as CallSecrets;
    const text: Result<string, ArkAgentError> = await secrets.open(placeOf(scope, call), call.argumentsJson);
    if (!text.ok) {
      return text.recast<GatedCall>();
    }
    const checked: Result<GatedCall, ArkAgentError> = this.gates.check(call.withArguments(text.value), scope.visible);
    return checked.ok ? checked : Result.failure<GatedCall, ArkAgentError>(secrets.clean(checked.error));
  }

  /** The arguments with placeholders, in the form that the checked ones have. */
  private shown(tool: RegisteredTool, call: ToolCall): Result<GatedCall, ArkAgentError> {
    const args: Result<JsonObject, ArkAgentError> = this.gates.settled(tool, call.argumentsJson);
    return args.ok ? Result.success<GatedCall, ArkAgentError>(new GatedCall(tool, args.value)) : args.recast<GatedCall>();
  }

  /** A policy may quote a secret: those of the call, which it saw, or its own. */
  private said(verdict: ConsentVerdict): ConsentVerdict {
    const reason: string = this.words.text(verdict.reason);
    return reason === verdict.reason ? verdict : verdict.withReason(reason);
  }

  private escalates(original: ToolCall, rewritten: ToolCall, scope: PreparationScope): boolean {
    if (rewritten.name === original.name) {
      return false;
    }
    const target: RegisteredTool | undefined = this.gates.find(rewritten.name);
    if (target === undefined || !scope.visible.has(rewritten.name)) {
      return true;
    }
    const source: RegisteredTool | undefined = this.gates.find(original.name);
    const allowed: number = source === undefined ? 0 : rank(source.definition.riskLevel);
    return rank(target.definition.riskLevel) > allowed;
  }
}

function placeOf(scope: PreparationScope, call: ToolCall): CallPlace {
  const place: CallPlace = { sessionId: scope.sessionId, batchId: scope.batchId, position: call.index };
  return place;
}

function noteHooks(outcome: ToolCallHookOutcome, audit: CallAudit): void {
  for (const note of outcome.diagnostics) {
    audit.note(outcome.call, AuditStep.hook, note.hookName, 'fault', note.code);
  }
  for (const mark of outcome.marks) {
    audit.note(outcome.call, AuditStep.hook, mark.hookName, mark.kind,
      mark.kind === HookMarkKind.abort ? outcome.abort?.error.code ?? '' : '');
  }
}

/** Who refused is in the result where it was a hook, a policy or a person; everything else is the runtime's. */
function noteRejection(call: PreparedCall | undefined, audit: CallAudit): void {
  if (audit.active && call !== undefined && call.result !== undefined) {
    audit.note(call.call, AuditStep.rejected, call.result.metadata?.getString('by') ?? AuditDeciders.RUNTIME, 'rejected',
      call.result.code);
  }
}

function rank(risk: ToolRiskLevel): number {
  switch (risk) {
    case ToolRiskLevel.safe:
      return 0;
    case ToolRiskLevel.sensitive:
      return 1;
    default:
      return 2;
  }
}

/** An unknown predecessor makes even an allowed call a question; a grant answers a policy's wish to ask, and nothing else. */
function recall(init: PreparedCallInit, gated: GatedCall, memory: ConsentMemory | undefined, grantable: boolean): void {
  if (memory === undefined) {
    return;
  }
  if (gated.tool.contract.effect !== ToolEffect.none && memory.outcomeUnknown(init.call, gated.tool, gated.args)) {
    init.verdict = PreparedVerdict.ask;
    init.predecessorUnknown = true;
    init.reason = init.reason === undefined || init.reason === '' ? PREDECESSOR_UNKNOWN : `${init.reason}. ${PREDECESSOR_UNKNOWN}`;
    return;
  }
  const grantId: string | undefined = grantable ? memory.grantFor(init.call, gated.tool, gated.args) : undefined;
  if (grantId !== undefined) {
    init.verdict = PreparedVerdict.allowed;
    init.grantId = grantId;
    init.reason = '';
  }
}

/** For people, on the card. */
export const PREDECESSOR_UNKNOWN: string =
  'The same call was made before and its outcome is unknown: it may have happened already';

function refusedBefore(): ArkAgentError {
  return ArkAgentError.of(ErrorCode.toolDenied,
    'the person refused this call before; it is not asked again in this run').withDetail('by', ApprovalDeciders.PERSON);
}

function deniedBy(verdict: ConsentVerdict): ArkAgentError {
  const details: Map<string, ErrorDetail> = new Map<string, ErrorDetail>();
  details.set('by', verdict.by);
  const options: ArkAgentErrorOptions = { details: details };
  const reason: string = verdict.reason === '' ? 'refused by policy' : verdict.reason;
  return ArkAgentError.of(ErrorCode.toolDenied, reason, options);
}
