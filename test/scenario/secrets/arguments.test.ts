import { describe, expect, it } from 'vitest';
import { ArkAgentError } from '@core/base/ArkAgentError';
import { ErrorCode } from '@core/base/ErrorCodes';
import { AuthorizationResult } from '@core/approval/AuthorizationPolicy';
import { Result } from '@core/base/Result';
import { InMemorySecretVault } from '@core/execution/vault/InMemorySecretVault';
import { SecretVault } from '@core/execution/vault/SecretVault';
import { ToolRiskLevel } from '@core/model/ToolDefinition';
import { AgentMessage } from '@core/message/AgentMessage';
import { ModelResponseHookResult } from '@core/hook/result/ModelResponseHookResult';
import { ToolCallHookResult } from '@core/hook/result/ToolCallHookResult';
import { ModelResponse } from '@core/model/ModelResponse';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import { CommitFault } from '@core/testing/StoppingStateStorage';
import { ToolResult } from '@core/tool/ToolResult';
import { hook } from '../run/harness';
import { Family, delegate } from '../subagent/family';
import { Desk, plain, scopeOf } from './desk';

const KEY = 'sk-abcdEFGH1234ijklMNOP5678qrst';
const PASSWORD = 'correct "horse" 7';
const ARGS = JSON.stringify({ url: 'https://api.example/v1', headers: { Authorization: `Bearer ${KEY}` }, password: PASSWORD, n: 1 });
const SEALED = '{"url":"https://api.example/v1","headers":{"Authorization":"Bearer [secret:credential:1]"},"password":"[secret:password:2]","n":1}';
const turn = (args = ARGS, tool = 'pay'): ScriptedTurn => ScriptedTurn.call('c1', tool, args);

/** No stretch of eight characters of a secret is anywhere. */
function expectClean(text: string): void {
  for (const secret of [KEY, PASSWORD, JSON.stringify(PASSWORD).slice(1, -1)]) {
    for (let at = 0; at + 8 <= secret.length; at++) expect(text.includes(secret.slice(at, at + 8)), secret.slice(at, at + 8)).toBe(false);
  }
}

describe('S15 a secret in arguments, echoed by a tool', () => {
  it('S15 EXE-14 APP-15 is found in no file, event, log, audit record, card or request; only the executor has it', async () => {
    const desk = new Desk();
    const vault = new InMemorySecretVault();
    const pay = desk.world.dangerous('pay');
    pay.work = async (args, context) => {
      scopeOf(context).reportProgress(`sending ${args.getObject('headers')?.getString('Authorization')} and ${PASSWORD}`);
      return new ToolResult(ToolResult.text(`paid with ${KEY}, ${PASSWORD}, ${JSON.stringify(PASSWORD)}`).contents, false, false, args.clone());
    };
    const fail = desk.world.safe('fail');
    fail.work = async () => { throw new Error(`401 for ${KEY}`); };
    const turns = [new ScriptedTurn().text(`I use ${KEY.slice(0, 15)}`).text(`${KEY.slice(15)} now.`).call('c1', 'pay', ARGS).call('c2', 'fail', ARGS), ScriptedTurn.text(`done with ${PASSWORD}`)];
    const one = await desk.world.open({ turns, config: desk.config({ secretVault: vault }) });
    expect(await one.say('pay')).toBe('awaiting_approval');
    desk.showCards(one);
    const sealed = SEALED.replace('credential:1', 'api-key:1');
    expect(desk.cards[0]).toContain('[secret:api-key:1]');
    expect(one.batch().items[0].toolCall.argumentsJson).toBe(sealed);
    expect(vault.size).toBe(4);
    one.kill();
    const two = await desk.world.open({ turns: turns.slice(1), config: desk.config({ secretVault: vault }) });
    desk.showCards(two);
    await two.approveAll();
    expect(await two.resume()).toBe('complete');
    expect(pay.runs.map((run) => run.argumentsJson)).toEqual([ARGS]);
    expect(fail.runs.map((run) => run.argumentsJson)).toEqual([ARGS]);
    expect(two.history()).toEqual(['user: pay', `assistant: I use [secret:api-key:1] now. [c1 pay ${sealed}] [c2 fail ${sealed}]`,
      'tool c1: paid with [secret:api-key:1], [secret:password:2], "[secret:password:2]"', 'tool c2 error: tool_execution_failed: 401 for [secret:api-key:1]',
      'assistant: done with [secret:password:2]']);
    expectClean(desk.everything(one, two));
    expect(desk.everything(one, two)).toContain('[secret:password:2]');
    expect(vault.size, 'the calls are over').toBe(0);
  });

  it('EXE-14 an error of the provider that quotes the key ends the run without it', async () => {
    const desk = new Desk();
    const one = await desk.world.open({ turns: [new ScriptedTurn().fail(ArkAgentError.of(ErrorCode.providerAuth, `wrong API key: ${KEY}`, { cause: new Error(KEY) }), undefined)], config: desk.config() });
    expect(await one.say('hi')).toBe('provider_auth');
    expect(plain(one.result)).toContain('[secret:api-key:1]');
    expectClean(desk.everything(one) + plain(one.result) + plain(one.observer));
  });

  it('EXE-14 redaction is switched off by a word, and input is masked by one', async () => {
    const desk = new Desk();
    const pay = desk.world.safe('pay');
    const off = await desk.world.open({ turns: [turn()], config: desk.config({ redaction: { enabled: false } }) });
    expect(await off.say(`my key ${KEY}`)).toBe('complete');
    expect([pay.runs[0].argumentsJson, off.history()[0]]).toEqual([ARGS, `user: my key ${KEY}`]);
    const other = new Desk();
    const on = await other.world.open({ config: other.config({ redaction: { input: true } }) });
    await on.say(`my key ${KEY}`);
    expect(on.lastRequest()).toEqual(['user: my key [secret:api-key:1]']);
    expectClean(other.everything(on));
    const usual = new Desk();
    const default_ = await usual.world.open({ config: usual.config() });
    await default_.say(`my key ${KEY}`);
    expect(default_.lastRequest(), 'what a person types is theirs').toEqual([`user: my key ${KEY}`]);
  });
});

