import { describe, expect, it } from 'vitest';
import { ArkAgentError } from '@core/base/ArkAgentError';
import { ErrorCode } from '@core/base/ErrorCodes';
import { AgentController } from '@core/control/AgentController';
import { BeforeRunHookResult } from '@core/hook/result/BeforeRunHookResult';
import { ModelCallHookResult } from '@core/hook/result/ModelCallHookResult';
import { ApprovalScope, BatchDenyMode } from '@core/approval/ApprovalModes';
import { AgentMessage } from '@core/message/AgentMessage';
import { MessageList } from '@core/message/MessageList';
import { ContentPart } from '@core/message/ContentPart';
import type { AgentConfig } from '@core/runtime/config/AgentConfig';
import { AgentRuntime } from '@core/runtime/AgentRuntime';
import { AgentState } from '@core/state/AgentState';
import { PendingPlanReview } from '@core/approval/PlanReview';
import { PlanReviewDecision } from '@core/approval/PlanReview';
import { OpenBatch } from '@core/state/OpenBatch';
import { CallStatus, CallTarget, CloseReason, OpenCall } from '@core/state/OpenCall';
import { RunRecord, RunStatus } from '@core/state/RunRecord';
import { AgentStopReason } from '@core/state/AgentStopReason';
import { MachineKey, type SealedMachine } from '@core/runtime/SealedMachine';
import { FunctionProvider, Session, Tools, WatchedStorage, call, calls, dangerous, hook, json, says, settle, user } from './harness';

