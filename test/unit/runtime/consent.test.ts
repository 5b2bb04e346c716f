import { describe, expect, it } from 'vitest';
import { GrantScope, type GrantRules } from '@core/approval/ApprovalGrant';
import { ApprovalDecision, ApprovalKind, UnknownOutcomePolicy } from '@core/approval/ApprovalModes';
import { PendingApprovalItem, type PendingApprovalItemInit } from '@core/approval/PendingApprovalItem';
import { CancellationController } from '@core/base/Cancellation';
import type { PreparedCall } from '@core/execution/prepare/PreparedCall';
import { JsonObject } from '@core/json/JsonObject';
import { type LoopCheck, LoopDetectorResult, LoopKind } from '@core/loop/LoopDetector';
import { AgentMessage } from '@core/message/AgentMessage';
import { ToolRiskLevel } from '@core/model/ToolDefinition';
import { CallLedger } from '@core/runtime/ledger/CallLedger';
import { ConsentBooks } from '@core/runtime/consent/ConsentBooks';
import { EffectiveClock } from '@core/runtime/store/EffectiveClock';
import { EffectRecovery, Recovery } from '@core/runtime/ledger/EffectRecovery';
import type { HistoryKeeper } from '@core/runtime/ledger/HistoryKeeper';
import { LoopGuard } from '@core/runtime/run/LoopGuard';
import type { FeatureLink } from '@core/runtime/session/FeatureLink';
import type { RunContext } from '@core/runtime/segment/RunContext';
import { SessionStore } from '@core/runtime/store/SessionStore';
import { StoreSlices } from '@core/runtime/store/StoreSlices';
import { AgentState } from '@core/state/AgentState';
import { CallResult } from '@core/state/CallResult';
import { InMemoryStateStorage } from '@core/state/InMemoryStateStorage';
import { CallStatus, CallTarget, type OpenCall } from '@core/state/OpenCall';
import { CountingIdGenerator } from '@core/testing/CountingIdGenerator';
import { ManualClock } from '@core/testing/ManualClock';
import { TestDigest } from '@core/testing/TestDigest';
import { ProbeOutcome, type ToolContract, ToolEffect } from '@core/tool/ToolContract';
import { ToolResult } from '@core/tool/ToolResult';
import { ToolCallStatus } from '@core/tool/ToolResultEnvelope';
import { call, effectful, json, open, prepared, tool, work } from './support';

const item = (over: Partial<PendingApprovalItemInit> = {}): PendingApprovalItem => new PendingApprovalItem({
  approvalId: 'b:0:0', position: 0, round: 0, kind: ApprovalKind.call, toolCall: call(0), riskLevel: ToolRiskLevel.sensitive, effect: ToolEffect.reversible, reason: '', createdAtMs: 1, decision: ApprovalDecision.approved, warnings: [], origin: [], digest: 'd', definitionHash: 'h', ...over,
});
const newStore = (): SessionStore => new SessionStore(new InMemoryStateStorage(), new CountingIdGenerator('i'), new EffectiveClock(new ManualClock(1000)), AgentState.fresh('s', new JsonObject(), 1));
const ledger = new CallLedger(new TestDigest());

