import { describe, expect, it } from 'vitest';
import type { AgentControllerEvent } from '@core/control/event/AgentControllerEvent';
import { AgentController } from '@core/control/AgentController';
import { EventBus } from '@core/control/EventBus';
import { CancellationController } from '@core/base/Cancellation';
import { ToolResult } from '@core/tool/ToolResult';
import { FunctionProvider, OnlyDangerousAsks, Session, Tools, call, calls, dangerous, says, sensitive, settle, user } from './harness';

const working = (): FunctionProvider => new FunctionProvider(calls(call('c1', 'look'), call('c2', 'write')), says('a', 'b'));
const tools = (): Tools => new Tools().add('look').add('write', { risk: sensitive });

describe('the controller in a run', () => {
  it('CTL-03 listeners that throw or reject stop nobody and change no outcome', async () => {
    const faults: string[] = [];
    const controller = new AgentController(new EventBus((fault) => faults.push(fault.eventType)));
    const heard: string[] = [];
    controller.subscribeAll(() => { throw new Error('first'); });
    controller.subscribeAll((async () => { throw new Error('second'); }) as never);
    controller.subscribeAll((event) => heard.push(event.eventType()));
    const session = await Session.open({ provider: working(), toolRegistry: tools().registry, controller, approvalPolicy: new OnlyDangerousAsks() });
    expect((await session.run()).value.stopReason).toBe('complete');
    await settle();
    expect(heard.at(-1)).toBe('agent.success');
    expect(faults).toHaveLength(heard.length * 2);
  });

  it('CTL-05 listeners that come and go while the run publishes hear what they should, and nothing leaks', async () => {
    const session = await Session.open({ provider: working(), toolRegistry: tools().registry, approvalPolicy: new OnlyDangerousAsks() });
    const heard: string[] = [];
    const late: AgentControllerEvent[] = [];
    const once = session.controller.subscribe('llm.before', (event) => { heard.push(event.eventType()); once(); once(); });
    session.controller.subscribe('tool.before', () => { session.controller.subscribe('tool.after', (event) => late.push(event)); });
    await session.run();
    expect(heard).toEqual(['llm.before']);
    expect(late.length).toBe(1 + 2);
    const probe = session.controller.subscribe('llm.chunk', () => undefined);
    probe();
    expect(session.controller.hasSubscribers('llm.chunk')).toBe(true);
  });

  it('DEC-27 without listeners no event is built, and ids count from one random prefix', async () => {
    const session = await Session.open({ provider: working(), toolRegistry: tools().registry, approvalPolicy: new OnlyDangerousAsks() });
    await session.run();
    const ids = session.bus.map((event) => event.eventId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(ids.map((id) => id.replace(/-\d+$/, ''))).size).toBe(1);
    for (const event of session.bus) expect([event.sessionId, event.runId !== '']).toEqual(['s', true]);
  });

  it('DEC-22 the events of each ending: one AgentX for the bus, one for the observer, in this order', async () => {
    const asks = await Session.open({ provider: new FunctionProvider(calls(call('c1', 'pay')), says('x')), toolRegistry: new Tools().add('pay', { risk: dangerous }).registry });
    await asks.run();
    expect(asks.log.slice(-9)).toEqual(['commit awaiting_approval', 'bus state.persisted', 'obs state_persisted', 'bus approval.required', 'obs approval_required', 'bus agent.suspended', 'obs suspended', 'afterRun', 'obs onComplete']);
    await asks.controller.approve(asks.controller.listPendingApprovals()[0].approvalId);
    asks.log.length = 0;
    await asks.resume();
    expect(asks.log.slice(0, 5)).toEqual(['commit resume_claim', 'bus state.persisted', 'obs state_persisted', 'bus agent.resumed', 'obs run_resumed']);
    expect(asks.log.slice(-4)).toEqual(['bus agent.success', 'obs run_completed', 'afterRun', 'obs onComplete']);
    const failed = await Session.open({ provider: new FunctionProvider(() => { throw new Error('x'); }) });
    await failed.run();
    expect(failed.log.slice(-4)).toEqual(['bus agent.failed', 'obs run_failed', 'afterRun', 'obs onError provider_failed']);
    expect(failed.observer.values.at(-1)?.error).toBe(failed.observer.errors[0]);
  });

  it('S5 the listener of ApprovalRequired finds the question on the disk', async () => {
    const session = await Session.open({ provider: new FunctionProvider(calls(call('c1', 'pay')), says('x')), toolRegistry: new Tools().add('pay', { risk: dangerous }).registry });
    const found: Array<string | undefined> = [];
    session.controller.subscribe('approval.required', () => found.push(session.storage.last.pendingApproval?.items[0].approvalId, session.controller.listPendingApprovals()[0]?.approvalId));
    await session.run();
    expect(found[0]).toMatch(/:0:0$/);
    expect(found[1]).toBe(found[0]);
  });

  it('CTL-01 what events and lists hand out cannot change the session', async () => {
    const session = await Session.open({ provider: new FunctionProvider(calls(call('c1', 'pay', { n: 1 })), says('x')), toolRegistry: new Tools().add('pay', { risk: dangerous }).registry });
    await session.run();
    const item = session.controller.listPendingApprovals()[0] as unknown as { toolCall: { argumentsJson: string }; decision: string };
    item.toolCall.argumentsJson = '{"n":666}';
    item.decision = 'approved';
    const required = session.bus.find((event) => event.eventType() === 'approval.required') as unknown as { batch: { items: Array<{ decision: string }> } };
    required.batch.items[0].decision = 'approved';
    expect(session.controller.listPendingApprovals()[0].toolCall.argumentsJson).toBe('{"n":1}');
    expect(session.controller.listPendingApprovals()).toHaveLength(1);
    const after = session.bus.find((event) => event.eventType() === 'agent.started') as unknown as { input: unknown[] };
    after.input.length = 0;
    expect(session.history[0]).toBe('user hi');
  });

  it('a snapshot of the state is a value: later turns do not change it', async () => {
    const session = await Session.open({ provider: new FunctionProvider(says('a')) });
    await session.run();
    const before = session.runtime.snapshot();
    await session.run('more');
    expect([before.history.length, session.runtime.snapshot().history.length, before.run?.runId === session.runtime.snapshot().run?.runId]).toEqual([2, 4, false]);
  });

  it('sessions of one process do not disturb each other, also with one event bus', async () => {
    const bus = new EventBus();
    const made = await Promise.all(['a', 'b', 'c'].map((sessionId) => Session.open({ provider: working(), toolRegistry: tools().registry, sessionId, controller: new AgentController(bus), approvalPolicy: new OnlyDangerousAsks() })));
    const heard: string[] = [];
    bus.subscribe('agent.success', (event) => heard.push(event.sessionId));
    await Promise.all(made.map((session) => session.run(session.runtime.sessionId)));
    expect(heard.sort()).toEqual(['a', 'b', 'c']);
    for (const session of made) expect(session.history[0]).toBe(`user ${session.runtime.sessionId}`);
  });

  it('a tool that cancels its own run is recorded and the run ends', async () => {
    const control = new CancellationController();
    const own = new Tools().add('look', { run: () => { control.cancel('tool says stop'); return ToolResult.text('done'); } });
    const session = await Session.open({ provider: new FunctionProvider(calls(call('c1', 'look'), call('c2', 'look')), says('x')), toolRegistry: own.registry });
    expect((await session.runtime.runStream([user('hi')], session.observer, control.signal)).value.stopReason).toBe('cancelled');
    expect(own.ran).toHaveLength(1);
    expect(session.storage.last.openBatch?.calls.map((one) => `${one.status} ${one.result?.contents[0].asText() ?? one.reason}`)).toEqual(['finished done', 'closed cancelled_by_user']);
    expect(session.problems()).toEqual([]);
  });
});
