import { GrantRules } from '../../approval/ApprovalGrant';
import { ApprovalScope, BatchDenyMode, UnknownOutcomePolicy } from '../../approval/ApprovalModes';
import { DefaultToolApprovalPolicy, ToolApprovalPolicy } from '../../approval/ApprovalPolicy';
import { AuthorizationPolicy } from '../../approval/AuthorizationPolicy';
import { ArkAgentError } from '../../base/ArkAgentError';
import { ErrorCode } from '../../base/ErrorCodes';
import { Result } from '../../base/Result';
import { AgentController } from '../../control/AgentController';
import { AgentFeature } from '../../control/AgentFeature';
import { GuardedAuditSink } from '../../execution/audit/GuardedAuditSink';
import { RedactionOptions } from '../../execution/redaction/RedactionOptions';
import { SecretVault } from '../../execution/vault/SecretVault';
import { AgentHook } from '../../hook/AgentHook';
import { JsonObject } from '../../json/JsonObject';
import { DefaultLoopDetector } from '../../loop/DefaultLoopDetector';
import { LoopDetector } from '../../loop/LoopDetector';
import { ModelProvider } from '../../model/ModelProvider';
import { ModelOptions } from '../../model/ModelRequest';
import { ArtifactStore } from '../../port/ArtifactStore';
import { LogLevel, Logger, SilentLogger } from '../../port/Logger';
import { ToolDefinition, ToolRiskLevel } from '../../model/ToolDefinition';
import { InMemoryStateStorage } from '../../state/InMemoryStateStorage';
import { StateStorage } from '../../state/StateStorage';
import { ToolRegistry } from '../../tool/ToolRegistry';
import { ToolSelector } from '../../tool/ToolSelector';
import { ToolServiceRegistry } from '../../tool/ToolService';
import { AgentConfig, AgentPorts } from './AgentConfig';
import { AgentLimits } from './AgentLimits';

const NO_OPTIONS: ModelOptions = {};
const NO_REDACTION_OPTIONS: RedactionOptions = {};
const NO_GRANT_RULES: GrantRules = {};

/** A configuration with every default filled in, checked once. Immutable. */
export class ResolvedConfig {
  readonly sessionId: string;
  readonly provider: ModelProvider;
  readonly ports: AgentPorts;
  readonly logger: Logger;
  readonly systemPrompt: string;
  readonly modelOptions: ModelOptions;
  readonly registry: ToolRegistry;
  readonly selectors: ReadonlyArray<ToolSelector>;
  readonly features: ReadonlyArray<AgentFeature>;
  readonly services: ToolServiceRegistry;
  /** The app's, then those of the features. */
  readonly hooks: ReadonlyArray<AgentHook>;
  readonly approvalPolicy: ToolApprovalPolicy;
  readonly authorizationPolicy: AuthorizationPolicy | undefined;
  readonly approvalScope: ApprovalScope;
  readonly batchDenyMode: BatchDenyMode;
  readonly approvalTtlMs: number | undefined;
  /** Milliseconds; 0 = no warning. */
  readonly approvalWarnBeforeMs: number;
  readonly unknownOutcomePolicy: UnknownOutcomePolicy;
  readonly grants: GrantRules;
  readonly detector: LoopDetector;
  readonly loopNudge: string | undefined;
  readonly storage: StateStorage;
  readonly redaction: RedactionOptions;
  readonly secretVault: SecretVault | undefined;
  readonly artifactStore: ArtifactStore | undefined;
  readonly controller: AgentController | undefined;
  readonly auditSink: GuardedAuditSink | undefined;
  readonly limits: AgentLimits;
  readonly metadata: JsonObject;

  private constructor(config: AgentConfig) {
    this.sessionId = config.sessionId;
    this.provider = config.provider;
    this.ports = config.ports;
    this.logger = config.ports.logger ?? new SilentLogger();
    this.systemPrompt = config.systemPrompt ?? '';
    this.modelOptions = config.modelOptions ?? NO_OPTIONS;
    this.registry = config.toolRegistry ?? config.toolCatalog?.registry ?? new ToolRegistry();
    this.services = config.services ?? new ToolServiceRegistry();
    this.features = (config.features ?? []).slice();
    this.hooks = allHooks(config.hooks ?? [], this.features);
    this.selectors = allSelectors(config.toolSelector, this.features);
    this.approvalPolicy = config.approvalPolicy ?? new DefaultToolApprovalPolicy();
    this.authorizationPolicy = config.authorizationPolicy;
    this.approvalScope = config.approvalScope ?? ApprovalScope.flagged;
    this.batchDenyMode = config.batchDenyMode ?? BatchDenyMode.atomic;
    this.approvalTtlMs = config.approvalTtlMs;
    this.approvalWarnBeforeMs = config.approvalWarnBeforeMs ?? 0;
    this.grants = config.grants ?? NO_GRANT_RULES;
    this.unknownOutcomePolicy = config.unknownOutcomePolicy ?? UnknownOutcomePolicy.report;
    this.detector = config.loopDetector ?? new DefaultLoopDetector();
    this.loopNudge = config.loopNudge;
    this.storage = config.stateStorage ?? new InMemoryStateStorage();
    this.redaction = config.redaction ?? NO_REDACTION_OPTIONS;
    this.secretVault = config.secretVault;
    this.artifactStore = config.artifactStore;
    this.controller = config.controller;
    this.auditSink = config.auditSink === undefined ? undefined : new GuardedAuditSink(config.auditSink);
    this.limits = new AgentLimits(config.limits);
    this.metadata = config.metadata ?? new JsonObject();
  }