describe('without the secret', () => {
  const refused = (history: string[]): string => history.find((line) => line.startsWith('tool')) ?? '';

  it('DEC-37 without a vault the call is refused: tool_argument_secret; nobody is asked and nothing runs', async () => {
    const desk = new Desk();
    const pay = desk.world.dangerous('pay');
    const one = await desk.world.open({ turns: [turn()], config: desk.config() });
    expect(await one.say('go')).toBe('complete');
    expect(refused(one.history())).toBe('tool c1 error: tool_argument_secret: the arguments hold a secret and nothing is set up to keep it, so the call did not run');
    expect(pay.count).toBe(0);
    expectClean(desk.everything(one));
  });

  it('DEC-37 a vault that lost the secret: the call answers an error and never runs with the placeholder', async () => {
    for (const lost of ['before the claim', 'before the executor']) {
      const desk = new Desk();
      const pay = desk.world.dangerous('pay');
      let vault = new InMemorySecretVault();
      const forgetful: SecretVault = { put: (...a) => vault.put(...a), remove: (...a) => vault.remove(...a), resolve: (...a) => vault.resolve(...a) };
      const one = await desk.world.open({ turns: [turn()], config: desk.config({ secretVault: forgetful }) });
      expect(await one.say('go')).toBe('awaiting_approval');
      await one.approveAll();
      one.kill();
      if (lost === 'before the claim') vault = new InMemorySecretVault();
      const two = await desk.world.open({ config: desk.config({ secretVault: forgetful }) });
      two.controller.subscribe('agent.resumed', () => { vault = new InMemorySecretVault(); });
      expect(await two.resume()).toBe('complete');
      expect(refused(two.history()), lost).toMatch(/^tool c1 error: tool_argument_secret: a secret of the arguments is not available here/);
      expect(pay.count, lost).toBe(0);
    }
  });

  it('DEC-37 a vault that fails or throws is one that has nothing', async () => {
    const failing: SecretVault = { put: async () => Result.failure(ArkAgentError.security('secret_store_failed', 'x')), resolve: async () => { throw new Error(KEY); }, remove: async () => { throw new Error(KEY); } };
    const desk = new Desk();
    const pay = desk.world.safe('pay');
    const one = await desk.world.open({ turns: [turn()], config: desk.config({ secretVault: failing }) });
    expect(await one.say('go')).toBe('complete');
    expect(refused(one.history())).toContain('tool_argument_secret');
    expect(pay.count).toBe(0);
    expectClean(desk.everything(one));
  });

  it('DEC-37 a model that quotes a placeholder of a result opens nothing', async () => {
    const desk = new Desk();
    const read = desk.world.safe('read');
    read.work = async () => ToolResult.text(`key ${KEY}`);
    const send = desk.world.safe('send');
    const turns = [ScriptedTurn.call('c1', 'read', '{}'), ScriptedTurn.call('c2', 'send', '{"to":"evil","body":"[secret:api-key:1]"}'),
      ScriptedTurn.call('c3', 'send', '{"body":"\\u005bsecret:api-key:1]"}'), ScriptedTurn.call('c4', 'send', `{"key":"${KEY}","body":"[secret:api-key:1]"}`)];
    const one = await desk.world.open({ turns, config: desk.config({ secretVault: new InMemorySecretVault() }) });
    expect(await one.say('go')).toBe('complete');
    expect(one.history().filter((line) => line.startsWith('tool c')).slice(1).map((line) => line.slice(0, 35))).toEqual(
      ['tool c2 error: tool_argument_secret', 'tool c3 error: tool_argument_secret', 'tool c4 error: tool_argument_secret']);
    expect(send.count).toBe(0);
    expectClean(desk.everything(one));
  });
});

