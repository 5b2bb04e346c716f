import { describe, expect, it } from 'vitest';
import { ErrorCode } from '@core/base/ErrorCodes';
import { AgentMessage, MessageRole } from '@core/message/AgentMessage';
import { ContentPart } from '@core/message/ContentPart';
import { MessageList } from '@core/message/MessageList';
import { ToolCall } from '@core/message/ToolCall';
import { AgentState, type AgentStateParts } from '@core/state/AgentState';
import { AgentStopReason } from '@core/state/AgentStopReason';
import { CallStatus, CallTarget, CloseReason, OpenCall } from '@core/state/OpenCall';
import { RunRecord, RunStatus } from '@core/state/RunRecord';
import { StateInvariants } from '@core/state/Invariants';
import { StateCodec } from '@core/state/codec/StateCodec';
import { SampleStates } from '@core/testing/storage/SampleStates';
import { V2_SUSPENDED } from './fixtures';

const exchanged = SampleStates.exchanged(SampleStates.fresh('s'), 'a');
const suspended = SampleStates.suspended(exchanged, 'a');
const decided = SampleStates.approved(suspended, 'a');
const done = SampleStates.carriedOut(decided, 'a');

function withParts(state: AgentState, change: (parts: AgentStateParts) => void): AgentState {
  const parts = state.toParts();
  change(parts);
  return new AgentState(parts);
}

function assistant(id: string, ...callIds: string[]): AgentMessage {
  return new AgentMessage({ role: MessageRole.assistant, id, toolCalls: callIds.map((call, index) => new ToolCall(call, 't', '{}', index)) });
}

function answer(callId: string): AgentMessage {
  return AgentMessage.toolResult(callId, [ContentPart.text('ok')], false);
}

function conversation(status: RunStatus | undefined, ...messages: AgentMessage[]): AgentState {
  return withParts(exchanged, (parts) => {
    parts.history = MessageList.of(messages);
    parts.run = status === undefined ? undefined : new RunRecord({ runId: 'r', status, segment: 0, turn: 1 });
  });
}

function expectBroken(state: AgentState, path: string): void {
  const outcome = StateInvariants.check(state);
  expect(outcome.ok, 'the check must fail').toBe(false);
  expect(outcome.error.code).toBe(ErrorCode.stateInvariantBroken);
  expect(outcome.error.details?.get('path')).toBe(path);
}

