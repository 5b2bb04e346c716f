import { describe, expect, it } from 'vitest';
import type { ApprovalDecisionRequest, ApprovalDecisionResult } from '@core/approval/ApprovalDecisionResult';
import { GrantScope, type GrantRules } from '@core/approval/ApprovalGrant';
import { ApprovalDecision, ApprovalKind, ApprovalScope, BatchDenyMode } from '@core/approval/ApprovalModes';
import { DecisionReceipt } from '@core/approval/DecisionReceipt';
import { PendingApprovalBatch } from '@core/approval/PendingApprovalBatch';
import { PendingApprovalItem, type PendingApprovalItemInit } from '@core/approval/PendingApprovalItem';
import { ArkAgentError } from '@core/base/ArkAgentError';
import { ErrorCode } from '@core/base/ErrorCodes';
import { Result } from '@core/base/Result';
import { RunAudit } from '@core/execution/audit/RunAudit';
import { JsonObject } from '@core/json/JsonObject';
import { AgentMessage } from '@core/message/AgentMessage';
import { ToolRiskLevel } from '@core/model/ToolDefinition';
import type { AuditRecord } from '@core/port/AuditSink';
import { CallLedger } from '@core/runtime/ledger/CallLedger';
import { ConsentBooks } from '@core/runtime/consent/ConsentBooks';
import { DecisionRecorder } from '@core/runtime/consent/DecisionRecorder';
import { EffectiveClock } from '@core/runtime/store/EffectiveClock';
import type { EditedCall, EditReview } from '@core/runtime/consent/EditReview';
import type { RunReporter } from '@core/runtime/report/RunReporter';
import { SessionStore } from '@core/runtime/store/SessionStore';
import { StatePersister } from '@core/runtime/store/StatePersister';
import { AgentState } from '@core/state/AgentState';
import { InMemoryStateStorage } from '@core/state/InMemoryStateStorage';
import { OpenBatch } from '@core/state/OpenBatch';
import { CallStatus, CallTarget } from '@core/state/OpenCall';
import { PersistReason } from '@core/state/PersistReason';
import type { StateCommit } from '@core/state/StateCommit';
import { CountingIdGenerator } from '@core/testing/CountingIdGenerator';
import { ManualClock } from '@core/testing/ManualClock';
import { TestDigest } from '@core/testing/TestDigest';
import { ToolEffect } from '@core/tool/ToolContract';
import { pipelineOf } from '../hook/support';
import { call, open } from './support';

const NOW = 1000;
const item = (position: number, over: Partial<PendingApprovalItemInit> = {}): PendingApprovalItem => new PendingApprovalItem({
  approvalId: `b:${position}:0`, position, round: 0, kind: ApprovalKind.call, toolCall: call(position), riskLevel: ToolRiskLevel.sensitive, effect: ToolEffect.reversible, reason: '', createdAtMs: 1, decision: ApprovalDecision.pending, warnings: [], origin: [], digest: `d${position}`, definitionHash: 'h', ...over,
});
const questions = (...items: PendingApprovalItem[]): PendingApprovalBatch => new PendingApprovalBatch({ batchId: 'b', runId: 'r', items, modelMessage: AgentMessage.assistant(''), createdAtMs: 1, siblings: [] });
const yes = { decision: ApprovalDecision.approved, decidedBy: 'ada', decidedAtMs: 1 };
const no = { decision: ApprovalDecision.denied, decidedBy: 'ada', decidedAtMs: 1 };
const expired = { decision: ApprovalDecision.denied, decidedBy: 'expiry', decidedAtMs: 1 };

/** A disk on which, before the next commits, another owner or a fault comes first. */
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

class Desk {
  readonly disk: Disk;
  readonly wall = new ManualClock(NOW);
  readonly store: SessionStore;
  readonly told: string[] = [];
  readonly records: string[] = [];
  readonly consents: ConsentBooks;
  readonly recorder: DecisionRecorder;
  edited: Result<EditedCall, ArkAgentError> | undefined;
  private readonly persister: StatePersister;

