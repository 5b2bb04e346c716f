import { describe, expect, it } from 'vitest';
import { GrantScope } from '@core/approval/ApprovalGrant';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import { PersistReason } from '@core/state/PersistReason';
import type { StateCommit } from '@core/state/StateCommit';
import type { RecordingTool } from '@core/testing/RecordingTool';
import type { Process } from '../../support/Process';
import { World } from '../../support/World';
import { batch, idle } from '../parallel/Bench';

interface Granted {
  world: World;
  pay: RecordingTool;
  one: Process;
  grant: string;
  /** Lets the first start that is being written reach the disk. */
  write: () => void;
}

/** A tool that a grant lets through, and a disk that takes its time over the first start of the second run. */
async function granted(uses?: number): Promise<Granted> {
  const world = new World();
  const pay = world.sensitive('pay', { concurrencySafe: true });
  const one = await world.open({ turns: [batch('pay'), ScriptedTurn.text('x'), batch('pay', 'pay', 'pay')] });
  await one.say('go');
  const grant = (await one.controller.approveAndRemember(one.questions()[0], { scope: GrantScope.tool, uses })).grantId ?? '';
  await one.resume();
  const real = one.storage.commit.bind(one.storage);
  const made: Granted = { world, pay, one, grant, write: () => undefined };
  let held = false;
  one.storage.commit = async (commit: StateCommit) => {
    if (!held && commit.reason === PersistReason.toolEffect) {
      held = true;
      await new Promise<void>((resolve) => { made.write = resolve; });
    }
    return real(commit);
  };
  return made;
}

describe('a grant that is revoked while its calls start', () => {
  it('DEC-46 what has not started when the revocation is stored asks', async () => {
    const made = await granted();
    const { pay, one, grant } = made;
    const run = one.say('again');
    await idle();
    let runs = -1;
    const revoked = one.controller.revokeGrant(grant).then((answer) => { runs = pay.count; return answer; });
    await idle();
    made.write();
    expect((await revoked).ok).toBe(true);
    expect([await run, pay.count, one.questions().length]).toEqual(['awaiting_approval', runs, 1]);
    await one.approveAll();
    expect(await one.resume(), 'nor does the third call count on it').toBe('awaiting_approval');
    await one.approveAll();
    expect([await one.resume(), pay.runs.slice(1).map((each) => each.argumentsJson)]).toEqual(['complete', ['{"n":1}', '{"n":2}', '{"n":3}']]);
  });

  it('DEC-46 one that ends with its last use is no revoked one', async () => {
    const made = await granted(3);
    const { pay, one } = made;
    const run = one.say('again');
    await idle();
    made.write();
    expect([await run, pay.count]).toEqual(['complete', 4]);
    expect(one.runtime.listGrants()).toEqual([]);
  });
});
