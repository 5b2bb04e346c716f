import { describe, expect, it } from 'vitest';
import { AuthorizationResult, type AuthorizationPolicy } from '@core/approval/AuthorizationPolicy';
import { ApprovalPolicyResult, DefaultToolApprovalPolicy, type ToolApprovalPolicy } from '@core/approval/ApprovalPolicy';
import { ArkAgentError } from '@core/base/ArkAgentError';
import { CancellationController } from '@core/base/Cancellation';
import { ErrorCode, ErrorLayer } from '@core/base/ErrorCodes';
import type { CallReporter } from '@core/execution/seam/CallReporter';
import { ToolPipeline } from '@core/execution/ToolPipeline';
import type { ResultFilter } from '@core/execution/filter/ResultFilter';
import type { AgentHook } from '@core/hook/AgentHook';
import { AgentHookPipeline } from '@core/hook/AgentHookPipeline';
import { ToolCallHookResult } from '@core/hook/result/ToolCallHookResult';
import { ToolResultHookResult } from '@core/hook/result/ToolResultHookResult';
import { ContentPart } from '@core/message/ContentPart';
import { ManualClock } from '@core/testing/ManualClock';
import { ManualScheduler } from '@core/testing/ManualScheduler';
import { ToolCallScope } from '@core/tool/ToolCallScope';
import { ToolEffect } from '@core/tool/ToolContract';
import { ToolResult } from '@core/tool/ToolResult';
import { ToolServiceRegistry } from '@core/tool/ToolService';
import { UnknownArgumentPolicy } from '@core/tool/UnknownArgumentPolicy';
import { FunctionProvider, OnlyDangerousAsks, Session, Tools, call, calls, dangerous, hook, says, sensitive, settle } from '../run/harness';

const DEEP = { type: 'object', properties: { n: { type: 'integer' }, items: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } } }, required: ['n'] };

interface Direct {
  pipeline: ToolPipeline;
  scheduler: ManualScheduler;
  told: string[];
}

function direct(tools: Tools, options: { hooks?: AgentHook[]; policy?: ToolApprovalPolicy; authorization?: AuthorizationPolicy; filters?: ResultFilter[]; maxArgumentChars?: number } = {}): Direct {
  const scheduler = new ManualScheduler();
  const told: string[] = [];
  const reporter: CallReporter = {
    callStarted: (one) => { told.push(`started ${one.name}`); }, callProgress: (one, message) => { told.push(`progress ${one.name} ${message}`); },
    callFinished: (one, envelope) => { told.push(`finished ${one.name} ${envelope.status}`); }, diagnostics: (notes) => { told.push(...notes.map((note) => `diagnostic ${note.code}`)); },
  };
  const pipeline = new ToolPipeline({
    registry: tools.registry, hooks: new AgentHookPipeline(options.hooks ?? [], scheduler), approvalPolicy: options.policy ?? new DefaultToolApprovalPolicy(), authorizationPolicy: options.authorization,
    clock: new ManualClock(1000), scheduler, filters: options.filters, maxArgumentChars: options.maxArgumentChars ?? 1000, grace: { cancelGraceMs: 200, timeoutGraceMs: 300 }, reporter,
  });
  return { pipeline, scheduler, told };
}

/** What the model is told about one call made in a run. */
async function inRun(tools: Tools, args: object | string, config: Partial<Parameters<typeof Session.open>[0]> = {}, name = 'look'): Promise<{ text: string; session: Session }> {
  const session = await Session.open({ provider: new FunctionProvider(calls(call('c1', name, args)), says('end')), toolRegistry: tools.registry, approvalPolicy: new OnlyDangerousAsks(), ...config });
  await session.run();
  expect(session.problems()).toEqual([]);
  return { text: session.history.find((line) => line.startsWith('tool c1'))?.substring('tool c1 '.length) ?? '-', session };
}

