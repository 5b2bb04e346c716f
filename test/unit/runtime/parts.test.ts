import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ArkAgentError } from '@core/base/ArkAgentError';
import { ErrorCode } from '@core/base/ErrorCodes';
import { ToolCall } from '@core/message/ToolCall';
import { AgentLimits } from '@core/runtime/config/AgentLimits';
import { CallIds } from '@core/runtime/model/CallIds';
import { EffectiveClock } from '@core/runtime/store/EffectiveClock';
import { RunEnd } from '@core/runtime/segment/RunEnd';
import { PersistAction, PersistVerdict } from '@core/runtime/store/StatePersister';
import { ManualClock } from '@core/testing/ManualClock';

describe('call ids', () => {
  it('DEC-47 ids come out unique and not empty, indexes are positions, and what was fine is not touched', () => {
    fc.assert(fc.property(fc.array(fc.record({ id: fc.constantFrom('', 'a', 'b', 'a#2', 'a#2#2', 'p-0', 'p-1'), index: fc.nat(3) }), { maxLength: 8 }), (given) => {
      const before = given.map((one, at) => new ToolCall(one.id, `n${at}`, `{"at":${at}}`, one.index));
      const after = CallIds.unique(before, 'p');
      expect(new Set(after.map((one) => one.id)).size).toBe(before.length);
      expect(after.map((one) => `${one.index} ${one.name} ${one.argumentsJson}`)).toEqual(before.map((one, at) => `${at} ${one.name} ${one.argumentsJson}`));
      expect(after.every((one, at) => one.id !== '' && (before[at].id === '' || one.id.startsWith(before[at].id)))).toBe(true);
      const fine = before.every((one, at) => one.id !== '' && one.index === at) && new Set(before.map((one) => one.id)).size === before.length;
      expect(after === before).toBe(fine);
      expect(CallIds.unique(after, 'p')).toBe(after);
    }));
  });
});

describe('limits', () => {
  it('has safe defaults and names what is out of range', () => {
    expect(new AgentLimits().problems()).toEqual([]);
    expect(new AgentLimits({ maxTurns: 0, cancelGraceMs: 1e12 }).problems()).toEqual(['limits.maxTurns must be a whole number of at least 1', 'limits.cancelGraceMs must be at most 2147483647']);
    expect(new AgentLimits({ cancelGraceMs: 0, timeoutGraceMs: 0, maxModelRetries: 0 }).problems()).toEqual([]);
  });
});

describe('the clock of a session', () => {
  it('DEC-13 never goes back behind what it showed or what is stored', () => {
    const wall = new ManualClock(100);
    const clock = new EffectiveClock(wall);
    expect(clock.nowMs()).toBe(100);
    wall.setTo(50);
    expect(clock.nowMs()).toBe(100);
    clock.observe(500);
    clock.observe(400);
    expect(clock.nowMs()).toBe(500);
    wall.setTo(501);
    expect(clock.nowMs()).toBe(501);
  });
});

describe('ends', () => {
  it('DEC-02 only a failed write can mean that another owner went on, never an error of the same code', () => {
    const conflict = ArkAgentError.of(ErrorCode.stateConflict, 'x');
    expect([RunEnd.saveFailed(conflict).superseded, RunEnd.failed(conflict).superseded, RunEnd.aborted(conflict).superseded, RunEnd.streamFailed(conflict).superseded]).toEqual([true, false, false, false]);
    expect(RunEnd.saveFailed(ArkAgentError.of(ErrorCode.stateSaveFailed, 'x')).superseded).toBe(false);
    expect([new PersistVerdict(PersistAction.failed, conflict).conflict, new PersistVerdict(PersistAction.aborted, conflict).conflict, new PersistVerdict(PersistAction.stored).conflict]).toEqual([true, false, false]);
  });
});
