import { StrictestToolApprovalPolicy, ToolApprovalPolicy } from '../approval/ApprovalPolicy';
import { AuthorizationPolicy } from '../approval/AuthorizationPolicy';
import { ArkAgentError } from '../base/ArkAgentError';
import { Result } from '../base/Result';
import { AgentController } from '../control/AgentController';
import { AgentFeature } from '../control/AgentFeature';
import { StrictestAuthorizationPolicy } from '../execution/policy/StrictestAuthorizationPolicy';
import { RedactionOptions } from '../execution/redaction/RedactionOptions';
import { AgentConfig } from '../runtime/config/AgentConfig';
import { AgentLimitsInit, AgentLimits } from '../runtime/config/AgentLimits';
import { ResolvedConfig } from '../runtime/config/ResolvedConfig';
import { StateStorage } from '../state/StateStorage';
import { ToolRegistry } from '../tool/ToolRegistry';
import { ToolSelector } from '../tool/ToolSelector';
import { NarrowingSelector } from './NarrowingSelector';
import { SubAgentOptions, WorkerRules } from './SubAgentOptions';

/** What is a worker's own. */
export interface WorkerParts {
  sessionId: string;
  registry: ToolRegistry;
  feature: AgentFeature;
  controller: AgentController;
  storage: StateStorage;
}

/** Makes the configuration of a worker out of its session's: the same, or stricter. */
export class WorkerConfig {
  /** Every member of AgentConfig is named here: one that is forgotten would be a rule that a worker does not have. */
  static of(root: ResolvedConfig, rules: WorkerRules, parts: WorkerParts): AgentConfig {
    const given: SubAgentOptions = rules.given;
    const config: AgentConfig = {
      sessionId: parts.sessionId, provider: given.provider ?? root.provider, ports: root.ports,
      systemPrompt: rules.systemPrompt, modelOptions: given.modelOptions ?? root.modelOptions,
      toolRegistry: parts.registry, toolSelector: selectorOf(root, given), features: [parts.feature],
      services: root.services, hooks: root.hooks.concat(rules.hooks), approvalPolicy: approvalOf(root, given),
      authorizationPolicy: authorizationOf(root, given), approvalScope: root.approvalScope,
      batchDenyMode: root.batchDenyMode, approvalTtlMs: root.approvalTtlMs,
      approvalWarnBeforeMs: root.approvalWarnBeforeMs === 0 ? undefined : root.approvalWarnBeforeMs,
      grants: root.grants, unknownOutcomePolicy: root.unknownOutcomePolicy, loopDetector: root.detector, loopNudge: root.loopNudge,
      redaction: redactionOf(root.redaction), secretVault: root.secretVault, artifactStore: root.artifactStore,
      stateStorage: parts.storage, controller: parts.controller, auditSink: root.auditSink, limits: limitsOf(root.limits, given.limits),
      metadata: root.metadata
    };
    return config;
  }

  /** The session's tools without those that a worker must not have. Errors: none that a fresh registry can give. */
  static registry(root: ResolvedConfig, rules: WorkerRules, own: string): Result<ToolRegistry, ArkAgentError> {
    const registry: ToolRegistry = new ToolRegistry({ unknownArguments: root.registry.unknownArguments });
    const copied: Result<number, ArkAgentError> =
      root.registry.copyIntoExcluding(registry, rules.excludedTools.concat([own]));
    return copied.ok ? Result.success<ToolRegistry, ArkAgentError>(registry) : copied.recast<ToolRegistry>();
  }
}

/** A task is written by a model and comes with its arguments opened: what a person's own words may keep, it may not. */
function redactionOf(root: RedactionOptions): RedactionOptions {
  const options: RedactionOptions = {
    enabled: root.enabled, rules: root.rules, personal: root.personal, modelText: root.modelText, input: true
  };
  return options;
}

function selectorOf(root: ResolvedConfig, given: SubAgentOptions): ToolSelector | undefined {
  const selectors: ReadonlyArray<ToolSelector> =
    given.toolSelector === undefined ? root.selectors : root.selectors.concat([given.toolSelector]);
  return selectors.length === 0 ? undefined : new NarrowingSelector(selectors);
}

function approvalOf(root: ResolvedConfig, given: SubAgentOptions): ToolApprovalPolicy {
  return given.approvalPolicy === undefined ? root.approvalPolicy :
    new StrictestToolApprovalPolicy([root.approvalPolicy, given.approvalPolicy]);
}

function authorizationOf(root: ResolvedConfig, given: SubAgentOptions): AuthorizationPolicy | undefined {
  if (given.authorizationPolicy === undefined || root.authorizationPolicy === undefined) {
    return given.authorizationPolicy ?? root.authorizationPolicy;
  }
  return new StrictestAuthorizationPolicy([root.authorizationPolicy, given.authorizationPolicy]);
}

/** The lower of two bounds, each. */
function limitsOf(root: AgentLimits, given: AgentLimitsInit | undefined): AgentLimitsInit {
  const limits: AgentLimitsInit = {
    maxTurns: lower(root.maxTurns, given?.maxTurns),
    maxCallsPerBatch: lower(root.maxCallsPerBatch, given?.maxCallsPerBatch),
    maxArgumentChars: lower(root.maxArgumentChars, given?.maxArgumentChars),
    maxInputChars: lower(root.maxInputChars, given?.maxInputChars),
    maxResponseChars: lower(root.maxResponseChars, given?.maxResponseChars),
    maxHistoryMessages: lower(root.maxHistoryMessages, given?.maxHistoryMessages),
    maxModelRetries: lower(root.maxModelRetries, given?.maxModelRetries),
    cancelGraceMs: lower(root.cancelGraceMs, given?.cancelGraceMs),
    timeoutGraceMs: lower(root.timeoutGraceMs, given?.timeoutGraceMs),
    authorizationTimeoutMs: lower(root.authorizationTimeoutMs, given?.authorizationTimeoutMs),
    maxBatchResultChars: lower(root.maxBatchResultChars, given?.maxBatchResultChars),
    maxParallelCalls: lower(root.maxParallelCalls, given?.maxParallelCalls)
  };
  return limits;
}

function lower(root: number, given: number | undefined): number {
  return given === undefined ? root : Math.min(root, given);
}
