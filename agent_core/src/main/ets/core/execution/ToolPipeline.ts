import { ToolApprovalPolicy } from '../approval/ApprovalPolicy';
import { AuthorizationPolicy } from '../approval/AuthorizationPolicy';
import { ArkAgentError } from '../base/ArkAgentError';
import { CancellationController, CancellationSignal } from '../base/Cancellation';
import { ErrorCode } from '../base/ErrorCodes';
import { AgentHookPipeline } from '../hook/AgentHookPipeline';
import { JsonObject } from '../json/JsonObject';
import { AgentMessage, AgentMessageInit, MessageRole } from '../message/AgentMessage';
import { ToolCall } from '../message/ToolCall';
import { ToolDefinition } from '../model/ToolDefinition';
import { Clock } from '../port/Clock';
import { Scheduler } from '../port/Scheduler';
import { AgentState } from '../state/AgentState';
import { CallResult } from '../state/CallResult';
import { ToolEffect } from '../tool/ToolContract';
import { ToolRegistry } from '../tool/ToolRegistry';
import { ToolResultEnvelope } from '../tool/ToolResultEnvelope';
import { ToolServiceRegistry } from '../tool/ToolService';
import { CallGates } from './CallGates';
import { NoCallJournal } from './CallJournal';
import { CallPreparer, Preparation, PreparationScope } from './CallPreparer';
import { CallRejection } from './CallRejection';
import { CallReporter, SilentCallReporter } from './CallReporter';
import { CallRun, CallRunner, CallRunnerParts } from './CallRunner';
import { ConsentCheck } from './ConsentCheck';
import { EnvelopeFactory } from './EnvelopeFactory';
import { ExecutedCall } from './ExecutedCall';
import { PreparedCall, PreparedVerdict } from './PreparedCall';
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
  /** Told of direct calls; the calls of a run report to that run. */
  reporter?: CallReporter;
}

/**
 * The only way to an executor: hooks, gates, authorization, policy, then (for what may run) journal, executor, filters,
 * hooks and events. A run feeds it the calls of a message; an app may make a direct call.
 */
export class ToolPipeline {
  readonly gates: CallGates;
  readonly preparer: CallPreparer;
  readonly runner: CallRunner;
  private readonly registry: ToolRegistry;
  private readonly reporter: CallReporter;

  constructor(parts: ToolPipelineParts) {
    this.registry = parts.registry;
    this.reporter = parts.reporter ?? new SilentCallReporter();
    this.gates = new CallGates(parts.registry, parts.maxArgumentChars);
    this.preparer = new CallPreparer(parts.hooks, this.gates,
      new ConsentCheck(parts.approvalPolicy, parts.authorizationPolicy));
    const filters: ResultFilter[] = (parts.filters ?? []).concat([new ResultLimiter()]);
    const runnerParts: CallRunnerParts = {
      clock: parts.clock, scheduler: parts.scheduler, invoker: new ToolInvoker(parts.scheduler, parts.grace),
      hooks: parts.hooks, filters: new ResultFilters(filters), services: parts.services ?? new ToolServiceRegistry()
    };
    this.runner = new CallRunner(runnerParts);
  }

  /**
   * One call outside of a run (DEC-42): the same hooks, gates, policies, filters and events, but nobody can be asked and
   * nothing is journalled, so a call that needs consent or cannot be taken back is rejected with approval_required.
   */
  async call(name: string, argumentsJson: string, sessionId: string = '',
    signal: CancellationSignal = CancellationController.never()): Promise<ToolResultEnvelope> {
    const call: ToolCall = new ToolCall('direct', name, argumentsJson, 0);
    const scope: PreparationScope = this.directScope(call, sessionId);
    const prepared: Preparation = await this.preparer.prepare(call, scope);
    if (prepared.call === undefined) {
      return this.answer(call, CallRejection.of(prepared.abort?.error ??
        ArkAgentError.of(ErrorCode.internalError, 'the call was not prepared')));
    }
    const ready: PreparedCall = prepared.call;
    if (ready.result !== undefined) {
      return this.answer(ready.call, ready.result);
    }
    if (ready.verdict === PreparedVerdict.ask || ready.tool?.contract.effect === ToolEffect.irreversible) {
      return this.answer(ready.call, CallRejection.of(ArkAgentError.of(ErrorCode.approvalRequired,
        'this call needs a person\'s consent; make it through a run')));
    }
    const run: CallRun = {
      sessionId: sessionId, state: scope.state, batchId: 'direct', attempt: 0, idempotencyKey: '', signal: signal,
      journal: new NoCallJournal(), reporter: this.reporter
    };
    const executed: ExecutedCall = await this.runner.run(ready, run);
    const result: CallResult = executed.abort === undefined ? executed.result : CallRejection.of(executed.abort);
    return EnvelopeFactory.of(ready.call, result, 0);
  }

  private directScope(call: ToolCall, sessionId: string): PreparationScope {
    const names: Set<string> = new Set<string>();
    const tools: ReadonlyArray<ToolDefinition> = this.registry.list();
    for (const tool of tools) {
      names.add(tool.name);
    }
    const init: AgentMessageInit = { role: MessageRole.assistant, toolCalls: [call] };
    const scope: PreparationScope = {
      sessionId: sessionId, state: AgentState.fresh(sessionId, new JsonObject(), 0).snapshot(),
      modelMessage: new AgentMessage(init), availableTools: tools, visible: names, reporter: this.reporter
    };
    return scope;
  }

  private answer(call: ToolCall, result: CallResult): ToolResultEnvelope {
    const envelope: ToolResultEnvelope = EnvelopeFactory.of(call, result, 0);
    this.reporter.callFinished(call, envelope);
    return envelope;
  }
}
