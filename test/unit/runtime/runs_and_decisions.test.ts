import { describe, expect, it } from 'vitest';
import type { ApprovalDecisionResult } from '@core/approval/ApprovalDecisionResult';
import { ApprovalDecision, ApprovalKind, ApprovalScope, BatchDenyMode } from '@core/approval/ApprovalModes';
import { ApprovalPolicyAsk, ApprovalPolicyResult, StrictestToolApprovalPolicy, type ToolApprovalPolicy } from '@core/approval/ApprovalPolicy';
import { DecisionReceipt } from '@core/approval/DecisionReceipt';
import { PendingApprovalBatch } from '@core/approval/PendingApprovalBatch';
import { PendingApprovalItem, type PendingApprovalItemInit } from '@core/approval/PendingApprovalItem';
import type { ArkAgentError } from '@core/base/ArkAgentError';
import { Result } from '@core/base/Result';
import type { LlmAfterEvent } from '@core/control/event/ModelEvents';
import { ResultBudget } from '@core/execution/artifact/ResultBudget';
import { RunAudit } from '@core/execution/audit/RunAudit';
import { CallStop } from '@core/execution/run/ExecutedCall';
import type { AgentHook } from '@core/hook/AgentHook';
import { AgentHookPipeline } from '@core/hook/AgentHookPipeline';
import { ModelCallHookResult } from '@core/hook/result/ModelCallHookResult';
import { ModelResponseHookResult } from '@core/hook/result/ModelResponseHookResult';
import { StatePersistenceHookResult } from '@core/hook/result/StatePersistenceHookResult';
import { ToolCallHookResult } from '@core/hook/result/ToolCallHookResult';
import { JsonObject } from '@core/json/JsonObject';
import { AgentMessage } from '@core/message/AgentMessage';
import { ToolCall } from '@core/message/ToolCall';
import { FinishReason, ModelResponse, type ModelResponseInit } from '@core/model/ModelResponse';
import { ToolRiskLevel } from '@core/model/ToolDefinition';
import type { ArtifactStore } from '@core/port/ArtifactStore';
import { BatchEnd } from '@core/runtime/batch/BatchEnd';
import { BatchSettings } from '@core/runtime/batch/BatchSettings';
import { ConsentBooks } from '@core/runtime/consent/ConsentBooks';
import { DecisionRecorder } from '@core/runtime/consent/DecisionRecorder';
import type { EditReview } from '@core/runtime/consent/EditReview';
import { CallLedger } from '@core/runtime/ledger/CallLedger';
import { CallIds } from '@core/runtime/model/CallIds';
import type { RunReporter } from '@core/runtime/report/RunReporter';
import { RunLoop, type RunLoopParts } from '@core/runtime/run/RunLoop';
import type { RunContext } from '@core/runtime/segment/RunContext';
import { EffectiveClock } from '@core/runtime/store/EffectiveClock';
import { SessionArtifacts } from '@core/runtime/store/SessionArtifacts';
import { SessionStore } from '@core/runtime/store/SessionStore';
import { PersistAction, PersistVerdict, StatePersister } from '@core/runtime/store/StatePersister';
import { StoreSlices } from '@core/runtime/store/StoreSlices';
import { AgentState } from '@core/state/AgentState';
import { CallResult } from '@core/state/CallResult';
import { InMemoryStateStorage } from '@core/state/InMemoryStateStorage';
import { PersistReason } from '@core/state/PersistReason';
import { RunRecord, RunStatus } from '@core/state/RunRecord';
import type { SliceAccess } from '@core/state/SliceAccess';
import type { StateCommit } from '@core/state/StateCommit';
import { StateSlice } from '@core/state/StateSlice';
import { CountingIdGenerator } from '@core/testing/CountingIdGenerator';
import { ManualClock } from '@core/testing/ManualClock';
import { TestDigest } from '@core/testing/TestDigest';
import { ToolEffect } from '@core/tool/ToolContract';
import { ToolRegistry } from '@core/tool/ToolRegistry';
import { ToolResult } from '@core/tool/ToolResult';
import { ToolCallStatus } from '@core/tool/ToolResultEnvelope';
import { type Answer, answers, call, calls, dangerous, FunctionProvider, hook, ListLogger, says, Session, Tools } from '../../scenario/run/harness';
import { afterRunContext, callContext, HandScheduler, pipelineOf } from '../hook/support';
import { tool } from './support';