describe('what the session remembers about consent, held against a call', () => {
  const booksOf = (rules: GrantRules = { allowDangerous: true }): ConsentBooks => new ConsentBooks(newStore(), new EffectiveClock(new ManualClock(1000)), new CountingIdGenerator('g'), ledger, rules);
  const digest = (one: PreparedCall): string => ledger.digestOfCall(one) as string;
  const other = (status: CallStatus, over: object = {}): OpenCall => open(0, status, { digest: digest(prepared(1)), ...over });
  const question = (books: ConsentBooks, first: OpenCall, own: PreparedCall = prepared(1)): string => {
    const asked = books.question(work([first, open(1, CallStatus.allowed)], [undefined, own]), own);
    return asked === undefined ? 'none' : `${asked.verdict} ${asked.predecessorUnknown}`;
  };

  it('S9 the same effect has just become unknown: a person decides after all', () => {
    const books = booksOf();
    expect(question(books, other(CallStatus.unknown))).toBe('ask true');
    expect([question(books, other(CallStatus.finished)), question(books, other(CallStatus.unknown, { lateResult: CallResult.of(ToolCallStatus.ok, '', ToolResult.text('x'), 0) })), question(books, other(CallStatus.unknown, { digest: 'x' })), question(books, other(CallStatus.unknown, { effective: new CallTarget('send', '{}') }))]).toEqual(Array(4).fill('none'));
    expect(question(books, other(CallStatus.unknown), prepared(1, { decider: 'ada' })), 'a person\'s own yes always holds').toBe('none');
    expect(question(books, other(CallStatus.unknown), prepared(1, { tool: tool('pay', {}, ToolRiskLevel.safe) })), 'a call without effect').toBe('none');
    const alone = prepared(0);
    expect(books.question(work([open(0, CallStatus.unknown, { digest: digest(alone) })], [alone]), alone), 'not its own').toBeUndefined();
  });

  it('the same effect goes on as a job that has not ended: a person decides', () => {
    const books = booksOf();
    const jobs = prepared(1, { tool: tool('pay', { ...effectful, background: true }) });
    expect(question(books, open(0, CallStatus.finished), jobs)).toBe('none');
    books.effects.begun({ batchId: 'x', position: 0, toolName: 'pay', digest: digest(jobs) });
    expect(question(books, open(0, CallStatus.finished), jobs)).toBe('ask true');
    const plain = prepared(1);
    books.effects.begun({ batchId: 'x', position: 0, toolName: 'pay', digest: digest(plain) });
    expect(question(books, open(0, CallStatus.finished), plain), 'a tool that makes no jobs was asked about before').toBe('none');
  });

  it('a grant that does not hold any more: a person decides', () => {
    const books = booksOf();
    const id = books.grants.add(item(), { scope: GrantScope.tool }, 'ada');
    expect(question(books, open(0, CallStatus.finished), prepared(1, { grantId: id }))).toBe('none');
    books.grants.remove(id);
    expect(question(books, open(0, CallStatus.finished), prepared(1, { grantId: id }))).toBe('ask false');
  });

  it('a call that starts uses its grant and settles its predecessor; one that did not start gives both back', () => {
    const books = booksOf();
    const id = books.grants.add(item(), { scope: GrantScope.tool, uses: 2 }, 'ada');
    const own = prepared(0, { grantId: id });
    books.effects.begun({ batchId: 'x', position: 0, toolName: 'pay', digest: 'd' });
    const back = books.starting(own, open(0, CallStatus.planned, { digest: 'd' }));
    expect([books.grants.find(id)?.remainingUses, books.effects.list().length]).toEqual([1, 0]);
    back();
    expect([books.grants.find(id)?.remainingUses, books.effects.list().length]).toEqual([2, 1]);
  });

  it('a call without grant, effect or digest touches nothing of them', () => {
    const books = booksOf();
    const id = books.grants.add(item(), { scope: GrantScope.tool, uses: 2 }, 'ada');
    books.effects.begun({ batchId: 'x', position: 0, toolName: 'pay', digest: 'd' });
    const state = (): string => `${books.grants.find(id)?.remainingUses} ${books.effects.list().length}`;
    books.starting(prepared(0, { tool: tool('pay', {}, ToolRiskLevel.safe) }), open(0, CallStatus.planned, { digest: 'd' }))();
    books.starting(prepared(0), open(0, CallStatus.planned))();
    books.starting(prepared(0, { grantId: 'gone' }), open(0, CallStatus.planned))();
    expect(state()).toBe('2 1');
    const back = books.starting(prepared(0), open(0, CallStatus.planned, { digest: 'd' }));
    expect(state()).toBe('2 0');
    back();
    expect(state()).toBe('2 1');
  });

  it('DEC-46 two calls of one batch never count on the same last use', () => {
    const books = booksOf();
    const pay = tool('pay', effectful);
    const id = books.grants.add(item({ definitionHash: ledger.definitionHash(pay) }), { scope: GrantScope.tool, uses: 2 }, 'ada');
    const memory = books.memory();
    expect([1, 2, 3].map(() => memory.grantFor(call(0), pay, json('{}')))).toEqual([id, id, undefined]);
    expect(books.memory().grantFor(call(0), pay, json('{}')), 'another batch').toBe(id);
    expect(booksOf().memory().grantFor(call(0), pay, json('{}'))).toBeUndefined();
    expect(booksOf({}).grants.refusal(item({ riskLevel: ToolRiskLevel.dangerous }), { scope: GrantScope.tool })).toBe('a yes to a dangerous tool is not remembered');
  });

  it('a batch asks what was refused and what is unknown by the arguments that the card shows', () => {
    const books = booksOf();
    const pay = tool('pay', effectful);
    const own = ledger.digestOf('pay', json('{"n":1}'), ledger.definitionHash(pay)) as string;
    const memory = books.memory();
    expect([memory.refused(call(0), pay, json('{"n":1}')), memory.outcomeUnknown(call(0), pay, json('{"n":1}'))]).toEqual([false, false]);
    books.refusals.add('pay', own);
    books.effects.begun({ batchId: 'x', position: 0, toolName: 'pay', digest: own });
    expect([memory.refused(call(0), pay, json('{"n":1}')), memory.refused(call(0), pay, json('{"n":2}')), memory.outcomeUnknown(call(0), pay, json('{"n":1}')), memory.outcomeUnknown(call(0), pay, json('{"n":2}'))]).toEqual([true, false, true, false]);
  });
});