  constructor(options: { rules?: GrantRules; disk?: Disk } = {}) {
    this.disk = options.disk ?? new Disk();
    const clock = new EffectiveClock(this.wall);
    const ids = new CountingIdGenerator('i');
    this.store = new SessionStore(this.disk, ids, clock, AgentState.fresh('s', new JsonObject(), 1));
    this.persister = new StatePersister(this.store, pipelineOf());
    this.consents = new ConsentBooks(this.store, clock, ids, new CallLedger(new TestDigest()), options.rules ?? {});
    const audit = new RunAudit({ record: (entry: AuditRecord) => { this.records.push(`${entry.callId} ${entry.step} ${entry.decider} ${entry.decision}${entry.code === '' ? '' : ` ${entry.code}`}`); } }, this.wall, 's', 'r');
    const reporter = {
      audit, persisted: () => undefined, diagnostics: () => undefined,
      approvalResolved: (batch: PendingApprovalBatch, items: ReadonlyArray<PendingApprovalItem>, closedBy: string) => { this.told.push(`${items.map((one) => `${one.approvalId} ${one.decision} ${one.decidedBy}`).join(', ')}${batch.allDecided() ? ' all' : ''}${closedBy}`); },
    } as unknown as RunReporter;
    const edits = { review: async () => this.edited } as unknown as EditReview;
    this.recorder = new DecisionRecorder({ store: this.store, persister: this.persister, clock, edits, consents: this.consents, state: this.store.snapshot().snapshot(), reporterFor: () => reporter });
  }

  /** The session as it is stored, with these questions open. */
  async ask(...items: PendingApprovalItem[]): Promise<this> {
    this.store.draft.pendingApproval = questions(...items);
    this.store.draft.openBatch = new OpenBatch({ batchId: 'b', runId: 'r', assistantMessageId: 'm', mode: BatchDenyMode.atomic, scope: ApprovalScope.flagged, visibleTools: [], calls: items.map((one, at) => open(at, CallStatus.awaiting)) });
    await this.store.commit(PersistReason.awaitingApproval);
    this.disk.commits = 0;
    return this;
  }

  async decide(position: number, approve: boolean, over: Partial<ApprovalDecisionRequest> = {}): Promise<string> {
    return said(await this.recorder.decide({ approvalId: `b:${position}:0`, approve, ...over }));
  }

  async stored(): Promise<string[]> {
    return ((await this.disk.load('s')).value?.pendingApproval?.items ?? []).map((one) => `${one.approvalId} ${one.decision} ${one.decidedBy ?? '-'} ${one.decidedAtMs ?? '-'}${one.denyReason === undefined ? '' : ` ${one.denyReason}`}`);
  }

  get inMemory(): string[] {
    return (this.store.draft.pendingApproval?.items ?? []).map((one) => one.decision);
  }
}

function said(result: ApprovalDecisionResult): string {
  return result.ok ? `${result.approvalId} ${result.decision}${result.allDecided ? ' all' : ''}` : `${result.approvalId} ${result.error?.code}`;
}

