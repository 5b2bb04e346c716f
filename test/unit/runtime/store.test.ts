import { describe, expect, it } from 'vitest';
import { ApprovalDecision, ApprovalKind, ApprovalScope, BatchDenyMode } from '@core/approval/ApprovalModes';
import { DecisionReceipt } from '@core/approval/DecisionReceipt';
import { PendingApprovalBatch } from '@core/approval/PendingApprovalBatch';
import { PendingApprovalItem, type PendingApprovalItemInit } from '@core/approval/PendingApprovalItem';
import { ArkAgentError } from '@core/base/ArkAgentError';
import { ErrorCode } from '@core/base/ErrorCodes';
import { Result } from '@core/base/Result';
import { StatePersistenceHookResult } from '@core/hook/result/StatePersistenceHookResult';
import { JsonObject } from '@core/json/JsonObject';
import type { CallSignatures } from '@core/loop/CallSignatures';
import { AgentMessage, MessageRole } from '@core/message/AgentMessage';
import { ToolRiskLevel } from '@core/model/ToolDefinition';
import { EffectiveClock } from '@core/runtime/store/EffectiveClock';
import { HistoryKeeper } from '@core/runtime/ledger/HistoryKeeper';
import { LateResults } from '@core/runtime/ledger/LateResults';
import type { RunReporter } from '@core/runtime/report/RunReporter';
import { SessionStore } from '@core/runtime/store/SessionStore';
import { StatePersister, type PersistScope } from '@core/runtime/store/StatePersister';
import { StoreSlices } from '@core/runtime/store/StoreSlices';
import { UnknownEffects } from '@core/runtime/ledger/UnknownEffects';
import { AgentState } from '@core/state/AgentState';
import { CallResult } from '@core/state/CallResult';
import { InMemoryStateStorage } from '@core/state/InMemoryStateStorage';
import { OpenBatch } from '@core/state/OpenBatch';
import { CallStatus, CloseReason, type OpenCall } from '@core/state/OpenCall';
import { PersistReason } from '@core/state/PersistReason';
import { RunRecord, RunStatus } from '@core/state/RunRecord';
import type { StateCommit } from '@core/state/StateCommit';
import type { NotResumableMark } from '@core/state/StateStorage';
import { CountingIdGenerator } from '@core/testing/CountingIdGenerator';
import { ManualClock } from '@core/testing/ManualClock';
import { ToolEffect } from '@core/tool/ToolContract';
import { ToolResult } from '@core/tool/ToolResult';
import { ToolCallStatus } from '@core/tool/ToolResultEnvelope';
import { hook, pipelineOf } from '../hook/support';
import { call, open, prepared, tool, work } from './support';

const NOW = 100;
const item = (over: Partial<PendingApprovalItemInit> = {}): PendingApprovalItem => new PendingApprovalItem({
  approvalId: 'b:0:0', position: 0, round: 0, kind: ApprovalKind.call, toolCall: call(0), riskLevel: ToolRiskLevel.dangerous, effect: ToolEffect.irreversible, reason: '', createdAtMs: 1, decision: ApprovalDecision.pending, warnings: [], origin: [], ...over,
});
const questions = (id: string, ...items: PendingApprovalItem[]): PendingApprovalBatch => new PendingApprovalBatch({ batchId: id, runId: 'r', items, modelMessage: AgentMessage.assistant(''), createdAtMs: 1, siblings: [] });

/** A disk that does what the test says, once. */
class Disk extends InMemoryStateStorage {
  readonly marks: NotResumableMark[] = [];
  next: 'refuse' | 'throw' | 'write and refuse' | 'conflict' | undefined = undefined;
  loads: 'refuse' | 'throw' | undefined = undefined;
  broken = false;

