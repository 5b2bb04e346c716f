import { describe, expect, it } from 'vitest';
import { GrantScope } from '@core/approval/ApprovalGrant';
import { PendingApprovalItem } from '@core/approval/PendingApprovalItem';
import { ApprovalDecision, ApprovalKind, ApprovalScope, BatchDenyMode, UnknownOutcomePolicy } from '@core/approval/ApprovalModes';
import { ArkAgentError } from '@core/base/ArkAgentError';
import { ErrorCode } from '@core/base/ErrorCodes';
import { Result } from '@core/base/Result';
import { JsonObject } from '@core/json/JsonObject';
import { AgentMessage, MessageRole } from '@core/message/AgentMessage';
import { MessageList } from '@core/message/MessageList';
import { ToolDefinition, ToolRiskLevel } from '@core/model/ToolDefinition';
import type { AuditRecord } from '@core/port/AuditSink';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import { EffectiveClock } from '@core/runtime/store/EffectiveClock';
import { GrantBook } from '@core/runtime/consent/GrantBook';
import { GrantRevocations } from '@core/runtime/consent/GrantRevocations';
import type { RunReporter } from '@core/runtime/report/RunReporter';
import { SessionStore } from '@core/runtime/store/SessionStore';
import { StatePersister } from '@core/runtime/store/StatePersister';
import { StoreSlices } from '@core/runtime/store/StoreSlices';
import { TurnPreparer } from '@core/runtime/model/TurnPreparer';
import type { VisibleTools } from '@core/runtime/model/VisibleTools';
import { AgentState } from '@core/state/AgentState';
import { InMemoryStateStorage } from '@core/state/InMemoryStateStorage';
import { OpenBatch } from '@core/state/OpenBatch';
import { CallStatus, CloseReason } from '@core/state/OpenCall';
import { PersistReason } from '@core/state/PersistReason';
import { RunRecord, RunStatus } from '@core/state/RunRecord';
import { StateSlice } from '@core/state/StateSlice';
import type { StateCommit } from '@core/state/StateCommit';
import { CommitFault } from '@core/testing/StoppingStateStorage';
import { CountingIdGenerator } from '@core/testing/CountingIdGenerator';
import { ManualClock } from '@core/testing/ManualClock';
import { ToolEffect } from '@core/tool/ToolContract';
import { ToolSelection } from '@core/tool/ToolSelector';
import { World } from '../../support/World';
import { pipelineOf } from '../hook/support';
import { call, json, open } from './support';

class Disk extends InMemoryStateStorage {
  readonly before: Array<'fail' | (() => Promise<void>)> = [];
  commits = 0;

  override async commit(commit: StateCommit): Promise<Result<number, ArkAgentError>> {
    this.commits++;
    const first = this.before.shift();
    if (first === 'fail') return Result.failure<number, ArkAgentError>(ArkAgentError.of(ErrorCode.stateSaveFailed, 'full'));
    await first?.();
    return super.commit(commit);
  }
}

const clock = (): EffectiveClock => new EffectiveClock(new ManualClock(1000));
const newStore = (disk = new Disk()): SessionStore => new SessionStore(disk, new CountingIdGenerator('i'), clock(), AgentState.fresh('s', new JsonObject(), 1));

describe('the request of a turn', () => {
  const tools = ['a', 'b'].map((name) => new ToolDefinition(name, 'd', json('{"type":"object"}')));
  function desk(): { store: SessionStore; preparer: TurnPreparer } {
    const store = newStore();
    return { store, preparer: new TurnPreparer('be kind', { temperature: 1 }, { select: () => new ToolSelection(tools, []) } as unknown as VisibleTools, store) };
  }
  const asking = new AgentMessage({ role: MessageRole.assistant, id: 'a1', toolCalls: [call(0), call(1)] });
  const results = (store: SessionStore, preparer: TurnPreparer): string[] => preparer.prepare().messages.toArray().filter((message) => message.role === MessageRole.tool).map((message) => message.text());

  it('has prompt, history, visible tools and options', () => {
    const { store, preparer } = desk();
    store.append(AgentMessage.user('hi'));
    const request = preparer.prepare();
    expect([request.systemPrompt, request.messages.length, request.tools === tools, request.options.temperature]).toEqual(['be kind', 1, true, 1]);
  });

  it('DEC-20 a call without a result gets one that says why, as the journal knows it', () => {
    const { store, preparer } = desk();
    store.append(asking);
    const plain = results(store, preparer);
    expect([plain.length, plain.every((text) => text.includes('not_executed'))]).toEqual([2, true]);
    const journal = (assistantMessageId: string): OpenBatch => new OpenBatch({ batchId: 'b', runId: 'r', assistantMessageId, mode: BatchDenyMode.atomic, scope: ApprovalScope.flagged, visibleTools: [], calls: [open(0, CallStatus.closed, { reason: CloseReason.denied })] });
    const known = desk();
    known.store.append(asking);
    known.store.draft.openBatch = journal('a1');
    expect(results(known.store, known.preparer).map((text) => [text.includes('denied'), text.includes('not_executed')])).toEqual([[true, false], [false, true]]);
    const other = desk();
    other.store.append(asking);
    other.store.draft.openBatch = journal('another');
    expect(results(other.store, other.preparer).every((text) => text.includes('not_executed'))).toBe(true);
  });

  it('DEC-39 after hooks: pairs are complete again, and only tools that were visible before count', () => {
    const { store, preparer } = desk();
    store.append(AgentMessage.user('hi'));
    const prepared = preparer.prepare();
    expect(preparer.settle(prepared, prepared)).toBe(prepared);
    const cut = preparer.settle(prepared, prepared.withMessages(MessageList.of([asking])));
    expect([cut.messages.length, cut.tools === prepared.tools]).toEqual([3, true]);
    const foreign = new ToolDefinition('a', 'd', json('{"type":"object"}'));
    const fewer = preparer.settle(prepared, prepared.withTools([foreign, tools[1]]));
    expect([fewer.tools.map((tool) => tool === tools[1]), fewer.messages === prepared.messages]).toEqual([[true], true]);
  });
});