describe('a decision', () => {
  it('DEC-18 is on the disk before it is told, with who, when and why', async () => {
    const desk = await new Desk().ask(item(0), item(1));
    expect([await desk.decide(0, true, { decidedBy: 'ada' }), await desk.decide(1, false, { denyReason: 'too much' })]).toEqual(['b:0:0 approved', 'b:1:0 denied all']);
    expect(await desk.stored()).toEqual([`b:0:0 approved ada ${NOW}`, `b:1:0 denied person ${NOW} too much`]);
    expect(desk.told).toEqual(['b:0:0 approved ada', 'b:1:0 denied person all']);
    expect(desk.records).toEqual(['c0 decision ada approved', 'c1 decision person denied']);
  });

  it('DEC-49 that is repeated changes nothing and gets the answer that stands', async () => {
    const desk = await new Desk().ask(item(0, yes), item(1));
    expect([await desk.decide(0, true), await desk.decide(0, false), desk.disk.commits, desk.told]).toEqual(['b:0:0 approved', 'b:0:0 approved', 0, []]);
  });

  it('is nobody\'s in the name of the policy, a grant or the clock', async () => {
    for (const decidedBy of ['policy', 'grant:g', 'expiry']) {
      const desk = await new Desk().ask(item(0));
      await desk.decide(0, true, { decidedBy });
      expect(await desk.stored()).toEqual([`b:0:0 approved person ${NOW}`]);
    }
  });

  it('about nothing that is known is approval_not_found, also where other questions are open', async () => {
    expect([await new Desk().decide(0, true), await (await new Desk().ask(item(0))).decide(7, true)]).toEqual(['b:0:0 approval_not_found', 'b:7:0 approval_not_found']);
  });

  it('that cannot be stored is none, and nothing of it stays', async () => {
    const desk = await new Desk().ask(item(0));
    desk.disk.before.push('fail');
    const slices = desk.store.draft.slices;
    expect(await desk.decide(0, true, { remember: { scope: GrantScope.tool } })).toBe('b:0:0 state_save_failed');
    expect([desk.inMemory, desk.store.draft.slices === slices, desk.told, desk.consents.grants.list()]).toEqual([['pending'], true, [], []]);
    desk.disk.before.push('fail');
    expect(await desk.decide(0, false)).toBe('b:0:0 state_save_failed');
    expect(desk.consents.refusals.has('pay', () => 'd0')).toBe(false);
    expect(await desk.decide(0, true)).toBe('b:0:0 approved all');
  });
});

describe('a late decision', () => {
  it('DEC-50 is approval_expired: the question counts as denied, at the very millisecond', async () => {
    const early = await new Desk().ask(item(0, { expiresAtMs: NOW + 1 }));
    expect(await early.decide(0, true)).toBe('b:0:0 approved all');
    const late = await new Desk().ask(item(0, { expiresAtMs: NOW }), item(1), item(2, { expiresAtMs: NOW + 9 }));
    expect([await late.decide(0, true), await late.decide(1, true)]).toEqual(['b:0:0 approval_expired', 'b:1:0 approved']);
    expect(await late.stored()).toEqual([`b:0:0 denied expiry ${NOW}`, `b:1:0 approved person ${NOW}`, 'b:2:0 pending - -']);
    expect([late.told, late.records]).toEqual([['b:0:0 denied expiry', 'b:1:0 approved person'], ['c0 decision expiry denied', 'c0 decision person not_approved approval_expired', 'c1 decision person approved']]);
  });

  it('what is decided does not expire', async () => {
    const desk = await new Desk().ask(item(0, { ...yes, expiresAtMs: 1 }));
    await desk.recorder.sweepExpired();
    expect([desk.disk.commits, desk.inMemory]).toEqual([0, ['approved']]);
  });

  it('an expiry that cannot be stored is none, and the decision says so', async () => {
    const desk = await new Desk().ask(item(0, { expiresAtMs: NOW }));
    desk.disk.before.push('fail');
    expect([await desk.decide(0, true), desk.inMemory, desk.told]).toEqual(['b:0:0 state_save_failed', ['pending'], []]);
  });

  it('the sweep of an opened session stores what has expired, and does nothing without questions', async () => {
    const desk = await new Desk().ask(item(0, { expiresAtMs: NOW }));
    await desk.recorder.sweepExpired();
    expect([await desk.stored(), desk.told]).toEqual([[`b:0:0 denied expiry ${NOW}`], ['b:0:0 denied expiry all']]);
    await new Desk().recorder.sweepExpired();
  });
});

