import { describe, expect, it } from 'vitest';
import { ArkAgentError } from '@core/base/ArkAgentError';
import { ErrorLayer } from '@core/base/ErrorCodes';
import { HookDiagnosticEvent, PersistEvent } from '@core/control/event/DiagnosticEvents';
import { AgentHook } from '@core/hook/AgentHook';
import { HookFailureMode } from '@core/hook/HookFailureMode';
import { BeforeRunHookResult } from '@core/hook/result/BeforeRunHookResult';
import { ModelCallHookResult } from '@core/hook/result/ModelCallHookResult';
import { ModelChunkHookResult } from '@core/hook/result/ModelChunkHookResult';
import { ModelResponseHookResult } from '@core/hook/result/ModelResponseHookResult';
import { StatePersistenceHookResult } from '@core/hook/result/StatePersistenceHookResult';
import { ToolCallHookResult } from '@core/hook/result/ToolCallHookResult';
import { ToolResultHookResult } from '@core/hook/result/ToolResultHookResult';
import { TurnCompletionHookResult } from '@core/hook/result/TurnCompletionHookResult';
import { AgentMessage } from '@core/message/AgentMessage';
import { ContentPart } from '@core/message/ContentPart';
import { MessageList } from '@core/message/MessageList';
import { ModelResponse } from '@core/model/ModelResponse';
import { ToolResult } from '@core/tool/ToolResult';
import { FunctionProvider, type HookSlots, OnlyDangerousAsks, Session, Tools, call, calls, hook, json, says, sensitive, settle, user } from '../run/harness';

async function opened(hooks: AgentHook[], ...answers: ConstructorParameters<typeof FunctionProvider>): Promise<{ session: Session; provider: FunctionProvider; tools: Tools }> {
  const tools = new Tools().add('look').add('peek').add('write', { risk: sensitive });
  const provider = new FunctionProvider(...answers);
  const session = await Session.open({ provider, hooks, toolRegistry: tools.registry, approvalPolicy: new OnlyDangerousAsks() });
  return { session, provider, tools };
}

const diagnostics = (session: Session): string[] => session.bus.filter((event) => event instanceof HookDiagnosticEvent).map((event) => `${event.hookName} ${event.slot} ${event.code}`);