describe('gates', () => {
  const gates: Array<[string, object | string, string, string]> = [
    ['EXE-01 unknown tool', {}, 'nothing', '!tool_not_found: Tool not found: nothing'],
    ['EXE-01 a very long unknown name is shortened', {}, 'n'.repeat(5000), `!tool_not_found: Tool not found: ${'n'.repeat(64)}…`],
    ['EXE-03 wrong type', { n: 'x' }, 'look', '!tool_argument_type_mismatch: $.n must be integer'],
    ['EXE-03 wrong type at depth', { n: 1, items: [{ name: 'a' }, { name: 5 }] }, 'look', '!tool_argument_type_mismatch: $.items[1].name must be string'],
    ['EXE-04 missing required', {}, 'look', '!tool_argument_required: Missing required argument: n'],
    ['EXE-05 integer rejects 1.5', { n: 1.5 }, 'look', '!tool_argument_type_mismatch: $.n must be integer'],
    ['EXE-05 integer accepts 3', { n: 3 }, 'look', 'look done'],
    ['EXE-05 integer accepts 3.0', '{"n":3.0}', 'look', 'look done'],
  ];
  it.each(gates)('%s: fed back, nobody asked, nothing run', async (_id, args, name, expected) => {
    const tools = new Tools().add('look', { parameters: DEEP });
    const { text, session } = await inRun(tools, args, {}, name);
    expect(text).toBe(expected);
    const ok = !expected.startsWith('!');
    expect(tools.ran.length).toBe(ok ? 1 : 0);
    expect(session.observer.envelope('c1')).toMatchObject({ status: ok ? 'ok' : 'rejected', timing: { startedAtMs: ok ? 1750000000000 : 0 } });
    const { pipeline } = direct(tools);
    const envelope = await pipeline.call(name, typeof args === 'string' ? args : JSON.stringify(args));
    expect((envelope.result.isError ? '!' : '') + envelope.result.text()).toBe(expected);
  });

  it.each([['{"n":', 'json_syntax'], ['[1]', 'json_not_object'], ['"x"', 'json_not_object'], ['nul', 'json_syntax'], ['{"n":1} x', 'json_syntax'], [`{"n":${'['.repeat(200)}`, 'json_too_deep']])(
    'EXE-02 arguments %s: %s, fed back', async (args, code) => {
      const tools = new Tools().add('look', { parameters: DEEP });
      expect((await inRun(tools, args)).text).toMatch(new RegExp(`^!${code}: `));
      expect(tools.ran).toEqual([]);
    });

  it('EXE-06 unknown arguments are allowed, rejected or stripped as configured', async () => {
    for (const [policy, expected, ran] of [[UnknownArgumentPolicy.allow, 'look done', 'look:{"n":1,"x":2}'], [UnknownArgumentPolicy.strip, 'look done', 'look:{"n":1}'], [UnknownArgumentPolicy.reject, '!tool_argument_unknown', undefined]] as const) {
      const tools = new Tools({ unknownArguments: policy }).add('look', { parameters: DEEP });
      expect((await inRun(tools, { n: 1, x: 2 })).text).toContain(expected);
      expect(tools.ran[0]).toBe(ran);
    }
  });

  it('EXE-07 a rewrite by a hook is validated again, and one to a tool of higher risk or out of sight is refused', async () => {
    const tools = new Tools().add('look', { parameters: DEEP }).add('pay', { risk: dangerous }).add('note', { risk: sensitive });
    const rewriting = (wanted: ReturnType<typeof call>): AgentHook[] => [hook('rewrites', { beforeToolCall: async () => ToolCallHookResult.proceed(wanted) })];
    const cases: Array<[ReturnType<typeof call>, string]> = [
      [call('x', 'look', { n: 'no' }), '!tool_argument_type_mismatch: $.n must be integer'], [call('x', 'look', '{'), '!json_syntax'],
      [call('x', 'pay'), '!hook_escalation_denied'], [call('x', 'note'), '!hook_escalation_denied'], [call('x', 'nothing'), '!hook_escalation_denied'],
    ];
    for (const [wanted, expected] of cases) {
      expect((await inRun(tools, { n: 1 }, { hooks: rewriting(wanted) })).text).toContain(expected);
      const envelope = await direct(tools, { hooks: rewriting(wanted) }).pipeline.call('look', '{"n":1}');
      expect(`!${envelope.result.text()}`).toContain(expected);
    }
    expect(tools.ran).toEqual([]);
    expect((await inRun(tools, {}, { hooks: rewriting(call('x', 'look', { n: 1 })) }, 'pay')).text).toBe('look done');
  });

  it('a call that freezes or has an effect refuses numbers that would be rounded', async () => {
    const tools = new Tools().add('write', { risk: sensitive }).add('look');
    expect((await inRun(tools, '{"n":9007199254740993}', {}, 'write')).text).toContain('!json_number_unsafe');
    expect((await inRun(tools, '{"x":9007199254740993}', {}, 'look')).text).toBe('look done');
  });

  it('arguments above the limit are refused before they are parsed: tool_arguments_too_large', async () => {
    const tools = new Tools().add('look');
    const big = `{"x":"${'y'.repeat(95)}"}`;
    expect((await inRun(tools, big, { limits: { maxArgumentChars: 100 } })).text).toBe(`!tool_arguments_too_large: arguments have ${big.length} characters, at most 100 are accepted`);
    expect((await inRun(tools, big, { limits: { maxArgumentChars: big.length } })).text).toBe('look done');
    expect(tools.ran).toHaveLength(1);
  });

  it('DEC-41 too many calls at once: all rejected, none run, hooks and people are not asked', async () => {
    const tools = new Tools().add('look').add('pay', { risk: dangerous });
    const asked: string[] = [];
    const session = await Session.open({
      provider: new FunctionProvider(calls(call('c1', 'look'), call('c2', 'pay'), call('c3', 'look')), says('end')), toolRegistry: tools.registry, limits: { maxCallsPerBatch: 2 },
      hooks: [hook('asked', { beforeToolCall: async (context) => { asked.push(context.call.id); return ToolCallHookResult.proceed(context.call); } })],
    });
    expect((await session.run()).value.stopReason).toBe('complete');
    expect(session.history.slice(2, 5)).toEqual(['c1', 'c2', 'c3'].map((id) => `tool ${id} !tool_batch_too_large: 3 calls at once, at most 2 are accepted`));
    expect([tools.ran, asked, session.busTypes().filter((type) => type === 'tool.after').length]).toEqual([[], [], 3]);
  });
});

