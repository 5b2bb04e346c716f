import { GrantRules } from '../../approval/ApprovalGrant';
import { ApprovalScope, BatchDenyMode, UnknownOutcomePolicy } from '../../approval/ApprovalModes';
import { ToolApprovalPolicy } from '../../approval/ApprovalPolicy';
import { AuthorizationPolicy } from '../../approval/AuthorizationPolicy';
import { AgentController } from '../../control/AgentController';
import { AgentFeature } from '../../control/AgentFeature';
import { RedactionOptions } from '../../execution/redaction/RedactionOptions';
import { SecretVault } from '../../execution/vault/SecretVault';
import { AgentHook } from '../../hook/AgentHook';
import { JsonObject } from '../../json/JsonObject';
import { LoopDetector } from '../../loop/LoopDetector';
import { ModelProvider } from '../../model/ModelProvider';
import { ModelOptions } from '../../model/ModelRequest';
import { ArtifactStore } from '../../port/ArtifactStore';
import { AuditSink } from '../../port/AuditSink';
import { Clock } from '../../port/Clock';
import { Digest } from '../../port/Digest';
import { IdGenerator } from '../../port/IdGenerator';
import { Logger } from '../../port/Logger';
import { Scheduler } from '../../port/Scheduler';
import { StateStorage } from '../../state/StateStorage';
import { ToolCatalog } from '../../tool/ToolCatalog';
import { ToolRegistry } from '../../tool/ToolRegistry';
import { ToolSelector } from '../../tool/ToolSelector';
import { ToolServiceRegistry } from '../../tool/ToolService';
import { AgentLimitsInit } from './AgentLimits';

/** What the runtime needs from its host. */
export interface AgentPorts {
  clock: Clock;
  scheduler: Scheduler;
  ids: IdGenerator;
  digest: Digest;
  /** Default: nothing is logged. */
  logger?: Logger;
}

/** How a session is set up. Required: sessionId, provider, ports. Validated once, by `AgentRuntime.open`. */
export interface AgentConfig {
  /** 1 to 200 characters, the same over restarts. */
  sessionId: string;
  provider: ModelProvider;
  ports: AgentPorts;
  /** Default: empty. */
  systemPrompt?: string;
  modelOptions?: ModelOptions;
  /** Default: no tools. */
  toolRegistry?: ToolRegistry;
  /** Tools of several sources, in place of toolRegistry; sources may come and go while the session is open. */
  toolCatalog?: ToolCatalog;
  /** Which tools the model sees in a turn; default: all of them. */
  toolSelector?: ToolSelector;
  /** Parts added to the session, in order: plan, sub-agents … Their tools are in the registry already. */
  features?: ReadonlyArray<AgentFeature>;
  /** What tools may reach; default: nothing. */
  services?: ToolServiceRegistry;
  /** In the order in which they run. */
  hooks?: ReadonlyArray<AgentHook>;
  /** Default: safe runs, sensitive and dangerous ask. */
  approvalPolicy?: ToolApprovalPolicy;
  /** Default: every call is authorized. */
  authorizationPolicy?: AuthorizationPolicy;
  /** Default: flagged. */
  approvalScope?: ApprovalScope;
  /** Default: atomic. */
  batchDenyMode?: BatchDenyMode;
  /** Milliseconds until a question counts as denied; default: never. */
  approvalTtlMs?: number;
  /** Milliseconds before that at which `approval.expiring` warns; default: no warning. */
  approvalWarnBeforeMs?: number;
  /** What a person's yes may be remembered for; default: nothing dangerous, 100 grants. */
  grants?: GrantRules;
  /** Default: report. */
  unknownOutcomePolicy?: UnknownOutcomePolicy;
  /** Default: five equal signatures. */
  loopDetector?: LoopDetector;
  /** Told to the model once per run when it goes in circles; the next loop ends the run. Default: the first one does. */
  loopNudge?: string;
  /** Default: in memory, which survives nothing. */
  stateStorage?: StateStorage;
  /** What is masked before anything is stored, shown, logged or sent; default: the shipped rules, everywhere but in input. */
  redaction?: RedactionOptions;
  /** Keeps secrets in arguments until their call has run; default: such a call is refused (tool_argument_secret). */
  secretVault?: SecretVault;
  /** Keeps results that are too large; the model reads them with `read_artifact`. Default: they are cut. */
  artifactStore?: ArtifactStore;
  controller?: AgentController;
  /** Gets a record of every step of every call; default: none are made. A failing sink changes nothing. */
  auditSink?: AuditSink;
  limits?: AgentLimitsInit;
  /** The app's own data, stored with a new session and shown to tools and hooks. */
  metadata?: JsonObject;
}
