import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ErrorCode } from '@core/base/ErrorCodes';
import type { AgentState } from '@core/state/AgentState';
import { StateCodec } from '@core/state/codec/StateCodec';
import { Envelope } from '@core/state/file/Envelope';
import { RunStatus } from '@core/state/RunRecord';
import { SampleStates } from '@core/testing/storage/SampleStates';
import { NodeDigest } from '../../../host/src/ports/NodeDigest';
import { openFileStateStorage } from '../../../host/src/storage/openFileStateStorage';
import { V1, V1_RUNNING, V2_SUSPENDED } from '../../unit/state/fixtures';

const codec = new StateCodec();
const envelope = Envelope.forState(new NodeDigest());
let directory = '';

beforeEach(() => {
  directory = join(mkdtempSync(join(tmpdir(), 'arkagent-versions-')), 'state');
  mkdirSync(directory);
});

afterEach(() => rmSync(join(directory, '..'), { recursive: true }));

function put(name: string, text: string): string {
  writeFileSync(join(directory, name), text);
  return text;
}

function file(name: string): string {
  return readFileSync(join(directory, name), 'utf8');
}

async function load(): Promise<AgentState> {
  return (await openFileStateStorage(directory).load('baking-1')).value as AgentState;
}

describe('files of other versions', () => {
  it('STA-02 a version 1 file loads as it is on the disk, untouched until the first commit', async () => {
    const text = put('baking-1.json', JSON.stringify(V1));
    const state = await load();
    expect(state.history.length).toBe(3);
    expect([state.revision, state.incarnation]).toEqual([0, '']);
    expect(file('baking-1.json')).toBe(text);
    expect((await openFileStateStorage(directory).list()).value).toEqual([{ sessionId: 'baking-1', updatedAtMs: 1752300002000, resumable: true }]);
  });

  it('STA-02 the first commit replaces the version 1 file by an envelope and keeps it as previous generation', async () => {
    const text = put('baking-1.json', JSON.stringify(V1_RUNNING));
    const state = await load();
    expect(state.run?.status).toBe(RunStatus.running);
    const next = SampleStates.appended(state, 'a', SampleStates.carriedOut(state, 'a').history.toArray().slice(2, 3));
    expect((await openFileStateStorage(directory).commit(SampleStates.commit(state, next))).value).toBe(1);
    expect(file('baking-1.json')).toBe(envelope.wrap(codec.encode(next).value));
    expect(file('baking-1.prev.json')).toBe(text);
    expect((await load()).incarnation).toBe('life-a');
  });

  it('STA-02 of two who migrate one version 1 file the second gets state_conflict', async () => {
    put('baking-1.json', JSON.stringify(V1));
    const [first, second] = [await load(), await load()];
    expect((await openFileStateStorage(directory).commit(SampleStates.commit(first, SampleStates.exchanged(first, 'a')))).ok).toBe(true);
    const late = await openFileStateStorage(directory).commit(SampleStates.commit(second, SampleStates.exchanged(second, 'b')));
    expect(late.error.code).toBe(ErrorCode.stateConflict);
  });

  it('STA-02 a new session never replaces a version 1 file, nor a version 1 session another file or none', async () => {
    const fresh = SampleStates.fresh('baking-1');
    put('baking-1.json', JSON.stringify(V1));
    const state = await load();
    const storage = openFileStateStorage(directory);
    expect((await storage.commit(SampleStates.commit(fresh, SampleStates.exchanged(fresh, 'a')))).error.code).toBe(ErrorCode.stateConflict);
    const other = put('baking-1.json', JSON.stringify({ ...V1, metadata: {} }));
    expect((await storage.commit(SampleStates.commit(state, SampleStates.exchanged(state, 'a')))).error.code).toBe(ErrorCode.stateConflict);
    expect(file('baking-1.json')).toBe(other);
    rmSync(join(directory, 'baking-1.json'));
    expect((await storage.commit(SampleStates.commit(state, SampleStates.exchanged(state, 'a')))).error.code).toBe(ErrorCode.stateConflict);
    expect(existsSync(join(directory, 'baking-1.json'))).toBe(false);
  });

  it.each([
    ['with an envelope', envelope.wrap('{"schemaVersion":3}').replace('"schemaVersion":2', '"schemaVersion":3')],
    ['without one', '{"schemaVersion":3,"everything":"else"}'],
    ['in an envelope that is not known here', '{"format":"arkagent-state","schemaVersion":3,"algorithm":"blake3","state":{}}'],
  ])('STA-02 a newer file %s is refused and untouched, by a commit too', async (_, text) => {
    put('baking-1.json', text);
    const storage = openFileStateStorage(directory);
    expect((await storage.load('baking-1')).error.code).toBe(ErrorCode.stateVersionUnsupported);
    const fresh = SampleStates.fresh('baking-1');
    expect((await storage.commit(SampleStates.commit(fresh, SampleStates.exchanged(fresh, 'a')))).error.code).toBe(ErrorCode.stateVersionUnsupported);
    await storage.close();
    expect(readdirSync(directory)).toEqual(['baking-1.json']);
    expect(file('baking-1.json')).toBe(text);
  });

  it('STA-02 a corrupt file is kept under a name that says so, in its exact bytes', async () => {
    const text = put('baking-1.json', envelope.wrap(JSON.stringify(V2_SUSPENDED)).replace('yes', 'no!'));
    const outcome = await openFileStateStorage(directory).load('baking-1');
    expect(outcome.error.code).toBe(ErrorCode.stateCorrupt);
    expect(outcome.error.details?.get('file')).toBe(join(directory, 'baking-1.corrupt.json'));
    expect(file('baking-1.corrupt.json')).toBe(text);
  });

  it('STA-02 a file that verifies and breaks an invariant is state_corrupt and names the rule\'s place', async () => {
    put('baking-1.json', envelope.wrap(JSON.stringify({ ...V2_SUSPENDED, run: { ...V2_SUSPENDED.run, status: 'finished' } })));
    const { error } = await openFileStateStorage(directory).load('baking-1');
    expect(error.code).toBe(ErrorCode.stateCorrupt);
    expect(error.details?.get('path')).toBe('/pendingApproval');
    expect(error.details?.get('code')).toBe(ErrorCode.stateInvariantBroken);
    expect(existsSync(join(directory, 'baking-1.corrupt.json'))).toBe(true);
  });

  it('STA-03 a version 2 file alone, as somebody copied it, loads', async () => {
    put('baking-1.json', envelope.wrap(JSON.stringify(V2_SUSPENDED)));
    expect((await load()).revision).toBe(7);
  });
});
