import { describe, expect, it } from 'vitest';
import { ApprovalScope, BatchDenyMode } from '@core/approval/ApprovalModes';
import { ArkAgentError } from '@core/base/ArkAgentError';
import { ErrorCode } from '@core/base/ErrorCodes';
import type { RedactionOptions } from '@core/execution/redaction/RedactionOptions';
import { InMemorySecretVault } from '@core/execution/vault/InMemorySecretVault';
import { JsonObject } from '@core/json/JsonObject';
import { AgentMessage } from '@core/message/AgentMessage';
import { ModelResponse } from '@core/model/ModelResponse';
import { RunEnd } from '@core/runtime/segment/RunEnd';
import { SessionArtifacts } from '@core/runtime/store/SessionArtifacts';
import { SessionRedaction } from '@core/runtime/session/SessionRedaction';
import { OpenBatch } from '@core/state/OpenBatch';
import { CallStatus, CallTarget } from '@core/state/OpenCall';
import type { SliceAccess } from '@core/state/SliceAccess';
import { StateSlice } from '@core/state/StateSlice';
import type { ArtifactStore } from '@core/port/ArtifactStore';
import { ToolRegistry } from '@core/tool/ToolRegistry';
import { ListLogger } from '../../scenario/run/harness';
import { call, open } from './support';

const KEY = 'sk-abcdEFGH1234ijklMNOP5678qrst';
const ARGS = JSON.stringify({ key: KEY });

class Slices implements SliceAccess {
  readonly map = new Map<string, StateSlice>();
  getSlice(name: string): StateSlice | undefined { return this.map.get(name); }
  putSlice(name: string, slice: StateSlice | undefined): void { if (slice === undefined) this.map.delete(name); else this.map.set(name, slice); }
}

const redaction = (options: RedactionOptions = {}, slices = new Slices(), vault: InMemorySecretVault | undefined = new InMemorySecretVault()): SessionRedaction => new SessionRedaction('s', options, vault, slices);