  /** Errors: config_invalid, with every problem named in details.problems. */
  static of(config: AgentConfig): Result<ResolvedConfig, ArkAgentError> {
    const problems: string[] = problemsOf(config);
    if (problems.length === 0) {
      const resolved: ResolvedConfig = new ResolvedConfig(config);
      resolved.warn();
      return Result.success<ResolvedConfig, ArkAgentError>(resolved);
    }
    return Result.failure<ResolvedConfig, ArkAgentError>(
      ArkAgentError.of(ErrorCode.configInvalid, `the configuration is not usable: ${problems.join('; ')}`)
        .withDetail('problems', problems));
  }

  /** A consent that does not survive a kill is worth a word, not a refusal (DEC-11). */
  private warn(): void {
    if (!this.storage.durable && this.registry.list().some((tool: ToolDefinition) => tool.riskLevel !== ToolRiskLevel.safe)) {
      this.logger.log(LogLevel.warn, 'arkagent',
        'tools with effects meet a storage that is not durable: a question does not survive the process');
    }
  }
}

/** Everything that is wrong, at once. What TypeScript checks is checked too: a caller may have gone round it. */
function problemsOf(config: AgentConfig): string[] {
  const problems: string[] = [];
  if (typeof config.sessionId !== 'string') {
    problems.push('sessionId is missing');
  } else if (config.sessionId.trim() === '' || config.sessionId.length > 200) {
    problems.push('sessionId must have 1 to 200 characters and not be blank');
  }
  addMissing(problems, 'provider', config.provider);
  addMissing(problems, 'ports', config.ports);
  if (config.ports !== undefined && config.ports !== null) {
    addMissing(problems, 'ports.clock', config.ports.clock);
    addMissing(problems, 'ports.scheduler', config.ports.scheduler);
    addMissing(problems, 'ports.ids', config.ports.ids);
    addMissing(problems, 'ports.digest', config.ports.digest);
  }
  if (config.toolRegistry !== undefined && config.toolCatalog !== undefined) {
    problems.push('toolRegistry and toolCatalog exclude each other');
  }
  const ttlMs: number | undefined = config.approvalTtlMs;
  if (ttlMs !== undefined && !(Number.isSafeInteger(ttlMs) && ttlMs > 0)) {
    problems.push('approvalTtlMs must be a whole number of milliseconds above 0');
  }
  const warnMs: number | undefined = config.approvalWarnBeforeMs;
  if (warnMs !== undefined && !(Number.isSafeInteger(warnMs) && warnMs > 0 && ttlMs !== undefined && warnMs < ttlMs)) {
    problems.push('approvalWarnBeforeMs must be a whole number of milliseconds above 0 and below approvalTtlMs');
  }
  if (config.loopNudge !== undefined && config.loopNudge.trim() === '') {
    problems.push('loopNudge must not be blank');
  }
  const most: number | undefined = config.grants?.maxGrants;
  if (most !== undefined && !(Number.isSafeInteger(most) && most >= 0)) {
    problems.push('grants.maxGrants must be a whole number of at least 0');
  }
  return problems.concat(new AgentLimits(config.limits).problems());
}

function allHooks(own: ReadonlyArray<AgentHook>, features: ReadonlyArray<AgentFeature>): ReadonlyArray<AgentHook> {
  const hooks: AgentHook[] = own.slice();
  for (const feature of features) {
    hooks.push(...feature.hooks());
  }
  return hooks;
}

function allSelectors(own: ToolSelector | undefined, features: ReadonlyArray<AgentFeature>): ReadonlyArray<ToolSelector> {
  const selectors: ToolSelector[] = own === undefined ? [] : [own];
  for (const feature of features) {
    const selector: ToolSelector | undefined = feature.selector();
    if (selector !== undefined) {
      selectors.push(selector);
    }
  }
  return selectors;
}

function addMissing(problems: string[], name: string, part: Object | null | undefined): void {
  if (part === undefined || part === null) {
    problems.push(`${name} is missing`);
  }
}