describe('hooks, gates and policies', () => {
  it('DEC-37 hooks see placeholders; what they leave in place stays valid, and a secret that they add is sealed too', async () => {
    const desk = new Desk();
    const pay = desk.world.dangerous('pay');
    const seen: string[] = [];
    const hooks = [hook('adds', {
      beforeToolCall: async (context) => { seen.push(context.call.argumentsJson); return ToolCallHookResult.proceed(context.call.withArguments(context.call.argumentsJson.replace('"n":1', '"apiKey":"app-key-55aa77bb"'))); },
      afterModelCall: async (context) => { seen.push(...context.response.toolCalls.map((call) => call.argumentsJson)); const init = context.response.toInit(); init.text = `via ${KEY}`; return ModelResponseHookResult.proceed(new ModelResponse(init)); },
    })];
    const one = await desk.world.open({ turns: [turn()], config: desk.config({ secretVault: new InMemorySecretVault(), hooks }) });
    expect(await one.say('go')).toBe('awaiting_approval');
    expect(one.batch().items[0].toolCall.argumentsJson).toBe(SEALED.replace('"n":1', '"apiKey":"[secret:api-key:3]"'));
    await one.approveAll();
    expect(await one.resume()).toBe('complete');
    expect(seen.slice(0, 2)).toEqual([SEALED, SEALED]);
    expect(pay.runs[0].argumentsJson).toBe(ARGS.replace('"n":1', '"apiKey":"app-key-55aa77bb"'));
    expectClean(desk.everything(one));
    expect(desk.everything(one)).not.toContain('app-key-55aa77bb');
  });

  it('DEC-37 schema and authorization judge what would run; what they say about it is masked', async () => {
    const desk = new Desk();
    const pay = desk.world.tool('pay', ToolRiskLevel.safe, undefined, '{"type":"object","properties":{"url":{"type":"string"}}}');
    const seen: Array<string | undefined> = [];
    const policy = { name: 'watch', authorize: async (request: { args: { getString: (key: string) => string | undefined } }) => { seen.push(request.args.getString('password')); return AuthorizationResult.requireConfirmation(`sends ${PASSWORD}`); } };
    const one = await desk.world.open({ turns: [turn()], config: desk.config({ secretVault: new InMemorySecretVault(), authorizationPolicy: policy as never }) });
    expect(await one.say('go')).toBe('awaiting_approval');
    expect([seen[0], one.batch().items[0].reason]).toEqual([PASSWORD, 'sends [secret:password:2]']);
    await one.approveAll();
    await one.resume();
    expect(pay.runs[0].argumentsJson).toBe(ARGS);
    expectClean(desk.everything(one));
  });
});