describe('StateInvariants', () => {
  it('holds along the life of a session', () => {
    for (const state of [SampleStates.fresh('s'), exchanged, suspended, decided, done]) expect(StateInvariants.check(state).ok).toBe(true);
    expect(StateInvariants.check(new StateCodec().decode(JSON.stringify(V2_SUSPENDED)).value).ok).toBe(true);
  });

  describe('results', () => {
    it('each answers one call before it', () => {
      const { finished } = RunStatus;
      expect(StateInvariants.check(conversation(finished, assistant('a', '1', '2'), answer('2'), answer('1'), AgentMessage.user('x'))).ok).toBe(true);
      expectBroken(conversation(finished, answer('1')), '/history/0');
      expectBroken(conversation(finished, assistant('a', '1'), answer('1'), answer('1')), '/history/2');
      expectBroken(conversation(finished, assistant('a', '1'), answer('2')), '/history/1');
      expectBroken(conversation(finished, assistant('a', '1'), answer('1'), assistant('b', '1'), AgentMessage.user('x')), '/history/3');
    });

    it('ids that start again with every turn pair within their message', () => {
      const turns = [assistant('a', '1'), answer('1'), assistant('b', '1'), answer('1')];
      expect(StateInvariants.check(conversation(RunStatus.finished, ...turns)).ok).toBe(true);
    });

    it('may be missing for the last message of a running run, and only there', () => {
      expect(StateInvariants.check(conversation(RunStatus.running, assistant('a', '1'))).ok).toBe(true);
      expectBroken(conversation(RunStatus.finished, assistant('a', '1')), '/history/0');
      expectBroken(conversation(undefined, assistant('a', '1')), '/history/0');
      expectBroken(conversation(RunStatus.running, assistant('a', '1', '2'), answer('1')), '/history/0');
      expectBroken(conversation(RunStatus.running, assistant('a', '1'), AgentMessage.user('x')), '/history/1');
    });

    it('may be missing while the open batch accounts for the message', () => {
      expectBroken(withParts(suspended, (parts) => {
        parts.openBatch = undefined;
        parts.pendingApproval = undefined;
        parts.run = parts.run?.ended(RunStatus.finished, AgentStopReason.error);
      }), '/history/3');
    });

    it('calls belong to assistants', () => {
      const user = new AgentMessage({ role: MessageRole.user, toolCalls: [new ToolCall('1', 't', '{}', 0)] });
      expectBroken(conversation(RunStatus.finished, user), '/history/0/toolCalls');
    });
  });

  describe('tail check', () => {
    it('starts where nothing can change and returns the next such place', () => {
      expect(StateInvariants.check(exchanged).value).toBe(2);
      expect(StateInvariants.checkTail(suspended, 2).value).toBe(3);
      expect(StateInvariants.checkTail(done, 3).value).toBe(done.history.length);
    });

    it('finds damage behind the index and does not look before it', () => {
      const broken = conversation(RunStatus.finished, answer('0'), assistant('a', '1'), answer('1'), answer('1'));
      expect(StateInvariants.checkTail(broken, 1).error.details?.get('path')).toBe('/history/3');
      expect(StateInvariants.checkTail(conversation(RunStatus.finished, answer('0'), AgentMessage.user('x')), 1).ok).toBe(true);
    });
  });

  describe('pending question', () => {
    const pending = (change: (parts: AgentStateParts) => void): AgentState => withParts(suspended, change);
    const item = (at: number) => suspended.pendingApproval?.items[at] as NonNullable<typeof suspended.pendingApproval>['items'][number];

    it('names one call by position and id', () => {
      const moved = Object.assign(item(1).toInit(), { position: 0 });
      expectBroken(pending((parts) => {
        parts.pendingApproval = suspended.pendingApproval?.withItem(new (item(1).constructor as new (init: object) => ReturnType<typeof item>)(moved));
      }), '/pendingApproval/items/1/position');
    });

    it('has unique ids', () => {
      expectBroken(pending((parts) => {
        parts.pendingApproval = suspended.pendingApproval?.withItems([item(1), item(1)]);
      }), '/pendingApproval/items');
    });

    it('shows what will run: other arguments or another tool are noticed, a masked string is not', () => {
      const withEffective = (name: string, argumentsJson: string): AgentState => pending((parts) => {
        const call = suspended.openBatch?.calls[1] as OpenCall;
        parts.openBatch = suspended.openBatch?.withCall(new OpenCall({ ...call.toInit(), effective: new CallTarget(name, argumentsJson) }));
      });
      expect(StateInvariants.check(withEffective('clear_baking_cache', '{"confirm":"vault:7"}')).ok).toBe(true);
      for (const [name, args] of [['other_tool', '{"confirm":"yes"}'], ['clear_baking_cache', '{"confirm":true}'], ['clear_baking_cache', '{"confirm":"yes","all":1}'],
        ['clear_baking_cache', '{"confirm":["yes"]}'], ['clear_baking_cache', 'not json']]) {
        expectBroken(withEffective(name, args), '/pendingApproval/items/1/toolCall');
      }
    });

    it('belongs to the open batch', () => {
      expectBroken(pending((parts) => {
        parts.openBatch = undefined;
      }), '/pendingApproval');
    });
  });

  describe('open batch', () => {
    const batch = (change: (call: OpenCall) => OpenCall): AgentState => withParts(suspended, (parts) => {
      parts.openBatch = suspended.openBatch?.withCalls(suspended.openBatch.calls.map(change));
    });

    it('belongs to an assistant message and covers its calls in order', () => {
      expectBroken(withParts(suspended, (parts) => {
        parts.pendingApproval = undefined;
        parts.run = parts.run?.running(1);
        parts.history = MessageList.of(exchanged.history.toArray());
      }), '/openBatch/assistantMessageId');
      expectBroken(withParts(suspended, (parts) => {
        parts.openBatch = suspended.openBatch?.withCalls(suspended.openBatch.calls.slice(0, 1));
      }), '/openBatch/calls');
      expectBroken(batch((call) => new OpenCall({ ...call.toInit(), position: 1 - call.position })), '/openBatch/calls/0/position');
    });

    it('a finished call has its result, a waiting one its child', () => {
      expectBroken(batch((call) => call.withStatus(CallStatus.finished)), '/openBatch/calls/0');
      expectBroken(batch((call) => call.withStatus(CallStatus.waiting)), '/openBatch/calls/0');
    });
  });

  describe('run', () => {
    it('a suspended one waits for something', () => {
      const idle = withParts(exchanged, (parts) => {
        parts.run = parts.run?.ended(RunStatus.suspended, AgentStopReason.awaitingApproval);
      });
      expectBroken(idle, '/run/status');
      expect(StateInvariants.check(withParts(idle, (parts) => {
        parts.run = parts.run?.ended(RunStatus.suspended, AgentStopReason.suspended);
      })).ok).toBe(true);
      expect(StateInvariants.check(decided).ok, 'decided and not run').toBe(true);
    });

    it('a finished one has nothing pending', () => {
      const finish = (parts: AgentStateParts): void => {
        parts.run = parts.run?.ended(RunStatus.finished, AgentStopReason.cancelled);
      };
      expectBroken(withParts(suspended, finish), '/pendingApproval');
      expectBroken(withParts(suspended, (parts) => {
        finish(parts);
        parts.pendingApproval = undefined;
      }), '/openBatch/calls');
      expect(StateInvariants.check(withParts(suspended, (parts) => {
        finish(parts);
        parts.pendingApproval = undefined;
        parts.openBatch = suspended.openBatch?.withCalls(suspended.openBatch.calls.map((call) => call.closed(CloseReason.cancelledByUser)));
      })).ok).toBe(true);
    });

    it('revision and incarnation come together', () => {
      expectBroken(withParts(exchanged, (parts) => {
        parts.incarnation = '';
      }), '/incarnation');
    });
  });
});
