import { describe, expect, it } from 'vitest';
import { ArkAgentError } from '@core/base/ArkAgentError';
import { ErrorCode } from '@core/base/ErrorCodes';
import { CancellationController } from '@core/base/Cancellation';
import type { CallGates } from '@core/execution/prepare/CallGates';
import type { HookTurn } from '@core/execution/seam/HookTurn';
import { ToolDefinition, ToolRiskLevel } from '@core/model/ToolDefinition';
import { HookLane } from '@core/runtime/batch/HookLane';
import { Neighbours } from '@core/runtime/batch/Neighbours';
import { RunContext } from '@core/runtime/segment/RunContext';
import { RunCancelled, RunCompleted, RunSuspended } from '@core/runtime/segment/RunOutcome';
import { saveRefusal } from '@core/runtime/run/RunLoop';
import { PersistAction, PersistVerdict } from '@core/runtime/store/StatePersister';
import { RunEnd } from '@core/runtime/segment/RunEnd';
import type { RunReporter } from '@core/runtime/report/RunReporter';
import { VisibleTools } from '@core/runtime/model/VisibleTools';
import { AgentStopReason } from '@core/state/AgentStopReason';
import { ManualScheduler } from '@core/testing/ManualScheduler';
import { RecordingTool } from '@core/testing/RecordingTool';
import type { ReadonlyAgentState } from '@core/tool/ToolContext';
import type { RegisteredTool } from '@core/tool/RegisteredTool';
import { ToolRegistry } from '@core/tool/ToolRegistry';
import { type SelectableTool, ToolSelection, type ToolSelector } from '@core/tool/ToolSelector';
import { effectful, json, tool } from './support';

const tick = async (): Promise<void> => { for (let i = 0; i < 10; i++) await Promise.resolve(); };

describe('what a segment carries with it', () => {
  function context(): { context: RunContext; told: string[]; scheduler: ManualScheduler } {
    const told: string[] = [];
    const scheduler = new ManualScheduler();
    const reporter = { cancelRequested: (reason: string) => told.push(reason) } as unknown as RunReporter;
    return { context: new RunContext('r', 2, reporter, { sessionId: 's' } as unknown as ReadonlyAgentState, scheduler, 100), told, scheduler };
  }

  it('a cancel is told once, with its first words, and fires the signal', () => {
    const { context: one, told } = context();
    expect([one.sessionId, one.runId, one.segment, one.cancelled, one.suspending, one.cancelReason, one.over, one.signal.cancelled]).toEqual(['s', 'r', 2, false, false, '', false, false]);
    one.cancel('first');
    one.cancel('second');
    expect([told, one.cancelled, one.cancelReason, one.signal.cancelled, one.signal.reason]).toEqual([['first'], true, 'first', true, 'first']);
  });

  it('DEC-21 a pause is no cancel, and a cancel wins over it', () => {
    const { context: one, told } = context();
    one.suspend('app');
    expect([one.suspending, one.cancelled, one.signal.cancelled, told]).toEqual([true, false, true, []]);
    one.cancel('person');
    expect([one.suspending, one.cancelled, told]).toEqual([false, true, ['person']]);
  });

  it('when the ending is settled a cancel is too late, but not for a hook that is told of it', async () => {
    const { context: one, told, scheduler } = context();
    one.settle();
    const hook = one.patience.wait(new Promise<string>(() => undefined)).catch(() => 'abandoned');
    one.cancel('late');
    expect([one.over, one.cancelled, told, one.signal.cancelled]).toEqual([true, false, [], true]);
    scheduler.advance(100);
    expect(await hook).toBe('abandoned');
  });

  it('the caller\'s signal cancels it, until it is let go', () => {
    const outside = new CancellationController();
    const { context: one, told } = context();
    one.follow(outside.signal);
    const { context: other } = context();
    other.follow(outside.signal);
    other.dispose();
    outside.cancel('outside');
    expect([one.cancelled, one.cancelReason, told, other.cancelled]).toEqual([true, 'outside', ['outside'], false]);
  });

  it('what the model saw is known by name', () => {
    const { context: one } = context();
    expect([one.tools, [...one.visible], one.visibleNames]).toEqual([[], [], []]);
    const tools = [new ToolDefinition('a', 'd', json('{"type":"object"}')), new ToolDefinition('b', 'd', json('{"type":"object"}'))];
    one.showTools(tools);
    const names = one.visibleNames;
    one.showTools(tools);
    expect([one.tools === tools, [...one.visible], names, one.visibleNames === names]).toEqual([true, ['a', 'b'], ['a', 'b'], true]);
  });
});