describe('DEC-02 another owner', () => {
  /** Two owners of one session; before the first one's next commit the second one does something. */
  async function two(act: (other: Desk) => Promise<void>, ...items: PendingApprovalItem[]): Promise<Desk> {
    const disk = new Disk();
    const one = await new Desk({ disk }).ask(...items);
    const other = new Desk({ disk });
    await other.store.reload();
    disk.before.push(() => act(other));
    return one;
  }

  it('that decided first is right, and the answer is theirs', async () => {
    const one = await two(async (other) => { await other.decide(0, false); }, item(0));
    expect([await one.decide(0, true), one.told, await one.stored()]).toEqual(['b:0:0 denied all', [], [`b:0:0 denied person ${NOW}`]]);
  });

  it('that decided something else is no obstacle: the decision is made again on top', async () => {
    const one = await two(async (other) => { await other.decide(1, true); }, item(0), item(1));
    expect([await one.decide(0, true), await one.stored()]).toEqual(['b:0:0 approved all', [`b:0:0 approved person ${NOW}`, `b:1:0 approved person ${NOW}`]]);
  });

  it('that closed the batch leaves its receipt', async () => {
    const close = (decision: Partial<PendingApprovalItemInit>, closedBy: string) => async (other: Desk): Promise<void> => {
      const known = item(0, decision);
      other.store.draft.receipts = [new DecisionReceipt('b', closedBy, [{ approvalId: 'b:0:0', decision: known.decision, decidedBy: known.decidedBy ?? '', decidedAtMs: 1 }])];
      other.store.draft.pendingApproval = undefined;
      await other.store.commit(PersistReason.terminal);
    };
    expect(await (await two(close(yes, ''), item(0))).decide(0, true)).toBe('b:0:0 approved all');
    expect(await (await two(close(yes, ''), item(0))).decide(0, false)).toBe('b:0:0 approval_batch_closed');
    expect(await (await two(close({}, 'cancel'), item(0))).decide(0, true)).toBe('b:0:0 approval_batch_closed');
    expect(await (await two(close(yes, ''), item(0, { expiresAtMs: NOW }))).decide(0, true), 'also where it had expired here').toBe('b:0:0 approved all');
  });

  it('that writes again and again is given up on after ten tries', async () => {
    const one = await two(async () => undefined, item(0));
    const other = new Desk({ disk: one.disk });
    one.disk.before.length = 0;
    const write = async (): Promise<void> => { await other.store.reload(); await other.store.commit(PersistReason.afterUserInput); };
    // The other owner's own commits pass through the same disk: nothing comes before those.
    for (let i = 0; i < 40; i++) one.disk.before.push(i % 2 === 0 ? write : async () => undefined);
    expect([await one.decide(0, true), one.disk.commits]).toEqual(['b:0:0 state_conflict', 20]);
  });

  it('that left the question as late as before: it expires on top of what they stored', async () => {
    const one = await two(async (other) => { await other.store.commit(PersistReason.afterUserInput); }, item(0, { expiresAtMs: NOW }));
    expect([await one.decide(0, true), await one.stored()]).toEqual(['b:0:0 approval_expired', [`b:0:0 denied expiry ${NOW}`]]);
  });
});

