import { ArkAgentError } from '../base/ArkAgentError';
import { CancellationController, CancellationSignal } from '../base/Cancellation';
import { ErrorCode } from '../base/ErrorCodes';
import { JsonObject } from '../json/JsonObject';
import { AgentMessage, AgentMessageInit, MessageRole } from '../message/AgentMessage';
import { ToolCall } from '../message/ToolCall';
import { ToolDefinition } from '../model/ToolDefinition';
import { AuditSink, AuditStep } from '../port/AuditSink';
import { AgentState } from '../state/AgentState';
import { CallResult } from '../state/CallResult';
import { ToolEffect } from '../tool/ToolContract';
import { ToolCallStatus, ToolResultEnvelope } from '../tool/ToolResultEnvelope';
import { AuditDeciders, AuditScope, CallAudit } from './audit/CallAudit';
import { GuardedAuditSink } from './audit/GuardedAuditSink';
import { NoCallJournal } from './seam/CallJournal';
import { CallPipeline, ToolPipelineParts } from './CallPipeline';
import { Preparation, PreparationScope } from './prepare/CallPreparer';
import { CallRejection } from './prepare/CallRejection';
import { CallReporter, SilentCallReporter } from './seam/CallReporter';
import { CallRun } from './run/CallRun';
import { EnvelopeFactory } from './run/EnvelopeFactory';
import { ExecutedCall } from './run/ExecutedCall';
import { PreparedCall, PreparedVerdict } from './prepare/PreparedCall';

/** What a direct call goes through, and who is told. */
interface DirectWay {
  pipeline: CallPipeline;
  reporter: CallReporter;
  audit: CallAudit;
}

/** A call on its way through the pipeline, outside of a run. */
type DirectCall = (call: ToolCall, sessionId: string, signal: CancellationSignal) => Promise<ToolResultEnvelope>;

/**
 * Calls tools outside of a run (DEC-42): from a command of the person, a test, a second entry. The same hooks, gates, policies,
 * filters and events as in a run; there is no other way to an executor, and none is reachable from this object.
 */
export class ToolPipeline {
  private readonly direct: DirectCall;

  constructor(parts: ToolPipelineParts) {
    const pipeline: CallPipeline = new CallPipeline(parts);
    const reporter: CallReporter = parts.reporter ?? new SilentCallReporter();
    const sink: AuditSink | undefined = parts.auditSink === undefined ? undefined : new GuardedAuditSink(parts.auditSink);
    let calls: number = 0;
    this.direct = (call: ToolCall, sessionId: string, signal: CancellationSignal): Promise<ToolResultEnvelope> => {
      calls++;
      const scope: AuditScope = {
        sessionId: sessionId, runId: '', batchId: `direct.${calls}`, proposer: AuditDeciders.APP
      };
      return callDirectly({ pipeline: pipeline, reporter: reporter, audit: CallAudit.of(sink, parts.clock, scope) },
        call, sessionId, signal);
    };
  }

  /**
   * Never rejects. Nobody can be asked here and nothing is journalled, so a call that needs consent or cannot be taken back
   * is rejected with approval_required.
   */
  call(name: string, argumentsJson: string, sessionId: string = '',
    signal: CancellationSignal = CancellationController.never()): Promise<ToolResultEnvelope> {
    return this.direct(new ToolCall('direct', name, argumentsJson, 0), sessionId, signal);
  }
}

async function callDirectly(way: DirectWay, call: ToolCall, sessionId: string,
  signal: CancellationSignal): Promise<ToolResultEnvelope> {
  const envelope: ToolResultEnvelope = await passThrough(way, call, sessionId, signal);
  way.audit.commit();
  return envelope;
}

async function passThrough(way: DirectWay, call: ToolCall, sessionId: string,
  signal: CancellationSignal): Promise<ToolResultEnvelope> {
  const batchId: string = way.audit.batchId;
  const sealed: ToolCall =
    await way.pipeline.secrets?.seal({ sessionId: sessionId, batchId: batchId, position: call.index }, call) ?? call;
  const scope: PreparationScope = directScope(way, sealed, sessionId);
  const prepared: Preparation = await way.pipeline.preparer.prepare(sealed, scope);
  if (prepared.call === undefined) {
    return answer(way, sealed, CallRejection.of(prepared.abort?.error ??
      ArkAgentError.of(ErrorCode.internalError, 'the call was not prepared')), []);
  }
  const ready: PreparedCall = prepared.call;
  if (ready.result !== undefined) {
    return answer(way, ready.call, ready.result, ready.warnings);
  }
  if (ready.verdict === PreparedVerdict.ask || ready.tool?.contract.effect === ToolEffect.irreversible) {
    way.audit.note(ready.call, AuditStep.rejected, AuditDeciders.RUNTIME, 'rejected', ErrorCode.approvalRequired);
    return answer(way, ready.call, CallRejection.of(ArkAgentError.of(ErrorCode.approvalRequired,
      'this call needs a person\'s consent; make it through a run')), ready.warnings);
  }
  const run: CallRun = {
    sessionId: sessionId, state: scope.state, batchId: batchId, attempt: 0, idempotencyKey: '', signal: signal,
    journal: new NoCallJournal(), reporter: way.reporter, audit: way.audit
  };
  const executed: ExecutedCall = await way.pipeline.runner.run(ready, run);
  const result: CallResult = executed.abort === undefined ? executed.result :
    CallRejection.withStatus(ToolCallStatus.failed, executed.abort, executed.result.elapsedMs);
  return EnvelopeFactory.of(ready.call, result, executed.startedAtMs);
}

function directScope(way: DirectWay, call: ToolCall, sessionId: string): PreparationScope {
  const tools: ReadonlyArray<ToolDefinition> = way.pipeline.registry.list();
  const init: AgentMessageInit = { role: MessageRole.assistant, toolCalls: [call] };
  const scope: PreparationScope = {
    sessionId: sessionId, batchId: way.audit.batchId, state: AgentState.fresh(sessionId, new JsonObject(), 0).snapshot(),
    modelMessage: new AgentMessage(init), availableTools: tools,
    visible: new Set<string>(tools.map((tool: ToolDefinition) => tool.name)), reporter: way.reporter,
    audit: way.audit
  };
  return scope;
}

function answer(way: DirectWay, call: ToolCall, result: CallResult,
  warnings: ReadonlyArray<string>): ToolResultEnvelope {
  const envelope: ToolResultEnvelope = EnvelopeFactory.of(call, result, 0);
  way.audit.closed(call, result.status, result.code);
  way.reporter.callFinished(call, envelope, warnings);
  return envelope;
}
