import { describe, expect, it } from 'vitest';
import { LoopDetectedEvent } from '@core/control/event/DiagnosticEvents';
import { DefaultLoopDetector, type LoopDetectorConfig } from '@core/loop/DefaultLoopDetector';
import type { LoopDiagnosis, LoopVerdict } from '@core/loop/LoopDetector';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import { CommitFault } from '@core/testing/StoppingStateStorage';
import { ToolEffect } from '@core/tool/ToolContract';
import { ToolResult } from '@core/tool/ToolResult';
import { World } from '../../support/World';
import { type Answer, FunctionProvider, Session, Tools, call, calls, says, settle } from '../run/harness';

const poll = (n: number): ScriptedTurn => ScriptedTurn.call(`c${n}`, 'job', '{"id":7}');
const polls = (count: number): ScriptedTurn[] => [...Array.from({ length: count }, (_, n) => poll(n)), ScriptedTurn.text('end')];
const loops = (world: { busEvents: unknown[] }): LoopDetectedEvent[] => world.busEvents.filter((event): event is LoopDetectedEvent => event instanceof LoopDetectedEvent);

describe('pollable tools', () => {
  it('S10 polling a job that makes progress is no loop, polling one that stands still is', async () => {
    const world = new World();
    const job = world.safe('job', { pollable: true });
    let percent = 0;
    job.work = async () => ToolResult.text(`${Math.min(100, percent += 10)} %`);
    const process = await world.open({ turns: polls(13) });
    expect(await process.say('wait for it')).toBe('complete');
    expect(job.count).toBe(13);
    percent = 100;
    const still = await world.open({ turns: polls(9) });
    expect(await still.say('wait for it')).toBe('loop_detected');
    const [event] = loops(still.log);
    expect([event.window.length, new Set(event.window).size, event.turn, event.nudged]).toEqual([5, 1, 5, false]);
    expect(event.signature).toMatch(/^job:\{"id":7\}#[0-9a-f]{64}$/);
    expect(event.reason).toBe('5 equal calls of job in a row');
  });

  it('S10 the same calls of a tool that is not pollable are a loop whatever they bring', async () => {
    const world = new World();
    const job = world.safe('job');
    job.work = async () => ToolResult.text(`${job.count}`);
    const process = await world.open({ turns: polls(9) });
    expect(await process.say('go')).toBe('loop_detected');
    expect(process.runtime.snapshot().loopWindow[0]).toBe('job:{"id":7}');
  });

  it('S10 an error is not the same as its text, and a refused call of a pollable tool still loops', async () => {
    const world = new World();
    const job = world.safe('job', { pollable: true });
    job.work = async () => job.count % 2 === 0 ? ToolResult.text('same') : ToolResult.error('same');
    const alternating = await world.open({ turns: polls(8) });
    expect(await alternating.say('go')).toBe('complete');
    job.work = undefined;
    const broken = await world.open({ turns: Array.from({ length: 9 }, (_, n) => ScriptedTurn.call(`c${n}`, 'job', '[]')) });
    expect(await broken.say('go')).toBe('loop_detected');
  });

  it('S10 the results are compared over a suspension and a kill', async () => {
    const world = new World();
    const job = world.sensitive('job', { pollable: true, effect: ToolEffect.none });
    job.work = async () => ToolResult.text('waiting');
    let ending = '';
    for (let turn = 0; turn < 6 && ending !== 'loop_detected'; turn++) {
      const process = await world.open({ responder: () => poll(0) });
      if (turn === 0) {
        await process.say('go');
      }
      await process.approveAll();
      ending = await process.resume();
      process.kill();
    }
    expect([ending, job.count]).toEqual(['loop_detected', 5]);
  });
});

describe('the nudge', () => {
  const NUDGE = 'You repeat yourself. Try something else or say what is missing.';
  const stuck = (count: number): ScriptedTurn[] => [...Array.from({ length: count }, (_, n) => ScriptedTurn.call(`c${n}`, 'look', '{}')), ScriptedTurn.text('end')];

  it('is told once per run, after the results; the next hit ends the run', async () => {
    const world = new World();
    world.safe('look');
    const process = await world.open({ turns: stuck(9), config: { loopNudge: NUDGE } });
    expect(await process.say('go')).toBe('loop_detected');
    expect(process.provider.calls).toBe(6);
    expect(process.history().filter((line) => line.startsWith('user'))).toEqual(['user: go', `user: ${NUDGE}`]);
    expect(process.history().indexOf(`user: ${NUDGE}`)).toBe(process.history().indexOf('tool c4: done') + 1);
    expect(loops(process.log).map((event) => [event.nudged, event.turn])).toEqual([[true, 5], [false, 6]]);
    expect(process.log.of('bus').filter((line) => line === 'agent.failed')).toHaveLength(1);
  });

  it('helps a model that listens, and is there again in the next run', async () => {
    const world = new World();
    world.safe('look');
    const process = await world.open({ responder: (request) => request.messages.last()?.text() === NUDGE ? ScriptedTurn.text('sorry') : ScriptedTurn.call(`c${request.messages.length}`, 'look', '{}'), config: { loopNudge: NUDGE } });
    expect([await process.say('go'), await process.say('again')]).toEqual(['complete', 'complete']);
    expect(process.history().filter((line) => line === `user: ${NUDGE}`)).toHaveLength(2);
  });

  it('a kill after the nudge grants no second one', async () => {
    const world = new World();
    world.safe('look');
    const one = await world.open({ turns: stuck(9), config: { loopNudge: NUDGE } });
    one.storage.plan(12, CommitFault.stopAfter);
    expect(await one.say('go')).toBe('stopped');
    expect((await world.stored()).history.toArray().map((message) => message.text())).toContain(NUDGE);
    const two = await world.open({ turns: stuck(9), config: { loopNudge: NUDGE } });
    expect(await two.resume()).toBe('loop_detected');
    expect(two.history().filter((line) => line === `user: ${NUDGE}`)).toHaveLength(1);
  });

  it('must say something', async () => {
    await expect(new World().open({ config: { loopNudge: '  ' } })).rejects.toThrow(/loopNudge must not be blank/);
  });
});

describe('the diagnosis by a model', () => {
  const asking = (diagnose: LoopDiagnosis['diagnose']): LoopDiagnosis => ({ diagnose });
  const yes = async (): Promise<LoopVerdict> => ({ isLoop: true, confidence: 1, reason: 'no progress' });
  const EVERY: LoopDetectorConfig = { llmFirstCheckTurn: 1, llmCheckInterval: 1 };
  const three: Answer[] = [...Array.from({ length: 3 }, (_, n) => calls(call(`c${n}`, 'look', { n }))), says('end')];

  async function session(diagnosis: LoopDiagnosis, config: LoopDetectorConfig, opened: (session: Session) => void = () => undefined): Promise<[Session, string]> {
    const scheduler: { schedule(delayMs: number, task: () => void): { cancel(): void }; monotonicMs(): number } = { schedule: (delayMs, task) => made.scheduler.schedule(delayMs, task), monotonicMs: () => made.scheduler.monotonicMs() };
    const made = await Session.open({ provider: new FunctionProvider(...three), toolRegistry: new Tools().add('look').registry, loopDetector: new DefaultLoopDetector(config, diagnosis, scheduler) });
    opened(made);
    const result = await made.finish(made.run(), 1000, 400);
    return [made, result.ok ? result.value.stopReason : result.error.code];
  }

  it('LOOP-05 the thresholds are the configured ones', async () => {
    const asked: number[] = [];
    const detector = (config: LoopDetectorConfig, confidence: number): [LoopDiagnosis, LoopDetectorConfig] => [asking(async (messages) => {
      asked.push(messages.toArray().filter((message) => message.toolCalls.length > 0).length);
      return { isLoop: true, confidence, reason: 'no progress' };
    }), config];
    expect((await session(...detector({ llmFirstCheckTurn: 2, llmCheckInterval: 5 }, 0.81)))[1]).toBe('loop_detected');
    expect((await session(...detector({ ...EVERY, llmConfidenceThreshold: 0.5 }, 0.5)))[1]).toBe('complete');
    expect((await session(...detector({ ...EVERY, llmConfidenceThreshold: 0.5 }, 0.51)))[1]).toBe('loop_detected');
    expect(asked).toEqual([2, 1, 2, 3, 1]);
  });

  it('LOOP-05 the evidence of a diagnosis is its reason, not a call', async () => {
    const [made] = await session(asking(yes), EVERY);
    const event = made.bus.find((one): one is LoopDetectedEvent => one instanceof LoopDetectedEvent);
    expect([event?.kind, event?.reason, event?.signature, event?.turn, event?.window]).toEqual(['llm', 'no progress', '', 1, ['look:{"n":0}']]);
  });

  it('LOOP-05 a diagnosis that takes too long is no loop; it is told to stop, and what it says later counts nothing', async () => {
    const reasons: string[] = [];
    let late: (verdict: LoopVerdict) => void = () => undefined;
    const [made, end] = await session(asking((_messages, signal) => new Promise((resolve) => { signal.onCancelled((reason) => reasons.push(reason)); late = resolve; })), { ...EVERY, llmTimeoutMs: 5000 });
    expect([end, reasons]).toEqual(['complete', Array(3).fill('the diagnosis took too long')]);
    late(await yes());
    await settle();
    expect([made.problems(), made.bus.some((one) => one instanceof LoopDetectedEvent)]).toEqual([[], false]);
  });

  it('LOOP-05 a cancel while the diagnosis thinks ends the run as cancelled, stops the diagnosis and leaves no timer', async () => {
    let stopped = '';
    let verdict: (value: LoopVerdict) => void = () => undefined;
    const [made, end] = await session(asking((_messages, signal) => new Promise((resolve) => {
      verdict = resolve;
      signal.onCancelled((reason) => { stopped = reason; });
      void made2?.runtime.cancel('enough');
    })), EVERY, (opened) => { made2 = opened; });
    verdict(await yes());
    await settle();
    expect([end, stopped, made.problems(), made.busTypes().includes('loop.detected')]).toEqual(['cancelled', 'enough', [], false]);
  });
  let made2: Session | undefined;

  it('LOOP-05 a broken diagnosis is no loop, also when it rejects late or throws at once', async () => {
    const faults: Array<LoopDiagnosis['diagnose']> = [
      () => { throw new Error('at once'); }, async () => { await settle(5); throw new Error('late'); }, async () => null as never,
      async () => ({ isLoop: 1, confidence: 2 }) as never, async () => ({ isLoop: true, confidence: '0.9' }) as never, () => 'no promise' as never,
    ];
    for (const fault of faults) {
      const [made, end] = await session(asking(fault), EVERY);
      expect([end, made.problems()]).toEqual(['complete', []]);
    }
  });
});
