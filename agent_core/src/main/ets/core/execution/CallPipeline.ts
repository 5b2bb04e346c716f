import { ToolApprovalPolicy } from '../approval/ApprovalPolicy';
import { AuthorizationPolicy } from '../approval/AuthorizationPolicy';
import { AgentHookPipeline } from '../hook/AgentHookPipeline';
import { AuditSink } from '../port/AuditSink';
import { Clock } from '../port/Clock';
import { SilentLogger } from '../port/Logger';
import { Scheduler } from '../port/Scheduler';
import { ToolRegistry } from '../tool/ToolRegistry';
import { ToolServiceRegistry } from '../tool/ToolService';
import { ResultSizer, ResultSizerParts } from './artifact/ResultSizer';
import { AfterHooks } from './run/AfterHooks';
import { AnswerMaker } from './run/AnswerMaker';
import { CallContexts } from './run/CallContexts';
import { CallGates } from './prepare/CallGates';
import { CallPreparer } from './prepare/CallPreparer';
import { CallReporter } from './seam/CallReporter';
import { CallRunner, CallRunnerParts } from './run/CallRunner';
import { ConsentCheck } from './prepare/ConsentCheck';
import { Redactor } from './redaction/Redactor';
import { ResultFilter, ResultLimiter } from './filter/ResultFilter';
import { ResultFilters } from './filter/ResultFilters';
import { InvocationGrace, ToolInvoker } from './run/ToolInvoker';
import { CallSecrets } from './vault/CallSecrets';

/** What a pipeline is made of. */
export interface ToolPipelineParts {
  registry: ToolRegistry;
  hooks: AgentHookPipeline;
  approvalPolicy: ToolApprovalPolicy;
  authorizationPolicy?: AuthorizationPolicy;
  clock: Clock;
  scheduler: Scheduler;
  services?: ToolServiceRegistry;
  /** Applied after redaction and before the size limit. */
  filters?: ReadonlyArray<ResultFilter>;
  /** Masks results, errors, progress and arguments; default: nothing is masked. */
  redactor?: Redactor;
  /** Arguments with secrets; goes with `redactor`. */
  secrets?: CallSecrets;
  /** Where results go that are too large; default: they are cut. */
  sizer?: ResultSizer;
  /** UTF-16 code units. */
  maxArgumentChars: number;
  /** UTF-16 code units of result text per batch; default: each call may use what its contract allows. */
  maxBatchResultChars?: number;
  grace: InvocationGrace;
  /** Milliseconds until a silent authorization policy counts as a rejection; default 30,000. */
  authorizationTimeoutMs?: number;
  /** Told of direct calls; the calls of a run report to that run. */
  reporter?: CallReporter;
  /** Gets the records of direct calls; those of a run go to the run's sink. */
  auditSink?: AuditSink;
}

/**
 * The two phases with what they need, in one visible order: hooks, gates, authorization and policy; then journal, executor,
 * filters, journal, hooks and events. Only the runtime and `ToolPipeline` hold one; apps never see it.
 *
 * @internal
 */
export class CallPipeline {
  readonly registry: ToolRegistry;
  readonly gates: CallGates;
  readonly preparer: CallPreparer;
  readonly runner: CallRunner;
  readonly secrets: CallSecrets | undefined;
  /** UTF-16 code units. */
  readonly maxBatchResultChars: number;

  constructor(parts: ToolPipelineParts) {
    this.registry = parts.registry;
    this.gates = new CallGates(parts.registry, parts.maxArgumentChars);
    this.secrets = parts.secrets;
    this.maxBatchResultChars = parts.maxBatchResultChars ?? Number.MAX_SAFE_INTEGER;
    const first: ReadonlyArray<ResultFilter> = parts.redactor === undefined ? [] : [parts.redactor];
    const masks: ReadonlyArray<ResultFilter> = first.concat(parts.filters ?? []);
    const filters: ResultFilters = new ResultFilters(masks.concat([new ResultLimiter()]));
    this.preparer = new CallPreparer(parts.hooks, this.gates,
      new ConsentCheck(parts.approvalPolicy, parts.authorizationPolicy, parts.scheduler, parts.authorizationTimeoutMs ?? 30000),
      parts.secrets, filters);
    const sizerParts: ResultSizerParts = { logger: new SilentLogger() };
    const answers: AnswerMaker =
      new AnswerMaker(filters, new ResultFilters(masks), parts.sizer ?? new ResultSizer(sizerParts));
    const runnerParts: CallRunnerParts = {
      clock: parts.clock, scheduler: parts.scheduler, invoker: new ToolInvoker(parts.scheduler, parts.grace),
      contexts: new CallContexts(parts.services ?? new ToolServiceRegistry(), parts.clock, parts.secrets),
      answers: answers, hooks: new AfterHooks(parts.hooks, filters), gates: this.gates, secrets: parts.secrets
    };
    this.runner = new CallRunner(runnerParts);
  }
}
