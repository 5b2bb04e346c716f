import { describe, expect, it } from 'vitest';
import { CancellationController } from '@core/base/Cancellation';
import { ToolCallHookResult } from '@core/hook/result/ToolCallHookResult';
import { ModelResponseHookResult } from '@core/hook/result/ModelResponseHookResult';
import { ToolEffect } from '@core/tool/ToolContract';
import { ToolResult } from '@core/tool/ToolResult';
import { FunctionProvider, OnlyDangerousAsks, Session, Tools, WatchedStorage, call, calls, dangerous, hook, says, sensitive, settle } from './harness';

const policy = new OnlyDangerousAsks();
const tools = (): Tools => new Tools().add('look').add('write', { risk: sensitive }).add('pay', { risk: dangerous });
const provider = (): FunctionProvider => new FunctionProvider(calls(call('c1', 'look', { n: 1 }), call('c2', 'write', { n: 2 }), call('c3', 'look', { n: 3 })), says('a', 'b'));

/** A tool whose runs end when the test says so. */
function gated(contract: object, risk = sensitive): { tools: Tools; release: (result: ToolResult) => void; signalReasons: string[] } {
  let release: (result: ToolResult) => void = () => undefined;
  const signalReasons: string[] = [];
  const made = new Tools().add('look').add('slow', {
    risk, contract, run: (_args, context) => {
      context.signal.onCancelled((reason) => signalReasons.push(reason));
      return new Promise<ToolResult>((resolve) => { release = resolve; });
    },
  });
  return { tools: made, release: (result) => release(result), signalReasons };
}

