import { ApprovalDeciders } from '../approval/ApprovalModes';
import { ConsentMemory } from '../approval/ConsentMemory';
import { ArkAgentError, ArkAgentErrorOptions, ErrorDetail } from '../base/ArkAgentError';
import { ErrorCode } from '../base/ErrorCodes';
import { Result } from '../base/Result';
import { ToolCallHookContext } from '../hook/context/ToolCallHookContext';
import { AgentHookPipeline } from '../hook/AgentHookPipeline';
import { HookAbort } from '../hook/HookAbort';
import { HookPatience } from '../hook/HookPatience';
import { HookSlot } from '../hook/HookSlot';
import { HookDenial } from '../hook/HookDenial';
import { ToolCallHookOutcome } from '../hook/outcome/ToolCallHookOutcome';
import { AgentMessage } from '../message/AgentMessage';
import { ToolCall } from '../message/ToolCall';
import { ToolDefinition, ToolRiskLevel } from '../model/ToolDefinition';
import { CallResult } from '../state/CallResult';
import { RegisteredTool } from '../tool/RegisteredTool';
import { ReadonlyAgentState } from '../tool/ToolContext';
import { ToolEffect } from '../tool/ToolContract';
import { ToolCallStatus } from '../tool/ToolResultEnvelope';
import { CallGates, GatedCall } from './CallGates';
import { CallRejection } from './CallRejection';
import { CallReporter } from './CallReporter';
import { ConsentAction, ConsentCheck, ConsentVerdict } from './ConsentCheck';
import { PreparedCall, PreparedCallInit, PreparedVerdict } from './PreparedCall';

/** What phase 1 may look at. */
export interface PreparationScope {
  sessionId: string;
  state: ReadonlyAgentState;
  /** The assistant message as the model wrote it. */
  modelMessage: AgentMessage;
  /** What the model saw. */
  availableTools: ReadonlyArray<ToolDefinition>;
  visible: ReadonlySet<string>;
  reporter: CallReporter;
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

  constructor(hooks: AgentHookPipeline, gates: CallGates, consent: ConsentCheck) {
    this.hooks = hooks;
    this.gates = gates;
    this.consent = consent;
  }

  async prepare(original: ToolCall, scope: PreparationScope): Promise<Preparation> {
    if (!this.hooks.hasHooks(HookSlot.beforeToolCall)) {
      return new Preparation(await this.judge(original, original, scope, [], []), undefined);
    }
    const asked: Promise<ToolCallHookOutcome> = this.hooks.beforeToolCall(new ToolCallHookContext(
      scope.sessionId, scope.state, original, scope.modelMessage, scope.availableTools));
    const outcome: ToolCallHookOutcome = scope.patience === undefined ? await asked : await scope.patience.wait(asked);
    scope.reporter.diagnostics(outcome.diagnostics);
    if (outcome.abort !== undefined) {
      return new Preparation(undefined, outcome.abort);
    }
    const denial: HookDenial | undefined = outcome.denial;
    if (denial !== undefined) {
      return new Preparation(PreparedCall.rejected(original, outcome.call, hookDenied(denial)), undefined);
    }
    if (outcome.rewritten && this.escalates(original, outcome.call, scope)) {
      const refused: ArkAgentError = ArkAgentError.of(ErrorCode.hookEscalationDenied,
        'a rewrite may only lead to a visible tool of no higher risk');
      return new Preparation(PreparedCall.rejected(original, outcome.call, CallRejection.of(refused)), undefined);
    }
    return new Preparation(
      await this.judge(original, outcome.call, scope, outcome.deferReasons, outcome.warnings), undefined);
  }

  /**
   * Gates, authorization and policy again for a call that was settled before: at the claim and for an edit (DEC-51, 52).
   * Hooks are not asked: they run once per version of a call.
   */
  recheck(original: ToolCall, call: ToolCall, scope: PreparationScope): Promise<PreparedCall> {
    return this.judge(original, call, scope, [], []);
  }

  /** Gates and the policy's answer for arguments that were checked already, without a message around them. */
  private async judge(original: ToolCall, call: ToolCall, scope: PreparationScope,
    deferReasons: ReadonlyArray<string>, warnings: ReadonlyArray<string>): Promise<PreparedCall> {
    const gated: Result<GatedCall, ArkAgentError> = this.gates.check(call, scope.visible);
    if (!gated.ok) {
      return PreparedCall.rejected(original, call, CallRejection.of(gated.error));
    }
    const tool: RegisteredTool = gated.value.tool;
    const verdict: ConsentVerdict = await this.consent.decide(scope.sessionId, call, tool, gated.value.args);
    if (verdict.action === ConsentAction.refuse) {
      return PreparedCall.rejected(original, call, CallRejection.of(deniedBy(verdict)));
    }
    const asks: boolean = verdict.action === ConsentAction.ask || deferReasons.length > 0;
    const unbindable: ArkAgentError | undefined =
      asks || tool.contract.effect !== ToolEffect.none ? this.gates.unbindable(call.argumentsJson, gated.value.args) : undefined;
    if (unbindable !== undefined) {
      return PreparedCall.rejected(original, call, CallRejection.of(unbindable));
    }
    if (scope.memory?.refused(call, tool, gated.value.args) === true) {
      return PreparedCall.rejected(original, call, CallRejection.of(refusedBefore()));
    }
    const init: PreparedCallInit = {
      original: original, call: call, verdict: asks ? PreparedVerdict.ask : PreparedVerdict.allowed, tool: tool,
      args: gated.value.args, warnings: warnings,
      reason: verdict.action === ConsentAction.ask ? verdict.reason : deferReasons.join('; ')
    };
    recall(init, gated.value, scope.memory, verdict.grantable && deferReasons.length === 0);
    return new PreparedCall(init);
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

/** What the hook brought is told as it is; the standard answer says who refused. */
function hookDenied(denial: HookDenial): CallResult {
  if (denial.syntheticResult === undefined) {
    return CallRejection.of(denial.toError());
  }
  return CallResult.of(ToolCallStatus.rejected, ErrorCode.toolDenied, denial.syntheticResult, 0);
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