describe('no way round', () => {
  const blocks = (): AgentHook[] => [hook('blocks', { beforeToolCall: async () => ToolCallHookResult.deny(undefined, 'no tools today') })];
  const aborts = (): AgentHook[] => [hook('aborts', { beforeToolCall: async () => ToolCallHookResult.abort('stop') })];

  it('EXE-15 a blocking hook stops the tool from the loop and from a direct call', async () => {
    const tools = new Tools().add('look');
    expect((await inRun(tools, {}, { hooks: blocks() })).text).toBe('!tool_denied: no tools today');
    const denied = direct(tools, { hooks: blocks() });
    const envelope = await denied.pipeline.call('look', '{}');
    expect([envelope.status, envelope.code, envelope.result.text()]).toEqual(['rejected', 'tool_denied', 'tool_denied: no tools today']);
    expect(denied.told).toEqual(['finished look rejected']);
    expect((await direct(tools, { hooks: aborts() }).pipeline.call('look', '{}')).code).toBe('hook_abort');
    expect((await direct(tools, { hooks: [hook('throws', { beforeToolCall: async () => { throw new Error('x'); } })] }).pipeline.call('look', '{}')).code).toBe('hook_failed');
    expect(tools.ran).toEqual([]);
  });

  it('DEC-42 a direct call never asks: what needs consent or cannot be taken back is approval_required', async () => {
    const tools = new Tools().add('look').add('note', { risk: sensitive }).add('pay', { risk: dangerous });
    const all: ToolApprovalPolicy = { decide: () => ApprovalPolicyResult.allow() };
    expect((await direct(tools).pipeline.call('note', '{}')).code).toBe('approval_required');
    expect((await direct(tools).pipeline.call('pay', '{}')).code).toBe('approval_required');
    expect((await direct(tools, { policy: all }).pipeline.call('pay', '{}')).code).toBe('approval_required');
    expect((await direct(tools, { hooks: [hook('defers', { beforeToolCall: async () => ToolCallHookResult.defer('?') })] }).pipeline.call('look', '{}')).code).toBe('approval_required');
    expect(tools.ran).toEqual([]);
    expect((await direct(tools, { policy: all }).pipeline.call('note', '{}')).status).toBe('ok');
  });

  it('DEC-42 a direct call that runs tells when it ran, with the same filters, events and hooks', async () => {
    const tools = new Tools().add('look', { run: async (_args, context) => { (context.services.get('tool.call') as ToolCallScope).reportProgress('half', 0.5); return ToolResult.text('the key is 12345'); } });
    const made = direct(tools, { filters: [{ apply: (result) => new ToolResult(result.contents.map((part) => ContentPart.text((part.asText() ?? '').replace('12345', '*'))), result.isError) }], hooks: [hook('adds', { afterToolCall: async (context) => ToolResultHookResult.proceed(ToolResult.text(`${context.result.text()}!12345`)) })] });
    const envelope = await made.pipeline.call('look', '', 'session');
    expect([envelope.status, envelope.result.text(), envelope.timing.startedAtMs]).toEqual(['ok', 'the key is *!*', 1000]);
    expect(made.told).toEqual(['started look', 'progress look half', 'finished look ok']);
    const aborted = await direct(tools, { hooks: [hook('aborts', { afterToolCall: async () => ToolResultHookResult.abort('no') })] }).pipeline.call('look', '');
    expect([aborted.status, aborted.code]).toEqual(['failed', 'hook_abort']);
  });

  it('EXE-08 a call that is cancelled before it starts does not enter its executor: tool_cancelled', async () => {
    const tools = new Tools().add('look');
    const control = new CancellationController();
    control.cancel('changed my mind');
    const envelope = await direct(tools).pipeline.call('look', '{}', '', control.signal);
    expect([envelope.status, envelope.code, envelope.result.text()]).toEqual(['cancelled', 'tool_cancelled', 'tool_cancelled: changed my mind']);
    const late = new CancellationController();
    const hooks = [hook('slow', { beforeToolCall: async (context) => { late.cancel(''); return ToolCallHookResult.proceed(context.call); } })];
    expect((await direct(tools, { hooks }).pipeline.call('look', '{}', '', late.signal)).result.text()).toBe('tool_cancelled: Tool cancelled');
    expect(tools.ran).toEqual([]);
  });

  it('authorization comes first, and the strictest answer wins; a policy that fails refuses', async () => {
    const tools = new Tools().add('look');
    const policy = (answer: () => Promise<AuthorizationResult>): AuthorizationPolicy => ({ name: 'paths', authorize: answer });
    const rejected = await inRun(tools, {}, { authorizationPolicy: policy(async () => AuthorizationResult.reject('outside')) });
    expect(rejected.text).toBe('!tool_denied: outside');
    for (const fault of [async () => { throw new Error('x'); }, async () => 'yes' as never, async () => undefined as never]) {
      expect((await inRun(tools, {}, { authorizationPolicy: policy(fault) })).text).toMatch(/^!tool_denied: /);
    }
    expect(tools.ran).toEqual([]);
    const denying: ToolApprovalPolicy = { decide: () => ApprovalPolicyResult.deny('house rule') };
    expect((await inRun(tools, {}, { approvalPolicy: denying })).text).toBe('!tool_denied: house rule');
    const asks = await Session.open({ provider: new FunctionProvider(calls(call('c1', 'look')), says('x')), toolRegistry: tools.registry, authorizationPolicy: policy(async () => AuthorizationResult.requireConfirmation('new place')) });
    expect((await asks.run()).value.stopReason).toBe('awaiting_approval');
    expect(asks.controller.listPendingApprovals()[0].reason).toBe('new place');
    const throwing: ToolApprovalPolicy = { decide: () => { throw new Error('x'); } };
    const asked = await Session.open({ provider: new FunctionProvider(calls(call('c1', 'look')), says('x')), toolRegistry: tools.registry, approvalPolicy: throwing });
    expect((await asked.run()).value.stopReason).toBe('awaiting_approval');
  });
});

