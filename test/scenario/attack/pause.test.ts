import { describe, expect, it } from 'vitest';
import { AgentHook } from '@core/hook/AgentHook';
import type { BeforeRunHookContext } from '@core/hook/context/BeforeRunHookContext';
import type { StatePersistenceHookContext } from '@core/hook/context/StatePersistenceHookContext';
import type { ToolCallHookContext } from '@core/hook/context/ToolCallHookContext';
import { BeforeRunHookResult } from '@core/hook/result/BeforeRunHookResult';
import { StatePersistenceHookResult } from '@core/hook/result/StatePersistenceHookResult';
import { ToolCallHookResult } from '@core/hook/result/ToolCallHookResult';
import { MessageRole } from '@core/message/AgentMessage';
import type { ScriptedResponder } from '@core/provider/ScriptedProvider';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import type { AgentState } from '@core/state/AgentState';
import { StateCodec } from '@core/state/codec/StateCodec';
import type { RecordingTool } from '@core/testing/RecordingTool';
import { ToolResult } from '@core/tool/ToolResult';
import { encoded, World } from '../../support/World';
import type { Process } from '../../support/Process';
import { AllowAll, batch, idle } from '../parallel/Bench';

/** A method of a hook, or the reason of a write with its phase. */
type Slot = string;

/** Never answers, once, where it is told to. */
class Silent extends AgentHook {
  private silent = true;
  toolCalls = 0;

  constructor(private readonly at: Slot) {
    super('silent');
  }

  override async beforeRun(context: BeforeRunHookContext): Promise<BeforeRunHookResult> {
    await this.maybe('beforeRun');
    return BeforeRunHookResult.proceed(context.input);
  }

  override async beforeToolCall(context: ToolCallHookContext): Promise<ToolCallHookResult> {
    this.toolCalls++;
    await this.maybe('beforeToolCall');
    return ToolCallHookResult.proceed(context.call);
  }

  override async beforePersistState(context: StatePersistenceHookContext): Promise<StatePersistenceHookResult> {
    await this.maybe(`${context.reason} ${context.effectPhase ?? ''}`.trim());
    return StatePersistenceHookResult.proceed();
  }

  private async maybe(slot: Slot): Promise<void> {
    if (this.silent && slot === this.at) {
      this.silent = false;
      await new Promise<void>(() => undefined);
    }
  }
}

interface Case {
  world: World;
  pay: RecordingTool;
  one: Process;
  ended: string;
}

const CONFIG = { approvalPolicy: new AllowAll() };

/** Pays once and is done: what it says depends on the conversation alone. */
const model: ScriptedResponder = (request) =>
  (request.messages.last()?.role === MessageRole.user ? batch('pay') : ScriptedTurn.text('ok'));

/** Runs into the silent hook, then the app pauses or the person cancels, and the grace passes. */
async function interrupted(hook: AgentHook, how: 'suspend' | 'cancel'): Promise<Case> {
  const world = new World();
  const pay = world.sensitive('pay');
  const one = await world.open({ responder: model, config: { ...CONFIG, hooks: [hook] } });
  const run = one.say('please');
  await idle();
  const over = how === 'suspend' ? one.runtime.suspend('the app leaves') : one.runtime.cancel('stop');
  for (let i = 0; i < 3; i++) {
    await idle();
    world.scheduler.advance(2000);
  }
  await over;
  return { world, pay, one, ended: await run };
}

const readBack = (state: AgentState): boolean => new StateCodec().decode(encoded(state)).ok;
const PERSIST = ['after_user_input', 'after_model_text', 'tool_effect started', 'tool_effect finished', 'after_tool_batch'];

