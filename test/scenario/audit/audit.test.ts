import { describe, expect, it } from 'vitest';
import { AuthorizationResult, type AuthorizationPolicy } from '@core/approval/AuthorizationPolicy';
import { CancellationController } from '@core/base/Cancellation';
import { CallStory } from '@core/execution/audit/CallStory';
import { ToolPipeline } from '@core/execution/ToolPipeline';
import type { ResultFilter } from '@core/execution/filter/ResultFilter';
import type { AgentHook } from '@core/hook/AgentHook';
import { AgentHookPipeline } from '@core/hook/AgentHookPipeline';
import { ToolCallHookResult } from '@core/hook/result/ToolCallHookResult';
import { ToolResultHookResult } from '@core/hook/result/ToolResultHookResult';
import { DefaultToolApprovalPolicy } from '@core/approval/ApprovalPolicy';
import type { AuditRecord, AuditSink } from '@core/port/AuditSink';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import { CommitFault } from '@core/testing/StoppingStateStorage';
import { ManualClock } from '@core/testing/ManualClock';
import { ManualScheduler } from '@core/testing/ManualScheduler';
import { ToolResult } from '@core/tool/ToolResult';
import type { ToolResultEnvelope } from '@core/tool/ToolResultEnvelope';
import { FunctionProvider, OnlyDangerousAsks, Session, Tools, call, calls, hook, says, settle } from '../run/harness';
import { World } from '../../support/World';
import { Family, PAY, delegate } from '../subagent/family';

const SECRET = '/home/anna/secret.txt';

class Records implements AuditSink {
  readonly all: AuditRecord[] = [];
  flushed = 0;

  record(entry: AuditRecord): void {
    this.all.push(entry);
  }

  async flush(): Promise<void> {
    this.flushed++;
  }

  /** The steps of a call as `step decider decision code`. */
  of(callId = 'c1'): string[] {
    return this.all.filter((one) => one.callId === callId).map((one) => `${one.step} ${one.decider} ${one.decision} ${one.code}`.trim());
  }

  get stories(): readonly CallStory[] {
    return CallStory.all(this.all);
  }
}

/** A read-only tool whose result, and whose time-out, are as wished. */
function reader(run: () => Promise<ToolResult> | ToolResult = () => ToolResult.text(`content of ${SECRET}`)): Tools {
  return new Tools().add('read', { parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }, contract: { timeoutMs: 1000 }, run } as never);
}

const refusing: AuthorizationPolicy = { name: 'paths', authorize: async () => AuthorizationResult.reject('outside of the workspace') };

interface Case {
  readonly args: string;
  readonly authorization?: AuthorizationPolicy;
  readonly hangs?: boolean;
  readonly status: string;
  readonly code: string;
  readonly steps: readonly string[];
}

const GOOD = `{"path":"${SECRET}"}`;
const CASES: ReadonlyArray<[string, Case]> = [
  ['ok', { args: GOOD, status: 'ok', code: '', steps: ['proposed', 'gate runtime ok', 'policy policy allow', 'started policy run', 'finished tool ok', 'closed runtime ok'] }],
  ['bad arguments', { args: `{"path":7,"note":"${SECRET}"}`, status: 'rejected', code: 'tool_argument_type_mismatch', steps: ['proposed', 'gate runtime refuse tool_argument_type_mismatch', 'rejected runtime rejected tool_argument_type_mismatch', 'closed runtime rejected tool_argument_type_mismatch'] }],
  ['refused', { args: GOOD, authorization: refusing, status: 'rejected', code: 'tool_denied', steps: ['proposed', 'gate runtime ok', 'authorization paths refuse', 'rejected paths rejected tool_denied', 'closed runtime rejected tool_denied'] }],
  ['timed out', { args: GOOD, hangs: true, status: 'failed', code: 'tool_timeout', steps: ['proposed', 'gate runtime ok', 'policy policy allow', 'started policy run', 'failed runtime failed tool_timeout', 'closed runtime failed tool_timeout'] }],
];

