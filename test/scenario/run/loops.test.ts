import { describe, expect, it } from 'vitest';
import { LoopDetectedEvent } from '@core/control/event/DiagnosticEvents';
import { StatePersistenceHookResult } from '@core/hook/result/StatePersistenceHookResult';
import { ToolCallHookResult } from '@core/hook/result/ToolCallHookResult';
import { DefaultLoopDetector } from '@core/loop/DefaultLoopDetector';
import type { LoopDiagnosis, LoopVerdict } from '@core/loop/LoopDetector';
import { StreamingEvent } from '@core/model/StreamingEvent';
import { ModelResponse } from '@core/model/ModelResponse';
import { ToolResult } from '@core/tool/ToolResult';
import { type Answer, FunctionProvider, Session, Tools, WatchedStorage, call, calls, dangerous, hook, says, settle } from './harness';

const repeated = (times: number, args: (turn: number) => object | string): Answer[] => Array.from({ length: times }, (_, turn) => calls(call(`c${turn}`, 'look', args(turn))));
const diagnosis = (diagnose: () => Promise<LoopVerdict>): LoopDiagnosis => ({ diagnose });

async function ran(answers: Answer[], config: Partial<Parameters<typeof Session.open>[0]> = {}, storage?: WatchedStorage): Promise<{ session: Session; end: string; turns: number }> {
  const tools = new Tools().add('look', { parameters: { type: 'object' } }).add('stop', { run: () => new ToolResult([], false, true) });
  const provider = new FunctionProvider(...answers);
  const session = await Session.open({ provider, toolRegistry: tools.registry, ...config }, storage);
  const result = await session.run();
  return { session, end: result.ok ? result.value.stopReason : result.error.code, turns: provider.calls };
}