  override async commit(commit: StateCommit): Promise<Result<number, ArkAgentError>> {
    const fault = this.next;
    this.next = undefined;
    if (fault === 'throw') throw new Error('disk');
    if (fault === 'refuse') return Result.failure<number, ArkAgentError>(ArkAgentError.of(ErrorCode.stateSaveFailed, 'full'));
    if (fault === 'conflict') return Result.failure<number, ArkAgentError>(ArkAgentError.of(ErrorCode.stateConflict, 'other'));
    const written = await super.commit(commit);
    return fault === undefined ? written : Result.failure<number, ArkAgentError>(ArkAgentError.of(ErrorCode.stateSaveFailed, 'lost the answer'));
  }

  override async load(sessionId: string): Promise<Result<AgentState | undefined, ArkAgentError>> {
    if (this.loads === 'throw') throw new Error('disk');
    if (this.loads === 'refuse') return Result.failure<AgentState | undefined, ArkAgentError>(ArkAgentError.of(ErrorCode.stateCorrupt, 'x'));
    return super.load(sessionId);
  }

  override async markNotResumable(mark: NotResumableMark): Promise<Result<boolean, ArkAgentError>> {
    this.marks.push(mark);
    if (this.broken) throw new Error('disk');
    return super.markNotResumable(mark);
  }
}

class Desk {
  readonly disk: Disk;
  readonly wall = new ManualClock(NOW);
  readonly clock = new EffectiveClock(this.wall);
  readonly store: SessionStore;

  constructor(disk = new Disk(), prefix = 'w') {
    this.disk = disk;
    this.store = new SessionStore(disk, new CountingIdGenerator(prefix), this.clock, AgentState.fresh('s', new JsonObject(), 1));
  }
}