describe('EXE-17 one read-only tool, every ending', () => {
  const tell = (envelope: ToolResultEnvelope, one: Case, records: Records, callId: string): void => {
    expect(envelope).toMatchObject({ callId, tool: 'read', status: one.status, code: one.code });
    expect(envelope.summary).toMatch(/^read: (done|not started|failed)/);
    expect(JSON.stringify(records.all) + envelope.summary).not.toMatch(/anna|secret/);
    if (one.status !== 'ok') expect(envelope.result.text()).not.toMatch(/anna|secret/);
    const proposer = callId === 'direct' ? 'app' : 'model';
    expect(records.of(callId)).toEqual([`proposed ${proposer} proposed`, ...one.steps.slice(1)]);
    expect(records.stories).toHaveLength(1);
    expect(records.stories[0]).toMatchObject({ callId, tool: 'read', status: one.status, code: one.code, ran: one.steps.some((step) => step.startsWith('started')) });
  };

  it.each(CASES)('EXE-17 %s: call id, status, readable summary and audit record in a run', async (_name, one) => {
    const records = new Records();
    const tools = reader(one.hangs === true ? () => new Promise<ToolResult>(() => {}) : undefined);
    const session = await Session.open({ provider: new FunctionProvider(calls(call('c1', 'read', one.args)), says('end')), toolRegistry: tools.registry, approvalPolicy: new OnlyDangerousAsks(), authorizationPolicy: one.authorization, auditSink: records, limits: { timeoutGraceMs: 500 } });
    const run = session.run();
    await settle();
    if (one.hangs === true) {
      session.scheduler.advance(1000);
      await settle();
      session.scheduler.advance(500);
    }
    await run;
    tell(session.observer.envelope('c1')!, one, records, 'c1');
    expect(records.flushed).toBeGreaterThan(0);
  });

  it.each(CASES)('EXE-17 %s: the same by a direct call', async (_name, one) => {
    const records = new Records();
    const scheduler = new ManualScheduler();
    const tools = reader(one.hangs === true ? () => new Promise<ToolResult>(() => {}) : undefined);
    const pipeline = new ToolPipeline({
      registry: tools.registry, hooks: new AgentHookPipeline([], scheduler), approvalPolicy: new DefaultToolApprovalPolicy(), authorizationPolicy: one.authorization,
      clock: new ManualClock(1000), scheduler, maxArgumentChars: 1000, grace: { cancelGraceMs: 200, timeoutGraceMs: 500 }, auditSink: records,
    });
    const pending = pipeline.call('read', one.args, 's');
    await settle();
    if (one.hangs === true) {
      scheduler.advance(1000);
      await settle();
      scheduler.advance(500);
    }
    tell(await pending, one, records, 'direct');
    expect(records.all.every((entry) => entry.batchId === 'direct.1' && entry.sessionId === 's')).toBe(true);
    expect(records.flushed).toBe(1);
  });
});