describe('running', () => {
  it('EXE-09 a throw is structured: an Error, an ArkAgentError with its code, a value that is no Error, a wrong answer', async () => {
    const throwing = (thrown: unknown): Tools => new Tools().add('look', { run: () => { throw thrown; } });
    const cases: Array<[Tools, string, string]> = [
      [throwing(new Error('disk on fire')), 'tool_execution_failed', 'disk on fire'], [throwing(new ArkAgentError(ErrorLayer.tool, 'quota_used', 'none left')), 'quota_used', 'none left'],
      [throwing('words'), 'tool_execution_failed', 'the tool threw a value that is no Error (string)'], [throwing(undefined), 'tool_execution_failed', 'the tool threw a value that is no Error (undefined)'],
      [new Tools().add('look', { run: () => 'text' as never }), 'tool_execution_failed', 'the tool returned no ToolResult'],
      [throwing(ArkAgentError.of(ErrorCode.stateConflict, 'mine')), 'state_conflict', 'mine'],
    ];
    for (const [tools, code, message] of cases) {
      const { text, session } = await inRun(tools, {});
      expect([text, session.observer.envelope('c1')?.status, session.observer.envelope('c1')?.code]).toEqual([`!${code}: ${message}`, 'failed', code]);
      expect((await direct(tools).pipeline.call('look', '{}')).code).toBe(code);
    }
  });

  it('EXE-09 the words of an error pass the filters before they are shortened, between code points', async () => {
    const secret = '12345';
    const tools = new Tools().add('look', { run: () => { throw new Error(`${'x'.repeat(497)}${secret}${'🙂'.repeat(400)}`); } });
    const mask: ResultFilter = { apply: (result) => new ToolResult(result.contents.map((part) => ContentPart.text((part.asText() ?? '').replaceAll(secret, '**'))), result.isError) };
    const text = (await direct(tools, { filters: [mask] }).pipeline.call('look', '{}')).result.text();
    expect(text).not.toContain('123');
    expect(text).toBe(`tool_execution_failed: ${'x'.repeat(497)}**`);
  });

  it('EXE-10 isError reaches the model as an error; a stop flag ends the loop after the whole batch', async () => {
    const tools = new Tools().add('look', { run: () => ToolResult.error('not found') }).add('stop', { run: () => new ToolResult([ContentPart.text('bye')], false, true) });
    const provider = new FunctionProvider(calls(call('c1', 'stop'), call('c2', 'look'), call('c3', 'look')), says('never'));
    const session = await Session.open({ provider, toolRegistry: tools.registry });
    expect((await session.run()).value.stopReason).toBe('tool_stop');
    expect(session.history.slice(2)).toEqual(['tool c1 bye', 'tool c2 !not found', 'tool c3 !not found']);
    expect([provider.calls, session.observer.envelope('c2')?.status, session.busTypes().at(-1)]).toEqual([1, 'failed', 'agent.success']);
  });

  it('a filter that throws withholds the result; what it hides is nowhere', async () => {
    const tools = new Tools().add('look', { run: () => ToolResult.text('SECRET') });
    const made = direct(tools, { filters: [{ apply: () => { throw new Error('bad filter'); } }] });
    const envelope = await made.pipeline.call('look', '{}');
    expect([envelope.status, envelope.code, envelope.summary, envelope.result.isError, envelope.result.text()]).toEqual(['failed', 'tool_execution_failed', 'look: failed (tool_execution_failed)', true, 'tool_execution_failed: the result could not be filtered and is withheld']);
    expect(JSON.stringify(envelope)).not.toContain('SECRET');
  });

  it('a result that no hook changed passes the filters once; a changed one passes them again', async () => {
    const tools = new Tools().add('look', { run: () => ToolResult.text('x') });
    const marks: ResultFilter = { apply: (result) => new ToolResult([ContentPart.text(`<${result.text()}>`)], result.isError) };
    const same = hook('same', { afterToolCall: async (context) => ToolResultHookResult.proceed(context.result) });
    const other = hook('other', { afterToolCall: async (context) => ToolResultHookResult.proceed(ToolResult.text(`${context.result.text()}!`)) });
    expect((await direct(tools, { filters: [marks], hooks: [same] }).pipeline.call('look', '{}')).result.text()).toBe('<x>');
    expect((await direct(tools, { filters: [marks], hooks: [same, other] }).pipeline.call('look', '{}')).result.text()).toBe('<<x>!>');
  });

  it('a result without a list of contents is withheld, not a fault of the run', async () => {
    const tools = new Tools().add('look', { run: () => new ToolResult(undefined as never) });
    expect((await inRun(tools, {})).text).toBe('!tool_execution_failed: the result could not be filtered and is withheld');
  });

  it('DEC-43 afterToolCall hooks are asked only about calls that ran; ToolAfter is told about every call', async () => {
    const asked: string[] = [];
    const tools = new Tools().add('look').add('bad', { run: () => ToolResult.error('x') });
    const session = await Session.open({
      provider: new FunctionProvider(calls(call('c1', 'look'), call('c2', 'nothing'), call('c3', 'bad')), says('end')), toolRegistry: tools.registry,
      hooks: [hook('asked', { afterToolCall: async (context) => { asked.push(context.call.id); return ToolResultHookResult.proceed(context.result); } })],
    });
    await session.run();
    expect(asked).toEqual(['c1', 'c3']);
    expect(session.busTypes().filter((type) => type.startsWith('tool.'))).toEqual(['tool.before', 'tool.after', 'tool.after', 'tool.before', 'tool.after']);
  });

  it('a tool gets its own open copy of the arguments, exactly five members and nothing that leads further', async () => {
    const seen: string[] = [];
    const tools = new Tools().add('look', { run: (args, context) => { args.setString('n', 'changed'); seen.push(...Object.keys(context)); return ToolResult.text(String(context.services.get('nothing'))); } });
    const { session, text } = await inRun(tools, { n: 1 });
    expect(seen.sort()).toEqual(['batchCallId', 'services', 'sessionId', 'signal', 'state']);
    expect(text).toBe('undefined');
    expect(session.history[1]).toBe('assistant  [c1=look({"n":1})]');
  });

  it('DEC-60 each call finds itself under tool.call, and what it reports after its end is dropped', async () => {
    const scopes: ToolCallScope[] = [];
    const tools = new Tools().add('look', { contract: { timeoutMs: 5000 }, run: (_args, context) => { const scope = context.services.get(ToolServiceRegistry.CALL_SCOPE_ID) as ToolCallScope; scopes.push(scope); scope.reportProgress('now'); return ToolResult.text('x'); } });
    const session = await Session.open({ provider: new FunctionProvider(calls(call('c1', 'look'), call('c2', 'look')), says('end')), toolRegistry: tools.registry });
    await session.run();
    expect(scopes.map((scope) => [scope.callId, scope.attempt, scope.deadlineMs - 1750000000000, scope.idempotencyKey.split(':')[1]])).toEqual([['c1', 0, 5000, '0'], ['c2', 0, 5000, '1']]);
    const before = session.bus.length;
    scopes[0].reportProgress('too late');
    expect(session.bus.length).toBe(before);
    expect(session.observer.values.filter((event) => event.type === 'tool_progress').map((event) => `${event.call?.id} ${event.text} ${event.fraction}`)).toEqual(['c1 now -1', 'c2 now -1']);
  });

  it('DEC-39 a tool that is removed or replaced while the batch runs does not run: tool_changed, the rest not_executed', async () => {
    const tools = new Tools().add('first', { run: () => { tools.registry.unregister('second'); return ToolResult.text('ok'); } }).add('second').add('third');
    const session = await Session.open({ provider: new FunctionProvider(calls(call('c1', 'first'), call('c2', 'second'), call('c3', 'third')), says('end')), toolRegistry: tools.registry });
    await session.run();
    expect(session.history.slice(2, 5)).toEqual(['tool c1 ok', 'tool c2 !tool_changed: the tool was changed or removed since it was asked about', 'tool c3 !tool_batch_not_executed: another call of the batch stopped it (not_executed)']);
    expect(tools.ran).toEqual(['first:{}']);
    const replaced = new Tools().add('first', { run: () => { replaced.registry.unregister('second'); replaced.add('second', { parameters: DEEP }); return ToolResult.text('ok'); } }).add('second');
    expect((await inRunOf(replaced)).at(3)).toContain('tool_changed');
    const equal = new Tools().add('first', { run: () => { equal.registry.unregister('second'); equal.add('second'); return ToolResult.text('ok'); } }).add('second');
    expect((await inRunOf(equal)).at(3)).toBe('tool c2 second done');
  });
});

