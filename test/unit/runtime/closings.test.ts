import { describe, expect, it } from 'vitest';
import { ApprovalScope, BatchDenyMode } from '@core/approval/ApprovalModes';
import { CallAudit } from '@core/execution/audit/CallAudit';
import { SilentCallReporter } from '@core/execution/seam/CallReporter';
import { PreparedCall, PreparedVerdict } from '@core/execution/prepare/PreparedCall';
import { JsonObject } from '@core/json/JsonObject';
import { AgentMessage, MessageRole } from '@core/message/AgentMessage';
import type { ToolCall } from '@core/message/ToolCall';
import { ToolRiskLevel } from '@core/model/ToolDefinition';
import type { AuditRecord } from '@core/port/AuditSink';
import { BatchMessages } from '@core/runtime/ledger/BatchMessages';
import { CallClosings } from '@core/runtime/ledger/CallClosings';
import { CallLedger } from '@core/runtime/ledger/CallLedger';
import { ToldCalls } from '@core/runtime/ledger/ToldCalls';
import { CallResult } from '@core/state/CallResult';
import { OpenBatch } from '@core/state/OpenBatch';
import { CallStatus, CallTarget, CloseReason, type OpenCall } from '@core/state/OpenCall';
import { ManualClock } from '@core/testing/ManualClock';
import { TestDigest } from '@core/testing/TestDigest';
import { ToolResult } from '@core/tool/ToolResult';
import { ToolCallStatus, type ToolResultEnvelope } from '@core/tool/ToolResultEnvelope';
import { call, effectful, json, open, prepared, tool, work } from './support';

const done = CallResult.of(ToolCallStatus.ok, '', ToolResult.text('done'), 3);
const message = (count: number): AgentMessage => new AgentMessage({ role: MessageRole.assistant, id: 'm', toolCalls: Array.from({ length: count }, (_one, at) => call(at)) });
const batch = (...calls: OpenCall[]): OpenBatch => new OpenBatch({ batchId: 'b', runId: 'r', assistantMessageId: 'm', mode: BatchDenyMode.atomic, scope: ApprovalScope.flagged, visibleTools: [], calls });

describe('DEC-20 what a call answers that will not run', () => {
  const answer = (reason: CloseReason | undefined, denyReason?: string): string => {
    const result = BatchMessages.closing(open(0, CallStatus.closed, { reason }), denyReason);
    return `${result.status} ${result.contents[0].asText()}${result.metadata === undefined ? '' : ` by ${result.metadata.getString('by')}`}`;
  };

  it('says why', () => {
    expect(Object.values(CloseReason).map((reason) => answer(reason))).toEqual([
      'rejected tool_cancelled: the person cancelled the run (cancelled_by_user)', "rejected stream_failed: the model's answer broke off before this call ran", 'rejected process_died: the app was closed before this call ran',
      'rejected tool_denied: the person refused this call by person', 'rejected tool_denied: nobody answered in time; the call counts as refused (expired) by expiry', 'rejected tool_batch_not_executed: another call of the batch stopped it (not_executed)',
      'rejected hook_abort: a safety rule ended the run before this call ran', 'rejected tool_changed: the tool was changed or removed since it was asked about',
    ]);
    expect([answer(CloseReason.denied, 'too much'), answer(undefined)]).toEqual(['rejected tool_denied: the person refused this call: too much by person', 'rejected tool_batch_not_executed: another call of the batch stopped it (not_executed)']);
  });

  it('a call that was begun is unknown, whatever the reason', () => {
    for (const status of [CallStatus.started, CallStatus.unknown]) {
      const result = BatchMessages.closing(open(0, status, { reason: CloseReason.denied }));
      expect([result.status, result.code, result.elapsedMs]).toEqual(['unknown', 'tool_outcome_unknown', 0]);
    }
    const closed = BatchMessages.close(open(0, CallStatus.planned, { attempt: 1 }), CloseReason.denied, 'why');
    expect([closed.status, closed.result?.status, closed.reason]).toEqual(['unknown', 'unknown', undefined]);
  });

  it('one that was not is closed for the reason, with its answer', () => {
    const closed = BatchMessages.close(open(0, CallStatus.awaiting), CloseReason.denied, 'why');
    expect([closed.status, closed.reason, closed.result?.contents[0].asText()]).toEqual(['closed', 'denied', 'tool_denied: the person refused this call: why']);
    expect(BatchMessages.close(open(0, CallStatus.awaiting), CloseReason.denied).result?.contents[0].asText()).toBe('tool_denied: the person refused this call');
  });

  it('a message about a result has its call, its id, its time and never no content', () => {
    const told = BatchMessages.toolMessage('c', done, 'm1', 7);
    expect([told.role, told.toolCallId, told.id, told.createdAtMs, told.isError, told.text()]).toEqual(['tool', 'c', 'm1', 7, false, 'done']);
    const empty = BatchMessages.toolMessage('c', CallResult.of(ToolCallStatus.failed, 'x', new ToolResult([], true), 0), 'm1', 7);
    expect([empty.contents.length, empty.contents[0].asText(), empty.isError]).toEqual([1, '', true]);
  });
});