describe('the life of a call in its records', () => {
  it('hooks are named with what they did, before and after', async () => {
    const records = new Records();
    const hooks: AgentHook[] = [
      hook('warns', { beforeToolCall: async (context) => ToolCallHookResult.proceed(context.call, 'take care') }),
      hook('rewrites', { beforeToolCall: async () => ToolCallHookResult.proceed(call('x', 'read', { path: 'b' })), afterToolCall: async () => ToolResultHookResult.proceed(ToolResult.text('other')) }),
    ];
    const session = await Session.open({ provider: new FunctionProvider(calls(call('c1', 'read', { path: 'a' })), says('end')), toolRegistry: reader().registry, approvalPolicy: new OnlyDangerousAsks(), hooks, auditSink: records });
    await session.run();
    expect(records.of()).toEqual(expect.arrayContaining(['hook warns warning', 'hook rewrites rewrite', 'hook_after rewrites rewrite']));
  });

  it('approve after a kill: frozen, decision, claim, started, finished, closed, from records of two processes alone', async () => {
    const records = new Records();
    const world = new World();
    world.dangerous('pay');
    const config = { auditSink: records };
    const one = await world.open({ turns: [ScriptedTurn.call('c1', 'pay', `{"to":"${SECRET}"}`)], config });
    await one.say('go');
    one.kill();
    const two = await world.open({ turns: [ScriptedTurn.text('done')], config });
    await two.controller.approve(two.questions()[0]!);
    expect((await two.controller.deny('nothing')).ok).toBe(false);
    expect(await two.resume()).toBe('complete');
    expect(records.of()).toEqual([
      'proposed model proposed', 'gate runtime ok', 'policy policy ask', 'frozen runtime ask', 'decision person approved',
      'gate runtime ok', 'policy policy ask', 'claim runtime planned', 'started person run', 'finished tool ok', 'closed runtime ok',
    ]);
    expect(records.stories).toHaveLength(1);
    expect(records.stories[0]).toMatchObject({ sessionId: 's', tool: 'pay', status: 'ok', ran: true });
    expect(JSON.stringify(records.all)).not.toContain('anna');
  });

  it('deny, expiry and a late answer: who and when, and the late one is kept as a record only', async () => {
    const records = new Records();
    const world = new World();
    world.dangerous('pay');
    const one = await world.open({ turns: [new ScriptedTurn().call('c1', 'pay', '{}').call('c2', 'pay', '{"n":2}'), ScriptedTurn.text('ok')], config: { auditSink: records, approvalTtlMs: 1000 } });
    await one.say('go');
    const [first, second] = one.questions();
    await one.controller.deny(first!, SECRET);
    world.clock.advance(1001);
    await one.controller.approve(second!);
    await one.resume();
    expect(records.of('c1')).toEqual(expect.arrayContaining(['decision person denied', 'closed runtime rejected tool_denied']));
    expect(records.of('c2').slice(-4)).toEqual(['decision expiry denied', 'decision person not_approved approval_expired', 'claim runtime closed expired', 'closed runtime rejected tool_denied']);
    expect(JSON.stringify(records.all)).not.toContain('anna');
  });

  it('an edit is proposed by the person and checked like any call; a refused one leaves its code', async () => {
    const records = new Records();
    const world = new World();
    world.tool('pay', 'dangerous' as never, undefined, '{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}');
    const one = await world.open({ turns: [ScriptedTurn.call('c1', 'pay', '{"n":1}'), ScriptedTurn.text('ok')], config: { auditSink: records } });
    await one.say('go');
    const id = one.questions()[0]!;
    await one.controller.approveWithArguments(id, '{"n":"x"}');
    await one.controller.approveWithArguments(id, '{"n":2}');
    expect(records.of().slice(4)).toEqual([
      'proposed person proposed', 'gate runtime refuse tool_argument_type_mismatch', 'rejected runtime rejected tool_argument_type_mismatch', 'decision person not_approved tool_argument_type_mismatch',
      'proposed person proposed', 'gate runtime ok', 'policy policy ask', 'decision person approved',
    ]);
  });

  it('a cancel while a question is open, and new input after a kill, close every call in the records', async () => {
    const records = new Records();
    const world = new World();
    world.dangerous('pay');
    world.safe('look');
    const turn = new ScriptedTurn().call('c1', 'look', '{}').call('c2', 'pay', '{}');
    const one = await world.open({ turns: [turn], config: { auditSink: records } });
    await one.say('go');
    await one.runtime.cancel('enough');
    expect([records.of('c1').at(-1), records.of('c2').at(-1)]).toEqual(['closed runtime rejected tool_cancelled', 'closed runtime rejected tool_cancelled']);
  });

  it('the calls of a child session are in the same records, under its own session', async () => {
    const records = new Records();
    const family = new Family({ go: [delegate('pay it')], 'pay it': [PAY(), ScriptedTurn.text('done')] });
    const one = await family.open({ config: { auditSink: records } });
    expect(await one.say('go')).toBe('awaiting_approval');
    await one.controller.approve(one.questions()[0]!);
    expect(await one.resume()).toBe('complete');
    const [parent, child] = records.stories;
    expect(parent).toMatchObject({ sessionId: one.runtime.sessionId, status: 'ok', ran: true });
    expect(parent!.steps.map((step) => step.step)).toEqual(expect.arrayContaining(['started', 'waiting', 'claim', 'finished', 'closed']));
    expect(child!.sessionId).not.toBe(parent!.sessionId);
    expect(child!.steps.map((step) => step.step)).toEqual(expect.arrayContaining(['frozen', 'decision', 'claim', 'started', 'finished', 'closed']));
  });

  it('a process that dies while a call runs leaves: started, recovery, unknown', async () => {
    const records = new Records();
    const world = new World();
    world.sensitive('note');
    const config = { auditSink: records, approvalPolicy: new OnlyDangerousAsks() };
    const one = await world.open({ turns: [ScriptedTurn.call('c1', 'note', '{}')], config });
    one.storage.plan(4, CommitFault.stopBefore);
    expect(await one.say('go')).toBe('stopped');
    const two = await world.open({ turns: [ScriptedTurn.text('ok')], config });
    await two.resume();
    expect(records.of()).toEqual(expect.arrayContaining(['started policy run', 'recovery runtime answered']));
    expect(records.of().at(-1)).toBe('closed runtime unknown tool_outcome_unknown');
  });

  it('what the filters did is a word, and a tool name that no tool can have is not repeated', async () => {
    const records = new Records();
    const scheduler = new ManualScheduler();
    const redacts: ResultFilter = { change: 'redacted', apply: () => ToolResult.text('***') };
    const pipeline = new ToolPipeline({
      registry: new Tools().add('read', { contract: { maxResultChars: 1 } } as never).registry, hooks: new AgentHookPipeline([], scheduler), approvalPolicy: new DefaultToolApprovalPolicy(),
      clock: new ManualClock(1000), scheduler, filters: [redacts], maxArgumentChars: 1000, grace: { cancelGraceMs: 200, timeoutGraceMs: 500 }, auditSink: records,
    });
    await pipeline.call('read', '{}');
    await pipeline.call(SECRET, '{}');
    expect(records.of('direct').filter((line) => line.startsWith('filtered'))).toEqual(['filtered runtime redacted', 'filtered runtime limited']);
    expect(records.all.at(-1)).toMatchObject({ tool: '(invalid)', code: 'tool_not_found', batchId: 'direct.2' });
  });

  it('a start that cannot be saved is a record, and nothing runs', async () => {
    const records = new Records();
    const world = new World();
    const note = world.sensitive('note');
    const one = await world.open({ turns: [ScriptedTurn.call('c1', 'note', '{}')], config: { auditSink: records, approvalPolicy: new OnlyDangerousAsks() } });
    one.storage.plan(3, CommitFault.failBefore);
    expect(await one.say('go')).toBe('state_save_failed');
    expect(note.count).toBe(0);
    expect(records.of().slice(-2)).toEqual(['journal runtime not_started state_save_failed', 'closed runtime rejected tool_batch_not_executed']);
  });
});

