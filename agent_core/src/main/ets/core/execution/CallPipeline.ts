import { ToolApprovalPolicy } from '../approval/ApprovalPolicy';
import { AuthorizationPolicy } from '../approval/AuthorizationPolicy';
import { AgentHookPipeline } from '../hook/AgentHookPipeline';
import { AuditSink } from '../port/AuditSink';
import { Clock } from '../port/Clock';
import { Scheduler } from '../port/Scheduler';
import { ToolRegistry } from '../tool/ToolRegistry';
import { ToolServiceRegistry } from '../tool/ToolService';
import { CallGates } from './CallGates';
import { CallPreparer } from './CallPreparer';
import { CallReporter } from './CallReporter';
import { CallRunner, CallRunnerParts } from './CallRunner';
import { ConsentCheck } from './ConsentCheck';
import { ResultFilter, ResultLimiter } from './ResultFilter';
import { ResultFilters } from './ResultFilters';
import { InvocationGrace, ToolInvoker } from './ToolInvoker';

/** What a pipeline is made of. */
export interface ToolPipelineParts {
  registry: ToolRegistry;
  hooks: AgentHookPipeline;
  approvalPolicy: ToolApprovalPolicy;
  authorizationPolicy?: AuthorizationPolicy;
  clock: Clock;
  scheduler: Scheduler;
  services?: ToolServiceRegistry;
  /** Applied before the size limit. */
  filters?: ReadonlyArray<ResultFilter>;
  /** UTF-16 code units. */
  maxArgumentChars: number;
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

  constructor(parts: ToolPipelineParts) {
    this.registry = parts.registry;
    this.gates = new CallGates(parts.registry, parts.maxArgumentChars);
    this.preparer = new CallPreparer(parts.hooks, this.gates,
      new ConsentCheck(parts.approvalPolicy, parts.authorizationPolicy, parts.scheduler, parts.authorizationTimeoutMs ?? 30000));
    const filters: ResultFilter[] = (parts.filters ?? []).concat([new ResultLimiter()]);
    const runnerParts: CallRunnerParts = {
      clock: parts.clock, scheduler: parts.scheduler, invoker: new ToolInvoker(parts.scheduler, parts.grace),
      hooks: parts.hooks, filters: new ResultFilters(filters), services: parts.services ?? new ToolServiceRegistry()
    };
    this.runner = new CallRunner(runnerParts);
  }
}