describe('the last word about calls', () => {
  class Listener extends SilentCallReporter {
    readonly told: string[] = [];

    override callFinished(one: ToolCall, envelope: ToolResultEnvelope, warnings: ReadonlyArray<string>): void {
      this.told.push(`${one.id} ${one.name} ${envelope.status} ${envelope.code} ${envelope.timing.startedAtMs} ${warnings.length}`);
    }
  }

  const audited = (active = true): { audit: CallAudit; records: string[] } => {
    const records: string[] = [];
    const sink = { record: (entry: AuditRecord): void => { records.push(`${entry.callId} ${entry.tool} ${entry.step} ${entry.decider} ${entry.decision} ${entry.code}`); } };
    return { audit: active ? CallAudit.of(sink, new ManualClock(1), { sessionId: 's', runId: 'r', batchId: 'b', proposer: 'model' }) : CallAudit.none(), records };
  };
  const three = batch(open(0, CallStatus.finished, { result: done, startedAtMs: 5 }), open(1, CallStatus.started, { startedAtMs: 6, effective: new CallTarget('other', '{}') }), open(2, CallStatus.closed, { reason: CloseReason.denied }));

  it('DEC-43 is told once of each call, under the name that would run', () => {
    const listener = new Listener();
    const told = new ToldCalls();
    CallClosings.tell(told, listener, three, message(3));
    expect(listener.told).toEqual(['c0 pay ok  5 0', 'c1 other unknown tool_outcome_unknown 6 0', 'c2 pay rejected tool_denied 0 0']);
    CallClosings.tell(told, listener, three, message(3));
    expect(listener.told).toHaveLength(3);
  });

  it('is none where the batch or its message is not known', () => {
    const listener = new Listener();
    const { audit, records } = audited();
    CallClosings.tell(new ToldCalls(), listener, undefined, message(3));
    CallClosings.tell(new ToldCalls(), listener, three, undefined);
    CallClosings.note(audit, undefined, message(3));
    CallClosings.note(audit, three, undefined);
    CallClosings.claimed(audit, undefined, work([open(0, CallStatus.closed)], [undefined]));
    CallClosings.claimed(audit, three, undefined);
    expect([listener.told, records]).toEqual([[], []]);
  });

  it('is recorded of each call that has none, an unknown one as unknown first', () => {
    const { audit, records } = audited();
    audit.closed(call(0), 'ok', '');
    records.length = 0;
    CallClosings.note(audit, three, message(3));
    expect(records).toEqual(['c1 other unknown runtime unknown tool_outcome_unknown', 'c1 other closed runtime unknown tool_outcome_unknown', 'c2 pay closed runtime rejected tool_denied']);
  });

  it('a claim is recorded of the calls that had no answer before it, as they are after it', () => {
    const { audit, records } = audited();
    const now = work([open(0, CallStatus.finished, { result: done }), open(1, CallStatus.closed, { reason: CloseReason.toolChanged }), open(2, CallStatus.planned)], [undefined, undefined, undefined]);
    CallClosings.claimed(audit, batch(open(0, CallStatus.finished, { result: done }), open(1, CallStatus.awaiting), open(2, CallStatus.awaiting)), now);
    expect(records).toEqual(['c1 pay claim runtime closed tool_changed', 'c2 pay claim runtime planned ']);
  });

  it('nothing is recorded where nobody keeps records', () => {
    const { audit } = audited(false);
    const trap = { get calls(): never { throw new Error('looked at'); } } as unknown as OpenBatch;
    CallClosings.note(audit, trap, message(1));
    CallClosings.claimed(audit, trap, work([], []));
    expect(audit.active).toBe(false);
  });
});

