import { describe, expect, it } from 'vitest';
import { ArkAgentError } from '@core/base/ArkAgentError';
import { ErrorCode } from '@core/base/ErrorCodes';
import { Result } from '@core/base/Result';
import { InMemoryArtifactStore } from '@core/execution/artifact/InMemoryArtifactStore';
import { InMemorySecretVault } from '@core/execution/vault/InMemorySecretVault';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import { InMemoryStateStorage } from '@core/state/InMemoryStateStorage';
import { SessionRemoval } from '@core/subagent/SessionRemoval';
import { TestDigest } from '@core/testing/TestDigest';
import { Family, PAY, delegate } from '../../scenario/subagent/family';
import { World } from '../../support/World';

const left = async (family: Family): Promise<string[]> => (await family.world.disk.list()).value.map((line) => line.sessionId).sort();

/** A session with a child that waits, whose own child waits too, beside sessions whose names look alike. */
async function three(sessionId: string): Promise<Family> {
  const family = new Family({ go: [delegate('mid')], mid: [delegate('leaf')], leaf: [PAY(1), ScriptedTurn.text('L')] }, { maxDepth: 2 }, new World({ sessionId }));
  const one = await family.open();
  expect(await one.say('go')).toBe('awaiting_approval');
  one.kill();
  for (const other of [`${sessionId}2`, `${sessionId}.b.0`, 'child.other']) {
    const world = new World({ sessionId: other, disk: family.world.disk });
    await (await world.open()).say('hello');
  }
  return family;
}

describe('SessionRemoval', () => {
  it.each([['s'], ['p'.repeat(190)]])('S11 takes the child sessions of %s with it, over all generations, and nobody else', async (id) => {
    const family = await three(id);
    expect(await left(family)).toHaveLength(6);
    expect((await new SessionRemoval(family.world.disk).remove(id)).value).toBe(true);
    expect(await left(family)).toEqual(['child.other', `${id}.b.0`, `${id}2`].sort());
    expect((await new SessionRemoval(family.world.disk).remove(id)).value, 'there is none any more').toBe(false);
  });

  it('S11 removes of a child only what belongs to the child', async () => {
    const family = await three('s');
    const child = (await family.children()).find((name) => /^s\..*\.0$/.test(name) && name !== 's.b.0') ?? '';
    expect((await new SessionRemoval(family.world.disk).remove(child)).value).toBe(true);
    expect(await left(family)).toEqual(['child.other', 's', 's.b.0', 's2']);
  });

  it('takes up what an earlier try left over, also when the session itself is gone', async () => {
    const family = await three('s');
    const disk = family.world.disk;
    const remove = disk.remove.bind(disk);
    let tries = 0;
    disk.remove = async (id) => (++tries === 2 ? Result.failure(ArkAgentError.of(ErrorCode.stateSaveFailed, 'no')) : remove(id));
    expect((await new SessionRemoval(disk).remove('s')).error.code).toBe('state_save_failed');
    expect(await left(family)).toHaveLength(4);
    expect((await new SessionRemoval(disk).remove('s')).value).toBe(false);
    expect(await left(family)).toEqual(['child.other', 's.b.0', 's2']);
  });

  it('leaves everything alone when the session cannot be removed or the list cannot be read', async () => {
    const family = await three('s');
    const disk = family.world.disk;
    const remove = disk.remove.bind(disk);
    disk.remove = async () => Result.failure(ArkAgentError.of(ErrorCode.stateConflict, 'no'));
    expect((await new SessionRemoval(disk).remove('s')).error.code).toBe('state_conflict');
    disk.remove = remove;
    const list = disk.list.bind(disk);
    disk.list = async () => Result.failure(ArkAgentError.of(ErrorCode.stateLoadFailed, 'no'));
    expect((await new SessionRemoval(disk).remove('s')).error.code).toBe('state_load_failed');
    disk.list = list;
    expect(await left(family)).toHaveLength(6);
  });

  it('takes the secrets of calls that waited with it, those of child sessions too; of other sessions it keeps them', async () => {
    const kept = new Map<string, string>();
    class Vault extends InMemorySecretVault {
      override async put(sessionId: string, reference: string, secret: string): Promise<Result<boolean, ArkAgentError>> {
        kept.set(`${sessionId} ${reference}`, secret);
        return super.put(sessionId, reference, secret);
      }

      override async remove(sessionId: string, reference: string): Promise<Result<boolean, ArkAgentError>> {
        kept.delete(`${sessionId} ${reference}`);
        return super.remove(sessionId, reference);
      }
    }
    const vault = new Vault();
    const secret = (at: number): string => `sk-${'a1B2c3D4'.repeat(4)}${at}`;
    const pay = (at: number): ScriptedTurn => ScriptedTurn.call('p', 'pay', JSON.stringify({ key: secret(at) }));
    const family = new Family({ go: [delegate('mid')], mid: [pay(1)], alone: [pay(2)] });
    const options = { config: { secretVault: vault } };
    expect(await (await family.open(options)).say('go')).toBe('awaiting_approval');
    const other = new Family({ alone: [pay(2)] }, {}, new World({ sessionId: 'other', disk: family.world.disk }));
    expect(await (await other.open(options)).say('alone')).toBe('awaiting_approval');
    expect([...kept.values()].sort()).toEqual([secret(1), secret(2)]);
    expect((await new SessionRemoval(family.world.disk, undefined, vault).remove('s')).value).toBe(true);
    expect([...kept.values()]).toEqual([secret(2)]);
    expect((await new SessionRemoval(family.world.disk, undefined, vault).remove('other')).value).toBe(true);
    expect(kept.size).toBe(0);
  });

  it('takes the kept texts of every removed session with it; of one that stays it keeps them', async () => {
    const family = await three('s');
    const store = new InMemoryArtifactStore(new TestDigest());
    const [child] = (await family.children()).filter((name) => name !== 's.b.0' && name.startsWith('s.'));
    const refs = [];
    for (const id of ['s', child, 's2']) refs.push([id, (await store.put(id, 'text')).value.id] as const);
    const storage = new InMemoryStateStorage();
    storage.remove = async () => Result.failure(ArkAgentError.of(ErrorCode.stateConflict, 'no'));
    expect((await new SessionRemoval(storage, store).remove('s')).error.code).toBe('state_conflict');
    expect((await store.read('s', refs[0][1], 0, 9)).ok).toBe(true);
    await new SessionRemoval(family.world.disk, store).remove('s');
    const found: boolean[] = [];
    for (const [id, ref] of refs) found.push((await store.read(id, ref, 0, 9)).ok);
    expect(found).toEqual([false, false, true]);
  });
});