const whole = (init: ModelResponseInit): Answer => answers(new ModelResponse(init));
const open = (provider: FunctionProvider, ...hooks: AgentHook[]): Promise<Session> => Session.open({ provider, hooks, toolRegistry: new Tools().add('look').registry });
const ending = async (session: Session): Promise<string> => { const result = await session.run(); return result.ok ? result.value.stopReason : result.error.code; };
const last = (session: Session): AgentMessage => session.runtime.snapshot().history.last() as AgentMessage;
const shown = (session: Session): string[] => session.observer.values.filter((event) => ['text_delta', 'reasoning_delta', 'model_restarted', 'model_started'].includes(event.type)).map((event) => `${event.type} ${event.text}`.trim());
const reasons = (session: Session): string[] => session.bus.filter((event) => event.eventType() === 'llm.after').map((event) => (event as LlmAfterEvent).finishReason);

describe('a hook without a time-out', () => {
  it('HOOK-11 is waited for as long as it takes: no slot schedules a deadline for it', async () => {
    const scheduler = new HandScheduler();
    const patient = hook('patient', { beforeToolCall: async (context) => ToolCallHookResult.proceed(context.call), afterRun: async () => undefined });
    const pipeline = new AgentHookPipeline([patient], scheduler);
    await pipeline.beforeToolCall(callContext());
    await pipeline.afterRun(afterRunContext());
    expect(scheduler.tasks).toEqual([]);
  });
});

describe('the calls of an answer', () => {
  it('as many as are allowed run, one more is too many', () => {
    const settings = new BatchSettings(BatchDenyMode.atomic, ApprovalScope.flagged, 2);
    expect([settings.refusal(2, true), settings.refusal(3, true)?.code, settings.refusal(1, false)?.code]).toEqual([undefined, 'tool_batch_too_large', 'tool_call_truncated']);
  });

  it('DEC-47 get an id where one of several has none, another where two share one, and the index of their place', () => {
    const unique = (...given: Array<[string, number]>): string[] => CallIds.unique(given.map(([id, index]) => new ToolCall(id, 'n', '{}', index)), 'p').map((one) => `${one.id} ${one.index}`);
    expect(unique(['', 0], ['a', 1])).toEqual(['p-0 0', 'a 1']);
    expect(unique(['a', 0], ['a', 1], ['a', 2])).toEqual(['a 0', 'a#2 1', 'a#3 2']);
    expect(unique(['a', 0], ['b', 0])).toEqual(['a 0', 'b 1']);
  });

  it('DEC-25 that was cut are stored with it as refused, and an answer without calls opens no batch', async () => {
    const cut = async (toolCalls: ToolCall[]): Promise<boolean[]> => {
      const session = await open(new FunctionProvider(whole({ text: 't', finishReason: FinishReason.length, toolCalls }), says('bye')));
      await session.run();
      return session.storage.states.filter((_, at) => session.storage.reasons[at] === PersistReason.afterModelText).map((state) => state.openBatch !== undefined);
    };
    expect([await cut([call('c1', 'look')]), await cut([])]).toEqual([[true, false], [false]]);
  });

  it('come without an empty text beside them', async () => {
    const session = await open(new FunctionProvider(calls(call('c1', 'look')), says('bye')));
    await session.run();
    expect(session.runtime.snapshot().history.toArray().filter((one) => one.role === 'assistant').map((one) => one.contents.length)).toEqual([0, 1]);
  });
});