describe('cancel and suspend', () => {
  it('EXE-11 DEC-19 a cancel at any event ends the run: nothing runs and no model is called after it, pairs are complete', async () => {
    const probe = await Session.open({ provider: provider(), toolRegistry: tools().registry, approvalPolicy: policy });
    await probe.run();
    const total = probe.observer.values.length;
    expect(total).toBeGreaterThan(15);
    for (const [how] of [['runtime'], ['signal']]) {
      for (let at = 0; at < total - 1; at++) {
        const made = tools();
        const model = provider();
        const session = await Session.open({ provider: model, toolRegistry: made.registry, approvalPolicy: policy });
        const control = new CancellationController();
        let seen: [number, number] | undefined;
        session.observer.onEvent = (_event, index) => {
          if (index !== at || seen !== undefined) return;
          seen = [model.calls, made.ran.length];
          if (how === 'runtime') void session.runtime.cancel('stop'); else control.cancel('stop');
        };
        const result = await session.run('hi', control.signal);
        const late = probe.observer.types[at] === 'state_persisted' && at === total - 2;
        expect([at, result.value.stopReason]).toEqual([at, late ? 'complete' : 'cancelled']);
        expect([model.calls, made.ran.length]).toEqual(seen);
        expect(session.problems()).toEqual([]);
        if (late) continue;
        expect(result.value.kind === 'cancelled' && result.value.reason).toBe('stop');
        expect(session.observer.types.filter((type) => type === 'cancel_requested')).toHaveLength(1);
        expect(session.observer.types.at(-1)).toBe('run_cancelled');
        expect(session.afterRuns).toEqual(['0 cancelled -']);
        const next = await session.run('next');
        expect(next.ok).toBe(true);
        expect(session.problems()).toEqual([]);
        const wire = model.requests.at(-1)?.messages.toArray() ?? [];
        for (const message of wire) for (const one of message.toolCalls) expect(wire.some((other) => other.toolCallId === one.id)).toBe(true);
      }
    }
  });

  it('DEC-21 a suspension at any event is stored, and resume ends as the undisturbed run, each call once', async () => {
    const probe = await Session.open({ provider: provider(), toolRegistry: tools().registry, approvalPolicy: policy });
    await probe.run();
    const total = probe.observer.values.length;
    for (let at = 0; at < total - 1; at++) {
      for (const reopened of [false, true]) {
        const made = tools();
        const model = provider();
        const session = await Session.open({ provider: model, toolRegistry: made.registry, approvalPolicy: policy });
        session.observer.onEvent = (_event, index) => { if (index === at) void session.runtime.suspend('background'); };
        const first = await session.run();
        session.observer.onEvent = undefined;
        if (first.value.stopReason === 'complete') continue;
        expect(first.value.stopReason).toBe('suspended');
        expect(session.observer.types.at(-1)).toBe('suspended');
        expect([session.observer.completions, session.storage.last.run?.status]).toEqual([1, 'suspended']);
        expect((await session.run('new')).error.code).toBe('resume_required');
        let second = session;
        if (reopened) {
          await session.runtime.close();
          second = await Session.open({ provider: model, toolRegistry: made.registry, approvalPolicy: policy }, session.storage);
        }
        const result = await second.resume();
        expect([at, result.value.stopReason]).toEqual([at, 'complete']);
        expect(second.history).toEqual(probe.history);
        expect([made.count('look'), made.count('write')]).toEqual([2, 1]);
        expect(second.problems()).toEqual([]);
      }
    }
  });

  it('DEC-21 a suspension while hooks are at work waits for them and loses nothing', async () => {
    const made = tools();
    const session = await Session.open({
      provider: provider(), toolRegistry: made.registry, approvalPolicy: policy, hooks: [hook('slow', {
        afterModelCall: async (context) => { await settle(2); return ModelResponseHookResult.proceed(context.response); },
        beforeToolCall: async (context) => { await settle(2); return ToolCallHookResult.proceed(context.call); },
      })],
    });
    const pending = session.run();
    await settle();
    const suspended = session.runtime.suspend('background');
    expect((await pending).value.stopReason).toBe('suspended');
    await suspended;
    expect(made.ran).toEqual([]);
    expect((await session.resume()).value.stopReason).toBe('complete');
    expect(made.ran).toHaveLength(3);
  });

  it('EXE-12 DEC-19 a running call gets the grace: an effect that does not settle is unknown, one that does is kept', async () => {
    const hanging = gated({});
    const session = await Session.open({ provider: new FunctionProvider(calls(call('c1', 'slow'), call('c2', 'look'))), toolRegistry: hanging.tools.registry, approvalPolicy: policy, limits: { cancelGraceMs: 500 } });
    const pending = session.run();
    await settle();
    void session.runtime.cancel('enough');
    expect(session.observer.types.at(-1)).toBe('cancel_requested');
    await settle();
    expect(hanging.signalReasons).toEqual(['enough']);
    session.scheduler.advance(499);
    await settle();
    expect(session.afterRuns).toEqual([]);
    session.scheduler.advance(1);
    const result = await pending;
    expect(result.value.stopReason).toBe('cancelled');
    expect(session.storage.last.openBatch?.calls.map((one) => `${one.status} ${one.reason ?? '-'}`)).toEqual(['unknown -', 'closed cancelled_by_user']);
    expect(session.observer.envelope('c1')?.status).toBe('unknown');
    hanging.release(ToolResult.text('late'));
    await settle();
    expect(hanging.tools.count('look')).toBe(0);
    expect(session.problems()).toEqual([]);

    const settling = gated({});
    const kept = await Session.open({ provider: new FunctionProvider(calls(call('c1', 'slow'))), toolRegistry: settling.tools.registry, approvalPolicy: policy });
    const run = kept.run();
    await settle();
    void kept.runtime.cancel('enough');
    settling.release(ToolResult.text('just made it'));
    expect((await run).value.stopReason).toBe('cancelled');
    expect(kept.storage.last.openBatch?.calls[0].result?.contents[0].asText()).toBe('just made it');
  });

  it('DEC-61 a call without effect that does not settle is cancelled; after a suspension it runs again', async () => {
    const plain = gated({ effect: ToolEffect.none }, sensitive);
    const session = await Session.open({ provider: new FunctionProvider(calls(call('c1', 'slow')), says('x')), toolRegistry: plain.tools.registry, approvalPolicy: policy });
    const pending = session.run();
    await settle();
    void session.runtime.cancel('');
    await session.finish(pending, 2000);
    expect(session.observer.envelope('c1')).toMatchObject({ status: 'cancelled', code: 'tool_cancelled' });
    expect(session.observer.envelope('c1')?.result.text()).toBe('tool_cancelled: Tool cancelled');
    const again = gated({ effect: ToolEffect.none }, sensitive);
    const paused = await Session.open({ provider: new FunctionProvider(calls(call('c1', 'slow')), says('x')), toolRegistry: again.tools.registry, approvalPolicy: policy });
    const first = paused.run();
    await settle();
    void paused.runtime.suspend('background');
    await paused.finish(first, 2000);
    const resumed = paused.resume();
    await settle();
    again.release(ToolResult.text('now'));
    expect((await resumed).value.stopReason).toBe('complete');
    expect(again.tools.count('slow')).toBe(2);
    expect(paused.history[2]).toBe('tool c1 now');
  });

  it('DEC-15 cancel while a question is open closes it, with one ending of its own', async () => {
    const made = tools();
    const session = await Session.open({ provider: new FunctionProvider(calls(call('c1', 'pay'), call('c2', 'look')), says('x')), toolRegistry: made.registry });
    await session.run();
    const id = session.controller.listPendingApprovals()[0].approvalId;
    expect((await session.runtime.cancel('changed my mind')).value).toBe(true);
    expect(session.afterRuns).toEqual(['0 awaiting_approval -', '1 cancelled -']);
    expect(session.busTypes().slice(-5)).toEqual(['state.persisted', 'tool.after', 'tool.after', 'approval.resolved', 'agent.cancelled']);
    expect((await session.controller.approve(id)).error?.code).toBe('approval_batch_closed');
    expect((await session.runtime.cancel('again')).value).toBe(false);
    await session.run('next');
    expect(session.history.slice(2, 4)).toEqual(['tool c1 !tool_cancelled: the person cancelled the run (cancelled_by_user)', 'tool c2 !tool_cancelled: the person cancelled the run (cancelled_by_user)']);
    expect(made.ran).toEqual([]);
  });

  it('DEC-15 a cancel that comes while the suspension is being stored still ends the run', async () => {
    const made = tools();
    const session = await Session.open({ provider: new FunctionProvider(calls(call('c1', 'pay'))), toolRegistry: made.registry });
    session.controller.subscribe('state.persisted', () => { if (session.storage.reasons.at(-1) === 'awaiting_approval') void session.runtime.cancel('too late?'); });
    await session.run();
    await settle();
    expect(session.storage.last.run?.stopReason).toBe('cancelled');
    expect(session.controller.listPendingApprovals()).toEqual([]);
    expect(session.afterRuns).toEqual(['0 cancelled -']);
    expect(session.busTypes()).not.toContain('approval.required');
  });

  it('DEC-17 two cancels of one waiting run are one ending; a resume with a cancelled signal is a cancel', async () => {
    const made = tools();
    const session = await Session.open({ provider: new FunctionProvider(calls(call('c1', 'pay'))), toolRegistry: made.registry });
    await session.run();
    const results = await Promise.all([session.runtime.cancel('a'), session.runtime.cancel('b')]);
    expect([results.every((result) => result.ok), session.afterRuns]).toEqual([true, ['0 awaiting_approval -', '1 cancelled -']]);
    const resumed = await Session.open({ provider: new FunctionProvider(calls(call('c1', 'pay'))), toolRegistry: made.registry });
    await resumed.run();
    await resumed.controller.approve(resumed.controller.listPendingApprovals()[0].approvalId);
    const control = new CancellationController();
    control.cancel('no, stop');
    expect((await resumed.runtime.resume(resumed.observer, control.signal)).value).toMatchObject({ kind: 'cancelled', reason: 'no, stop' });
    expect([made.ran, resumed.afterRuns.at(-1)]).toEqual([[], '1 cancelled -']);
  });

  it('the words of the cancel are told, also after a suspension was asked for', async () => {
    const session = await Session.open({ provider: new FunctionProvider(() => undefined) });
    const pending = session.run();
    await settle();
    void session.runtime.suspend('background');
    void session.runtime.cancel('enough');
    const result = await pending;
    expect(result.value.kind).toBe(result.value.stopReason === 'suspended' ? 'suspended' : 'cancelled');
    await settle();
    expect(session.storage.last.run?.stopReason).toBe('cancelled');
    const cancelled = session.bus.filter((event) => event.eventType() === 'agent.cancelled') as Array<typeof session.bus[0] & { reason: string }>;
    expect(cancelled.map((event) => event.reason)).toEqual(['enough']);
  });

  it('DEC-22 a signal that was cancelled before the run is told after runStarted', async () => {
    const control = new CancellationController();
    control.cancel('never mind');
    const model = provider();
    const session = await Session.open({ provider: model });
    const result = await session.run('hi', control.signal);
    expect(result.value).toMatchObject({ kind: 'cancelled', reason: 'never mind' });
    expect(session.observer.types).toEqual(['run_started', 'cancel_requested', 'state_persisted', 'state_persisted', 'run_cancelled']);
    expect([model.calls, session.history]).toEqual([0, ['user hi']]);
  });

  it('nothing is told after the ending: a cancel from its events is too late and asks for nothing', async () => {
    const session = await Session.open({ provider: new FunctionProvider(says('a')) });
    session.observer.onEvent = (event) => { if (event.type === 'run_completed') void session.runtime.cancel('late'); };
    expect((await session.run()).value.stopReason).toBe('complete');
    await settle();
    expect([session.observer.types.at(-1), session.observer.types.includes('cancel_requested' as never), session.afterRuns]).toEqual(['run_completed', false, ['0 complete -']]);
  });

  it('DEC-15 close suspends what runs, and every method then answers runtime_closed', async () => {
    const session = await Session.open({ provider: new FunctionProvider(() => undefined) });
    const pending = session.run();
    await settle();
    await session.runtime.close();
    expect((await pending).value.stopReason).toBe('suspended');
    expect((await session.run()).error.code).toBe('runtime_closed');
    expect((await session.resume()).error.code).toBe('runtime_closed');
    expect((await session.runtime.cancel()).error.code).toBe('runtime_closed');
    expect((await session.controller.approve('x')).error?.code).toBe('approval_host_missing');
    await session.runtime.close();
    const again = await Session.open({ provider: new FunctionProvider(says('x')), controller: session.controller }, session.storage);
    expect([again.runtime.restored, (await again.resume()).value.stopReason]).toEqual([true, 'complete']);
  });

  it('DEC-62 after a kill behind an answer with calls, new input closes them as process_died', async () => {
    const made = tools();
    const whole = await Session.open({ provider: provider(), toolRegistry: made.registry, approvalPolicy: policy });
    await whole.run();
    const cutAt = whole.storage.reasons.indexOf('after_model_text') + 1;
    const ran = made.ran.length;
    const session = await Session.open({ provider: new FunctionProvider(says('ok')), toolRegistry: made.registry, approvalPolicy: policy }, WatchedStorage.after(whole.storage.texts, cutAt));
    await session.run('next');
    expect(session.history.slice(2, 6)).toEqual(['c1', 'c2', 'c3'].map((id) => `tool ${id} !process_died: the app was closed before this call ran`).concat('user next'));
    expect(made.ran.length).toBe(ran);
  });
});