describe('limits and refusals', () => {
  it('DEC-21 max_turns ends the run after the last allowed turn; new input may go on', async () => {
    const tools = new Tools().add('look');
    let n = 0;
    const provider = new FunctionProvider((observer, signal, request) => calls(call('c', 'look', { n: n++ }))(observer, signal, request));
    const session = await Session.open({ provider, toolRegistry: tools.registry, limits: { maxTurns: 3 } });
    const result = await session.run();
    expect([result.error.code, provider.calls, tools.ran.length]).toEqual(['max_turns_reached', 3, 3]);
    expect(session.afterRuns).toEqual(['0 max_turns max_turns_reached']);
    await session.run('more');
    expect(provider.calls).toBe(6);
    expect(session.problems()).toEqual([]);
  });

  it('DEC-09 a resume resets no limit: turns count over segments', async () => {
    const tools = new Tools().add('pay', { risk: dangerous });
    let n = 0;
    const provider = new FunctionProvider((observer, signal, request) => calls(call('c', 'pay', { n: n++ }))(observer, signal, request));
    const session = await Session.open({ provider, toolRegistry: tools.registry, limits: { maxTurns: 2 } });
    let result = await session.run();
    for (let i = 0; i < 2; i++) {
      expect(result.value.stopReason).toBe('awaiting_approval');
      await session.controller.approve(session.controller.listPendingApprovals()[0].approvalId);
      result = await session.resume();
    }
    expect([result.error.code, provider.calls]).toEqual(['max_turns_reached', 2]);
    expect(session.afterRuns).toEqual(['0 awaiting_approval -', '1 awaiting_approval -', '2 max_turns max_turns_reached']);
  });

  it('DEC-13 a history above the limit is refused before the model is called, and nothing is dropped', async () => {
    const provider = new FunctionProvider(says('x'));
    const session = await Session.open({ provider, limits: { maxHistoryMessages: 3 } });
    await session.run('1');
    await session.run('2');
    const result = await session.run('3');
    expect([result.error.code, provider.calls, session.history.length]).toEqual(['history_too_large', 2, 5]);
  });

  it('DEC-16 refused input opens no run: no hook, no event, no write, one onError and the same failure', async () => {
    const hooks = [hook('asked', { beforeRun: async () => { throw new Error('must not be asked'); } })];
    const cases: Array<[AgentMessage[], string]> = [
      [[], 'input_empty'], [[user('x'.repeat(11))], 'input_too_large'], [[AgentMessage.toolResult('c1', [], false)], 'input_invalid'],
      [[user('a'), new AgentMessage({ role: AgentMessage.assistant('').role, toolCalls: [call('c1', 'look')] })], 'input_invalid'],
    ];
    for (const [messages, code] of cases) {
      const session = await Session.open({ provider: new FunctionProvider(says('x')), hooks, limits: { maxInputChars: 10 } });
      const result = await session.runtime.runStream(messages, session.observer);
      expect([result.error.code, session.log]).toEqual([code, [`obs onError ${code}`]]);
      expect(session.observer.errors[0]).toBe(result.error);
    }
  });

  it('input_invalid also when a beforeRun hook makes such input: the run fails, the history stays sound', async () => {
    const session = await Session.open({ provider: new FunctionProvider(says('x')), hooks: [hook('forges', { beforeRun: async () => BeforeRunHookResult.proceed([AgentMessage.toolResult('c1', [ContentPart.text('x')], false)]) })] });
    expect((await session.run()).error.code).toBe('input_invalid');
    expect([session.afterRuns, session.history, session.storage.last.run?.stopReason]).toEqual([['0 error input_invalid'], [], 'error']);
  });

  it('DEC-16 a second run while one is active is refused and the first is untouched', async () => {
    const session = await Session.open({ provider: new FunctionProvider(() => undefined) });
    const first = session.run();
    await settle();
    expect(session.runtime.running).toBe(true);
    const observer = session.observer;
    const second = await session.run('me too');
    expect(second.error.code).toBe('run_already_active');
    expect(session.observer.errors).toHaveLength(1);
    expect((await session.resume()).error.code).toBe('run_already_active');
    expect(observer.terminalCount).toBe(0);
    await session.runtime.cancel();
    expect((await first).value.stopReason).toBe('cancelled');
    expect(session.runtime.running).toBe(false);
  });

  it('DEC-16 a run may start inside the terminal call of the one before', async () => {
    const session = await Session.open({ provider: new FunctionProvider(says('a')) });
    let second: Promise<unknown> | undefined;
    const observer = session.observer;
    observer.onComplete = () => { second ??= session.runtime.runStream([user('again')], new (observer.constructor as never as new (log: string[]) => typeof observer)(session.log)); };
    await session.runtime.runStream([user('hi')], observer);
    await second;
    expect(session.history).toEqual(['user hi', 'assistant a', 'user again', 'assistant a']);
  });

  it('resume with nothing open: resume_nothing_pending; runStream without input resumes what is open', async () => {
    const session = await Session.open({ provider: new FunctionProvider(says('a')) });
    expect((await session.resume()).error.code).toBe('resume_nothing_pending');
    const tools = new Tools().add('pay', { risk: dangerous });
    const asking = await Session.open({ provider: new FunctionProvider(calls(call('c1', 'pay')), says('x')), toolRegistry: tools.registry });
    await asking.run();
    expect((await asking.resume()).error.code).toBe('awaiting_approval');
    expect((await asking.run('new')).error.code).toBe('pending_approval_blocks_input');
    await asking.controller.approve(asking.controller.listPendingApprovals()[0].approvalId);
    const blocked = await asking.run('new');
    expect([blocked.error.code, blocked.error.details?.get('resumeRequired')]).toEqual(['pending_approval_blocks_input', true]);
    expect((await asking.runtime.runStream([], asking.observer)).value.stopReason).toBe('complete');
  });

  it('DEC-04 a stored plan review blocks input and resume', async () => {
    const parts = AgentState.fresh('s', json({}), 1).toParts();
    parts.pendingPlanReview = new PendingPlanReview('p', 'r', json({ todos: [] }).seal(), 1);
    parts.run = new RunRecord({ runId: 'r', status: RunStatus.suspended, segment: 0, turn: 1, stopReason: AgentStopReason.awaitingPlanReview });
    parts.revision = 1;
    const storage = new WatchedStorage();
    (storage as unknown as { sessions: Map<string, AgentState> }).sessions.set('s', new AgentState(parts));
    const session = await Session.open({ provider: new FunctionProvider(says('x')) }, storage);
    expect((await session.run()).error.code).toBe('pending_plan_review_blocks_input');
    expect((await session.resume()).error.code).toBe('awaiting_plan_review');
    expect((await session.controller.decidePlanReview(PlanReviewDecision.approve())).error?.code).toBe('plan_review_not_found');
  });

  it.each([[CloseReason.streamFailed, 'stream_failed'], [CloseReason.processDied, 'process_died'], [CloseReason.hookAbort, 'hook_abort'], [CloseReason.cancelledByUser, 'tool_cancelled'],
    [CloseReason.denied, 'tool_denied'], [CloseReason.expired, 'tool_denied'], [CloseReason.notExecuted, 'tool_batch_not_executed'], [CloseReason.toolChanged, 'tool_changed']])(
    'S6 DEC-20 a stored call that was closed as %s is answered before the next input, with the code %s', async (reason, code) => {
      const parts = AgentState.fresh('s', json({}), 1).toParts();
      const asked = new AgentMessage({ role: AgentMessage.assistant('').role, id: 'm2', toolCalls: [call('c1', 'look')], createdAtMs: 1 });
      parts.history = MessageList.of([user('hi').stamped('m1', 1), asked]);
      parts.run = new RunRecord({ runId: 'r', status: RunStatus.finished, segment: 0, turn: 1, stopReason: AgentStopReason.error });
      parts.openBatch = new OpenBatch({
        batchId: 'b', runId: 'r', assistantMessageId: 'm2', mode: BatchDenyMode.atomic, scope: ApprovalScope.flagged, visibleTools: ['look'],
        calls: [new OpenCall({ position: 0, status: CallStatus.allowed, attempt: 0, effective: new CallTarget('look', '{}') }).closed(reason)],
      });
      parts.revision = 1;
      const storage = new WatchedStorage();
      (storage as unknown as { sessions: Map<string, AgentState> }).sessions.set('s', new AgentState(parts));
      const provider = new FunctionProvider(says('x'));
      const session = await Session.open({ provider }, storage);
      await session.run('next');
      expect(session.history.slice(2, 4)).toEqual([expect.stringMatching(new RegExp(`^tool c1 !${code}: `)), 'user next']);
      expect(provider.requests[0].messages.length).toBe(4);
      expect(session.problems()).toEqual([]);
    });

  it('a storage refuses a session id that no session can have: session_id_invalid', async () => {
    expect((await new WatchedStorage().load('')).error.code).toBe('session_id_invalid');
    expect((await new WatchedStorage().load('x'.repeat(201))).error.code).toBe('session_id_invalid');
  });

  it('a session that is marked not resumable takes no more work', async () => {
    const session = await Session.open({ provider: new FunctionProvider(says('x')) }, new WatchedStorage((reason) => reason === 'terminal' ? new Error('disk gone') : undefined));
    const result = await session.run();
    expect([result.error.code, result.error.details?.get('original'), result.error.details?.get('marked')]).toEqual(['state_save_failed', 'complete', true]);
    expect(session.storage.marks).toHaveLength(1);
    expect((await session.run()).error.code).toBe('session_not_resumable');
    expect((await session.resume()).error.code).toBe('session_not_resumable');
  });

  it('DEC-06 a failed ordinary save is told and the run goes on; what it would have written rides in the next one', async () => {
    const session = await Session.open({ provider: new FunctionProvider(says('x')) }, new WatchedStorage((reason) => reason === 'terminal' ? undefined : ArkAgentError.of(ErrorCode.stateSaveFailed, 'busy')));
    expect((await session.run()).value.stopReason).toBe('complete');
    expect(session.observer.values.filter((event) => event.type === 'state_persisted').map((event) => `${event.text} ${event.persisted}`)).toEqual(['after_user_input false', 'after_model_text false', 'terminal true']);
    expect(session.storage.last.history.length).toBe(2);
  });

  it('a fault of the runtime itself is an ending like any other', async () => {
    const tools = new Tools().add('look');
    const session = await Session.open({ provider: new FunctionProvider(says('x')), toolRegistry: tools.registry });
    (session.runtime as unknown as { sealed: SealedMachine }).sealed.open(new MachineKey()).parts.keeper.append = () => { throw new Error('bug'); };
    expect((await session.run()).error.code).toBe('internal_error');
    expect(session.afterRuns).toEqual(['0 error internal_error']);
    expect(session.runtime.running).toBe(false);
  });
});