describe('S13', () => {
  const never = (): Promise<never> => new Promise<never>(() => {});
  const faults: ReadonlyArray<[string, () => unknown]> = [
    ['throw', () => { throw new Error(SECRET); }], ['rejection', () => Promise.reject(new Error(SECRET))], ['silence', never], ['wrong shape', () => Promise.resolve({ action: 'allow' })],
  ];

  it.each(faults)('S13 a gate that answers with %s fails closed, and the record says which', async (kind, answer) => {
    for (const gate of ['authorization', 'hook']) {
      const records = new Records();
      const tools = reader();
      const policy: AuthorizationPolicy = { name: 'paths', authorize: () => answer() as Promise<AuthorizationResult> };
      const bad = hook('guards', { beforeToolCall: () => answer() as Promise<ToolCallHookResult> }, { timeoutMs: 100 } as never);
      const session = await Session.open({ provider: new FunctionProvider(calls(call('c1', 'read', GOOD)), says('end')), toolRegistry: tools.registry, approvalPolicy: new OnlyDangerousAsks(), auditSink: records, ...(gate === 'hook' ? { hooks: [bad] } : { authorizationPolicy: policy }) });
      const run = session.run();
      await settle();
      if (kind === 'silence') session.scheduler.advance(30_000);
      await run;
      expect(tools.ran).toEqual([]);
      expect(records.of().join('\n')).toMatch(gate === 'hook' ? /hook guards abort hook_failed/ : /authorization paths fault\nrejected paths rejected tool_denied/);
      expect(JSON.stringify(records.all)).not.toContain('anna');
    }
  });

  it('S13 an abort of a gate ends the run before anything happens', async () => {
    const records = new Records();
    const tools = reader();
    const session = await Session.open({ provider: new FunctionProvider(calls(call('c1', 'read', GOOD)), says('end')), toolRegistry: tools.registry, approvalPolicy: new OnlyDangerousAsks(), auditSink: records, hooks: [hook('stops', { beforeToolCall: async () => ToolCallHookResult.abort('stop') })] });
    await session.run();
    expect(tools.ran).toEqual([]);
    expect(records.of()).toEqual(['proposed model proposed', 'hook stops abort hook_abort', 'closed runtime rejected hook_abort']);
  });

  const sinks: ReadonlyArray<[string, AuditSink, number]> = [
    ['throws', { record: () => { throw new Error('x'); } }, 6], ['rejects', { record: () => Promise.reject(new Error('x')) as unknown as void }, 6],
    ['never settles', { record: () => never() as unknown as void, flush: never }, 0], ['gives a wrong shape', { record: () => 7 as unknown as void, flush: () => 'x' as never }, 0],
    ['fails to flush', { record: () => {}, flush: () => Promise.reject(new Error('x')) }, 1],
  ];

  it.each(sinks)('S13 a sink that %s changes nothing but a count', async (_kind, auditSink, faultsAtLeast) => {
    const play = async (sink: AuditSink | undefined) => {
      const session = await Session.open({ provider: new FunctionProvider(calls(call('c1', 'read', GOOD)), says('end')), toolRegistry: reader().registry, approvalPolicy: new OnlyDangerousAsks(), auditSink: sink });
      await session.run();
      await settle();
      const faults = session.runtime.auditFaultCount;
      const closing = session.runtime.close();
      await settle();
      session.scheduler.advance(2000);
      await closing;
      return { log: session.log, history: session.history, problems: session.problems(), faults };
    };
    const [plain, broken] = [await play(undefined), await play(auditSink)];
    expect({ ...broken, faults: 0 }).toEqual(plain);
    expect(broken.faults).toBeGreaterThanOrEqual(faultsAtLeast);
    if (faultsAtLeast === 0) expect(broken.faults).toBe(0);
  });

  it('a direct call with a failing sink answers as without one', async () => {
    const scheduler = new ManualScheduler();
    const pipeline = new ToolPipeline({
      registry: reader().registry, hooks: new AgentHookPipeline([], scheduler), approvalPolicy: new DefaultToolApprovalPolicy(), clock: new ManualClock(1000), scheduler, maxArgumentChars: 1000,
      grace: { cancelGraceMs: 200, timeoutGraceMs: 500 }, auditSink: { record: () => { throw new Error('x'); }, flush: () => Promise.reject(new Error('y')) },
    });
    expect(await pipeline.call('read', GOOD, 's', CancellationController.never())).toMatchObject({ status: 'ok' });
  });
});