describe('how a segment ends', () => {
  const error = ArkAgentError.of(ErrorCode.hookAbort, 'x');
  const line = (end: RunEnd): string => `${end.stopReason} ${end.error?.code ?? '-'} ${end.closeReason} [${end.cancelReason}] ${end.superseded}`;

  it('every way has its reason, its error and what becomes of open calls', () => {
    expect([
      RunEnd.completed(AgentStopReason.toolStop), RunEnd.awaitingApproval(), RunEnd.awaitingPlanReview(), RunEnd.paused(), RunEnd.streamFailed(error), RunEnd.cancelled('why'), RunEnd.aborted(error), RunEnd.failed(error),
      RunEnd.stopped(AgentStopReason.loopDetected, error), RunEnd.saveFailed(ArkAgentError.of(ErrorCode.stateConflict, 'x')),
    ].map(line)).toEqual([
      'tool_stop - not_executed [] false', 'awaiting_approval - not_executed [] false', 'awaiting_plan_review - not_executed [] false', 'suspended - not_executed [] false', 'error hook_abort stream_failed [] false',
      'cancelled - cancelled_by_user [why] false', 'aborted hook_abort hook_abort [] false', 'error hook_abort not_executed [] false', 'loop_detected hook_abort not_executed [] false', 'error state_conflict not_executed [] true',
    ]);
  });

  it('the same ending in other words keeps everything else', () => {
    const end = RunEnd.saveFailed(ArkAgentError.of(ErrorCode.stateConflict, 'x'));
    expect(line(end.withError(error))).toBe('error hook_abort not_executed [] true');
    const aborted = RunEnd.aborted(error);
    expect(aborted.withError(error)).toBe(aborted);
  });
});

describe('a save that was refused', () => {
  const context = (over: { cancelled?: boolean; suspending?: boolean } = {}): RunContext => ({ cancelled: false, suspending: false, cancelReason: 'why', ...over }) as unknown as RunContext;
  const said = (verdict: PersistVerdict, of = context()): string | undefined => { const end = saveRefusal(verdict, of); return end === undefined ? undefined : `${end.stopReason} ${end.error?.code ?? '-'} ${end.superseded}`; };
  const abort = ArkAgentError.of(ErrorCode.hookAbort, 'x');
  const conflict = ArkAgentError.of(ErrorCode.stateConflict, 'x');

  it('DEC-06 ends the run only where a hook aborted it or another owner wrote', () => {
    expect([said(new PersistVerdict(PersistAction.stored)), said(new PersistVerdict(PersistAction.skipped)), said(new PersistVerdict(PersistAction.failed, ArkAgentError.of(ErrorCode.stateSaveFailed, 'x')))]).toEqual([undefined, undefined, undefined]);
    expect([said(new PersistVerdict(PersistAction.aborted, abort)), said(new PersistVerdict(PersistAction.failed, conflict))]).toEqual(['aborted hook_abort false', 'error state_conflict true']);
  });

  it('HOOK-11 after a cancel it is cancelled; a hook that a pause did not wait for has said nothing', () => {
    const abandoned = new PersistVerdict(PersistAction.aborted, abort, true);
    expect([said(new PersistVerdict(PersistAction.aborted, abort), context({ cancelled: true })), said(abandoned, context({ cancelled: true })), said(abandoned, context({ suspending: true })), said(abandoned)]).toEqual(['cancelled - false', 'cancelled - false', undefined, undefined]);
    expect(said(new PersistVerdict(PersistAction.failed, conflict), context({ cancelled: true })), 'what another owner wrote comes first').toBe('error state_conflict true');
  });
});

