import {
  AgentEventType, AgentMessage, AgentStopReason, ArkAgentError, ContentPart, ErrorCode, MessageRole, ToolCall, ToolCallStatus,
} from 'agent_core';
import { beforeEach, describe, expect, it } from 'vitest';
import { ChatTimeline } from '../../../entry/src/main/ets/viewmodel/ChatTimeline.ets';
import { NextStep } from '../../../entry/src/main/ets/viewmodel/Ending.ets';
import { TimelineEntry, TimelineKind, TimelineStatus } from '../../../entry/src/main/ets/viewmodel/TimelineEntry.ets';
import { LocalTimeText } from '../../../entry/src/main/ets/viewmodel/TimeText.ets';
import { ToolCaptions } from '../../../entry/src/main/ets/viewmodel/ToolCaptions.ets';
import { Words } from '../../../entry/src/main/ets/viewmodel/Words.ets';
import { T0, batchOf, envelope, event, item, refused } from './fixtures';

let timeline: ChatTimeline;
const call = (id: string, name = 'read_baking_records'): ToolCall => new ToolCall(id, name, '{}', 0);
const lines = (): string[] => timeline.entries.map((line: TimelineEntry) => `${line.kind}/${line.status}: ${line.text}`);
const feed = (type: AgentEventType, change = {}): void => timeline.apply(event(type, change), T0);

beforeEach(() => {
  timeline = new ChatTimeline(new Words('en'), new ToolCaptions().add('read_baking_records', { title: 'Read' }));
});