describe('the draft and the disk', () => {
  it('DEC-06 each commit has the next revision, an id of its own, a time, and the same incarnation', async () => {
    const { store, disk, wall } = new Desk();
    expect([store.revision, store.draft.incarnation]).toEqual([0, '']);
    expect((await store.commit(PersistReason.afterUserInput)).value).toBe(1);
    const first = (await disk.load('s')).value as AgentState;
    wall.advance(5);
    expect((await store.commit(PersistReason.afterUserInput)).value).toBe(2);
    const second = (await disk.load('s')).value as AgentState;
    expect([first.revision, first.updatedAtMs, second.revision, second.updatedAtMs, store.revision]).toEqual([1, NOW, 2, NOW + 5, 2]);
    expect([first.incarnation !== '', second.incarnation === first.incarnation, second.commitId === first.commitId]).toEqual([true, true, false]);
    expect([first.commitId.split('.')[1], second.commitId.split('.')[1], store.draft.revision, store.draft.commitId, store.draft.incarnation, store.draft.updatedAtMs]).toEqual(['1', '2', 2, second.commitId, second.incarnation, NOW + 5]);
  });

  it.each(['refuse', 'throw'] as const)('DEC-06 a storage that %ss: nothing is said to be stored, and the next commit carries everything', async (fault) => {
    const { store, disk } = new Desk();
    store.append(AgentMessage.user('a'));
    disk.next = fault;
    const failed = await store.commit(PersistReason.afterUserInput);
    expect([failed.ok, failed.error.code, failed.error.cause !== undefined, store.revision, store.draft.revision]).toEqual([false, 'state_save_failed', true, 0, 0]);
    store.append(AgentMessage.user('b'));
    expect((await store.commit(PersistReason.afterUserInput)).value).toBe(1);
    expect((await disk.load('s')).value?.history.length).toBe(2);
  });

  it('a write whose answer was lost counts when the disk has it', async () => {
    const { store, disk } = new Desk();
    disk.next = 'write and refuse';
    expect([(await store.commit(PersistReason.afterUserInput)).ok, store.revision]).toEqual([true, 1]);
    for (const loads of ['refuse', 'throw'] as const) {
      const other = new Desk();
      other.disk.next = 'write and refuse';
      other.disk.loads = loads;
      expect((await other.store.commit(PersistReason.afterUserInput)).ok, 'nobody can tell').toBe(false);
    }
  });

  it('DEC-02 a conflict is told as it is, and a reload takes over what the other one stored', async () => {
    const disk = new Disk();
    const [one, two] = [new Desk(disk, 'a'), new Desk(disk, 'b')];
    one.wall.setTo(900);
    one.store.append(AgentMessage.user('theirs'));
    await one.store.commit(PersistReason.afterUserInput);
    two.store.append(AgentMessage.user('mine'));
    expect((await two.store.commit(PersistReason.afterUserInput)).error.code).toBe('state_conflict');
    expect((await two.store.reload()).value).toBe(true);
    expect([two.store.draft.history.toArray().map((message) => message.text()), two.store.revision, two.store.draft.revision, two.clock.nowMs()]).toEqual([['theirs'], 1, 1, 900]);
    two.store.append(AgentMessage.user('then'));
    expect((await two.store.commit(PersistReason.afterUserInput)).value).toBe(2);
  });

  it('a reload of nothing changes nothing, and one that fails says so', async () => {
    const { store, disk } = new Desk();
    store.append(AgentMessage.user('mine'));
    expect([(await store.reload()).value, store.draft.history.length]).toEqual([false, 1]);
    disk.loads = 'refuse';
    expect((await store.reload()).error.code).toBe('state_corrupt');
    disk.loads = 'throw';
    expect([(await store.reload()).error.code, store.draft.history.length]).toEqual(['state_load_failed', 1]);
  });

  it('what happened since a snapshot can be taken back, member by member', () => {
    const { store } = new Desk();
    store.append(AgentMessage.user('a'));
    const before = store.snapshot();
    store.append(AgentMessage.user('b'));
    Object.assign(store.draft, {
      incarnation: 'x', revision: 9, commitId: 'x', createdAtMs: 9, updatedAtMs: 9, resumable: false, metadata: new JsonObject().setString('x', 'y'), usage: store.draft.usage.plus(store.draft.usage), run: new RunRecord({ runId: 'x', status: RunStatus.running, segment: 0, turn: 0 }),
      openBatch: new OpenBatch({ batchId: 'x', runId: 'x', assistantMessageId: 'm', mode: BatchDenyMode.atomic, scope: ApprovalScope.flagged, visibleTools: [], calls: [] }), pendingApproval: questions('x'), loopWindow: ['x'], receipts: [new DecisionReceipt('x', '', [])], slices: new Map(),
    });
    store.rollBack(before);
    expect({ ...store.snapshot(), history: undefined }).toEqual({ ...before, history: undefined });
    expect(store.draft.history.toArray().map((message) => message.text())).toEqual(['a']);
    store.append(AgentMessage.user('c'));
    expect([store.draft.history.toArray().map((message) => message.text()), before.history.length]).toEqual([['a', 'c'], 1]);
  });

  it('DEC-23 a session can be marked as taking no more work, whatever the disk says', async () => {
    const { store, disk } = new Desk();
    await store.commit(PersistReason.afterUserInput);
    expect([(await store.markNotResumable('r')).value, store.draft.resumable, disk.marks]).toEqual([true, false, [{ sessionId: 's', runId: 'r', expectedRevision: 1, expectedIncarnation: store.draft.incarnation }]]);
    disk.broken = true;
    expect((await store.markNotResumable('r')).error.code).toBe('state_save_failed');
  });

  it('questions are shown as the disk has them, and only while they are still about the same batch', async () => {
    const { store } = new Desk();
    store.draft.pendingApproval = questions('b', item());
    expect(store.storedQuestions()).toBeUndefined();
    await store.commit(PersistReason.awaitingApproval);
    store.draft.pendingApproval = questions('b', item({ decision: ApprovalDecision.approved }));
    expect(store.storedQuestions()?.items[0].decision).toBe('pending');
    store.draft.pendingApproval = questions('c', item());
    expect(store.storedQuestions()).toBeUndefined();
    store.draft.pendingApproval = undefined;
    expect(store.storedQuestions()).toBeUndefined();
  });
});