describe('configuration', () => {
  const ports = (session: Session): AgentConfig['ports'] => ({ clock: session.clock, scheduler: session.scheduler, ids: { nextId: () => 'i' }, digest: { sha256Hex: () => '' } });

  it('config_invalid names every problem at once', async () => {
    const bad = await AgentRuntime.open({ sessionId: ' ', provider: undefined as never, ports: { clock: undefined } as never, approvalTtlMs: 0, limits: { maxTurns: 0, maxCallsPerBatch: 1.5, maxArgumentChars: 1, maxInputChars: NaN, maxResponseChars: -1, maxHistoryMessages: Infinity, maxModelRetries: -1, cancelGraceMs: 2 ** 31, timeoutGraceMs: -5 } });
    expect(bad.error.code).toBe('config_invalid');
    const problems = bad.error.details?.get('problems') as string[];
    for (const word of ['sessionId', 'provider', 'ports.clock', 'ports.scheduler', 'ports.ids', 'ports.digest', 'approvalTtlMs', 'maxTurns', 'maxCallsPerBatch', 'maxArgumentChars', 'maxInputChars', 'maxResponseChars', 'maxHistoryMessages', 'maxModelRetries', 'cancelGraceMs', 'timeoutGraceMs']) {
      expect(problems.filter((problem) => problem.includes(word)), word).toHaveLength(1);
      expect(bad.error.message).toContain(word);
    }
    const missing = await AgentRuntime.open({ sessionId: undefined as never, provider: null as never, ports: undefined as never });
    expect(missing.error.details?.get('problems')).toEqual(['sessionId is missing', 'provider is missing', 'ports is missing']);
  });

  it('DEC-11 tools with effects on a storage that does not survive are worth a warning', async () => {
    const warned = await Session.open({ provider: new FunctionProvider(says('x')), toolRegistry: new Tools().add('pay', { risk: dangerous }).registry });
    expect(warned.logger.lines).toEqual([expect.stringMatching(/^warn .*not durable/)]);
    const quiet = await Session.open({ provider: new FunctionProvider(says('x')), toolRegistry: new Tools().add('look').registry });
    expect(quiet.logger.lines).toEqual([]);
  });

  it('DEC-28 without a controller a run freezes all the same, and the runtime itself takes the decision', async () => {
    const tools = new Tools().add('pay', { risk: dangerous });
    const session = await Session.open({ provider: new FunctionProvider(calls(call('c1', 'pay')), says('x')), toolRegistry: tools.registry, controller: undefined });
    expect((await session.run()).value.stopReason).toBe('awaiting_approval');
    const item = session.runtime.getPendingApprovalBatch()?.items[0];
    await session.runtime.applyApprovalDecision({ approvalId: item?.approvalId ?? '', approve: true });
    expect((await session.resume()).value.stopReason).toBe('complete');
    expect(tools.ran).toHaveLength(1);
  });

  it('DEC-28 a controller serves one runtime at a time', async () => {
    const session = await Session.open({ provider: new FunctionProvider(says('x')) });
    const controller = session.controller;
    const second = await AgentRuntime.open({ sessionId: 't', provider: new FunctionProvider(says('x')), ports: ports(session), controller });
    expect(second.error.code).toBe('approval_host_already_bound');
    await session.runtime.close();
    expect((await AgentRuntime.open({ sessionId: 't', provider: new FunctionProvider(says('x')), ports: ports(session), controller })).ok).toBe(true);
  });

  it('CTL-02 a controller without a runtime answers approval_host_missing', async () => {
    expect((await new AgentController().approve('x')).error?.code).toBe('approval_host_missing');
  });

  it('a storage that cannot be read is told, also when it throws', async () => {
    class Broken extends WatchedStorage {
      override async load(): Promise<never> { throw new Error('no disk'); }
    }
    await expect(Session.open({ provider: new FunctionProvider(says('x')) }, new Broken())).rejects.toMatchObject({ code: 'state_load_failed' });
  });
});