describe('a hook that does not answer while the app pauses', () => {
  for (const slot of ['beforeToolCall', ...PERSIST, 'suspend']) {
    it(`DEC-21 HOOK-11 ${slot}: suspended, readable, and the resume ends as the undisturbed run`, async () => {
      const hook = new Silent(slot);
      const { world, pay, one, ended } = slot === 'suspend' ? await pausedIn(hook) : await interrupted(hook, 'suspend');
      expect([ended, readBack(await world.stored())]).toEqual(['suspended', true]);
      await one.runtime.close();
      const two = await world.open({ responder: model, config: { ...CONFIG, hooks: [hook] } });
      expect([await two.resume(), pay.count]).toEqual(['complete', 1]);
      expect(two.history().slice(0, 3)).toEqual(['user: please', 'assistant:  [c1 pay {"n":1}]', 'tool c1: done']);
      expect(hook.toolCalls, 'no call gets round the hooks').toBe(slot === 'beforeToolCall' ? 2 : 1);
    });
  }

  it('DEC-21 beforeRun: the input is not taken, and that is said', async () => {
    const { one, ended } = await interrupted(new Silent('beforeRun'), 'suspend');
    expect([ended, one.history(), one.provider.calls]).toEqual(['hook_failed', [], 0]);
    expect(await one.say('please')).toBe('complete');
  });
});

/** The pause comes before the call, and the hook is silent about the write of the pause itself. */
async function pausedIn(hook: AgentHook): Promise<Case> {
  const world = new World();
  const pay = world.sensitive('pay');
  const one = await world.open({
    responder: (request, call) => {
      void one.runtime.suspend('the app leaves');
      return model(request, call);
    },
    config: { ...CONFIG, hooks: [hook] },
  });
  const run = one.say('please');
  for (let i = 0; i < 4; i++) {
    await idle();
    world.scheduler.advance(2000);
  }
  return { world, pay, one, ended: await run };
}

describe('a hook that does not answer while the person cancels', () => {
  for (const slot of ['beforeRun', 'beforeToolCall', ...PERSIST]) {
    it(`DEC-19 HOOK-11 ${slot}: cancelled, never aborted`, async () => {
      const { world, ended } = await interrupted(new Silent(slot), 'cancel');
      expect([ended, (await world.stored()).run?.stopReason]).toEqual(['cancelled', 'cancelled']);
    });
  }

  it('DEC-19 HOOK-11 the ending itself: cancelled, never aborted', async () => {
    const world = new World();
    const pay = world.sensitive('pay');
    pay.work = () => new Promise<ToolResult>(() => undefined);
    const one = await world.open({ responder: model, config: { ...CONFIG, hooks: [new Silent('terminal')] } });
    const run = one.say('please');
    await idle();
    const over = one.runtime.cancel('stop');
    for (let i = 0; i < 3; i++) {
      await idle();
      world.scheduler.advance(2000);
    }
    await over;
    expect([await run, (await world.stored()).run?.stopReason]).toEqual(['cancelled', 'cancelled']);
  });
});

/** Refuses the model's answer, but takes its time. */
class Judge extends AgentHook {
  answer: () => void = () => undefined;

  override async beforePersistState(context: StatePersistenceHookContext): Promise<StatePersistenceHookResult> {
    if (context.reason !== 'after_model_text') {
      return StatePersistenceHookResult.proceed();
    }
    await new Promise<void>((resolve) => { this.answer = resolve; });
    return StatePersistenceHookResult.abort('unsafe');
  }
}

describe('a hook that aborts while the app pauses', () => {
  it('HOOK-12 DEC-34 the run is aborted; a resume does not get round it', async () => {
    const world = new World();
    const pay = world.sensitive('pay');
    const judge = new Judge('judge');
    const one = await world.open({ turns: [batch('pay')], config: { ...CONFIG, hooks: [judge] } });
    const run = one.say('please');
    await idle();
    const paused = one.runtime.suspend('the app leaves');
    await idle();
    judge.answer();
    await paused;
    expect([await run, await one.resume(), pay.count]).toEqual(['hook_abort', 'resume_nothing_pending', 0]);
  });
});