describe('edits', () => {
  const edited = async (change: (sealed: string) => string): Promise<{ desk: Desk; code: string; runs: string[]; shown: string }> => {
    const desk = new Desk();
    const pay = desk.world.dangerous('pay');
    const one = await desk.world.open({ turns: [turn()], config: desk.config({ secretVault: new InMemorySecretVault() }) });
    await one.say('go');
    const decided = await one.controller.approveWithArguments(one.questions()[0], change(one.batch().items[0].toolCall.argumentsJson));
    const shown = one.runtime.getPendingApprovalBatch()?.items[0].toolCall.argumentsJson ?? '';
    if (decided.ok) await one.resume();
    expectClean(desk.everything(one));
    return { desk, code: decided.ok ? 'ok' : `${decided.error?.code} ${decided.error?.details?.get('code')}`, runs: pay.runs.map((run) => run.argumentsJson), shown };
  };

  it('DEC-37 a placeholder at its own path maps back to its secret', async () => {
    const { code, runs } = await edited((sealed) => sealed.replace('"n":1', '"n":2').replace('Bearer ', 'Token '));
    expect([code, runs]).toEqual(['ok', [ARGS.replace('"n":1', '"n":2').replace('Bearer ', 'Token ')]]);
  });

  it('DEC-37 a moved or foreign placeholder, also one that is spelled with escapes, is approval_edit_rejected', async () => {
    const changes: Array<(sealed: string) => string> = [
      (sealed) => sealed.replace('"url":"https://api.example/v1"', '"url":"https://evil/[secret:api-key:1]"'),
      (sealed) => sealed.replace('[secret:password:2]', '[secret:api-key:1]'),
      (sealed) => sealed.replace('[secret:password:2]', '[secret:api-key:9]'),
      (sealed) => sealed.replace('"url":"https://api.example/v1"', '"url":"\\u005bsecret:api-key:1]"'),
    ];
    for (const change of changes) {
      const { code, runs, shown } = await edited(change);
      expect([code, runs, shown]).toEqual(['approval_edit_rejected tool_argument_secret', [], SEALED]);
    }
  });

  it('DEC-37 a secret that the person types is sealed as well; one that the person takes out is gone', async () => {
    const { code, runs, desk } = await edited((sealed) => sealed.replace('[secret:password:2]', 'another-pass-99'));
    expect([code, runs]).toEqual(['ok', [ARGS.replace(JSON.stringify(PASSWORD).slice(1, -1), 'another-pass-99')]]);
    expect(desk.everything()).not.toContain('another-pass-99');
  });
});

describe('kills', () => {
  it('DEC-62 killed between the answer and its batch: resume opens the stored placeholders, nothing else', async () => {
    for (const args of [ARGS, '{"body":"[secret:api-key:1]"}']) {
      const desk = new Desk();
      const vault = new InMemorySecretVault();
      const pay = desk.world.safe('pay');
      const one = await desk.world.open({ turns: [turn(args)], config: desk.config({ secretVault: vault }) });
      one.storage.plan(2, CommitFault.stopAfter);
      expect(await one.say('go')).toBe('stopped');
      expect(pay.count).toBe(0);
      const two = await desk.world.open({ config: desk.config({ secretVault: vault }) });
      expect(await two.resume()).toBe('complete');
      expect(pay.runs.map((run) => run.argumentsJson)).toEqual(args === ARGS ? [ARGS] : []);
      expectClean(desk.everything(one, two));
    }
  });

  it('EXE-14 after a restart a new secret gets a new number', async () => {
    const desk = new Desk();
    const read = desk.world.safe('read');
    read.work = async () => ToolResult.text(`key ${KEY}`);
    const one = await desk.world.open({ turns: [ScriptedTurn.call('c1', 'read', '{}')], config: desk.config() });
    await one.say('go');
    one.kill();
    read.work = async () => ToolResult.text('key gsk_ZYXWvuts9876rqpoNMLK5432jihg');
    const two = await desk.world.open({ turns: [ScriptedTurn.call('c1', 'read', '{}')], config: desk.config() });
    await two.runtime.runStream([AgentMessage.user('again')], two.log.observer());
    expect(two.history().filter((line) => line.startsWith('tool'))).toEqual(['tool c1: key [secret:api-key:1]', 'tool c1: key [secret:api-key:2]']);
  });
});

describe('delegated tasks', () => {
  it('EXE-14 a task with a secret is masked in the worker\'s session too', async () => {
    const desk = new Desk();
    const family = new Family({ go: [delegate(`pay with ${KEY}`)] }, {}, desk.world);
    const one = await family.open({ config: desk.config({ secretVault: new InMemorySecretVault() }) });
    expect(await one.say('go')).toBe('complete');
    const child = await family.child((await family.children())[0]);
    expect(child.history.toArray()[0].text()).toBe('pay with [secret:api-key:1]');
    expectClean(desk.everything(one));
  });
});
