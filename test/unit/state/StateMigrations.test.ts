import { describe, expect, it } from 'vitest';
import { ErrorCode } from '@core/base/ErrorCodes';
import { RunStatus } from '@core/state/RunRecord';
import { StateCodec } from '@core/state/codec/StateCodec';
import { StateInvariants } from '@core/state/Invariants';
import { StateMigrations } from '@core/state/migration/StateMigrations';
import { V1, V1_RUNNING, V2_SUSPENDED } from './fixtures';

const codec = new StateCodec();

describe('StateMigrations', () => {
  it('STA-02 a version 1 session keeps what it had; what version 2 adds starts empty', () => {
    const state = codec.decode(JSON.stringify(V1)).value;
    expect(JSON.parse(codec.encode(state).value)).toEqual({
      schemaVersion: 2, sessionId: 'baking-1', incarnation: '', revision: 0, createdAtMs: 1752300000000, updatedAtMs: 1752300002000, resumable: true,
      metadata: V1.metadata, usage: V1.usage, history: V1.history, loopWindow: [], slices: {},
    });
    expect(StateInvariants.check(state).value).toBe(3);
  });

  it('STA-02 isRunning becomes a running run, whose last message may have open calls', () => {
    const state = codec.decode(JSON.stringify(V1_RUNNING)).value;
    expect(state.run?.status).toBe(RunStatus.running);
    expect(state.run?.turn).toBe(1);
    expect(state.run?.stopReason).toBeUndefined();
    expect(StateInvariants.check(state).ok).toBe(true);
    expect(StateInvariants.check(codec.decode(JSON.stringify({ ...V1_RUNNING, isRunning: false })).value).error.code)
      .toBe(ErrorCode.stateInvariantBroken);
  });

  it('STA-02 a newer version is refused, whatever else it holds', () => {
    const error = codec.decode('{"schemaVersion":3,"history":"moved to the cloud"}').error;
    expect(error.code).toBe(ErrorCode.stateVersionUnsupported);
    expect(error.details?.get('schemaVersion')).toBe(3);
  });

  it.each([[{}], [{ schemaVersion: 0 }], [{ schemaVersion: '2' }], [{ schemaVersion: 1.5 }], [{ schemaVersion: null }]])('STA-02 %j has no version to trust', (document) => {
    expect(codec.decode(JSON.stringify(document)).error.code).toBe(ErrorCode.stateCorrupt);
  });

  it('leaves the given document as it is', () => {
    const document = codec.object(JSON.stringify(V1_RUNNING)).value.seal();
    expect(new StateMigrations().migrate(document).value.getNumber('schemaVersion')).toBe(2);
    expect(document.getNumber('schemaVersion')).toBe(1);
  });

  it('touches nothing of the newest version, proposed, effective and digest included', () => {
    const document = codec.object(JSON.stringify(V2_SUSPENDED)).value;
    expect(new StateMigrations().migrate(document).value).toBe(document);
  });

  it('reports damage inside a version 1 session with its path', () => {
    const broken = structuredClone(V1) as { history: unknown[] };
    broken.history[1] = 'lost';
    expect(codec.decode(JSON.stringify(broken)).error.details?.get('path')).toBe('/history/1');
  });
});