describe('S2 a call that was started when the process died', () => {
  const begun = (over: object = {}): OpenCall => open(0, CallStatus.started, { startedAtMs: 5, attempt: 1, idempotencyKey: 'k', ...over });
  async function recover(contract: ToolContract | undefined, policy = UnknownOutcomePolicy.report, entry = begun()): Promise<string> {
    const job = work([entry], [undefined]);
    const way = await new EffectRecovery(policy).recover(job, entry, contract === undefined ? undefined : tool('pay', { effect: ToolEffect.irreversible, ...contract }));
    const now = job.at(0);
    return `${way}: ${now.status} ${now.attempt} ${now.startedAtMs ?? '-'}${now.result === undefined ? '' : ` ${now.result.status} ${now.result.contents[0].asText()}`}`;
  }
  const probing = (answer: ProbeOutcome | Error, keys: string[] = []): ToolContract => ({ probe: { probe: async (key) => { keys.push(key); if (answer instanceof Error) throw answer; return answer; } } });

  it('runs again where its contract or its probe says so', async () => {
    const keys: string[] = [];
    expect(await recover({ idempotent: true })).toBe('again: planned 2 -');
    expect(await recover(probing(ProbeOutcome.notHappened, keys))).toBe('again: planned 0 -');
    expect(keys).toEqual(['k']);
    expect(await recover({ idempotent: true, ...probing(ProbeOutcome.happened) }), 'the contract comes first').toBe('again: planned 2 -');
  });

  it('has happened where the probe says so', async () => {
    expect(await recover(probing(ProbeOutcome.happened))).toBe('answered: finished 1 5 ok The effect happened before the app was closed; its answer was lost.');
  });

  it('is unknown otherwise, or a person is asked', async () => {
    const unknown = 'answered: unknown 1 5 unknown tool_outcome_unknown: the outcome of this call is unknown; it may or may not have happened, do not repeat it';
    expect([await recover({}), await recover(undefined), await recover(probing(ProbeOutcome.cannotTell)), await recover(probing(new Error('x')))]).toEqual(Array(4).fill(unknown));
    expect(await recover(probing(ProbeOutcome.notHappened), UnknownOutcomePolicy.report, begun({ idempotencyKey: undefined })), 'no key to ask about').toBe(unknown);
    expect([await recover({}, UnknownOutcomePolicy.ask), await recover(undefined, UnknownOutcomePolicy.ask)]).toEqual(Array(2).fill('ask: started 1 5'));
  });

  it('is not settled by anything but the contract or a person\'s yes to the repetition', () => {
    const retry = (over: Partial<PendingApprovalItemInit> = {}): PendingApprovalItem => item({ kind: ApprovalKind.retry, decidedBy: 'ada', ...over });
    const unsettled = (entry: OpenCall, contract: ToolContract | undefined, asked?: PendingApprovalItem): boolean => EffectRecovery.isUnsettled(entry, contract === undefined ? undefined : tool('pay', contract), asked);
    expect([unsettled(begun(), effectful), unsettled(begun(), effectful, retry({ decision: ApprovalDecision.denied })), unsettled(begun(), effectful, retry({ kind: ApprovalKind.call })), unsettled(begun(), effectful, retry({ decidedBy: 'policy' }))]).toEqual(Array(4).fill(true));
    expect([unsettled(begun(), effectful, retry()), unsettled(begun(), { ...effectful, idempotent: true }), unsettled(begun(), undefined), unsettled(open(0, CallStatus.planned), effectful)]).toEqual(Array(4).fill(false));
  });
});