describe('hook slots in a run', () => {
  it('HOOK-01 every slot is asked in registration order, each awaited, with the next one after it', async () => {
    const order: string[] = [];
    let running = 0;
    const noting = (name: string): AgentHook => {
      const note = async (slot: string): Promise<void> => {
        running++;
        order.push(`${slot} ${name} ${running}`);
        await settle(3);
        running--;
      };
      return hook(name, {
        beforeRun: async (context) => { await note('beforeRun'); return BeforeRunHookResult.proceed(context.input); },
        beforeModelCall: async (context) => { await note('beforeModelCall'); return ModelCallHookResult.proceed(context.request); },
        onModelChunk: async (context) => { await note(`onModelChunk${context.final ? ' final' : ''}`); return ModelChunkHookResult.proceed(context.text, context.reasoning); },
        afterModelCall: async (context) => { await note('afterModelCall'); return ModelResponseHookResult.proceed(context.response); },
        beforeToolCall: async (context) => { await note('beforeToolCall'); return ToolCallHookResult.proceed(context.call); },
        afterToolCall: async (context) => { await note('afterToolCall'); return ToolResultHookResult.proceed(context.result); },
        onTurnCompletion: async () => { await note('onTurnCompletion'); return TurnCompletionHookResult.accept(); },
        beforePersistState: async (context) => { await note(`beforePersist ${context.reason}${context.mandatory ? '!' : ''}`); return StatePersistenceHookResult.proceed(); },
        afterPersistState: async (context) => note(`afterPersist ${context.reason}`),
        afterRun: async () => note('afterRun'),
      });
    };
    const { session } = await opened([noting('a'), noting('b')], calls(call('c1', 'look')), says('x'));
    await session.finish(session.run());
    const both = (slot: string): string[] => [`${slot} a 1`, `${slot} b 1`];
    const saved = (reason: string): string[] => [...both(`beforePersist ${reason}`), ...both(`afterPersist ${reason.replace('!', '')}`)];
    expect(order).toEqual([
      ...both('beforeRun'), ...saved('after_user_input'), ...both('beforeModelCall'), ...both('onModelChunk final'), ...both('afterModelCall'), ...saved('after_model_text'),
      ...both('beforeToolCall'), ...both('afterToolCall'), ...saved('after_tool_batch'),
      ...both('beforeModelCall'), ...both('onModelChunk'), ...both('onModelChunk final'), ...both('afterModelCall'), ...saved('after_model_text'),
      ...both('onTurnCompletion'), ...saved('terminal!'), ...both('afterRun'),
    ]);
  });

  it('HOOK-02 what a hook rewrites is what runs, is shown and is stored', async () => {
    const { session, provider, tools } = await opened([
      hook('one', {
        beforeRun: async () => BeforeRunHookResult.proceed([user('two words')]),
        beforeModelCall: async (context) => ModelCallHookResult.proceed(context.request.withSystemPrompt('be brief').withTools(context.request.tools.filter((tool) => tool.name !== 'peek'))),
        onModelChunk: async (context) => ModelChunkHookResult.proceed(context.text.toUpperCase(), context.reasoning),
        beforeToolCall: async (context) => ToolCallHookResult.proceed(context.call.withArguments('{"n":2}')),
        afterToolCall: async (context) => ToolResultHookResult.proceed(ToolResult.text(`${context.result.text()}, checked`)),
      }),
      hook('two', {
        beforeRun: async (context) => BeforeRunHookResult.proceed([...context.input, user('more')]),
        onModelChunk: async (context) => ModelChunkHookResult.proceed(`${context.text}!`, context.reasoning),
        beforeToolCall: async (context) => ToolCallHookResult.proceed(context.call.withArguments(context.call.argumentsJson.replace('2', '3'))),
      }),
    ], calls(call('c1', 'look', { n: 1 }), call('c2', 'peek')), says('a', 'b'));
    await session.run();
    expect(session.history).toEqual([
      'user two words', 'user more', 'assistant ! [c1=look({"n":1}),c2=peek({})]', 'tool c1 look done, checked', 'tool c2 !tool_not_visible: Tool not available now: peek', 'assistant A!B!!',
    ]);
    expect(tools.ran).toEqual(['look:{"n":3}']);
    expect(provider.requests[0].systemPrompt).toBe('be brief');
    expect(provider.requests[0].tools.map((tool) => tool.name)).toEqual(['look', 'write']);
    expect(session.observer.text).toBe('!A!B!!');
    expect(session.problems()).toEqual([]);
  });

  it('HOOK-02 a request without complete pairs is repaired, and a tool that was not visible stays invisible', async () => {
    const { session, provider, tools } = await opened([hook('cut', {
      beforeModelCall: async (context) => ModelCallHookResult.proceed(context.request.withMessages(MessageList.of(context.request.messages.toArray().filter((message) => message.toolCallId === undefined)))),
    })], calls(call('c1', 'look')), says('x'));
    await session.run();
    expect(provider.requests[1].messages.toArray().map((message) => message.toolCallId ?? message.role)).toEqual(['user', 'assistant', 'c1']);
    expect(tools.count('look')).toBe(1);
    expect(session.history[2]).toBe('tool c1 look done');
  });

  it('HOOK-03 the first denial wins and the others are not asked; the sibling goes on', async () => {
    const asked: string[] = [];
    const { session, tools } = await opened([
      hook('first', { beforeToolCall: async (context) => context.call.name === 'look' ? ToolCallHookResult.deny(undefined, 'not today') : ToolCallHookResult.proceed(context.call) }),
      hook('second', { beforeToolCall: async (context) => { asked.push(context.call.name); return ToolCallHookResult.proceed(context.call); } }),
    ], calls(call('c1', 'look'), call('c2', 'peek')), says('x'));
    await session.run();
    expect(asked).toEqual(['peek']);
    expect(tools.ran).toEqual(['peek:{}']);
    expect(session.history.slice(2, 4)).toEqual(['tool c1 !tool_denied: not today', 'tool c2 peek done']);
    expect(session.observer.envelope('c1')?.status).toBe('rejected');
  });

  it('HOOK-03 DEC-32 a defer is recorded: a later hook may rewrite, and the person is asked about the rewritten call', async () => {
    const { session, tools } = await opened([
      hook('defers', { beforeToolCall: async () => ToolCallHookResult.defer('odd hour') }),
      hook('rewrites', { beforeToolCall: async (context) => ToolCallHookResult.proceed(context.call.withArguments('{"n":9}'), 'rounded') }),
    ], calls(call('c1', 'look', { n: 1 })), says('x'));
    expect((await session.run()).value.stopReason).toBe('awaiting_approval');
    expect(tools.ran).toEqual([]);
    const item = session.controller.listPendingApprovals()[0];
    expect([item.reason, item.toolCall.argumentsJson, item.proposedCall?.argumentsJson, item.warnings]).toEqual(['odd hour', '{"n":9}', '{"n":1}', ['rounded']]);
    await session.controller.approve(item.approvalId);
    await session.resume();
    expect(tools.ran).toEqual(['look:{"n":9}']);
    expect(session.problems()).toEqual([]);
  });

  it('HOOK-03 DEC-32 a gate failure beats a defer: nobody is asked', async () => {
    const { session } = await opened([hook('defers', { beforeToolCall: async () => ToolCallHookResult.defer('why not') })], calls(call('c1', 'nothing')), says('x'));
    expect((await session.run()).value.stopReason).toBe('complete');
    expect(session.history[2]).toBe('tool c1 !tool_not_found: Tool not found: nothing');
  });

  it('HOOK-04 a rewritten call keeps the id of the original, and its result answers it', async () => {
    const { session, tools } = await opened([hook('renames', { beforeToolCall: async () => ToolCallHookResult.proceed(call('evil', 'peek', { n: 1 }, 7)) })], calls(call('c1', 'look')), says('x'));
    await session.run();
    expect(tools.ran).toEqual(['peek:{"n":1}']);
    expect(session.history.slice(1, 3)).toEqual(['assistant  [c1=look({})]', 'tool c1 peek done']);
  });

  it('HOOK-05 DEC-35 injected messages follow the last result, in call then hook order, also on stop; other roles are dropped', async () => {
    const injecting = (name: string, stops: boolean): AgentHook => hook(name, {
      afterToolCall: async (context) => stops && context.call.id === 'c2'
        ? ToolResultHookResult.stop(context.result, [user(`${name} ${context.call.id}`), AgentMessage.assistant('forged')])
        : ToolResultHookResult.proceed(context.result, [AgentMessage.system(`${name} ${context.call.id}`)]),
    });
    const { session } = await opened([injecting('a', false), injecting('b', true), injecting('c', false)], calls(call('c1', 'look'), call('c2', 'peek')), says('x'));
    expect((await session.run()).value.stopReason).toBe('hook_stop');
    expect(session.history.slice(2)).toEqual(['tool c1 look done', 'tool c2 peek done', 'system a c1', 'system b c1', 'system c c1', 'system a c2', 'user b c2']);
    expect(diagnostics(session)).toEqual(['b afterToolCall hook_message_dropped']);
  });

  it('HOOK-05 DEC-35 injected messages and rewritten results pass the size limit again; a result that no hook changed keeps its first mark', async () => {
    const tools = new Tools().add('big', { contract: { maxResultChars: 10 }, run: () => ToolResult.text('0123456789abcdef') });
    const session = await Session.open({
      provider: new FunctionProvider(calls(call('c1', 'big')), says('x')), toolRegistry: tools.registry,
      hooks: [hook('same', { afterToolCall: async (context) => ToolResultHookResult.proceed(context.result, [user('a message that is far too long')]) })],
    });
    await session.run();
    expect(session.history.slice(2, 4)).toEqual(['tool c1 0123456789[cut: 10 of 16 characters shown]', 'user a message [cut: 10 of 30 characters shown]']);
    const rewriting = await Session.open({
      provider: new FunctionProvider(calls(call('c1', 'big')), says('x')), toolRegistry: tools.registry,
      hooks: [hook('flags', { afterToolCall: async (context) => ToolResultHookResult.proceed(new ToolResult(context.result.contents, true)) }),
        hook('longer', { afterToolCall: async (context) => ToolResultHookResult.proceed(context.call.argumentsJson === '{}' ? context.result : ToolResult.text('x'.repeat(99))) })],
    });
    await rewriting.run();
    expect(rewriting.history[2]).toBe('tool c1 !0123456789[cut: 10 of 16 characters shown]');
  });

  it('HOOK-06 what a hook does to its context changes nothing', async () => {
    const { session, tools, provider } = await opened([hook('vandal', {
      beforeRun: async (context) => { (context.input as AgentMessage[]).push(user('forged')); return BeforeRunHookResult.proceed([user('hi')]); },
      beforeModelCall: async (context) => { (context.request.tools as unknown[]).length = 0; context.state.metadata().setString('k', 'forged'); return ModelCallHookResult.proceed(context.request); },
      beforeToolCall: async (context) => { (context.call as { argumentsJson: string }).argumentsJson = '{"n":666}'; (context.modelMessage.toolCalls as unknown[]).length = 0; return ToolCallHookResult.defer('look'); },
      afterToolCall: async (context) => { (context.result.contents as ContentPart[])[0] = ContentPart.text('forged'); return ToolResultHookResult.proceed(context.result); },
    })], calls(call('c1', 'look', { n: 1 })), says('x'));
    await session.run();
    await session.controller.approve(session.controller.listPendingApprovals()[0].approvalId);
    await session.resume();
    expect(tools.ran).toEqual(['look:{"n":1}']);
    expect(session.history).toEqual(['user hi', 'assistant  [c1=look({"n":1})]', 'tool c1 look done', 'assistant x']);
    expect(session.runtime.snapshot().metadata.size).toBe(0);
    expect(provider.requests).toHaveLength(2);
  });

  it('HOOK-08 observing slots that throw leave the outcome as it is and give diagnostics', async () => {
    const { session } = await opened([hook('bad', { afterPersistState: async () => { throw new Error('a'); }, afterRun: async () => { throw new Error('b'); } })], says('x'));
    expect((await session.run()).value.stopReason).toBe('complete');
    expect(new Set(diagnostics(session))).toEqual(new Set(['bad afterPersistState hook_failed', 'bad afterRun hook_failed']));
    expect(session.log.at(-2)).toBe('bus hook.diagnostic');
    expect(session.log.at(-1)).toBe('obs onComplete');
  });

  it('HOOK-09 a denial answers with the synthetic result, or with a standard one', async () => {
    const { session } = await opened([hook('denies', { beforeToolCall: async (context) => context.call.id === 'c1' ? ToolCallHookResult.deny(ToolResult.text('pretend')) : ToolCallHookResult.deny() })],
      calls(call('c1', 'look'), call('c2', 'look')), says('x'));
    await session.run();
    expect(session.history.slice(2, 4)).toEqual(['tool c1 pretend', 'tool c2 !tool_denied: the call was refused by a safety rule']);
    expect(session.observer.types.filter((type) => type === 'tool_call_finished')).toHaveLength(2);
    expect(session.observer.types).not.toContain('tool_call_started');
  });

  it('HOOK-10 DEC-26 respond skips provider and chunk hooks; afterModelCall and the pipeline still apply', async () => {
    const seen: string[] = [];
    let turn = 0;
    const { session, provider, tools } = await opened([hook('answers', {
      beforeModelCall: async () => ModelCallHookResult.respond(turn++ === 0 ? new ModelResponse({ text: 'from the hook', toolCalls: [call('', 'look')] }) : ModelResponse.text('end')),
      onModelChunk: async (context) => { seen.push('chunk'); return ModelChunkHookResult.proceed(context.text, context.reasoning); },
      afterModelCall: async (context) => { seen.push('after'); return ModelResponseHookResult.proceed(context.response); },
    })], says('never'));
    await session.run();
    expect(provider.calls).toBe(0);
    expect(seen).toEqual(['after', 'after']);
    expect(tools.count('look')).toBe(1);
    expect(session.observer.values.filter((event) => event.type === 'text_delta').map((event) => event.text)).toEqual(['from the hook', 'end']);
    expect(session.history[1]).toBe('assistant from the hook [call-1-0=look({})]');
  });

  it('HOOK-10 DEC-26 a retry is bounded and tells the interface to drop what it showed', async () => {
    let asked = 0;
    const { session, provider } = await opened([hook('again', { afterModelCall: async (context) => { asked++; return asked < 3 ? ModelResponseHookResult.retry('dull') : ModelResponseHookResult.proceed(context.response); } })], says('dull'), says('dull'), says('fine'));
    await session.run();
    expect(provider.calls).toBe(3);
    expect(session.observer.types.filter((type) => /text|restart/.test(type))).toEqual(['text_delta', 'model_restarted', 'text_delta', 'model_restarted', 'text_delta']);
    expect(session.history).toEqual(['user hi', 'assistant fine']);
    const endless = await opened([hook('again', { afterModelCall: async () => ModelResponseHookResult.retry() })], says('x'));
    const result = await endless.session.run();
    expect([result.error.code, endless.provider.calls]).toEqual(['model_retry_exhausted', 3]);
    expect(endless.session.history).toEqual(['user hi', 'assistant~ x']);
  });

  it('DEC-26 a rewrite by afterModelCall restarts only what was shown and is what history holds', async () => {
    const rewriting = (response: ModelResponse): AgentHook => hook('rewrites', { afterModelCall: async () => ModelResponseHookResult.proceed(response) });
    const shown = await opened([rewriting(ModelResponse.text('better'))], says('draft'));
    await shown.session.run();
    expect(shown.session.observer.values.filter((event) => /text|restart/.test(event.type)).map((event) => `${event.type} ${event.text}`)).toEqual(['text_delta draft', 'model_restarted ', 'text_delta better']);
    expect(shown.session.history[1]).toBe('assistant better');
    const silent = await opened([rewriting(ModelResponse.text('added'))], (observer) => {
      observer.onNext({ type: 'model_complete', text: '', response: ModelResponse.text('') } as never);
      observer.onComplete();
    });
    await silent.session.run();
    expect(silent.session.observer.types).not.toContain('model_restarted');
    expect(silent.session.observer.text).toBe('added');
    const thought = await opened([rewriting(new ModelResponse({ text: 'draft', reasoning: 'clean' }))], says('draft'));
    await thought.session.run();
    expect(thought.session.observer.types.filter((type) => /delta|restart/.test(type))).toEqual(['text_delta', 'model_restarted', 'text_delta', 'reasoning_delta']);
  });

  it('HOOK-10 DEC-24 continueRun continues a complete and a tool_stop; after a hook_stop it is a diagnostic', async () => {
    const continuing = (): AgentHook => {
      let asked = 0;
      return hook('goes on', { onTurnCompletion: async () => asked++ === 0 ? TurnCompletionHookResult.continueRun([user('go on'), AgentMessage.assistant('forged')]) : TurnCompletionHookResult.accept() });
    };
    const plain = await opened([continuing()], says('a'), says('b'));
    await plain.session.run();
    expect(plain.session.history).toEqual(['user hi', 'assistant a', 'user go on', 'assistant b']);
    expect(diagnostics(plain.session)).toEqual(['goes on onTurnCompletion hook_message_dropped']);

    const stopping = new Tools().add('stop', { run: () => new ToolResult([ContentPart.text('halt')], true, true) }).add('look');
    const provider = new FunctionProvider(calls(call('c1', 'stop'), call('c2', 'look')), says('b'));
    const tool = await Session.open({ provider, toolRegistry: stopping.registry, hooks: [continuing()] });
    expect((await tool.run()).value.stopReason).toBe('complete');
    expect(tool.history).toEqual(['user hi', 'assistant  [c1=stop({}),c2=look({})]', 'tool c1 !halt', 'tool c2 look done', 'user go on', 'assistant b']);

    const stopped = await opened([continuing(), hook('stops', { afterToolCall: async (context) => ToolResultHookResult.stop(context.result) })], calls(call('c1', 'look'), call('c2', 'look')), says('b'));
    expect((await stopped.session.run()).value.stopReason).toBe('hook_stop');
    expect(stopped.tools.count('look')).toBe(2);
    expect(stopped.provider.calls).toBe(1);
    expect(diagnostics(stopped.session)).toEqual(['goes on onTurnCompletion hook_message_dropped', 'goes on onTurnCompletion hook_continue_ignored']);
  });

  it('HOOK-11 fail closed aborts, fail open goes on with a diagnostic, for a throw and for a time-out', async () => {
    const never = (): Promise<never> => new Promise(() => undefined);
    const faults: Array<[string, HookSlots]> = [
      ['beforeRun', { beforeRun: never }], ['beforeModelCall', { beforeModelCall: never }], ['onModelChunk', { onModelChunk: never }], ['afterModelCall', { afterModelCall: never }],
      ['beforeToolCall', { beforeToolCall: never }], ['afterToolCall', { afterToolCall: never }], ['onTurnCompletion', { onTurnCompletion: never }], ['beforePersistState', { beforePersistState: never }],
      ['beforeRun', { beforeRun: async () => { throw new Error('x'); } }], ['afterToolCall', { afterToolCall: async () => 'nonsense' as never }],
    ];
    for (const [slot, slots] of faults) {
      const closed = await opened([hook('h', slots, { timeoutMs: 50 })], calls(call('c1', 'look')), says('x'));
      const result = await closed.session.finish(closed.session.run(), 50);
      expect([slot, result.error.code, result.error.layer, result.error.details?.get('slot')]).toEqual([slot, 'hook_failed', ErrorLayer.security, slot]);
      expect(closed.session.afterRuns).toEqual(['0 aborted hook_failed']);
      const open = await opened([hook('h', slots, { timeoutMs: 50, failureMode: HookFailureMode.failOpen })], calls(call('c1', 'look')), says('x'));
      expect([slot, (await open.session.finish(open.session.run(), 50)).value.stopReason]).toEqual([slot, 'complete']);
      expect(open.session.history).toEqual(['user hi', 'assistant  [c1=look({})]', 'tool c1 look done', 'assistant x']);
      expect(diagnostics(open.session)[0]).toBe(`h ${slot} hook_failed`);
    }
  });

  it('HOOK-12 a skip leaves ordinary saves out and cannot touch mandatory ones; nothing is lost', async () => {
    const { session } = await opened([hook('skips', { beforePersistState: async () => StatePersistenceHookResult.skip() })], calls(call('c1', 'write', { n: 1 })), says('x'));
    await session.run();
    expect(session.storage.reasons).toEqual(['tool_effect', 'tool_effect', 'terminal']);
    expect(session.bus.filter((event) => event instanceof PersistEvent).map((event) => `${event.reason} ${event.skipped}`)).toEqual([
      'after_user_input true', 'after_model_text true', 'tool_effect false', 'tool_effect false', 'after_tool_batch true', 'after_model_text true', 'terminal false']);
    expect(session.storage.last.history.length).toBe(4);
    expect(session.observer.values.filter((event) => event.type === 'state_persisted').map((event) => event.persisted)).toEqual([false, false, true, true, false, false, true]);
  });

  it('HOOK-12 DEC-34 an abort is honoured everywhere: the started effect does not begin, the finished one is written first', async () => {
    const aborting = (phase: string): AgentHook => hook('aborts', { beforePersistState: async (context) => context.effectPhase === phase ? StatePersistenceHookResult.abort('no') : StatePersistenceHookResult.proceed() });
    const before = await opened([aborting('started')], calls(call('c1', 'write'), call('c2', 'look')), says('x'));
    expect((await before.session.run()).error.code).toBe('hook_abort');
    expect(before.tools.ran).toEqual([]);
    expect(before.session.storage.last.openBatch?.calls.map((one) => `${one.status} ${one.reason}`)).toEqual(['closed hook_abort', 'closed hook_abort']);
    const after = await opened([aborting('finished')], calls(call('c1', 'write'), call('c2', 'look')), says('x'));
    expect((await after.session.run()).error.code).toBe('hook_abort');
    expect(after.tools.ran).toEqual(['write:{}']);
    const fact = after.session.storage.states.at(-2);
    expect([fact?.run?.status, fact?.openBatch?.calls[0].status, fact?.openBatch?.calls[0].result?.contents[0].asText()]).toEqual(['running', 'finished', 'write done']);
    expect(after.session.storage.last.openBatch?.calls.map((one) => one.status)).toEqual(['finished', 'closed']);
  });

  it('DEC-34 an abort of the terminal write changes the ending, which is written once without asking again', async () => {
    let asked = 0;
    const { session } = await opened([hook('aborts', { beforePersistState: async (context) => { if (context.reason !== 'terminal') return StatePersistenceHookResult.proceed(); asked++; return StatePersistenceHookResult.abort('no'); } })], says('x'));
    const result = await session.run();
    expect([result.error.code, asked, session.storage.reasons.at(-1), session.storage.last.run?.stopReason]).toEqual(['hook_abort', 1, 'terminal', 'aborted']);
    expect(session.busTypes()).not.toContain('agent.success');
  });

  it('DEC-33 an abort in phase 1 runs none; in mid-batch finished calls keep their results and the rest close as hook_abort', async () => {
    const first = await opened([hook('aborts', { beforeToolCall: async (context) => context.call.id === 'c2' ? ToolCallHookResult.abort('no', new ArkAgentError(ErrorLayer.tool, 'quota', 'used up')) : ToolCallHookResult.proceed(context.call) })],
      calls(call('c1', 'look'), call('c2', 'look')), says('again'));
    const refused = await first.session.run();
    expect([refused.error.code, refused.error.layer, first.tools.ran.length]).toEqual(['quota', 'tool', 0]);
    expect(first.session.afterRuns).toEqual(['0 aborted quota']);
    await first.session.run('next');
    expect(first.session.history.slice(1, 5)).toEqual(['assistant  [c1=look({}),c2=look({})]', 'tool c1 !hook_abort: a safety rule ended the run before this call ran',
      'tool c2 !hook_abort: a safety rule ended the run before this call ran', 'user next']);
    const middle = await opened([hook('aborts', { afterToolCall: async (context) => context.call.id === 'c2' ? ToolResultHookResult.abort('no') : ToolResultHookResult.proceed(context.result) })],
      calls(call('c1', 'look'), call('c2', 'peek'), call('c3', 'look')), says('again'));
    await middle.session.run();
    expect(middle.tools.ran).toEqual(['look:{}', 'peek:{}']);
    await middle.session.run('next');
    expect(middle.session.history.slice(2, 5)).toEqual(['tool c1 look done', 'tool c2 peek done', 'tool c3 !hook_abort: a safety rule ended the run before this call ran']);
    expect(middle.session.problems()).toEqual([]);
  });

  it('an abort of beforeRun keeps the input out of the history; the next run starts clean', async () => {
    let asked = 0;
    const { session, provider } = await opened([hook('aborts', { beforeRun: async (context) => asked++ === 0 ? BeforeRunHookResult.abort('no') : BeforeRunHookResult.proceed(context.input) })], says('x'));
    expect((await session.run('bad')).error.code).toBe('hook_abort');
    expect([session.history, provider.calls]).toEqual([[], 0]);
    await session.run('good');
    expect(session.history).toEqual(['user good', 'assistant x']);
  });

  it('a hook\'s warning reaches the events of a call that runs', async () => {
    const { session } = await opened([hook('warns', { beforeToolCall: async (context) => ToolCallHookResult.proceed(context.call, 'costs money') })], calls(call('c1', 'look')), says('x'));
    await session.run();
    const told = session.bus.filter((event) => /^tool\.(before|after)$/.test(event.eventType())) as Array<{ warnings: string[] } & typeof session.bus[0]>;
    expect(told.map((event) => event.warnings)).toEqual([['costs money'], ['costs money']]);
  });

  it('metadata that a tool or hook changes stays as it is in the session', async () => {
    const tools = new Tools().add('look', { run: (_args, context) => { context.state.metadata().setString('k', 'v'); return ToolResult.text('x'); } });
    const session = await Session.open({ provider: new FunctionProvider(calls(call('c1', 'look')), says('x')), toolRegistry: tools.registry, metadata: json({ locale: 'zh' }) });
    await session.run();
    expect(session.runtime.snapshot().metadata.keys()).toEqual(['locale']);
  });
});
