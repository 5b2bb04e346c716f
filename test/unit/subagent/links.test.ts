import { describe, expect, it } from 'vitest';
import { ToolCallStatus } from '@core/tool/ToolResultEnvelope';
import { CallResult } from '@core/state/CallResult';
import { ChildSessionId } from '@core/state/ChildSessionId';
import { CallStatus, CallTarget, OpenCall } from '@core/state/OpenCall';
import { SessionId } from '@core/state/SessionId';
import type { StateSlice } from '@core/state/StateSlice';
import { JsonObject } from '@core/json/JsonObject';
import { ChildQuestionNames } from '@core/subagent/ChildQuestionNames';
import { ChildCount } from '@core/subagent/ChildCount';
import { EffectBook } from '@core/subagent/EffectBook';
import { ParentLink } from '@core/subagent/ParentLink';
import { TestDigest } from '@core/testing/TestDigest';
import { ToolResult } from '@core/tool/ToolResult';
import { StateSlice as Slice } from '@core/state/StateSlice';

class Slices {
  readonly map = new Map<string, StateSlice>();
  writes = 0;

  getSlice(name: string): StateSlice | undefined {
    return this.map.get(name);
  }

  putSlice(name: string, slice: StateSlice | undefined): void {
    this.writes++;
    if (slice !== undefined) this.map.set(name, slice);
  }
}

const digest = new TestDigest();

describe('ids of child sessions', () => {
  it('DEC-54 parent.batch.position, the same every time', () => {
    expect(ChildSessionId.of('s', 'run.3', 0, digest)).toBe('s.run.3.0');
  });

  it('DEC-54 is a session id however deep the parent lies', () => {
    let id = 'p'.repeat(150);
    for (let depth = 0; depth < 10; depth++) {
      const next = ChildSessionId.of(id, 'c9a1f1f2-0000-4000-8000-000000000000.12', depth, digest);
      expect(SessionId.fault(next)).toBeUndefined();
      expect(next).not.toBe(id);
      id = next;
    }
  });

  it('DEC-54 different calls have different children, also shortened ones', () => {
    const long = 'p'.repeat(199);
    expect(new Set([ChildSessionId.of(long, 'b', 0, digest), ChildSessionId.of(long, 'b', 1, digest), ChildSessionId.of(long, 'c', 0, digest)]).size).toBe(3);
  });
});

describe('ParentLink', () => {
  it('is written and read back, and unreadable in another version', () => {
    const slices = new Slices();
    const link = new ParentLink('s', 'run.1', 2);
    link.write(slices);
    expect(ParentLink.read(slices.map)?.equals(link)).toBe(true);
    expect(ParentLink.read(slices.map)?.equals(new ParentLink('s', 'run.1', 1))).toBe(false);
    slices.map.set(ParentLink.SLICE, new Slice(2, slices.map.get(ParentLink.SLICE)?.json ?? new JsonObject()));
    expect(ParentLink.read(slices.map)).toBeUndefined();
    expect(ParentLink.read(new Map())).toBeUndefined();
  });
});

describe('names of a child\'s questions', () => {
  it('APP-16 the name at the parent leads back to the child, whatever the ids look like', () => {
    const names = new ChildQuestionNames('a/b', 'a/b.r.1.0');
    expect(names.inner(names.outer('x:0:0'))).toBe('x:0:0');
    expect(ChildQuestionNames.isOf(names.outer('x'), 'a/b.r.1.0')).toBe(true);
    expect(ChildQuestionNames.isOf(names.outer('x'), 'a/b.r.1')).toBe(false);
    expect(ChildQuestionNames.childIn(names.outer('x'), 'a/b', 'child.')).toBe('a/b.r.1.0');
    expect(ChildQuestionNames.childIn('child.ff/x', 'a/b', 'child.')).toBe('child.ff');
    expect(ChildQuestionNames.childIn('r.1:0:0', 'a/b', 'child.')).toBeUndefined();
    expect(ChildQuestionNames.childIn('a/b.r.1:0:0', 'a/b', 'child.')).toBeUndefined();
  });
});

describe('ChildCount', () => {
  it('counts per run', () => {
    const slices = new Slices();
    ChildCount.add(slices, 'r1');
    ChildCount.add(slices, 'r1');
    expect([ChildCount.of(slices, 'r1'), ChildCount.of(slices, 'r2')]).toEqual([2, 0]);
    ChildCount.add(slices, 'r2');
    expect([ChildCount.of(slices, 'r1'), ChildCount.of(slices, 'r2')]).toEqual([0, 1]);
  });
});

function call(status: CallStatus, position = 0, more: Partial<ConstructorParameters<typeof OpenCall>[0]> = {}): OpenCall {
  return new OpenCall({
    position, status, attempt: 0, effective: new CallTarget('pay', '{}'), idempotencyKey: `b:${position}`,
    result: status === CallStatus.finished ? CallResult.of(ToolCallStatus.ok, '', ToolResult.text('x'), 0) : undefined, ...more,
  });
}

function booked(slices: Slices): string[] {
  return EffectBook.read(slices.map).map((effect) => `${effect.id} ${effect.tool} ${effect.state}`);
}

describe('EffectBook', () => {
  it('DEC-54 follows the journal: started, finished, unknown; a withdrawn call is no effect', () => {
    const slices = new Slices();
    EffectBook.note(slices, 'b', [call(CallStatus.planned), call(CallStatus.allowed, 1, { idempotencyKey: undefined })]);
    expect(slices.writes).toBe(0);
    EffectBook.note(slices, 'b', [call(CallStatus.started), call(CallStatus.started, 1)]);
    expect(booked(slices)).toEqual(['b:0 pay started', 'b:1 pay started']);
    EffectBook.note(slices, 'b', [call(CallStatus.finished), call(CallStatus.planned, 1)]);
    expect(booked(slices)).toEqual(['b:0 pay finished']);
    const writes = slices.writes;
    EffectBook.note(slices, 'b', [call(CallStatus.finished)]);
    expect(slices.writes).toBe(writes);
    EffectBook.note(slices, 'c', [call(CallStatus.unknown), call(CallStatus.planned, 1, { attempt: 1 })]);
    expect(booked(slices)).toEqual(['b:0 pay finished', 'c:0 pay unknown', 'c:1 pay unknown']);
  });

  it('DEC-54 what a grandchild did is the child\'s too, once', () => {
    const slices = new Slices();
    const effects = [{ id: 'b:0', tool: 'pay', state: 'finished' as never }];
    EffectBook.adopt(slices, 'kid', effects);
    EffectBook.adopt(slices, 'kid', effects);
    expect(booked(slices)).toEqual(['kid/b:0 pay finished']);
  });

  it('a state that cannot be read counts as unknown', () => {
    const slices = new Slices();
    EffectBook.adopt(slices, 'k', [{ id: 'b', tool: 'pay', state: 'other' as never }]);
    expect(booked(slices)).toEqual(['k/b pay unknown']);
  });

  it('a call that delegates is booked through what its child did, not by itself', () => {
    const slices = new Slices();
    EffectBook.note(slices, 'b', [call(CallStatus.finished, 0, { childSessionId: 'k' })]);
    expect(booked(slices)).toEqual([]);
  });
});
