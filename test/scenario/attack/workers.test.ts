import { describe, expect, it } from 'vitest';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import type { RecordingTool } from '@core/testing/RecordingTool';
import { ToolResult } from '@core/tool/ToolResult';
import { AllowAll, idle } from '../parallel/Bench';
import { Family, PAY, delegate, type Script } from '../subagent/family';

const SEND = ScriptedTurn.call('s1', 'send', '{"n":1}');
/** The same call, spelled differently. */
const SEND_AGAIN = ScriptedTurn.call('s1', 'send', '{ "n" : 1.0 }');
const ALLOW = { config: { approvalPolicy: new AllowAll() } };

/** A family with a tool whose first call never answers. */
function lossy(script: Script, contract = {}): { family: Family; send: RecordingTool } {
  const family = new Family(script, { maxDepth: 2 });
  const send = family.world.sensitive('send', { timeoutMs: 100, ...contract });
  send.work = async () => (send.count === 1 ? new Promise<ToolResult>(() => undefined) : ToolResult.text('sent'));
  return { family, send };
}

/** Lets the first call of `send` run out of time. */
async function lose(family: Family, send: RecordingTool): Promise<void> {
  for (let i = 0; i < 20 && send.count === 0; i++) await idle();
  family.world.scheduler.advance(100);
  family.world.scheduler.advance(2000);
}

describe('an effect of unknown outcome', () => {
  it('S9 is asked about when a worker makes it again', async () => {
    const { family, send } = lossy({ go: [SEND, delegate('send it')], 'send it': [SEND_AGAIN] });
    const one = await family.open(ALLOW);
    const run = one.say('go');
    await lose(family, send);
    expect([await run, send.count]).toEqual(['awaiting_approval', 1]);
    expect(one.controller.listPendingApprovals().map((item) => item.predecessorUnknown)).toEqual([true]);
    await one.approveAll();
    expect([await one.resume(), send.count]).toEqual(['complete', 2]);
  });

  it('S9 is asked about when the worker comes from the same batch', async () => {
    const both = new ScriptedTurn().call('s1', 'send', '{"n":1}').call('d1', 'delegate_task', '{"task":"send it"}');
    const { family, send } = lossy({ go: [both], 'send it': [SEND] }, { concurrencySafe: true });
    const one = await family.open(ALLOW);
    const run = one.say('go');
    await lose(family, send);
    expect([await run, send.count, one.questions().length]).toEqual(['awaiting_approval', 1, 1]);
  });

  it('S9 is asked about when it was a worker that lost it, also a worker of a worker, and after a restart', async () => {
    for (const deep of [false, true]) {
      const { family, send } = lossy({
        go: [delegate(deep ? 'pass it on' : 'send it')], 'pass it on': [delegate('send it')], 'send it': [SEND, ScriptedTurn.text('all done')],
        again: [SEND_AGAIN],
      });
      const one = await family.open(ALLOW);
      const run = one.say('go');
      await lose(family, send);
      expect(await run).toBe('complete');
      await one.runtime.close();
      const two = await family.open(ALLOW);
      expect([await two.say('again'), send.count, two.questions().length], `deep ${deep}`).toEqual(['awaiting_approval', 1, 1]);
    }
  });

  it('S9 is asked about when its worker was cancelled in the middle of it', async () => {
    const { family, send } = lossy({ go: [delegate('send it')], 'send it': [SEND], again: [SEND] });
    const one = await family.open(ALLOW);
    const run = one.say('go');
    for (let i = 0; i < 20 && send.count === 0; i++) await idle();
    const cancelled = one.runtime.cancel('stop');
    await idle();
    family.world.scheduler.advance(2000);
    await cancelled;
    expect(await run).toBe('cancelled');
    expect([await one.say('again'), send.count, one.questions().length]).toEqual(['awaiting_approval', 1, 1]);
  });
});

describe('a call that a person refused', () => {
  it('S10 is refused to a worker of the run, without a question', async () => {
    const family = new Family({ go: [PAY(), delegate('pay')], pay: [ScriptedTurn.call('w1', 'pay', '{ "n": 1.0 }')] });
    const one = await family.open();
    await one.say('go');
    await one.controller.deny(one.questions()[0], 'no');
    expect([await one.resume(), family.pay.count, one.questions()]).toEqual(['complete', 0, []]);
    const [child] = await family.children();
    expect((await family.child(child)).history.toArray().some((message) => message.text().includes('tool_denied'))).toBe(true);
  });

  it('S10 is refused to the session and to the next worker when it was refused to a worker; the next run may ask', async () => {
    const family = new Family({ go: [delegate('pay'), PAY(), delegate('pay too')], pay: [PAY()], 'pay too': [PAY()], next: [PAY()] });
    const one = await family.open();
    expect(await one.say('go')).toBe('awaiting_approval');
    await one.controller.deny(one.questions()[0], 'no');
    expect([await one.resume(), family.pay.count, one.questions()]).toEqual(['complete', 0, []]);
    expect([await one.say('next'), one.questions().length]).toEqual(['awaiting_approval', 1]);
  });

  it('S10 other arguments are asked about', async () => {
    const family = new Family({ go: [PAY(), delegate('pay')], pay: [PAY(2)] });
    const one = await family.open();
    await one.say('go');
    await one.controller.deny(one.questions()[0], 'no');
    expect([await one.resume(), one.questions().length]).toEqual(['awaiting_approval', 1]);
  });
});