describe('what a session masks', () => {
  it('numbers its placeholders, and a later process does not give one twice', () => {
    const slices = new Slices();
    expect(redaction({}, slices).redactor.text(KEY)).toBe('[secret:api-key:1]');
    expect([slices.map.get('redaction')?.version, slices.map.get('redaction')?.json.getNumber('next')]).toEqual([1, 2]);
    expect(redaction({}, slices).redactor.text(KEY)).toBe('[secret:api-key:2]');
  });

  it('input is masked where the app wants that, and only there', () => {
    const given = [AgentMessage.user(`my key is ${KEY}`)];
    expect([redaction().input(given) === given, redaction({ input: false }).input(given) === given, redaction({ input: true }).input(given)[0].text()]).toEqual([true, true, 'my key is [secret:api-key:1]']);
  });

  it('what the model writes is masked unless the app switched that off', async () => {
    const response = new ModelResponse({ text: `a ${KEY}`, reasoning: `b ${KEY}`, extras: new JsonObject().setString('raw', KEY) });
    const masked = await redaction().answer('b', response, false);
    expect([masked.text, masked.reasoning, masked.extras]).toEqual(['a [secret:api-key:1]', 'b [secret:api-key:1]', undefined]);
    expect([await redaction({ modelText: false }).answer('b', response, false) === response, await redaction().answer('b', response, true) === response]).toEqual([true, true]);
    expect([redaction().chunkFilter() === undefined, redaction({ modelText: true }).chunkFilter() === undefined, redaction({ modelText: false }).chunkFilter()]).toEqual([false, false, undefined]);
    const clean = new ModelResponse({ text: 'a', reasoning: 'b', extras: new JsonObject(), toolCalls: [call(0)] });
    expect(await redaction().answer('b', clean, false)).toBe(clean);
    const only = await redaction().answer('b', new ModelResponse({ text: 'a', reasoning: KEY, extras: new JsonObject() }), false);
    expect([only.text, only.reasoning, only.extras]).toEqual(['a', '[secret:api-key:1]', undefined]);
  });

  it('DEC-37 arguments are sealed call by call, the text beside them stays, and opaque values that may repeat them go', async () => {
    const vault = new InMemorySecretVault();
    const one = redaction({}, new Slices(), vault);
    const response = new ModelResponse({ text: 't', toolCalls: [call(0), call(1, 'pay', ARGS)], extras: new JsonObject() });
    const sealed = await one.answer('b', response, true);
    expect([sealed.text, sealed.toolCalls.map((each) => each.argumentsJson), sealed.extras, vault.size]).toEqual(['t', ['{}', '{"key":"[secret:api-key:1]"}'], undefined, 1]);
    const place = { sessionId: 's', batchId: 'b', position: 1 };
    expect([(await one.secrets.open(place, sealed.toolCalls[1].argumentsJson)).value, (await one.secrets.open({ ...place, position: 0 }, sealed.toolCalls[1].argumentsJson)).ok]).toEqual([ARGS, false]);
  });

  it('DEC-37 placeholders of the answer before are the calls\' own; those of nobody are foreign', async () => {
    const vault = new InMemorySecretVault();
    const one = redaction({}, new Slices(), vault);
    const earlier = await one.answer('b', new ModelResponse({ toolCalls: [call(0, 'pay', ARGS)] }), true);
    const changed = JSON.stringify({ key: '[secret:api-key:1]', other: 'sk-zyxwVUTS9876lkjiHGFE5432dcba' });
    const size = vault.size;
    await one.answer('b', new ModelResponse({ toolCalls: [call(0, 'pay', changed)] }), false, earlier);
    expect(vault.size, 'the new secret is kept too').toBe(size + 1);
    const foreign = redaction({}, new Slices(), vault);
    await foreign.answer('c', new ModelResponse({ toolCalls: [call(0, 'pay', changed)] }), false);
    expect(vault.size, 'nothing is kept beside a foreign mark').toBe(size + 1);
  });

  it('the secrets of calls that are over go, also those of what was proposed', async () => {
    const vault = new InMemorySecretVault();
    const one = redaction({}, new Slices(), vault);
    const sealed = (await one.answer('b', new ModelResponse({ toolCalls: [call(0, 'pay', ARGS), call(1, 'pay', ARGS)] }), true)).toolCalls;
    expect(vault.size).toBe(2);
    const batch = new OpenBatch({ batchId: 'b', runId: 'r', assistantMessageId: 'm', mode: BatchDenyMode.atomic, scope: ApprovalScope.flagged, visibleTools: [], calls: [
      open(0, CallStatus.finished, { effective: new CallTarget('pay', sealed[0].argumentsJson) }), open(1, CallStatus.finished, { effective: new CallTarget('pay', '{}'), proposed: new CallTarget('pay', sealed[1].argumentsJson) }),
    ] });
    await one.release(batch);
    expect(vault.size).toBe(0);
  });

  it('an ending names no secret', () => {
    const end = RunEnd.failed(ArkAgentError.of(ErrorCode.providerFailed, `401 for ${KEY}`));
    const quiet = RunEnd.cancelled('why');
    expect([redaction().end(end).error?.message, redaction().end(quiet) === quiet]).toEqual(['401 for [secret:api-key:1]', true]);
  });
});

describe('large results of a session', () => {
  const store = {} as ArtifactStore;

  it('the tool that reads them is there when there is a store, once, and shown when there is something to read', () => {
    const slices = new Slices();
    const registry = new ToolRegistry();
    const artifacts = new SessionArtifacts(store, registry, new ListLogger(), slices);
    expect(() => new SessionArtifacts(store, registry, new ListLogger(), slices)).not.toThrow();
    const shown = (): string[] => artifacts.selector?.select(registry.list().map((definition) => ({ definition, effect: 'none' as never, source: 'builtin' }))).visible.map((one) => one.name) ?? ['no selector'];
    expect([registry.list().map((one) => one.name), shown()]).toEqual([['read_artifact'], []]);
    slices.putSlice('artifacts', new StateSlice(1, new JsonObject().setNumber('count', 1)));
    expect(shown()).toEqual(['read_artifact']);
    const none = new ToolRegistry();
    expect([new SessionArtifacts(undefined, none, new ListLogger(), slices).selector, none.list()]).toEqual([undefined, []]);
  });
});