describe('DEC-46 a grant that is taken back', () => {
  function desk(disk = new Disk()): { store: SessionStore; grants: GrantBook; revocations: GrantRevocations; disk: Disk } {
    const store = newStore(disk);
    const grants = new GrantBook(new StoreSlices(store), clock(), new CountingIdGenerator('g'), {});
    const reporter = { persisted: () => undefined, diagnostics: () => undefined } as unknown as RunReporter;
    return { store, grants, disk, revocations: new GrantRevocations({ store, persister: new StatePersister(store, pipelineOf()), grants, state: store.snapshot().snapshot(), reporterFor: () => reporter }) };
  }
  const item = new PendingApprovalItem({
    approvalId: 'a', position: 0, round: 0, kind: ApprovalKind.call, toolCall: call(0), riskLevel: ToolRiskLevel.sensitive, effect: ToolEffect.reversible, reason: '', createdAtMs: 1, decision: ApprovalDecision.approved, warnings: [], origin: [], digest: 'd', definitionHash: 'h',
  });
  async function granted(): Promise<ReturnType<typeof desk> & { id: string }> {
    const one = desk();
    const id = one.grants.add(item, { scope: GrantScope.tool }, 'ada');
    await one.store.commit(PersistReason.approvalDecision);
    one.disk.commits = 0;
    return { ...one, id };
  }
  const said = (result: Result<boolean, ArkAgentError>): string => (result.ok ? `${result.value}` : result.error.code);
  const stored = async (disk: Disk): Promise<boolean> => (await disk.load('s')).value?.slices.has('grants') === true;

  it('is gone on the disk before that is said, and there is none to take back twice', async () => {
    const { revocations, id, disk, grants } = await granted();
    expect([said(await revocations.revoke(id)), await stored(disk), grants.list(), said(await revocations.revoke(id)), said(await revocations.revoke('x')), disk.commits]).toEqual(['true', false, [], 'false', 'false', 1]);
  });

  it('holds again when that could not be stored', async () => {
    const { revocations, id, disk, grants } = await granted();
    disk.before.push('fail');
    expect([said(await revocations.revoke(id)), grants.list().length, await stored(disk)]).toEqual(['state_save_failed', 1, true]);
  });

  it('what a feature put meanwhile stays', async () => {
    const { revocations, id, disk, store } = await granted();
    disk.before.push(async () => {
      new StoreSlices(store).putSlice('other', new StateSlice(1, new JsonObject()));
      throw new Error('disk');
    });
    expect([said(await revocations.revoke(id)), store.draft.slices.has('other')]).toEqual(['state_save_failed', true]);
  });

  it('DEC-02 is tried again on what another owner stored, ten times at most, and not below a run', async () => {
    const meets = async (act: (other: SessionStore) => Promise<void>, times: number): Promise<Awaited<ReturnType<typeof granted>>> => {
      const one = await granted();
      const other = newStore(one.disk);
      await other.reload();
      for (let i = 0; i < times; i++) one.disk.before.push(() => act(other), async () => undefined);
      return one;
    };
    const write = async (other: SessionStore): Promise<void> => { await other.commit(PersistReason.afterUserInput); };
    const once = await meets(write, 1);
    expect([said(await once.revocations.revoke(once.id)), await stored(once.disk)]).toEqual(['true', false]);
    const endless = await meets(write, 30);
    expect([said(await endless.revocations.revoke(endless.id)), endless.disk.commits]).toEqual(['state_conflict', 20]);
    const busy = await meets(write, 1);
    busy.store.draft.run = new RunRecord({ runId: 'r', status: RunStatus.running, segment: 0, turn: 0 });
    expect([said(await busy.revocations.revoke(busy.id)), busy.store.revision, busy.grants.list().length, busy.disk.commits]).toEqual(['state_conflict', 1, 1, 2]);
  });
});

describe('records of questions', () => {
  it('say whether a call is asked about or its repetition, and nothing of those that are decided', async () => {
    const records: string[] = [];
    const config = { unknownOutcomePolicy: UnknownOutcomePolicy.ask, auditSink: { record: (entry: AuditRecord): void => { if (entry.step === 'frozen') records.push(`${entry.callId} ${entry.decision}`); } } };
    const world = new World();
    world.dangerous('pay');
    world.safe('look');
    const one = await world.open({ turns: [new ScriptedTurn().call('c1', 'pay', '{"n":1}').call('c2', 'look', '{}')], config });
    await one.say('go');
    expect(records).toEqual(['c1 ask']);
    await one.approveAll();
    one.storage.plan(3, CommitFault.stopBefore);
    await one.resume();
    const two = await world.open({ config });
    expect([await two.resume(), records]).toEqual(['awaiting_approval', ['c1 ask', 'c1 ask_retry']]);
  });
});