describe('ChatTimeline', () => {
  it('tells a run from the question to the end', () => {
    timeline.addUser('hi', T0);
    feed(AgentEventType.runStarted);
    feed(AgentEventType.modelStarted);
    feed(AgentEventType.textDelta, { text: 'Let me ' });
    feed(AgentEventType.textDelta, { text: 'look.' });
    feed(AgentEventType.toolCallStarted, { call: call('c1') });
    expect(lines()).toEqual(['user/none: hi', 'model/done: Let me look.', 'tool/running: Read']);
    feed(AgentEventType.toolProgress, { call: call('c1'), text: 'half', fraction: 0.5 });
    expect(timeline.entries[2].fraction).toBe(0.5);
    feed(AgentEventType.toolCallFinished, { call: call('c1'), envelope: envelope(call('c1'), ToolCallStatus.ok) });
    feed(AgentEventType.textDelta, { text: 'Done' });
    feed(AgentEventType.runCompleted, { stopReason: AgentStopReason.complete });
    expect(lines().slice(2)).toEqual(['tool/done: Read: read_baking_records ok', 'model/done: Done', 'ending/none: Done.']);
    expect(timeline.next).toBe(NextStep.nothing);
  });

  it('keeps id and place of an entry while its status changes', () => {
    feed(AgentEventType.toolCallStarted, { call: call('c1') });
    const before = timeline.entries[0];
    feed(AgentEventType.toolCallFinished, { call: call('c1'), envelope: envelope(call('c1'), ToolCallStatus.failed, 'tool_timeout') });
    expect(timeline.entries).toHaveLength(1);
    expect(timeline.entries[0].id).toBe(before.id);
    expect(timeline.entries[0].code).toBe('tool_timeout');
    expect(before.status).toBe(TimelineStatus.running);
  });

  it('knows every outcome of a call, also of one that was refused before it began', () => {
    const expected: [ToolCallStatus, TimelineStatus][] = [
      [ToolCallStatus.ok, TimelineStatus.done], [ToolCallStatus.rejected, TimelineStatus.refused],
      [ToolCallStatus.failed, TimelineStatus.failed], [ToolCallStatus.cancelled, TimelineStatus.cancelled],
      [ToolCallStatus.unknown, TimelineStatus.unknown],
    ];
    for (const [status] of expected) feed(AgentEventType.toolCallFinished, { call: call('same-id'), envelope: envelope(call('same-id'), status) });
    expect(timeline.entries.map((line) => line.status)).toEqual(expected.map(([, shown]) => shown));
    for (const [, shown] of expected) expect(TimelineEntry.statusWord(shown)).toBeDefined();
  });

  it('shows waiting, queued and refused calls of a frozen batch, then the decision', () => {
    const asked = item();
    const calls = [asked.toolCall, call('c2'), call('c3', 'nope')];
    const batch = batchOf([asked], [{ position: 2, toolName: 'nope', status: refused, reason: 'no' }], calls);
    feed(AgentEventType.approvalRequired, { batch });
    feed(AgentEventType.suspended, { stopReason: AgentStopReason.awaitingApproval });
    expect(timeline.entries.map((line) => line.status).slice(0, 3)).toEqual([TimelineStatus.waiting, TimelineStatus.queued, TimelineStatus.refused]);
    expect(timeline.next).toBe(NextStep.answer);
    timeline.addDecision(asked.approved('person', T0), T0);
    expect(timeline.entries[0].status).toBe(TimelineStatus.queued);
    expect(lines().at(-1)).toBe('decision/none: clear_baking_cache: approved, by you');
    feed(AgentEventType.toolCallStarted, { call: asked.toolCall });
    feed(AgentEventType.toolCallFinished, { call: asked.toolCall, envelope: envelope(asked.toolCall, ToolCallStatus.unknown) });
    expect(timeline.entries[0].status).toBe(TimelineStatus.unknown);
    expect(timeline.entries[0].stepLines(new Words('en'), new LocalTimeText(), T0)).toEqual([
      '14:05 waits for your decision', '14:05 approved by you', '14:05 queued', '14:05 running', '14:05 outcome unknown',
    ]);
  });

  it('keeps a denied call waiting until its result is there', () => {
    const asked = item();
    feed(AgentEventType.approvalRequired, { batch: batchOf([asked]) });
    timeline.addDecision(asked.denied('person', T0, 'no'), T0);
    expect(timeline.entries[0].status).toBe(TimelineStatus.waiting);
    feed(AgentEventType.toolCallFinished, { call: asked.toolCall, envelope: envelope(asked.toolCall, ToolCallStatus.rejected, 'tool_denied') });
    expect(timeline.entries.filter((line) => line.kind === TimelineKind.tool)).toHaveLength(1);
    expect(timeline.entries[0].steps.map((step) => step.word)).toEqual(['tool.waiting', 'decision.denied', 'tool.refused']);
  });

  it('drops the text of a turn that the model starts over', () => {
    feed(AgentEventType.textDelta, { text: 'wrong' });
    feed(AgentEventType.modelRestarted);
    feed(AgentEventType.textDelta, { text: 'right' });
    expect(lines()).toEqual(['model/running: right']);
  });

  it('keeps the text that arrived before an error and says what to do', () => {
    feed(AgentEventType.textDelta, { text: 'half an ans' });
    feed(AgentEventType.runFailed, { error: ArkAgentError.of(ErrorCode.providerServerError, 'secret detail'), stopReason: AgentStopReason.error });
    expect(lines()).toEqual(['model/done: half an ans', 'ending/none: The model service has a problem. The text that arrived is kept. Try again.']);
    expect(timeline.next).toBe(NextStep.tryAgain);
    expect(timeline.entries[1].code).toBe('provider_server_error');
  });

  it('shows saves that failed, stopping before stopped, and refused input', () => {
    feed(AgentEventType.statePersisted, { text: 'after_tool_batch', persisted: true });
    feed(AgentEventType.statePersisted, { text: 'after_tool_batch', persisted: false });
    feed(AgentEventType.cancelRequested);
    feed(AgentEventType.runCancelled, { stopReason: AgentStopReason.cancelled });
    timeline.addRefused(ArkAgentError.of(ErrorCode.pendingApprovalBlocksInput, 'x'), T0);
    expect(lines().map((line) => line.slice(line.indexOf(': ') + 2))).toEqual([
      'could not save this step (after_tool_batch)', 'Stopping…', 'Stopped. Go on with a new message.',
      'A question is open: answer it first. Answer the open question.',
    ]);
  });

  it('escapes what a model writes, also when a character comes in two pieces', () => {
    feed(AgentEventType.textDelta, { text: 'a\u001b[2J \ud83c' });
    feed(AgentEventType.textDelta, { text: '\udf5e\u202e' });
    expect(timeline.entries[0].text).toBe('a\\u001b[2J 🍞\\u202e');
    feed(AgentEventType.textDelta, { text: '\ud83c' });
    feed(AgentEventType.runCompleted);
    expect(timeline.entries[0].text).toBe('a\\u001b[2J 🍞\\u202e\\ud83c');
  });

  it('rebuilds the lines of a restored session from its history', () => {
    const result = (id: string, text: string, isError: boolean): AgentMessage => AgentMessage.toolResult(id, [ContentPart.text(text)], isError);
    timeline.addRestored('Continued from 14:05; one question is waiting.', T0);
    timeline.addRestored('', T0);
    timeline.addHistory([
      AgentMessage.user('clear'),
      new AgentMessage({ role: MessageRole.assistant, contents: [ContentPart.text('ok')], toolCalls: ['a', 'b', 'c', 'd', 'e'].map((id) => call(id)) }),
      result('a', 'fine', false), result('b', 'tool_denied: no', true), result('c', 'tool_outcome_unknown: ?', true),
      result('d', 'oven broken', true),
    ]);
    expect(timeline.entries[0].kind).toBe(TimelineKind.restored);
    expect(timeline.entries.slice(3).map((line) => line.status)).toEqual([
      TimelineStatus.done, TimelineStatus.refused, TimelineStatus.unknown, TimelineStatus.failed, TimelineStatus.waiting,
    ]);
  });
});
