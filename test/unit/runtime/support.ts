import { ApprovalScope, BatchDenyMode } from '@core/approval/ApprovalModes';
import { PreparedCall, type PreparedCallInit, PreparedVerdict } from '@core/execution/prepare/PreparedCall';
import { JsonCodec } from '@core/json/JsonCodec';
import type { JsonObject } from '@core/json/JsonObject';
import { AgentMessage, MessageRole } from '@core/message/AgentMessage';
import { ToolCall } from '@core/message/ToolCall';
import { ToolDefinition, ToolRiskLevel } from '@core/model/ToolDefinition';
import { BatchWork } from '@core/runtime/ledger/BatchWork';
import { CallStatus, CallTarget, OpenCall, type OpenCallInit } from '@core/state/OpenCall';
import { RecordingTool } from '@core/testing/RecordingTool';
import { PipelineToken } from '@core/tool/PipelineToken';
import type { RegisteredTool } from '@core/tool/RegisteredTool';
import { type ToolContract, ToolEffect } from '@core/tool/ToolContract';
import { ToolRegistry } from '@core/tool/ToolRegistry';

export const json = (text: string): JsonObject => new JsonCodec().parseObject(text).value;

export function tool(name: string, contract?: ToolContract, risk = ToolRiskLevel.dangerous): RegisteredTool {
  const registry = new ToolRegistry();
  const added = registry.register(new ToolDefinition(name, `The tool ${name}.`, json('{"type":"object"}'), risk), new RecordingTool(), contract);
  if (!added.ok) throw added.error;
  return registry.resolve(name, new PipelineToken('test')) as RegisteredTool;
}

export const effectful: ToolContract = { effect: ToolEffect.irreversible };
export const call = (position: number, name = 'pay', args = '{}'): ToolCall => new ToolCall(`c${position}`, name, args, position);

/** A call that asks, unless told otherwise. */
export function prepared(position: number, over: Partial<PreparedCallInit> = {}): PreparedCall {
  const own = over.call ?? call(position);
  return new PreparedCall({ original: own, call: own, verdict: PreparedVerdict.ask, tool: tool(own.name, effectful), args: json('{}'), warnings: [], ...over });
}

export function open(position: number, status: CallStatus, over: Partial<OpenCallInit> = {}): OpenCall {
  return new OpenCall({ position, status, effective: new CallTarget('pay', '{}'), attempt: 0, ...over });
}

export function work(calls: OpenCall[], known: Array<PreparedCall | undefined>, scope = ApprovalScope.flagged): BatchWork {
  const message = new AgentMessage({ role: MessageRole.assistant, id: 'm', toolCalls: calls.map((one) => call(one.position, one.effective.name, one.effective.argumentsJson)) });
  return new BatchWork({ batchId: 'b', runId: 'r', message, mode: BatchDenyMode.atomic, scope, visibleTools: [], calls, prepared: known });
}