describe('one write after another', () => {
  it('the next one begins when the one before has ended, however that was, and at once when there is none', async () => {
    const { store } = new Desk();
    const log: string[] = [];
    let fail: (error: Error) => void = () => undefined;
    expect(store.writing).toBe(false);
    const first = store.exclusive(() => { log.push('a'); return new Promise<void>((_resolve, reject) => { fail = reject; }); });
    const second = store.exclusive(async () => { log.push('b'); return 'b'; });
    expect([log, store.writing]).toEqual([['a'], true]);
    fail(new Error('x'));
    await expect(first).rejects.toThrow('x');
    expect([await second, log]).toEqual(['b', ['a', 'b']]);
    await store.quiet();
    expect(store.writing).toBe(false);
  });

  it('one that is wanted at the very beginning of another comes after it', async () => {
    const { store } = new Desk();
    const log: string[] = [];
    let inner: Promise<void> | undefined;
    await store.exclusive(async () => {
      inner = store.exclusive(async () => { log.push('inner'); });
      log.push('outer');
      await Promise.resolve();
      await Promise.resolve();
      log.push('outer ends');
    });
    await inner;
    expect(log).toEqual(['outer', 'outer ends', 'inner']);
  });

  it('a write that fails before it gives a promise keeps nobody from writing', async () => {
    const { store } = new Desk();
    expect(() => store.exclusive(() => { throw new Error('x'); })).toThrow('x');
    expect(await store.exclusive(async () => 'next')).toBe('next');
  });
});

describe('the road to the disk', () => {
  class Told {
    readonly lines: string[] = [];
    readonly scope: PersistScope = {
      state: AgentState.fresh('s', new JsonObject(), 1).snapshot(),
      reporter: {
        diagnostics: (notes: ReadonlyArray<object>): void => { this.lines.push(`notes ${notes.length}`); },
        persisted: (reason: string, skipped: boolean, error: ArkAgentError | undefined): void => { this.lines.push(`${reason} ${skipped} ${error?.code ?? '-'}`); },
      } as unknown as RunReporter,
    };
  }

  const saying = (answer: StatePersistenceHookResult): StatePersister => new StatePersister(new Desk().store, pipelineOf(hook('h', { beforePersistState: async () => answer })));

  it('a hook may skip or abort a write, and what it says is told', async () => {
    const skipped = new Told();
    const verdict = await saying(StatePersistenceHookResult.skip()).persist(PersistReason.afterModelText, skipped.scope);
    expect([verdict.action, verdict.stored, verdict.conflict, verdict.abandoned, skipped.lines]).toEqual(['skipped', false, false, false, ['notes 0', 'after_model_text true -']]);
    const aborted = new Told();
    const no = await saying(StatePersistenceHookResult.abort('why')).persist(PersistReason.afterModelText, aborted.scope);
    expect([no.action, no.error?.code, no.abandoned, aborted.lines]).toEqual(['aborted', 'hook_abort', false, ['notes 0']]);
    const mandatory = new Told();
    expect((await saying(StatePersistenceHookResult.skip()).persist(PersistReason.terminal, mandatory.scope)).action).toBe('stored');
  });

  it('a write without asking asks nobody, and hooks hear of what is stored only', async () => {
    const { store, disk } = new Desk();
    const heard: string[] = [];
    const persister = new StatePersister(store, pipelineOf(hook('h', {
      beforePersistState: async (context) => { heard.push(`before ${context.reason}`); return StatePersistenceHookResult.proceed(); }, afterPersistState: async (context) => { heard.push(`after ${context.reason} ${context.callId}`); throw new Error('x'); },
    })));
    const told = new Told();
    expect((await persister.write(PersistReason.toolEffect, told.scope, { callId: 'c' })).stored).toBe(true);
    expect([heard, told.lines]).toEqual([['after tool_effect c'], ['notes 1', 'tool_effect false -']]);
    disk.next = 'conflict';
    const lost = await persister.persist(PersistReason.toolEffect, told.scope);
    expect([lost.action, lost.conflict, lost.error?.code, heard.slice(1), told.lines.slice(2)]).toEqual(['failed', true, 'state_conflict', ['before tool_effect'], ['notes 0', 'tool_effect false state_conflict']]);
    const plain = new Told();
    const without = new StatePersister(new Desk().store, pipelineOf());
    expect([(await without.persist(PersistReason.terminal, plain.scope)).stored, plain.lines]).toEqual([true, ['terminal false -']]);
  });

  it('HOOK-11 a hook that is given up after a cancel has aborted nothing, and one that only hears keeps nobody waiting', async () => {
    const abandoning = { wait: async (): Promise<never> => { throw new Error('abandoned'); } } as never;
    const told = new Told();
    const before = await saying(StatePersistenceHookResult.proceed()).persist(PersistReason.terminal, { ...told.scope, patience: abandoning });
    expect([before.action, before.abandoned, before.error?.code, told.lines]).toEqual(['aborted', true, 'hook_failed', []]);
    const listening = new StatePersister(new Desk().store, pipelineOf(hook('h', { afterPersistState: async () => undefined })));
    expect([(await listening.persist(PersistReason.terminal, { ...told.scope, patience: abandoning })).stored, told.lines]).toEqual([true, ['terminal false -']]);
  });
});

