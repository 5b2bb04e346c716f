import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ErrorCode } from '@core/base/ErrorCodes';
import { MessageList } from '@core/message/MessageList';
import { AgentState } from '@core/state/AgentState';
import { DeltaCodec } from '@core/state/codec/DeltaCodec';
import { StateCodec } from '@core/state/codec/StateCodec';
import { SampleStates } from '@core/testing/storage/SampleStates';
import { anyState } from './arbitraries';
import { normal } from './normal';

const states = new StateCodec();
const deltas = new DeltaCodec();

/** `next` as a successor of `base`: same session, its messages after those of the base. */
function successor(base: AgentState, next: AgentState): AgentState {
  const parts = next.toParts();
  const messages = [...base.history.toArray(), ...next.history.toArray()];
  parts.sessionId = base.sessionId;
  parts.createdAtMs = base.createdAtMs;
  parts.incarnation = base.incarnation;
  parts.revision = base.revision + 1;
  parts.history = MessageList.of(messages);
  return new AgentState(parts);
}

describe('DeltaCodec', () => {
  it('base plus delta equals the next state, for any two states', () => {
    fc.assert(fc.property(anyState, anyState, (base, other) => {
      fc.pre(other.pendingApproval === undefined || base.history.length === 0);
      const next = successor(base, other);
      const document = states.document(states.encode(base).value).value;
      document.apply(states.object(deltas.encode(SampleStates.commit(base, next)).value).value, '/log/0');
      expect(normal(states.decodeDocument(document).value)).toEqual(normal(next));
    }), { numRuns: 60 });
  });

  it('names only what changed', () => {
    const base = SampleStates.exchanged(SampleStates.fresh('s'), 'a');
    const suspended = SampleStates.suspended(base, 'a');
    const decided = SampleStates.approved(suspended, 'a');
    expect(Object.keys(JSON.parse(deltas.encode(SampleStates.commit(suspended, decided)).value))).toEqual(
      ['after', 'incarnation', 'revision', 'commitId', 'updatedAtMs', 'resumable', 'historyFrom', 'history', 'pendingApproval']);
    const done = JSON.parse(deltas.encode(SampleStates.commit(decided, SampleStates.carriedOut(decided, 'a'))).value);
    expect(done.openBatch).toBeNull();
    expect(done.pendingApproval).toBeNull();
    expect(done.history).toHaveLength(3);
  });

  it('refuses a delta that does not follow: another revision, another life, another length', () => {
    const suspended = SampleStates.suspended(SampleStates.exchanged(SampleStates.fresh('s'), 'a'), 'a');
    const delta = deltas.encode(SampleStates.commit(suspended, SampleStates.approved(suspended, 'a'))).value;
    const apply = (text: string): void => states.document(states.encode(suspended).value).value.apply(states.object(text).value, '/log/0');
    expect(() => apply(delta)).not.toThrow();
    for (const [from, to] of [['"after":2', '"after":1'], ['life-a', 'life-b'], ['"historyFrom":4', '"historyFrom":3']]) {
      expect(delta).toContain(from);
      expect(() => apply(delta.replace(from, to)), to).toThrow(expect.objectContaining({ code: ErrorCode.stateCorrupt }));
    }
  });

  it('sees a rewritten history, and not a longer one', () => {
    const base = SampleStates.exchanged(SampleStates.fresh('s'), 'a');
    expect(SampleStates.commit(base, SampleStates.exchanged(base, 'a')).delta.historyReplaced).toBe(false);
    const parts = SampleStates.nextParts(base, 'a');
    parts.history = MessageList.of(base.history.slice(1));
    expect(SampleStates.commit(base, new AgentState(parts)).delta.historyReplaced).toBe(true);
  });
});