describe('a run that is cancelled', () => {
  it('before its first turn counts none', async () => {
    const session = await Session.open({ provider: new FunctionProvider(says('bye')) });
    session.controller.subscribe('state.persisted', () => { void session.runtime.cancel('enough'); });
    expect([await ending(session), session.runtime.snapshot().run?.turn]).toEqual(['cancelled', 0]);
  });

  it('by a hook before the model call starts none', async () => {
    const provider = new FunctionProvider(says('never'));
    const session: Session = await open(provider, hook('stopping', { beforeModelCall: async (context) => { void session.runtime.cancel('x'); return ModelCallHookResult.proceed(context.request); } }));
    expect([await ending(session), provider.calls, shown(session)]).toEqual(['cancelled', 0, []]);
  });

  it('by whoever hears that the model is about to be called asks no model', async () => {
    const provider = new FunctionProvider(says('never'));
    const session = await open(provider);
    session.controller.subscribe('llm.before', () => { void session.runtime.cancel('x'); });
    expect([await ending(session), provider.calls]).toEqual(['cancelled', 0]);
  });

  it('by a hook that asks for a retry is not tried again', async () => {
    let before = 0;
    const session: Session = await open(new FunctionProvider(says('a')), hook('h', {
      beforeModelCall: async (context) => { before++; return ModelCallHookResult.proceed(context.request); },
      afterModelCall: async () => { void session.runtime.cancel('x'); return ModelResponseHookResult.retry('again'); },
    }));
    expect([await ending(session), before]).toEqual(['cancelled', 1]);
  });

  it('while its answer is stored is cancelled, not complete: what follows the last answer does not begin', async () => {
    let completions = 0;
    const session: Session = await open(new FunctionProvider(says('a')), hook('h', {
      afterPersistState: async (context) => { if (context.reason === PersistReason.afterModelText) void session.runtime.cancel('x'); },
      onTurnCompletion: async () => { completions++; throw new Error('never'); },
    }));
    expect([await ending(session), completions]).toEqual(['cancelled', 0]);
  });

  it('while its calls are looked at looks at no more of them, and leaves no question behind', async () => {
    let seen = 0;
    const session: Session = await Session.open({
      provider: new FunctionProvider(calls(call('c1', 'erase'), call('c2', 'erase')), says('never')), toolRegistry: new Tools().add('erase', { risk: dangerous }).registry,
      hooks: [hook('h', { beforeToolCall: async (context) => { seen++; void session.runtime.cancel('x'); return ToolCallHookResult.proceed(context.call); } })],
    });
    expect([await ending(session), seen, session.runtime.snapshot().pendingApproval, session.busTypes().includes('approval.requested')]).toEqual(['cancelled', 1, undefined, false]);
  });
});

describe('a hook behind a model call', () => {
  const changing = (to: ModelResponseInit): AgentHook => {
    let first = true;
    return hook('changing', { afterModelCall: async (context) => { const own = first; first = false; return ModelResponseHookResult.proceed(own ? new ModelResponse(to) : context.response); } });
  };

  it('DEC-25 may let a text stand that was cut', async () => {
    const session = await open(new FunctionProvider(whole({ text: 't', finishReason: FinishReason.length })), changing({ text: 't' }));
    expect([await ending(session), last(session).interrupted, reasons(session)]).toEqual(['complete', false, ['stop']]);
  });

  it('DEC-25 has its own finish reason where the calls may run, or do not run either way', async () => {
    const toolCalls = [call('c1', 'look')];
    const told = async (from: FinishReason, to: FinishReason): Promise<string> => {
      const session = await open(new FunctionProvider(whole({ toolCalls, finishReason: from }), says('bye')), changing({ toolCalls, finishReason: to }));
      await session.run();
      return reasons(session)[0];
    };
    expect([await told(FinishReason.toolCalls, FinishReason.stop), await told(FinishReason.toolCalls, FinishReason.length), await told(FinishReason.length, FinishReason.contentFilter), await told(FinishReason.length, FinishReason.stop)]).toEqual(
      ['stop', 'length', 'content_filter', 'length']);
  });

  it('takes back reasoning that was shown when it asks for a retry', async () => {
    let retries = 1;
    const session = await open(new FunctionProvider(whole({ reasoning: 'r', toolCalls: [call('c1', 'look')] }), says('a')), hook('asking', {
      afterModelCall: async (context) => (retries-- > 0 ? ModelResponseHookResult.retry('again') : ModelResponseHookResult.proceed(context.response)),
    }));
    await session.run();
    expect(shown(session)).toEqual(['model_started', 'reasoning_delta r', 'model_restarted', 'model_started', 'text_delta a']);
  });

  it('DEC-26 an answer without text that it gave shows none', async () => {
    let first = true;
    const session = await open(new FunctionProvider(says('a')), hook('answering', {
      beforeModelCall: async (context) => { const own = first; first = false; return own ? ModelCallHookResult.respond(new ModelResponse({ reasoning: 'why', toolCalls: [call('c1', 'look')] })) : ModelCallHookResult.proceed(context.request); },
    }));
    await session.run();
    expect(shown(session)).toEqual(['reasoning_delta why', 'model_started', 'text_delta a']);
  });
});