async function inRunOf(tools: Tools): Promise<string[]> {
  const session = await Session.open({ provider: new FunctionProvider(calls(call('c1', 'first'), call('c2', 'second')), says('end')), toolRegistry: tools.registry });
  await session.run();
  return session.history;
}

describe('time-outs', () => {
  const hanging = (contract: object, risk = sensitive): { tools: Tools; settleLate: (result: ToolResult) => void; reasons: string[] } => {
    let resolve: (result: ToolResult) => void = () => undefined;
    const reasons: string[] = [];
    const tools = new Tools().add('slow', { risk, contract: { timeoutMs: 1000, ...contract }, run: (_args, context) => { context.signal.onCancelled((reason) => reasons.push(reason)); return new Promise<ToolResult>((done) => { resolve = done; }); } })
      .add('look').add('safely', { contract: { concurrencySafe: true } });
    return { tools, settleLate: (result) => resolve(result), reasons };
  };

  it('EXE-12 at the deadline the signal fires; after the grace an effect is unknown and a call without effect failed', async () => {
    for (const [effect, risk, status, text] of [[ToolEffect.reversible, sensitive, 'unknown', 'tool_timeout: no answer within 1000 ms; it may or may not have happened, do not repeat it'], [ToolEffect.none, undefined, 'failed', 'tool_timeout: no answer within 1000 ms']] as const) {
      const { tools, settleLate, reasons } = hanging({ effect }, risk);
      const session = await Session.open({ provider: new FunctionProvider(calls(call('c1', 'slow')), says('end')), toolRegistry: tools.registry, approvalPolicy: new OnlyDangerousAsks(), limits: { timeoutGraceMs: 500 } });
      const pending = session.run();
      await settle();
      session.scheduler.advance(999);
      expect(reasons).toEqual([]);
      session.scheduler.advance(1);
      expect(reasons).toEqual(['tool_timeout']);
      await settle();
      session.scheduler.advance(499);
      await settle();
      expect(session.observer.envelope('c1')).toBeUndefined();
      session.scheduler.advance(1);
      expect((await pending).value.stopReason).toBe('complete');
      expect(session.observer.envelope('c1')).toMatchObject({ status, code: 'tool_timeout', timing: { elapsedMs: 1500 } });
      expect(session.history[2]).toBe(`tool c1 !${text}`);
      const lines = session.log.length;
      settleLate(ToolResult.text('here I am'));
      await settle();
      expect([session.history.length, session.problems()]).toEqual([4, []]);
      expect(session.log.slice(lines), 'it is recorded, and that is all').toEqual(['commit tool_effect', 'bus state.persisted']);
    }
  });

  it('EXE-12 what settles within the grace counts as it is', async () => {
    const { tools, settleLate } = hanging({});
    const session = await Session.open({ provider: new FunctionProvider(calls(call('c1', 'slow')), says('end')), toolRegistry: tools.registry, approvalPolicy: new OnlyDangerousAsks() });
    const pending = session.run();
    await settle();
    session.scheduler.advance(1500);
    settleLate(ToolResult.text('stopped half way'));
    await pending;
    expect(session.history[2]).toBe('tool c1 stopped half way');
    expect(session.problems()).toEqual([]);
  });

  it('DEC-40 while a timed-out tool still runs, later calls that are not concurrency-safe are not executed', async () => {
    for (const [contract, others] of [[{}, ['!tool_batch_not_executed', 'safely done']], [{ concurrencySafe: true }, ['look done', 'safely done']]] as const) {
      const { tools } = hanging(contract);
      const session = await Session.open({ provider: new FunctionProvider(calls(call('c1', 'slow'), call('c2', 'look'), call('c3', 'safely')), says('end')), toolRegistry: tools.registry, approvalPolicy: new OnlyDangerousAsks() });
      await session.finish(session.run());
      expect(session.history[3]).toContain(others[0]);
      expect(session.history[4]).toContain(others[1]);
      expect(session.observer.envelope('c2')?.status).toBe(others[0].startsWith('!') ? 'rejected' : 'ok');
    }
  });

  it('a time-out of 0 means none', async () => {
    const { tools, settleLate } = hanging({ timeoutMs: 0 });
    const session = await Session.open({ provider: new FunctionProvider(calls(call('c1', 'slow')), says('end')), toolRegistry: tools.registry, approvalPolicy: new OnlyDangerousAsks() });
    const pending = session.run();
    await settle();
    session.scheduler.advance(10_000_000);
    await settle();
    settleLate(ToolResult.text('at last'));
    await pending;
    expect(session.history[2]).toBe('tool c1 at last');
  });

  it('a deadline during the grace of a cancel does not lengthen it, nor the other way round', async () => {
    const { tools } = hanging({});
    const control = new CancellationController();
    const made = direct(tools, { policy: new OnlyDangerousAsks() });
    const pending = made.pipeline.call('slow', '{}', '', control.signal);
    await settle();
    made.scheduler.advance(900);
    control.cancel('stop');
    made.scheduler.advance(199);
    await settle();
    expect(made.told).toEqual(['started slow']);
    made.scheduler.advance(1);
    expect(await pending).toMatchObject({ status: 'unknown', code: 'tool_outcome_unknown' });
    expect(made.scheduler.pendingCount).toBe(0);
  });
});