describe('the conversation', () => {
  function keeper(): { store: SessionStore; keeper: HistoryKeeper; late: LateResults; effects: UnknownEffects } {
    const { store, clock } = new Desk();
    const slices = new StoreSlices(store);
    const [effects, late] = [new UnknownEffects(slices), new LateResults(slices)];
    return { store, keeper: new HistoryKeeper(store, clock, effects, late), late, effects };
  }
  const ok = CallResult.of(ToolCallStatus.ok, '', ToolResult.text('done'), 0);
  const answer = (count: number, id = 'a1'): AgentMessage => new AgentMessage({ role: MessageRole.assistant, id, toolCalls: Array.from({ length: count }, (_one, at) => call(at)) });
  const batchOf = (...calls: OpenCall[]): OpenBatch => new OpenBatch({ batchId: 'b', runId: 'r', assistantMessageId: 'a1', mode: BatchDenyMode.atomic, scope: ApprovalScope.flagged, visibleTools: [], calls });
  const lines = (store: SessionStore): string[] => store.draft.history.toArray().map((message) => `${message.id} ${message.role} ${message.toolCallId ?? ''} ${message.text()}`.trim());
  const signatures = { windowSize: 3, of: (one: { id: string }, polled?: { text: string; isError: boolean }) => (polled === undefined ? one.id : `${one.id}#${polled.isError}:${polled.text}`) } as unknown as CallSignatures;

  it('a message has an id that is unique here, and a time; a foreign id and a known time stay', () => {
    const { store, keeper: one } = keeper();
    const given = (id: string, createdAtMs: number): AgentMessage => one.append(new AgentMessage({ role: MessageRole.user, id, createdAtMs }));
    expect([given('', 0), given('m1', 7), given('theirs', 8), given('xm1', 0), given('m1x', 0)].map((message) => [message.id, message.createdAtMs])).toEqual([['m1', NOW], ['m2', 7], ['theirs', 8], ['xm1', NOW], ['m1x', NOW]]);
    expect(store.draft.history.length).toBe(5);
  });

  it('DEC-20 a batch that is complete: results in call order, then what hooks injected, then the journal is closed', () => {
    const { store, keeper: one, effects } = keeper();
    one.append(answer(2));
    const job = work([open(0, CallStatus.finished, { result: ok, injected: [AgentMessage.user('from a hook')] }), open(1, CallStatus.unknown, { digest: 'd', result: ok })], [undefined, undefined]);
    store.draft.openBatch = job.toOpenBatch();
    store.draft.pendingApproval = questions('b', item({ decision: ApprovalDecision.approved, decidedBy: 'ada', decidedAtMs: 5 }));
    one.completeBatch(job, signatures);
    expect(lines(store)).toEqual(['a1 assistant', 'm2 tool c0 done', 'm3 tool c1 done', 'm4 user  from a hook']);
    expect([store.draft.openBatch, store.draft.pendingApproval, store.draft.loopWindow, effects.list().map((effect) => effect.digest)]).toEqual([undefined, undefined, ['c0', 'c1'], ['d']]);
    expect(store.draft.receipts.map((receipt) => [receipt.batchId, receipt.closedBy, receipt.entries])).toEqual([['b', '', [{ approvalId: 'b:0:0', decision: 'approved', decidedBy: 'ada', decidedAtMs: 5 }]]]);
  });

  it('the window of calls keeps the newest; of a tool that is polled the result counts too', () => {
    const { store, keeper: one } = keeper();
    one.append(answer(2));
    store.draft.loopWindow = ['x', 'y', 'z'];
    const polls = tool('pay', { pollable: true });
    const failed = CallResult.of(ToolCallStatus.failed, 'x', new ToolResult([], true), 0);
    const long = ok.withArtifact(ToolResult.text('cut'), { file: 'f', chars: 9, sha256: 'sha' });
    one.completeBatch(work([open(0, CallStatus.finished, { result: ok }), open(1, CallStatus.finished, { result: failed })], [prepared(0, { tool: polls }), prepared(1, { tool: polls })]), signatures);
    expect(store.draft.loopWindow).toEqual(['z', 'c0#false:done', 'c1#true:']);
    one.completeBatch(work([open(0, CallStatus.finished, { result: long }), open(1, CallStatus.rejected)], [prepared(0, { tool: polls }), prepared(1, { tool: polls })]), signatures);
    expect(store.draft.loopWindow).toEqual(['c1#true:', 'c0#false:sha', 'c1']);
    one.completeBatch(work([open(0, CallStatus.finished, { result: ok })], [prepared(0)]), signatures);
    expect(store.draft.loopWindow.at(-1)).toBe('c0');
  });

  it('DEC-20 what is open is closed for the reason, what was begun is unknown, what has an answer keeps it', () => {
    const { store, keeper: one } = keeper();
    const statuses = [CallStatus.allowed, CallStatus.awaiting, CallStatus.planned, CallStatus.started, CallStatus.waiting, CallStatus.finished, CallStatus.rejected, CallStatus.unknown];
    store.draft.openBatch = batchOf(...statuses.map((status, at) => open(at, status)), open(8, CallStatus.planned, { attempt: 1 }), open(9, CallStatus.waiting, { startedAtMs: 1 }));
    one.closeOpenCalls(undefined, CloseReason.cancelledByUser);
    expect(store.draft.openBatch.calls.map((entry) => `${entry.status}${entry.reason === undefined ? '' : ` ${entry.reason}`}`)).toEqual([
      ...Array(3).fill('closed cancelled_by_user'), 'unknown', 'closed cancelled_by_user', 'finished', 'rejected', 'unknown', 'unknown', 'unknown',
    ]);
  });

  it('the work of a segment is closed rather than what was stored, and an answer without any batch becomes one', () => {
    const { store, keeper: one } = keeper();
    one.closeOpenCalls(undefined, CloseReason.processDied);
    expect(store.draft.openBatch).toBeUndefined();
    store.draft.openBatch = batchOf(open(0, CallStatus.planned));
    one.closeOpenCalls(work([open(0, CallStatus.finished, { result: ok })], [undefined]), CloseReason.processDied);
    expect(store.draft.openBatch?.calls[0].status).toBe('finished');
    const { store: fresh, keeper: two } = keeper();
    fresh.draft.run = new RunRecord({ runId: 'run', status: RunStatus.running, segment: 0, turn: 4 });
    two.append(answer(2));
    two.closeOpenCalls(undefined, CloseReason.processDied);
    expect(fresh.draft.openBatch).toMatchObject({ batchId: 'run.4', runId: 'run', assistantMessageId: 'a1', mode: 'atomic', scope: 'flagged', visibleTools: [] });
    expect(fresh.draft.openBatch?.calls.map((entry) => [entry.position, entry.status, entry.reason, entry.attempt, entry.effective.name])).toEqual([[0, 'closed', 'process_died', 0, 'pay'], [1, 'closed', 'process_died', 0, 'pay']]);
  });

  it('closing messages come before new input, once; without the message there are none', () => {
    const { store, keeper: one, late } = keeper();
    one.append(answer(2));
    one.append(AgentMessage.assistant('later'));
    store.draft.openBatch = batchOf(open(0, CallStatus.finished, { result: ok, lateResult: ok }), open(1, CallStatus.closed, { reason: CloseReason.denied }));
    one.appendClosings(false);
    one.appendClosings(false);
    expect(lines(store).slice(2)).toEqual(['m3 tool c0 done', 'm4 tool c1 tool_denied: the person refused this call']);
    expect([store.draft.openBatch, late.list().map((result) => [result.callId, result.tell])]).toEqual([undefined, [['c0', false]]]);
    store.draft.openBatch = new OpenBatch({ ...batchOf(open(0, CallStatus.planned)), assistantMessageId: 'gone' } as never);
    one.appendClosings(true);
    expect([store.draft.history.length, store.draft.openBatch]).toEqual([4, undefined]);
  });

  it('S9 what came late while the batch ran is told to the model', () => {
    const { keeper: one, late } = keeper();
    one.append(answer(1));
    one.completeBatch(work([open(0, CallStatus.unknown, { result: ok, lateResult: ok })], [undefined]), signatures);
    expect(late.list().map((result) => [result.batchId, result.callId, result.tell])).toEqual([['b', 'c0', true]]);
  });

  it('the answers to the last 32 batches are kept', () => {
    const { store, keeper: one } = keeper();
    expect(one.closeApproval('cancel')).toBeUndefined();
    for (let i = 0; i < 33; i++) {
      store.draft.pendingApproval = questions(`b${i}`, item());
      expect(one.closeApproval('cancel')?.batchId).toBe(`b${i}`);
    }
    expect([store.draft.receipts.length, store.draft.receipts[0].batchId, store.draft.receipts.at(-1)?.batchId, store.draft.receipts[0].closedBy]).toEqual([32, 'b1', 'b32', 'cancel']);
    expect(store.draft.receipts[0].entries).toEqual([{ approvalId: 'b:0:0', decision: 'pending', decidedBy: '', decidedAtMs: 0 }]);
  });

  it('finds the model\'s newest message, and whether its calls wait for results', () => {
    const { keeper: one } = keeper();
    expect([one.lastAnswer(), one.unansweredMessage()]).toEqual([undefined, undefined]);
    one.append(answer(1, 'a1'));
    expect([one.lastAnswer()?.id, one.unansweredMessage()?.id]).toEqual(['a1', 'a1']);
    one.append(AgentMessage.user('x'));
    expect([one.lastAnswer()?.id, one.unansweredMessage()]).toEqual(['a1', undefined]);
    one.append(AgentMessage.assistant('bye'));
    expect([one.lastAnswer()?.text(), one.unansweredMessage()]).toEqual(['bye', undefined]);
  });

  it('DEC-36 late notes are told once', () => {
    const { store, keeper: one, late } = keeper();
    late.add({ batchId: 'b', position: 0, callId: 'c', toolName: 't', failed: false, text: 'x', tell: true });
    one.appendLateNotes();
    one.appendLateNotes();
    expect(lines(store)).toHaveLength(1);
  });
});