describe('a save behind a batch that a hook forbids', () => {
  it('ends the run before the model is asked again', async () => {
    const provider = new FunctionProvider(calls(call('c1', 'look')), says('never'));
    const session = await open(provider, hook('h', { beforePersistState: async (context) => (context.reason === PersistReason.afterToolBatch ? StatePersistenceHookResult.abort('no') : StatePersistenceHookResult.proceed()) }));
    expect([await ending(session), provider.calls]).toEqual(['hook_abort', 1]);
  });
});

describe('a stop behind a batch', () => {
  /** What the loop leaves of it, with a plan that a person is to look at or without one. */
  async function after(stop: CallStop, plan?: object): Promise<Array<string | undefined>> {
    const draft = { run: new RunRecord({ runId: 'r', status: RunStatus.running, segment: 0, turn: 1 }), pendingPlanReview: undefined };
    const loop = new RunLoop({
      store: { draft, exclusive: (act: () => Promise<PersistVerdict>) => act() }, persister: { persist: async () => new PersistVerdict(PersistAction.stored) },
      keeper: { completeBatch: () => undefined }, features: { takeWantedReview: () => plan }, hooks: pipelineOf(), loops: { check: async () => undefined },
    } as unknown as RunLoopParts);
    const end = await loop.afterBatch({ batch: { message: AgentMessage.assistant(''), toOpenBatch: () => undefined } } as unknown as RunContext, new BatchEnd(undefined, stop));
    return [end?.stopReason, draft.run.pendingStop];
  }

  it('is stored with it; without one, or where a person is to look at a plan first, none is', async () => {
    expect([await after(CallStop.tool), await after(CallStop.none), await after(CallStop.tool, {})]).toEqual([['tool_stop', 'tool_stop'], [undefined, undefined], ['awaiting_plan_review', undefined]]);
  });
});

describe('a policy that fails', () => {
  it('S13 is told from one that asks, so that no grant stands in for the person, also as one of several', () => {
    const broken: ToolApprovalPolicy = { decide: () => { throw new Error('x'); } };
    const asking: ToolApprovalPolicy = { decide: () => ApprovalPolicyResult.requireConfirmation('why') };
    const isFault = (...policies: ToolApprovalPolicy[]): boolean => ApprovalPolicyAsk.isFault(new StrictestToolApprovalPolicy(policies).decide(call('c1', 'pay')));
    expect([isFault(broken), isFault(asking), isFault(asking, broken), isFault(broken, asking), isFault()]).toEqual([true, false, true, true, false]);
  });
});

