import fc from 'fast-check';
import { ApprovalDecision, ApprovalKind, ApprovalScope, BatchDenyMode } from '@core/approval/ApprovalModes';
import { DecisionReceipt } from '@core/approval/DecisionReceipt';
import { PendingApprovalBatch } from '@core/approval/PendingApprovalBatch';
import { PendingApprovalItem } from '@core/approval/PendingApprovalItem';
import { PendingPlanReview } from '@core/approval/PlanReview';
import { JsonCodec } from '@core/json/JsonCodec';
import type { JsonObject } from '@core/json/JsonObject';
import type { JsonValue } from '@core/json/JsonValue';
import { AgentMessage, MessageRole } from '@core/message/AgentMessage';
import { ContentPart } from '@core/message/ContentPart';
import { MessageList } from '@core/message/MessageList';
import { ToolCall } from '@core/message/ToolCall';
import { Usage } from '@core/message/Usage';
import { ToolRiskLevel } from '@core/model/ToolDefinition';
import { AgentState } from '@core/state/AgentState';
import { AgentStopReason } from '@core/state/AgentStopReason';
import { ApprovalSiblings } from '@core/state/ApprovalSiblings';
import { CallResult } from '@core/state/CallResult';
import { OpenBatch } from '@core/state/OpenBatch';
import { CallStatus, CallTarget, OpenCall } from '@core/state/OpenCall';
import { RunRecord, RunStatus } from '@core/state/RunRecord';
import { StateSlice } from '@core/state/StateSlice';
import { ToolEffect } from '@core/tool/ToolContract';
import { ToolCallStatus } from '@core/tool/ToolResultEnvelope';

const json = new JsonCodec();
const text = fc.oneof(fc.string({ maxLength: 12 }), fc.string({ unit: 'binary', maxLength: 6 }), fc.constantFrom('__proto__', '10', '9', '\ud800', '"\\\n\u0000', '烘焙🥖'));
const ms = fc.integer({ min: 0, max: 2_000_000_000_000 });
const count = fc.nat({ max: 1000 });

function maybe<T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.option(value, { nil: undefined });
}

function oneOf<T extends string>(values: Record<string, T>): fc.Arbitrary<T> {
  return fc.constantFrom(...Object.values(values));
}

const jsonValue: fc.Arbitrary<JsonValue> = fc.jsonValue({ maxDepth: 3 }).map((value) => json.parse(JSON.stringify(value)).value);
const jsonObject: fc.Arbitrary<JsonObject> = fc.dictionary(text, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 })
  .map((value) => json.parseObject(JSON.stringify(value)).value.seal());

const part = fc.oneof(
  text.map((value) => ContentPart.text(value)),
  jsonValue.map((value) => ContentPart.json(value)),
  fc.tuple(fc.constantFrom('image', 'audio', 'file'), text, text).map(([kind, uri, mime]) =>
    kind === 'image' ? ContentPart.image(uri, mime) : kind === 'audio' ? ContentPart.audio(uri, mime) : ContentPart.file(uri, mime)),
);
const usage = fc.tuple(count, count, count).map(([a, b, c]) => new Usage(a, b, c));
const call = fc.tuple(text, text, text, fc.nat({ max: 5 })).map(([id, name, args, index]) => new ToolCall(id, name, args, index));

function message(id: string): fc.Arbitrary<AgentMessage> {
  return fc.record({
    id: fc.constant(id), role: oneOf(MessageRole), contents: fc.array(part, { maxLength: 3 }), toolCalls: fc.array(call, { maxLength: 2 }),
    toolCallId: maybe(text), isError: fc.boolean(), reasoning: maybe(text), createdAtMs: ms, usage: maybe(usage), extras: maybe(jsonObject),
    interrupted: fc.boolean(),
  }).map((init) => new AgentMessage(init));
}

export const history: fc.Arbitrary<AgentMessage[]> = fc.nat({ max: 4 })
  .chain((length) => fc.tuple(...Array.from({ length }, (_, i) => message(`m${i}`))).map((all) => [...all]));