describe('a run that goes in circles', () => {
  function desk(answer: (check: LoopCheck) => Promise<LoopDetectorResult>, nudge?: string): { guard: LoopGuard; told: string[]; appended: string[]; store: SessionStore; context: (runId?: string, signal?: CancellationController) => RunContext } {
    const store = newStore();
    const appended: string[] = [];
    const told: string[] = [];
    store.draft.loopWindow = ['a', 'b'];
    const guard = new LoopGuard({
      store, keeper: { append: (message: AgentMessage) => { appended.push(`${message.role} ${message.text()}`); return message; } } as unknown as HistoryKeeper, slices: new StoreSlices(store) as unknown as FeatureLink,
      detector: { windowSize: 5, signatureOf: (one) => one.name, check: answer }, nudge,
    });
    const context = (runId = 'r', control = new CancellationController()): RunContext => ({
      runId, signal: control.signal, reporter: { loopDetected: (found: LoopDetectorResult, evidence: { signature: string; window: readonly string[]; turn: number; nudged: boolean }) => told.push(`${found.reason} ${found.kind} [${evidence.signature}] ${evidence.window.join()} ${evidence.turn} ${evidence.nudged}`) },
    }) as unknown as RunContext;
    return { guard, told, appended, store, context };
  }
  const loop = async (): Promise<LoopDetectorResult> => LoopDetectorResult.loop('same calls', LoopKind.toolSignature);

  it('LOOP-01 ends, and says why', async () => {
    const { guard, told, context, appended } = desk(loop);
    const end = await guard.check(context());
    expect([end?.stopReason, end?.error?.code, end?.error?.message, told, appended]).toEqual(['loop_detected', 'loop_detected', 'same calls', ['same calls tool_signature [b] a,b 0 false'], []]);
    const judged = desk(async () => LoopDetectorResult.loop('no progress', LoopKind.llm));
    await judged.guard.check(judged.context());
    expect(judged.told).toEqual(['no progress llm [] a,b 0 false']);
    const empty = desk(loop);
    empty.store.draft.loopWindow = [];
    await empty.guard.check(empty.context());
    expect(empty.told).toEqual(['same calls tool_signature []  0 false']);
  });

  it('is told once where that is agreed, and ends with the next loop; another run has a chance of its own', async () => {
    const { guard, told, appended, context } = desk(loop, 'try something else');
    expect(await guard.check(context())).toBeUndefined();
    expect([appended, told]).toEqual([['user try something else'], ['same calls tool_signature [b] a,b 0 true']]);
    expect((await guard.check(context()))?.stopReason).toBe('loop_detected');
    expect(appended).toHaveLength(1);
    expect([await guard.check(context('other')), appended.length]).toEqual([undefined, 2]);
  });

  it('no loop, a detector that fails, and one that is asked of a run that is cancelled end nothing', async () => {
    const fails: Array<(check: LoopCheck) => Promise<LoopDetectorResult>> = [async () => LoopDetectorResult.notLoop(), async () => { throw new Error('x'); }, () => { throw new Error('x'); }];
    for (const answer of fails) {
      const { guard, told, context } = desk(answer);
      expect([await guard.check(context()), told]).toEqual([undefined, []]);
    }
    const control = new CancellationController();
    const cut = desk(() => new Promise(() => undefined));
    const pending = cut.guard.check(cut.context('r', control));
    control.cancel('');
    expect([await pending, cut.told]).toEqual([undefined, []]);
    const late = desk(async () => { control.cancel(''); return LoopDetectorResult.loop('x', LoopKind.llm); });
    expect([await late.guard.check(late.context('r', control)), late.told]).toEqual([undefined, []]);
  });
});