describe('large results of a session', () => {
  it('are counted, so that the tool that reads them is shown from the first one on', async () => {
    const map = new Map<string, StateSlice>();
    const slices: SliceAccess = { getSlice: (name) => map.get(name), putSlice: (name, slice) => { map.set(name, slice as StateSlice); } };
    const store = { put: async () => Result.success({ id: 'a', chars: 500, sha256: 'x' }) } as unknown as ArtifactStore;
    const artifacts = new SessionArtifacts(store, new ToolRegistry(), new ListLogger(), slices);
    const counts: Array<number | undefined> = [];
    for (let i = 0; i < 2; i++) {
      const changes: string[] = [];
      await artifacts.sizer.fit('s', CallResult.of(ToolCallStatus.ok, '', ToolResult.text('x'.repeat(500)), 1), tool('look'), new ResultBudget(300, 1), changes);
      counts.push(map.get('artifacts')?.json.getNumber('count'));
      expect(changes).toEqual(['offloaded']);
    }
    expect(counts).toEqual([1, 2]);
  });
});

describe('decisions about one session', () => {
  const NOW = 1000;
  const yes = { decision: ApprovalDecision.approved, decidedBy: 'ada', decidedAtMs: 1 };
  const no = { decision: ApprovalDecision.denied, decidedBy: 'ada', decidedAtMs: 1 };
  const item = (batch: string, position: number, over: Partial<PendingApprovalItemInit> = {}): PendingApprovalItem => new PendingApprovalItem({
    approvalId: `${batch}:${position}`, position, round: 0, kind: ApprovalKind.call, toolCall: new ToolCall(`c${position}`, 'pay', '{}', position), riskLevel: ToolRiskLevel.sensitive, effect: ToolEffect.reversible, reason: '', createdAtMs: 1, decision: ApprovalDecision.pending, warnings: [], origin: [], digest: `d${position}`, definitionHash: 'h', ...over,
  });
  const questions = (batchId: string, ...items: PendingApprovalItem[]): PendingApprovalBatch => new PendingApprovalBatch({ batchId, runId: 'r', items, modelMessage: AgentMessage.assistant(''), createdAtMs: 1, siblings: [] });
  const said = (result: ApprovalDecisionResult): string => (result.ok ? `${result.decision}${result.allDecided ? ' all' : ''}` : `${result.error?.code}`);

  class Disk extends InMemoryStateStorage {
    readonly before: Array<() => Promise<void>> = [];
    commits = 0;

    override async commit(commit: StateCommit): Promise<Result<number, ArkAgentError>> {
      this.commits++;
      await this.before.shift()?.();
      return super.commit(commit);
    }
  }

  class Desk {
    readonly store: SessionStore;
    readonly consents: ConsentBooks;
    readonly recorder: DecisionRecorder;

    constructor(readonly disk = new Disk()) {
      const wall = new ManualClock(NOW);
      const clock = new EffectiveClock(wall);
      const ids = new CountingIdGenerator('i');
      this.store = new SessionStore(disk, ids, clock, AgentState.fresh('s', new JsonObject(), 1));
      this.consents = new ConsentBooks(this.store, clock, ids, new CallLedger(new TestDigest()), {});
      const reporter = { audit: new RunAudit({ record: () => undefined }, wall, 's', 'r'), persisted: () => undefined, diagnostics: () => undefined, approvalResolved: () => undefined } as unknown as RunReporter;
      this.recorder = new DecisionRecorder({ store: this.store, persister: new StatePersister(this.store, pipelineOf()), clock, edits: {} as EditReview, consents: this.consents, state: this.store.snapshot().snapshot(), reporterFor: () => reporter });
    }

    async ask(...items: PendingApprovalItem[]): Promise<this> {
      this.store.draft.pendingApproval = questions('b', ...items);
      await this.store.commit(PersistReason.awaitingApproval);
      this.disk.commits = 0;
      return this;
    }

    get decisions(): string[] {
      return (this.store.draft.pendingApproval?.items ?? []).map((one) => `${one.decision} ${one.decidedBy ?? '-'}`);
    }
  }

  /** Before the next commit of the desk another owner closes the batch, and has questions of another one. */
  async function overtaken(known: PendingApprovalItem, closed: Partial<PendingApprovalItemInit>, next?: PendingApprovalBatch): Promise<Desk> {
    const one = await new Desk().ask(known);
    const other = new Desk(one.disk);
    await other.store.reload();
    one.disk.before.push(async () => {
      const was = item('b', 0, closed);
      other.store.draft.receipts = [new DecisionReceipt('b', '', [{ approvalId: 'b:0', decision: was.decision, decidedBy: was.decidedBy ?? '', decidedAtMs: 1 }])];
      other.store.draft.pendingApproval = next;
      await other.store.commit(PersistReason.terminal);
    });
    return one;
  }

  it('DEC-02 where another owner closed the batch and asks about another one, the receipt answers', async () => {
    const next = questions('c', item('c', 0));
    const late = await overtaken(item('b', 0, { expiresAtMs: NOW }), yes, next);
    expect(said(await late.recorder.decide({ approvalId: 'b:0', approve: true }))).toBe('approved all');
    const open = await overtaken(item('b', 0), no, next);
    expect([said(await open.recorder.decide({ approvalId: 'b:0', approve: false })), open.decisions]).toEqual(['denied all', ['pending -']]);
  });

  it('DEC-02 a no to all of a batch that another owner closed with a no is a no, whatever is asked or approved since', async () => {
    for (const next of [undefined, questions('c', item('c', 0, yes))]) {
      const one = await overtaken(item('b', 0), no, next);
      expect(said(await one.recorder.denyAll('b', undefined))).toBe('denied all');
    }
  });

  it('a no to all where nobody is left to ask says that all is decided', async () => {
    const desk = await new Desk().ask(item('b', 0, { ...yes, decidedBy: 'policy' }), item('b', 1, { ...no, decidedBy: 'expiry' }));
    expect([said(await desk.recorder.denyAll('b', undefined)), desk.disk.commits]).toEqual(['denied all', 0]);
  });

  it('a no to all also reaches a yes that is on its way to the disk and does not get there', async () => {
    const desk = await new Desk().ask(item('b', 0), item('b', 1));
    let all: Promise<ApprovalDecisionResult> | undefined;
    desk.disk.before.push(async () => {
      all = desk.recorder.denyAll('b', undefined);
      throw new Error('disk');
    });
    const first = await desk.recorder.decide({ approvalId: 'b:0', approve: true });
    expect([said(first), said(await all as ApprovalDecisionResult), desk.decisions]).toEqual(['state_save_failed', 'denied all', ['denied person', 'denied person']]);
  });

  it('a no that is not stored while a feature puts something of its own takes back its refusal, and no older one', async () => {
    const refused = async (before: boolean): Promise<boolean[]> => {
      const desk = new Desk();
      if (before) desk.consents.refusals.add('pay', 'd0');
      await desk.ask(item('b', 0));
      desk.disk.before.push(async () => {
        new StoreSlices(desk.store).putSlice('other', new StateSlice(1, new JsonObject()));
        throw new Error('disk');
      });
      const result = await desk.recorder.decide({ approvalId: 'b:0', approve: false });
      return [result.ok, desk.store.draft.slices.has('other'), desk.consents.refusals.has('pay', () => 'd0')];
    };
    expect([await refused(false), await refused(true)]).toEqual([[false, true, false], [false, true, true]]);
  });

  it('DEC-02 an expiry is given up on after ten tries against an owner that never rests', async () => {
    const desk = await new Desk().ask(item('b', 0, { expiresAtMs: NOW }));
    const other = new Desk(desk.disk);
    const write = async (): Promise<void> => { await other.store.reload(); await other.store.commit(PersistReason.afterUserInput); };
    for (let i = 0; i < 60; i++) desk.disk.before.push(i % 2 === 0 ? write : async () => undefined);
    await desk.recorder.sweepExpired();
    expect([desk.disk.commits, desk.decisions]).toEqual([20, ['pending -']]);
  });
});
