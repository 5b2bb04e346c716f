import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SiblingStatus } from '@core/approval/PendingApprovalBatch';
import { ErrorCode } from '@core/base/ErrorCodes';
import { JsonCodec } from '@core/json/JsonCodec';
import { AgentMessage, MessageRole } from '@core/message/AgentMessage';
import { ContentPart } from '@core/message/ContentPart';
import { AgentState } from '@core/state/AgentState';
import { StateCodec } from '@core/state/codec/StateCodec';
import { SampleStates } from '@core/testing/storage/SampleStates';
import { anyState } from './arbitraries';
import { V2_SUSPENDED } from './fixtures';
import { normal } from './normal';

const codec = new StateCodec();

function changed(path: (string | number)[], value: unknown): string {
  const copy = structuredClone(V2_SUSPENDED) as Record<string, unknown>;
  let at: Record<string | number, unknown> = copy;
  for (const step of path.slice(0, -1)) at = at[step] as Record<string | number, unknown>;
  const last = path[path.length - 1];
  if (value === undefined) delete at[last];
  else at[last] = value;
  return JSON.stringify(copy);
}

describe('StateCodec', () => {
  it('writes a suspended session with the keys, strings and order of the contract', () => {
    const state = codec.decode(JSON.stringify(V2_SUSPENDED)).value;
    expect(codec.encode(state).value).toBe(JSON.stringify(V2_SUSPENDED));
  });

  it('decode(encode(s)) equals s, for any state', () => {
    fc.assert(fc.property(anyState, (state) => {
      const text = codec.encode(state).value;
      const back = codec.decode(text).value;
      expect(normal(back)).toEqual(normal(state));
      expect(codec.encode(back).value).toBe(text);
    }), { numRuns: 60 });
  });

  it('finds the frozen message in the history and the siblings in the journal', () => {
    const pending = codec.decode(JSON.stringify(V2_SUSPENDED)).value.pendingApproval;
    expect(pending?.modelMessage.toolCalls.map((call) => call.name)).toEqual(['read_baking_records', 'clear_baking_cache']);
    expect(pending?.siblings).toEqual([{ position: 0, toolName: 'read_baking_records', status: SiblingStatus.willRun }]);
  });

  it('keeps commit id, receipts and retries beside the members of the example', () => {
    const text = changed(['commitId'], 'c-1');
    expect(codec.decode(text).value.commitId).toBe('c-1');
    expect(JSON.parse(codec.encode(codec.decode(changed(['run', 'modelRetries'], 2)).value).value).run.modelRetries).toBe(2);
    const receipts = [{ batchId: 'b-1', entries: [{ approvalId: 'b-1:0:0', decision: 'denied', decidedBy: 'person', decidedAtMs: 1 }] }];
    expect(JSON.parse(codec.encode(codec.decode(changed(['receipts'], receipts)).value).value).receipts).toEqual(receipts);
  });

  it.each<[(string | number)[], unknown]>([
    [['sessionId'], 7], [['revision'], -1], [['revision'], 1.5], [['revision'], undefined], [['resumable'], 'yes'], [['metadata'], []], [['usage'], null],
    [['history'], {}], [['history', 1], 'm5'], [['history', 1, 'role'], 'robot'], [['history', 0, 'contents', 0, 'kind'], 'hologram'],
    [['history', 1, 'toolCalls', 0, 'argumentsJson'], { a: 1 }], [['run', 'status'], 'sleeping'], [['run', 'stopReason'], 'bored'],
    [['openBatch', 'mode'], 'all'], [['openBatch', 'calls', 0, 'status'], 'done'], [['openBatch', 'visibleTools', 1], 2],
    [['pendingApproval', 'modelMessageId'], 'm9'], [['pendingApproval', 'items', 1, 'decision'], 'maybe'], [['pendingApproval', 'items', 0, 'effect'], 1],
    [['loopWindow'], 'x'], [['slices', 'plan'], 3],
  ])('refuses a wrong %j as state_corrupt that names the path', (path, value) => {
    const outcome = codec.decode(changed(path, value));
    expect(outcome.error.code).toBe(ErrorCode.stateCorrupt);
    expect(outcome.error.details?.get('path')).toBe(`/${path.join('/')}`);
  });

  it('never repeats a stored value in an error', () => {
    const secret = 'sk-very-secret';
    for (const path of [['history', 1, 'role'], ['run', 'status'], ['pendingApproval', 'modelMessageId'], ['revision']] as (string | number)[][]) {
      expect(codec.decode(changed(path, secret)).error.message).not.toContain(secret);
    }
    expect(codec.decode(`{"apiKey":"${secret}"`).error.message).not.toContain(secret);
  });

  it('ignores members that it does not know', () => {
    const state = codec.decode(changed(['mood'], 'good')).value;
    expect(codec.encode(state).value).toBe(JSON.stringify(V2_SUSPENDED));
  });

  it('refuses what is no JSON object', () => {
    for (const text of ['', '[]', 'null', '{', '\u0000\u0000']) expect(codec.decode(text).error.code).toBe(ErrorCode.stateCorrupt);
  });

  it('reads back the deepest value that it writes', () => {
    const deep = new JsonCodec().parse(`${'['.repeat(128)}${']'.repeat(128)}`).value;
    const state = SampleStates.appended(SampleStates.fresh('s'), 'a', [new AgentMessage({ role: MessageRole.user, id: 'm', contents: [ContentPart.json(deep)] })]);
    expect(normal(codec.decode(codec.encode(state).value).value)).toEqual(normal(state));
  });

  it('says why a state cannot be written', () => {
    const parts = SampleStates.fresh('s').toParts();
    parts.updatedAtMs = Number.POSITIVE_INFINITY;
    expect(codec.encode(new AgentState(parts)).error.code).toBe(ErrorCode.jsonNumberRange);
  });

  it('APP-15 writes named members only: what else hangs on an object never reaches the text', () => {
    const state = SampleStates.suspended(SampleStates.exchanged(SampleStates.fresh('s'), 'a'), 'a');
    const smuggled: object[] = [state, state.run as object, state.history.last() as object, state.openBatch as object,
      state.openBatch?.calls[0] as object, state.pendingApproval as object, state.pendingApproval?.items[0] as object];
    for (const holder of smuggled) {
      Object.assign(holder, { apiKey: 'sk-secret', onDecision: () => 'callback', executor: { token: 'sk-secret' } });
    }
    const text = codec.encode(state).value;
    expect(text).not.toMatch(/sk-secret|apiKey|onDecision|executor|callback|token"/);
    expect(normal(codec.decode(text).value)).toEqual(normal(codec.decode(codec.encode(codec.decode(text).value).value).value));
  });
});