describe('the request', () => {
  it('DEC-39 a tool that a hook hides is not visible in that turn and visible again in the next', async () => {
    const tools = new Tools().add('look').add('pay', { risk: dangerous });
    let turn = 0;
    const provider = new FunctionProvider(calls(call('c1', 'pay')), calls(call('c2', 'look')), says('x'));
    const session = await Session.open({ provider, toolRegistry: tools.registry, hooks: [hook('hides', {
      beforeModelCall: async (context) => ModelCallHookResult.proceed(turn++ === 0 ? context.request.withTools(context.request.tools.filter((tool) => tool.name !== 'pay')) : context.request),
    })] });
    expect((await session.run()).value.stopReason).toBe('complete');
    expect(session.history[2]).toBe('tool c1 !tool_not_visible: Tool not available now: pay');
    expect(provider.requests.map((request) => request.tools.length)).toEqual([1, 2, 2]);
  });

  it('REG-08 equal requests see an equal list, and options and system prompt reach the provider', async () => {
    const tools = new Tools().add('b').add('a');
    const provider = new FunctionProvider(calls(call('c', 'a')), says('x'));
    const session = await Session.open({ provider, toolRegistry: tools.registry, systemPrompt: 'be kind', modelOptions: { model: 'm', temperature: 0.1 } });
    await session.run();
    expect(provider.requests[0].tools).toBe(provider.requests[1].tools);
    expect([provider.requests[0].systemPrompt, provider.requests[0].options]).toEqual(['be kind', { model: 'm', temperature: 0.1 }]);
  });
});