describe('a question of a batch that is closed', () => {
  const closedDesk = (closedBy: string, ...entries: Array<Partial<PendingApprovalItemInit>>): Desk => {
    const desk = new Desk();
    desk.store.draft.receipts = [new DecisionReceipt('a', '', []), new DecisionReceipt('b', closedBy, entries.map((entry, at) => ({ approvalId: `b:${at}:0`, decision: entry.decision ?? ApprovalDecision.pending, decidedBy: entry.decidedBy ?? '', decidedAtMs: 1 })))];
    return desk;
  };

  it('DEC-49 has the answer that was carried out, and no other', async () => {
    const desk = closedDesk('', yes, no, expired);
    expect([await desk.decide(0, true), await desk.decide(0, false), await desk.decide(1, false), await desk.decide(1, true), await desk.decide(2, true), await desk.decide(2, false)]).toEqual(
      ['b:0:0 approved all', 'b:0:0 approval_batch_closed', 'b:1:0 denied all', 'b:1:0 approval_batch_closed', 'b:2:0 approval_expired', 'b:2:0 approval_expired']);
    const other = await desk.recorder.decide({ approvalId: 'b:0:0', approve: false });
    expect([other.error?.details?.get('standing'), other.error?.message]).toEqual(['approved', 'the batch is closed; the call was approved']);
  });

  it('has none where the batch was closed before it was carried out', async () => {
    const result = await closedDesk('cancel', yes).recorder.decide({ approvalId: 'b:0:0', approve: true });
    expect([result.error?.code, result.error?.details?.get('closedBy')]).toEqual(['approval_batch_closed', 'cancel']);
  });

  it('a no to all of it is answered like a no to one of them', async () => {
    const all = async (desk: Desk): Promise<string> => said(await desk.recorder.denyAll('b', undefined));
    expect([await all(closedDesk('', yes, no)), await all(closedDesk('', yes)), await all(closedDesk('abort', no)), await all(closedDesk('', expired)), await all(closedDesk('')), await all(new Desk())]).toEqual(
      ['b denied all', 'b approval_batch_closed', 'b approval_batch_closed', 'b approval_expired', 'b approval_not_found', 'b approval_not_found']);
  });
});

describe('a no to all', () => {
  it('denies what is open with its reason, and leaves what others decided', async () => {
    const desk = await new Desk().ask(item(0), item(1, yes), item(2), item(3, { ...yes, decidedBy: 'policy' }), item(4, expired));
    expect(said(await desk.recorder.denyAll('b', 'why'))).toBe('b denied all');
    expect((await desk.stored()).map((line) => line.split(' ').slice(0, 3).join(' '))).toEqual(['b:0:0 denied person', 'b:1:0 approved ada', 'b:2:0 denied person', 'b:3:0 approved policy', 'b:4:0 denied expiry']);
    expect([(await desk.stored())[0].endsWith(' why'), desk.disk.commits]).toEqual([true, 2]);
  });

  it('where a yes to everything stood before, that stands', async () => {
    const desk = await new Desk().ask(item(0, yes), item(1, yes));
    expect([said(await desk.recorder.denyAll('b', undefined)), desk.disk.commits]).toEqual(['b approved all', 0]);
    const mixed = await new Desk().ask(item(0, yes), item(1, no));
    expect(said(await mixed.recorder.denyAll('b', undefined))).toBe('b denied all');
  });

  it('of another batch denies nothing of this one', async () => {
    const desk = await new Desk().ask(item(0));
    expect([said(await desk.recorder.denyAll('x', undefined)), desk.inMemory]).toEqual(['x approval_not_found', ['pending']]);
  });

  it('asks again about what has an answer in memory only, and takes what the disk has', async () => {
    const desk = await new Desk().ask(item(0), item(1));
    desk.disk.before.push('fail');
    const [first, all] = await Promise.all([desk.recorder.decide({ approvalId: 'b:0:0', approve: true }), desk.recorder.denyAll('b', 'why')]);
    expect([said(first), said(all)]).toEqual(['b:0:0 state_save_failed', 'b denied all']);
    expect(await desk.stored()).toEqual([`b:0:0 denied person ${NOW} why`, `b:1:0 denied person ${NOW} why`]);
  });

  it('stops at the first that fails, and says so', async () => {
    const desk = await new Desk().ask(item(0), item(1));
    desk.disk.before.push('fail');
    expect([said(await desk.recorder.denyAll('b', undefined)), desk.inMemory, desk.disk.commits]).toEqual(['b:0:0 state_save_failed', ['pending', 'pending'], 1]);
  });
});