const result = fc.record({
  status: oneOf(ToolCallStatus), code: text, contents: fc.array(part, { maxLength: 2 }), isError: fc.boolean(), stopFlag: fc.boolean(),
  metadata: maybe(jsonObject), elapsedMs: fc.double({ min: 0, max: 1e6, noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  artifact: maybe(fc.record({ file: text, chars: count, sha256: text })),
}).map((init) => new CallResult(init));

const target = fc.tuple(text, text).map(([name, args]) => new CallTarget(name, args));

function openCall(position: number): fc.Arbitrary<OpenCall> {
  return fc.record({
    position: fc.constant(position), status: oneOf(CallStatus), effective: target, attempt: count, proposed: maybe(target), digest: maybe(text),
    definitionHash: maybe(text), idempotencyKey: maybe(text), reason: maybe(text), result: maybe(result),
    injected: fc.array(message('i'), { maxLength: 1 }), startedAtMs: maybe(ms), childSessionId: maybe(text),
    inspection: maybe(fc.record({ tool: text, jobId: text })), lateResult: maybe(result),
  }).map((init) => new OpenCall(init));
}

const openBatch = fc.record({
  batchId: text, runId: text, assistantMessageId: text, mode: oneOf(BatchDenyMode), scope: oneOf(ApprovalScope),
  visibleTools: fc.array(text, { maxLength: 3 }), calls: fc.tuple(openCall(0), openCall(1), openCall(2)),
}).map((init) => new OpenBatch(init));

const item = fc.record({
  approvalId: text, position: fc.nat({ max: 2 }), round: count, kind: oneOf(ApprovalKind), toolCall: call, proposedCall: maybe(call),
  riskLevel: oneOf(ToolRiskLevel), effect: oneOf(ToolEffect), reason: text, digest: maybe(text), definitionHash: maybe(text), createdAtMs: ms,
  expiresAtMs: maybe(ms), decision: oneOf(ApprovalDecision), denyReason: maybe(text), decidedAtMs: maybe(ms),
  decidedBy: maybe(fc.oneof(text, fc.constant('policy'))), warnings: fc.array(text, { maxLength: 2 }), origin: fc.array(text, { maxLength: 2 }),
  predecessorUnknown: fc.boolean(),
}).map((init) => new PendingApprovalItem(init));

const receipt = fc.tuple(text, text, fc.array(fc.record({
  approvalId: text, decision: oneOf(ApprovalDecision), decidedBy: text, decidedAtMs: ms,
}), { maxLength: 2 })).map(([batchId, closedBy, entries]) => new DecisionReceipt(batchId, closedBy, entries));

const run = fc.record({
  runId: text, status: oneOf(RunStatus), segment: count, turn: count, stopReason: maybe(oneOf(AgentStopReason)), modelRetries: count, pendingStop: maybe(fc.constantFrom(AgentStopReason.toolStop, AgentStopReason.hookStop)),
}).map((init) => new RunRecord(init));

const slices = fc.array(fc.tuple(text, count, jsonObject), { maxLength: 3 })
  .map((all) => new Map(all.map(([name, version, value]) => [name, new StateSlice(version, value)] as const)));

/** Any state that the types allow, whether it makes sense or not. */
export const anyState: fc.Arbitrary<AgentState> = fc.tuple(history, maybe(openBatch), fc.array(item, { maxLength: 3 })).chain(
  ([messages, batch, items]) => fc.record({
    sessionId: text, incarnation: text, revision: count, commitId: text, createdAtMs: ms, updatedAtMs: ms, resumable: fc.boolean(),
    metadata: jsonObject, usage, run: maybe(run), history: fc.constant(MessageList.of(messages)), openBatch: fc.constant(batch),
    pendingApproval: messages.length === 0 ? fc.constant(undefined) : maybe(fc.nat({ max: messages.length - 1 }).map((at) =>
      new PendingApprovalBatch({
        batchId: 'b', runId: 'r', createdAtMs: 5, items, modelMessage: messages[at], siblings: ApprovalSiblings.of(batch, items),
      }))),
    pendingPlanReview: maybe(fc.tuple(text, text, jsonObject, ms).map(([id, runId, plan, at]) => new PendingPlanReview(id, runId, plan, at))),
    loopWindow: fc.array(text, { maxLength: 3 }), receipts: fc.array(receipt, { maxLength: 2 }), slices,
  }).map((parts) => new AgentState(parts)),
);