describe('the journal entry of a call', () => {
  const ledger = new CallLedger(new TestDigest());

  it('shows what was proposed only where something else runs', () => {
    expect(ledger.entry(prepared(0), 0)).toMatchObject({ position: 0, status: 'awaiting', attempt: 0, proposed: undefined, result: undefined, reason: undefined });
    const changed = ledger.entry(prepared(1, { original: call(1, 'old', '{"a":1}'), verdict: PreparedVerdict.allowed }), 1);
    expect([changed.status, changed.effective.name, changed.proposed?.name, changed.proposed?.argumentsJson]).toEqual(['allowed', 'pay', 'old', '{"a":1}']);
    const refused = ledger.entry(PreparedCall.rejected(call(0), call(0), CallResult.of(ToolCallStatus.rejected, 'tool_not_found', ToolResult.text('x'), 0)), 0);
    expect([refused.status, refused.reason, refused.result?.code]).toEqual(['rejected', 'tool_not_found', 'tool_not_found']);
  });

  it('is bound to the definition, and where it asks or has an effect to the arguments; a key only for effects', () => {
    const bound = (status: CallStatus, one: PreparedCall): Array<boolean | string | undefined> => {
      const entry = ledger.bound(open(2, status), one, 'b');
      return [entry.definitionHash !== undefined, entry.digest !== undefined, entry.idempotencyKey];
    };
    const reads = tool('pay', {}, ToolRiskLevel.safe);
    expect(bound(CallStatus.allowed, prepared(2, { tool: reads }))).toEqual([true, false, undefined]);
    expect(bound(CallStatus.awaiting, prepared(2, { tool: reads }))).toEqual([true, true, undefined]);
    expect(bound(CallStatus.allowed, prepared(2, { tool: tool('pay', effectful) }))).toEqual([true, true, 'b:2']);
    expect(bound(CallStatus.awaiting, prepared(2, { tool: undefined }))).toEqual([false, false, undefined]);
    expect(bound(CallStatus.awaiting, prepared(2, { args: undefined }))).toEqual([false, false, undefined]);
  });

  it('S4 a digest needs a tool and arguments; canonical text and the arguments themselves give the same one', () => {
    expect([ledger.digestOfCall(prepared(0, { tool: undefined })), ledger.digestOfCall(prepared(0, { args: undefined }))]).toEqual([undefined, undefined]);
    const plain = ledger.digestOfCall(prepared(0, { args: json('{"a":1}') }));
    expect(ledger.digestOfCall(prepared(0, { args: json('{"a":1}'), canonical: '{"a":1}' }))).toBe(plain);
    expect(plain).toMatch(/^v1:sha256:/);
    expect(ledger.digestOf('pay', new JsonObject().setString('a', '\ud800'), 'h'), 'no canonical form').toBeUndefined();
  });
});

describe('a batch at work', () => {
  it('DEC-31 has begun when a call of it may have happened or has ended', () => {
    const begun = (...statuses: CallStatus[]): boolean => work(statuses.map((status, at) => open(at, status)), []).begun;
    expect([begun(CallStatus.planned, CallStatus.awaiting), begun(CallStatus.planned, CallStatus.finished), begun(CallStatus.started), begun(CallStatus.rejected, CallStatus.closed), begun()]).toEqual([false, true, true, false, false]);
  });

  it('becomes what is stored, with a list of its own', () => {
    const job = work([open(0, CallStatus.planned)], [undefined]);
    const stored = job.toOpenBatch();
    job.set(open(0, CallStatus.finished));
    expect([stored.batchId, stored.runId, stored.assistantMessageId, stored.mode, stored.scope, stored.calls[0].status, job.at(0).status, job.length]).toEqual(['b', 'r', 'm', 'atomic', 'flagged', 'planned', 'finished', 1]);
  });
});