describe('what became of a run', () => {
  it('says its kind', () => {
    expect([new RunCompleted('r', AgentStopReason.complete, undefined), new RunSuspended('r', AgentStopReason.suspended), new RunCancelled('r', 'why')].map((one) => `${one.kind} ${one.runId} ${one.stopReason}`)).toEqual(['completed r complete', 'suspended r suspended', 'cancelled r cancelled']);
  });
});

describe('the hooks of calls that run beside each other', () => {
  it('are asked one after another in the order of their arrival, whatever becomes of them, and at once when nobody waits', async () => {
    const lane = new HookLane();
    const log: string[] = [];
    let fail: (error: Error) => void = () => undefined;
    const first = lane.run(() => { log.push('a'); return new Promise<void>((_resolve, reject) => { fail = reject; }); });
    const second = lane.run(async () => { log.push('b'); });
    expect(log).toEqual(['a']);
    await tick();
    expect(log).toEqual(['a']);
    fail(new Error('x'));
    await expect(first).rejects.toThrow('x');
    await second;
    expect(log).toEqual(['a', 'b']);
    await tick();
    void lane.run(async () => { log.push('c'); });
    expect(log, 'nothing to wait for').toEqual(['a', 'b', 'c']);
  });
});

describe('neighbours', () => {
  class Group {
    readonly outer = new CancellationController();
    readonly lane = new HookLane();
    readonly group: Neighbours;
    readonly log: string[] = [];
    readonly ends = new Map<string, (error?: Error) => void>();

    constructor(limit: number) {
      this.group = new Neighbours(this.outer.signal, limit, this.lane);
    }

    /** A member whose executor answers when the test says so; then it takes its turn at the hooks. */
    start(name: string, hooked = true): void {
      this.group.start(async (turn: HookTurn) => {
        this.log.push(`${name} runs`);
        await new Promise<void>((resolve, reject) => { this.ends.set(name, (error) => (error === undefined ? resolve() : reject(error))); });
        if (hooked) await turn.take(async () => { this.log.push(`${name} hook`); });
      });
    }

    async end(name: string, error?: Error): Promise<void> {
      this.ends.get(name)?.(error);
      await tick();
    }
  }

  it('as many at once as there is room for; an answer makes room, not the hooks after it', async () => {
    const one = new Group(2);
    one.start('a');
    let place = false;
    await one.group.place();
    one.start('b');
    void one.group.place().then(() => { place = true; });
    await tick();
    expect([place, one.log]).toEqual([false, ['a runs', 'b runs']]);
    await one.end('b');
    expect([place, one.log], 'b waits for the hooks of a').toEqual([true, ['a runs', 'b runs']]);
    await one.end('a');
    expect(one.log).toEqual(['a runs', 'b runs', 'a hook', 'b hook']);
    await one.group.ended();
  });

  it('one that has made room makes none a second time when its hooks are through', async () => {
    const one = new Group(1);
    let release: () => void = () => undefined;
    void one.lane.run(() => new Promise<void>((resolve) => { release = resolve; }));
    one.start('a');
    await one.end('a');
    let place = 'none';
    void one.group.place().then(() => { place = 'before b'; });
    await tick();
    expect(place).toBe('before b');
    one.start('b');
    release();
    await tick();
    expect(one.log).toEqual(['a runs', 'b runs', 'a hook']);
    void one.group.place().then(() => { place = 'beside b'; });
    await tick();
    expect(place).toBe('before b');
    await one.end('b');
    expect(place).toBe('beside b');
  });

  it('DEC-33 a fault stops the group, and the first one is what it ends with', async () => {
    const one = new Group(3);
    for (const name of ['a', 'b', 'c']) one.start(name, false);
    await one.end('b', new Error('first'));
    expect([one.group.stopped, one.group.signal.cancelled]).toEqual([true, true]);
    await one.end('a', new Error('second'));
    let ended = '';
    void one.group.ended().catch((error: Error) => { ended = error.message; });
    await tick();
    expect(ended, 'c has not ended').toBe('');
    await one.end('c');
    expect(ended).toBe('first');
  });

  it('a cancel of the run stops them, and one that is stopped stops nobody else', async () => {
    const one = new Group(2);
    expect(one.group.stopped).toBe(false);
    one.outer.cancel('why');
    expect([one.group.stopped, one.group.signal.reason]).toEqual([true, 'why']);
    const other = new Group(2);
    other.group.stop('enough');
    expect([other.group.signal.reason, other.outer.signal.cancelled]).toEqual(['enough', false]);
    await other.group.ended();
  });

  it('a member that never takes a turn at the hooks makes room when it ends, and only once', async () => {
    const one = new Group(1);
    one.start('a', false);
    let places = 0;
    void one.group.place().then(() => { places++; });
    await one.end('a');
    expect(places).toBe(1);
    one.start('b', false);
    void one.group.place().then(() => { places++; });
    await tick();
    expect(places, 'b runs').toBe(1);
    await one.end('b');
    await one.group.ended();
    expect(places).toBe(2);
  });
});