describe('what later calls know of a decision', () => {
  it('S10 a no is not asked a second time; without a digest it cannot be known again', async () => {
    const desk = await new Desk().ask(item(0), item(1, { digest: undefined }));
    await desk.decide(0, false);
    await desk.decide(1, false);
    expect([desk.consents.refusals.has('pay', () => 'd0'), desk.consents.refusals.has('pay', () => undefined)]).toEqual([true, false]);
    const approved = await new Desk().ask(item(0));
    await approved.decide(0, true);
    expect(approved.consents.refusals.has('pay', () => 'd0')).toBe(false);
  });

  it('DEC-46 a yes is remembered where that is asked for, in the same commit, and said; a refusal of that too', async () => {
    const wish = { remember: { scope: GrantScope.tool } };
    const desk = await new Desk().ask(item(0), item(1), item(2, { kind: ApprovalKind.retry }), item(3));
    const plain = await desk.recorder.decide({ approvalId: 'b:0:0', approve: true });
    const kept = await desk.recorder.decide({ approvalId: 'b:1:0', approve: true, decidedBy: 'ada', ...wish });
    const once = await desk.recorder.decide({ approvalId: 'b:2:0', approve: true, ...wish });
    const denied = await desk.recorder.decide({ approvalId: 'b:3:0', approve: false, ...wish });
    expect([plain, kept, once, denied].map((one) => [one.ok, one.grantId !== undefined, one.notRemembered])).toEqual([[true, false, ''], [true, true, ''], [true, false, 'a yes to a repetition holds once'], [true, false, 'only a yes is remembered']]);
    expect(desk.consents.grants.list().map((grant) => [grant.grantId === kept.grantId, grant.toolName, grant.grantedBy])).toEqual([[true, 'pay', 'ada']]);
    expect([desk.disk.commits, desk.records.filter((line) => line.includes('grant'))]).toEqual([4, ['c1 grant ada remembered']]);
    expect((await desk.disk.load('s')).value?.slices.has('grants')).toBe(true);
  });
});

describe('an answer with other arguments', () => {
  const edit = { editedArgumentsJson: '{"n":2}' };
  const edited = (): EditedCall => ({ call: call(0, 'pay', '{"n":2}'), proposed: call(0), entry: open(0, CallStatus.awaiting, { digest: 'd2', definitionHash: 'h2', effective: new CallTarget('pay', '{"n":2}') }) }) as unknown as EditedCall;

  it('DEC-52 is stored as what will run, with what was proposed beside it', async () => {
    const desk = await new Desk().ask(item(0));
    desk.edited = Result.success<EditedCall, ArkAgentError>(edited());
    expect(await desk.decide(0, true, edit)).toBe('b:0:0 approved all');
    const stored = (await desk.disk.load('s')).value;
    expect(stored?.pendingApproval?.items[0]).toMatchObject({ toolCall: { argumentsJson: '{"n":2}' }, proposedCall: { argumentsJson: '{}' }, digest: 'd2', definitionHash: 'h2' });
    expect(stored?.openBatch?.calls[0].effective.argumentsJson).toBe('{"n":2}');
  });

  it('that is refused leaves the question open', async () => {
    const desk = await new Desk().ask(item(0));
    desk.edited = Result.failure<EditedCall, ArkAgentError>(ArkAgentError.of(ErrorCode.approvalEditRejected, 'x'));
    expect([await desk.decide(0, true, edit), desk.inMemory, desk.disk.commits]).toEqual(['b:0:0 approval_edit_rejected', ['pending'], 0]);
  });

  it('that cannot be stored leaves call and question as they were', async () => {
    const desk = await new Desk().ask(item(0));
    desk.edited = Result.success<EditedCall, ArkAgentError>(edited());
    desk.disk.before.push('fail');
    expect(await desk.decide(0, true, edit)).toBe('b:0:0 state_save_failed');
    expect([desk.inMemory, desk.store.draft.openBatch?.calls[0].effective.argumentsJson]).toEqual([['pending'], '{}']);
  });

  it('is not looked at for a no, for what is decided, and for what nobody asked', async () => {
    const desk = await new Desk().ask(item(0), item(1, yes));
    expect([await desk.decide(0, false, edit), await desk.decide(1, true, edit), await desk.decide(7, true, edit)]).toEqual(['b:0:0 denied all', 'b:1:0 approved all', 'b:7:0 approval_not_found']);
  });
});