describe('loops in a run', () => {
  it('LOOP-01 five equal signatures are a loop, four are not', async () => {
    const five = await ran(repeated(9, () => ({ n: 1 })));
    expect([five.end, five.turns]).toEqual(['loop_detected', 5]);
    expect(five.session.history.filter((line) => line.startsWith('tool'))).toHaveLength(5);
    const event = five.session.bus.find((one) => one instanceof LoopDetectedEvent) as LoopDetectedEvent;
    expect([event.kind, event.signature, event.reason]).toEqual(['tool_signature', 'look:{"n":1}', '5 equal calls of look in a row']);
    const four = await ran([...repeated(4, () => ({ n: 1 })), says('end')]);
    expect([four.end, four.turns]).toEqual(['complete', 5]);
    const broken = await ran([...repeated(4, () => ({ n: 1 })), calls(call('x', 'look', { n: 2 })), ...repeated(4, () => ({ n: 1 })), says('end')]);
    expect(broken.end).toBe('complete');
  });

  it('LOOP-01 one answer with five equal calls is a loop too, after its results are in the history', async () => {
    const one = await ran([calls(...Array.from({ length: 5 }, (_, i) => call(`c${i}`, 'look')))]);
    expect([one.end, one.session.history.length]).toEqual(['loop_detected', 7]);
  });

  it('LOOP-02 key order is ignored, array order and different arguments are no loop, broken arguments are compared as text', async () => {
    expect((await ran([...repeated(5, (turn) => turn % 2 === 0 ? '{"a":1,"b":{"c":2,"d":3}}' : '{"b":{"d":3.0,"c":2},"a":1}'), says('end')])).end).toBe('loop_detected');
    expect((await ran([...repeated(5, (turn) => ({ list: turn % 2 === 0 ? [1, 2] : [2, 1] })), says('end')])).end).toBe('complete');
    expect((await ran([...repeated(5, (turn) => ({ n: turn })), says('end')])).end).toBe('complete');
    expect((await ran([...repeated(5, () => '{"n":'), says('end')])).end).toBe('loop_detected');
    expect((await ran([...repeated(5, (turn) => '{"n":'.repeat(turn + 1)), says('end')])).end).toBe('complete');
  });

  it('LOOP-03 DEC-29 a streamed call counts once, with the arguments of the model, not those of a hook', async () => {
    const streamed = (turn: number): Answer => (observer) => {
      for (let i = 0; i < 6; i++) observer.onNext(StreamingEvent.textDelta('x'));
      observer.onNext(StreamingEvent.modelComplete(ModelResponse.calls([call('same', 'look', { n: Math.floor(turn / 2) })])));
      observer.onNext(StreamingEvent.modelComplete(ModelResponse.calls([call('same', 'look', { n: Math.floor(turn / 2) })])));
      observer.onComplete();
    };
    const { end, turns } = await ran([...Array.from({ length: 8 }, (_, turn) => streamed(turn)), says('end')], { hooks: [hook('levels', { beforeToolCall: async (context) => ToolCallHookResult.proceed(context.call.withArguments('{"n":0}')) })] });
    expect([end, turns]).toEqual(['complete', 9]);
    const hidden = await ran(repeated(9, () => ({ n: 1 })), { hooks: [hook('varies', { beforeToolCall: (() => { let n = 0; return async (context) => ToolCallHookResult.proceed(context.call.withArguments(`{"n":${n++}}`)); })() })] });
    expect(hidden.end).toBe('loop_detected');
  });

  it('LOOP-04 the ending is stored although a hook skips every save', async () => {
    const { session } = await ran(repeated(9, () => ({})), { hooks: [hook('skips', { beforePersistState: async () => StatePersistenceHookResult.skip() })] });
    expect([session.storage.reasons, session.storage.last.run?.stopReason]).toEqual([['terminal'], 'loop_detected']);
  });

  it('a loop ends its run only: the same call in the next run is a first call', async () => {
    const { session } = await ran([...repeated(5, () => ({})), calls(call('again', 'look')), says('fine')]);
    expect((await session.run('try again')).value.stopReason).toBe('complete');
    const asks = await ran(Array.from({ length: 12 }, (_, i) => i % 2 === 0 ? calls(call('c', 'look')) : says('it rains')));
    for (let i = 0; i < 5; i++) expect((await asks.session.run('and now?')).value.stopReason).toBe('complete');
  });

  it('the window survives a suspension: a person who approves five equal calls sees a loop', async () => {
    const tools = new Tools().add('pay', { risk: dangerous });
    let session = await Session.open({ provider: new FunctionProvider(calls(call('c', 'pay'))), toolRegistry: tools.registry });
    let result = await session.run();
    let asked = 0;
    while (result.ok && result.value.stopReason === 'awaiting_approval' && asked < 9) {
      asked++;
      await session.controller.approve(session.controller.listPendingApprovals()[0].approvalId);
      await session.runtime.close();
      session = await Session.open({ provider: new FunctionProvider(calls(call('c', 'pay'))), toolRegistry: tools.registry }, session.storage);
      result = await session.resume();
    }
    expect([asked, result.error.code]).toEqual([5, 'loop_detected']);
  });

  it('DEC-24 the check is skipped when the loop ends anyway', async () => {
    const stops = await ran([...repeated(4, () => ({})), calls(call('c', 'look'), call('d', 'stop'))], { loopDetector: new DefaultLoopDetector({ toolLoopThreshold: 2, llmFirstCheckTurn: 99 }) });
    expect(stops.end).toBe('loop_detected');
    const ended = await ran([calls(call('c', 'look'), call('d', 'stop'))], { loopDetector: { windowSize: 1, signatureOf: () => 'x', check: async () => { throw new Error('must not be asked'); } } });
    expect(ended.end).toBe('tool_stop');
  });

  it('LOOP-05 the diagnosis is asked at turn 30 and then every 10, and counts only above 0.8', async () => {
    const at: number[] = [];
    let turn = 0;
    const detector = new DefaultLoopDetector(undefined, diagnosis(async () => { at.push(turn); return { isLoop: true, confidence: 0.8, reason: 'stuck' }; }));
    const answers: Answer[] = Array.from({ length: 55 }, (_, i) => (o, s, r) => { turn = i + 1; calls(call('c', 'look', { n: i }))(o, s, r); });
    const never = await ran([...answers, says('end')], { loopDetector: detector, limits: { maxTurns: 90 } });
    expect([never.end, at]).toEqual(['complete', [30, 40, 50]]);
    const sure = await ran([...answers, says('end')], { loopDetector: new DefaultLoopDetector(undefined, diagnosis(async () => ({ isLoop: true, confidence: 0.81, reason: 'stuck' }))), limits: { maxTurns: 90 } });
    expect([sure.end, sure.turns]).toEqual(['loop_detected', 30]);
    expect((sure.session.bus.find((one) => one instanceof LoopDetectedEvent) as LoopDetectedEvent).kind).toBe('llm');
  });

  it('LOOP-05 a diagnosis that throws, answers nonsense or fails is no loop', async () => {
    const faults: Array<() => Promise<LoopVerdict>> = [
      async () => { throw new Error('no model'); }, () => { throw new Error('at once'); }, async () => undefined as never, async () => ({ isLoop: 'yes', confidence: 'high' }) as never,
      async () => ({ isLoop: true, confidence: NaN, reason: '' }), async () => ({ isLoop: false, confidence: 1, reason: 'x' }),
    ];
    for (const fault of faults) {
      const end = await ran([...repeated(3, (turn) => ({ n: turn })), says('end')], { loopDetector: new DefaultLoopDetector({ llmFirstCheckTurn: 1, llmCheckInterval: 1 }, diagnosis(fault)) });
      expect([end.end, end.turns]).toEqual(['complete', 4]);
    }
  });

  it('LOOP-05 a diagnosis that never answers does not keep a cancel from ending the run', async () => {
    const session = await Session.open({
      provider: new FunctionProvider(calls(call('c', 'look'))), toolRegistry: new Tools().add('look').registry,
      loopDetector: new DefaultLoopDetector({ llmFirstCheckTurn: 1 }, diagnosis(() => new Promise(() => undefined))),
    });
    const pending = session.run();
    await settle();
    void session.runtime.cancel('enough');
    expect((await pending).value.stopReason).toBe('cancelled');
    expect(session.problems()).toEqual([]);
  });

  it('a detector of the app that throws anywhere does not end the run', async () => {
    const bad = await ran([calls(call('c', 'look')), says('end')], { loopDetector: { windowSize: 3, signatureOf: () => { throw new Error('x'); }, check: () => { throw new Error('y'); } } });
    expect(bad.end).toBe('complete');
  });
});