describe('DEC-39 what the model sees', () => {
  const registry = (...names: string[]): ToolRegistry => {
    const made = new ToolRegistry();
    for (const name of names) made.register(new ToolDefinition(name, 'd', json('{"type":"object"}'), ToolRiskLevel.safe), new RecordingTool());
    return made;
  };
  const gates = { find: (name: string): RegisteredTool | undefined => (name === 'gone' ? undefined : tool(name, effectful)) } as unknown as CallGates;
  const showing = (names: readonly string[], reason?: string): ToolSelector => ({
    select: (tools: ReadonlyArray<SelectableTool>) => new ToolSelection(tools.map((one) => one.definition).filter((one) => names.includes(one.name)),
      reason === undefined ? [] : tools.map((one) => ({ name: one.definition.name, reason })).filter((one) => !names.includes(one.name))),
  });
  const seen = (selection: ToolSelection): string => `${selection.visible.map((one) => one.name).join(',')} | ${selection.hidden.map((one) => `${one.name}: ${one.reason}`).join(', ')}`;

  it('is all of them without a selector, and the same object while nothing changes', () => {
    const tools = registry('a', 'b');
    const visible = new VisibleTools(tools, gates, []);
    const first = visible.select();
    expect([seen(first), visible.select() === first]).toEqual(['a,b | ', true]);
    tools.register(new ToolDefinition('c', 'd', json('{"type":"object"}'), ToolRiskLevel.safe), new RecordingTool());
    expect(seen(visible.select())).toBe('a,b,c | ');
  });

  it('is what every selector shows, in the order of the registry; the first reason counts', () => {
    expect(seen(new VisibleTools(registry('a', 'b', 'c', 'd'), gates, [showing(['d', 'b', 'a'], 'first'), showing(['b', 'd'], 'second')]).select())).toBe('b,d | c: first, a: second');
    expect(seen(new VisibleTools(registry('a', 'b'), gates, [showing(['a'])]).select())).toBe('a | b: not selected');
    expect(seen(new VisibleTools(registry('a', 'b'), gates, [showing(['a', 'b'])]).select())).toBe('a,b | ');
  });

  it('is nothing where a selector fails', () => {
    const failing: ToolSelector = { select: () => { throw new Error('x'); } };
    expect(seen(new VisibleTools(registry('a', 'b'), gates, [failing]).select())).toBe(' | a: the tool selector failed, b: the tool selector failed');
  });

  it('is looked at again when an answer is another one', () => {
    let answer = new ToolSelection([], []);
    const tools = registry('a');
    const asked: number[] = [];
    const visible = new VisibleTools(tools, gates, [{ select: (given) => { asked.push(given.length); return answer; } }]);
    const first = visible.select();
    expect([seen(first), visible.select() === first]).toEqual([' | a: not selected', true]);
    answer = new ToolSelection(tools.list(), []);
    expect([seen(visible.select()), asked]).toEqual(['a | ', [1, 1, 1]]);
  });

  it('a selector hears of effect and source; of a tool that is gone it hears the worst', () => {
    let heard: ReadonlyArray<SelectableTool> = [];
    new VisibleTools(registry('a', 'gone'), gates, [{ select: (given) => { heard = given; return new ToolSelection([], []); } }]).select();
    expect(heard.map((one) => [one.definition.name, one.effect, one.source])).toEqual([['a', 'irreversible', tool('a').source.toString()], ['gone', 'irreversible', '']]);
  });
});
